/* motifsieve: pick the subcommand. */
#include "cli/cli.h"

#include "base/status.h"
#include "cli/completion.h"
#include "cli/job.h"
#include "cli/manual.h"

#include <stdio.h>
#include <string.h>

static const ms_cli_command commands[] = {
    {"screen", ms_cmd_screen, "which vertices take part in a connected match of a colour motif"},
    {"list", ms_cmd_list, "list (or count) every match of a motif or pattern"},
    {"plan", ms_cmd_plan, "tell how a pattern would be searched for"},
    {"typed-match", ms_cmd_typed_match, "list the matches of a pattern with types of edges"},
    {"filter", ms_cmd_filter, "keep the edges whose types a pattern has"},
    {"verify", ms_cmd_verify, "re-check a result file from graph and colours alone"},
    {"convert", ms_cmd_convert, "write a graph, with its colours, in another format"},
    {"stats", ms_cmd_stats, "count degrees, components, colours, and what pruning would leave"},
    {"components", ms_cmd_components, "connected components, the largest first"},
    {"path", ms_cmd_path, "shortest paths in a graph whose edges have types"},
    {"gen", ms_cmd_gen, "make a random graph, with uniform or planted colours"},
    {"bench", ms_cmd_bench, "measure the arithmetic and the sieve on this machine"},
    {"info", ms_cmd_info, "what this machine and this build offer"},
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

static const ms_cli_overview overview = {
    .commands = commands,
    .n_commands = N_COMMANDS,
    .brief = "connected groups of vertices with a given set of colours",
    .usage = "COMMAND [OPTION]... [FILE]...",
    .about = "Find connected groups of vertices with a given set of colours: for example, in a\n"
             "protein network, the modules that have a given set of functions.",
    .after =
        "Examples:\n"
        "  motifsieve screen network.tsv --colors functions.tsv --motif 'kinase:2,phosphatase,*:1'\n"
        "  motifsieve list network.tsv.gz --colors functions.tsv --motif-file motif.txt -o "
        "modules.tsv\n"
        "  motifsieve list network.tsv.gz --pattern clique:4 --output cliques.tsv\n"
        "  motifsieve verify modules.tsv network.tsv.gz --colors functions.tsv\n",
};

static int help(void)
{
  printf("Usage: motifsieve %s\n%s\n\nCommands:\n", overview.usage, overview.about);
  for (size_t i = 0; i < N_COMMANDS; i++)
    printf("  %-11s %s\n", commands[i].name, commands[i].help);
  printf("\n"
         "'motifsieve COMMAND --help' tells the options of a command.\n"
         "  -h, --help     this help\n"
         "  -V, --version  the version\n"
         "\n%s\nExit status:\n",
         overview.after);
  for (size_t i = 0; i <= MS_EXIT_NONE; i++)
    printf("  %d  %s\n", ms_exit_helps[i].code, ms_exit_helps[i].help);
  return ms_cli_close_stdout();
}

static const ms_cli_command *find_command(const char *name)
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

/* 'help', 'help COMMAND', and for the build 'help --man [COMMAND]' and 'help
 * --completion SHELL', which --help does not mention. */
static int help_about(int words, char **word)
{
  if (words == 0)
    return help();
  if (strcmp(word[0], "--man") == 0 && words == 1)
    return ms_manual_overview(&overview);
  if (strcmp(word[0], "--completion") == 0 && words == 2 && strcmp(word[1], "bash") == 0)
    return ms_completion_bash(&overview);
  if (strcmp(word[0], "--completion") == 0 && words == 2 && strcmp(word[1], "zsh") == 0)
    return ms_completion_zsh(&overview);
  bool man = strcmp(word[0], "--man") == 0;
  char option[] = "--help", *about = word[man], *ask[] = {about, option, NULL};
  const ms_cli_command *command = find_command(about);
  if (!command)
    return unknown(about);
  return man ? ms_manual_command(command) : command->run(2, ask);
}

int main(int argc, char **argv)
{
  ms_signals_to(NULL);
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
  if (strcmp(word, "help") == 0)
    return help_about(argc - 2, argv + 2);
  const ms_cli_command *command = find_command(word);
  return command ? command->run(argc - 1, argv + 1) : unknown(word);
}
