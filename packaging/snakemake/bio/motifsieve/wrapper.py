"""Snakemake wrapper for motifsieve."""

__author__ = "The motifsieve developers"
__copyright__ = "Copyright 2026, The motifsieve developers"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

COMMANDS = {
    # the parameter or the input that a command needs, and those that it may have
    "screen": ("motif", "pattern", "motif_file", "motifs"),
    "list": ("motif", "motif_file", "motifs"),
    "match": ("pattern",),
    "census": ("size",),
    "mine": ("size",),
}
FORMATS = {
    ".tsv": "",
    ".json": "--json",
    ".jsonl": "--json",
    ".cx2": "--cx2",
    ".dot": "--dot",
    ".svg": "--svg",
}

log = snakemake.log_fmt_shell(stdout=True, stderr=True)
extra = snakemake.params.get("extra", "")
command = snakemake.params.get("command", "")
if command not in COMMANDS:
    raise ValueError(f"params.command is '{command}': use one of {', '.join(COMMANDS)}")

asked = {}
for name in ("motif", "pattern", "size", "motif_file", "motifs"):
    value = snakemake.input.get(name) or snakemake.params.get(name)
    if value is None:
        continue
    if name not in COMMANDS[command]:
        raise ValueError(f"'{name}' does not go with the command {command}")
    asked[name] = value
if len(asked) != 1:
    raise ValueError(f"{command} needs one of: {', '.join(COMMANDS[command])}; there are {len(asked)}")

words = [command, quote(snakemake.input.get("graph", snakemake.input[0]))]
for name, value in asked.items():
    if name == "pattern":
        words.append(quote(str(value)))
    else:
        words += ["--" + name.replace("_", "-"), quote(str(value))]
for name in ("colors", "alias"):
    if snakemake.input.get(name):
        words += ["--" + name, quote(snakemake.input[name])]

# The result's format follows from its name: matches.cx2, table.tsv.gz
name = snakemake.output[0]
for packed in (".gz", ".zst"):
    if name.endswith(packed):
        name = name[: -len(packed)]
ending = next((e for e in FORMATS if name.endswith(e)), None)
if ending is None:
    raise ValueError(
        f"{snakemake.output[0]}: the name must end in {', '.join(FORMATS)}, perhaps with .gz or .zst after it"
    )
words += [FORMATS[ending], "--output", quote(snakemake.output[0])]
words += ["--threads", str(snakemake.threads)]
if snakemake.resources.get("mem_mb"):
    # motifsieve bounds its search by this; the graph comes on top of it.
    words += ["--memory", f"{max(1, int(snakemake.resources.mem_mb) * 3 // 4)}M"]
line = " ".join(word for word in words if word)

shell("motifsieve {line} {extra} {log}")
