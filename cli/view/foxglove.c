// SPDX-License-Identifier: BSD-3-Clause
#include "view/foxglove.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "json.h"

// Messages that are older are not sent [s].
static const double STALE = 1;
// The client is told that messages were lost at most so often [s].
static const double TOLD_EVERY = 10;
// Ruts are sent at most so often [s].
static const double RUTS_EVERY = 0.5;

enum { SCENE = 0, FIRST_TOPIC = 1 };  // channels
enum { ADVERTISED_AT_ONCE = 64, LEVEL_WARNING = 1, LEVEL_ERROR = 2, OP_MESSAGE = 1, OP_TIME = 2 };

// ---- life ----

viewFoxglove* view_foxglove_create(viewHub* hub, const viewBackend* backend, const char* session,
                                   int client) {
  viewFoxglove* f = calloc(1, sizeof *f);
  if (!f) return NULL;
  *f = (viewFoxglove){
      .hub = hub, .backend = backend, .session = session, .client = client, .time = -1};
  f->message = malloc(sizeof *f->message);
  f->lost = -HUGE_VAL;
  if (f->message) return f;
  free(f);
  return NULL;
}

void view_foxglove_free(viewFoxglove* f) {
  if (!f) return;
  for (int i = 0; i < f->topics; i++) {
    if (f->subscribed[i]) view_topics_subscribe(&f->hub->topics, i, -1);
  }
  for (; f->texts > 0; f->texts--) {
    view_bytes_drop(f->text[f->first_text]);
    f->first_text = (f->first_text + 1) % VIEW_FOXGLOVE_TEXTS;
  }
  view_shown_forget(&f->shown);
  free(f->id);
  free(f->subscribed);
  free(f->message);
  free(f);
}

// ---- texts ----

// A text that is being written.
typedef struct Text {
  cliJson json;
  FILE* out;
  char* text;
  size_t size;
} Text;

static bool begin_text(Text* t, const char* op) {
  *t = (Text){0};
  t->out = open_memstream(&t->text, &t->size);
  if (!t->out) return false;
  cli_json_init(&t->json, t->out);
  cli_json_object(&t->json, NULL);
  cli_json_text(&t->json, "op", op);
  return true;
}

static viewBytes* end_text(Text* t) {
  cli_json_end(&t->json);
  viewBytes* bytes = fclose(t->out) == 0 ? view_bytes_of(t->text, t->size) : NULL;
  free(t->text);
  return bytes;
}

// A client that never reads is told no more. What has an id replaces what was told with it.
// Nullable: id.
static void tell(viewFoxglove* f, int level, const char* id, const char* message) {
  Text t;
  if (f->texts == VIEW_FOXGLOVE_TEXTS || !begin_text(&t, "status")) return;
  cli_json_integer(&t.json, "level", level);
  if (id) cli_json_text(&t.json, "id", id);
  cli_json_text(&t.json, "message", message);
  viewBytes* bytes = end_text(&t);
  if (bytes) f->text[(f->first_text + f->texts++) % VIEW_FOXGLOVE_TEXTS] = bytes;
}

void view_foxglove_error(viewFoxglove* f, const char* message) {
  tell(f, LEVEL_ERROR, NULL, message);
}

__attribute__((format(printf, 2, 3))) static void refuse(viewFoxglove* f, const char* format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  view_foxglove_error(f, text);
}

static viewBytes* introduce(const char* session) {
  Text t;
  if (!begin_text(&t, "serverInfo")) return NULL;
  cli_json_text(&t.json, "name", "rut");
  cli_json_array(&t.json, "capabilities");
  cli_json_text(&t.json, NULL, "time");
  cli_json_text(&t.json, NULL, "clientPublish");
  cli_json_end(&t.json);
  cli_json_array(&t.json, "supportedEncodings");
  cli_json_text(&t.json, NULL, "cdr");
  cli_json_text(&t.json, NULL, "json");
  cli_json_end(&t.json);
  cli_json_object(&t.json, "metadata");
  cli_json_text(&t.json, "rut", RUT_VERSION_STRING);
  cli_json_end(&t.json);
  cli_json_text(&t.json, "sessionId", session);
  return end_text(&t);
}

static void put_channel(cliJson* json, int id, const viewTopic* topic) {
  cli_json_object(json, NULL);
  cli_json_integer(json, "id", id);
  cli_json_text(json, "topic", topic->name);
  cli_json_text(json, "encoding", topic->encoding);
  cli_json_text(json, "schemaName", topic->schema);
  cli_json_text(json, "schema", topic->definition);
  cli_json_text(json, "schemaEncoding", "ros2msg");
  cli_json_end(json);
}

// Room for subscriptions of n topics. False if out of memory.
static bool reserve_topics(viewFoxglove* f, int n) {
  uint32_t* id = realloc(f->id, (size_t)n * sizeof *id);
  if (id) f->id = id;
  bool* subscribed = realloc(f->subscribed, (size_t)n * sizeof *subscribed);
  if (subscribed) f->subscribed = subscribed;
  if (!id || !subscribed) return false;
  for (; f->topics < n; f->topics++) f->subscribed[f->topics] = false;
  return true;
}

// Topics that it was not told of: some of them, and the scene before the first.
static viewBytes* advertise(viewFoxglove* f, int count) {
  Text t;
  const bool first = f->advertised == 0;
  int end = f->advertised == 0 ? 0 : f->advertised - FIRST_TOPIC;
  const int begin = end;
  end = count - begin < ADVERTISED_AT_ONCE ? count : begin + ADVERTISED_AT_ONCE;
  if ((end > 0 && !reserve_topics(f, end)) || !begin_text(&t, "advertise")) return NULL;
  cli_json_array(&t.json, "channels");
  if (first) {
    const viewTopic scene = {.name = (char*)(uintptr_t)VIEW_UPDATE_TOPIC,
                             .schema = (char*)(uintptr_t)VIEW_UPDATE_TYPE,
                             .definition = (char*)(uintptr_t)view_update_definition,
                             .encoding = (char*)(uintptr_t) "cdr"};
    put_channel(&t.json, SCENE, &scene);
  }
  for (int i = begin; i < end; i++) {
    const viewTopic topic = view_topics_at(&f->hub->topics, i);
    put_channel(&t.json, FIRST_TOPIC + i, &topic);
  }
  cli_json_end(&t.json);
  f->advertised = FIRST_TOPIC + end;
  return end_text(&t);
}

// ---- the scene ----

// Heights of the ground at the start of the run.
static bool read_heights(void* user, int n, const double* x, const double* y, float* z) {
  const viewBackend* backend = user;
  void* ground = backend->ground(backend->user);
  if (!ground) return false;
  backend->heights(ground, n, x, y, z);
  backend->ground_free(ground);
  return true;
}

// The scene as it is now, which the caller drops.
static viewShownSource present_scene(const viewFoxglove* f) {
  viewHub* hub = f->hub;
  view_hub_lock(hub);
  viewBytes* scene = view_bytes_share(hub->scene);
  view_hub_unlock(hub);
  return (viewShownSource){.scene = scene,
                           .tiles = &hub->tiles,
                           .moving = hub->shape.moving,
                           .heights = {(void*)(uintptr_t)f->backend, read_heights},
                           .ruts_every = RUTS_EVERY};
}

static viewBytes* next_scene(viewFoxglove* f, int64_t time) {
  const viewShownSource from = present_scene(f);
  viewBytes* out = from.scene ? view_shown_next(&f->shown, &from, cli_clock(), time) : NULL;
  view_bytes_drop(from.scene);
  return out;
}

static bool scene_waits(const viewFoxglove* f) {
  if (!f->scene) return false;
  const viewShownSource from = present_scene(f);
  const bool waits = from.scene && view_shown_waits(&f->shown, &from, cli_clock());
  view_bytes_drop(from.scene);
  return waits;
}

// ---- what comes next ----

static void put_bits(unsigned char* to, uint64_t bits, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(bits >> (8 * i));
}

static int64_t time_of(const viewSnapshot* snapshot) {
  return (int64_t)llround(snapshot->time * 1e9);
}

static bool send_text(viewFoxgloveOut* out, viewBytes* text) {
  *out = (viewFoxgloveOut){.body = text};
  return text != NULL;
}

static bool send_message(viewFoxgloveOut* out, uint32_t subscription, int64_t time,
                         viewBytes* body) {
  *out = (viewFoxgloveOut){.binary = true, .head_size = VIEW_FOXGLOVE_HEAD, .body = body};
  out->head[0] = OP_MESSAGE;
  put_bits(out->head + 1, subscription, 4);
  put_bits(out->head + 5, (uint64_t)time, 8);
  return body != NULL;
}

static bool send_time(viewFoxgloveOut* out, int64_t time) {
  *out = (viewFoxgloveOut){.binary = true, .head_size = 9};
  out->head[0] = OP_TIME;
  put_bits(out->head + 1, (uint64_t)time, 8);
  return true;
}

// Messages were overwritten, or are too old: it goes on with the newest.
static void skip(viewFoxglove* f, uint64_t end) {
  f->left_out += end - f->next;
  f->next = end;
  const double now = cli_clock();
  if (now - f->lost < TOLD_EVERY) return;
  f->lost = now;
  char text[160];
  snprintf(text, sizeof text,
           "%" PRIu64 " messages were left out so far: the connection is too slow for all of them",
           f->left_out);
  tell(f, LEVEL_WARNING, "left_out", text);
}

// The next message of the ring that it has subscribed.
static bool next_message(viewFoxglove* f, viewFoxgloveOut* out) {
  const uint64_t end = view_topics_end(&f->hub->topics);
  if (f->subscriptions == 0) f->next = end;
  while (f->next < end) {
    viewTopicMessage message;
    if (!view_topics_take(&f->hub->topics, f->next, STALE, &message)) {
      skip(f, end);
      return false;
    }
    // its time has not been told yet
    const int32_t ahead = (int32_t)(message.jumps - f->jumps);
    if (ahead > 0) {
      view_bytes_drop(message.bytes);
      return false;
    }
    f->next++;
    if (ahead == 0 && message.topic < f->topics && f->subscribed[message.topic]) {
      return send_message(out, f->id[message.topic], message.time, message.bytes);
    }
    view_bytes_drop(message.bytes);
  }
  return false;
}

static viewBytes* next_text(viewFoxglove* f) {
  viewBytes* text = f->text[f->first_text];
  f->first_text = (f->first_text + 1) % VIEW_FOXGLOVE_TEXTS;
  f->texts--;
  return text;
}

bool view_foxglove_next(viewFoxglove* f, const viewSnapshot* snapshot, viewFoxgloveOut* out) {
  const int64_t time = time_of(snapshot);
  const int count = view_topics_count(&f->hub->topics);
  if (!f->introduced) {
    f->introduced = true;
    return send_text(out, introduce(f->session));
  }
  if (f->jumps != snapshot->jumps) {
    // a client forgets everything when it is told a time before its own: the scene, too
    f->jumps = snapshot->jumps;
    f->time = -1;
    view_shown_forget(&f->shown);
  }
  if (f->advertised < FIRST_TOPIC + count) return send_text(out, advertise(f, count));
  if (f->texts > 0) return send_text(out, next_text(f));
  if (f->time != time) {
    f->time = time;
    return send_time(out, time);
  }
  if (next_message(f, out)) return true;
  viewBytes* scene = f->scene ? next_scene(f, time) : NULL;
  return scene && send_message(out, f->scene_id, time, scene);
}

bool view_foxglove_waits(const viewFoxglove* f, const viewSnapshot* snapshot) {
  return !f->introduced || f->jumps != snapshot->jumps || f->texts > 0 ||
         f->advertised < FIRST_TOPIC + view_topics_count(&f->hub->topics) ||
         f->time != time_of(snapshot) ||
         (f->subscriptions > 0 && f->next < view_topics_end(&f->hub->topics)) || scene_waits(f);
}

// ---- subscriptions ----

// Topic that a subscription is of, -1: the scene, -2: there is none.
static int topic_of(const viewFoxglove* f, uint32_t id) {
  if (f->scene && f->scene_id == id) return -1;
  for (int i = 0, left = f->subscriptions; i < f->topics && left > 0; i++) {
    if (!f->subscribed[i]) continue;
    if (f->id[i] == id) return i;
    left--;
  }
  return -2;
}

static void subscribe_one(viewFoxglove* f, uint32_t id, uint32_t channel) {
  if (channel != SCENE && channel - FIRST_TOPIC >= (uint32_t)f->topics) {
    refuse(f, "subscribe: there is no channel %u", channel);
    return;
  }
  if (topic_of(f, id) > -2) {
    refuse(f, "subscribe: there is a subscription %u already", id);
    return;
  }
  const int topic = (int)(channel - FIRST_TOPIC);
  if (channel == SCENE ? f->scene : f->subscribed[topic]) {
    refuse(f, "subscribe: channel %u has a subscription already", channel);
    return;
  }
  if (channel == SCENE) {
    f->scene = true;
    f->scene_id = id;
    view_shown_forget(&f->shown);
    return;
  }
  if (f->subscriptions++ == 0) f->next = view_topics_end(&f->hub->topics);
  f->subscribed[topic] = true;
  f->id[topic] = id;
  view_topics_subscribe(&f->hub->topics, topic, 1);
}

static void unsubscribe_one(viewFoxglove* f, uint32_t id) {
  const int topic = topic_of(f, id);
  if (topic == -2) {
    refuse(f, "unsubscribe: there is no subscription %u", id);
  } else if (topic == -1) {
    f->scene = false;
    view_shown_forget(&f->shown);
  } else {
    f->subscribed[topic] = false;
    f->subscriptions--;
    view_topics_subscribe(&f->hub->topics, topic, -1);
  }
}

// New subscribers get the present state, even if time stands still.
static void subscribe(viewFoxglove* f, const viewFoxgloveMessage* message) {
  for (int i = 0; i < message->items; i++) {
    subscribe_one(f, message->id[i], message->channel[i]);
  }
  const viewOrder order = {.verb = VIEW_TOPICS, .client = f->client};
  if (!view_hub_order(f->hub, &order)) refuse(f, "too many messages wait");
}

// ---- driving ----

static int find_advert(const viewFoxglove* f, uint32_t id) {
  for (int i = 0; i < f->adverts; i++) {
    if (f->advert[i].id == id) return i;
  }
  return -1;
}

// Vehicle that /VEHICLE/cmd_vel drives, or /cmd_vel where there is one alone; -1: none.
static int vehicle_of(const viewFoxglove* f, const char* topic) {
  static const char tail[] = "cmd_vel";
  if (topic[0] == '/') topic++;
  if (strcmp(topic, tail) == 0) return f->hub->shape.vehicles == 1 ? 0 : -1;
  const size_t length = strlen(topic), end = sizeof tail;
  if (length <= end || strcmp(topic + length - end, "/cmd_vel") != 0) return -1;
  char name[VIEW_FOXGLOVE_NAME];
  snprintf(name, sizeof name, "%.*s", (int)(length - end), topic);
  return f->backend->vehicle ? f->backend->vehicle(f->backend->user, name) : -1;
}

static bool is_twist(const viewFoxgloveAdvert* advert) {
  return (strcmp(advert->schema, "geometry_msgs/Twist") == 0 ||
          strcmp(advert->schema, "geometry_msgs/msg/Twist") == 0) &&
         (strcmp(advert->encoding, "cdr") == 0 || strcmp(advert->encoding, "json") == 0);
}

static void advertise_one(viewFoxglove* f, const viewFoxgloveAdvert* advert) {
  const int vehicle = vehicle_of(f, advert->topic);
  if (find_advert(f, advert->id) >= 0) {
    refuse(f, "advertise: there is a channel %u already", advert->id);
  } else if (vehicle < 0) {
    refuse(f, "advertise: '%.200s' drives no vehicle: topics are /VEHICLE/cmd_vel", advert->topic);
  } else if (!is_twist(advert)) {
    refuse(f, "advertise: '%.200s' takes geometry_msgs/Twist as cdr or json", advert->topic);
  } else if (f->adverts == VIEW_FOXGLOVE_ADVERTS) {
    refuse(f, "advertise: a client has at most %d channels", VIEW_FOXGLOVE_ADVERTS);
  } else {
    f->vehicle[f->adverts] = vehicle;
    f->advert[f->adverts++] = *advert;
  }
}

// Who no longer publishes lets go of the vehicle, if it is this client that drives it.
static void unadvertise_one(viewFoxglove* f, uint32_t id) {
  const int i = find_advert(f, id);
  if (i < 0) {
    refuse(f, "unadvertise: there is no channel %u", id);
    return;
  }
  const int vehicle = f->vehicle[i];
  f->adverts--;
  f->advert[i] = f->advert[f->adverts];
  f->vehicle[i] = f->vehicle[f->adverts];
  for (int k = 0; k < f->adverts; k++) {
    if (f->vehicle[k] == vehicle) return;
  }
  const viewOrder order = {.verb = VIEW_LET_GO, .client = f->client, .vehicle = vehicle};
  view_hub_order(f->hub, &order);
}

// ---- what it says ----

void view_foxglove_text(viewFoxglove* f, const char* text, size_t size) {
  char error[400];
  const viewFoxgloveMessage* m = f->message;
  if (!view_foxglove_read(text, size, f->message, error, sizeof error)) {
    view_foxglove_error(f, error);
    return;
  }
  if (m->op == VIEW_FOXGLOVE_SUBSCRIBE) subscribe(f, m);
  for (int i = 0; i < m->items && m->op != VIEW_FOXGLOVE_SUBSCRIBE; i++) {
    if (m->op == VIEW_FOXGLOVE_UNSUBSCRIBE) unsubscribe_one(f, m->id[i]);
    if (m->op == VIEW_FOXGLOVE_ADVERTISE) advertise_one(f, &m->advert[i]);
    if (m->op == VIEW_FOXGLOVE_UNADVERTISE) unadvertise_one(f, m->id[i]);
  }
}

void view_foxglove_binary(viewFoxglove* f, const void* data, size_t size) {
  char error[400];
  viewFoxglovePublished published;
  if (!view_foxglove_read_binary(data, size, &published, error, sizeof error)) {
    view_foxglove_error(f, error);
    return;
  }
  const int i = find_advert(f, published.channel);
  if (i < 0) {
    refuse(f, "there is no channel %u: advertise it first", published.channel);
    return;
  }
  viewOrder order = {
      .verb = VIEW_DRIVE, .client = f->client, .vehicle = f->vehicle[i], .twisted = true};
  if (!view_foxglove_read_twist(f->advert[i].encoding, &published, &order.twist, error,
                                sizeof error)) {
    view_foxglove_error(f, error);
  } else if (!view_hub_order(f->hub, &order)) {
    refuse(f, "too many messages wait");
  }
}
