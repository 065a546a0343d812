/* motifsieve: pick the subcommand. */
#include "cli/cli.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

static const struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *help;
} commands[] = {
    {"screen", ms_cmd_screen, "which vertices take part in a connected match of a colour motif"},
    {"list", ms_cmd_list, "list (or count) every match, each one verified"},
    {"verify", ms_cmd_verify, "re-check a result file from graph and colours alone"},
    {"convert", ms_cmd_convert, "write a graph, with its colours, in another format"},
    {"stats", ms_cmd_stats, "count degrees, components, colours, and what pruning would leave"},
    {"gen", ms_cmd_gen, "make a random graph, with uniform or planted colours"},
    {"bench", ms_cmd_bench, "measure the arithmetic and the sieve on this machine"},
    {"info", ms_cmd_info, "what this machine and this build offer"},
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

static int help(void)
{
  printf("Usage: motifsieve COMMAND [OPTION]... [FILE]...\n"
         "Find connected groups of vertices with a given set of colours: for example, in a\n"
         "protein network, the modules that have a given set of functions.\n"
         "\n"
         "Commands:\n");
  for (size_t i = 0; i < N_COMMANDS; i++)
    printf("  %-8s %s\n", commands[i].name, commands[i].help);
  printf(
      "\n"
      "'motifsieve COMMAND --help' tells the options of a command.\n"
      "  -h, --help     this help\n"
      "  -V, --version  the version\n"
      "\n"
      "Examples:\n"
      "  motifsieve screen network.tsv --colors functions.tsv --motif 'kinase:2,phosphatase,*:1'\n"
      "  motifsieve list network.tsv.gz --colors functions.tsv --motif-file motif.txt -o "
      "modules.tsv\n"
      "  motifsieve verify modules.tsv network.tsv.gz --colors functions.tsv\n"
      "\n"
      "Exit status: 0 done, 1 internal error, 2 wrong usage, 3 a file could not be read,\n"
      "understood or written (or verify refused a result), 4 a limit or an interruption ended\n"
      "the work early, 5 nothing was found and --fail-if-none was given.\n");
  return ms_cli_close_stdout();
}

static const struct command *find_command(const char *name)
{
  for (size_t i = 0; i < N_COMMANDS; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static int unknown(const char *word)
{
  ms_error err;
  const char *names[N_COMMANDS];
  for (size_t i = 0; i < N_COMMANDS; i++)
    names[i] = commands[i].name;
  const char *nearest = ms_cli_nearest(word, names, N_COMMANDS);
  bool option = word[0] == '-';
  if (option)
    ms_fail(&err, MS_ERR_USAGE,
            "a command comes first, before option '%s'; see 'motifsieve --help'", word);
  else if (nearest)
    ms_fail(&err, MS_ERR_USAGE, "unknown command '%s'; did you mean '%s'? see 'motifsieve --help'",
            word, nearest);
  else
    ms_fail(&err, MS_ERR_USAGE, "unknown command '%s'; see 'motifsieve --help'", word);
  return ms_cli_error(&err);
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    ms_error err;
    ms_fail(&err, MS_ERR_USAGE,
            "a command is needed, such as screen, list or convert; "
            "see 'motifsieve --help'");
    return ms_cli_error(&err);
  }
  const char *word = argv[1];
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    printf("motifsieve %s\n", ms_version());
    return ms_cli_close_stdout();
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
    return help();
  if (strcmp(word, "help") == 0) {
    if (argc == 2)
      return help();
    const struct command *about = find_command(argv[2]);
    char option[] = "--help", *ask[] = {argv[2], option, NULL};
    return about ? about->run(2, ask) : unknown(argv[2]);
  }
  const struct command *command = find_command(word);
  return command ? command->run(argc - 1, argv + 1) : unknown(word);
}
