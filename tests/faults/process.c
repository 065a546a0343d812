/* Runs the tool. */
#include "tests/faults/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE_FILE "page"
#define ERRORS_FILE "stderr"

extern char **environ;

double seconds_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop_with(const char *what)
{
  perror(what);
  exit(EXIT_FAILURE);
}

char *read_file(const char *path, size_t *size)
{
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  if (fstat(fd, &info) != 0)
    stop_with(path);
  char *text = malloc((size_t)info.st_size + 1);
  ssize_t got = text ? read(fd, text, (size_t)info.st_size) : -1;
  if (got < 0)
    stop_with(path);
  text[got] = '\0';
  close(fd);
  *size = (size_t)got;
  return text;
}

void worker_open(worker *w, const char *tool, const char *shim)
{
  int fd = open(PAGE_FILE, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(fault_page)) != 0)
    stop_with(PAGE_FILE);
  *w = (worker){.tool = tool, .shim = shim};
  w->page = mmap(NULL, sizeof(fault_page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (w->page == MAP_FAILED)
    stop_with(PAGE_FILE);
  close(fd);
  if (mkdir(OUTPUT_FOLDER, 0700) != 0 && errno != EEXIST)
    stop_with(OUTPUT_FOLDER);
  /* A crash is a finding; its core file is of no use here.  SIGCHLD is waited for. */
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
}

/* The environment of the tool; the strings stay in place. */
static char **environment(const worker *w)
{
  static char preload[4200], page[64];
  static char *list[300];
  int n = 0;
  for (char **e = environ; *e && n < 290; e++)
    if (strncmp(*e, "LD_PRELOAD=", 11) != 0)
      list[n++] = *e;
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", w->shim);
  snprintf(page, sizeof page, FAULT_ENVIRONMENT "=" PAGE_FILE);
  list[n++] = preload;
  list[n++] = page;
  list[n] = NULL;
  return list;
}

static pid_t start(const worker *w, char *const words[], const char *to, char **env)
{
  char *argv[MAX_WORDS + 2] = {(char *)"motifsieve"};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  pid_t pid;
  for (int i = 0; i < MAX_WORDS && words[i]; i++)
    argv[i + 1] = words[i];
  sigemptyset(&none);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, ERRORS_FILE, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int error = posix_spawn(&pid, w->tool, &actions, &attributes, argv, env);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error) {
    errno = error;
    stop_with(w->tool);
  }
  return pid;
}

/* Waits until the process has ended or so many seconds are over; true if it has ended. */
static bool wait_for(pid_t pid, double seconds, int *status)
{
  double end = seconds_now() + seconds;
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  for (;;) {
    if (waitpid(pid, status, WNOHANG) == pid)
      return true;
    double left = end - seconds_now();
    if (left <= 0)
      return false;
    struct timespec rest = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};
    sigtimedwait(&child, NULL, &rest);
  }
}

static ending wait_and_end(pid_t pid, double kill_after)
{
  ending e = {.status = -1};
  int status;
  if (!wait_for(pid, kill_after > 0 ? kill_after : RUN_SECONDS, &status)) {
    e.hung = kill_after == 0;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
  }
  if (WIFEXITED(status))
    e.status = WEXITSTATUS(status);
  else
    e.signal = WTERMSIG(status);
  return e;
}

ending run_tool(worker *w, char *const words[], double kill_after)
{
  size_t size;
  fault_page *page = w->page;
  page->running = page->fired = page->n_frames = 0;
  for (int k = 0; k < FAULT_KINDS; k++)
    page->calls[k] = 0;
  ending e = wait_and_end(start(w, words, STDOUT_FILE, environment(w)), kill_after);
  e.errors = read_file(ERRORS_FILE, &size);
  return e;
}

int run_plainly(worker *w, char *const words[], const char *to)
{
  return wait_and_end(start(w, words, to, environ), 0).status;
}
