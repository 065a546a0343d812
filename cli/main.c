/* motifsieve */
#include "cli/commands.h"
#include "gpu/gpu.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
  int code = ms_tool_run(argc, argv);
  /* the exit handlers of a driver take 0.05 s, or wait for its start */
  if (ms_gpu_start_has_begun()) {
    fflush(NULL);
    _exit(code);
  }
  return code;
}
