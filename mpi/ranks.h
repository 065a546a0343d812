/* Inside mpi/: what the main thread and the thread for messages of a rank share.
 *   wire.c     messages
 *   crew.c     the thread, and what all ranks have in common
 *   leader.c   rank 0
 *   worker.c   the other ranks */
#ifndef MS_MPI_RANKS_H
#define MS_MPI_RANKS_H

#include "mpi/crew.h"
#include "mpi/wire.h"

#include <pthread.h>
#include <sys/types.h>

enum { HOST_BYTES = 64 };

/* The first letter says who sends it: the leader or a worker. */
typedef enum ms_message_kind {
  W_HELLO = 1, /* number of the process, then the name of the host */
  W_ALIVE,
  W_JOIN,   /* the text of the identity */
  W_DONE,   /* ms_done_head, then the contribution or the text of an error */
  W_LEAVE,  /* exit code, then what the tool printed */
  L_RANGE,  /* ms_range_head */
  L_REFUSE, /* the text of an error */
  L_END,    /* there are no more ranges */
  L_KILL,   /* number of a process of the same host, which hangs */
  L_ALIVE   /* as W_HELLO */
} ms_message_kind;

enum { HELLO_BYTES = 8 + HOST_BYTES };

/* Ranks are of one program on machines of one kind, so structs are sent as they are. */
typedef struct ms_range_head {
  uint64_t serial, first, last;
} ms_range_head;

typedef struct ms_done_head {
  uint64_t serial;
  double seconds;
  uint64_t status; /* an ms_status */
} ms_done_head;

typedef enum ms_presence {
  MEMBER_ABSENT = 0, /* has not spoken yet */
  MEMBER_HERE,
  MEMBER_JOINED, /* asks for ranges */
  MEMBER_LOST,
  MEMBER_GONE /* has left */
} ms_presence;

typedef struct ms_member {
  ms_presence presence;
  double heard; /* when it spoke last */
  pid_t process;
  char host[HOST_BYTES];
  bool busy, hangs, greeted;
  bool told;                    /* that there are no more ranges */
  bool checked;                 /* it does the same run */
  ms_bytes identity;            /* of its run, until it is checked */
  uint64_t serial, first, last; /* of its range, if it is busy */
  ms_pace pace;
} ms_member;

typedef struct ms_finished {
  struct ms_finished *next;
  uint64_t first, last;
  ms_bytes bytes;
} ms_finished;

typedef struct ms_range_of_units {
  uint64_t first, last;
} ms_range_of_units;

struct ms_mpi {
  ms_crew crew;  /* must come first */
  ms_wire *wire; /* used by the thread for messages only */
  int rank, size;
  double timeout;
  void (*warn)(const char *message);
  char host[HOST_BYTES];
  bool survives; /* ranks go on if MPI loses one */
  pthread_t thread;
  pthread_mutex_t lock; /* protects all that follows */
  pthread_cond_t changed;
  bool opened, closing, closed, abandoned;
  bool uneven;      /* some ranks have ended, or will, without MPI_Finalize */
  ms_status status; /* of opening, later of the job */
  ms_error error;
  int code; /* of the tool */
  const char *text;
  /* rank 0 */
  const ms_crew_job *job;      /* NULL: not begun */
  bool over;                   /* the job needs no more ranges */
  ms_member *member;           /* [size] */
  uint64_t next, serial;       /* the first unit that was never given; the last serial number */
  ms_range_of_units *returned; /* [size] of lost members */
  int n_returned;
  ms_finished *finished; /* ascending, not added yet */
  uint64_t held;         /* bytes of them */
  /* other ranks */
  const ms_identity *identity; /* of the run that this rank wants to take part in; NULL: not yet */
  bool joined, has_range, has_done, ended;
  ms_range_head range;
  ms_done_head done;
  ms_bytes bytes; /* of what is done */
  double said;    /* when it spoke last; of rank 0, to all */
  double heard;   /* when rank 0 spoke last; 0: never */
  pid_t leader;   /* the process of rank 0, if it is on this host; 0: it is not */
};

/* Fills bytes[HELLO_BYTES] with the process and the host of this rank. */
void ms_mpi_hello(const ms_mpi *r, unsigned char *bytes);
/* Take a message; the lock is held, except while a message is sent. */
void ms_leader_take(ms_mpi *r, ms_message *message);
void ms_worker_take(ms_mpi *r, ms_message *message);
/* What is to be done from time to time; the lock is held.  Returns the seconds until the next
 * time. */
double ms_leader_tend(ms_mpi *r);
double ms_worker_tend(ms_mpi *r);
/* The job, on the main thread. */
ms_status ms_leader_run(ms_mpi *r, const ms_crew_job *job, ms_error *err);
ms_status ms_worker_run_job(ms_mpi *r, const ms_crew_job *job, ms_error *err);
/* True once nobody has to be waited for. */
bool ms_leader_may_close(const ms_mpi *r);
/* Waits until the thread for messages has left, and ends the process. */
void ms_worker_end(ms_mpi *r);

#endif
