/* Labels of vertices, for people: gene symbols beside ids. */
#ifndef MS_GRAPH_IO_LABELS_H
#define MS_GRAPH_IO_LABELS_H

#include "graph/names.h"

struct ms_labels {
  ms_names *texts;
  uint32_t *of; /* [n] the label of each vertex in `texts`; MS_NO_ID: none */
  uint32_t n;
  char *path;
  ms_labels_info info; /* info.path is `path` */
};

/* Returns what to write for vertex v, whose own name is `name`: its label or, if it has none, its
 * name.  `labels` may be NULL. */
static inline const char *ms_label_or_name(const ms_labels *labels, uint32_t v, const char *name)
{
  return labels && labels->of[v] != MS_NO_ID ? ms_names_get(labels->texts, labels->of[v]) : name;
}

#endif
