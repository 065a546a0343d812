/* The memory and the processors that control groups of Linux leave to this process.
 *
 * A job of Slurm, systemd or a container is a control group somewhere below the root of the tree,
 * and each of its ancestors may set a limit, too.  Both versions of control groups may be mounted
 * at the same time, wherever the system likes. */
#ifndef MS_BASE_JOB_LIMITS_H
#define MS_BASE_JOB_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the name of a file that are kept, with the NUL; a longer name is cut. */
#define MS_LIMIT_PATH 1024

typedef struct ms_job_limits {
  uint64_t memory;                     /* bytes; UINT64_MAX: no limit */
  uint64_t processors;                 /* quota, rounded up, at least 1; UINT64_MAX: no limit */
  char memory_path[MS_LIMIT_PATH];     /* the file that states the lowest limit; "": none */
  char processors_path[MS_LIMIT_PATH]; /* likewise */
} ms_job_limits;

/* Finds the lowest limits of the process's groups and of all their ancestors that are mounted.
 * `root` is put in front of /proc and of each mount point: "" for the system's own, a folder for
 * tests.  What is missing, unreadable or not as Linux writes it sets no limit. */
void ms_job_limits_find(const char *root, ms_job_limits *out);

/* Returns the limits of this process, which are looked up once. */
const ms_job_limits *ms_job_limits_own(void);

/* Reads the beginning of a file of the kernel into text[room]; "" if there is none. */
void ms_read_fact(const char *path, char *text, size_t room);

#endif
