/* Messages between ranks: this file and wire.c are the only ones that know MPI.
 *
 * A message is a kind and any number of bytes.  It is sent in pieces that are so small that MPI
 * sends them at once, without an agreement with the receiver, and a rank that dies in the middle of
 * a message leaves nobody waiting.  Sending and receiving never wait.  All calls come from one
 * thread, the one that opened the wire. */
#ifndef MS_MPI_WIRE_H
#define MS_MPI_WIRE_H

#include "parts/crew.h"

typedef struct ms_wire ms_wire;

typedef struct ms_message {
  int from;
  uint32_t kind;
  ms_bytes bytes; /* belongs to the receiver */
} ms_message;

/* Begins MPI.  MS_ERR_USAGE: this process is one of several that were started together, and MPI
 * does not know the others. */
ms_status ms_wire_open(ms_wire **out, ms_error *err);
int ms_wire_rank(const ms_wire *wire);
int ms_wire_size(const ms_wire *wire);

/* True if MPI and mpirun let the other ranks go on when one dies. */
bool ms_wire_survives(void);

/* Where a rank is among those of its host. */
typedef struct ms_wire_place {
  int ranks;      /* of the host */
  int processors; /* that this process may use */
  int sharers;    /* ranks of the host that may use the same ones, this one among them */
  int gpu_rank;   /* number of this rank among those of the host that were given the same GPUs */
  int gpu_sharers;
} ms_wire_place;

/* Fills *place.  All ranks call it at once, after ms_wire_open. */
void ms_wire_find_place(ms_wire_place *place);
/* Sends text[length] of each rank to rank 0, whose all[size][length] receives them.  All ranks call
 * it at once. */
void ms_wire_gather(ms_wire *wire, const char *text, char *all, int length);

/* Sends a copy of the bytes. */
ms_status ms_wire_send(ms_wire *wire, int to, uint32_t kind, const void *data, size_t length,
                       ms_error *err);
/* Moves what is on its way.  Returns true and fills *message if a message is complete. */
bool ms_wire_receive(ms_wire *wire, ms_message *message);
/* True if all messages to ranks that are not dropped have left. */
bool ms_wire_is_idle(const ms_wire *wire);
/* Forgets what is on its way from or to this rank.  Whole messages of it are received as before. */
void ms_wire_drop(ms_wire *wire, int rank);
/* Sends to it again. */
void ms_wire_accept(ms_wire *wire, int rank);

/* Ends MPI, which waits until all ranks do so; or, if `leaves`, only forgets it: the process must
 * end, and other ranks may be dead. */
void ms_wire_close(ms_wire *wire, bool leaves);
/* Ends all ranks at once, and this one with the exit code; does not return. */
void ms_wire_abort(ms_wire *wire, int code);

#endif
