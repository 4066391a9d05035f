// SPDX-License-Identifier: BSD-3-Clause
//
// HTTP and WebSocket on one port. Runs in the thread that calls it.
#ifndef RUT_VIEW_SERVER_H
#define RUT_VIEW_SERVER_H

#include <signal.h>

#include "view/access.h"
#include "view/backend.h"
#include "view/hub.h"
#include "view/websockets.h"

typedef struct viewServerDef {
  const viewWebsockets* lws;
  viewHub* hub;
  viewBackend backend;
  const char* host;
  int port;                   // 0: a free one
  const char* const* origin;  // [origins] of pages that may speak Foxglove's protocol; borrowed
  int origins;
  const char* const* ancestor;  // [ancestors] origins of pages that may show ours; borrowed
  int ancestors;
  bool ends_with_input;  // once the standard input has ended
} viewServerDef;

typedef struct viewServer viewServer;

// Listen. NULL, with the reason in message, if that fails.
viewServer* view_server_create(const viewServerDef* def, char* message, size_t size);
// Its address, with a token if it needs one.
void view_server_address(const viewServer* server, char* text, size_t size);
// Answer until *stop is set, or the input has ended with which it ends. False if it cannot go on
// before that.
bool view_server_run(viewServer* server, const volatile sig_atomic_t* stop);
// Let view_server_run look at *stop; may be called in a signal handler.
void view_server_wake(viewServer* server);
// Close all connections. The threads that notify the hub must have ended. Nullable: server.
void view_server_destroy(viewServer* server);

#endif  // RUT_VIEW_SERVER_H
