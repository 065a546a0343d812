/* motifsieve bench: what this machine does, without a word that says what to measure. */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/options.h"

int ms_run_bench(const ms_cli_options *o)
{
  ms_error err;
  (void)o;
  ms_fail(&err, MS_ERR_USAGE,
          "bench needs to know what to measure, gf2 or sieve; see 'motifsieve bench --help'");
  return ms_cli_error(&err);
}
