// SPDX-License-Identifier: BSD-3-Clause
//
// Programs outside of a run that drive its vehicles: over packets (--remote), lines of JSON
// (--peer), FMUs of the world (--allow-fmu), nodes of ROS 2 (--ros2). Every verb that steps a world
// has all of them through this one set: open it, step it before each step of the world, close it.
#ifndef RUT_CLI_LINKS_H
#define RUT_CLI_LINKS_H

#include "peer.h"
#include "remote_program.h"
#include "ros2.h"
#include "rut/fmu.h"

typedef struct cliLinksOptions {
  cliRemoteOptions remote;
  cliPeerOptions peer;
  bool allow_fmu;
  double fmu_timeout;  // [s], 0: as it is usual
  cliRos2Options ros2;
} cliLinksOptions;

// What holds where nothing is said.
#define CLI_LINKS_DEFAULTS \
  { .remote = {.period = (double)NAN, .wait = (double)NAN}, .ros2 = CLI_ROS2_DEFAULTS }

// Rows of the options; type is the C type of the options, member its cliLinksOptions.
#define CLI_LINKS_OPTIONS(type, member)                                         \
  CLI_REMOTE_OPTIONS(type, member.remote), CLI_PEER_OPTIONS(type, member.peer), \
      {"allow-fmu",                                                             \
       0,                                                                       \
       CLI_FLAG,                                                                \
       "",                                                                      \
       0,                                                                       \
       0,                                                                       \
       offsetof(type, member.allow_fmu),                                        \
       "run the FMUs that the world names, with all rights of yours"},          \
      {"fmu-timeout",                                                           \
       0,                                                                       \
       CLI_NUMBER,                                                              \
       "S",                                                                     \
       1e-3,                                                                    \
       1e6,                                                                     \
       offsetof(type, member.fmu_timeout),                                      \
       "how long an answer of an FMU may take (default 30)"},                   \
      CLI_ROS2_OPTIONS(type, member.ros2)

typedef enum cliLink { CLI_REMOTE, CLI_ROS2, CLI_PEER, CLI_FMU } cliLink;

typedef struct cliLinks {
  rutRemote* remote;    // Nullable
  rutRos2* ros2;        // Nullable
  cliPeer peer;         // its peer NULL: none
  rutFmuDrivers* fmus;  // Nullable
  cliLink failed;       // the one that has, after a step that did
} cliLinks;

// None.
#define CLI_NO_LINKS        \
  {                         \
    .peer = {.socket = -1 } \
  }

// What the run that has the links offers them.
typedef struct cliLinksHost {
  const cliVerb* verb;
  // What nodes of ROS 2 ask, and whether to wait no longer for a packet: rutRemoteDef.stop. Of
  // ROS 2 likewise. Nullable: both.
  const rutRos2Control* control;
  bool (*stop)(void);
} cliLinksHost;

// Tell of options that mean nothing without another one. Returns CLI_GO_ON or an exit code.
int cli_links_check(const cliVerb* verb, const cliLinksOptions* options);
// The first option that asks for a link, "--remote"; NULL: none does.
const char* cli_links_asked(const cliLinksOptions* options);
// Before a world is read: permit what its links need.
void cli_links_allow(const cliLinksOptions* options, rutContext* context);
// Open those that are asked for; links holds none before. Returns CLI_GO_ON, or an exit code after
// an error was told or what packets hold was printed.
int cli_links_open(cliLinks* links, const cliLinksHost* host, cliWorld* world,
                   const cliLinksOptions* options);
// Before a step: exchange what is due, and set the set points. Errors: those of the links.
rutStatus cli_links_step(cliLinks* links, const rutModel* model, rutData* data, rutError* err);
// True if the last step did not wait for an answer to its end, because stop() said so: who wants
// the run to be in step with it calls cli_links_step again before stepping the world.
bool cli_links_put_off(const cliLinks* links);
// While the run stands: hear what nodes ask for so long [s], and tell the state. Errors: MEMORY.
rutStatus cli_links_idle(cliLinks* links, const rutModel* model, rutData* data, double seconds,
                         rutError* err);
// The link that has failed, for messages: "ROS 2".
const char* cli_links_failed(const cliLinks* links);
// Say good-bye to the peer for a reason in one word, and keep the record of what was said. Errors:
// those of cli_peer_close. Nullable: err.
rutStatus cli_links_leave(cliLinks* links, const char* reason, rutError* err);
// How it went, lines for people or members of an object.
void cli_links_print(const cliLinks* links, FILE* out);
void cli_links_json(cliJson* json, const cliLinks* links);
void cli_links_close(cliLinks* links);

#endif  // RUT_CLI_LINKS_H
