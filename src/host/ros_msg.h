// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers in ROS 2 messages, by their definition (ros2msg).
#ifndef RUT_HOST_ROS_MSG_H
#define RUT_HOST_ROS_MSG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A number that every message has, or data to be skipped before one.
typedef struct rutMsgField {
  char *name, *unit, *doc;  // owned; "pose.position.x"; NULL if it is no single number
  char kind;                // 'f' float, 'i' signed, 'u' unsigned, 's' text
  unsigned char size;       // bytes of one
  int count;                // of a fixed array, else 1; -1 for a sequence
} rutMsgField;

typedef struct rutMsg {
  rutMsgField* field;  // owned
  int fields, capacity;
} rutMsg;

// Read a definition. Left out are fields after an array of messages, lines that are invalid, and
// what lies beyond 100000 lines or beyond *lines, which is lowered by the lines read (a nested type
// is read each time it occurs). False if out of memory; the message is to be freed even then.
bool rut_msg_parse(rutMsg* msg, const char* definition, long* lines);
void rut_msg_free(rutMsg* msg);
// Values of n fields, by index and ascending, of a message in CDR. False if it is too short or
// encoded otherwise.
bool rut_msg_read(const rutMsg* msg, const unsigned char* bytes, size_t size, int n,
                  const int* field, double* out);

#endif  // RUT_HOST_ROS_MSG_H
