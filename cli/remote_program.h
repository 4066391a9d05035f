// SPDX-License-Identifier: BSD-3-Clause
//
// A program beside the run that gives a vehicle's set points.
#ifndef RUT_CLI_REMOTE_PROGRAM_H
#define RUT_CLI_REMOTE_PROGRAM_H

#include <stdio.h>

#include "json.h"
#include "options.h"
#include "rut/remote.h"
#include "world.h"

typedef struct cliRemoteOptions {
  const char *link, *vehicle;
  cliList signals;
  double period, wait;
  bool layout, dbc;
} cliRemoteOptions;

// For the table of options of a verb; `member` is its cliRemoteOptions.
#define CLI_REMOTE_OPTIONS(type, member)                                                    \
  {"remote",                                                                                \
   0,                                                                                       \
   CLI_TEXT,                                                                                \
   "LINK",                                                                                  \
   0,                                                                                       \
   0,                                                                                       \
   offsetof(type, member.link),                                                             \
   "another program gives set points, over udp:[HOST:]PORT, serial:FILE[:BAUD], pty:FILE, " \
   "shm:NAME or can:INTERFACE[:IDENTIFIER]"},                                               \
      {"remote-vehicle",                                                                    \
       0,                                                                                   \
       CLI_TEXT,                                                                            \
       "NAME",                                                                              \
       0,                                                                                   \
       0,                                                                                   \
       offsetof(type, member.vehicle),                                                      \
       "to this vehicle (default: the first that has any)"},                                \
      {"remote-signals",                                                                    \
       0,                                                                                   \
       CLI_TEXTS,                                                                           \
       "GLOB",                                                                              \
       0,                                                                                   \
       0,                                                                                   \
       offsetof(type, member.signals),                                                      \
       "and gets these signals; may be repeated"},                                          \
      {"remote-period",                                                                     \
       0,                                                                                   \
       CLI_NUMBER,                                                                          \
       "S",                                                                                 \
       1e-9,                                                                                \
       1e6,                                                                                 \
       offsetof(type, member.period),                                                       \
       "once in so many seconds (default 0.01)"},                                           \
      {"remote-wait",                                                                       \
       0,                                                                                   \
       CLI_NUMBER,                                                                          \
       "S",                                                                                 \
       0,                                                                                   \
       1e5,                                                                                 \
       offsetof(type, member.wait),                                                         \
       "each answer may take so long (default 5); 0: the run does not wait for answers"},   \
      {"remote-dbc",                                                                        \
       0,                                                                                   \
       CLI_FLAG,                                                                            \
       "",                                                                                  \
       0,                                                                                   \
       0,                                                                                   \
       offsetof(type, member.dbc),                                                          \
       "print the frames of a CAN bus as a DBC file, and run nothing"},                     \
  {                                                                                         \
    "remote-layout", 0, CLI_FLAG, "", 0, 0, offsetof(type, member.layout),                  \
        "print what packets and answers hold as JSON, and run nothing"                      \
  }

// Open the link that is asked for, if any; *out is NULL without. stop: rutRemoteDef.stop. Returns
// CLI_GO_ON, or an exit code after an error was told or the layout printed.
int cli_remote_open(const cliVerb* verb, cliWorld* world, const cliRemoteOptions* option,
                    bool (*stop)(void), rutRemote** out);
// How it went, a line for people or an object "remote".
void cli_remote_print(const rutRemote* remote, FILE* out);
void cli_remote_json(cliJson* json, const rutRemote* remote);

#endif  // RUT_CLI_REMOTE_PROGRAM_H
