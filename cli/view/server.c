// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "view/page.h"
#include "view/server_parts.h"

// ---- connections ----

// A connection that asks for nothing in this time is closed [s].
enum { SILENCE = 15 };

// Place of a connection among those that ask for nothing, -1: it is none of them.
static int find_silent(const viewServer* server, const struct lws* wsi) {
  for (int i = 0; i < server->silent_count; i++) {
    if (server->silent[i] == wsi) return i;
  }
  return -1;
}

static void forget_silent(viewServer* server, const struct lws* wsi) {
  const int i = find_silent(server, wsi);
  if (i < 0) return;
  server->silent_count--;
  memmove(server->silent + i, server->silent + i + 1,
          (size_t)(server->silent_count - i) * sizeof *server->silent);
}

void view_server_silent(viewServer* server, struct lws* wsi) {
  forget_silent(server, wsi);
  if (server->silent_count < VIEW_CONNECTIONS) server->silent[server->silent_count++] = wsi;
}

// Whether one more may connect. Of too many the one goes that has been silent longest, so that a
// flood of them keeps nobody out.
static bool admit(viewServer* server) {
  if (server->connections < VIEW_CONNECTIONS) return true;
  if (server->silent_count == 0) return false;
  struct lws* oldest = server->silent[0];
  forget_silent(server, oldest);
  server->lws->lws_set_timeout(oldest, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
  return true;
}

// Nullable: session.
static bool is_late(const viewServer* server, const struct lws* wsi, const viewSession* session) {
  return find_silent(server, wsi) >= 0 || (session && view_answer_is_late(session));
}

static int on_request(viewServer* server, struct lws* wsi, viewSession* session) {
  forget_silent(server, wsi);
  return view_answer(server, wsi, session);
}

// Requests of the page, and the answer to an upgrade.
static int on_http(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                   size_t size) {
  const viewWebsockets* lws = view_websockets();
  viewServer* server = lws->lws_context_user(lws->lws_get_context(wsi));
  viewSession* session = user;
  switch ((int)reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
      return admit(server) ? 0 : 1;
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
      view_server_silent(server, wsi);
      lws->lws_set_timer_usecs(wsi, (lws_usec_t)SILENCE * LWS_USEC_PER_SEC);
      return 0;
    case LWS_CALLBACK_WSI_CREATE:
      server->connections++;
      return 0;
    case LWS_CALLBACK_WSI_DESTROY:
      server->connections--;
      forget_silent(server, wsi);
      return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      forget_silent(server, wsi);
      return view_answer_upgrade(server, wsi, in) ? 0 : 1;
    case LWS_CALLBACK_TIMER:
      return is_late(server, wsi, session) ? -1 : 0;
    case LWS_CALLBACK_HTTP:
      return on_request(server, wsi, session);
    case LWS_CALLBACK_HTTP_WRITEABLE:
      return view_answer_more(server, wsi, session);
    case LWS_CALLBACK_HTTP_BODY:
      return view_receive_body(session, in, size);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
      return view_receive_end(server, wsi, session);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
      if (session) view_answer_free(server, session);
      return 0;
    default:
      return 0;
  }
}

static bool speaks_foxglove(const struct lws_protocols* protocol) {
  return protocol && (strcmp(protocol->name, VIEW_FOXGLOVE_SDK) == 0 ||
                      strcmp(protocol->name, VIEW_FOXGLOVE_WEBSOCKET) == 0);
}

static int on_stream(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                     size_t size) {
  (void)in;
  (void)size;
  const viewWebsockets* lws = view_websockets();
  viewServer* server = lws->lws_context_user(lws->lws_get_context(wsi));
  viewSession* session = user;
  switch ((int)reason) {
    case LWS_CALLBACK_ESTABLISHED:
      return view_stream_open(server, wsi, session, speaks_foxglove(lws->lws_get_protocol(wsi)))
                 ? 0
                 : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return view_stream_write(server, session);
    case LWS_CALLBACK_CLOSED:
      view_stream_close(server, session);
      return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
      view_stream_wake(server);
      return 0;
    default:
      return 0;
  }
}

// The socket of a stream, as a descriptor that can be read.
static int on_input(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                    size_t size) {
  (void)user;
  (void)in;
  (void)size;
  const viewWebsockets* lws = view_websockets();
  viewServer* server = lws->lws_context_user(lws->lws_get_context(wsi));
  switch ((int)reason) {
    case LWS_CALLBACK_RAW_RX_FILE:
      return view_input_read(server, wsi);
    case LWS_CALLBACK_RAW_CLOSE_FILE:
      view_input_close(server, wsi);
      return 0;
    default:
      return 0;
  }
}

// The input with which the server ends: of what comes nothing is heeded.
static int on_end(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                  size_t size) {
  (void)user;
  (void)in;
  (void)size;
  char ignored[VIEW_BLOCK];
  const viewWebsockets* lws = view_websockets();
  viewServer* server = lws->lws_context_user(lws->lws_get_context(wsi));
  if ((int)reason == LWS_CALLBACK_RAW_CLOSE_FILE) server->over = true;
  if ((int)reason != LWS_CALLBACK_RAW_RX_FILE) return 0;
  const ssize_t n = read(lws->lws_get_socket_fd(wsi), ignored, sizeof ignored);
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)) ? 0 : -1;
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = on_http, .per_session_data_size = sizeof(viewSession)},
    {.name = VIEW_STREAM_PROTOCOL,
     .callback = on_stream,
     .per_session_data_size = sizeof(viewSession),
     .rx_buffer_size = VIEW_BLOCK},
    {.name = VIEW_FOXGLOVE_SDK,
     .callback = on_stream,
     .per_session_data_size = sizeof(viewSession),
     .rx_buffer_size = VIEW_BLOCK},
    {.name = VIEW_FOXGLOVE_WEBSOCKET,
     .callback = on_stream,
     .per_session_data_size = sizeof(viewSession),
     .rx_buffer_size = VIEW_BLOCK},
    {.name = VIEW_INPUT_PROTOCOL, .callback = on_input},
    {.name = VIEW_END_PROTOCOL, .callback = on_end},
    {0}};

// ---- life ----

static void notify(void* user) {
  viewServer* server = user;
  server->lws->lws_cancel_service(server->context);
}

static bool listen_on(viewServer* server, const char* host, int port) {
  struct lws_context_creation_info info;
  memset(&info, 0, sizeof info);
  info.port = CONTEXT_PORT_NO_LISTEN;
  info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
  info.user = server;
  info.server_string = "rut";
  server->context = server->lws->lws_create_context(&info);
  if (!server->context) return false;
  const bool any = view_is_any(host);
  info.port = port;
  info.iface = any ? NULL : strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
  info.protocols = protocols;
  info.options |= LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
  if (!strchr(host, ':')) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
  info.vhost_name = "rut";
  info.ka_time = 20;
  info.ka_probes = 3;
  info.ka_interval = 5;
  server->vhost = server->lws->lws_create_vhost(server->context, &info);
  if (!server->vhost) return false;
  server->access.port = server->lws->lws_get_vhost_listen_port(server->vhost);
  return server->access.port > 0;
}

// A descriptor of its own, as the library closes it.
static bool watch_input(viewServer* server) {
  const lws_sock_file_fd_type file = {.filefd = dup(STDIN_FILENO)};
  if (file.filefd < 0) return false;
  if (server->lws->lws_adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, file,
                                              VIEW_END_PROTOCOL, NULL)) {
    return true;
  }
  close(file.filefd);
  return false;
}

viewServer* view_server_create(const viewServerDef* def, char* message, size_t size) {
  viewServer* server = calloc(1, sizeof *server);
  if (!server) return NULL;
  server->lws = def->lws;
  server->hub = def->hub;
  server->backend = def->backend;
  bool fresh;
  server->snapshot = view_hub_front(def->hub, &fresh);
  server->chunk = malloc(LWS_PRE + VIEW_CHUNK);
  server->plain = calloc(view_page_count + 1, sizeof(viewBytes*));
  def->lws->lws_set_log_level(0, NULL);
  if (!server->chunk || !server->plain || !view_access_create(def->host, &server->access)) {
    snprintf(message, size, "no memory or no random numbers");
    view_server_destroy(server);
    return NULL;
  }
  snprintf(server->session, sizeof server->session, "%jd-%jd", (intmax_t)time(NULL),
           (intmax_t)getpid());
  server->access.origin = def->origin;
  server->access.origins = def->origins;
  server->framed = def->ancestors > 0;
  if (!view_ancestors(def->ancestor, def->ancestors, server->ancestors)) {
    snprintf(message, size, "more pages may show this one than an answer can name");
    view_server_destroy(server);
    return NULL;
  }
  if (!listen_on(server, def->host, def->port)) {
    snprintf(message, size, "cannot listen on %s port %d: is another viewer running? try --port 0",
             def->host, def->port);
    view_server_destroy(server);
    return NULL;
  }
  if (def->ends_with_input && !watch_input(server)) {
    snprintf(message, size, "there is no standard input to end with");
    view_server_destroy(server);
    return NULL;
  }
  view_hub_lock(def->hub);
  def->hub->user = server;
  def->hub->notify = notify;
  view_hub_unlock(def->hub);
  return server;
}

void view_server_address(const viewServer* server, char* text, size_t size) {
  const viewAccess* a = &server->access;
  char host[256];
  snprintf(host, sizeof host, "%s", a->host);
  if (view_is_any(a->host)) view_own_address(a->host, host, sizeof host);
  const bool v6 = strchr(host, ':') != NULL;
  snprintf(text, size, "http://%s%s%s:%d/%s%s", v6 ? "[" : "", host, v6 ? "]" : "", a->port,
           a->open ? "?token=" : "", a->open ? a->token : "");
}

bool view_server_run(viewServer* server, const volatile sig_atomic_t* stop) {
  while (!*stop && !server->over) {
    if (server->lws->lws_service(server->context, 0) < 0) return *stop != 0;
  }
  return true;
}

void view_server_wake(viewServer* server) { server->lws->lws_cancel_service(server->context); }

void view_server_destroy(viewServer* server) {
  if (!server) return;
  view_hub_lock(server->hub);
  server->hub->notify = NULL;
  view_hub_unlock(server->hub);
  if (server->context) server->lws->lws_context_destroy(server->context);
  for (size_t i = 0; server->plain && i < view_page_count; i++) view_bytes_drop(server->plain[i]);
  view_bytes_drop(server->scene);
  view_bytes_drop(server->packed_scene);
  view_bytes_drop(server->packed_study);
  free(server->plain);
  free(server->buffer);
  free(server->chunk);
  free(server);
}
