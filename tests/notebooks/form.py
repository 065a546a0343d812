"""Checks the form in which a notebook is kept: form.py NOTEBOOK.

Notebooks are kept without outputs, with the bytes that this program expects, so that a change of a cell is a change of its
lines.  `form.py --write NOTEBOOK` brings a notebook that Jupyter has saved into this form.
"""

import json
import re
import sys

KEYS = {"code": {"cell_type", "execution_count", "id", "metadata", "outputs", "source"}, "markdown": {"cell_type", "id", "metadata", "source"}}


def plain(notebook):
    """Return a notebook without what its execution has left in it."""
    cells = []
    for cell in notebook["cells"]:
        cell = {key: value for key, value in cell.items() if key in KEYS[cell["cell_type"]]}
        cell["metadata"] = {}
        if isinstance(cell["source"], str):
            cell["source"] = cell["source"].splitlines(True)
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        cells.append(dict(sorted(cell.items())))
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def text_of(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


path = sys.argv[-1]
with open(path, encoding="utf-8") as file:
    kept = file.read()
wanted = text_of(plain(json.loads(kept)))
if sys.argv[1] == "--write":
    with open(path, "w", encoding="utf-8") as file:
        file.write(wanted)
    sys.exit()
problems = []
if kept != wanted:
    problems.append(f"it has outputs or another layout: python3 tests/notebooks/form.py --write {path}")
notebook = json.loads(kept)
ids = [cell.get("id", "") for cell in notebook["cells"]]
if len(set(ids)) < len(ids) or not all(re.fullmatch("[a-z][a-z0-9-]*", i) for i in ids):
    problems.append("each cell needs a name of its own as its id")
for cell in notebook["cells"]:
    source = "".join(cell["source"])
    if re.search(r"/(home|work|tmp|root|Users)/", source):
        problems.append(f"cell {cell['id']} names a folder of one machine")
    if cell["cell_type"] == "code":
        code = source.replace("\n%", "\n# %")
        compile(code, f"{path}, cell {cell['id']}", "exec")
if not (notebook["cells"] and "".join(notebook["cells"][0]["source"]).startswith("# ")):
    problems.append("the first cell is no title")
for problem in problems:
    print(f"{path}: {problem}")
sys.exit(bool(problems))
