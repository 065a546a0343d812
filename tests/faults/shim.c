/* A library for LD_PRELOAD that counts the calls of some functions of libc and makes one of them
 * fail, as page.h says.  It stands before libc, so that calls of the tool and of the libraries that
 * it uses are seen; calls inside libc are not, except allocations.  Calls count from the start of
 * main() to its end. */
#include "tests/faults/page.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Descriptors of files on a full disk. */
#define FULL_FILES 64

#define EXPORT __attribute__((visibility("default")))

static fault_page *page;
/* True in this thread while the shim itself calls libc. */
static __thread bool inside __attribute__((tls_model("initial-exec")));

/* Returns the next function of this name after the shim. */
static void *next(const char *name)
{
  bool was = inside;
  inside = true;
  void *found = dlsym(RTLD_NEXT, name);
  inside = was;
  return found;
}

/* Declares `real`, a pointer to the function that the shim stands before. */
#define REAL(type, name, ...)                                                                      \
  static type (*real)(__VA_ARGS__);                                                                \
  if (!real)                                                                                       \
  *(void **)&real = next(#name)

/* ---- faults -------------------------------------------------------------------- */

static int find_program(struct dl_phdr_info *info, size_t size, void *user)
{
  uintptr_t *range = user;
  (void)size;
  range[0] = range[1] = info->dlpi_addr; /* the first object is the program */
  for (int i = 0; i < info->dlpi_phnum; i++) {
    uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && end > range[1])
      range[1] = end;
  }
  return 1;
}

/* Notes where in the program the fault is. */
static void record_place(void)
{
  void *frames[64];
  uintptr_t range[2];
  inside = true;
  int n = backtrace(frames, 64);
  dl_iterate_phdr(find_program, range);
  for (int i = 0; i < n && page->n_frames < FAULT_FRAMES; i++) {
    uintptr_t at = (uintptr_t)frames[i];
    if (at > range[0] && at < range[1])
      page->frames[page->n_frames++] = at - range[0] - 1;
  }
  inside = false;
}

/* Counts a call; returns what shall happen to it. */
static fault_mode count_call(fault_kind kind)
{
  if (!page || inside || atomic_load_explicit(&page->running, memory_order_relaxed) != 1)
    return FAULT_NONE;
  uint64_t call = atomic_fetch_add(&page->calls[kind], 1) + 1;
  if (page->mode == FAULT_NONE || page->kind != kind || call < page->at ||
      (call > page->at && !page->for_good))
    return FAULT_NONE;
  if (atomic_fetch_add(&page->fired, 1) == 0)
    record_place();
  errno = page->error;
  return page->mode;
}

/* True if the call fails; errno says why. */
static bool fails(fault_kind kind)
{
  return count_call(kind) == FAULT_ERROR;
}

static void die(void)
{
  syscall(SYS_kill, getpid(), SIGKILL);
}

/* Comes before a call that changes files; the result goes to change_ends. */
static fault_mode change_begins(void)
{
  fault_mode mode = count_call(FAULT_CHANGE);
  if (mode == FAULT_KILL_BEFORE)
    die();
  return mode;
}

static void change_ends(fault_mode mode)
{
  if (mode == FAULT_KILL_HALF || mode == FAULT_KILL_AFTER)
    die();
}

/* Defines the function `name` as one that fails with `failure`. */
#define FAILING(kind, type, failure, name, parameters, arguments)                                  \
  EXPORT type name parameters                                                                      \
  {                                                                                                \
    REAL(type, name, PARAMETERS parameters);                                                       \
    return fails(kind) ? failure : real arguments;                                                 \
  }
/* The same for one that changes files. */
#define CHANGING(kind, type, failure, name, parameters, arguments)                                 \
  EXPORT type name parameters                                                                      \
  {                                                                                                \
    REAL(type, name, PARAMETERS parameters);                                                       \
    if (fails(kind))                                                                               \
      return failure;                                                                              \
    fault_mode change = change_begins();                                                           \
    type result = real arguments;                                                                  \
    change_ends(change);                                                                           \
    return result;                                                                                 \
  }
#define PARAMETERS(...) __VA_ARGS__

/* ---- memory -------------------------------------------------------------------- */

/* dlsym may want memory before it can say where malloc is. */
static char early[1 << 14];
static size_t early_used;

static void *early_block(size_t bytes)
{
  size_t from = (early_used + 15) / 16 * 16;
  if (bytes > sizeof early - from)
    return NULL;
  early_used = from + bytes;
  return early + from;
}

static bool is_early(const void *block)
{
  return (const char *)block >= early && (const char *)block < early + sizeof early;
}

EXPORT void *malloc(size_t bytes)
{
  static bool looking;
  static void *(*real)(size_t);
  if (!real) {
    if (looking)
      return early_block(bytes);
    looking = true;
    *(void **)&real = next("malloc");
    looking = false;
  }
  return fails(FAULT_MEMORY) ? NULL : real(bytes);
}

EXPORT void *calloc(size_t count, size_t size)
{
  static bool looking;
  static void *(*real)(size_t, size_t);
  if (!real) {
    if (looking)
      return early_block(count * size); /* never used before: zero */
    looking = true;
    *(void **)&real = next("calloc");
    looking = false;
  }
  return fails(FAULT_MEMORY) ? NULL : real(count, size);
}

EXPORT void free(void *block)
{
  REAL(void, free, void *);
  if (block && !is_early(block))
    real(block);
}

FAILING(FAULT_MEMORY, void *, NULL, realloc, (void *block, size_t bytes), (block, bytes))
FAILING(FAULT_MEMORY, void *, NULL, reallocarray, (void *block, size_t count, size_t size),
        (block, count, size))
FAILING(FAULT_MEMORY, void *, NULL, aligned_alloc, (size_t align, size_t bytes), (align, bytes))
FAILING(FAULT_MEMORY, void *, NULL, memalign, (size_t align, size_t bytes), (align, bytes))
FAILING(FAULT_MEMORY, int, ENOMEM, posix_memalign, (void **block, size_t align, size_t bytes),
        (block, align, bytes))
FAILING(FAULT_MMAP, void *, MAP_FAILED, mmap,
        (void *address, size_t bytes, int protection, int flags, int fd, off_t offset),
        (address, bytes, protection, flags, fd, offset))

/* ---- opening and closing ----------------------------------------------------------- */

static int opened(int (*real)(int, const char *, int, ...), int folder, const char *path, int flags,
                  va_list args)
{
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
  if (fails(FAULT_OPEN))
    return -1;
  fault_mode change = flags & (O_CREAT | O_TRUNC) ? change_begins() : FAULT_NONE;
  int fd = real(folder, path, flags, mode);
  change_ends(change);
  if (flags & O_EXCL && getenv("FAULT_SIGNAL"))
    raise(atoi(getenv("FAULT_SIGNAL")));
  return fd;
}

#define OPENING(name, folder, ...)                                                                 \
  EXPORT int name(__VA_ARGS__, int flags, ...)                                                     \
  {                                                                                                \
    REAL(int, openat, int, const char *, int, ...);                                                \
    va_list args;                                                                                  \
    va_start(args, flags);                                                                         \
    int fd = opened(real, folder, path, flags, args);                                              \
    va_end(args);                                                                                  \
    return fd;                                                                                     \
  }
OPENING(open, AT_FDCWD, const char *path)
OPENING(open64, AT_FDCWD, const char *path)
OPENING(openat, folder, int folder, const char *path)
OPENING(openat64, folder, int folder, const char *path)
FAILING(FAULT_OPEN, FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
FAILING(FAULT_OPEN, FILE *, NULL, fopen64, (const char *path, const char *mode), (path, mode))

/* The descriptor is closed in any case, as on Linux. */
EXPORT int close(int fd)
{
  REAL(int, close, int);
  bool failure = fails(FAULT_CLOSE);
  int error = errno;
  fault_mode mode = change_begins();
  int result = real(fd);
  change_ends(mode);
  if (!failure)
    return result;
  errno = error;
  return -1;
}

/* The stream finds a full disk at its descriptor. */
static int flushed(int (*real)(FILE *), FILE *stream)
{
  if (stream != stdout || count_call(FAULT_STDIO) != FAULT_ERROR)
    return real(stream);
  inside = true;
  int fd = fileno(stream), kept = dup(fd),
      full = (int)syscall(SYS_openat, AT_FDCWD, "/dev/full", O_WRONLY);
  if (full >= 0)
    dup2(full, fd);
  int result = real(stream), error = errno;
  dup2(kept, fd); /* fclose has closed it: open as before for the end of the process */
  syscall(SYS_close, kept);
  syscall(SYS_close, full);
  inside = false;
  errno = error;
  return result;
}

EXPORT int fflush(FILE *stream)
{
  REAL(int, fflush, FILE *);
  return flushed(real, stream);
}

EXPORT int fclose(FILE *stream)
{
  REAL(int, fclose, FILE *);
  return flushed(real, stream);
}

/* ---- reading and writing ------------------------------------------------------------- */

static size_t half(size_t bytes)
{
  return bytes > 1 ? bytes / 2 : bytes;
}

EXPORT ssize_t read(int fd, void *bytes, size_t size)
{
  REAL(ssize_t, read, int, void *, size_t);
  fault_mode mode = count_call(FAULT_READ);
  return mode == FAULT_ERROR ? -1 : real(fd, bytes, mode == FAULT_SHORT ? half(size) : size);
}

FAILING(FAULT_READ, ssize_t, -1, pread, (int fd, void *bytes, size_t size, off_t offset),
        (fd, bytes, size, offset))
FAILING(FAULT_READ, ssize_t, -1, pread64, (int fd, void *bytes, size_t size, off_t offset),
        (fd, bytes, size, offset))

/* Writes to a full disk: what the file has at the first such write is its greatest length. */
static ssize_t write_to_full(ssize_t (*real)(int, const void *, size_t), int fd, const void *bytes,
                             size_t size)
{
  static _Atomic off_t most[FULL_FILES]; /* 0: not known */
  struct stat info;
  off_t at = lseek(fd, 0, SEEK_CUR);
  if (syscall(SYS_fstat, fd, &info) != 0 || !S_ISREG(info.st_mode) || fd >= FULL_FILES || at < 0)
    return real(fd, bytes, size);
  if (most[fd] == 0)
    most[fd] = info.st_size + 1;
  off_t room = most[fd] - 1 - at;
  if (room > 0)
    return real(fd, bytes, (off_t)size < room ? size : (size_t)room);
  errno = ENOSPC;
  return -1;
}

EXPORT ssize_t write(int fd, const void *bytes, size_t size)
{
  REAL(ssize_t, write, int, const void *, size_t);
  if (fd == STDERR_FILENO) /* the message about a fault has to arrive */
    return real(fd, bytes, size);
  fault_mode mode = count_call(FAULT_WRITE);
  if (mode == FAULT_ERROR)
    return -1;
  if (mode == FAULT_FULL)
    return write_to_full(real, fd, bytes, size);
  fault_mode change = change_begins();
  bool part = mode == FAULT_SHORT || change == FAULT_KILL_HALF;
  ssize_t result = real(fd, bytes, part ? half(size) : size);
  change_ends(change);
  return result;
}

CHANGING(FAULT_WRITE, ssize_t, -1, pwrite, (int fd, const void *bytes, size_t size, off_t offset),
         (fd, bytes, size, offset))
CHANGING(FAULT_WRITE, ssize_t, -1, writev, (int fd, const struct iovec *parts, int n),
         (fd, parts, n))

/* ---- names, sizes and properties of files ---------------------------------------------- */

CHANGING(FAULT_RENAME, int, -1, rename, (const char *from, const char *to), (from, to))
CHANGING(FAULT_RENAME, int, -1, renameat, (int a, const char *from, int b, const char *to),
         (a, from, b, to))
CHANGING(FAULT_RENAME, int, -1, renameat2,
         (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
CHANGING(FAULT_RENAME, int, -1, link, (const char *from, const char *to), (from, to))
CHANGING(FAULT_RENAME, int, -1, linkat, (int a, const char *from, int b, const char *to, int flags),
         (a, from, b, to, flags))
CHANGING(FAULT_UNLINK, int, -1, unlink, (const char *path), (path))
CHANGING(FAULT_UNLINK, int, -1, unlinkat, (int folder, const char *path, int flags),
         (folder, path, flags))
CHANGING(FAULT_SYNC, int, -1, fsync, (int fd), (fd))
CHANGING(FAULT_SYNC, int, -1, fdatasync, (int fd), (fd))
FAILING(FAULT_SYNC, int, -1, sync_file_range, (int fd, off64_t from, off64_t bytes, unsigned flags),
        (fd, from, bytes, flags))
CHANGING(FAULT_EXTEND, int, -1, ftruncate, (int fd, off_t size), (fd, size))
CHANGING(FAULT_EXTEND, int, -1, ftruncate64, (int fd, off64_t size), (fd, size))
CHANGING(FAULT_EXTEND, int, -1, fallocate, (int fd, int mode, off_t from, off_t size),
         (fd, mode, from, size))
CHANGING(FAULT_EXTEND, int, page->error, posix_fallocate, (int fd, off_t from, off_t size),
         (fd, from, size))
FAILING(FAULT_STAT, int, -1, stat, (const char *path, struct stat *info), (path, info))
FAILING(FAULT_STAT, int, -1, lstat, (const char *path, struct stat *info), (path, info))
FAILING(FAULT_STAT, int, -1, fstat, (int fd, struct stat *info), (fd, info))
FAILING(FAULT_STAT, int, -1, fstatat, (int folder, const char *path, struct stat *info, int flags),
        (folder, path, info, flags))
FAILING(FAULT_STAT, int, -1, access, (const char *path, int mode), (path, mode))
FAILING(FAULT_STAT, int, -1, faccessat, (int folder, const char *path, int mode, int flags),
        (folder, path, mode, flags))
FAILING(FAULT_STAT, char *, NULL, realpath, (const char *path, char *resolved), (path, resolved))
CHANGING(FAULT_STAT, int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
CHANGING(FAULT_STAT, int, -1, fchown, (int fd, uid_t user, gid_t group), (fd, user, group))

/* ---- threads, random numbers ----------------------------------------------------------- */

FAILING(FAULT_THREAD, int, page->error, pthread_create,
        (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user),
        (thread, attributes, run, user))
FAILING(FAULT_ENTROPY, int, -1, getentropy, (void *bytes, size_t size), (bytes, size))
FAILING(FAULT_ENTROPY, ssize_t, -1, getrandom, (void *bytes, size_t size, unsigned flags),
        (bytes, size, flags))

/* ---- beginning and end of main ------------------------------------------------------------ */

static int (*program)(int, char **, char **);

/* Returns the number of open descriptors. */
static uint32_t count_descriptors(void)
{
  uint32_t n = 0;
  for (int fd = 0; fd < 256; fd++)
    n += syscall(SYS_fcntl, fd, F_GETFD) >= 0;
  return n;
}

static void map_page(void)
{
  const char *path = getenv(FAULT_ENVIRONMENT);
  void *frames[4];
  if (!path)
    return;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  void *mapped = fd < 0 ? MAP_FAILED
                        : (void *)syscall(SYS_mmap, NULL, sizeof *page, PROT_READ | PROT_WRITE,
                                          MAP_SHARED, fd, 0);
  if (fd >= 0)
    syscall(SYS_close, fd);
  if (mapped != MAP_FAILED)
    page = mapped;
  backtrace(frames, 4); /* the first call loads a library */
}

static int counted_main(int argc, char **argv, char **environment)
{
  map_page();
  if (page) {
    page->descriptors[0] = count_descriptors();
    page->running = 1;
  }
  int code = program(argc, argv, environment);
  if (page) {
    page->running = 2;
    page->descriptors[1] = count_descriptors();
  }
  return code;
}

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                             void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                             void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
  REAL(int, __libc_start_main, int (*)(int, char **, char **), int, char **, void (*)(void),
       void (*)(void), void (*)(void), void *);
  program = main;
  return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
