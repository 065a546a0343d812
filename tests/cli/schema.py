#!/usr/bin/env python3
"""Validates JSON lines against a schema, and damaged ones: schema.py SCHEMA FILE...

Each line must follow the schema.  A line with one key more, with a value of another type, or
without a key that is not optional must not.  Prints which types of lines there were.
"""
import json
import sys

from jsonschema import Draft202012Validator as Validator

OPTIONAL = {"required", "pairs", "max_length", "combine", "searched", "min_size", "rows", "name_column", "color_column", "colors", "pattern_colors", "score",
            "labels", "label", "roles", "shown_colors", "name", "seconds", "diverse", "measures", "sort", "top",
            "min_density", "min_mean_score", "profile", "nearest_only", "substitutes", "max_cost", "cost",
            "family_share", "family_matches", "family_size", "vertex_scores", "vertex_score", "best_sum",
            "all_sums", "sums", "unit_rows",
             "colors_only", "primary_color", "min_count",
            "sheet", "metadata", "sample_column", "group_column", "block_column", "vertex_column", "blocks",
            "graph_crc32c", "color_crc32c", "reference", "rest", "paranoid", "permutations_repeated"}
OF_STATISTICS = {"engine", "backend", "screen_reason"}

schema = json.load(open(sys.argv[1]))
Validator.check_schema(schema)
validator = Validator(schema)
lines = [json.loads(line) for path in sys.argv[2:] for line in open(path)]
for line in lines:
    for error in validator.iter_errors(line):
        sys.exit("%s: %s" % (line, error.message))
refused = 0
for line in lines:
    optional = OF_STATISTICS if line["type"] == "statistics" else OPTIONAL
    for key in line:
        less = {other: value for other, value in line.items() if other != key}
        damaged = [{**line, "fool": 1}, {**line, key: {"x": 1}}] + ([] if key in optional else [less])
        for wrong in damaged:
            if validator.is_valid(wrong):
                sys.exit("the schema allows %s, of which %s was changed" % (wrong, key))
            refused += 1
print("%d lines follow the schema: %s" % (len(lines), ", ".join(sorted({line["type"] for line in lines}))))
print("%d damaged lines do not" % refused)
