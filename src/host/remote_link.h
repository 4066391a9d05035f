// SPDX-License-Identifier: BSD-3-Clause
//
// Ways to a program that drives a vehicle: UDP, a serial line, a pseudo-terminal, shared memory, a
// CAN bus.
#ifndef RUT_HOST_REMOTE_LINK_H
#define RUT_HOST_REMOTE_LINK_H

#include "host/can_frames.h"
#include "host/remote_packet.h"
#include "rut/rut.h"

typedef struct rutRemoteLink rutRemoteLink;

// A way whose packets do not pass through a file: one file, and one line of the table in
// remote_link.c. The functions mean what those of links below do.
typedef struct rutRemoteWay {
  rutStatus (*send)(rutRemoteLink* link, const unsigned char* packet, size_t size, rutError* err);
  bool (*wait)(const rutRemoteLink* link, double wait);
  size_t (*take)(rutRemoteLink* link, unsigned char* packet);
  void (*close)(rutRemoteLink* link);
} rutRemoteWay;

struct rutRemoteLink {
  const rutRemoteWay* way;  // NULL: packets pass through `file`
  void* own;                // of the way
  // Set before it is opened: numbers of signals and set points; and whether it is only to be known
  // what would be sent, so that nothing is opened.
  rutCanMap can;
  bool described;
  int file;     // -1: closed
  int other;    // end of a pseudo-terminal that is kept open, so that the line stays; -1: none
  bool framed;  // the line has no packets: they go in frames
  char* made;   // link to a pseudo-terminal, owned; NULL: none
  uint32_t replaced;  // process whose killed run left the memory that was removed; 0: none
  unsigned char in[RUT_FRAME_MOST];  // of a frame that has not ended
  size_t used;
  bool lost;                  // the frame is longer than any may be: passed over
  unsigned char chunk[4096];  // that was read from a line, of which `at` bytes are taken
  size_t at, chunk_size;
};

// Shared memory by its name, which is made here (remote_memory.c). Errors: ARGUMENT, IO (there is
// one of that name, of a run that lives, or of something else), MEMORY.
rutStatus rut_remote_memory_open(rutRemoteLink* link, const char* name, rutError* err);

// A CAN bus by "INTERFACE" or "INTERFACE:IDENTIFIER" (remote_can.c). Errors: ARGUMENT (another
// text, or too few identifiers), IO (no such interface, no SocketCAN), MISSING (not on Linux),
// MEMORY.
rutStatus rut_remote_can_open(rutRemoteLink* link, const char* text, rutError* err);
// The same over a socket that has frames as messages, which the link then owns. Errors: MEMORY.
rutStatus rut_remote_can_attach(rutRemoteLink* link, int file, rutError* err);

// Errors: ARGUMENT (a text that is no link), IO, and those of its kind. Nullable: err.
rutStatus rut_remote_link_open(rutRemoteLink* link, const char* text, rutError* err);
// Send a packet. One that finds no room, or no program that listens, is lost, as UDP may lose any.
// Errors: IO.
rutStatus rut_remote_link_send(rutRemoteLink* link, const unsigned char* packet, size_t size,
                               rutError* err);
// Wait up to `wait` seconds for something to arrive, not at all if 0. False: nothing has.
bool rut_remote_link_wait(const rutRemoteLink* link, double wait);
// Take a packet that has arrived; packet: RUT_FRAME_MOST bytes. Returns its length, 0 if there is
// none (yet). Bytes that are no frame are a packet that none reads.
size_t rut_remote_link_take(rutRemoteLink* link, unsigned char* packet);
void rut_remote_link_close(rutRemoteLink* link);

#endif  // RUT_HOST_REMOTE_LINK_H
