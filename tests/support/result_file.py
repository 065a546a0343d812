#!/usr/bin/env python3
"""Reads and mends result files for the tests: result_file.py mend RESULT | checksum RESULT | decode RESULT GRAPH

mend writes the last line of a TSV result anew, or that of each section, with the right number of rows and
checksum, so that a judge has to find a change in the contents.  checksum fails unless the last line of a JSON result has
the right checksum.  decode prints a binary result of a pattern search in an edge list as the TSV result
that it is equal to, after it has checked each part and the checksum.
"""
import struct
import sys


TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def end_line(data, rows):
    """The last line of a TSV result, or of a section of it, of which data is all before."""
    return b"# end: rows=%d crc32c=%08x\n" % (rows, crc32c(data))


def mend(path):
    data, rows = b"", -1  # the first line without a # names the columns
    for line in open(path, "rb").read().splitlines(True):
        if line.startswith(b"# end:"):
            data, rows = data + end_line(data, rows), 0
        elif line.startswith(b'{"type":"end"'):
            data += line[:-len(b'00000000"}\n')] + b'%08x"}\n' % crc32c(data)
        else:
            data, rows = data + line, rows + (line[:1] != b"#")
    open(path, "wb").write(data)


def checksum(path):
    data = open(path, "rb").read()
    last = data.rstrip(b"\n").rindex(b"\n") + 1
    assert data[last:].endswith(b'"crc32c":"%08x"}\n' % crc32c(data[:last])), data[last:]


def decode(path, graph):
    """The names of vertices are numbered in the order in which the graph file has them."""
    names = {}
    for line in open(graph, "rb"):
        for name in line.rstrip(b"\n").split(b"\t"):
            names.setdefault(name.strip(), len(names))
    names = list(names)
    data = open(path, "rb").read()
    assert data[:8] == b"MSMATCH1"
    length = struct.unpack_from("<I", data, 8)[0]
    text = data[12 : 12 + length]
    begin = (12 + length + 3) // 4 * 4
    assert not any(data[12 + length : begin])
    assert data[-24:-16] == b"MSEND001"
    rows, status, crc = struct.unpack_from("<QII", data, len(data) - 16)
    assert crc == crc32c(data[:-4])
    vertices = len(text.splitlines()[-1].split(b"\t")) - 1
    assert len(data) == begin + 4 * vertices * rows + 24
    for row in range(rows):
        ids = struct.unpack_from("<%dI" % vertices, data, begin + 4 * vertices * row)
        text += b"\t".join([b"%d" % (row + 1)] + [names[i] for i in ids]) + b"\n"
    text += b"# status: %s\n# matches: %d\n" % ([b"complete", b"incomplete: limit"][status], rows)
    sys.stdout.buffer.write(text + end_line(text, rows))


if __name__ == "__main__":
    {"mend": mend, "checksum": checksum, "decode": decode}[sys.argv[1]](*sys.argv[2:])
