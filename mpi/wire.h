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

/* Begins MPI. */
ms_status ms_wire_open(ms_wire **out, ms_error *err);
int ms_wire_rank(const ms_wire *wire);
int ms_wire_size(const ms_wire *wire);

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
