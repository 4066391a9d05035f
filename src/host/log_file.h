// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by the parts that read logs.
#ifndef RUT_HOST_LOG_FILE_H
#define RUT_HOST_LOG_FILE_H

#include "base/name_index.h"
#include "host/mcap_read.h"
#include "host/ros_msg.h"
#include "rut/host.h"

// A number in the messages of a channel.
typedef struct rutLogSignal {
  char* name;           // owned: element, '/', and the leaf
  const char* element;  // of the channel
  size_t leaf;          // where it begins in the name
  int channel, field;
} rutLogSignal;

struct rutLogFile {
  rutMcap mcap;
  rutMsg* msg;  // [schemas]
  bool* parsed;
  long lines;            // of definitions, left to be parsed
  rutLogSignal* signal;  // channel by channel, ascending in field
  int signals, capacity;
  size_t bytes;     // of signals
  rutName* sorted;  // signals in order of name
  // chunk that was read last, for rut_log_message_at
  rutMcapBlock block;
  int block_of;  // -1: none
};

static inline double rut_log_seconds(uint64_t nanoseconds) { return (double)nanoseconds / 1e9; }

// List the signals of all channels. Errors: MEMORY, CAPACITY.
rutStatus rut_log_find_signals(rutLogFile* file, rutError* err);

#endif  // RUT_HOST_LOG_FILE_H
