"""The file of a bundle: a zip archive with the same bytes for the same content, which is read
without trust.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import IO

from revkit.errors import RunError
from revkit.execution.bundle.manifest import Manifest, manifest_from
from revkit.model.strict_json import strict_json

MANIFEST = "manifest.json"
MEMBERS = (
    "anchors-skipped.jsonl",
    "anchors.jsonl",
    "answers.jsonl",
    "calls.jsonl",
    "failures.jsonl",
    "files.jsonl",
    "papers.jsonl",
    "skipped.jsonl",
    "spec.yaml",
)
_LARGEST = {MANIFEST: 16_000_000, "spec.yaml": 1_000_000}
_LARGEST_MEMBER = 2_000_000_000
_LARGEST_TOTAL = 4_000_000_000
# Text packs ten to one, and no more than this many to one unless somebody made it so.
_HIGHEST_RATIO = 200
_FREE_OF_RATIO = 1_000_000
_CHUNK = 1 << 20
# What zipfile raises for archives that are damaged or made to harm.
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError)


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of a file, as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_archive(folder: Path, target: Path) -> None:
    """Pack the members in ``folder`` into ``target``: sorted, with one fixed time.

    Raises `RunError` where it cannot be written, is too large to be read back, or would take the
    place of a file that is not a bundle.
    """
    names = sorted((*MEMBERS, MANIFEST))
    sizes = {name: (folder / name).stat().st_size for name in names}
    too_large = [name for name in names if sizes[name] > _LARGEST.get(name, _LARGEST_MEMBER)]
    if too_large or sum(sizes.values()) > _LARGEST_TOTAL:
        raise RunError("this run is too large for a bundle; export one with fewer papers or agents")
    _check_place(target)
    part = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _pack(folder, part, names, ())
        with zipfile.ZipFile(part) as archive:
            tight = [info.filename for info in archive.infolist() if _is_bomb(info)]
        if tight:
            _pack(folder, part, names, tight)
        os.replace(part, target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RunError(f"{target} cannot be written: {error.strerror or error}") from error


def _pack(folder: Path, path: Path, names: list[str], unpacked: Collection[str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            packed = zipfile.ZIP_STORED if name in unpacked else zipfile.ZIP_DEFLATED
            info.compress_type = packed
            with (folder / name).open("rb") as source, archive.open(info, "w") as out:
                shutil.copyfileobj(source, out, _CHUNK)


def _check_place(target: Path) -> None:
    if not target.exists():
        return
    try:
        with zipfile.ZipFile(target) as archive:
            is_bundle = MANIFEST in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        is_bundle = False
    if not is_bundle:
        raise RunError(f"{target} exists and is not a bundle; choose another name")


def read_archive(path: Path, folder: Path) -> Manifest:
    """Unpack the bundle at ``path`` into ``folder`` and return its manifest.

    Only the known members are read, within bounds, and written under their known names. Raises
    `RunError` for whatever is not as `write_archive` makes it, and for a member that was changed.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            infos = {info.filename: info for info in archive.infolist()}
            if MANIFEST not in infos:
                raise RunError(f"{path} is not a bundle: it has no {MANIFEST}")
            _check_entry(path, infos[MANIFEST])
            # First of all, for a newer format may hold other members.
            manifest = _manifest(archive.read(infos[MANIFEST]), path)
            _check_entries(path, archive.infolist(), manifest.members)
            for name in MEMBERS:
                with archive.open(infos[name]) as source, (folder / name).open("wb") as out:
                    digest = _copied(source, out)
                if digest != manifest.members[name]:
                    raise RunError(f"{path} was changed: {name} differs from its manifest")
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}") from error
    except _DAMAGE as error:
        raise RunError(f"{path} is not a bundle, or is damaged: {error}") from error
    return manifest


def _copied(source: IO[bytes], out: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while chunk := source.read(_CHUNK):
        digest.update(chunk)
        out.write(chunk)
    return digest.hexdigest()


def _manifest(body: bytes, path: Path) -> Manifest:
    try:
        value = strict_json(body.decode("utf-8"))
    except ValueError as error:
        raise RunError(f"{path} is not a bundle: its {MANIFEST} is not JSON: {error}") from None
    return manifest_from(value, str(path))


def _check_entries(path: Path, infos: list[zipfile.ZipInfo], digests: Mapping[str, str]) -> None:
    names = [info.filename for info in infos]
    wanted = {*MEMBERS, MANIFEST}
    strange = sorted(set(names) - wanted)
    if strange:
        raise RunError(f"{path} is refused: {strange[0][:200]!r} is not part of a bundle")
    if len(names) != len(wanted) or set(digests) != set(MEMBERS):
        raise RunError(f"{path} is refused: each member of a bundle must occur exactly once")
    for info in infos:
        _check_entry(path, info)
    if sum(info.file_size for info in infos) > _LARGEST_TOTAL:
        raise RunError(f"{path} is refused: it is too large when unpacked")


def _check_entry(path: Path, info: zipfile.ZipInfo) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise RunError(f"{path} is refused: {info.filename} is not a regular file")
    if info.flag_bits & 0x1:
        raise RunError(f"{path} is refused: {info.filename} is encrypted")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise RunError(f"{path} is refused: {info.filename} uses another compression than revkit")
    if info.file_size > _LARGEST.get(info.filename, _LARGEST_MEMBER) or _is_bomb(info):
        raise RunError(f"{path} is refused: {info.filename} is too large when unpacked")


def _is_bomb(info: zipfile.ZipInfo) -> bool:
    return info.file_size > _FREE_OF_RATIO + _HIGHEST_RATIO * info.compress_size
