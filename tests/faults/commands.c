/* Reads the table of commands. */
#include "tests/faults/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse(const char *path, int number, const char *what)
{
  fprintf(stderr, "%s:%d: %s\n", path, number, what);
  exit(EXIT_FAILURE);
}

/* Cuts the next word off the text; NULL at its end.  The word may begin with a quoted part. */
static char *next_word(char **text)
{
  char *from = *text + strspn(*text, " ");
  if (!*from)
    return NULL;
  char quote = *from == '\'' ? '\'' : ' ';
  from += quote == '\'';
  char *end = strchr(from, quote);
  *text = end ? end + 1 : from + strlen(from);
  if (end)
    *end = '\0';
  return from;
}

/* Returns the word as an argument: the path of an output for @FILE and ~FILE. */
static char *argument(command *c, char *word)
{
  bool varies = *word == '~';
  if (*word != '@' && !varies)
    return word;
  char *path = malloc(strlen(word) + sizeof OUTPUT_FOLDER);
  if (!path)
    abort();
  sprintf(path, OUTPUT_FOLDER "/%s", word + 1);
  for (int i = 1; i < c->n_outputs; i++)
    if (strcmp(c->outputs[i].path, path) == 0)
      return path;
  if (c->n_outputs < MAX_OUTPUTS)
    c->outputs[c->n_outputs++] = (output){.path = path, .varies = varies};
  return path;
}

static void read_line(const char *path, int number, char *line, command *c)
{
  char *colon = strchr(line, ':'), *word;
  if (!colon)
    refuse(path, number, "NAME: ARGUMENTS is wanted");
  *colon = '\0';
  char *blank = strchr(line, ' ');
  if (blank)
    *blank = '\0';
  bool varies = *line == '~';
  *c = (command){.name = line + varies, .n_outputs = 1};
  c->status = blank ? atoi(blank + 1) : 0;
  c->outputs[0] = (output){.path = STDOUT_FILE, .varies = varies};
  char *text = colon + 1, **words = c->words;
  for (int n = 0; (word = next_word(&text)); n++) {
    if (strcmp(word, "=>") == 0) {
      words = c->verify;
      n = -1;
    } else if (n == MAX_WORDS) {
      refuse(path, number, "too many words");
    } else {
      words[n] = argument(c, word);
    }
  }
}

int read_commands(const char *path, command commands[MAX_COMMANDS])
{
  size_t size;
  int n = 0, number = 0;
  char *text = read_file(path, &size);
  if (!text)
    refuse(path, 0, "cannot be read");
  for (char *line = text, *end; *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end)
      *end++ = '\0';
    number++;
    if (!*line || *line == '#')
      continue;
    if (n == MAX_COMMANDS)
      refuse(path, number, "too many commands");
    read_line(path, number, line, &commands[n++]);
  }
  return n; /* the commands point into the text */
}
