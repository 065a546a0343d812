"""Runs that check themselves: `paranoid=` of the queries that have it, and its report."""

import math

import pytest

import motifsieve as ms
from motifsieve import _keywords, censuses, queries
from motifsieve._native import ffi, lib


@pytest.fixture(scope="module")
def g():
    return ms.generate("er", vertices=300, edges=1200, colors=3, seed=5)


QUERIES = {
    "screen": lambda g, **more: g.screen("c0:2,c1,c2", method="sieve", gpu=False, repetitions=1, **more),
    "list": lambda g, **more: g.list("c0:2,c1", count_only=True, gpu=False, **more),
    "match": lambda g, **more: g.match("house", count_only=True, gpu=False, **more),
    "census": lambda g, **more: g.census(3, gpu=False, **more),
}


def answer(r):
    return r.count, {name: r[name].tolist() for name in r.columns}


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("fraction", [0.25, 1.0])
def test_a_part_is_computed_twice(g, name, fraction):
    """The result is that of a plain run, and the report says how many blocks were computed twice."""
    plain = QUERIES[name](g)
    checked = QUERIES[name](g, paranoid=fraction)
    assert plain.paranoid is None
    report = checked.paranoid
    assert isinstance(report, ms.SelfCheck) and report.fraction == fraction
    assert report.blocks > 0 and report.checked == math.ceil(fraction * report.blocks)
    assert (report.differences, report.damaged) == (0, 0)
    assert answer(checked) == answer(plain)


@pytest.mark.parametrize("name", QUERIES)
def test_words_for_the_usual_part(g, name):
    assert QUERIES[name](g, paranoid=True).paranoid.fraction == lib.MS_PARANOID_USUAL == 0.05
    assert QUERIES[name](g, paranoid=False).paranoid is None
    assert QUERIES[name](g, paranoid=None).paranoid is None


def test_files_say_it(g, tmp_path):
    """A result can be written and verified after the call, and its file has the report."""
    for name in ("screen", "census"):
        r = QUERIES[name](g, paranoid=0.5)
        r.write(tmp_path / "r.tsv")
        assert "\n# paranoid: 50 % of the work: " in (tmp_path / "r.tsv").read_text()
        assert r.verify()


@pytest.mark.parametrize("wrong", [0, -0.5, 1.5, math.nan, math.inf, "a part", [0.1]])
@pytest.mark.parametrize("name", QUERIES)
def test_wrong_parts(g, name, wrong):
    with pytest.raises(ms.UsageError, match="paranoid=.*above 0 and at most 1"):
        QUERIES[name](g, paranoid=wrong)


def test_what_is_not_computed_twice(g):
    """Rows, exact screens and permutations are refused, with the name of the keyword."""
    for call in (lambda: g.list("c0,c1", paranoid=0.1), lambda: g.match("triangle", paranoid=0.1),
                 lambda: g.screen("c0,c1", method="exact", paranoid=0.1),
                 lambda: g.match("triangle", count_only=True, limit=3, paranoid=0.1),
                 lambda: g.census(3, permutations=3, paranoid=0.1)):
        with pytest.raises(ms.UsageError, match="only the sieve.*|paranoid="):
            call()
    with pytest.raises(TypeError, match="paranoid"):
        g.significance(3, paranoid=0.1)


def test_the_library_warns(g):
    """What the library says goes into the list that set_paranoid returned."""
    o, keep = ffi.new("ms_census_options *"), []
    lib.py_init_census_options(o)
    found = _keywords.set_paranoid(o, 0.5, keep)
    assert o.run.division.paranoid == 0.5 and found == []
    o.run.division.warn(o.run.division.warn_user, ffi.from_buffer("char[]", b"the units 3 to 4 differed\0"))
    assert found == ["the units 3 to 4 differed"]


@pytest.mark.parametrize("name", QUERIES)
def test_callers_are_warned(g, name, monkeypatch):
    """A warning of the library is a RuntimeWarning at the line of the call."""
    def set_paranoid(o, paranoid, keep):
        return [*_keywords.set_paranoid(o, paranoid, keep), "the units 3 to 4 differed"]

    monkeypatch.setattr(queries, "set_paranoid", set_paranoid)
    monkeypatch.setattr(censuses, "set_paranoid", set_paranoid)
    with pytest.warns(RuntimeWarning, match="units 3 to 4") as caught:
        QUERIES[name](g, paranoid=0.5)
    assert [warning.filename for warning in caught] == [__file__]
