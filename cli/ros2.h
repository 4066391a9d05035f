// SPDX-License-Identifier: BSD-3-Clause
//
// A run as a node of ROS 2.
#ifndef RUT_CLI_ROS2_H
#define RUT_CLI_ROS2_H

#include <stdio.h>

#include "json.h"
#include "options.h"
#include "rut/ros2.h"
#include "world.h"

typedef struct cliRos2Options {
  bool on, lockstep, localisation, reliable, long_ids, topics;
  int64_t domain;
  const char* name_space;
  double period, timeout, wait;
  cliList vehicles;
} cliRos2Options;

// What holds where nothing is said.
#define CLI_ROS2_DEFAULTS \
  { .domain = -1, .period = (double)NAN, .timeout = (double)NAN, .wait = (double)NAN }

// Rows of the options; type is the C type of the options, member its cliRos2Options.
#define CLI_ROS2_OPTIONS(type, member)                                          \
  {"ros2",                                                                      \
   0,                                                                           \
   CLI_FLAG,                                                                    \
   "",                                                                          \
   0,                                                                           \
   0,                                                                           \
   offsetof(type, member.on),                                                   \
   "be a node of ROS 2: topics, commands and services over DDS"},               \
      {"domain",                                                                \
       0,                                                                       \
       CLI_INTEGER,                                                             \
       "N",                                                                     \
       0,                                                                       \
       232,                                                                     \
       offsetof(type, member.domain),                                           \
       "domain of DDS (default ROS_DOMAIN_ID, or 0)"},                          \
      {"namespace",                                                             \
       0,                                                                       \
       CLI_TEXT,                                                                \
       "NAME",                                                                  \
       0,                                                                       \
       0,                                                                       \
       offsetof(type, member.name_space),                                       \
       "name space of all topics and services"},                                \
      {"ros2-lockstep",                                                         \
       0,                                                                       \
       CLI_FLAG,                                                                \
       "",                                                                      \
       0,                                                                       \
       0,                                                                       \
       offsetof(type, member.lockstep),                                         \
       "wait at each period for a command to each driven vehicle"},             \
      {"ros2-period",                                                           \
       0,                                                                       \
       CLI_NUMBER,                                                              \
       "S",                                                                     \
       1e-9,                                                                    \
       1e6,                                                                     \
       offsetof(type, member.period),                                           \
       "of time, poses and joints, and of the lockstep (default 0.02)"},        \
      {"ros2-timeout",                                                          \
       0,                                                                       \
       CLI_NUMBER,                                                              \
       "S",                                                                     \
       0,                                                                       \
       1e6,                                                                     \
       offsetof(type, member.timeout),                                          \
       "a vehicle stops so long after the last command (default 1; 0: never)"}, \
      {"ros2-wait",                                                             \
       0,                                                                       \
       CLI_NUMBER,                                                              \
       "S",                                                                     \
       0,                                                                       \
       1e6,                                                                     \
       offsetof(type, member.wait),                                             \
       "a lockstep ends so long after its node left (default 5; 0: never)"},    \
      {"ros2-vehicle",                                                          \
       0,                                                                       \
       CLI_TEXTS,                                                               \
       "NAME",                                                                  \
       0,                                                                       \
       0,                                                                       \
       offsetof(type, member.vehicles),                                         \
       "that is driven (default: all that can be); may be repeated"},           \
      {"ros2-localisation",                                                     \
       0,                                                                       \
       CLI_FLAG,                                                                \
       "",                                                                      \
       0,                                                                       \
       0,                                                                       \
       offsetof(type, member.localisation),                                     \
       "tell map -> odom from the truth, in place of a localisation"},          \
      {"ros2-reliable",                                                         \
       0,                                                                       \
       CLI_FLAG,                                                                \
       "",                                                                      \
       0,                                                                       \
       0,                                                                       \
       offsetof(type, member.reliable),                                         \
       "sensors by reliable delivery instead of best effort"},                  \
      {"ros2-long-ids",                                                         \
       0,                                                                       \
       CLI_FLAG,                                                                \
       "",                                                                      \
       0,                                                                       \
       0,                                                                       \
       offsetof(type, member.long_ids),                                         \
       "identities of nodes as in ROS 2 Humble and before"},                    \
  {                                                                             \
    "ros2-topics", 0, CLI_FLAG, "", 0, 0, offsetof(type, member.topics),        \
        "print names and types of all topics, and run nothing"                  \
  }

// Open the node, if it is asked for; *out is NULL else. CLI_DONE if topics were to be printed.
int cli_ros2_open(const cliVerb* verb, cliWorld* world, const cliRos2Options* option,
                  const rutRos2Control* control, bool (*stop)(void), rutRos2** out);
void cli_ros2_print(rutRos2* ros2, FILE* out);
void cli_ros2_json(cliJson* json, rutRos2* ros2);

#endif  // RUT_CLI_ROS2_H
