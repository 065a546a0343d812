/* motifsieve info: shows what this machine and this build offer, one fact on each line. */
#include "base/budget.h"
#include "base/job_limits.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/options/options.h"
#include "cli/print.h"
#include "gf2/gf2.h"
#include "gpu/gpu.h"

#include <inttypes.h>

static ms_status print_arithmetic(ms_error *err)
{
  const ms_gf2_path *chosen = ms_gf2_select(NULL, err);
  if (!chosen)
    return err->status;
  for (uint32_t i = 0; i < ms_gf2_path_count(); i++) {
    const ms_gf2_path *path = ms_gf2_path_at(i);
    ms_print("arithmetic\t%s\t%s\t%s\n", path->name, path->layout,
             path == chosen      ? "chosen"
             : path->available() ? "available"
                                 : "not on this processor");
  }
  return MS_OK;
}

/* Prints the number of devices, and then one line for each. */
static void print_accelerators(void)
{
  int count = ms_gpu_device_count();
  char size[32];
  ms_print("accelerators\t%d\t%s\n", count, ms_gpu_describe());
  for (int i = 0; i < count; i++) {
    ms_gpu_device device;
    ms_error err;
    if (ms_gpu_device_facts(i, &device, &err) != MS_OK) {
      ms_print("accelerator\t%d\tunusable: %s\n", i, err.message);
      continue;
    }
    ms_format_size(size, sizeof size, device.memory);
    ms_print("accelerator\t%d\t%s\tcompute capability %d.%d\t%d multiprocessors\t%s\n", i,
             device.name, device.major, device.minor, device.multiprocessors, size);
  }
}

static void print_build(void)
{
  ms_print("compiler\t%s\n",
#if defined(__clang__)
           "clang " __clang_version__
#else
           "gcc " __VERSION__
#endif
  );
#if defined(__SANITIZE_ADDRESS__)
  ms_print_line("instrumented\taddress sanitizer");
#elif defined(__SANITIZE_THREAD__)
  ms_print_line("instrumented\tthread sanitizer");
#endif
}

/* Prints the limits of memory that the job has, and which file states them. */
static void print_memory_limits(void)
{
  char size[32];
  const ms_job_limits *limits = ms_job_limits_own();
  if (limits->memory != UINT64_MAX && limits->memory <= ms_physical_memory()) {
    ms_format_size(size, sizeof size, limits->memory);
    ms_print("memory limit\t%s\t%s\n", size, limits->memory_path);
  }
  if (ms_address_limit() != UINT64_MAX) {
    ms_format_size(size, sizeof size, ms_address_limit());
    ms_print("address limit\t%s\tulimit -v\n", size);
  }
}

int ms_run_info(const ms_cli_options *o)
{
  (void)o;
  ms_error err;
  char size[32], processor[MS_PROCESSOR_NAME];
  const ms_job_limits *limits = ms_job_limits_own();
  const ms_gf2_path *chosen = ms_gf2_select(NULL, &err);
  if (!chosen)
    return ms_cli_error(&err);
  ms_print("version\t%s\n", ms_version());
  print_build();
  ms_processor_name(processor);
  ms_print("processor\t%s\n", processor);
  if (limits->processors != UINT64_MAX)
    ms_print("processor limit\t%" PRIu64 "\t%s\n", limits->processors, limits->processors_path);
  ms_print("threads\t%d\n", ms_threads(0));
  ms_format_size(size, sizeof size, ms_physical_memory());
  ms_print("memory\t%s\n", size);
  ms_format_size(size, sizeof size, ms_memory_bound(0));
  ms_print("memory bound\t%s\n", size);
  print_memory_limits();
  ms_format_size(size, sizeof size, ms_l2_bytes());
  ms_print("L2 cache of a core\t%s\n", size);
  if (print_arithmetic(&err) != MS_OK)
    return ms_cli_error(&err);
  print_accelerators();
  ms_print("reports\t%s\n", ms_report_can_draw()
                                ? "networks are drawn by cytoscape.js"
                                : "no networks are drawn: this build has no cytoscape.js");
  ms_print("motif slots at most\t%u\n", MS_MAX_K);
  return ms_print_end();
}
