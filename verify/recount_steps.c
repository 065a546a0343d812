/* What all recounts share: the steps of a search, its matches and its end. */
#include "verify/recount.h"

#include "base/status.h"

void ms_recount_begin(ms_recount *recount, mpz_t count, ms_found_fn found, void *user)
{
  mpz_set_ui(count, 0);
  recount->count = count;
  recount->found = found;
  recount->user = user;
  recount->over = recount->used_up = false;
  recount->steps = recount->next_poll = 0;
  recount->limit = UINT64_MAX;
}

void ms_recount_poll(ms_recount *recount)
{
  recount->status = ms_stop_check(recount->stop);
  recount->used_up = recount->steps > recount->limit;
  recount->over = recount->over || recount->used_up || recount->status != MS_OK;
  uint64_t left = recount->used_up ? MS_POLL_STEPS : recount->limit - recount->steps + 1;
  recount->next_poll = recount->steps + (left < MS_POLL_STEPS ? left : MS_POLL_STEPS) - 1;
}

ms_finding ms_recount_finding(const ms_recount *recount)
{
  bool ended = recount->status == MS_OK && !recount->used_up;
  return mpz_sgn(recount->count) > 0 ? MS_FOUND_MATCH
         : ended                     ? MS_FOUND_NONE
                                     : MS_FOUND_NOTHING_YET;
}

void ms_recount_match(ms_recount *recount, const uint32_t *row)
{
  mpz_add_ui(recount->count, recount->count, 1);
  if (recount->found && !recount->found(recount->user, row))
    recount->over = true;
}

ms_status ms_recount_outcome(const ms_recount *recount, ms_error *err)
{
  if (recount->status == MS_OK)
    return MS_OK;
  return ms_fail(err, recount->status, "the recount was stopped: %s; allow it more time",
                 ms_status_text(recount->status));
}
