"""Parts: the XML files within an office document, read with bounds and without entities."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Mapping
from html.entities import html5
from pathlib import Path
from typing import Self
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from revkit.files import Unreadable, read_bytes

_MOST_PARTS = 10_000
_MOST_BYTES = 40_000_000
_MOST_ELEMENTS = 1_000_000
_DEEPEST = 200
_ENCRYPTED = 0x1
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class Parts:
    """The parts of an office document, by name. Use it in a ``with`` statement."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        """Raises `Unreadable`: no office document, encrypted, with paths that lead outside it, or
        larger than ``max_bytes``."""
        data = read_bytes(path, max_bytes)
        if not data:
            raise Unreadable("the file is empty")
        if data.startswith(_OLD_OFFICE):
            raise Unreadable("encrypted, or a Word file of before 2007")
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError):
            start = data[:1024].lstrip().lower()
            html = start.startswith((b"<!doctype html", b"<html"))
            reason = "not a Word file: it is HTML" if html else "damaged, or not a Word file"
            raise Unreadable(reason) from None
        self._left = _MOST_BYTES
        self._check_names()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def _check_names(self) -> None:
        parts = self._archive.infolist()
        if len(parts) > _MOST_PARTS:
            raise Unreadable(f"more than {_MOST_PARTS:,} parts")
        names = [part.filename for part in parts]
        for name in names:
            if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/"):
                raise Unreadable("it holds a path that leads outside the file")
        if len(set(names)) < len(names):
            raise Unreadable("two parts have one name")
        if any(part.flag_bits & _ENCRYPTED for part in parts):
            raise Unreadable("encrypted: it opens with a password only")

    def read(self, name: str) -> Element | None:
        """The root of the part ``name``, None where there is none. Raises `Unreadable`."""
        try:
            with self._archive.open(name) as part:
                data = part.read(self._left + 1)
        except KeyError:
            return None
        except _DAMAGED as error:
            raise Unreadable(f"damaged: {name}: {error}") from None
        self._left -= len(data)
        if self._left < 0:
            raise Unreadable(f"more than {_MOST_BYTES // 1_000_000} MB when unpacked")
        return parse(data, name)


def parse(data: bytes, name: str, *, doctype: bool = False) -> Element:
    """The root element of XML, names as "{namespace}name". Raises `Unreadable` for what is not
    well formed, declares entities, or is deeper or larger than any paper. A document type is
    refused, unless ``doctype``: it is then read past, and its file is never opened."""
    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    state = [0, 0]  # the depth now, and elements so far

    def refuse_type(*_: object) -> None:
        raise Unreadable(f"{name} declares a document type, which no Word file needs")

    def refuse_entity(*_: object) -> None:
        raise Unreadable(f"{name} declares an entity, which no paper needs")

    def skipped_entity(entity: str, _: bool) -> None:
        # Names such as &nbsp;, which a document type that is not opened would declare.
        builder.data(html5.get(f"{entity};", "\ufffd"))

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        state[0] += 1
        state[1] += 1
        if state[0] > _DEEPEST or state[1] > _MOST_ELEMENTS:
            raise Unreadable(f"{name} is nested too deep or has too many elements")
        builder.start(_full(tag), {_full(key): value for key, value in attributes.items()})

    def end(tag: str) -> None:
        state[0] -= 1
        builder.end(_full(tag))

    if not doctype:
        parser.StartDoctypeDeclHandler = refuse_type
    parser.EntityDeclHandler = refuse_entity
    parser.SkippedEntityHandler = skipped_entity
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"damaged: {name}: {error}") from None
    return builder.close()


def _full(tag: str) -> str:
    return f"{{{tag}" if "}" in tag else tag
