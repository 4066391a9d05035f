// SPDX-License-Identifier: BSD-3-Clause
//
// Local maps and planned paths as ROS 2 messages, in CDR: of logs and of topics.
#ifndef RUT_HOST_NAVIGATION_MESSAGE_H
#define RUT_HOST_NAVIGATION_MESSAGE_H

#include "host/bytes.h"
#include "rut/navigation.h"

// Where and when a map or path is told; all borrowed.
typedef struct rutNavigationHead {
  int64_t stamp;      // [ns]
  const char* frame;  // of all numbers
} rutNavigationHead;

// The messages of what a vehicle's navigation publishes, in the order of the bits
// RUT_NAVIGATION_...
enum { RUT_NAVIGATION_MESSAGES = 3 };
typedef struct rutNavigationMessage {
  unsigned bit;                     // RUT_NAVIGATION_PATH, ...
  const char* name;                 // of its topic behind the vehicle: "plan"
  const char *schema, *definition;  // in ros2msg
  void (*put)(rutBytes* bytes, const rutNavigationHead* head, const rutNavigationInfo* info,
              const rutNavigationView* view);
} rutNavigationMessage;
// One of them, by index.
const rutNavigationMessage* rut_navigation_message(int index);

#endif  // RUT_HOST_NAVIGATION_MESSAGE_H
