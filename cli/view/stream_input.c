// SPDX-License-Identifier: BSD-3-Clause
//
// Reading what pages send. The library does not: its socket is read here, through a descriptor of
// its own, which the library only watches.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "view/server_parts.h"

enum { READ_AT_ONCE = 16384 };

bool view_input_open(viewServer* server, viewClient* client) {
  const viewWebsockets* lws = server->lws;
  lws_sock_file_fd_type file = {.filefd = dup(lws->lws_get_socket_fd(client->wsi))};
  if (file.filefd < 0) return false;
  client->input = lws->lws_adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, file,
                                                  VIEW_INPUT_PROTOCOL, client->wsi);
  if (!client->input) {
    close(file.filefd);
    return false;
  }
  return lws->lws_rx_flow_control(client->wsi, 0) >= 0;
}

static viewClient* client_of(viewServer* server, const struct lws* input) {
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    viewClient* client = &server->client[i];
    if (client->wsi && client->input == input) return client;
  }
  return NULL;
}

// Close from our side: the library lets that begin only where it may write.
static void hang_up(viewServer* server, viewClient* client, int code) {
  client->close_code = code;
  server->lws->lws_callback_on_writable(client->wsi);
}

static void handle(viewServer* server, viewClient* client, viewIncomingKind kind) {
  viewIncoming* in = &client->incoming;
  switch (kind) {
    case VIEW_INCOMING_NOTHING:
      break;
    case VIEW_INCOMING_TEXT:
      if (client->foxglove) {
        view_foxglove_text(client->foxglove, in->message, in->size);
        server->lws->lws_callback_on_writable(client->wsi);
      } else {
        view_input_message(server, client, in->message, in->size);
      }
      break;
    case VIEW_INCOMING_BINARY:
      if (client->foxglove) {
        view_foxglove_binary(client->foxglove, in->message, in->size);
        server->lws->lws_callback_on_writable(client->wsi);
      } else {
        view_stream_tell_error(server, client, "messages are text");
      }
      break;
    case VIEW_INCOMING_TOO_LONG:
      view_stream_tell_error(server, client, "a message has at most 65536 bytes");
      break;
    case VIEW_INCOMING_PING:
      // of several that wait the last is answered (RFC 6455, 5.5.3)
      client->pong = true;
      client->ping_size = in->control_size;
      memcpy(client->ping, in->control, in->control_size);
      server->lws->lws_callback_on_writable(client->wsi);
      break;
    case VIEW_INCOMING_CLOSE:
      hang_up(server, client, VIEW_CLOSE_NORMAL);
      break;
    case VIEW_INCOMING_FAULT:
      hang_up(server, client, in->close_code);
      break;
  }
}

int view_input_read(viewServer* server, struct lws* input) {
  unsigned char data[READ_AT_ONCE];
  viewClient* client = client_of(server, input);
  if (!client) return -1;
  const ssize_t n = recv(server->lws->lws_get_socket_fd(input), data, sizeof data, MSG_DONTWAIT);
  if (n < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  if (n == 0) return -1;
  for (size_t at = 0; at < (size_t)n && !client->close_code;) {
    viewIncomingKind kind;
    at += view_incoming_take(&client->incoming, data + at, (size_t)n - at, &kind);
    handle(server, client, kind);
  }
  return client->close_code ? -1 : 0;
}

// If the page has gone, so does the rest of its connection.
void view_input_close(viewServer* server, struct lws* input) {
  viewClient* client = client_of(server, input);
  if (!client) return;
  client->input = NULL;
  if (!client->close_code) {
    server->lws->lws_set_timeout(client->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
  }
}
