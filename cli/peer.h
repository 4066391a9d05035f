// SPDX-License-Identifier: BSD-3-Clause
//
// The program at the other end of rut run --peer.
#ifndef RUT_CLI_PEER_H
#define RUT_CLI_PEER_H

#include "options.h"
#include "rut/peer.h"
#include "world.h"

typedef struct cliPeerOptions {
  const char *path, *vehicle, *record;
  cliList percept;
  double rate, timeout;
} cliPeerOptions;

// Rows of the options of a peer; type is the C type of the options, member its cliPeerOptions.
#define CLI_PEER_OPTIONS(type, member)                                              \
  {"peer",                                                                          \
   0,                                                                               \
   CLI_TEXT,                                                                        \
   "SOCKET",                                                                        \
   0,                                                                               \
   0,                                                                               \
   offsetof(type, member.path),                                                     \
   "let the program that listens on this Unix socket drive, in lockstep"},          \
      {"peer-vehicle",                                                              \
       0,                                                                           \
       CLI_TEXT,                                                                    \
       "NAME",                                                                      \
       0,                                                                           \
       0,                                                                           \
       offsetof(type, member.vehicle),                                              \
       "vehicle that it drives (default: the first one)"},                          \
      {"peer-percept",                                                              \
       0,                                                                           \
       CLI_TEXTS,                                                                   \
       "GLOB",                                                                      \
       0,                                                                           \
       0,                                                                           \
       offsetof(type, member.percept),                                              \
       "signals of the vehicle that it is told, such as 'speed'; may be repeated"}, \
      {"peer-rate",                                                                 \
       0,                                                                           \
       CLI_NUMBER,                                                                  \
       "HZ",                                                                        \
       1e-3,                                                                        \
       1e6,                                                                         \
       offsetof(type, member.rate),                                                 \
       "exchanges per simulated second (default 20)"},                              \
      {"peer-timeout",                                                              \
       0,                                                                           \
       CLI_NUMBER,                                                                  \
       "S",                                                                         \
       1e-3,                                                                        \
       1e6,                                                                         \
       offsetof(type, member.timeout),                                              \
       "for which an answer is waited for (default 2)"},                            \
  {                                                                                 \
    "peer-log", 0, CLI_TEXT, "FILE", 0, 0, offsetof(type, member.record),           \
        "write the dialogue: > to the program, < from it"                           \
  }

typedef struct cliPeer {
  rutPeer* peer;      // NULL: none
  int socket;         // -1: none
  rutOutput* record;  // Nullable
  FILE* file;
} cliPeer;

// Connect to the program, which may take as long to listen as to answer, and greet it. Returns an
// exit code.
int cli_peer_open(cliPeer* peer, cliWorld* world, const cliPeerOptions* options);
// Say good-bye, and keep the record if there is one. Errors: those of rut_output_close. Nullable:
// err.
rutStatus cli_peer_close(cliPeer* peer, const char* reason, rutError* err);

#endif  // RUT_CLI_PEER_H
