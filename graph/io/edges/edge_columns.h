/* Which columns of a table hold the ends of edges, their types and their scores, and is its first
 * line a header?  What the titles and the first lines leave open is asked by an error: an edge that
 * is made of a header, or of a gene's number and its own symbol, would go unnoticed. */
#ifndef MS_GRAPH_IO_EDGE_COLUMNS_H
#define MS_GRAPH_IO_EDGE_COLUMNS_H

#include "graph/io/counted.h"
#include "graph/io/edges/edges.h"

typedef struct ms_edge_columns {
  ms_delimiter delimiter;
  uint32_t source, target; /* from 0 */
  uint32_t score;          /* MS_NO_COLUMN: scores are not read */
  uint32_t type;           /* the same for types of edges */
  bool signs;              /* of types are '+', and so '-' is one, and no missing value */
  uint32_t unread_words;   /* a column that may hold types of edges; MS_NO_COLUMN: none */
  uint32_t unread_numbers; /* a column that may hold scores, where none is read */
  char word[32];           /* from the first line of unread_words, perhaps cut off */
  uint32_t pairs;          /* pairs of titles that could be the ends; 0: there are no such titles */
  uint32_t direction;      /* of words that say which way edges point; MS_NO_COLUMN: none */
  bool truth;              /* they say whether edges are directed */
  bool undirected;         /* with `truth`, or whether they are undirected; without such a column,
                              the head of the file says that all edges are */
  uint32_t columns;        /* of the first line */
  uint64_t uniform;   /* the first line with another number of columns; UINT64_MAX: none is known */
  bool header;        /* the first data line is a header */
  ms_counted counted; /* the header states the numbers of vertices and edges; line 0: it does not */
  ms_sizes sizes;     /* what the first line may state as well */
  bool recognized;    /* by its titles; the options do not say so */
  bool quoted;        /* as in ms_sample */
  uint64_t line;      /* the number of that line */
  char *titles[2];    /* recognized: the titles of the ends */
} ms_edge_columns;

#define MS_NO_TYPES "none" /* a choice of the column of types: edges have none */

/* Looks at the beginning of `text`, which is in front of its first line and stays there.
 * `type_column` chooses the types of edges by name or number, or "none"; NULL: a header may name
 * them.  The caller calls ms_edge_columns_free, also after a failure. */
ms_status ms_edge_columns_find(ms_text *text, const ms_graph_options *options,
                               const char *type_column, ms_edge_columns *columns, ms_error *err);
void ms_edge_columns_free(ms_edge_columns *columns);

/* Checks, after all lines were read, that no vertex has a title of a header that was recognized:
 * otherwise the header may be an edge. */
ms_status ms_edge_columns_check(const ms_edge_columns *columns, const ms_text *text,
                                const ms_names *vertices, ms_error *err);

#endif
