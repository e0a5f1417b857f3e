"""The compact protocol, against footers that pyarrow writes and values that Hypothesis draws."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.trace.parquet.thrift import BINARY, DOUBLE, FALSE, I16, I32, I64, LIST, STRUCT, TRUE, decode, encode


def test_a_footer_survives() -> None:
    sink = pa.BufferOutputStream()
    table = pa.table({"a": list(range(100)), "b": ["x", None] * 50, "c": [0.5] * 100})
    pq.write_table(table, sink, row_group_size=3, write_page_index=True)
    whole = sink.getvalue().to_pybytes()
    footer = whole[-8 - int.from_bytes(whole[-8:-4], "little") : -8]
    fields = decode(footer)
    assert fields[3] == [I64, 100]
    assert len(fields[4][1][1]) == 34
    assert encode(fields) == footer


numbers = {I16: st.integers(-(2**15), 2**15 - 1), I32: st.integers(-(2**31), 2**31 - 1)}
scalars = st.one_of(
    st.integers(-(2**63), 2**63 - 1).map(lambda value: [I64, value]),
    numbers[I16].map(lambda value: [I16, value]),
    numbers[I32].map(lambda value: [I32, value]),
    st.binary(max_size=300).map(lambda value: [BINARY, value]),
    st.floats(allow_nan=False).map(lambda value: [DOUBLE, value]),
    st.booleans().map(lambda value: [TRUE if value else FALSE, value]),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20).map(lambda values: [LIST, (I64, values)]),
)


def structs(fields: st.SearchStrategy) -> st.SearchStrategy:
    return st.dictionaries(st.integers(1, 1000), fields, max_size=4)


def nested(inner: st.SearchStrategy) -> st.SearchStrategy:
    one = structs(inner).map(lambda value: [STRUCT, value])
    many = st.lists(structs(inner), max_size=17).map(lambda values: [LIST, (STRUCT, values)])
    return one | many


@given(structs(st.recursive(scalars, nested, max_leaves=8)))
def test_any_struct_survives(value: dict) -> None:
    assert decode(encode(value)) == value


@given(structs(scalars))
def test_an_encoded_struct_may_be_an_element_of_a_list(value: dict) -> None:
    assert encode({1: [LIST, (STRUCT, [encode(value), value])]}) == encode({1: [LIST, (STRUCT, [value, value])]})


@pytest.mark.parametrize("data", [b"", b"\x15", b"\x15\x80", b"\x17\x00\x00", b"\x1b\x00"])
def test_invalid_structs_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"cut short|not expected"):
        decode(data)
