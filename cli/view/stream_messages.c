// SPDX-License-Identifier: BSD-3-Clause
//
// What the messages of a page ask.
#include <stdio.h>
#include <string.h>

#include "view/server_parts.h"

static void subscribe(viewServer* server, viewClient* client, const viewMessage* message) {
  viewOrder order = {.verb = VIEW_SUBSCRIBE, .client = (int)(client - server->client)};
  const char* name = message->names;
  for (int i = 0; i < message->signals; i++, name += strlen(name) + 1) {
    const char* nearest;
    order.signal[i] = server->backend.signal(server->backend.user, name, &nearest);
    if (order.signal[i] < 0) {
      char text[600];
      snprintf(text, sizeof text, "there is no signal '%.200s'%s%.200s%s", name,
               nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
      view_stream_tell_error(server, client, text);
      return;
    }
  }
  order.numbers = message->signals;
  order.subscription = ++client->subscribed;
  if (!view_hub_order(server->hub, &order)) {
    view_stream_tell_error(server, client, "too many messages wait");
    return;
  }
  client->reader.subscription = order.subscription;
  client->reader.subscriptions++;
  client->reader.signals = message->signals;
}

// Things by their number, and the sources that stand for them: every `each`-th from the first on.
typedef struct viewSources {
  const char* thing;
  const int* number;  // [count], below `most`
  int count, most;
  int first, each;
} viewSources;

static bool add_sources(viewServer* server, viewClient* client, const viewSources* from,
                        viewWatch* watch) {
  for (int i = 0; i < from->count; i++) {
    if (from->number[i] >= from->most) {
      char text[100];
      snprintf(text, sizeof text, "there is no %s %d", from->thing, from->number[i]);
      view_stream_tell_error(server, client, text);
      return false;
    }
    watch->source[watch->sources++] = from->first + from->each * from->number[i];
  }
  return true;
}

static void watch(viewServer* server, viewClient* client, const viewMessage* m) {
  const viewShape* shape = &server->hub->shape;
  const viewSources list[] = {
      {"sensor", m->sensor, m->sensors, shape->sensors, 0, 1},
      {"vehicle", m->map, m->maps, shape->vehicles, view_map_source(shape, 0), 2},
      {"vehicle", m->path_of, m->paths, shape->vehicles, view_path_source(shape, 0), 2}};
  viewOrder order = {.verb = VIEW_WATCH, .client = (int)(client - server->client)};
  order.watch = (viewWatch){.layers = m->layers};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    if (!add_sources(server, client, &list[i], &order.watch)) return;
  }
  if (!view_hub_order(server->hub, &order)) {
    view_stream_tell_error(server, client, "too many messages wait");
    return;
  }
  client->watch = order.watch;
  // what is there already is new to it
  memset(client->sample, 0, sizeof client->sample);
  server->lws->lws_callback_on_writable(client->wsi);
}

static void pass_on(viewServer* server, viewClient* client, const viewMessage* message) {
  viewOrder order = {.verb = message->verb,
                     .client = (int)(client - server->client),
                     .vehicle = message->vehicle,
                     .slot = message->slot,
                     .log = message->log,
                     .request = message->request,
                     .steps = message->steps,
                     .value = message->value,
                     .on = message->on,
                     .pedals = message->pedals};
  if (message->verb == VIEW_COMMAND) {
    order.numbers = message->numbers;
    memcpy(order.number, message->number, sizeof order.number);
  }
  if (!view_hub_order(server->hub, &order)) {
    view_stream_tell_error(server, client, "too many messages wait");
  }
}

static void obey(viewServer* server, viewClient* client, const viewMessage* message) {
  if (!(server->backend.verbs >> message->verb & 1)) {
    char text[100];
    snprintf(text, sizeof text, "a %s view does not know '%s'", server->backend.mode,
             view_verb_name(message->verb));
    view_stream_tell_error(server, client, text);
    return;
  }
  switch (message->verb) {
    case VIEW_HELLO:
      view_reader_forget(view_stream_source(server), &client->reader);
      client->frame = 0;
      client->status_time = 0;
      server->lws->lws_callback_on_writable(client->wsi);
      pass_on(server, client, message);
      break;
    case VIEW_SUBSCRIBE:
      subscribe(server, client, message);
      break;
    case VIEW_WATCH:
      watch(server, client, message);
      break;
    case VIEW_SET:
      if (!server->backend.set(server->backend.user, (int)(client - server->client), message->path,
                               message->text)) {
        view_stream_tell_error(server, client, "too many changes wait");
      }
      break;
    case VIEW_RUN:
      if (!server->backend.run(server->backend.user, (int)(client - server->client),
                               message->run)) {
        view_stream_tell_error(server, client, "too many changes wait");
      }
      break;
    default:
      pass_on(server, client, message);
      break;
  }
}

void view_input_message(viewServer* server, viewClient* client, const char* text, size_t size) {
  char error[400];
  if (view_message_read(text, size, &server->message, error, sizeof error)) {
    obey(server, client, &server->message);
  } else {
    view_stream_tell_error(server, client, error);
  }
}
