// SPDX-License-Identifier: BSD-3-Clause
//
// Channels that the command line puts between pages and the vehicles that they drive: the fields of
// a <teleoperation>.
#ifndef RUT_VIEW_AFAR_H
#define RUT_VIEW_AFAR_H

#include "options.h"
#include "world.h"

enum { VIEW_AFAR_OPTIONS = 11 };

// What was given for each of the options, in the order of VIEW_AFAR_ROWS. Borrowed. Nullable: each.
typedef struct viewAfar {
  const char* text[VIEW_AFAR_OPTIONS];
} viewAfar;

#define VIEW_AFAR_ROW(type, member, index, name, value, doc) \
  { name, 0, CLI_TEXT, value, 0, 0, offsetof(type, member.text[index]), doc }
// Rows of the options; type is the C type of the options, member its viewAfar.
#define VIEW_AFAR_ROWS(type, member)                                                               \
  VIEW_AFAR_ROW(type, member, 0, "latency", "TIME",                                                \
                "drive from afar: pictures and commands come so much later, such as 300ms"),       \
      VIEW_AFAR_ROW(type, member, 1, "jitter", "TIME",                                             \
                    "largest delay beyond the latency, of pictures and commands"),                 \
      VIEW_AFAR_ROW(type, member, 2, "loss", "PART",                                               \
                    "part of the pictures and commands that is lost, such as 5%"),                 \
      VIEW_AFAR_ROW(type, member, 3, "video-latency", "TIME", "latency of pictures alone"),        \
      VIEW_AFAR_ROW(type, member, 4, "video-jitter", "TIME", "jitter of pictures alone"),          \
      VIEW_AFAR_ROW(type, member, 5, "video-loss", "PART", "loss of pictures alone"),              \
      VIEW_AFAR_ROW(type, member, 6, "frame-rate", "RATE",                                         \
                    "pictures per simulated second that whoever drives sees, such as 10 or 10Hz"), \
      VIEW_AFAR_ROW(type, member, 7, "command-latency", "TIME", "latency of commands alone"),      \
      VIEW_AFAR_ROW(type, member, 8, "command-jitter", "TIME", "jitter of commands alone"),        \
      VIEW_AFAR_ROW(type, member, 9, "command-loss", "PART", "loss of commands alone"),            \
      VIEW_AFAR_ROW(type, member, 10, "command-rate", "RATE", "commands per simulated second")

// The first option that was given, "--latency"; NULL: none was.
const char* view_afar_asked(const viewAfar* afar);
// Check the values. Tells what is wrong, as cli_usage_error does. Returns CLI_GO_ON or an exit
// code.
int view_afar_check(const cliVerb* verb, const viewAfar* afar);
// Give the controllers that drive, of all vehicles that a page can drive, a <teleoperation> with
// these values, or change those of the one that they have. The world is loaded and not compiled
// yet. Returns CLI_GO_ON or an exit code.
int view_afar_give(cliWorld* world, const viewAfar* afar);

#endif  // RUT_VIEW_AFAR_H
