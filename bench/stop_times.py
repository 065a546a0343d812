#!/usr/bin/env python3
"""Measures how long a listing takes to end: stop_times.py MOTIFSIEVE FOLDER [SECONDS]

Lists the paths of four vertices in a random graph of 200,000 vertices and 2,000,000 edges, stops the
run after SECONDS (20) by --timeout or by SIGINT, and prints the time from then to the exit, for each
form and for outputs to /dev/null, to a file in FOLDER, and to a compressed file there.
"""
import os
import signal
import subprocess
import sys
import time


def default_signals():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def measure(tool, graph, form, output, way, seconds):
    command = [tool, "match", graph, "path:4", "-q", "-o", output] + form
    if way == "--timeout":
        command += ["--timeout", "%gs" % seconds]
    end = time.monotonic() + seconds
    run = subprocess.Popen(command, preexec_fn=default_signals)
    if way == "SIGINT":
        time.sleep(seconds)
        end = time.monotonic()
        run.send_signal(signal.SIGINT)
    code = run.wait()
    took = time.monotonic() - end
    size = os.path.getsize(output) if os.path.isfile(output) else 0
    if size:
        os.remove(output)
    assert code == 4, "exit status %d" % code
    return took, size


def main():
    tool, folder = sys.argv[1], sys.argv[2]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 20
    graph = os.path.join(folder, "stop_times.tsv")
    subprocess.check_call([tool, "gen", "er", "-n", "200000", "--edges", "2000000", "-o", graph])
    outputs = ["/dev/null", os.path.join(folder, "stop_times.out"), os.path.join(folder, "stop_times.out.gz")]
    print("form\toutput\tstopped by\tseconds to the exit\tMB")
    for form in ([], ["--json"], ["--binary"], ["--long"]):
        for output in outputs:
            for way in ("--timeout", "SIGINT"):
                took, size = measure(tool, graph, form, output, way, seconds)
                name = "/dev/null" if output == "/dev/null" else "gzip file" if output.endswith(".gz") else "file"
                print("%s\t%s\t%s\t%.2f\t%d" % (" ".join(form) or "TSV", name, way, took, size >> 20), flush=True)
    os.remove(graph)


main()
