/* The engine `reuse` on one GPU: memory, and chains of launches.
 *
 * A *chain* expands the levels from one on and finishes the deepest one, without
 * asking the host in between: each launch reads from the device how many entries
 * the one before it left. */
#ifndef MS_GPU_MATCH_REUSE_MACHINE_H
#define MS_GPU_MATCH_REUSE_MACHINE_H

#include "gpu/match/dfs_runner.h"
#include "gpu/match/reuse_program.h"

typedef struct ms_reuse_machine {
  ms_dfs_runner runner;
  ms_reuse_program program;
  ms_reuse_launch launch;
  bool listing, finishes; /* finishes: there is more to count than the deepest level's entries */
  void *memory;           /* device memory of all that the launch points to */
  uint64_t most_children; /* of an entry */
  uint64_t most_words;    /* of an entry's sets */
  ms_reuse_level *level;  /* pinned, [deepest + 1]: as the last chain left them */
} ms_reuse_machine;

/* Does not move afterwards; on failure it is to be closed, too.  MS_ERR_MEMORY:
 * one entry a level does not fit. */
ms_status ms_reuse_machine_open(ms_reuse_machine *machine, const ms_program *program, int device,
                                int threads, bool listing, ms_error *err);
void ms_reuse_machine_close(ms_reuse_machine *machine);

/* Roots that level 0 has room for. */
uint64_t ms_reuse_root_room(const ms_reuse_machine *machine);
/* Entries of the deepest level after a chain, and the first of them. */
uint32_t ms_reuse_deepest(const ms_reuse_machine *machine, uint32_t *first);

/* A chain from `depth` on, as machine->level says; with new `roots`, from level 0
 * on, they are launch.first_root, ..  The token's status if that stopped it. */
ms_status ms_reuse_chain(ms_reuse_machine *machine, uint32_t depth, bool roots, const ms_stop *stop,
                         ms_error *err);

/* Matches of the deepest level, by entry; to be used on the machine as it is. */
ms_gpu_rows ms_reuse_rows(ms_reuse_machine *machine);

#endif
