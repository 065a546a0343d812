/* motifsieve bench: which one. */
#include "cli/bench.h"

#include "base/status.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static int help(void)
{
  printf("Usage: motifsieve bench gf2|sieve [OPTION]...\n"
         "Measure this machine.\n"
         "\n"
         "  gf2    multiplications a second in GF(2^8), for every line type\n"
         "  sieve  one sieve run on a random regular graph, beside its floor\n"
         "\n"
         "'motifsieve bench gf2 --help' and 'motifsieve bench sieve --help' tell the options.\n");
  return ms_cli_close_stdout();
}

int ms_cmd_bench(int argc, char **argv)
{
  ms_error err;
  if (argc >= 2 && strcmp(argv[1], "gf2") == 0)
    return ms_bench_gf2(argc - 1, argv + 1);
  if (argc >= 2 && strcmp(argv[1], "sieve") == 0)
    return ms_bench_sieve(argc - 1, argv + 1);
  if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
    return help();
  if (argc < 2)
    ms_fail(&err, MS_ERR_USAGE, "bench needs to know what to measure, gf2 or sieve; see 'motifsieve bench --help'");
  else
    ms_fail(&err, MS_ERR_USAGE, "unknown benchmark '%s', use gf2 or sieve; see 'motifsieve bench --help'", argv[1]);
  return ms_cli_error(&err);
}
