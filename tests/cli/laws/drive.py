#!/usr/bin/env python3
"""Disturbs runs, for the laws: drive.py kill | replace | stop | flip TOOL JOBS

JOBS has a job in each line, with tabs between its words; words that follow a -- are a command of the tool.

kill OUT -- COMMAND             A run with a checkpoint that it saves every 2 ms ends at random points of its processor time, by SIGKILL
                                or SIGINT, and goes on, until it has ended: then OUT has to have, byte by byte, what an undisturbed
                                run writes, and nothing else may be left.
replace OUT -- COMMAND          A run without a checkpoint is killed at random points: OUT is the old file or the whole new one.
stop OUT [incomplete] -- COMMAND [-- READ]
                                A run is stopped at a random point, by SIGINT or --timeout: it ends with exit status 4, and OUT is an
                                incomplete result, in which READ finds nothing wrong, or which merge refuses, or is not there.
flip N CODES [FROM>TO]... -- COMMAND
                                Each FROM is copied to TO, and a random bit of the first one is wrong, or its end is missing, or a
                                byte follows its end: COMMAND ends with one of the exit statuses CODES and a message that names TO,
                                changes nothing, and writes no x.out.  N times; half of them within 300 bytes of an end.  As they
                                were, it accepts the files.  Bytes that follow the rows of a checkpoint are not looked at.

MOTIFSIEVE_TEST_SCALE changes the numbers; MOTIFSIEVE_TEST_KILLS and MOTIFSIEVE_TEST_SEED set the kills and the seed, and with
MOTIFSIEVE_TEST_LONG all bits are flipped, and files are cut at all bytes.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell ignores it for what runs in the background, and so would the tool
SCALE = float(os.environ.get("MOTIFSIEVE_TEST_SCALE", "1"))
KILLS = int(os.environ.get("MOTIFSIEVE_TEST_KILLS", max(2, round(6 * SCALE))))
draw = random.Random(os.environ.get("MOTIFSIEVE_TEST_SEED", "1"))
mode, tool, jobs = sys.argv[1:]


class Wrong(Exception):
    """The tool did what it must not do."""


def content(path):
    with open(path, "rb") as file:
        return file.read()


def check(right, what):
    if not right:
        raise Wrong(f"{what}; it printed: {content('said').decode(errors='replace')[:500]}")


def remove(*paths):
    for path in paths:
        if os.path.exists(path):
            os.remove(path)


def run(words, seconds=float("inf"), sent=signal.SIGKILL):
    """Run the tool, and send the signal once it has used so much processor time.

    Returns its exit status and the seconds that it used, which do not depend on how busy the machine is.
    """
    with open("said", "wb") as said:
        process = subprocess.Popen([tool, *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said)
    clock, done = (~process.pid << 3) | 2, seconds == float("inf")
    while True:
        pid, status, usage = os.wait4(process.pid, 0 if done else os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_utime + usage.ru_stime
        left = seconds - time.clock_gettime(clock)
        if left <= 0:
            os.kill(process.pid, sent)  # Popen.send_signal would first wait for it
            done = True
        else:  # two threads do not use more in this time
            time.sleep(min(max(left / 2, 0.0003), 0.01))


def undisturbed(out, words):
    status, span = run(words)
    check(status == 0, f"exit status {status}")
    whole = content(out)
    remove(out)
    return whole, span


def kill(job, words):
    out = job[0]
    remove("ck", "ck.rows")
    before = set(os.listdir()) | {"said"}
    whole, span = undisturbed(out, words)
    words = [*words, "--checkpoint", "ck", "--checkpoint-seconds", "0.002", "--resume", "-v"]
    ends = had = tries = 0
    while ends < KILLS or had == 0:
        tries += 1
        check(tries < 200 * KILLS, f"{ends} runs were ended, and {had} went on from a state")
        ending = tries % 3 == 0 and ends >= KILLS // 2
        point = draw.random() ** 0.5 * span  # rather late, when there is a state
        status, _ = run(words, float("inf") if ending else point, signal.SIGKILL if tries % 2 else signal.SIGINT)
        if status in (-signal.SIGKILL, -signal.SIGINT, 4):
            ends += 1
            right = status == 4 or not os.path.exists(out) or content(out) == whole
            check(right, f"after a kill, a piece of {out} is there")
        else:
            check(status == 0, f"exit status {status}")
            had += finish(out, whole, before)
        remove(out)
    check(run(words)[0] == 0, "the last run fails")
    finish(out, whole, before)
    return ends


def replace(job, words):
    out, ends = job[0], 0
    before = set(os.listdir()) | {"said"}
    whole, span = undisturbed(out, words)
    for _ in range(100 * KILLS):
        with open(out, "wb") as file:
            file.write(b"old")
        status, _ = run(words, draw.random() * span)
        if status == -signal.SIGKILL:
            ends += 1
            check(content(out) in (b"old", whole), f"after a kill, {out} is neither the old nor the whole new one")
        else:
            check(status == 0 and content(out) == whole, f"exit status {status}, or another {out}")
        if ends == KILLS:
            break
    check(ends == KILLS, f"{ends} runs were killed")
    check(run(words)[0] == 0, "the last run fails")
    finish(out, whole, before)
    return ends


def finish(out, whole, before):
    """Check what a run that has ended leaves; returns whether it went on from a state that had something."""
    check(content(out) == whole, f"{out} differs from that of the undisturbed run")
    remove(out)
    left = set(os.listdir()) - before
    check(not left, f"left over: {', '.join(sorted(left))}")
    return re.search(rb"checkpoint had [1-9]", content("said")) is not None


def stop(job, words, read=None):
    out, wanted = job[0], bool(job[1:])
    whole, span = undisturbed(out, words)
    begin = time.monotonic()
    run(words)
    clock = time.monotonic() - begin
    for reason in "interrupted", "time":
        for _ in range(300 if wanted else 10):
            remove(out)
            if reason == "time":
                status, _ = run([*words, "--timeout", f"{draw.random() * clock * 1000 + 1:.2f}ms"])
            else:
                status, _ = run(words, draw.random() * span, signal.SIGINT)
            there = os.path.exists(out)
            if status == 4 and there:
                break
            check(status in (0, 4, -signal.SIGINT), f"a stop: exit status {status}")
            check(content(out) == whole if there else status != 0, "a run that was not stopped has another result")
        check(wanted == (status == 4 and there), "no run was stopped at the right time, or it left a result that is not whole")
        if wanted and "--binary" not in words:
            said = f"incomplete: {reason}".encode() in content(out) or b"permutations_asked" in content(out)
            check(said, f"the result does not say that it is incomplete: {reason}")
        if read:
            status, _ = run(read)
            right = status == 3 and b" is incomplete, because" in content("said") if read[0] == "merge" else status in (0, 4, 6)
            check(right, f"the incomplete result: exit status {status} of {' '.join(read)}")
    remove(out)
    return 2


def flip(job, words):
    count, codes = max(1, round(int(job[0]) * SCALE)), [int(code) for code in job[1]]
    pairs = [pair.split(">") for pair in job[2:]]
    (wrong, path), bits = pairs[0], 8 * os.path.getsize(pairs[0][0])
    whole = content(wrong)

    def call(data):
        for one, other in pairs:
            shutil.copy(one, other)
        with open(path, "wb") as file:
            file.write(data)
        return run(words)[0]

    edge = min(2400, bits)
    chosen = [draw.choice([draw.randrange(bits), draw.randrange(edge), bits - 1 - draw.randrange(edge)]) for _ in range(count)]
    chosen = [(bit, draw.choice(["wrong", "wrong", "wrong", "cut", "more"])) for bit in chosen]
    if os.environ.get("MOTIFSIEVE_TEST_LONG"):
        chosen = [(bit, "wrong") for bit in range(bits)] + [(bit, "cut") for bit in range(0, bits, 8)]
    for bit, how in chosen:
        place, changed = bit // 8, bytearray(whole)
        what = f"{wrong}: {how}, bit {bit}"
        if how == "cut":
            changed = whole[:place]
        elif how == "more" and not path.endswith(".rows"):
            changed = whole + whole[place:place + 1]
        else:
            changed[place] ^= 1 << bit % 8
        status = call(changed)
        check(status in codes, f"{what}: exit status {status}")
        check(path.encode() in content("said"), f"{what}: the message does not name {path}")
        check(content(path) == changed and not os.path.exists("x.out"), f"{what}: something was written")
    check(call(whole) == 0, f"{wrong} as it was is refused")
    remove("x.out", *(other for _, other in pairs))
    return len(chosen)


def main():
    failed = total = 0
    os.environ["MOTIFSIEVE_CUDA"] = os.environ.get("MOTIFSIEVE_CUDA", "0")
    with open(jobs, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        parts = [part.strip("\t").split("\t") for part in re.split(r"(?:^|\t)--(?=\t)", line)]
        try:
            total += {"kill": kill, "replace": replace, "stop": stop, "flip": flip}[mode](*parts)
        except Wrong as error:
            failed += 1
            print(f"{line}: {error}", file=sys.stderr)
            remove("x.out")  # the next job must not find it
    print(f"{len(lines)} jobs, {total} {mode}s, {failed} failed")
    return failed > 0 or total == 0


if __name__ == "__main__":
    sys.exit(main())
