"""Reports of result files."""

import json
import re

import pytest

import motifsieve as ms

EDGES = "a\tb\nb\tc\nc\td\nb\td\n"
COLORS = "a\tred\nb\tblue\nc\tred\nd\tgreen\n"


@pytest.fixture
def made(tmp_path):
    """The files of a network, and a result."""
    (tmp_path / "g.tsv").write_text(EDGES)
    (tmp_path / "c.tsv").write_text(COLORS)
    ms.Graph(tmp_path / "g.tsv", tmp_path / "c.tsv").list("red,blue").write(tmp_path / "r.tsv")
    return tmp_path


def data_of(page):
    """The data of a report, as the script in it reads them."""
    return json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page.read_text(), re.S).group(1))


def test_a_report_has_the_rows_the_network_and_the_verdict(made):
    """The page has the rows of the result and the edges of the graph; the verdict is that of `verify`."""
    check = ms.report(made / "r.tsv", made / "r.html", made / "g.tsv", made / "c.tsv", progress=False)
    assert check is not None and check.completeness == ms.verify(made / "r.tsv", made / "g.tsv", made / "c.tsv").completeness
    data = data_of(made / "r.html")
    assert set("abc") <= set(data["strings"]) and check.rows == 2
    assert ms.report(made / "r.tsv", made / "few.html", made / "g.tsv", made / "c.tsv", rows=1, verify=False) is None
    assert ms.report(made / "r.tsv", made / "alone.html") is None
    assert len((made / "alone.html").read_text()) < len((made / "r.html").read_text())


def test_positions_are_in_the_report(made):
    """A page with positions differs, and each of them is read before it is written."""
    (made / "p.csv").write_text("cell_id,x,y\na,0,0\nb,1,5\nc,2,0\nd,3,5\n")
    given = made / "r.tsv", made / "placed.html", made / "g.tsv", made / "c.tsv"
    assert ms.report(*given, positions=made / "p.csv")
    ms.report(made / "r.tsv", made / "r.html", made / "g.tsv", made / "c.tsv")
    assert (made / "placed.html").read_text() != (made / "r.html").read_text()
    with pytest.raises(ms.MissingFileError, match="nowhere.csv"):
        ms.report(*given, positions=made / "nowhere.csv")


def test_no_page_of_a_wrong_result(made):
    """A refused result, a missing file and a wrong number are errors that name them, and leave no page."""
    text = (made / "r.tsv").read_text()
    (made / "wrong.tsv").write_text(text.replace("a,b", "a,c", 1))
    assert (made / "wrong.tsv").read_text() != text
    for call, error, message in (
        (lambda: ms.report(made / "wrong.tsv", made / "x.html", made / "g.tsv", made / "c.tsv"), ms.InputError, "wrong.tsv"),
        (lambda: ms.report(made / "none.tsv", made / "x.html"), ms.MissingFileError, "none.tsv"),
        (lambda: ms.report(made / "r.tsv", made / "x.html", rows=0), ms.UsageError, "rows=0"),
        (lambda: ms.report(made / "r.tsv", made / "x.html", made / "g.tsv", made / "c.tsv", format="xyz"), ms.UsageError, "xyz"),
    ):
        with pytest.raises(error, match=message):
            call()
        assert not (made / "x.html").exists()
