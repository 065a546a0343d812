/* Completion for shells, made from the tables of commands and options. */
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/option_table.h"

#include <stdio.h>
#include <string.h>

/* ---- what a command has ---------------------------------------------------- */

/* Returns the second word of the i-th command that is a part of another, such as "gf2" of "bench";
 * NULL after the last. */
static const char *part_of(const char *command, uint32_t part)
{
  size_t length = strlen(command);
  for (size_t c = 0; c < ms_command_count; c++) {
    const char *name = ms_commands[c].name;
    if (strncmp(name, command, length) == 0 && name[length] == ' ' && part-- == 0)
      return name + length + 1;
  }
  return NULL;
}

static bool takes_files(const ms_command *command)
{
  return command->operands[0] && !ms_operand_word(command, 0);
}

static void put_operands(const ms_command *command)
{
  const char *word;
  for (uint32_t i = 0; (word = ms_operand_word(command, i)); i++)
    printf("%s%s", i ? " " : "", word);
}

static void put_values(const ms_option_row *row)
{
  const char *value;
  for (uint32_t i = 0; (value = row->word(i)); i++)
    printf("%s%s", i ? " " : "", value);
}

/* ---- bash ------------------------------------------------------------------ */

typedef enum value_kind { VALUE_NONE, VALUE_FILE, VALUE_NAMED, VALUE_FREE } value_kind;

static value_kind kind_of(const ms_option_row *row)
{
  if (!row->argument)
    return VALUE_NONE;
  if (row->file)
    return VALUE_FILE;
  return row->word ? VALUE_NAMED : VALUE_FREE;
}

/* Prints the branch of `case` for all options of a kind, or for `only`; prints nothing if there is
 * none. */
static void bash_branch(const ms_command *command, value_kind kind, const ms_option_row *only)
{
  const char *before = "    ";
  for (const ms_option_row *row = ms_option_rows; row < ms_option_rows + ms_option_row_count;
       row++) {
    if (!(row->commands & command->bit) || kind_of(row) != kind || (only && row != only))
      continue;
    if (row->letter)
      printf("%s-%c|--%s", before, row->letter, row->name);
    else
      printf("%s--%s", before, row->name);
    if (row->also)
      printf("|--%s", row->also);
    before = "|";
  }
  if (*before == ' ')
    return;
  if (only && only->optional) { /* the next word is its value only after = */
    printf(") [[ $equals ]] && kind=none options='");
    put_values(only);
    puts("' ;;");
    return;
  }
  printf(") kind=%s options='", kind == VALUE_FILE ? "file" : "none");
  if (only)
    put_values(only);
  puts("' ;;");
}

/* Prints an option; one whose value may be left out, with each of its values, too. */
static void bash_option(const ms_option_row *row)
{
  const char *value;
  printf(" --%s", row->name);
  for (uint32_t i = 0; row->optional && (value = row->word(i)); i++)
    printf(" --%s=%s", row->name, value);
}

static void bash_command(const ms_command *command)
{
  printf("  '%s')\n    kind=%s options='", command->name, takes_files(command) ? "file" : "none");
  put_operands(command);
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (ms_option_rows[r].commands & command->bit)
      bash_option(&ms_option_rows[r]);
  puts("'\n    case $previous in");
  bash_branch(command, VALUE_FILE, NULL);
  bash_branch(command, VALUE_FREE, NULL);
  for (size_t r = 0; r < ms_option_row_count; r++)
    bash_branch(command, VALUE_NAMED, &ms_option_rows[r]);
  puts("    esac ;;");
}

/* Prints, for each command of several parts, the choice of the part and then its options. */
static void bash_parts(void)
{
  for (size_t c = 0; c < ms_command_count; c++) {
    const char *name = ms_commands[c].name, *part;
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

int ms_completion_bash(void)
{
  fputs("# bash completion for motifsieve, made by 'motifsieve help --completion bash'\n"
        "_motifsieve()\n{\n"
        "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
        "  local command=${COMP_WORDS[1]} options='' kind=none equals='' commands='",
        stdout);
  for (size_t c = 0; c < ms_command_count; c++)
    if (ms_commands[c].brief)
      printf("%s%s", c ? " " : "", ms_commands[c].name);
  puts("'\n"
       "  # --option=value comes as three words\n"
       "  if [[ $current == = ]]; then\n"
       "    current= equals=1\n"
       "  elif [[ $previous == = ]]; then\n"
       "    previous=${COMP_WORDS[COMP_CWORD-2]} equals=1\n"
       "  fi");
  bash_parts();
  puts("  if [[ $COMP_CWORD -eq 1 ]]; then\n"
       "    command=none options=\"$commands help --help --version\"\n"
       "  fi\n"
       "  case $command in\n"
       "  help) [[ $COMP_CWORD -eq 2 ]] && options=$commands ;;");
  for (size_t c = 0; c < ms_command_count; c++)
    bash_command(&ms_commands[c]);
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

/* Prints text inside single quotes and brackets, with its lines joined into one. */
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

/* Prints what follows the explanation: the argument, and its possible values. */
static void zsh_argument(const ms_option_row *row)
{
  if (!row->argument)
    return;
  printf(":%s:", row->argument);
  if (row->file) {
    fputs("_files", stdout);
  } else if (row->word) {
    putchar('(');
    put_values(row);
    putchar(')');
  } else {
    putchar(' ');
  }
}

/* Prints "-h" and "--help[=all]" as two, as only the long one takes a value. */
static void zsh_optional(const ms_option_row *row)
{
  for (int with_value = 0; with_value < 2; with_value++) {
    printf("        '(-%c --%s)", row->letter, row->name);
    if (with_value)
      printf("--%s=-[", row->name);
    else
      printf("-%c[", row->letter);
    zsh_text(row->help);
    printf("]%s%s%s", with_value ? "::" : "", with_value ? row->argument : "",
           with_value ? ":(" : "");
    if (with_value)
      put_values(row);
    printf("%s' \\\n", with_value ? ")" : "");
  }
}

/* Prints an option as '(-c --colors)'{-c+,--colors=}'[vertex colours]:FILE:_files'. */
static void zsh_option(const ms_option_row *row)
{
  const char *equals = row->argument ? "=" : "";
  bool again = row->set == ms_set_required;
  if (row->optional) {
    zsh_optional(row);
    return;
  }
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

static void zsh_command(const ms_command *command, const char *word)
{
  printf("    %s)\n      _arguments -s \\\n", word);
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (ms_option_rows[r].commands & command->bit)
      zsh_option(&ms_option_rows[r]);
  if (takes_files(command)) {
    puts("        '*:file:_files' ;;");
    return;
  }
  fputs("        '1:operand:(", stdout);
  put_operands(command);
  puts(")' ;;");
}

/* Prints the choice among the parts of a command by its next word. */
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
    zsh_command(ms_command_find(whole), part);
  }
  puts("      esac ;;");
}

int ms_completion_zsh(void)
{
  puts("#compdef motifsieve\n"
       "# made by 'motifsieve help --completion zsh'\n"
       "_motifsieve()\n{\n"
       "  local curcontext=$curcontext state line\n"
       "  local -a commands=(");
  for (size_t c = 0; c < ms_command_count; c++) {
    if (!ms_commands[c].brief)
      continue;
    printf("    '%s:", ms_commands[c].name);
    zsh_text(ms_commands[c].brief);
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
  for (const ms_command *row = ms_commands; row < ms_commands + ms_command_count; row++) {
    if (row->brief && part_of(row->name, 0))
      zsh_parts(row->name);
    else if (row->brief)
      zsh_command(row, row->name);
  }
  puts("    esac ;;\n"
       "  esac\n"
       "}\n"
       "_motifsieve \"$@\"");
  return ms_cli_close_stdout();
}
