"""Commands of the tool that are measured one by one: what bench/part_times.py and bench/checkpoint_cost.py share."""

import os
import subprocess
import sys
import time

TAILED = "0 1\n1 2\n2 0\n2 3\n3 4\n"  # a triangle with a path of two edges, the pattern tailed.txt


def find_tool(path: str) -> str:
    """Return the absolute path of the tool, or end the program if there is none."""
    tool = os.path.abspath(path)
    if not os.access(tool, os.X_OK):
        sys.exit(f"{path}: no such program; build it with make")
    return tool


def make_inputs(tool: str, graphs: dict[str, str]) -> None:
    """Write tailed.txt, and each graph NAME.msb by its command, into the working directory."""
    with open("tailed.txt", "w", encoding="ascii") as file:
        file.write(TAILED)
    for name, command in graphs.items():
        subprocess.run([tool, *command.split(), "-o", f"{name}.msb", "-q"], check=True)


def measure(tool: str, words: list[str]) -> tuple[float, float]:
    """Return the processor time and the elapsed time, in seconds, of a command on one thread; its output is removed."""
    begin = time.monotonic()
    child = subprocess.Popen([tool, *words, "--threads", "1", "-q", "-o", "out.tsv"])
    _, status, used = os.wait4(child.pid, 0)
    elapsed = time.monotonic() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit status {child.returncode}")
    os.remove("out.tsv")
    return used.ru_utime + used.ru_stime, elapsed
