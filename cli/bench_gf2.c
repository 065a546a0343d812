/* motifsieve bench gf2: multiplications a second of every line type. */
#include "base/status.h"
#include "base/threads.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/numbers.h"

#include <getopt.h>
#include <stdio.h>

enum { MOST_COUNTS = 16 };

static int help(void)
{
  printf("Usage: motifsieve bench gf2 [OPTION]...\n"
         "Multiplications a second in GF(2^8) modulo 0x11B, for every line type that this\n"
         "processor has, on lines that stay in the first-level cache.\n"
         "\n"
         "  -t, --threads LIST  thread counts to try, such as 1,2,4 (default: 1 and all)\n"
         "  -s, --seconds S     time for each figure (default 0.5)\n"
         "      --csv           comma-separated values\n"
         "  -h, --help          this help\n"
         "\n"
         "Each figure is the best of five slices. One product is one element times one\n"
         "element; both vary.\n");
  return ms_cli_close_stdout();
}

static int bad(const char *option, const char *value, const char *wanted)
{
  ms_error err;
  ms_fail(&err, MS_ERR_USAGE, "bench gf2: %s '%s' is not %s; see 'motifsieve bench gf2 --help'", option, value,
          wanted);
  return ms_cli_error(&err);
}

int ms_bench_gf2(int argc, char **argv)
{
  static const struct option options[] = {{"threads", required_argument, NULL, 't'},
                                          {"seconds", required_argument, NULL, 's'},
                                          {"csv", no_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  uint32_t threads[MOST_COUNTS] = {1, (uint32_t)ms_threads(0)}, counts = threads[1] > 1 ? 2 : 1;
  double seconds = 0.5;
  bool csv = false;
  optind = 0;
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "t:s:h", options, NULL)) != -1;)
    switch (c) {
    case 't':
      if (!ms_bench_list(optarg, threads, MOST_COUNTS, &counts))
        return bad("--threads", optarg, "a list of at most 16 numbers from 1 to 1024");
      break;
    case 's':
      if (!ms_parse_duration(optarg, &seconds))
        return bad("--seconds", optarg, "a time above zero");
      break;
    case 'c':
      csv = true;
      break;
    case 'h':
      return help();
    default:
      return bad("option", argv[optind - 1], "known, or lacks its value");
    }
  if (optind < argc)
    return bad("operand", argv[optind], "expected");

  printf(csv ? "line_type,lanes,threads,products_per_second,description\n"
             : "line type     lanes  threads      products/s  what it is\n");
  for (uint32_t i = 0; i < ms_gf2_path_count(); i++) {
    const ms_gf2_path *path = ms_gf2_path_at(i);
    for (uint32_t t = 0; t < counts && path->available(); t++) {
      double rate = ms_bench_products(path, (int)threads[t], seconds);
      printf(csv ? "%s,%u,%u,%.4g,\"%s\"\n" : "%-12s  %5u  %7u  %12.2f G  %s\n", path->name, path->lanes, threads[t],
             csv ? rate : rate * 1e-9, path->layout);
    }
    if (!path->available() && !csv)
      printf("%-12s  %5u        -               -  %s: not on this processor\n", path->name, path->lanes,
             path->layout);
    fflush(stdout);
  }
  return ms_cli_close_stdout();
}
