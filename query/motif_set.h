/* Sets of motifs: motifs with names (include/motifsieve/session.h). */
#ifndef MS_QUERY_MOTIF_SET_H
#define MS_QUERY_MOTIF_SET_H

#include "query/query.h"

struct ms_motif_set {
  ms_names *names;
  uint32_t count, room;
  ms_motif **motif; /* [count] by the ids of the names */
  char *path;       /* of the file; NULL: the set was not read */
  uint32_t crc32c;  /* of the file */
};

#endif
