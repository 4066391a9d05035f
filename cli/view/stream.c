// SPDX-License-Identifier: BSD-3-Clause
//
// The stream: frames and texts to pages, messages from them. A frame is made when a page can take
// one, of the newest state, so that a slow page gets fewer.
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "clock.h"
#include "json.h"
#include "view/server_parts.h"

// Bytes that the system may hold back for a page: more would only make it lag behind.
enum { SEND_BUFFER = 256 * 1024 };
// A status is told at least so often [s].
static const double STATUS_EVERY = 1;
// And not more often, whatever changes [s].
static const double STATUS_PAUSE = 0.05;
// Frames alone have the connection for no longer after a sample [s].
static const double SAMPLE_PAUSE = 1;
// A page that has read nothing for so long has gone [ms].
static const unsigned GONE_AFTER = 30000;

viewSource view_stream_source(const viewServer* server) {
  return (viewSource){&server->hub->shape, &server->hub->tiles};
}

// ---- texts ----

static void tell(viewClient* client, const viewNews* news) {
  if (client->news_count == VIEW_CLIENT_NEWS) return;
  client->news[(client->first_news + client->news_count++) % VIEW_CLIENT_NEWS] = *news;
}

void view_stream_tell_error(viewServer* server, viewClient* client, const char* message) {
  viewNews news = {.kind = VIEW_NEWS_ERROR};
  snprintf(news.text, sizeof news.text, "%s", message);
  tell(client, &news);
  server->lws->lws_callback_on_writable(client->wsi);
}

static void put_news(const viewNews* news, cliJson* json) {
  static const char* const type[] = {"error", "parameter", "scene"};
  cli_json_text(json, "type", type[news->kind]);
  if (news->kind == VIEW_NEWS_ERROR) cli_json_text(json, "message", news->text);
  if (news->kind == VIEW_NEWS_PARAMETER) {
    cli_json_text(json, "path", news->path);
    cli_json_text(json, "value", news->text);
  }
}

static void put_logs(const viewStatus* status, cliJson* json) {
  cli_json_array(json, "logs");
  for (int i = 0; i < status->logs; i++) {
    const viewLogStatus* log = &status->log[i];
    cli_json_object(json, NULL);
    cli_json_text(json, "name", log->name);
    cli_json_text(json, "state", log->state);
    cli_json_integer(json, "session", log->session);
    cli_json_integer(json, "rows", log->rows);
    cli_json_text(json, "file", log->file);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void put_warnings(const viewStatus* status, cliJson* json) {
  cli_json_array(json, "warnings");
  for (int i = 0; i < status->warnings; i++) {
    cli_json_object(json, NULL);
    cli_json_number(json, "time", status->warning[i].time);
    cli_json_text(json, "message", status->warning[i].text);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void put_status(viewServer* server, viewClient* client, cliJson* json) {
  viewHub* hub = server->hub;
  cli_json_text(json, "type", "status");
  cli_json_text(json, "mode", server->backend.mode);
  cli_json_integer(json, "clients", server->clients);
  cli_json_number(json, "time", server->snapshot->time);
  view_hub_lock(hub);
  const viewStatus* status = &hub->status;
  client->status = status->change;
  cli_json_bool(json, "paused", status->paused);
  cli_json_number(json, "rate", status->rate);
  cli_json_number(json, "end", status->end);  // null if there is none
  if (status->recording) cli_json_text(json, "recording", status->recording);
  cli_json_array(json, "driven");
  for (int i = 0; i < hub->shape.vehicles; i++) {
    cli_json_text(json, NULL, status->driven[i] ? "page" : "world");
  }
  cli_json_end(json);
  cli_json_array(json, "slots");
  for (int i = 0; i < VIEW_SLOTS; i++) {
    if (status->slots >> i & 1) cli_json_integer(json, NULL, i);
  }
  cli_json_end(json);
  put_logs(status, json);
  put_warnings(status, json);
  if (status->study) {
    cli_json_object(json, "study");
    cli_json_integer(json, "run", status->run);
    cli_json_text(json, "outcome", status->outcome ? status->outcome : "");
    cli_json_end(json);
  }
  view_hub_unlock(hub);
}

// Room for n bytes of a message. False if out of memory.
static bool reserve(viewServer* server, size_t n) {
  if (server->capacity >= n + LWS_PRE) return true;
  unsigned char* larger = realloc(server->buffer, n + LWS_PRE);
  if (!larger) return false;
  server->buffer = larger;
  server->capacity = n + LWS_PRE;
  return true;
}

// Send a text message: news, or the status (NULL).
static int send_text(viewServer* server, viewClient* client, const viewNews* news) {
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  if (!out) return -1;
  cliJson json;
  cli_json_init(&json, out);
  cli_json_object(&json, NULL);
  if (news) {
    put_news(news, &json);
  } else {
    put_status(server, client, &json);
  }
  cli_json_end(&json);
  int result = fclose(out) == 0 && reserve(server, size) ? 0 : -1;
  if (result == 0) {
    memcpy(server->buffer + LWS_PRE, text, size);
    result = server->lws->lws_write(client->wsi, server->buffer + LWS_PRE, size, LWS_WRITE_TEXT);
  }
  free(text);
  return result < 0 ? -1 : 0;
}

// ---- writing ----

static bool status_due(const viewClient* client, uint32_t change) {
  const double age = cli_clock() - client->status_time;
  return age >= STATUS_EVERY || (client->status != change && age >= STATUS_PAUSE);
}

static bool frame_due(const viewServer* server, const viewClient* client) {
  return server->frame > 0 && (client->frame != server->frame || client->more);
}

static uint32_t status_change(viewServer* server) {
  view_hub_lock(server->hub);
  const uint32_t change = server->hub->status.change;
  view_hub_unlock(server->hub);
  return change;
}

static int send_frame(viewServer* server, viewClient* client) {
  client->frame = server->frame;
  if (!reserve(server, view_frame_size(view_stream_source(server), &client->reader))) return -1;
  unsigned char* out = server->buffer + LWS_PRE;
  const size_t size = view_frame_write(view_stream_source(server), server->snapshot,
                                       &client->reader, out, &client->more);
  return server->lws->lws_write(client->wsi, out, size, LWS_WRITE_BINARY) < 0 ? -1 : 0;
}

// ---- samples ----

// Place of the next source in the client's list with a sample that it does not have, -1 if there is
// none. Each has its turn.
static int sample_due(const viewServer* server, const viewClient* client) {
  const viewWatch* watch = &client->watch;
  for (int i = 0; i < watch->sources; i++) {
    const int k = (client->sampled + i) % watch->sources;
    if (view_samples_has(&server->hub->samples, watch->source[k], client->sample[k])) return k;
  }
  return -1;
}

// A sample takes at most every second moment of the connection: after it frames have as long as it
// took.
static int send_sample(viewServer* server, viewClient* client, int k) {
  viewBytes* bytes =
      view_samples_take(&server->hub->samples, client->watch.source[k], &client->sample[k]);
  client->sampled = k + 1;
  if (!bytes) return 0;
  const size_t size = bytes->size;
  const bool fits = reserve(server, size);
  if (fits) memcpy(server->buffer + LWS_PRE, bytes->data, size);
  view_bytes_drop(bytes);
  if (!fits) return -1;
  client->sample_begun = cli_clock();
  const int sent =
      server->lws->lws_write(client->wsi, server->buffer + LWS_PRE, size, LWS_WRITE_BINARY);
  return sent < 0 ? -1 : 0;
}

// ---- Foxglove ----

static int send_foxglove(viewServer* server, viewClient* client, const viewFoxgloveOut* out) {
  const size_t body = out->body ? out->body->size : 0, size = out->head_size + body;
  const bool fits = reserve(server, size);
  if (fits) {
    memcpy(server->buffer + LWS_PRE, out->head, out->head_size);
    if (body > 0) memcpy(server->buffer + LWS_PRE + out->head_size, out->body->data, body);
  }
  view_bytes_drop(out->body);
  if (!fits) return -1;
  const int sent = server->lws->lws_write(client->wsi, server->buffer + LWS_PRE, size,
                                          out->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
  return sent < 0 ? -1 : 0;
}

static bool foxglove_waits(const viewServer* server, const viewClient* client) {
  return client->news_count > 0 || view_foxglove_waits(client->foxglove, server->snapshot);
}

static int write_foxglove(viewServer* server, viewClient* client) {
  viewFoxgloveOut out;
  // changes of parameters and the scene show in other ways
  for (; client->news_count > 0; client->news_count--) {
    const viewNews* news = &client->news[client->first_news];
    if (news->kind == VIEW_NEWS_ERROR) view_foxglove_error(client->foxglove, news->text);
    client->first_news = (client->first_news + 1) % VIEW_CLIENT_NEWS;
  }
  int result = 0;
  if (view_foxglove_next(client->foxglove, server->snapshot, &out)) {
    result = send_foxglove(server, client, &out);
  }
  if (foxglove_waits(server, client)) server->lws->lws_callback_on_writable(client->wsi);
  return result;
}

static int send_pong(viewServer* server, viewClient* client) {
  if (!reserve(server, client->ping_size)) return -1;
  unsigned char* out = server->buffer + LWS_PRE;
  memcpy(out, client->ping, client->ping_size);
  return server->lws->lws_write(client->wsi, out, client->ping_size, LWS_WRITE_PONG) < 0 ? -1 : 0;
}

// One message at a time, as the library wants it; texts first, but not one after the other while a
// frame waits.
int view_stream_write(viewServer* server, viewSession* session) {
  viewClient* client = session->client;
  if (!client) return -1;
  if (client->close_code) {
    server->lws->lws_close_reason(client->wsi, (enum lws_close_status)client->close_code, NULL, 0);
    view_stream_close(server, session);
    return -1;
  }
  int result = 0;
  if (client->foxglove && client->pong) {
    client->pong = false;
    server->lws->lws_callback_on_writable(client->wsi);
    return send_pong(server, client);
  }
  if (client->foxglove) return write_foxglove(server, client);
  if (client->sample_begun > 0) {
    const double now = cli_clock();
    client->sample_next = now + fmin(now - client->sample_begun, SAMPLE_PAUSE);
    client->sample_begun = 0;
  }
  const int sample = cli_clock() >= client->sample_next ? sample_due(server, client) : -1;
  const uint32_t change = status_change(server);
  const bool text = client->news_count > 0 || status_due(client, change);
  if (client->pong) {
    client->pong = false;
    result = send_pong(server, client);
  } else if (sample >= 0 && client->framed) {
    client->framed = false;
    result = send_sample(server, client, sample);
  } else if (frame_due(server, client) && (!text || client->told)) {
    client->framed = true;
    client->told = false;
    result = send_frame(server, client);
  } else if (client->news_count > 0) {
    const viewNews* news = &client->news[client->first_news];
    client->first_news = (client->first_news + 1) % VIEW_CLIENT_NEWS;
    client->news_count--;
    client->told = true;
    result = send_text(server, client, news);
  } else if (text) {
    client->status_time = cli_clock();
    client->told = true;
    result = send_text(server, client, NULL);
  } else if (sample >= 0) {
    result = send_sample(server, client, sample);
  }
  if (client->pong || client->news_count > 0 || status_due(client, change) ||
      frame_due(server, client) ||
      (cli_clock() >= client->sample_next && sample_due(server, client) >= 0)) {
    server->lws->lws_callback_on_writable(client->wsi);
  }
  return result;
}

void view_stream_wake(viewServer* server) {
  bool fresh = false;
  server->snapshot = view_hub_front(server->hub, &fresh);
  if (fresh) server->frame++;
  for (viewNews news; view_hub_news(server->hub, &news);) {
    for (int i = 0; i < VIEW_CLIENTS; i++) {
      viewClient* client = &server->client[i];
      if (client->wsi && (news.client < 0 || news.client == i)) tell(client, &news);
    }
  }
  const uint32_t change = status_change(server);
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    viewClient* client = &server->client[i];
    if (!client->wsi) continue;
    if (client->foxglove) {
      if (foxglove_waits(server, client)) server->lws->lws_callback_on_writable(client->wsi);
      continue;
    }
    if (client->news_count > 0 || status_due(client, change) || frame_due(server, client) ||
        sample_due(server, client) >= 0) {
      server->lws->lws_callback_on_writable(client->wsi);
    }
  }
}

// ---- coming and going ----

static viewClient* free_client(viewServer* server) {
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    if (!server->client[i].wsi) return &server->client[i];
  }
  return NULL;
}

static void count(viewServer* server, int change) {
  server->clients += change;
  atomic_store(&server->hub->clients, server->clients);
  view_hub_lock(server->hub);
  view_hub_changed(server->hub);
  view_hub_unlock(server->hub);
}

static void free_parts(viewClient* client) {
  client->wsi = NULL;
  view_reader_free(&client->reader);
  view_incoming_free(&client->incoming);
  view_foxglove_free(client->foxglove);
  client->foxglove = NULL;
}

bool view_stream_open(viewServer* server, struct lws* wsi, viewSession* session, bool foxglove) {
  viewClient* client = free_client(server);
  if (!client) return false;
  const uint32_t subscribed = client->subscribed;
  *client = (viewClient){.subscribed = subscribed, .wsi = wsi};
  if (foxglove) {
    client->foxglove = view_foxglove_create(server->hub, &server->backend, server->session,
                                            (int)(client - server->client));
  }
  const bool fine = (!foxglove || client->foxglove) && view_incoming_create(&client->incoming) &&
                    view_reader_create(view_stream_source(server), &client->reader) &&
                    view_input_open(server, client);
  if (!fine) {
    free_parts(client);
    return false;
  }
  // no row carries this number yet
  client->reader.subscription = ++client->subscribed;
  client->reader.curves = &server->hub->curves[client - server->client];
  client->reader.jumps = server->snapshot ? server->snapshot->jumps : 0;
  session->client = client;
  const int limit = SEND_BUFFER, socket = server->lws->lws_get_socket_fd(wsi);
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &limit, sizeof limit);
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &GONE_AFTER, sizeof GONE_AFTER);
  count(server, 1);
  const viewOrder hello = {.verb = VIEW_HELLO};
  const viewOrder topics = {.verb = VIEW_TOPICS, .client = (int)(client - server->client)};
  if (foxglove) view_hub_order(server->hub, &topics);
  view_hub_order(server->hub, &hello);
  server->lws->lws_callback_on_writable(wsi);
  return true;
}

void view_stream_close(viewServer* server, viewSession* session) {
  viewClient* client = session->client;
  if (!client) return;
  session->client = NULL;
  // the library closes it with the connection that it was opened for
  client->input = NULL;
  free_parts(client);
  const viewOrder gone = {.verb = VIEW_GONE, .client = (int)(client - server->client)};
  view_hub_order(server->hub, &gone);
  count(server, -1);
}
