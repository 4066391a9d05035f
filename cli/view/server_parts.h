// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of the server share: server.c, answer.c (HTTP) and stream.c (WebSocket).
#ifndef RUT_VIEW_SERVER_PARTS_H
#define RUT_VIEW_SERVER_PARTS_H

#include "scene/frame.h"
#include "view/server.h"

enum { VIEW_CLIENT_NEWS = 32, VIEW_CHUNK = 65536, VIEW_BLOCK = 4096 };

// A page at the stream.
typedef struct viewClient {
  struct lws* wsi;  // NULL: free
  viewReader reader;
  char* received;  // message that has come in part
  size_t size;
  bool too_long;
  viewNews news[VIEW_CLIENT_NEWS];
  int first_news, news_count;
  uint32_t status;      // last one that was told
  double status_time;   // when
  uint64_t frame;       // last one that was sent
  bool more;            // ground is left over
  bool told;            // a text was sent since the last frame
  uint32_t subscribed;  // counts all that this place in the table ever subscribed
} viewClient;

struct viewServer {
  const viewWebsockets* lws;
  viewHub* hub;
  viewBackend backend;
  viewAccess access;
  struct lws_context* context;
  struct lws_vhost* vhost;
  viewClient client[VIEW_CLIENTS];
  int clients;
  const viewSnapshot* snapshot;
  uint64_t frame;  // counts snapshots
  unsigned char *buffer, *chunk;
  size_t capacity;
  viewMessage message;
};

// One connection. Zeroed by the library.
typedef struct viewSession {
  viewClient* client;  // NULL: HTTP
  viewBytes* bytes;    // that are sent, or NULL
  const unsigned char* data;
  size_t size, sent;
  bool head;  // no body is wanted
  // samples of the ground
  void* ground;  // NULL: none are sent
  void (*ground_free)(void* ground);
  bool soils;
  double x0, y0, x1, y1;
  int nx, ny;
  // a state that comes in
  unsigned char* upload;
  size_t received, capacity;
  int slot;
} viewSession;

// answer.c
int view_answer(viewServer* server, struct lws* wsi, viewSession* session);
int view_answer_more(viewServer* server, struct lws* wsi, viewSession* session);
int view_answer_body(viewServer* server, struct lws* wsi, viewSession* session, const void* in,
                     size_t size);
int view_answer_body_end(viewServer* server, struct lws* wsi, viewSession* session);
void view_answer_free(viewSession* session);
// True if a connection may become a stream; else it was refused.
bool view_answer_upgrade(viewServer* server, struct lws* wsi);

// stream.c
bool view_stream_open(viewServer* server, struct lws* wsi, viewSession* session);
void view_stream_receive(viewServer* server, struct lws* wsi, viewSession* session, const char* in,
                         size_t size);
int view_stream_write(viewServer* server, viewSession* session);
void view_stream_close(viewServer* server, viewSession* session);
// There may be something to write.
void view_stream_wake(viewServer* server);

#endif  // RUT_VIEW_SERVER_PARTS_H
