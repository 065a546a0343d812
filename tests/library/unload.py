"""Loads the shared library with ctypes, lets several threads of it work, closes it, waits, and
works on.  Usage: python3 unload.py LIBRARY"""
import _ctypes
import ctypes
import sys
import time

VERTICES = 200000


def count_components(library):
    edges = (ctypes.c_uint32 * (2 * (VERTICES - 1)))()
    for v in range(VERTICES - 1):
        edges[2 * v] = v
        edges[2 * v + 1] = v + 1
    graph = ctypes.c_void_p()
    component = (ctypes.c_uint32 * VERTICES)()
    count = ctypes.c_uint32()
    status = library.ms_graph_from_edges(
        ctypes.c_uint32(VERTICES), ctypes.c_uint64(VERTICES - 1), edges, None, ctypes.byref(graph), None)
    if status == 0:
        status = library.ms_graph_components(graph, 0, 4, component, ctypes.byref(count), None)
    library.ms_graph_free.restype = None
    library.ms_graph_free(graph)
    if status != 0:
        sys.exit(f"unload.py: status {status}")
    return count.value


for _ in range(2):
    library = ctypes.CDLL(sys.argv[1])
    print(count_components(library), "component")
    _ctypes.dlclose(library._handle)
    time.sleep(0.2)
print("alive")
