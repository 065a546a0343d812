"""Streams of Arrow: values, and who frees what and when."""

import ctypes as C
import gc
import json
import os
import shutil
import subprocess
import sys
import threading
import weakref

import arrow_consumer as arrow
import numpy as np
import pytest

import motifsieve as ms
from motifsieve.arrow import Coded, Ragged, Table, Texts


def make_graph():
    return ms.Graph.from_edges([("x", "y"), ("y", "zß"), ("zß", "w"), ("w", "x")],
                               colors={"x": "a", "y": "b", "zß": "a", "w": "b"})


def test_values_of_every_kind_of_column():
    """Reads 1 to 70 rows of each kind by a consumer that knows only the specification."""
    for n in (0, 1, 7, 8, 9, 70):
        rng = np.random.default_rng(n)
        texts = [None if i % 5 == 3 else "ä<" * (i % 4) for i in range(n)]
        doubles = np.where(np.arange(n) % 3 == 1, np.nan, rng.random(n))
        codes = rng.integers(0, 3, n)
        sizes = rng.integers(0, 4, n)
        offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.uint64)
        flat = rng.integers(0, 100, int(offsets[-1])).astype(np.uint32)
        made = {f"n{dtype}": rng.integers(0, 100, n).astype(dtype) for dtype in arrow.NUMBERS.values()}
        expected = {name: array.tolist() for name, array in made.items()}
        made.update(
            doubles=doubles, bools=codes == 1, texts=np.array(texts, object), rows=flat[:0].reshape(0, 3)
            if n == 0 else np.arange(3 * n, dtype=np.uint32).reshape(n, 3),
            coded=Coded(codes.astype(np.uint32), Texts.of(["", "p", "q"])), ragged=Ragged(offsets, flat),
            strided=np.arange(2 * n, dtype=np.int32)[::2])
        expected.update(
            doubles=[None if v != v else v for v in doubles.tolist()], bools=(codes == 1).tolist(), texts=texts,
            rows=np.arange(3 * n).reshape(n, 3).tolist(), coded=[["", "p", "q"][c] for c in codes],
            ragged=[flat[int(a):int(b)].tolist() for a, b in zip(offsets, offsets[1:])],
            strided=list(range(0, 2 * n, 2)))
        assert arrow.table(Table(made)) == expected


def test_names_of_vertices_are_shared_and_numbers_are_not_copied():
    """The list of a match is the memory of the library; the names are a dictionary."""
    r = make_graph().list("a,b")
    found = arrow.table(r)
    assert found["node1"] == r["node1"].tolist() and found["node2"] == r["node2"].tolist()
    stream = arrow.open_stream(r.to_arrow(lists=True).__arrow_c_stream__())
    schema, array = arrow.read(stream)
    assert array.children[1].contents.children[0].contents.buffers[1] == r.vertices.ctypes.data
    facts = json.loads(arrow.metadata(schema)["motifsieve"])
    assert facts["query"]["motif"] == "a,b" and facts["complete"] is True and facts["bound"] == 0
    for struct in (stream, schema, array):
        arrow.release(struct)


def test_arrays_live_until_the_last_release():
    """A stream, a schema, an array and a child that was moved out each keep the memory alive."""
    data = np.arange(1000)
    alive = weakref.ref(data)
    table = Table({"a": data, "b": np.zeros(1000)})
    stream = arrow.open_stream(table.__arrow_c_stream__())
    del data, table
    gc.collect()
    assert alive() is not None
    schema, array = arrow.read(stream)
    arrow.release(stream)
    child = arrow.move(arrow.Array, array.children[0].contents)
    arrow.release(array)
    name = schema.children[0].contents
    gc.collect()
    assert alive() is not None
    assert arrow.values(name, child) == list(range(1000))
    arrow.release(child)
    gc.collect()
    assert alive() is not None, "the schema still points to its texts"
    arrow.release(schema)
    gc.collect()
    assert alive() is None, "something was not released"


def test_what_nobody_consumes_is_freed_with_its_capsule():
    """Capsules of streams and of schemas that no consumer opens hold nothing after their end."""
    data = np.arange(10)
    alive = weakref.ref(data)
    table = Table({"a": data})
    capsules = [table.__arrow_c_stream__(), table.__arrow_c_schema__()]
    opened = table.__arrow_c_stream__()
    stream = arrow.open_stream(opened)
    del data, table, capsules, opened
    gc.collect()
    assert alive() is not None, "the stream that was moved out is still open"
    arrow.release(stream)
    gc.collect()
    assert alive() is None


def test_a_result_lives_as_long_as_its_stream():
    """The memory of the library is freed after the stream, not with the Python object."""
    r = make_graph().list("a,b")
    expected = r.vertices.tolist()
    stream = arrow.open_stream(r.to_arrow(lists=True).__arrow_c_stream__())
    del r
    gc.collect()
    schema, array = arrow.read(stream)
    assert arrow.columns(schema, array)["vertices"] == expected
    for struct in (array, schema, stream):
        arrow.release(struct)


def test_threads_release():
    """200 arrays are released by eight threads, which do not hold Python's lock in the call."""
    data = np.arange(100)
    alive = weakref.ref(data)
    table = Table({"a": data, "b": data, "c": Coded(data % 3, Texts.of("xyz"))})
    opened = []
    for _ in range(200):
        stream = arrow.open_stream(table.__arrow_c_stream__())
        opened += [stream, *arrow.read(stream)]
    del data, table, stream

    def work(number):
        for struct in opened[number::8]:
            arrow.release(struct)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert alive() is None


def test_the_process_ends_with_open_streams():
    """Capsules, streams and arrays that are open at the end of the interpreter do no harm."""
    code = ("import sys; sys.path.insert(0, sys.argv[1]); import arrow_consumer as arrow, numpy as np; "
            "from motifsieve.arrow import Table; t = Table({'a': np.arange(9)}); c = t.__arrow_c_stream__(); "
            "s = arrow.open_stream(t.__arrow_c_stream__()); a = arrow.read(s)")
    subprocess.run([sys.executable, "-c", code, os.path.dirname(__file__)], check=True, timeout=600)


LATE = """
#include <stdio.h>
struct stream { void *functions[3]; void (*release)(struct stream *); void *data; };
static struct stream kept;
void keep(struct stream *given) { kept = *given; given->release = NULL; }
__attribute__((destructor)) static void end(void) { kept.release(&kept); puts("released"); fflush(stdout); }
"""


def test_a_release_after_the_interpreter(tmp_path):
    """A stream that a destructor of a C library releases, after the interpreter, does no harm."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("there is no C compiler")
    (tmp_path / "late.c").write_text(LATE)
    library = str(tmp_path / "late.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, str(tmp_path / "late.c")], check=True,
                   timeout=600)
    code = ("import ctypes as C, sys; sys.path.insert(0, sys.argv[1]); import arrow_consumer as arrow, numpy as np; "
            "from motifsieve.arrow import Table; late = C.CDLL(sys.argv[2]); "
            "late.keep(C.byref(arrow.open_stream(Table({'a': np.arange(9)}).__arrow_c_stream__())))")
    found = subprocess.run([sys.executable, "-c", code, os.path.dirname(__file__), library], timeout=600,
                           capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "released\n"), found.stderr


def test_refusals():
    """Columns of different lengths, and types that there are not, are refused with their names."""
    with pytest.raises(ValueError, match="lengths"):
        Table({"a": np.arange(2), "b": np.arange(3)})
    with pytest.raises(ValueError, match="'a'.*complex"):
        Table({"a": np.zeros(2, complex)})
    with pytest.raises(ValueError, match="'a' has 3 dimensions"):
        Table({"a": np.zeros((2, 2, 2))})
    with pytest.raises(ms.UsageError, match="columns= names 'nodes'"):
        make_graph().list("a,b").to_arrow(["nodes"])


# ---- other consumers -----------------------------------------------------------------


def test_pyarrow():
    """pyarrow reads a result as it is."""
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    r = make_graph().list("a,b")
    assert pyarrow.table(r)["node1"].to_pylist() == r["node1"].tolist()


def test_polars():
    """polars reads a result as it is."""
    polars = pytest.importorskip("polars", reason="polars is not installed")
    r = make_graph().list("a,b")
    assert polars.DataFrame(r)["node1"].to_list() == r["node1"].tolist()


class _Result(C.Structure):
    _fields_ = [("numbers", C.c_uint64 * 3), ("pointers", C.c_void_p * 5)]


def test_duckdb_in_c():
    """DuckDB's C library, if MOTIFSIEVE_DUCKDB names it, makes a table of a stream."""
    path = os.environ.get("MOTIFSIEVE_DUCKDB")
    if not path:
        pytest.skip("MOTIFSIEVE_DUCKDB does not name a libduckdb.so")
    duckdb = C.CDLL(path)
    database, connection = C.c_void_p(), C.c_void_p()
    assert duckdb.duckdb_open(None, C.byref(database)) == 0
    assert duckdb.duckdb_connect(database, C.byref(connection)) == 0
    duckdb.duckdb_result_error.restype = duckdb.duckdb_value_varchar.restype = C.c_char_p

    def query(sql, columns=0):
        result = _Result()
        assert duckdb.duckdb_query(connection, sql.encode(), C.byref(result)) == 0, \
            duckdb.duckdb_result_error(C.byref(result))
        return [duckdb.duckdb_value_varchar(C.byref(result), C.c_uint64(i), C.c_uint64(0)).decode()
                for i in range(columns)]

    n = 5000
    codes = np.arange(n) % 3
    doubles = np.where(codes == 0, np.nan, 0.5)
    made = Table({"match": np.arange(n), "node": Coded(codes.astype(np.uint32), Texts.of(["ä", "b", "c"])),
                  "z": doubles, "rows": np.arange(2 * n, dtype=np.uint32).reshape(n, 2), "found": codes == 1,
                  "list": Ragged(np.arange(n + 1, dtype=np.uint64), np.arange(n, dtype=np.uint32)),
                  "text": np.array([str(i) for i in range(n)], object)})
    stream = arrow.open_stream(made.__arrow_c_stream__())
    # The C function reads all columns of its stream, whatever the query chooses; so the table is copied.
    duckdb.duckdb_arrow_scan.argtypes = [C.c_void_p, C.c_char_p, C.c_void_p]
    assert duckdb.duckdb_arrow_scan(connection, b"streamed", C.addressof(stream)) == 0
    query("CREATE TABLE t AS SELECT * FROM streamed")
    assert query("SELECT count(*), sum(match), sum(z), count(z), sum(rows[2]), sum(found::INT), sum(list[1]) FROM t",
                 7) == [str(n), str(n * (n - 1) // 2), str(doubles[doubles == 0.5].sum()),
                        str((codes > 0).sum()), str(n * n), str((codes == 1).sum()), str(n * (n - 1) // 2)]
    assert query("SELECT string_agg(DISTINCT node, '' ORDER BY node) FROM t", 1) == ["bcä"]
    assert query("SELECT node, text FROM t WHERE match = 4000", 2) == ["b", "4000"]
