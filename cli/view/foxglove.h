// SPDX-License-Identifier: BSD-3-Clause
//
// A client of the Foxglove WebSocket protocol: what it has subscribed, what it is to be sent next,
// and what its messages ask. It knows nothing of sockets.
#ifndef RUT_VIEW_FOXGLOVE_H
#define RUT_VIEW_FOXGLOVE_H

#include "scene/update.h"
#include "view/backend.h"
#include "view/foxglove_message.h"
#include "view/hub.h"

#define VIEW_FOXGLOVE_SDK       "foxglove.sdk.v1"
#define VIEW_FOXGLOVE_WEBSOCKET "foxglove.websocket.v1"

enum { VIEW_FOXGLOVE_TEXTS = 32, VIEW_FOXGLOVE_HEAD = 13 };

typedef struct viewFoxglove {
  viewHub* hub;
  const viewBackend* backend;
  const char* session;  // what tells this server from others; borrowed
  int client;           // its number, of orders
  bool introduced;
  uint32_t jumps;    // of the run, as it knows it
  int advertised;    // topics
  int64_t time;      // that it was told last [ns], -1: none
  uint32_t* id;      // [topics] of its subscriptions; owned
  bool* subscribed;  // [topics] owned
  int topics, subscriptions;
  bool scene;  // subscribed, too
  uint32_t scene_id;
  uint64_t next;                         // message of the ring
  uint64_t left_out;                     // messages of all topics that it had no time for
  double lost;                           // when it was last told that messages were lost [s]
  viewBytes* text[VIEW_FOXGLOVE_TEXTS];  // that wait
  int first_text, texts;
  viewFoxgloveAdvert advert[VIEW_FOXGLOVE_ADVERTS];
  int vehicle[VIEW_FOXGLOVE_ADVERTS];  // that each drives, -1: none
  int adverts;
  viewShown shown;
  viewFoxgloveMessage* message;  // scratch; owned
} viewFoxglove;

// What is to be sent: a head, and the bytes behind it, which the caller drops.
typedef struct viewFoxgloveOut {
  bool binary;
  unsigned char head[VIEW_FOXGLOVE_HEAD];
  size_t head_size;
  viewBytes* body;  // NULL: the head alone
} viewFoxgloveOut;

// session tells this server from others, and is borrowed. NULL if out of memory.
viewFoxglove* view_foxglove_create(viewHub* hub, const viewBackend* backend, const char* session,
                                   int client);
// Nullable: foxglove.
void view_foxglove_free(viewFoxglove* foxglove);
// What the client is sent next, at the state that is shown. False if there is nothing now.
bool view_foxglove_next(viewFoxglove* foxglove, const viewSnapshot* snapshot, viewFoxgloveOut* out);
// Whether there may be something.
bool view_foxglove_waits(const viewFoxglove* foxglove, const viewSnapshot* snapshot);
// What the client has sent.
void view_foxglove_text(viewFoxglove* foxglove, const char* text, size_t size);
void view_foxglove_binary(viewFoxglove* foxglove, const void* data, size_t size);
// Tell the client an error.
void view_foxglove_error(viewFoxglove* foxglove, const char* message);

#endif  // RUT_VIEW_FOXGLOVE_H
