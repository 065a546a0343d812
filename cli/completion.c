#include "cli/completion.h"

#include "cli/option_table.h"

#include <stdio.h>
#include <string.h>

/* ---- what a command has ---------------------------------------------------- */

static const ms_command_help *help_called(const char *name)
{
  const ms_command_help *help;
  for (uint32_t i = 0; (help = ms_command_help_at(i)); i++)
    if (strcmp(ms_command_name(help->command), name) == 0)
      break;
  return help;
}

/* The second word of the i-th help that is a part of the command, such as
 * "gf2" of "bench"; NULL after the last. */
static const char *part_of(const char *command, uint32_t part)
{
  const ms_command_help *help;
  size_t length = strlen(command);
  for (uint32_t i = 0; (help = ms_command_help_at(i)); i++) {
    const char *name = ms_command_name(help->command);
    if (strncmp(name, command, length) == 0 && name[length] == ' ' && part-- == 0)
      return name + length + 1;
  }
  return NULL;
}

static bool takes_file(const ms_option_row *row)
{
  /* --slim and --pattern take a file, too, where it is no name */
  return row->argument &&
         (strcmp(row->argument, "FILE") == 0 || row->key == KEY_SLIM || row->key == KEY_PATTERN);
}

/* The operands of a command are files, unless they are words. */
static bool takes_files(const ms_command_help *help)
{
  return help->usage[0] >= 'A' && help->usage[0] <= 'Z' && !ms_operand_value(help->command, 0);
}

static void put_operands(ms_command command)
{
  const char *word;
  for (uint32_t i = 0; (word = ms_operand_value(command, i)); i++)
    printf("%s%s", i ? " " : "", word);
}

static void put_values(ms_option_key key)
{
  const char *value;
  for (uint32_t i = 0; (value = ms_option_value(key, i)); i++)
    printf("%s%s", i ? " " : "", value);
}

/* ---- bash ------------------------------------------------------------------ */

typedef enum value_kind { VALUE_NONE, VALUE_FILE, VALUE_NAMED, VALUE_FREE } value_kind;

static value_kind kind_of(const ms_option_row *row)
{
  if (!row->argument)
    return VALUE_NONE;
  if (takes_file(row))
    return VALUE_FILE;
  return ms_option_value(row->key, 0) ? VALUE_NAMED : VALUE_FREE;
}

/* The branch of `case` for all options of a kind, or for one of them; nothing
 * if there is none. */
static void bash_branch(ms_command command, value_kind kind, const ms_option_row *only)
{
  const char *before = "    ";
  for (const ms_option_row *row = ms_option_rows; row < ms_option_rows + MS_OPTION_ROWS; row++) {
    if (!(row->commands & command) || kind_of(row) != kind || (only && row != only))
      continue;
    if (row->letter)
      printf("%s-%c|--%s", before, row->letter, row->name);
    else
      printf("%s--%s", before, row->name);
    before = "|";
  }
  if (*before == ' ')
    return;
  printf(") kind=%s options='", kind == VALUE_FILE ? "file" : "none");
  if (only)
    put_values(only->key);
  puts("' ;;");
}

static void bash_command(const ms_command_help *help)
{
  ms_command command = help->command;
  printf("  '%s')\n    kind=%s options='", ms_command_name(command),
         takes_files(help) ? "file" : "none");
  put_operands(command);
  for (size_t r = 0; r < MS_OPTION_ROWS; r++)
    if (ms_option_rows[r].commands & command && ms_option_rows[r].help)
      printf(" --%s", ms_option_rows[r].name);
  puts("'\n    case $previous in");
  bash_branch(command, VALUE_FILE, NULL);
  bash_branch(command, VALUE_FREE, NULL);
  for (size_t r = 0; r < MS_OPTION_ROWS; r++)
    bash_branch(command, VALUE_NAMED, &ms_option_rows[r]);
  puts("    esac ;;");
}

/* A command of several parts: which one comes next, and then its options. */
static void bash_parts(const ms_cli_overview *overview)
{
  for (size_t c = 0; c < overview->n_commands; c++) {
    const char *name = overview->commands[c].name, *part;
    if (!part_of(name, 0))
      continue;
    printf("  if [[ $command == %s && $COMP_CWORD -eq 2 ]]; then\n    command=parts options='",
           name);
    for (uint32_t i = 0; (part = part_of(name, i)); i++)
      printf("%s ", part);
    printf("--help'\n"
           "  elif [[ $command == %s ]]; then\n"
           "    command=\"%s ${COMP_WORDS[2]}\"\n"
           "  fi\n",
           name, name);
  }
}

int ms_completion_bash(const ms_cli_overview *overview)
{
  const ms_command_help *help;
  fputs("# bash completion for motifsieve, made by 'motifsieve help --completion bash'\n"
        "_motifsieve()\n{\n"
        "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
        "  local command=${COMP_WORDS[1]} options='' kind=none commands='",
        stdout);
  for (size_t c = 0; c < overview->n_commands; c++)
    printf("%s%s", c ? " " : "", overview->commands[c].name);
  puts("'\n"
       "  # --option=value comes as three words\n"
       "  if [[ $current == = ]]; then\n"
       "    current=\n"
       "  elif [[ $previous == = ]]; then\n"
       "    previous=${COMP_WORDS[COMP_CWORD-2]}\n"
       "  fi");
  bash_parts(overview);
  puts("  if [[ $COMP_CWORD -eq 1 ]]; then\n"
       "    command=none options=\"$commands help --help --version\"\n"
       "  fi\n"
       "  case $command in\n"
       "  help) [[ $COMP_CWORD -eq 2 ]] && options=$commands ;;");
  for (uint32_t i = 0; (help = ms_command_help_at(i)); i++)
    bash_command(help);
  puts("  esac\n"
       "  COMPREPLY=()\n"
       "  if [[ $kind == file && $current != -?* ]]; then\n"
       "    compopt -o filenames 2>/dev/null\n"
       "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
       "  else\n"
       "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
       "  fi\n"
       "}\n"
       "complete -F _motifsieve motifsieve");
  return ms_cli_close_stdout();
}

/* ---- zsh ------------------------------------------------------------------- */

/* Inside single quotes and brackets; lines become one. */
static void zsh_text(const char *text)
{
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (*text == '\n')
      putchar(' ');
    else {
      if (strchr("[]:\\", *text))
        putchar('\\');
      putchar(*text);
    }
}

/* What stands after the explanation: the argument, and what it may be. */
static void zsh_argument(const ms_option_row *row)
{
  if (!row->argument)
    return;
  printf(":%s:", row->argument);
  if (takes_file(row)) {
    fputs("_files", stdout);
  } else if (ms_option_value(row->key, 0)) {
    putchar('(');
    put_values(row->key);
    putchar(')');
  } else {
    putchar(' ');
  }
}

/* '(-c --colors)'{-c+,--colors=}'[vertex colours]:FILE:_files' */
static void zsh_option(const ms_option_row *row)
{
  const char *equals = row->argument ? "=" : "";
  bool again = row->key == KEY_REQUIRE;
  fputs("        ", stdout);
  if (again)
    fputs("'*'", stdout);
  else if (row->letter)
    printf("'(-%c --%s)'", row->letter, row->name);
  if (row->letter)
    printf("{-%c%s,--%s%s}'[", row->letter, row->argument ? "+" : "", row->name, equals);
  else
    printf("'--%s%s[", row->name, equals);
  zsh_text(row->help);
  putchar(']');
  zsh_argument(row);
  puts("' \\");
}

static void zsh_command(const ms_command_help *help, const char *word)
{
  printf("    %s)\n      _arguments -s \\\n", word);
  for (size_t r = 0; r < MS_OPTION_ROWS; r++)
    if (ms_option_rows[r].commands & help->command && ms_option_rows[r].help)
      zsh_option(&ms_option_rows[r]);
  if (takes_files(help)) {
    puts("        '*:file:_files' ;;");
    return;
  }
  fputs("        '1:operand:(", stdout);
  put_operands(help->command);
  puts(")' ;;");
}

/* A command that is several chooses by its next word. */
static void zsh_parts(const char *name)
{
  const char *part;
  char whole[64];
  printf("    %s)\n      if (( CURRENT == 2 )); then\n        compadd -- --help", name);
  for (uint32_t i = 0; (part = part_of(name, i)); i++)
    printf(" %s", part);
  puts("\n"
       "        return\n"
       "      fi\n"
       "      shift words\n"
       "      (( CURRENT-- ))\n"
       "      case $words[1] in");
  for (uint32_t i = 0; (part = part_of(name, i)); i++) {
    snprintf(whole, sizeof whole, "%s %s", name, part);
    zsh_command(help_called(whole), part);
  }
  puts("      esac ;;");
}

int ms_completion_zsh(const ms_cli_overview *overview)
{
  puts("#compdef motifsieve\n"
       "# made by 'motifsieve help --completion zsh'\n"
       "_motifsieve()\n{\n"
       "  local curcontext=$curcontext state line\n"
       "  local -a commands=(");
  for (size_t c = 0; c < overview->n_commands; c++) {
    printf("    '%s:", overview->commands[c].name);
    zsh_text(overview->commands[c].help);
    puts("'");
  }
  puts("    'help:the help of a command'\n"
       "  )\n"
       "  _arguments -C \\\n"
       "    '(- *)'{-h,--help}'[the list of commands]' \\\n"
       "    '(- *)'{-V,--version}'[the version]' \\\n"
       "    '1: :->command' \\\n"
       "    '*:: :->rest' && return 0\n"
       "  case $state in\n"
       "  command) _describe command commands ;;\n"
       "  rest)\n"
       "    case $words[1] in\n"
       "    help) (( CURRENT == 2 )) && _describe command commands ;;");
  for (size_t c = 0; c < overview->n_commands; c++) {
    const ms_command_help *help = help_called(overview->commands[c].name);
    if (help && part_of(overview->commands[c].name, 0))
      zsh_parts(overview->commands[c].name);
    else if (help)
      zsh_command(help, overview->commands[c].name);
  }
  puts("    esac ;;\n"
       "  esac\n"
       "}\n"
       "_motifsieve \"$@\"");
  return ms_cli_close_stdout();
}
