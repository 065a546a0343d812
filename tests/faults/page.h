/* What the driver of the fault tests (faults.c) and the shim in the tested process (shim.c) tell
 * each other: one page of a file that both map. */
#ifndef MS_TESTS_FAULTS_PAGE_H
#define MS_TESTS_FAULTS_PAGE_H

#include <stdatomic.h>
#include <stdint.h>

/* Names the file of the page to the shim. */
#define FAULT_ENVIRONMENT "MOTIFSIEVE_FAULTS"

/* Kinds of calls; each has its counter. */
typedef enum fault_kind {
  FAULT_MEMORY,  /* malloc, calloc, realloc, aligned_alloc, posix_memalign, by anybody */
  FAULT_MMAP,    /* mmap */
  FAULT_OPEN,    /* open, openat, fopen */
  FAULT_READ,    /* read, pread */
  FAULT_WRITE,   /* write, pwrite, writev; not to standard error */
  FAULT_CLOSE,   /* close */
  FAULT_RENAME,  /* rename, renameat, renameat2, link, linkat */
  FAULT_UNLINK,  /* unlink, unlinkat */
  FAULT_SYNC,    /* fsync, fdatasync, sync_file_range */
  FAULT_EXTEND,  /* ftruncate, fallocate, posix_fallocate */
  FAULT_STAT,    /* stat, fstat, lstat, fstatat, access, realpath, fchmod, fchown */
  FAULT_THREAD,  /* pthread_create */
  FAULT_STDIO,   /* fflush and fclose of standard output */
  FAULT_ENTROPY, /* getentropy, getrandom */
  FAULT_CHANGE,  /* every call that changes files: for FAULT_KILL_... */
  FAULT_KINDS
} fault_kind;

/* What happens at the call. */
typedef enum fault_mode {
  FAULT_NONE,
  FAULT_ERROR,       /* it fails with `error` */
  FAULT_SHORT,       /* read and write: half of the bytes, at least one */
  FAULT_FULL,        /* write: the disk is full, and no file gets longer than it is */
  FAULT_KILL_BEFORE, /* SIGKILL before the call */
  FAULT_KILL_HALF,   /* a write writes half of its bytes, and SIGKILL follows */
  FAULT_KILL_AFTER   /* SIGKILL after the call */
} fault_mode;

enum { FAULT_FRAMES = 12 };

typedef struct fault_page {
  /* set by the driver */
  uint32_t kind, mode;
  int32_t error;     /* errno of FAULT_ERROR */
  uint32_t for_good; /* not 0: all later calls fail, too */
  uint64_t at;       /* number of the call, from 1 */
  /* set by the shim */
  _Atomic uint32_t running; /* 1 in main(), 2 after it: only calls in main() count */
  _Atomic uint32_t fired;   /* number of calls that failed */
  _Atomic uint64_t calls[FAULT_KINDS];
  uint32_t descriptors[2]; /* open descriptors at the beginning and at the end of main() */
  uint32_t n_frames;
  uint64_t frames[FAULT_FRAMES]; /* where the first fault was: addresses in the program's file */
} fault_page;

#endif
