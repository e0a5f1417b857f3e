"""The decoding of text files of other programs: usually UTF-8; XML declares its encoding, UTF-16 has a mark at its
start."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from lydian.model.errors import BadInput, shown
from lydian.model.reading import read_text

__all__ = ["text_of"]

_WIDE = {
    codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip
#: The beginning of an XML file in UTF-16 without a mark.
_BARE = {"<?".encode("utf-16-le"): "utf-16-le", "<?".encode("utf-16-be"): "utf-16-be"}
_DECLARED = re.compile(rb"""^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_AS_IT_IS = ("utf-8", "ascii")
#: Encodings of Python that do not occur in files, and that take very long or have side effects.
_NEVER = ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7", "undefined")


def text_of(path: Path | str, limit: int) -> str:
    """Return the text of a network's file in whatever encoding, as far as the file declares it.

    Args:
        path: the file.
        limit: the largest permitted size in bytes.

    Raises:
        BadInput: it cannot be read, is too large, or is not text in the encoding that it declares.
    """
    path = Path(path)
    encoding = _encoding(path)
    if encoding in _AS_IT_IS:
        try:
            return read_text(path, "a network", limit)
        except BadInput as error:
            if "not text in UTF-8" not in error.what:
                raise
            what = f"{error.what}; save it in UTF-8, or as XML that declares its encoding"
            raise BadInput(what, file=path, place=error.place) from None
    with path.open("rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise BadInput(f"the file is larger than {limit / 1e6:g} MB, too large for a network", file=path)
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        what = f"the file is not in {encoding}, which it declares; save it in UTF-8"
        raise BadInput(what, file=path, place=f"byte {error.start}") from None


def _encoding(path: Path) -> str:
    """Return the encoding that the beginning of a file declares; UTF-8 if there is none, or if the file cannot be
    opened."""
    try:
        if not path.is_file():
            return "utf-8"
        with path.open("rb") as stream:
            start = stream.read(400)
    except (OSError, ValueError):
        return "utf-8"  # the error is reported when the file is read
    for mark, name in (*_WIDE.items(), *_BARE.items()):
        if start.startswith(mark):
            return name
    found = _DECLARED.match(start)
    if found is None:
        return "utf-8"
    said = found[1].decode("ascii")
    try:
        name = codecs.lookup(said).name
        "".encode(name)
        if name in _NEVER:
            raise LookupError
    except (LookupError, UnicodeError):
        raise BadInput(f"the encoding {shown(said)} is unknown; save it in UTF-8", file=path, place="line 1") from None
    if name in ("utf-16", "utf-32"):  # its first bytes would be different; the declaration is wrong
        return "utf-8"
    return name
