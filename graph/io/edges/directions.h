/* Words that say which way an edge points, in a column of a table. */
#ifndef MS_GRAPH_IO_DIRECTIONS_H
#define MS_GRAPH_IO_DIRECTIONS_H

#include "graph/io/sample.h"

typedef enum ms_direction {
  MS_DIRECTION_UNKNOWN, /* the word says nothing of directions */
  MS_DIRECTION_ON,      /* from the first name to the second */
  MS_DIRECTION_BACK,
  MS_DIRECTION_BOTH /* both ways, or none */
} ms_direction;

/* "->", "<-", "-|", "|-", "<->", "-" and alike: '>' and '|' are heads. */
ms_direction ms_arrow_direction(ms_field word);
/* Does the same for "directed", "undirected", "mutual" and alike; with `truth` also for "true", "0"
 * and alike, which say whether the edge is directed. */
ms_direction ms_word_direction(ms_field word, bool truth);

extern const char *const ms_direction_titles[]; /* ends with NULL */
/* Is this a title of a column that says whether an edge is directed, or *undirected? */
bool ms_title_is_truth(ms_field title, bool *undirected);
/* Do the cells of the column, from line `from` on, all say directions: arrows, or words unless only
 * `arrows` count? */
bool ms_column_has_directions(const ms_sample *sample, uint32_t from, uint32_t column, bool arrows);

#endif
