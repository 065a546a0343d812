"""The examples of docs/PYTHON.md print what the page shows."""

import doctest
import os
import pathlib

ROOT = pathlib.Path(__file__).parents[2]


def test_the_guide(monkeypatch):
    monkeypatch.chdir(ROOT / "examples" / "yeast")
    failed, tried = doctest.testfile(os.fspath(ROOT / "docs" / "PYTHON.md"), module_relative=False,
                                     optionflags=doctest.ELLIPSIS)
    assert tried > 15 and failed == 0
