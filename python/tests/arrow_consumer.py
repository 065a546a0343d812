"""A consumer of the Arrow C data interface for the tests, by ctypes alone."""

import ctypes as C

import numpy as np


class Schema(C.Structure):
    pass


class Array(C.Structure):
    pass


class Stream(C.Structure):
    pass


Schema._fields_ = [("format", C.c_char_p), ("name", C.c_char_p), ("metadata", C.c_void_p), ("flags", C.c_int64),
                   ("n_children", C.c_int64), ("children", C.POINTER(C.POINTER(Schema))),
                   ("dictionary", C.POINTER(Schema)), ("release", C.CFUNCTYPE(None, C.POINTER(Schema))),
                   ("private_data", C.c_void_p)]
Array._fields_ = [("length", C.c_int64), ("null_count", C.c_int64), ("offset", C.c_int64), ("n_buffers", C.c_int64),
                  ("n_children", C.c_int64), ("buffers", C.POINTER(C.c_void_p)),
                  ("children", C.POINTER(C.POINTER(Array))), ("dictionary", C.POINTER(Array)),
                  ("release", C.CFUNCTYPE(None, C.POINTER(Array))), ("private_data", C.c_void_p)]
Stream._fields_ = [("get_schema", C.CFUNCTYPE(C.c_int, C.POINTER(Stream), C.POINTER(Schema))),
                   ("get_next", C.CFUNCTYPE(C.c_int, C.POINTER(Stream), C.POINTER(Array))),
                   ("get_last_error", C.CFUNCTYPE(C.c_char_p, C.POINTER(Stream))),
                   ("release", C.CFUNCTYPE(None, C.POINTER(Stream))), ("private_data", C.c_void_p)]

_pointer = C.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = C.c_void_p, [C.py_object, C.c_char_p]

NUMBERS = {b"c": "i1", b"C": "u1", b"s": "i2", b"S": "u2", b"i": "i4", b"I": "u4", b"l": "i8", b"L": "u8",
           b"f": "f4", b"g": "f8"}


def move(kind, source):
    """Move a struct out of another one, as the interface says: copy it, and mark the source."""
    target = kind()
    C.memmove(C.byref(target), C.byref(source), C.sizeof(kind))
    source.release = type(source.release)()
    return target


def open_stream(capsule):
    return move(Stream, Stream.from_address(_pointer(capsule, b"arrow_array_stream")))


def open_schema(capsule):
    return move(Schema, Schema.from_address(_pointer(capsule, b"arrow_schema")))


def release(struct):
    """Release a struct, and check that this marks it as released."""
    assert struct.release, "released twice"
    struct.release(C.byref(struct))
    assert not struct.release, "release left its mark out"


def read(stream):
    """Return the schema and the only array of a stream, and check that there is no other."""
    schema, array, end = Schema(), Array(), Array()
    assert stream.get_schema(C.byref(stream), C.byref(schema)) == 0
    assert stream.get_next(C.byref(stream), C.byref(array)) == 0
    assert stream.get_next(C.byref(stream), C.byref(end)) == 0
    assert array.release and not end.release
    return schema, array


def _buffer(array, number, dtype, count):
    assert number < array.n_buffers
    address = array.buffers[number]
    if not count:
        return np.zeros(0, dtype)
    assert address, "a buffer is missing"
    raw = (C.c_char * (count * np.dtype(dtype).itemsize)).from_address(address)
    return np.frombuffer(raw, dtype)


def values(schema, array):
    """Return the values of a column as a list, and check the numbers of buffers and nulls."""
    form, n = schema.format, array.length
    assert array.offset == 0 and schema.n_children == array.n_children
    valid = np.ones(n, bool)
    if array.buffers[0]:
        valid = np.unpackbits(_buffer(array, 0, "u1", (n + 7) // 8), bitorder="little")[:n].astype(bool)
        assert schema.flags & 2, "a column with nulls is not marked as nullable"
    assert array.null_count == n - valid.sum()
    if form in NUMBERS:
        assert array.n_buffers == 2
        found = _buffer(array, 1, NUMBERS[form], n).tolist()
    elif form == b"b":
        bits = _buffer(array, 1, "u1", (n + 7) // 8)
        found = np.unpackbits(bits, bitorder="little")[:n].astype(bool).tolist()
    elif form in (b"u", b"U"):
        assert array.n_buffers == 3
        offsets = _buffer(array, 1, "i4" if form == b"u" else "i8", n + 1).tolist()
        assert offsets[0] == 0 and offsets == sorted(offsets)
        data = _buffer(array, 2, "u1", offsets[-1]).tobytes()
        found = [data[a:b].decode() for a, b in zip(offsets, offsets[1:])]
    elif form.startswith(b"+w:"):
        k = int(form[3:])
        assert array.n_buffers == 1 and array.children[0].contents.length == n * k
        items = values(schema.children[0].contents, array.children[0].contents)
        found = [items[i * k:(i + 1) * k] for i in range(n)]
    elif form == b"+L":
        offsets = _buffer(array, 1, "i8", n + 1).tolist()
        items = values(schema.children[0].contents, array.children[0].contents)
        found = [items[a:b] for a, b in zip(offsets, offsets[1:])]
    else:
        raise AssertionError(f"unknown format {form}")
    if schema.dictionary:
        words = values(schema.dictionary.contents, array.dictionary.contents)
        found = [words[code] for code in found]
    return [value if there else None for value, there in zip(found, valid)]


def columns(schema, array):
    """Return the columns of a struct as lists, by name."""
    assert schema.format == b"+s" and array.n_buffers == 1
    assert all(array.children[i].contents.length == array.length for i in range(array.n_children))
    return {schema.children[i].contents.name.decode():
            values(schema.children[i].contents, array.children[i].contents) for i in range(schema.n_children)}


def metadata(schema):
    """Return the metadata of a schema."""
    if not schema.metadata:
        return {}
    at = schema.metadata

    def number():
        nonlocal at
        value = C.c_int32.from_address(at).value
        at += 4
        return value

    def text():
        nonlocal at
        size = number()
        value = C.string_at(at, size).decode()
        at += size
        return value

    return {text(): text() for _ in range(number())}


def table(thing):
    """Return all columns of an object with __arrow_c_stream__, and release everything."""
    stream = open_stream(thing.__arrow_c_stream__())
    schema, array = read(stream)
    release(stream)
    found = columns(schema, array)
    release(schema)
    release(array)
    return found
