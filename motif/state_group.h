/* What of the tables of states.h engines on GPUs read, too. */
#ifndef MS_MOTIF_STATE_GROUP_H
#define MS_MOTIF_STATE_GROUP_H

#include <stdint.h>

#define MS_NO_STATE UINT32_MAX

/* The candidates of one set of kinds, which lead to states that the same vertices may join. */
typedef struct ms_state_group {
  uint32_t members; /* number of their set of kinds */
  uint32_t joins;   /* number of the set of kinds that may join after one of them */
} ms_state_group;

#endif
