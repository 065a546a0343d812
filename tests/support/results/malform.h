/* Damaged files, which every reader has to survive with MS_OK or with an MS_ERR_INPUT whose message
 * names the file. */
#ifndef MS_TESTS_SUPPORT_MALFORM_H
#define MS_TESTS_SUPPORT_MALFORM_H

#include "motifsieve.h"

/* Reads the file and drops what it held. */
typedef ms_status (*malform_reader)(const char *path, void *user, ms_error *err);

/* The reader of graphs: user is an ms_graph_options.  A graph that is read is
 * also checked against its invariants. */
ms_status malform_read_graph(const char *path, void *user, ms_error *err);

/* A file that has to be refused with a message that holds "NAME:line" (line 0: the
 * name alone) and `part`. */
typedef struct malform_case {
  const char *text;
  size_t size; /* of text */
  uint64_t line;
  const char *part;
} malform_case;
#define MALFORM(text, line, part)                                                                  \
  {                                                                                                \
    text, sizeof(text) - 1, line, part                                                             \
  }

/* Checks that each of cases[count] is refused; the file is written under `name` in the test's
 * folder (files_setup). */
void malform_refuses(const char *name, const malform_case *cases, size_t count,
                     malform_reader reader, void *user);

/* Checks that mechanical damage of a good file, which itself has to be read, is survived: cut at
 * every line and byte; every line left out, doubled, swapped with the next; every field left out or
 * replaced (empty, negative, huge, not a number, not UTF-8); a NUL and a stray byte at every place;
 * no bytes; a line of 10 MB; gzip and zstd data cut short.  NULs, cut compression and empty files
 * have to be refused. */
void malform_damage(const char *name, const char *good, size_t size, malform_reader reader,
                    void *user);

/* Writes the graph in the format, reads that, and compares: the same vertices by
 * name (by number, if the format holds numbers), edges and, where the format
 * holds them and `coloring` is not NULL, colours; and that writing what was
 * read gives the same bytes. */
void malform_round_trip(const char *name, const ms_graph *graph, const ms_coloring *coloring,
                        ms_graph_format format);

#endif
