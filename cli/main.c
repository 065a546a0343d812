/* motifsieve */
#include "cli/commands.h"

int main(int argc, char **argv)
{
  return ms_tool_run(argc, argv);
}
