/* See fuzz.h. */
#include "tests/fuzz/fuzz.h"

#include "base/hooks.h"
#include "base/threads/threads.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define KIB ((size_t)1 << 10)
/* No input of some kilobytes may need more.  A line may have 64 MiB, which a compressed file of a
 * few kilobytes can hold, and its buffer doubles. */
#define HEAP_LIMIT (512 * KIB * KIB)

/* what the library starts with */
#define WORK_FOR_THREADS (1 << 17)

bool fuzz_accepted;
int fuzz_threads = 1;
fuzz_file fuzz_output;

/* ---- memory --------------------------------------------------------------- */

static _Atomic size_t live_bytes, live_blocks;

static void *take(void *block)
{
  if (block) {
    live_bytes += malloc_usable_size(block);
    live_blocks++;
  }
  return block;
}

static void *heap_alloc(void *user, size_t bytes, size_t align)
{
  void *block = NULL;
  (void)user;
  if (bytes > HEAP_LIMIT || live_bytes > HEAP_LIMIT - bytes)
    return NULL;
  if (align <= _Alignof(max_align_t))
    return take(malloc(bytes));
  return posix_memalign(&block, align, bytes) == 0 ? take(block) : NULL;
}

static void *heap_resize(void *user, void *block, size_t old_bytes, size_t bytes)
{
  (void)user;
  (void)old_bytes;
  size_t before = block ? malloc_usable_size(block) : 0;
  if (bytes > HEAP_LIMIT || live_bytes > HEAP_LIMIT - bytes)
    return NULL;
  void *larger = realloc(block, bytes);
  if (larger) {
    live_bytes += malloc_usable_size(larger) - before;
    live_blocks += !block;
  }
  return larger;
}

static void heap_release(void *user, void *block)
{
  (void)user;
  if (!block)
    return;
  live_bytes -= malloc_usable_size(block);
  live_blocks--;
  free(block);
}

/* ---- files ---------------------------------------------------------------- */

void fuzz_file_open(fuzz_file *file)
{
  file->fd = memfd_create("fuzz", 0);
  fuzz_require(file->fd >= 0, "no file in memory");
  snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->fd);
}

static void clear(int fd)
{
  fuzz_require(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0, "cannot empty a file");
}

void fuzz_file_set(fuzz_file *file, const void *data, size_t size)
{
  clear(file->fd);
  fuzz_require(write(file->fd, data, size) == (ssize_t)size, "cannot write a file in memory");
}

void fuzz_output_clear(void)
{
  clear(fuzz_output.fd);
}

static void catch_output(void)
{
  fuzz_file_open(&fuzz_output);
  fuzz_require(dup2(fuzz_output.fd, STDOUT_FILENO) == STDOUT_FILENO, "no standard output");
  close(fuzz_output.fd);
  fuzz_output = (fuzz_file){STDOUT_FILENO, "/proc/self/fd/1"};
}

/* ---- findings ------------------------------------------------------------- */

void fuzz_require(bool right, const char *format, ...)
{
  va_list args;
  if (right)
    return;
  va_start(args, format);
  fputs("FINDING: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  abort();
}

bool fuzz_ok(ms_status status, unsigned refusals, const ms_error *err)
{
  if (status == MS_OK)
    return true;
  fuzz_require(refusals & 1u << status, "status %d: %s", (int)status, err->message);
  fuzz_require(err->status == status && err->message[0], "a refusal without a message");
  return false;
}

/* ---- inputs --------------------------------------------------------------- */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  static const ms_allocator heap = {heap_alloc, heap_resize, heap_release, NULL};
  (void)argc;
  (void)argv;
  ms_set_allocator(&heap);
  catch_output();
  fuzz_setup();
  return 0;
}

static int choose_threads(const uint8_t *data, size_t size)
{
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ data[i]) * 16777619u;
  return hash >> 16 & 7 ? 1 : 3;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  size_t before = live_blocks;
  fuzz_threads = choose_threads(data, size);
  ms_hooks.work_for_threads = fuzz_threads > 1 ? 1 : WORK_FOR_THREADS;
  fuzz_accepted = fuzz_input(data, size);
  fuzz_require(live_blocks == before, "%zu blocks are not freed", live_blocks - before);
  return 0;
}
