/* motifsieve bench: which one. */
#include "cli/bench.h"

#include "base/status.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "gpu/gpu.h"

#include <getopt.h>
#include <string.h>

ms_status ms_bench_no_operand(int argc, char **argv, ms_error *err)
{
  if (optind == argc)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE, "bench %s takes no '%s'; see 'motifsieve bench %s --help'",
                 argv[0], argv[optind], argv[0]);
}

ms_status ms_bench_check_devices(const int *devices, uint32_t n_devices, ms_error *err)
{
  int count = ms_gpu_device_count();
  if (count == 0)
    return ms_fail(err, MS_ERR_USAGE, "there is no GPU to measure (%s); use --backend cpu",
                   ms_gpu_describe());
  for (uint32_t i = 0; i < n_devices; i++) {
    if (devices[i] < 0 || devices[i] >= count)
      return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; here they are numbered from 0 to %d",
                     devices[i], count - 1);
    for (uint32_t j = 0; j < i; j++)
      if (devices[i] == devices[j])
        return ms_fail(err, MS_ERR_USAGE, "GPU %d is named twice; name it once", devices[i]);
  }
  return MS_OK;
}

int ms_cmd_bench(int argc, char **argv)
{
  ms_error err;
  if (argc >= 2 && strcmp(argv[1], "gf2") == 0)
    return ms_bench_gf2(argc - 1, argv + 1);
  if (argc >= 2 && strcmp(argv[1], "sieve") == 0)
    return ms_bench_sieve(argc - 1, argv + 1);
  if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
    return ms_help_show(MS_COMMAND_BENCH);
  if (argc < 2)
    ms_fail(&err, MS_ERR_USAGE,
            "bench needs to know what to measure, gf2 or sieve; see 'motifsieve bench --help'");
  else
    ms_fail(&err, MS_ERR_USAGE,
            "unknown benchmark '%s', use gf2 or sieve; see 'motifsieve bench --help'", argv[1]);
  return ms_cli_error(&err);
}
