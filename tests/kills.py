#!/usr/bin/env python3
"""Kills the tool with SIGKILL at random points of long runs, and lets them go on: tests/kills.py TOOL [NAME...]

Each run has a tiny input, a checkpoint and a saving every 2 ms.  It is killed once it has used a random part of the
processor time that an undisturbed run needs, which does not depend on how busy the machine is, and started again, until
it has ended; then it begins again, until there were --kills kills.  Each time that it ends, its output has to be, byte by
byte, that of the undisturbed run, and nothing else may be left.  `convert` has no checkpoint: after each kill, the old
output or the whole new one has to be there.

A line for each command says how many kills there were, at how many of them a state was there to go on from, and how many
runs ended.  The exit status is 1 if something was wrong.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

COLORED = ["-c", "kc.tsv", "-t", "2", "-q"]
# name: vertices and edges of the input, output, arguments
RUNS = {
    "sieve": (400, 1600, "out.tsv", ["screen", "kg.tsv", *COLORED, "--screen", "always", "--backend", "cpu", "--no-prune",
                                     "-m", "c0:4,c1:4,c2:2,c3:2", "--repetitions", "6"]),
    "census": (500, 3000, "out.tsv", ["census", "kg.tsv", *COLORED, "-k", "5"]),
    "census-vertices": (500, 2500, "out.tsv", ["census", "kg.tsv", *COLORED, "-k", "4", "--per-vertex"]),
    "census-permutations": (1000, 8000, "out.tsv", ["census", "kg.tsv", *COLORED, "-k", "3", "--permutations", "150"]),
    "motif-permutations": (1000, 8000, "out.tsv", ["list", "kg.tsv", *COLORED, "-m", "c0:2,c1", "--permutations", "300"]),
    "list": (2500, 10000, "out.tsv", ["list", "kg.tsv", *COLORED, "-m", "c0,c1,c2,c3", "--exact"]),
    "list-json": (600, 2400, "out.json.gz", ["list", "kg.tsv", *COLORED, "-m", "c0:2,c1,c2", "--exact", "--json"]),
    "list-part": (5000, 20000, "out.tsv", ["list", "kg.tsv", *COLORED, "-m", "c0,c1,c2,c3", "--part", "2/3"]),
    "list-count": (1500, 12000, "out.txt", ["list", "kg.tsv", *COLORED, "-m", "c0:2,c1,c2,*", "--count", "--exact"]),
    "match": (1200, 9000, "out.tsv", ["match", "kg.tsv", "cycle:4", "--screen", "never", "--engine", "cpu", "-t", "2", "-q"]),
    "match-count": (5000, 50000, "out.json", ["match", "kg.tsv", "house", "--count", "--json", "--screen", "never", "-t", "2",
                                              "-q"]),
    "match-count-hinge": (5000, 50000, "out.txt", ["match", "kg.tsv", "tailed", "--count", "--screen", "never", "-t", "2", "-q"]),
    "match-typed": (1500, 10000, "out.tsv", ["match", "kg.tsv", *COLORED, "--screen", "never", "--engine", "cpu",
                                             "(x:c0)-[]-(y)-[]-(z:c1)-[]-(w:c2)"]),
    "convert-binary": (50000, 200000, "out.msb", ["convert", "kg.tsv", *COLORED, "--to", "binary"]),
    "convert-graphml": (50000, 200000, "out.graphml", ["convert", "kg.tsv", *COLORED]),
}
INPUTS = {"kg.tsv", "kc.tsv", "tailed"}
TAILED = "0 1\n1 2\n2 0\n2 3\n3 4\n"  # a triangle with a path: it falls apart without a vertex, and is counted around it


class Wrong(Exception):
    """The tool did what it must not do."""


def cpu_clock(pid):
    """Return the number of the clock of a process's processor time."""
    return (~pid << 3) | 2


def run_until(command, seconds):
    """Run the command until it has used so much processor time, and kill it then.

    Returns its exit status, which is -9 if it was killed, and its processor time.
    """
    with open("err", "wb") as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=err)
    clock, killed = cpu_clock(process.pid), False
    while True:
        pid, status, usage = os.wait4(process.pid, 0 if killed else os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_utime + usage.ru_stime
        left = seconds - time.clock_gettime(clock)
        if left <= 0:
            os.kill(process.pid, signal.SIGKILL)  # Popen.send_signal would first wait for it
            killed = True
        else:  # two threads do not use more in this time
            time.sleep(min(max(left / 2, 0.0003), 0.01))


def content(path):
    with open(path, "rb") as file:
        return file.read()


def check(right, what):
    if not right:
        raise Wrong(f"{what}; it printed: {content('err').decode(errors='replace')[:500]}")


def check_end(status, out, whole):
    check(status == 0, f"a run ended with exit status {status}")
    check(content(out) == whole, f"{out} differs from that of the undisturbed run")
    left = {name for name in os.listdir() if name not in INPUTS | {out, "err"}}
    check(not left, f"left over: {', '.join(sorted(left))}")


def make_inputs(tool, vertices, edges):
    """Make the files that commands of RUNS read."""
    subprocess.run([tool, "gen", "power-law", "-n", str(vertices), "--exponent", "-1", "--edges", str(edges),
                    "--uniform-colors", "4", "--colors-out", "kc.tsv", "-o", "kg.tsv", "-q"], check=True)
    with open("tailed", "w", encoding="ascii") as file:
        file.write(TAILED)


def kill(tool, name, kills, draw):
    """Kill runs of the command of this name; returns what there is to say."""
    vertices, edges, out, words = RUNS[name]
    make_inputs(tool, vertices, edges)
    saves = not name.startswith("convert")
    undisturbed = [tool, *words, "-o", out]
    times = []
    for _ in range(3):
        status, used = run_until(undisturbed, float("inf"))
        check_end(status, out, content(out))
        times.append(used)
    whole, span = content(out), sorted(times)[1]
    command = undisturbed + (["--checkpoint", "ck", "--checkpoint-seconds", "0.002", "--resume"] if saves else [])
    killed = states = ended = unkilled = 0
    old = b"old\n"
    while killed < kills:
        if saves and os.path.exists(out):
            os.remove(out)
        elif not saves:
            with open(out, "wb") as file:
                file.write(old)
        status, _ = run_until(command, draw.random() * span)
        if status == -signal.SIGKILL:
            killed += 1
            states += os.path.exists("ck")
            check(saves or content(out) in (old, whole), f"after a kill, {out} is neither the old nor the whole new one")
            check(not saves or not os.path.exists(out) or content(out) == whole, f"after a kill, a piece of {out} is there")
        else:
            ended += 1
            check_end(status, out, whole)
        unkilled = 0 if status == -signal.SIGKILL else unkilled + 1
        check(unkilled < 1000, "no run can be killed any more")
    if saves and os.path.exists(out):
        os.remove(out)
    check_end(run_until(command, float("inf"))[0], out, whole)
    text = f"{killed} kills, {ended + 1} runs ended, each with the bytes of the undisturbed run of {span:.3f} s"
    return text + (f"; a state was there after {states} kills" if saves else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("names", nargs="*", choices=[[], *RUNS], metavar="NAME", help=", ".join(RUNS))
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    chosen = parser.parse_intermixed_args()
    tool, wrong = os.path.abspath(chosen.tool), 0
    os.environ["MOTIFSIEVE_CUDA"] = "0"
    print(f"seed {chosen.seed}", flush=True)
    for name in chosen.names or RUNS:
        folder = tempfile.mkdtemp(prefix="motifsieve-kills-")
        os.chdir(folder)
        begin = time.monotonic()
        try:
            text = kill(tool, name, chosen.kills, random.Random(f"{chosen.seed} {name}"))
            print(f"{name}: {text}; {time.monotonic() - begin:.0f} s", flush=True)
            shutil.rmtree(folder)
        except Wrong as error:
            wrong += 1
            print(f"{name}: FAILED: {error} (see {folder})", flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
