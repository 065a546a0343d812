/* Screens of many motifs on a graph that stays on a GPU. */
#ifndef MS_RUN_SESSION_GPU_H
#define MS_RUN_SESSION_GPU_H

#include "run/session.h"

/* True if the screens should go this way: GPUs alone are asked for, the method is free, no option
 * is for the sieve alone, at most one GPU is named, and this machine has one. */
bool ms_session_gpu_serves(const ms_screen_options *options);

/* Screens the motifs as ms_session_screen does.  Small motifs are searched on the GPU, and exactly.
 * All others, and those that the GPU gives up, run one by one as a screen by the sieve on GPUs
 * does.  If the graph does not fit into the GPU's memory, they all do.  MS_ERR_USAGE: there is no
 * such GPU. */
ms_status ms_session_gpu_screen(const ms_session *session, const ms_motif_set *motifs,
                                const ms_screen_options *options, double seconds,
                                ms_screened_fn receive, void *user, ms_error *err);

#endif
