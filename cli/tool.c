/* Picks the command, or prints help about the tool. */
#include "base/file/descriptor.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/signals.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* jansson 2.14 does not notice if the memory for a growing token is refused, and writes beyond its
 * buffer if the next request is granted.  So after a refusal all further requests are refused: the
 * command ends for lack of memory anyway. */
static void *allocate_json(size_t bytes)
{
  static atomic_bool refused;
  void *block = atomic_load(&refused) ? NULL : malloc(bytes);
  if (!block)
    atomic_store(&refused, true);
  return block;
}

static int refuse_unknown(const char *word)
{
  ms_error err;
  const char *names[64];
  size_t n = 0;
  for (size_t c = 0; c < ms_command_count; c++)
    if (ms_commands[c].brief)
      names[n++] = ms_commands[c].name;
  const char *nearest = ms_cli_nearest(word, names, n);
  bool option = word[0] == '-';
  if (option)
    ms_fail(&err, MS_ERR_USAGE,
            "a command comes first, before option '%s'; see 'motifsieve --help'", word);
  else if (strcmp(word, "typed-match") == 0)
    ms_fail(&err, MS_ERR_USAGE,
            "there is no command 'typed-match' any more; write 'motifsieve match GRAPH PATTERN'");
  else if (nearest)
    ms_fail(&err, MS_ERR_USAGE, "unknown command '%s'; did you mean '%s'? see 'motifsieve --help'",
            word, nearest);
  else
    ms_fail(&err, MS_ERR_USAGE, "unknown command '%s'; see 'motifsieve --help'", word);
  return ms_cli_error(&err);
}

/* Returns the command of this name; NULL: the word is no command, such as "bench gf2" as one
 * word. */
static const ms_command *find_command(const char *name)
{
  const ms_command *command = ms_command_find(name);
  return command && command->brief ? command : NULL;
}

/* Prints the help of the tool. */
static int print_help(void)
{
  ms_print("Usage: motifsieve %s\n%s\n\nCommands:\n", ms_tool.usage, ms_tool.about);
  for (size_t c = 0; c < ms_command_count; c++)
    if (ms_commands[c].brief)
      ms_print("  %-11s %s\n", ms_commands[c].name, ms_commands[c].brief);
  ms_print("\n"
           "'motifsieve COMMAND --help' shows the options of a command that matter most,\n"
           "'motifsieve COMMAND --help=all' all of them.\n"
           "  -h, --help     show this help\n"
           "  -V, --version  show the version\n"
           "\n%s\nExit status:\n",
           ms_tool.after);
  for (size_t i = 0; i < MS_EXIT_CODES; i++)
    ms_print("  %d  %s\n", ms_exit_helps[i].code, ms_exit_helps[i].help);
  return ms_print_end();
}

/* Runs 'help' and 'help COMMAND', and for the build 'help --man [COMMAND]' and 'help --completion
 * SHELL', which --help does not mention. */
static int help_about(int words, char **word)
{
  if (words == 0)
    return print_help();
  bool man = strcmp(word[0], "--man") == 0;
  if (man && words == 1)
    return ms_manual_overview();
  if (strcmp(word[0], "--completion") == 0 && words == 2 && strcmp(word[1], "bash") == 0)
    return ms_completion_bash();
  if (strcmp(word[0], "--completion") == 0 && words == 2 && strcmp(word[1], "zsh") == 0)
    return ms_completion_zsh();
  const ms_command *command = find_command(word[man]);
  if (!command)
    return refuse_unknown(word[man]);
  return man ? ms_manual_command(command) : ms_help_command(command, false);
}

int ms_tool_run(int argc, char **argv)
{
  if (!ms_open_missing_streams())
    return MS_EXIT_FILE; /* there is no /dev/null, and nowhere to say so */
  /* The hooks are the process's, which is the tool's own. */
  json_set_alloc_funcs(allocate_json, free);
  ms_catch_signals(NULL, false);
  if (argc < 2) {
    ms_error err;
    ms_fail(&err, MS_ERR_USAGE,
            "a command is needed, such as screen, list or convert; "
            "see 'motifsieve --help'");
    return ms_cli_error(&err);
  }
  const char *word = argv[1];
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    ms_print("motifsieve %s\n", ms_version());
    return ms_print_end();
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
    return print_help();
  if (strcmp(word, "help") == 0)
    return help_about(argc - 2, argv + 2);
  return find_command(word) ? ms_command_run(argc - 1, argv + 1) : refuse_unknown(word);
}
