#!/usr/bin/env python3
"""Flips each single bit of a checkpoint: tests/flips.py TOOL [NAME...]

A run of tests/kills.py is killed once it has saved its state.  Then each bit of the checkpoint is flipped, one at a
time, and `--resume` has to refuse the file (exit status 3, and a message that names it), and to leave it as it is and
write no output.  At last the file as it was has to be accepted.  --most N: at most N bits, drawn by --seed.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import kills  # noqa: E402


def save_state(tool, name):
    """Make the inputs of the run, and let it save its state; returns its command."""
    vertices, edges, out, words = kills.RUNS[name]
    kills.make_inputs(tool, vertices, edges)
    command = [tool, *words, "-o", out, "--checkpoint", "ck", "--checkpoint-seconds", "0.002", "--resume"]
    seconds = 0.001
    while not os.path.exists("ck"):
        status, _ = kills.run_until(command, seconds)
        kills.check(status != 0, "the run ended before it had saved its state")
        seconds *= 1.2
    return command, out


def flip(tool, name, most, draw):
    """Flip the bits of a checkpoint of the run of this name; returns what there is to say."""
    command, out = save_state(tool, name)
    whole = kills.content("ck")
    rows = kills.content("ck.rows") if os.path.exists("ck.rows") else None
    bits = range(8 * len(whole))
    bits = bits if most is None or most >= len(bits) else draw.sample(bits, most)
    for bit in bits:
        wrong = bytearray(whole)
        wrong[bit // 8] ^= 1 << bit % 8
        with open("ck", "wb") as file:
            file.write(wrong)
        call = subprocess.run(command, capture_output=True, timeout=120)
        with open("err", "wb") as file:
            file.write(call.stderr)
        kills.check(call.returncode == 3, f"bit {bit}: exit status {call.returncode}")
        kills.check(b"ck: " in call.stderr, f"bit {bit}: the message does not name the file")
        kills.check(kills.content("ck") == bytes(wrong) and not os.path.exists(out), f"bit {bit}: something was written")
        kills.check(rows is None or kills.content("ck.rows") == rows, f"bit {bit}: the rows were changed")
    with open("ck", "wb") as file:
        file.write(whole)
    kills.check(subprocess.run(command, capture_output=True, timeout=120).returncode == 0, "the file as it was is refused")
    return f"a checkpoint of {len(whole)} bytes: {len(bits)} bits were flipped, and each was noticed"


def main():
    names = [name for name in kills.RUNS if not name.startswith("convert")]
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("names", nargs="*", choices=[[], *names], metavar="NAME", help=", ".join(names))
    parser.add_argument("--most", type=int)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_intermixed_args()
    tool, wrong = os.path.abspath(chosen.tool), 0
    os.environ["MOTIFSIEVE_CUDA"] = "0"
    for name in chosen.names or names:
        with tempfile.TemporaryDirectory(prefix="motifsieve-flips-") as folder:
            os.chdir(folder)
            begin = time.monotonic()
            try:
                text = flip(tool, name, chosen.most, random.Random(chosen.seed))
                print(f"{name}: {text}; {time.monotonic() - begin:.0f} s", flush=True)
            except kills.Wrong as error:
                wrong += 1
                print(f"{name}: FAILED: {error}", flush=True)
            os.chdir("/")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
