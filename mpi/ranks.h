/* Inside mpi/: what the main thread and the thread for messages of a rank share.
 *   wire.c     messages
 *   crew.c     the thread, and what all ranks have in common
 *   leader.c   rank 0
 *   waiting.c  contributions that wait in rank 0
 *   store.c    where their pieces are
 *   worker.c   the other ranks */
#ifndef MS_MPI_RANKS_H
#define MS_MPI_RANKS_H

#include "mpi/crew.h"
#include "mpi/place.h"
#include "mpi/store.h"
#include "mpi/wire.h"

#include <pthread.h>
#include <sys/types.h>

enum {
  HOST_BYTES = 64,
  MOST_GIVEN = 2, /* ranges of a member: the one that it does, and the next one */
  CREDIT = 4      /* pieces that a rank may send before rank 0 asks for more */
};

/* The first letter says who sends it: the leader or a worker. */
typedef enum ms_message_kind {
  W_HELLO = 1, /* number of the process, then the name of the host */
  W_ALIVE,
  W_JOIN,   /* the text of the identity */
  W_DONE,   /* ms_done_head, then the contribution or the text of an error */
  W_LEAVE,  /* exit code, then what the tool printed */
  W_PIECE,  /* serial number of the range, then bytes of its contribution */
  L_RANGE,  /* ms_range_head */
  L_REFUSE, /* the text of an error */
  L_END,    /* there are no more ranges */
  L_KILL,   /* number of a process of the same host, which hangs */
  L_ALIVE,  /* as W_HELLO */
  L_MORE,   /* a piece was taken: one more may be sent */
  L_AGAIN   /* to a rank that was lost: what it was sent before has no meaning */
} ms_message_kind;

enum { HELLO_BYTES = 8 + HOST_BYTES };

/* Ranks are of one program on machines of one kind, so structs are sent as they are. */
typedef struct ms_range_head {
  uint64_t serial, first, last;
  uint64_t seed; /* of the crew */
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
  bool hangs, greeted;
  bool told;         /* that there are no more ranges */
  bool checked;      /* it does the same run */
  ms_bytes identity; /* of its run, until it is checked */
  uint32_t n_given;
  ms_range_head given[MOST_GIVEN]; /* its ranges; it does the first one */
  uint32_t due; /* pieces that it may send for those of contributions that are gone */
  ms_pace pace;
} ms_member;

/* What a range of units adds to the result, as far as it is known and has not been added. */
typedef struct ms_contribution {
  struct ms_contribution *next;
  uint64_t serial, first, last;
  int from;
  uint32_t owed;           /* pieces after which the sender waits for L_MORE */
  bool complete;           /* all of it is there */
  ms_stored *piece, **end; /* in order */
  uint64_t waiting;        /* bytes of these */
  uint64_t taken;          /* bytes of those before them */
  ms_bytes bytes;          /* of a job without pieces */
} ms_contribution;

typedef struct ms_range_of_units {
  uint64_t first, last;
} ms_range_of_units;

struct ms_mpi {
  ms_crew crew;  /* must come first */
  ms_wire *wire; /* used by the thread for messages only */
  int rank, size;
  double timeout;
  void (*warn)(const char *message);
  bool keeps_gpus, wants_places;
  char *places; /* [size][PLACE_BYTES], later a text; NULL: none */
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
  ms_pace pace;                /* with which members begin */
  const ms_stop *stop;         /* of the job; NULL: nothing stops it */
  bool over;                   /* the job needs no more ranges */
  ms_member *member;           /* [size] */
  uint64_t next, serial;       /* the first unit that was never given; the last serial number */
  ms_range_of_units *returned; /* [size * MOST_GIVEN] of lost members */
  int n_returned;
  ms_store store;
  ms_contribution *contributions; /* ascending by `first` */
  uint64_t held, most_held;       /* bytes of all; after so many, ranks wait */
  double adding;                  /* seconds in which `added` contributions were added */
  uint64_t added;
  uint64_t done;   /* units below were added, */
  uint64_t passed; /* and so many bytes of the contribution that follows */
  /* other ranks */
  const ms_identity *identity; /* of the run that this rank wants to take part in; NULL: not yet */
  bool joined, ended;
  uint32_t n_ranges;
  ms_range_head
      range[MOST_GIVEN + 1]; /* to do, in this order; one may be of a time before L_AGAIN */
  bool computes;             /* the first of them is being done */
  bool has_message;          /* `bytes` are to be sent as a message of this kind */
  ms_message_kind message_kind;
  ms_bytes bytes;
  uint32_t credit; /* pieces that may be sent */
  bool wants_credit;
  double said;  /* when it spoke last; of rank 0, to all */
  double heard; /* when rank 0 spoke last; 0: never */
  pid_t leader; /* the process of rank 0, if it is on this host; 0: it is not */
};

/* Fills bytes[HELLO_BYTES] with the process and the host of this rank. */
void ms_mpi_hello(const ms_mpi *r, unsigned char *bytes);
/* ---- contributions in rank 0; the lock is held (waiting.c) --------------------------------------
 */

/* Adds bytes to the contribution of a range, whose member may forget it before it is complete.
 * A failure ends the job. */
void ms_waiting_piece(ms_mpi *r, int from, const ms_range_head *range, const void *data,
                      size_t length);
/* Completes it by its last bytes, which are taken from *bytes. */
void ms_waiting_end(ms_mpi *r, int from, const ms_range_head *range, ms_bytes *bytes);
/* Forgets what has come of a range that is returned. */
void ms_waiting_forget(ms_mpi *r, uint64_t serial);
void ms_waiting_free(ms_mpi *r);
/* Does the next step with the contribution whose turn it is: passes on a piece, or adds it, without
 * the lock.  Returns false if there is nothing to do now. */
bool ms_waiting_step(ms_mpi *r, const ms_crew_job *job, bool *enough);
/* Returns how many pieces of a member may be sent for those that were taken. */
uint32_t ms_waiting_credit(ms_mpi *r, int member);
/* Ends the job by an error. */
void ms_leader_end_job(ms_mpi *r, ms_status status, const char *message);

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
/* Ends the process of a rank other than 0 with this status, and removes the output that it had
 * begun: the result is written by rank 0. */
_Noreturn void ms_worker_leave(int code);
/* Waits until the thread for messages has left, and ends the process. */
void ms_worker_end(ms_mpi *r);

#endif
