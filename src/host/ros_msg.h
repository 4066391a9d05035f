// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers in messages of ROS 2, by the definition (ros2msg) that stands beside them.
#ifndef RUT_HOST_ROS_MSG_H
#define RUT_HOST_ROS_MSG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A number that every message has, or something to be passed over on the way to one.
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

// Read a definition. What comes after an array of messages is left out, and so is all that makes no
// sense, and what it takes more than 100000 lines to tell, or more than are left in *lines, from
// which those that were read are taken (a type that stands in another is read each time). False if
// out of memory; the message is to be freed even then.
bool rut_msg_parse(rutMsg* msg, const char* definition, long* lines);
void rut_msg_free(rutMsg* msg);
// Values of n fields, by index and ascending, of a message in CDR. False if it is too short or
// encoded otherwise.
bool rut_msg_read(const rutMsg* msg, const unsigned char* bytes, size_t size, int n,
                  const int* field, double* out);

#endif  // RUT_HOST_ROS_MSG_H
