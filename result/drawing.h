/* Drawings of what screen and list find: some vertices of the graph and all
 * edges among them. */
#ifndef MS_RESULT_DRAWING_H
#define MS_RESULT_DRAWING_H

#include "base/outfile.h"
#include "query/query.h"
#include "result/header.h"

typedef struct ms_drawing {
  /* set by the caller */
  const ms_result_header *header;
  const ms_query *query;
  const ms_screen_result *screen; /* NULL: no sieve */
  const ms_list_result *list;     /* NULL: a screen */
  uint64_t match;                 /* the match to draw, from 1; 0: all that was found */
  bool whole_graph;               /* draw the rest of the graph, too */
  /* all zeros before ms_drawing_open */
  uint8_t *drawn;    /* [n] 1 if v is drawn */
  uint64_t *matches; /* [n] number of matches that hold v; NULL: a screen */
  uint32_t vertices;
  uint64_t edges;
} ms_drawing;

/* Chooses what to draw.  ms_drawing_close must follow in any case.  MS_ERR_USAGE: there is no match
 * of that number. */
ms_status ms_drawing_open(ms_drawing *drawing, ms_error *err);
void ms_drawing_close(ms_drawing *drawing);

/* Returns the class of the motif that v is drawn as: the first whose colour it has, else the
 * wildcard; UINT32_MAX if v is not found, or fits no class. */
uint32_t ms_drawing_class(const ms_drawing *drawing, uint32_t v);
/* These two give the colour name of a class, "*" for the wildcard, and its fill "#rrggbb", light
 * enough for a black label. */
const char *ms_class_name(const ms_drawing *drawing, uint32_t c);
void ms_class_fill(uint32_t c, char fill[8]);

ms_status ms_draw_cx2(ms_outfile *out, const ms_drawing *drawing, ms_error *err);
ms_status ms_draw_dot(ms_outfile *out, const ms_drawing *drawing, ms_error *err);

#endif
