// SPDX-License-Identifier: BSD-3-Clause
//
// Another program gives a vehicle's set points, over UDP, a serial line, shared memory or CAN: a
// controller on its own computer, or one that is not written in C. After each period it gets
// signals of the run in a packet, and answers with set points. docs/manual/remote.md has the bytes.
#ifndef RUT_REMOTE_H
#define RUT_REMOTE_H

#include "rut/host.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rutRemote rutRemote;

// Signals in a packet, and set points in an answer, at most.
#define RUT_REMOTE_MOST 1024

typedef struct rutRemoteDef {
  size_t struct_size;  // set by rut_default_remote
  // Where the program is: "udp:PORT" on this computer, "udp:HOST:PORT"; "serial:FILE" or
  // "serial:FILE:BAUD" for a serial line (115200 unless said); "pty:FILE" makes a serial line
  // without hardware, whose other end FILE then is a link to (it must not exist); "shm:NAME" makes
  // shared memory of POSIX, which only programs of the same user open; "can:INTERFACE" or
  // "can:INTERFACE:IDENTIFIER" is a CAN bus of Linux, and the first of the identifiers.
  const char* link;
  const char* vehicle;         // whose set points it gives; NULL: that of the world that has any
  int patterns;                // of the signals that it gets
  const char* const* pattern;  // [patterns] for rut_glob; each matches one at least
  double period;               // from one packet to the next, a whole number of steps [s]
  // How long the run waits for the answer to each packet, of the clock [s]: the run and the program
  // go in step, and give the same numbers however fast they are. 0: it does not wait, and set
  // points hold until newer ones have arrived.
  double wait;
  // Asked at least every 50 ms of waiting, as after an interrupt: true ends it, and the step goes
  // on without the answer. Nullable.
  bool (*stop)(void);
  bool described;  // open no link: only what packets hold shall be known
} rutRemoteDef;
RUT_API rutRemoteDef rut_default_remote(void);

// Open the link. The names in def may go. The caller owns *out. Errors: ARGUMENT (a pattern that
// matches none, no such vehicle, a period that is none, a link that is none, too many signals), IO,
// MEMORY. Nullable: err.
RUT_API rutStatus rut_remote_open(const rutModel* model, const rutRemoteDef* def, rutRemote** out,
                                  rutError* err);

// What stands at a place of a packet, or of an answer. An empty name beyond the last.
typedef struct rutRemoteValue {
  const char *name, *unit, *doc;  // borrowed from remote or model
} rutRemoteValue;
RUT_API rutRemoteValue rut_remote_signal(const rutRemote* remote, int index);
RUT_API rutRemoteValue rut_remote_set_point(const rutRemote* remote, int index);
// A number that both sides hold against that of the other: it depends on the names and units of all
// signals and set points, in their order.
RUT_API uint32_t rut_remote_layout(const rutRemote* remote);
// Process of a killed run that had left the shared memory which this link replaced; 0: there was
// none.
RUT_API uint32_t rut_remote_replaced(const rutRemote* remote);
// The frames of a link over CAN as a DBC file, which tools for such buses read. The caller frees
// *text with free(). Errors: ARGUMENT (another link), MEMORY. Nullable: err.
RUT_API rutStatus rut_remote_dbc(const rutRemote* remote, char** text, rutError* err);

// Before each step: where a period begins, send the state and take the answer. While a controller
// of another type than at rut_remote_open has the vehicle, answers change nothing. Never allocates.
// Errors: IO (no answer in time, the link is broken), ARGUMENT (set points that are not finite).
// Nullable: err.
RUT_API rutStatus rut_remote_step(rutRemote* remote, const rutModel* model, rutData* data,
                                  rutError* err);
// True if stop() ended the last wait: the step goes on without the answer, or rut_remote_step is
// called again first, to wait on.
RUT_API bool rut_remote_waits(const rutRemote* remote);

// Answers by the time from a packet to the answer to it: bin k counts those below
// RUT_REMOTE_SHORTEST 2^k, the last one all others.
#define RUT_REMOTE_BINS     24
#define RUT_REMOTE_SHORTEST 1e-6
typedef struct rutRemoteReport {
  int64_t packets, answers;  // sent; answered, each packet at most once
  int64_t again;             // packets that were sent again, because no answer came
  int64_t damaged;           // what arrived and was no answer
  double mean, longest;      // time from a packet to its answer [s]
  int64_t bin[RUT_REMOTE_BINS];
} rutRemoteReport;
RUT_API rutRemoteReport rut_remote_report(const rutRemote* remote);

// Close the link, and take away what "pty:" made. Nullable: remote.
RUT_API void rut_remote_close(rutRemote* remote);

#ifdef __cplusplus
}
#endif

#endif  // RUT_REMOTE_H
