#!/usr/bin/env bash
# Makes a wiring diagram of 200 neurons, wiring.tsv and types.tsv in a folder: wiring.sh [FOLDER]
# Arcs are at random, with a chance for each pair of types; then 80 feed-forward loops sensory -> inter -> motor and 40 mutual
# pairs of interneurons with a common motor neuron are added.  See README.md.
set -eu
export LC_ALL=C
cd "${1:-.}"
awk 'BEGIN {
  seed = 1986
  split("sensory inter motor", name, " ")
  split("S I M", letter, " ")
  split("40 100 60", count, " ")
  chance["S I"] = 0.03; chance["I I"] = 0.02; chance["I M"] = 0.03; chance["S M"] = 0.005; chance["M I"] = 0.002
  for (t = 1; t <= 3; t++)
    for (i = 1; i <= count[t]; i++) { type[++n] = letter[t]; neuron[n] = letter[t] i; print neuron[n] "\t" name[t] >"types.tsv" }
  for (a = 1; a <= n; a++)
    for (b = 1; b <= n; b++)
      if (a != b && random() < chance[type[a] " " type[b]]) arc(neuron[a], neuron[b])
  for (i = 0; i < 80; i++) {
    s = pick("S", 40); x = pick("I", 100); m = pick("M", 60)
    arc(s, x); arc(x, m); arc(s, m)
  }
  for (i = 0; i < 40; i++) {
    x = pick("I", 100); y = pick("I", 100); m = pick("M", 60)
    if (x != y) { arc(x, y); arc(y, x); arc(x, m); arc(y, m) }
  }
}
function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
function pick(kind, number) { return kind int(number * random()) + 1 }
function arc(from, to) { if (!met[from, to]++) print from "\t" to >"wiring.tsv" }'
