/* motifsieve-mpi: the tool, whose long runs are done by all ranks of an MPI program. */
#include "base/file/descriptor.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/division.h"
#include "cli/print.h"
#include "mpi/crew.h"
#include "mpi/launch.h"
#include "mpi/parts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TEXT_BYTES = 1000 };

/* The commands whose runs can be divided among ranks. */
static bool is_divided(const char *command)
{
  static const char *const divided[] = {"screen", "census", "match", "list"};
  for (size_t i = 0; i < sizeof divided / sizeof *divided; i++)
    if (strcmp(command, divided[i]) == 0)
      return true;
  return false;
}

/* Lets what other ranks than 0 print go into memory. Returns its descriptor, or -1. */
static int hide_messages(void)
{
  int memory = memfd_create("messages", MFD_CLOEXEC);
  int nowhere = ms_open("/dev/null", O_WRONLY, 0);
  if (nowhere >= 0) {
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(memory >= 0 ? memory : nowhere, STDERR_FILENO);
  }
  return memory;
}

static void read_messages(int memory, char text[TEXT_BYTES])
{
  ssize_t got = memory >= 0 ? pread(memory, text, TEXT_BYTES - 1, 0) : 0;
  text[got > 0 ? got : 0] = '\0';
}

static void warn(const char *message)
{
  ms_cli_warn("%s", message);
}

/* Says how far rank 0 is, for ms_launch, which started the ranks. */
static void say_verdict(const char *text)
{
  char line[sizeof MS_VERDICT + 16];
  int length = snprintf(line, sizeof line, MS_VERDICT "%.10s\n", text);
  (void)ms_write_all(STDERR_FILENO, line, (size_t)length, NULL);
}

/* True if the command line names GPUs. */
static bool names_gpus(int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "--devices", 9) == 0)
      return true;
  return false;
}

/* Runs the tool in a rank. */
static int run(ms_mpi *ranks, const ms_launch_options *launch, int argc, char **argv, int memory)
{
  bool leads = ms_mpi_rank(ranks) == 0, divides = argc > 1 && is_divided(argv[1]);
  if (launch->places) {
    ms_print("%s", leads ? ms_mpi_places(ranks) : "");
    return ms_print_end();
  }
  if (launch->merge_later)
    return ms_mpi_run_parts(ms_mpi_crew(ranks),
                            launch->parts ? launch->parts : (uint32_t)ms_mpi_size(ranks), argc,
                            argv, memory);
  if (divides)
    ms_cli_crew = ms_mpi_crew(ranks);
  return leads || divides ? ms_tool_run(argc, argv) : MS_EXIT_OK;
}

int main(int argc, char **argv)
{
  ms_launch_options launch;
  ms_mpi *ranks;
  ms_error err;
  char text[TEXT_BYTES] = "", verdict[16];
  int memory = -1;
  ms_status status = ms_launch_parse(&argc, argv, &launch, &err);
  if (status != MS_OK)
    return ms_cli_error(&err);
  if (launch.ranks > 0)
    return ms_launch(&launch, argc, argv);
  const ms_mpi_options options = {.timeout = launch.timeout,
                                  .memory = launch.memory,
                                  .keeps_gpus = names_gpus(argc, argv),
                                  .places = launch.places,
                                  .warn = warn};
  status = ms_mpi_open(&options, &ranks, &err);
  if (status != MS_OK)
    return ms_cli_error(&err);
  bool leads = ms_mpi_rank(ranks) == 0;
  if (leads && launch.verdict)
    say_verdict(MS_BEGUN);
  if (!leads)
    memory = hide_messages();
  int code = run(ranks, &launch, argc, argv, memory);
  snprintf(verdict, sizeof verdict, "%d", code);
  if (leads && launch.verdict)
    say_verdict(verdict);
  read_messages(memory, text);
  ms_mpi_close(ranks, code, text);
  /* A rank that fails must not end the others, as MPI would do. */
  return leads ? code : MS_EXIT_OK;
}
