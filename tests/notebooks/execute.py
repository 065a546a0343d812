"""Executes a notebook in its folder, and looks at what it prints: execute.py NOTEBOOK TEXT...

Fails if a cell raises an exception, if something is written to standard error, such as a warning, if a TEXT is in no output, or if
there is no picture where the notebook draws.  Prints the outputs, and at the end the seconds.
"""

import os
import re
import sys
import time

import nbformat
from nbclient import NotebookClient

path, *wanted = sys.argv[1:]
notebook = nbformat.read(path, 4)
nbformat.validate(notebook)
begin = time.monotonic()
os.chdir(os.path.dirname(path))
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()

printed, pictures, problems = [], 0, []
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            printed.append(output.text)
            # A bar of tqdm ends with a carriage return, or a line that holds one; all else on standard error is a complaint.
            if output.name == "stderr" and not re.fullmatch(r"(\r[^\n]*|\s)*", output.text):
                problems.append(f"cell {cell.id} writes to standard error: {output.text.strip()}")
        else:
            printed.append(output.get("data", {}).get("text/plain", ""))
            pictures += "image/png" in output.get("data", {})
everything = "\n".join(printed)
print(everything[-5000:])
problems += [f"no output holds: {text}" for text in wanted if text not in everything]
if any("plt." in cell.source for cell in notebook.cells) and not pictures:
    problems.append("there is no picture")
print(f"seconds: {time.monotonic() - begin:.1f} elapsed, {sum(os.times()[2:4]):.1f} of processors")
for problem in problems:
    print(f"FAILED: {problem}")
sys.exit(bool(problems))
