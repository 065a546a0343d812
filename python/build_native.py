"""Makes the C source of ``motifsieve._native`` from the public headers.

The declarations that cffi needs are those of ``include/motifsieve.h`` after the C preprocessor, so
that they never differ from what is compiled.  The module uses Python's stable ABI: one file serves
Python 3.9 and later.

    python build_native.py native.c      write the C source (`make python` compiles it)
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(HERE), "include")

STRUCTS = """
typedef struct py_call { bool watches, attaches, begun; uint64_t memory; ...; } py_call;
typedef struct py_vertex_rows {
  uint32_t *vertex, *color; uint64_t *sets, *offset, *n_sets; uint64_t vertices, rows; ...;
} py_vertex_rows;
"""
CALLBACKS = """
extern "Python" void py_progress(void *, const char *, uint64_t, uint64_t);

extern "Python" void py_warn(void *, const char *);

extern "Python" bool py_mined(void *, const ms_motif *, uint32_t, const uint32_t *);

extern "Python" bool py_screened(void *, uint32_t, const ms_query *, const ms_screen_result *, double);

extern "Python" bool py_listed(void *, uint32_t, const ms_query *, const ms_list_result *, double);

"""

def preprocess(compiler):
    """Return the text of the public headers after the preprocessor, and their macros."""
    command = compiler + ["-E", "-dD", "-I" + INCLUDE, os.path.join(INCLUDE, "motifsieve.h")]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    code, macros, ours = [], {}, False
    for line in output.splitlines():
        marker = re.match(r'# \d+ "(.*)"', line)
        if marker:
            ours = os.path.abspath(marker.group(1)).startswith(INCLUDE + os.sep)
            continue
        if not ours:
            continue
        macro = re.match(r"#define (MS_\w+) (.+)", line)
        if macro:
            macros[macro.group(1)] = macro.group(2)
        elif not line.startswith("#"):
            code.append(line)
    return "\n".join(code), macros

def declarations(compiler):
    """Return the text for ``ffi.cdef`` and the C code that it needs beside the header."""
    code, macros = preprocess(compiler)
    code = re.sub(r"__attribute__\s*\(\(.*?\)\)\)*", "", code)
    # cffi cannot print a pointer to an array of constants.  Parameters lose the word, and the one
    # struct with such a member is not declared.
    code = re.sub(r"typedef struct ms_typed_source \{.*?\} ms_typed_source;", "", code, flags=re.DOTALL)
    code = re.sub(r"[^;]*\bms_typed_source\b[^;]*;", "", code)
    code = re.sub(r"\bconst (\w+) \(\*(\w+)\)\[", r"\1 (*\2)[", code)
    lines, extra = [], []
    for name, value in macros.items():
        if re.fullmatch(r"(UINT64_C\()?[0-9]+[uUlL]*\)?|UINT32_MAX", value):
            lines.append(f"#define {name} ...")
        elif re.fullmatch(r"[0-9]+\.[0-9]+|[0-9.]+e-?[0-9]+", value):
            lines.append(f"static const double {name};")
        elif name.endswith("_DEFAULT"):
            # a macro such as MS_LIST_OPTIONS_DEFAULT becomes a function that fills a struct
            struct = name[: -len("_DEFAULT")].lower()
            extra.append(
                f"static void py_init_{struct[3:]}({struct} *o)\n"
                f"{{\n  *o = ({struct})MS_{struct[3:].upper()}_DEFAULT;\n}}\n"
            )
            lines.append(f"static void py_init_{struct[3:]}({struct} *);")
    for header in sorted(name for name in os.listdir(HERE) if name.endswith(".h")):
        with open(os.path.join(HERE, header), encoding="utf-8") as file:
            own = re.findall(r"^PY ([^{]+?)\s*\{", file.read(), re.MULTILINE)
        lines += ["static " + " ".join(text.split()) + ";" for text in own]
    lines = [re.sub(r"\bconst (\w+) \(\*(\w+)\)\[", r"\1 (*\2)[", line) for line in lines]
    return code + STRUCTS + "\n".join(lines) + CALLBACKS, '#include "native.h"\n' + "\n".join(extra)

def make_ffi(compiler):
    """Return the ``cffi.FFI`` whose C source is that of the module."""
    import cffi

    ffi = cffi.FFI()
    cdef, source = declarations(compiler)
    ffi.cdef(cdef)
    ffi.set_source("motifsieve._native", source)
    return ffi

if __name__ == "__main__":
    make_ffi(os.environ.get("CC", "cc").split()).emit_c_code(sys.argv[1])
