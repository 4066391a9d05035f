// SPDX-License-Identifier: BSD-3-Clause
//
// An outer program drives a vehicle: a model of a mind, a planner, a program in another language.
// It is told what it perceives and answers with what it does, in lockstep: the simulation waits for
// it. So a run is a function of the world, the seed and the answers, however fast the peer is.
//
// The dialogue is lines of JSON over a stream socket, one flat object each, at most RUT_PEER_LINE
// bytes with the line feed (docs/manual/peer.md).
#ifndef RUT_PEER_H
#define RUT_PEER_H

#include <stdio.h>

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RUT_PEER_VERSION = 1, RUT_PEER_LINE = 8192, RUT_PEER_PERCEPTS = 64 };

typedef struct rutPeer rutPeer;

typedef struct rutPeerDef {
  int socket;           // a connected stream socket. Borrowed: it stays open
  const char* vehicle;  // name of the vehicle that it drives; NULL: the first one
  double rate;          // exchanges per second of simulated time [Hz]; 0: one at every step
  double timeout;       // for which an answer is waited for, by the clock [s] > 0
  // Names of signals (rut/host.h) without the vehicle's name, with * and ?, that the peer
  // perceives.
  int percepts;
  const char* const* percept;
  FILE* record;  // gets every line, with "> " before those to the peer and "< " before its own.
                 // Nullable, borrowed
} rutPeerDef;

// 20 Hz, 2 s; speed, yaw_rate, x, y and yaw.
RUT_API rutPeerDef rut_default_peer(void);

// Tell the peer what there is, and wait for its greeting. The caller owns *out. Errors: ARGUMENT
// (no such vehicle or signal, more than RUT_PEER_PERCEPTS), PARSE with the number of the line (what
// it says is no greeting), VERSION, IO (it is silent for longer than the timeout, or gone), MEMORY.
// Nullable: err.
RUT_API rutStatus rut_peer_create(const rutModel* model, const rutPeerDef* def, rutPeer** out,
                                  rutError* err);
// Exchange a percept for an action if one is due, and set the vehicle's set points. Call it before
// every rut_step. Errors: PARSE, IO, as above; nothing is set then. Nullable: err.
RUT_API rutStatus rut_peer_step(rutPeer* peer, const rutModel* model, rutData* data, rutError* err);
// Let a function end waits for actions, as after an interrupt: it is asked every 50 ms of them.
// rut_peer_waits then is true, and rut_peer_step is called again to wait on, before the world is
// stepped; the timeout goes on. Nullable: stop.
RUT_API void rut_peer_stop(rutPeer* peer, bool (*stop)(void));
RUT_API bool rut_peer_waits(const rutPeer* peer);
// True once the peer has said good-bye: it drives no more, and its set points hold.
RUT_API bool rut_peer_ended(const rutPeer* peer);
// Say good-bye for a reason in one word, without waiting, and free the peer. Nullable: peer.
RUT_API void rut_peer_close(rutPeer* peer, const char* reason);

#ifdef __cplusplus
}
#endif

#endif  // RUT_PEER_H
