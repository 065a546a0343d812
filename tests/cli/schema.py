#!/usr/bin/env python3
"""Validates JSON lines against a schema, and damaged ones: schema.py [--valid] SCHEMA FILE...
Without files, checks the schema itself; with --valid, no damaged lines.

Each line must follow the schema.  A line with one key more, with a value of another type, or
without a key that is not optional must not; of lines with the same keys, types of values and values
that the schema names, one is damaged.  Prints which types of lines there were.
"""
import json
import sys

from jsonschema import Draft202012Validator as Validator

OPTIONAL = {"required", "pairs", "max_length", "combine", "searched", "min_size", "rows", "name_column", "color_column", "colors", "pattern_colors", "score",
            "labels", "label", "roles", "position", "shown_colors", "name", "seconds", "diverse", "measures", "sort", "top",
            "min_density", "min_mean_score", "profile", "nearest_only", "substitutes", "max_cost", "cost",
            "family_share", "family_matches", "family_size", "vertex_scores", "vertex_score", "best_sum",
            "all_sums", "sums", "unit_rows",
             "colors_only", "primary_color", "min_count",
            "sheet", "metadata", "sample_column", "group_column", "block_column", "vertex_column", "blocks",
            "graph_crc32c", "color_crc32c", "reference", "rest", "paranoid", "permutations_repeated"}
OF_STATISTICS = {"engine", "backend", "screen_reason"}

only_valid = sys.argv[1] == "--valid"
if only_valid:
    del sys.argv[1]
schema = json.load(open(sys.argv[1]))
if len(sys.argv) == 2:
    Validator.check_schema(schema)
validator = Validator(schema)
lines = [json.loads(line) for path in sys.argv[2:] for line in open(path)]
of_type = {}  # a line can only follow the alternatives that name its type
for part in schema["anyOf"]:
    definition = schema["$defs"][part["$ref"].split("/")[-1]]
    of_type.setdefault(definition["properties"]["type"]["const"], []).append(part)
of_type = {name: Validator({**schema, "anyOf": parts}) for name, parts in of_type.items()}
for line in lines:
    for error in of_type.get(line["type"], validator).iter_errors(line):
        sys.exit("%s: %s" % (line, error.message))
if only_valid:
    sys.exit()



def named(part):
    """The keys of which the schema names values; what else it asks can depend on them."""
    if isinstance(part, list):
        return set().union(*map(named, part))
    if not isinstance(part, dict):
        return set()
    here = {key for key, value in part.get("properties", {}).items()
            if isinstance(value, dict) and ("const" in value or "enum" in value)}
    return here.union(*map(named, part.values()))


NAMED = named(schema)


def shape(value):
    """What the schema can tell of a value, but for the size of numbers and the letters of texts."""
    if isinstance(value, dict):
        return tuple((key, repr(item) if key in NAMED else shape(item)) for key, item in sorted(value.items()))
    if isinstance(value, list):
        return tuple(sorted({repr(shape(item)) for item in value}))
    return type(value).__name__


refused = 0
for line in {shape(line): line for line in lines}.values():
    optional = OF_STATISTICS if line["type"] == "statistics" else OPTIONAL
    for key in line:
        less = {other: value for other, value in line.items() if other != key}
        damaged = [{**line, "fool": 1}, {**line, key: {"x": 1}}] + ([] if key in optional else [less])
        for wrong in damaged:
            if (validator if key == "type" else of_type[line["type"]]).is_valid(wrong):
                sys.exit("the schema allows %s, of which %s was changed" % (wrong, key))
            refused += 1
print("%d lines follow the schema: %s" % (len(lines), ", ".join(sorted({line["type"] for line in lines}))))
print("%d damaged lines do not" % refused)
