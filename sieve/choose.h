/* Chooses the workers for a sieve problem: the workers that the options name,
 * or those that finish first by the back ends' estimates. */
#ifndef MS_SIEVE_CHOOSE_H
#define MS_SIEVE_CHOOSE_H

#include "sieve/schedule/schedule.h"

typedef struct ms_sieve_choice {
  ms_sieve_worker *workers; /* [n_workers] GPUs first; free them with ms_sieve_choice_clear */
  uint32_t n_workers;
  ms_sieve_worker rescue; /* the CPU, for the case that all GPUs are lost */
  bool with_rescue;       /* true only if the user did not request a GPU */
  char reason[256];       /* one line for the user */
  double seconds;         /* that the workers are expected to take; 0: not known */
} ms_sieve_choice;

/* Makes the choice. The CPU's tables are reserved in `budget`, which may be
 * NULL; a GPU has separate memory. `gpu` is asked for its devices only if the
 * options name it, or if the CPU would take long enough for that to pay.
 * Returns MS_ERR_USAGE if a device does not exist or is named twice, or if
 * devices are named for a run on the CPU alone. If GPUs are requested and there
 * are none, the choice is a single worker whose open() reports the reason. */
ms_status ms_sieve_choose(const ms_sieve_problem *problem, const ms_screen_options *options,
                          uint32_t repetitions, struct ms_budget *budget,
                          const ms_sieve_backend *cpu, const ms_sieve_backend *gpu,
                          ms_sieve_choice *out, ms_error *err);
void ms_sieve_choice_clear(ms_sieve_choice *choice);

/* Checks `backend`, `devices` and `n_devices` as far as that needs no GPU driver;
 * ms_sieve_choose includes this check. */
ms_status ms_sieve_check_devices(const ms_screen_options *options, ms_error *err);

#endif
