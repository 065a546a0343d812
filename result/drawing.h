/* Drawings of what a search finds: some vertices of the graph and all edges among them, filled by
 * the slot of the motif, or the vertex of the pattern, that each vertex takes the place of. */
#ifndef MS_RESULT_DRAWING_H
#define MS_RESULT_DRAWING_H

#include "base/file/outfile.h"
#include "base/threads/watch.h"
#include "graph/io/labels.h"
#include "graph/typed.h"
#include "query/query.h"
#include "result/header.h"

typedef struct ms_drawing {
  /* set by the caller */
  const ms_result_header *header; /* its kind says what was searched for */
  const ms_graph *graph;          /* a plain graph, or NULL */
  const ms_typed *typed;          /* a typed graph, used if there is no plain one */
  const ms_coloring *coloring;    /* NULL: none */
  const ms_labels *labels;        /* NULL: none */
  const ms_query *query;          /* of a motif; NULL: a pattern */
  const ms_screen_result
      *screen; /* NULL, without `flags`: what was found are the matches in `rows` */
  const ms_flags_result *flags; /* a screen of a pattern; its sieve is in `screen` */
  const uint32_t *flag_role;    /* [n] with `flags`: role of each flagged vertex, or MS_NO_ID */
  const uint32_t *rows;         /* [count][header->k] */
  uint64_t count;
  uint64_t match;             /* the match to draw, from 1; 0: all that was found */
  bool whole_graph;           /* draw the rest of the graph, too */
  const ms_points *positions; /* of SVG: points with the names of vertices; else NULL */
  const char *heading, *unit; /* of SVG: title, and unit of the positions; or NULL */
  uint32_t *unplaced;         /* of SVG: receives the number of vertices without a point; or NULL */
  /* all zeros before ms_drawing_open */
  uint32_t n;        /* vertices of the graph */
  uint8_t *drawn;    /* [n] 1 if v is drawn */
  uint32_t *role;    /* [n] role of v in the first match that holds it, or in the match to draw;
                        MS_NO_ID: none */
  uint64_t *matches; /* [n] number of matches that hold v; NULL: a screen */
  uint32_t vertices;
  uint64_t edges;
  ms_watch own_watch;
  ms_watch *watch; /* of the token of the thread that opened the drawing */
} ms_drawing;

#define MS_DRAWING_PHASE "the drawing is made"

/* Chooses what to draw.  ms_drawing_close must follow in any case.  MS_ERR_USAGE: there is no match
 * of that number.  This and the functions that write fail once the token of the thread is stopped:
 * half a drawing is none. */
ms_status ms_drawing_open(ms_drawing *drawing, ms_error *err);
void ms_drawing_close(ms_drawing *drawing);

/* True if flagged vertices are drawn, and no matches. */
static inline bool ms_drawing_is_screen(const ms_drawing *drawing)
{
  return drawing->screen || drawing->flags;
}

/* True if the screen that is drawn flags this vertex. */
static inline bool ms_drawing_is_flagged(const ms_drawing *drawing, uint32_t v)
{
  return drawing->flags ? drawing->flags->flagged[v] : drawing->screen->hits[v] > 0;
}

/* Roles are the classes of a motif's slots, or the vertices of a pattern.  In a screen, which has
 * no matches, a vertex has the first class whose colour it has, or the first vertex of the pattern
 * that accepts it. */
uint32_t ms_drawing_roles(const ms_drawing *drawing);
/* Returns the i-th role of the legend, which has the order of the motif's text. */
uint32_t ms_drawing_role_at(const ms_drawing *drawing, uint32_t i);
/* These give the name of a role, "*" for a wildcard, its colour in all drawings and reports, as
 * "#rrggbb", and black or white for a label on it.  Roles beyond the palette repeat its colours. */
extern const char *const ms_palette[MS_PALETTE];
const char *ms_role_name(const ms_drawing *drawing, uint32_t role);
const char *ms_role_color(uint32_t role);
const char *ms_role_label_color(uint32_t role);

const char *ms_drawing_name(const ms_drawing *drawing, uint32_t v);
/* Returns the label of v, or without one its name. */
const char *ms_drawing_label(const ms_drawing *drawing, uint32_t v);
/* Returns the text of the motif, or the name, path or text of the pattern. */
const char *ms_drawing_title(const ms_drawing *drawing);

/* Receives an edge among the vertices drawn; returns false to stop.  type: its type, or NULL;
 * directed: it points from `from` to `to`. */
typedef bool (*ms_drawn_edge_fn)(void *user, uint32_t from, uint32_t to, const char *type,
                                 bool directed);
ms_status ms_drawing_edges(const ms_drawing *drawing, ms_drawn_edge_fn each, void *user,
                           ms_error *err);

ms_status ms_draw_cx2(ms_outfile *out, const ms_drawing *drawing, ms_error *err);
ms_status ms_draw_dot(ms_outfile *out, const ms_drawing *drawing, ms_error *err);
ms_status ms_draw_svg(ms_outfile *out, const ms_drawing *drawing, ms_error *err);

#endif
