/* Any bytes as a motif are refused or read, and the canonical text of a motif is read as the same
 * motif, for a fixed small colouring.  FUZZ_WHAT: a text or a file. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { FUZZ_TEXT, FUZZ_FILE };

static ms_graph *graph;
static ms_coloring *coloring;
static fuzz_file input;

void fuzz_setup(void)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}};
  static const uint32_t pairs[][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 4},
                                      {1, 5}, {2, 6}, {3, 7}, {0, 8}, {1, 9}};
  static const char *const colors[] = {"red", "blue",       "red:2", "a,b",  "\"q\"",
                                       "*",   "GO:0003677", "a|b",   "!red", "!\"red\""};
  ms_error err = {0};
  fuzz_ok(ms_graph_from_edges(4, 3, edges, NULL, &graph, &err), 0, &err);
  fuzz_ok(ms_coloring_from_pairs(graph, 10, pairs, 10, colors, &coloring, &err), 0, &err);
  fuzz_file_open(&input);
}

static ms_motif *parse(const char *text)
{
  ms_motif *motif = NULL;
  ms_error err = {0};
  fuzz_ok(ms_motif_parse(text, coloring, &motif, &err), FUZZ_USAGE | FUZZ_INPUT, &err);
  return motif;
}

static ms_motif *parse_bytes(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  fuzz_require(text, "no memory");
  memcpy(text, data, size);
  text[size] = '\0';
  ms_motif *motif = parse(text);
  free(text);
  return motif;
}

static ms_motif *read_file(const uint8_t *data, size_t size)
{
  ms_motif *motif = NULL;
  ms_error err = {0};
  fuzz_file_set(&input, data, size);
  fuzz_ok(ms_motif_read(input.path, coloring, &motif, &err), FUZZ_USAGE | FUZZ_INPUT, &err);
  return motif;
}

bool fuzz_input(const uint8_t *data, size_t size)
{
  ms_motif *motif = FUZZ_WHAT == FUZZ_TEXT ? parse_bytes(data, size) : read_file(data, size);
  if (!motif)
    return false;
  uint32_t k = ms_motif_size(motif);
  fuzz_require(k >= 1 && k <= MS_MAX_K, "a motif of %u slots", k);
  ms_motif *again = parse(ms_motif_text(motif));
  fuzz_require(again && strcmp(ms_motif_text(again), ms_motif_text(motif)) == 0,
               "not canonical: %s", ms_motif_text(motif));
  ms_motif_free(again);
  ms_motif_free(motif);
  return true;
}
