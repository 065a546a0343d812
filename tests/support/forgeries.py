#!/usr/bin/env python3
"""Forges a result in many ways, and asks the judge about each: forgeries.py MOTIFSIEVE RESULT INPUT...

RESULT is TSV or JSON lines, without sections.  Each forgery changes one thing that a reader would believe, and has a
right number of rows and a right checksum: a row is left out, written twice, or exchanged with the next one; a field of a row has
another value, which occurs in the same column elsewhere or is a number that differs by 1; or a number of the header or the end
differs by 1.  `verify RESULT INPUT...` has to accept the result, and to refuse each forgery with exit status 3.  Prints the forgeries
that it did not refuse, and how many there were.
"""
import json
import re
import subprocess
import sys

from result_file import crc32c

tool, result, inputs = sys.argv[1], sys.argv[2], sys.argv[3:]
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


def others(value, column):
    """Other values for a field: one of the same column, and for a number the next one."""
    found = [x for x in column if x != value][:1]
    if re.fullmatch(r"\d+", str(value)) and not isinstance(value, bool):
        found.append(type(value)(int(value) + 1))
    return [x for i, x in enumerate(found) if x not in found[:i]]


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
    for i, row in zip(data, table):
        for key, value in row.items():
            if isinstance(value, list):
                values = [row[key][::-1], row[key][:-1]] if value[::-1] != value else [row[key][:-1]] if value else []
            else:
                values = others(value, [x.get(key) for x in table])
            for other in values:
                changed = json.dumps(dict(row, **{key: other}), separators=(",", ":"))
                yield "%s for %s" % (changed, lines[i]), lines[:i] + [changed] + lines[i + 1:]


def forged_frame():
    """Numbers of the header and of the end.  Left alone are the inputs, the end line of TSV, and bounds, of which
    another one may also be true."""
    for i, line in enumerate(lines):
        if i in data or re.match(r"# (motifsieve|graph|colors|end|pairs|min_size|support|least_slots)\b", line):
            continue
        pattern = r'("(?:components|shown|slots|searched|found)":)(\d+)' if is_json else r"(: )(\d+)$"
        for match in re.finditer(pattern, line):
            changed = line[:match.start()] + match[1] + str(int(match[2]) + 1) + line[match.end():]
            yield changed, lines[:i] + [changed] + lines[i + 1:]


def verify(path):
    call = subprocess.run([tool, "verify", path, *inputs], capture_output=True, text=True, timeout=600)
    return call.returncode, call.stderr.strip()


write("forged", lines)
status, told = verify("forged")
print("the result itself: exit %d%s" % (status, told and ", " + told))
count = missed = 0
for forge in forged_rows, forged_fields, forged_frame:
    for what, changed in forge():
        count += 1
        write("forged", changed)
        status, told = verify("forged")
        if status == 3 and "refused: " in told and "damaged" not in told:
            continue
        missed += 1
        if missed <= 10:
            print("not refused: %s: exit %d, %s" % (what, status, told))
print("enough forgeries" if count >= 10 else "only %d forgeries" % count)
