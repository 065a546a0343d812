/* Records of connected sets, from which any labelling can be counted without a search.
 *
 * A segment holds the sets of some roots.  Its vertices have local numbers.  A set of 1 to k - 2
 * vertices is the number of the set with one vertex less, its parent, and its last vertex.  A set
 * of k - 1 vertices is a record, together with its completions, which are the k-sets that the
 * search of census/search.h finds from it: the words of a record are
 *
 *   parent, in two words, the low one first;  last vertex;  the completions
 *
 * Records with equally many completions lie in one bucket, so that their loop has a fixed length.
 * Long records are cut. */
#ifndef MS_SIGNIFICANCE_RECORDS_H
#define MS_SIGNIFICANCE_RECORDS_H

#include "base/budget.h"
#include "base/threads/watch.h"
#include "census/graph.h"

enum {
  MS_MOST_COMPLETIONS = 32, /* of a record */
  MS_RECORD_HEAD = 3,       /* words before the completions */
  MS_MOST_LOCALS = 65535
};

typedef struct ms_record_level {
  uint32_t *parent;
  uint16_t *last;
  uint64_t count, room;
} ms_record_level;

typedef struct ms_record_bucket {
  uint16_t *word;
  uint64_t words, room;
} ms_record_bucket;

typedef struct ms_segment {
  uint32_t *vertex; /* [locals] ranks */
  uint32_t locals, vertex_room;
  ms_record_level level[MS_MAX_CENSUS]; /* [size] sets of so many vertices, 0 < size < k - 1 */
  ms_record_bucket bucket[MS_MOST_COMPLETIONS + 1];
  uint64_t sets;  /* k-sets */
  uint64_t bytes; /* of its arrays, from the budget */
} ms_segment;

/* The search of one thread. */
typedef struct ms_recorder {
  const ms_census_graph *graph;
  uint32_t k;
  ms_watch *watch;
  ms_budget *budget;
  ms_segment *segment;
  bool *met;       /* [n] in the set or next to it */
  uint32_t *x;     /* [n] candidates of all levels */
  uint32_t *local; /* [n] local numbers: that of v counts if it is that of vertex v */
  uint32_t root;
  uint64_t visits, most_sets;
  bool too_many, full; /* the sets of a root have no room in a segment; no memory */
} ms_recorder;

ms_status ms_recorder_open(ms_recorder *r, const ms_census_graph *graph, uint32_t k,
                           ms_watch *watch, ms_budget *budget, ms_error *err);
void ms_recorder_close(ms_recorder *r);
uint64_t ms_recorder_bytes(const ms_census_graph *graph);
/* Adds the sets of this root to r->segment; after a stop, or with too_many or full, only some. */
void ms_record_root(ms_recorder *r, uint32_t root);

void ms_segment_clear(ms_segment *s);
void ms_segment_close(ms_segment *s, ms_budget *budget);

#endif
