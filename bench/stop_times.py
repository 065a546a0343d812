#!/usr/bin/env python3
"""Measures how long each phase of each command takes to end: stop_times.py MOTIFSIEVE FOLDER [OPTION]...

Each command below works for seconds on a graph that this script makes in FOLDER.  It runs once to
its end, or to --longest seconds; then it is stopped at --stops points of time, spread evenly over
that time, by --timeout, and, if it is a search, by SIGINT, too.  A line has the largest time from
the stop to the exit, and the largest processor time of all threads in it, which does not depend on
other work of the machine; for each phase that the message of the command names.  The phase is "-"
where a result was written.  A stop that comes after the end of the command does not count.

  --stops N      points of time for each command (12)
  --longest S    seconds of the longest run without a stop (8)
  --scale F      factor of the sizes of the graphs (1)
  --only TEXT    only commands whose subject has this text
"""
import argparse
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

SEARCHES = {"screen", "list", "match", "path", "verify"}


def default_signals():
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def commands(folder, scale):
    """The files to make, and then the rows: subject, arguments.  {f} is the folder; a name ending in
    .fifo is a named pipe that receives the file without this ending."""
    n = int(1000000 * scale)
    m = 5 * n
    files = {
        "er.msb": "gen er -n %d --edges %d -o {f}/er.msb" % (n, m),
        "er.tsv": "convert {f}/er.msb --to edge-list -o {f}/er.tsv",
        "er.tsv.gz": "convert {f}/er.msb --to edge-list -o {f}/er.tsv.gz",
        "er.graphml": "convert {f}/er.msb -o {f}/er.graphml",
        "large.msb": "gen er -n %d --edges %d -o {f}/large.msb" % (2 * n, 10 * m),
        "colored.tsv": "gen er -n %d --edges %d --uniform-colors 12 --colors-out {f}/colors.tsv"
                       " -o {f}/colored.tsv" % (n, 2 * n),
        "colored.msb": "convert {f}/colored.tsv -c {f}/colors.tsv -o {f}/colored.msb",
        "typed.tsv": "gen er -n %d --edges %d --uniform-colors 4 --edge-types 4 --directed-types 2"
                     " -o {f}/typed.tsv" % (n, 3 * n),
        "chain.msb": "gen grid --rows 1 --cols %d --removed 0 --uniform-colors 2 -o {f}/chain.msb" % (2 * n),
        "rows.tsv": "match {f}/er.msb path:3 --limit %d -q -o {f}/rows.tsv" % (4 * n),
        "rows.bin": "match {f}/er.msb path:3 --limit %d --binary -q -o {f}/rows.bin" % (20 * n),
        "sets.tsv": "list {f}/chain.msb -m c0:6,c1:6 --exact -q -o {f}/sets.tsv",
        "flags.tsv": "screen {f}/colored.msb -m c0,c1,c2,c3 -q -o {f}/flags.tsv",
        "counted.tsv": "match {f}/er.msb triangle -q -o {f}/counted.tsv",
    }
    rows = [
        ("read text", "components {f}/er.tsv --count"),
        ("read gzip", "components {f}/er.tsv.gz --count"),
        ("read a named pipe", "components {f}/er.tsv.fifo --count"),
        ("read GraphML", "components {f}/er.graphml --count"),
        ("read binary", "components {f}/large.msb --count"),
        ("read colours", "stats {f}/colored.tsv -c {f}/colors.tsv"),
        ("read a typed table", "filter {f}/typed.tsv (:c0)-[t0]->(:c1) -o /dev/null"),
        ("components", "components {f}/large.msb -o {f}/out"),
        ("stats", "stats {f}/large.msb"),
        ("stats of a motif", "stats {f}/colored.msb -m c0,c1,c2,c3"),
        ("convert to text", "convert {f}/er.msb --to edge-list -o {f}/out"),
        ("convert to gzip", "convert {f}/er.msb --to edge-list -o {f}/out.gz"),
        ("convert to GraphML", "convert {f}/er.msb --to graphml -o {f}/out"),
        ("convert to METIS", "convert {f}/er.msb --to metis --map {f}/map -o {f}/out"),
        ("convert to binary", "convert {f}/large.msb --to binary -o {f}/out"),
        ("gen er, edges", "gen er -n %d --edges %d --to binary -o {f}/out" % (2 * n, 4 * m)),
        ("gen er, probability", "gen er -n %d --probability %g --to binary -o {f}/out" % (2 * n, 1e-5 / scale)),
        ("gen er, dense", "gen er -n 10000 --edges 40000000 --to binary -o {f}/out"),
        ("gen regular", "gen regular -n %d -d 20 --to binary -o {f}/out" % n),
        ("gen regular, dense", "gen regular -n 10000 -d 9000 --to binary -o {f}/out"),
        ("gen power-law", "gen power-law -n %d --exponent -1 --edges %d --to binary -o {f}/out" % (n, 2 * m)),
        ("gen clique", "gen clique -n 12000 --to binary -o {f}/out"),
        ("gen rmat", "gen rmat --scale 20 --edges %d --to binary -o {f}/out" % (2 * m)),
        ("gen grid", "gen grid --rows 2000 --cols %d --to binary -o {f}/out" % (n // 500)),
        ("gen colours", "gen er -n %d --edges %d --planted 20 --plants 10000 --planted-out {f}/planted"
                        " --to binary -o {f}/out" % (4 * n, 8 * n)),
        ("gen types", "gen er -n %d --edges %d --uniform-colors 4 --edge-types 4 -o {f}/out" % (n, 2 * m)),
        ("filter", "filter {f}/typed.tsv (:c0)--(:c1)--(:c2) -o {f}/out"),
        ("plan", "plan {f}/large.msb house"),
        ("plan, typed", "plan {f}/typed.tsv (a:c0)--(b:c1)--(c:c2)--(a)"),
        ("path", "path {f}/typed.tsv 0 1 -o {f}/out"),
        ("prune", "list {f}/colored.msb -m c0:2,c1,c2,c3,c4,c5 --exact --count"),
        ("prune a chain", "list {f}/chain.msb -m c0:10,c1:10 --exact --count"),
        ("screen a motif", "screen {f}/colored.msb -m c0:2,c1,c2,c3,c4,c5 --no-prune -o {f}/out"),
        ("list and sort", "list {f}/colored.msb -m c0,c1,c2 --exact -o {f}/out"),
        ("list in order of the search", "list {f}/colored.msb -m c0,c1,c2,c3 --exact -o {f}/out"),
        ("count a motif", "list {f}/colored.msb -m c0:2,c1,c2,c3,c4 --exact --count"),
        ("index and list", "match {f}/large.msb triangle -o {f}/out"),
        ("list paths", "match {f}/er.msb path:4 -o {f}/out"),
        ("list paths, gzip", "match {f}/er.msb path:4 -o {f}/out.gz"),
        ("list paths, JSON", "match {f}/er.msb path:4 --json -o {f}/out"),
        ("list paths, binary", "match {f}/er.msb path:4 --binary -o {f}/out"),
        ("list paths, long", "match {f}/er.msb path:4 --long -o {f}/out"),
        ("draw DOT", "match {f}/er.msb path:3 --limit %d --dot -o {f}/out" % (4 * n)),
        ("draw CX2", "match {f}/er.msb path:3 --limit %d --cx2 -o {f}/out" % (4 * n)),
        ("draw a screen, DOT", "screen {f}/colored.msb -m c0,c1,c2 --dot -o {f}/out"),
        ("count a pattern", "match {f}/large.msb house --count"),
        ("induced paths", "match {f}/er.msb path:5 --induced --count"),
        ("screen a pattern", "screen {f}/er.msb cycle:5 -o {f}/out"),
        ("typed relations and rows", "match {f}/typed.tsv (a:c0)--(b:c1)--(c:c2)--(d:c3) -o {f}/out"),
        ("typed, induced", "match {f}/typed.tsv (a:c0)--(b:c1)--(c:c2)--(d:c3) --induced -o {f}/out"),
        ("typed count", "match {f}/typed.tsv (a:c0)--(b:c1)--(c:c2)--(d:c3) --count"),
        ("verify rows, text", "verify {f}/rows.tsv {f}/er.msb path:3"),
        ("verify rows, binary", "verify {f}/rows.bin {f}/er.msb path:3"),
        ("verify and recount", "verify {f}/counted.tsv {f}/er.msb triangle"),
        ("verify and recount a chain", "verify {f}/sets.tsv {f}/chain.msb --recount"),
        ("verify flags", "verify {f}/flags.tsv {f}/colored.msb"),
    ]
    return files, rows


def feed(pipe, content):
    """Writes a file to a named pipe, until nobody reads it any more."""
    try:
        with open(content, "rb") as source, open(pipe, "wb") as sink:
            while True:
                block = source.read(1 << 20)
                if not block:
                    return
                sink.write(block)
    except BrokenPipeError:
        pass


def processor_time(process):
    """Seconds of processor time that the process has used so far."""
    with open("/proc/%d/stat" % process.pid) as line:
        fields = line.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(words, way, seconds, folder):
    """Returns the exit status, the seconds from the stop to the exit (or of the whole run), the
    processor time of all threads in these, and the phase in which the message says that the command
    ended."""
    if way == "--timeout":
        words = words + ["--timeout", "%.3fs" % seconds]
    feeder = None
    for word in words:
        if word.endswith(".fifo"):
            if not os.path.exists(word):
                os.mkfifo(word)
            feeder = threading.Thread(target=feed, args=(word, word[:-5]), daemon=True)
            feeder.start()
    with tempfile.TemporaryFile() as messages:
        begin = time.monotonic()
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=messages, preexec_fn=default_signals)
        used = 0
        try:
            process.wait(max(0, begin + seconds - time.monotonic()))
        except subprocess.TimeoutExpired:
            used = processor_time(process)
            if way == "SIGINT":
                begin = time.monotonic() - seconds
                process.send_signal(signal.SIGINT)
        else:
            seconds = 0  # it ended before the stop
        if process.returncode is None:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            used = max(0, usage.ru_utime + usage.ru_stime - used)
        took = time.monotonic() - begin
        messages.seek(0)
        message = messages.read().decode(errors="replace")
    if feeder:
        feeder.join(1)
    phase = re.search(r"(?:out of time|interrupted|time ran out) while ([^;\n]*)", message)
    for name in ("out", "out.gz", "map", "planted"):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            os.remove(path)
    return process.returncode, took - seconds, used, phase.group(1) if phase else "-"


def processor():
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool")
    parser.add_argument("folder")
    parser.add_argument("--stops", type=int, default=12)
    parser.add_argument("--longest", type=float, default=8)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    folder = options.folder
    files, rows = commands(folder, options.scale)
    commit = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True).stdout.strip()
    arguments = [word for word in sys.argv[1:] if word not in (options.tool, folder)]
    print("# %s, %s, %d processors, commit %s" % (time.strftime("%Y-%m-%d"), processor(), os.cpu_count(), commit))
    print("# bench/stop_times.py MOTIFSIEVE FOLDER %s" % " ".join(arguments), flush=True)
    for name, words in files.items():
        if not os.path.exists(os.path.join(folder, name)):
            done = subprocess.run([options.tool] + words.format(f=folder).split(), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True)
            if done.returncode not in (0, 4):
                sys.exit("%s: %s" % (words, done.stderr))
    print("subject\tcommand\tseconds\tstopped by\tphase\tstops\tlargest time to the exit\tlargest processor time to the exit")
    for subject, line in rows:
        if options.only not in subject:
            continue
        words = [options.tool] + line.format(f=folder).split()
        begin = time.monotonic()
        code = run(words, "--timeout", options.longest, folder)[0]
        whole = min(options.longest, time.monotonic() - begin)
        if code not in (0, 4, 6):
            sys.exit("%s: exit status %d" % (line, code))
        for way in ("--timeout", "SIGINT") if words[1] in SEARCHES else ("--timeout",):
            largest = {}
            for i in range(options.stops):
                code, took, used, phase = run(words, way, whole * (i + 0.5) / options.stops, folder)
                if code == 0:
                    phase = "to its end"
                elif code not in (4, 6):
                    phase = "exit status %d" % code
                worst, most, count = largest.get(phase, (0.0, 0.0, 0))
                largest[phase] = (max(worst, took), max(most, used), count + 1)
            for phase, (worst, most, count) in largest.items():
                if phase != "to its end":
                    print("%s\t%s\t%.1f\t%s\t%s\t%d\t%.2f\t%.2f" % (subject, line.replace("{f}/", ""), whole, way,
                                                                  phase, count, worst, most), flush=True)


main()
