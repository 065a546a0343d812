/* motifsieve */
#include "cli/commands.h"
#include "gpu/gpu.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
  int code = ms_tool_run(argc, argv);
  if (ms_gpu_start_has_begun()) { /* the driver's exit handlers take 0.05 s, or wait for its start
                                   */
    fflush(NULL);
    _exit(code);
  }
  return code;
}
