#!/usr/bin/env python3
"""Forges a result in many ways, and asks the judge about each: forgeries.py MOTIFSIEVE [--but REGEX] RESULT INPUT...

RESULT is TSV or JSON lines, without sections.  Each forgery changes one thing that a reader would believe, and has a
right number of rows and a right checksum: a row is left out, written twice, or exchanged with the next one; a field of a row has
another value, which occurs in the same column elsewhere, or is a number that is one more or less, doubled, 0 or missing; or a
number of the header or the end is forged in the same way, or its line is missing.  `verify RESULT INPUT...` has to accept the
result, and to refuse each forgery with exit status 3, or 2 where an input is missing.  REGEX names forgeries that are left out,
because they may be true or because nobody can know.  MOTIFSIEVE_TEST_SCALE is the share of the forgeries that are tried.  Prints the forgeries that it did not refuse, and whether there were enough.
"""
import json
import os
import re
import subprocess
import sys

from result_file import crc32c

tool, arguments = sys.argv[1], sys.argv[2:]
but, arguments = (arguments[1], arguments[2:]) if arguments[0] == "--but" else ("(?!)", arguments)
result, inputs = arguments[0], arguments[1:]
is_json = open(result).read(1) == "{"
lines = open(result).read().split("\n")[:-1]
data = [i for i, line in enumerate(lines) if not line.startswith(("#", '{"type":"header"', '{"type":"end"'))][not is_json:]


def write(path, changed):
    """Writes the lines, with the right end."""
    if is_json:
        rows = sum('{"type":"header"' not in line for line in changed) - 1
        last = re.sub(r'"rows":\d+,"crc32c":".*"}', '"rows":%d,"crc32c":"' % rows, changed[-1])
        body = "".join(line + "\n" for line in changed[:-1])
        text = body + last + '%08x"}\n' % crc32c(body.encode())
    else:
        rows = sum(not line.startswith("#") for line in changed) - 1
        body = "".join(line + "\n" for line in changed[:-1])
        text = body + "# end: rows=%d crc32c=%08x\n" % (rows, crc32c(body.encode()))
    open(path, "w").write(text)


def is_number(text):
    return re.fullmatch(r"-?\d+(\.\d+)?(e[-+]?\d+)?", text) is not None


def differ(a, b):
    """True unless both are numbers that are nearly equal."""
    if not is_number(a) or not is_number(b):
        return a != b
    return abs(float(a) - float(b)) > 5e-4 * max(abs(float(a)), abs(float(b)))


def others(value, column):
    """Other values for a field, as texts: one of the same column, and for a number some near and some wild ones."""
    found = [x for x in column if differ(x, value)][:1]
    if re.fullmatch(r"-?\d+", value):
        found += [str(int(value) + 1), str(int(value) - 1), str(2 * int(value)), "0", "NA"]
    elif is_number(value):
        found += ["%.6g" % (float(value) * factor) for factor in (1.001, -1, 2)] + ["0", "NA"]
    elif value == "NA":
        found += ["0", "1"]
    return [x for x in dict.fromkeys(found) if differ(x, value)]


def json_others(value, column):
    """The same for a value of JSON."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, list):
        return [x for x in (value[::-1], value[:-1], value + value[:1]) if x != value]
    if value is None:
        return [0, 1]
    if isinstance(value, str) and not value.isdigit():
        return [x for x in column if isinstance(x, str) and x != value][:1]
    texts = others(str(value), [str(x) for x in column if x is not None])
    return [None if x == "NA" else str(x) if isinstance(value, str) else json.loads(x) for x in texts]


def forged_rows():
    for at, i in enumerate(data):
        yield "row %d is missing" % (at + 1), lines[:i] + lines[i + 1:]
        yield "row %d is there twice" % (at + 1), lines[:i + 1] + lines[i:]
        if at + 1 < len(data) and lines[i] != lines[i + 1]:
            yield "row %d comes late" % (at + 1), lines[:i] + [lines[i + 1], lines[i]] + lines[i + 2:]


def forged_fields():
    if not is_json:
        table = [lines[i].split("\t") for i in data]
        for i, row in zip(data, table):
            for column, value in enumerate(row):
                for other in others(value, [x[column] for x in table]):
                    changed = "\t".join(row[:column] + [other] + row[column + 1:])
                    yield "%r for %r" % (changed, lines[i]), lines[:i] + [changed] + lines[i + 1:]
        return
    table = [json.loads(lines[i]) for i in data]
    for i, row in list(zip(data, table))[:3]:  # the meaning of rows is checked by the same code as in TSV
        for key, value in row.items():
            for other in json_others(value, [x.get(key) for x in table]):
                changed = json.dumps(dict(row, **{key: other}), separators=(",", ":"))
                yield "%s for %s" % (changed, lines[i]), lines[:i] + [changed] + lines[i + 1:]


def forged_frame():
    """Numbers of the header and of the end, and lines of the header.  Left alone are the inputs, and the end line of TSV."""
    if is_json:
        head = json.loads(lines[0])
        for key, value in head.items():
            if key in ("type", "tool", "version", "schema", "graph", "colors", "pattern") or isinstance(value, dict):
                continue
            for other in json_others(value, []):
                yield "%s: %r for %r" % (key, other, value), [json.dumps(dict(head, **{key: other}), separators=(",", ":"))] + lines[1:]
        return
    for i, line in enumerate(lines):
        if i in data or not line.startswith("# ") or re.match(r"# (motifsieve|graph|colors|end)\b", line):
            continue
        yield "%s is missing" % line, lines[:i] + lines[i + 1:]
        for match in re.finditer(r"(?<=[ ,])-?\d+(\.\d+)?(e[-+]?\d+)?(?![^ ,])", line):
            for other in others(match[0], []):
                changed = line[:match.start()] + other + line[match.end():]
                yield changed, lines[:i] + [changed] + lines[i + 1:]


def verify(path):
    call = subprocess.run([tool, "verify", path, *inputs], capture_output=True, text=True, timeout=600)
    return call.returncode, call.stderr.strip()


write("forged", lines)
status, told = verify("forged")
print("the result itself: exit %d%s" % (status, told and ", " + told))
share = min(1.0, float(os.environ.get("MOTIFSIEVE_TEST_SCALE", "1")))
count = missed = 0
for forge in forged_rows, forged_fields, forged_frame:
    for what, changed in forge():
        if re.search(but, what):
            continue
        count += 1
        if int(count * share) == int((count - 1) * share):
            continue
        write("forged", changed)
        status, told = verify("forged")
        if (status == 3 and "refused: " in told and "damaged" not in told) or status == 2:
            continue
        missed += 1
        if missed <= 10:
            print("not refused: %s: exit %d, %s" % (what, status, told))
print("enough forgeries" if count >= 10 else "only %d forgeries" % count)
