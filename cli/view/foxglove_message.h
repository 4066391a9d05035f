// SPDX-License-Identifier: BSD-3-Clause
//
// What a client says in the Foxglove WebSocket protocol, version 1
// (https://github.com/foxglove/ws-protocol), checked as far as it can be without a world.
#ifndef RUT_VIEW_FOXGLOVE_MESSAGE_H
#define RUT_VIEW_FOXGLOVE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/driver.h"

enum {
  VIEW_FOXGLOVE_ITEMS = 4096,  // of one message
  VIEW_FOXGLOVE_ADVERTS = 64,  // channels of a client
  VIEW_FOXGLOVE_NAME = 256     // bytes of a name, with its zero
};

typedef enum viewFoxgloveOp {
  VIEW_FOXGLOVE_SUBSCRIBE,
  VIEW_FOXGLOVE_UNSUBSCRIBE,
  VIEW_FOXGLOVE_ADVERTISE,
  VIEW_FOXGLOVE_UNADVERTISE,
  VIEW_FOXGLOVE_OPS
} viewFoxgloveOp;

// A channel that a client publishes on.
typedef struct viewFoxgloveAdvert {
  uint32_t id;
  char topic[VIEW_FOXGLOVE_NAME], encoding[VIEW_FOXGLOVE_NAME], schema[VIEW_FOXGLOVE_NAME];
} viewFoxgloveAdvert;

typedef struct viewFoxgloveMessage {
  viewFoxgloveOp op;
  int items;
  // subscribe: subscription and channel; (un)subscribe and unadvertise: subscription or channel
  uint32_t id[VIEW_FOXGLOVE_ITEMS], channel[VIEW_FOXGLOVE_ITEMS];
  viewFoxgloveAdvert advert[VIEW_FOXGLOVE_ADVERTS];  // advertise
} viewFoxgloveMessage;

// Read a text message. False, with what is wrong in error, if it is none.
bool view_foxglove_read(const char* text, size_t size, viewFoxgloveMessage* message, char* error,
                        size_t error_size);

// What a client publishes. bytes are borrowed.
typedef struct viewFoxglovePublished {
  uint32_t channel;
  const unsigned char* bytes;
  size_t size;
} viewFoxglovePublished;

// Read a binary message. False, with what is wrong in error, if it is none.
bool view_foxglove_read_binary(const void* data, size_t size, viewFoxglovePublished* message,
                               char* error, size_t error_size);
// A geometry_msgs/Twist as "cdr" or "json", of which members that are left out are 0. False, with
// what is wrong in error, if it is none.
bool view_foxglove_read_twist(const char* encoding, const viewFoxglovePublished* message,
                              viewTwist* twist, char* error, size_t error_size);

#endif  // RUT_VIEW_FOXGLOVE_MESSAGE_H
