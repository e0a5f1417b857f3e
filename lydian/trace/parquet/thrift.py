"""The part of Thrift's compact protocol that Parquet footers use.

A struct is a dict from field number to ``[type, value]``. The value of a struct is such a dict, that of a list is a
pair of element type and values, and that of a text or binary field is bytes. Only bytes just written by a Parquet
library are decoded here, never a file of unknown origin.
"""

from __future__ import annotations

import struct
from typing import Any

__all__ = ["BINARY", "I32", "I64", "LIST", "STRUCT", "Struct", "decode", "encode"]

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)

Struct = dict[int, list[Any]]


def decode(data: bytes) -> Struct:
    """Return the struct at the beginning of the bytes.

    Raises:
        ValueError: the bytes do not begin with a struct.
    """
    try:
        return _read_struct(data, 0)[0]
    except (IndexError, struct.error) as error:
        raise ValueError("the Thrift struct is cut short") from error


def encode(value: Struct) -> bytes:
    """Return the bytes of a struct; ``decode(encode(s)) == s``."""
    out = bytearray()
    _write_struct(out, value)
    return bytes(out)


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _read_struct(data: bytes, at: int) -> tuple[Struct, int]:
    fields: Struct = {}
    number = 0
    while data[at]:
        kind, step = data[at] & 0x0F, data[at] >> 4
        at += 1
        if step:
            number += step
        else:
            coded, at = _read_varint(data, at)
            number = (coded >> 1) ^ -(coded & 1)
        if kind in (TRUE, FALSE):
            value: Any = kind == TRUE
        else:
            value, at = _read(data, at, kind)
        fields[number] = [kind, value]
    return fields, at + 1


def _read(data: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in (I16, I32, I64):
        coded, at = _read_varint(data, at)
        return (coded >> 1) ^ -(coded & 1), at
    if kind == BINARY:
        length, at = _read_varint(data, at)
        return data[at : at + length], at + length
    if kind == LIST:
        element, length = data[at] & 0x0F, data[at] >> 4
        at += 1
        if length == 15:
            length, at = _read_varint(data, at)
        values = []
        for _ in range(length):
            value, at = _read(data, at, element)
            values.append(value)
        return (element, values), at
    if kind == STRUCT:
        return _read_struct(data, at)
    if kind in (TRUE, FALSE, BYTE):  # a Boolean in a list takes one byte
        return data[at], at + 1
    if kind == DOUBLE:
        return struct.unpack_from("<d", data, at)[0], at + 8
    raise ValueError(f"Thrift type {kind} is not expected in a Parquet footer")


def _write_varint(out: bytearray, value: int) -> None:
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _write_struct(out: bytearray, fields: Struct) -> None:
    before = 0
    for number in sorted(fields):
        kind, value = fields[number]
        if kind in (TRUE, FALSE):
            kind = TRUE if value else FALSE
        step = number - before
        if 0 < step <= 15:
            out.append(step << 4 | kind)
        else:
            out.append(kind)
            _write_varint(out, _zigzag(number))
        before = number
        if kind not in (TRUE, FALSE):
            _write(out, kind, value)
    out.append(0)


def _write(out: bytearray, kind: int, value: Any) -> None:
    if kind in (I16, I32, I64):
        _write_varint(out, _zigzag(value))
    elif kind == BINARY:
        _write_varint(out, len(value))
        out += value
    elif kind == LIST:
        element, values = value
        if len(values) < 15:
            out.append(len(values) << 4 | element)
        else:
            out.append(0xF0 | element)
            _write_varint(out, len(values))
        for item in values:
            if isinstance(item, bytes) and element == STRUCT:
                out += item  # already encoded
            else:
                _write(out, element, item)
    elif kind == STRUCT:
        _write_struct(out, value)
    elif kind in (TRUE, FALSE, BYTE):
        out.append(value)
    elif kind == DOUBLE:
        out += struct.pack("<d", value)
    else:
        raise ValueError(f"Thrift type {kind} is not expected in a Parquet footer")
