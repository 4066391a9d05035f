// SPDX-License-Identifier: BSD-3-Clause
//
// What the readers of logs share.
#ifndef RUT_HOST_LOG_FILE_H
#define RUT_HOST_LOG_FILE_H

#include "host/mcap_read.h"
#include "host/ros_msg.h"
#include "rut/host.h"

// A number in the messages of a channel.
typedef struct rutLogSignal {
  char *name, *element;  // owned
  int channel, field;
} rutLogSignal;

struct rutLogFile {
  rutMcap mcap;
  rutMsg* msg;           // [channels]
  rutLogSignal* signal;  // channel by channel, ascending in field
  int signals, capacity;
  int* sorted;  // signals in order of name
  // chunk that was read last, for rut_log_message_at
  rutMcapBlock block;
  int block_of;  // -1: none
};

static inline double rut_log_seconds(uint64_t nanoseconds) { return (double)nanoseconds / 1e9; }

// List the signals of all channels.
rutStatus rut_log_find_signals(rutLogFile* file, rutError* err);

#endif  // RUT_HOST_LOG_FILE_H
