// SPDX-License-Identifier: BSD-3-Clause
#include "view/foxglove_message.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Reader {
  const json_t* object;
  const char* op;
  char* error;
  size_t size;
} Reader;

__attribute__((format(printf, 2, 3))) static bool fail(Reader* reader, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(reader->error, reader->size, format, args);
  va_end(args);
  return false;
}

// ---- texts ----

static bool get_id(Reader* reader, const json_t* value, const char* what, uint32_t* out) {
  const json_int_t number = json_integer_value(value);
  if (!json_is_integer(value) || number < 0 || number > UINT32_MAX) {
    return fail(reader, "%s: %s is a number from 0 to 4294967295", reader->op, what);
  }
  *out = (uint32_t)number;
  return true;
}

static bool get_name(Reader* reader, const json_t* from, const char* key,
                     char out[VIEW_FOXGLOVE_NAME]) {
  const json_t* value = json_object_get(from, key);
  const size_t length = json_string_length(value);
  if (!json_is_string(value) || length >= VIEW_FOXGLOVE_NAME) {
    return fail(reader, "%s: '%s' is a text of at most %d bytes", reader->op, key,
                VIEW_FOXGLOVE_NAME - 1);
  }
  memcpy(out, json_string_value(value), length + 1);
  return true;
}

// An array of at most so many items. NULL if it is none.
static const json_t* get_array(Reader* reader, const char* key, size_t most) {
  const json_t* list = json_object_get(reader->object, key);
  if (json_is_array(list) && json_array_size(list) <= most) return list;
  fail(reader, "%s: '%s' is an array of at most %zu items", reader->op, key, most);
  return NULL;
}

static bool read_ids(Reader* reader, const char* key, viewFoxgloveMessage* message) {
  const json_t* list = get_array(reader, key, VIEW_FOXGLOVE_ITEMS);
  if (!list) return false;
  for (size_t i = 0; i < json_array_size(list); i++) {
    if (!get_id(reader, json_array_get(list, i), key, &message->id[i])) return false;
  }
  message->items = (int)json_array_size(list);
  return true;
}

static bool read_subscribe(Reader* reader, viewFoxgloveMessage* message) {
  const json_t* list = get_array(reader, "subscriptions", VIEW_FOXGLOVE_ITEMS);
  if (!list) return false;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t* item = json_array_get(list, i);
    if (!get_id(reader, json_object_get(item, "id"), "'id'", &message->id[i]) ||
        !get_id(reader, json_object_get(item, "channelId"), "'channelId'", &message->channel[i])) {
      return false;
    }
  }
  message->items = (int)json_array_size(list);
  return true;
}

static bool read_unsubscribe(Reader* reader, viewFoxgloveMessage* message) {
  return read_ids(reader, "subscriptionIds", message);
}

static bool read_unadvertise(Reader* reader, viewFoxgloveMessage* message) {
  return read_ids(reader, "channelIds", message);
}

static bool read_advertise(Reader* reader, viewFoxgloveMessage* message) {
  const json_t* list = get_array(reader, "channels", VIEW_FOXGLOVE_ADVERTS);
  if (!list) return false;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t* item = json_array_get(list, i);
    viewFoxgloveAdvert* advert = &message->advert[i];
    if (!get_id(reader, json_object_get(item, "id"), "'id'", &advert->id) ||
        !get_name(reader, item, "topic", advert->topic) ||
        !get_name(reader, item, "encoding", advert->encoding) ||
        !get_name(reader, item, "schemaName", advert->schema)) {
      return false;
    }
  }
  message->items = (int)json_array_size(list);
  return true;
}

static const struct {
  const char* name;
  bool (*read)(Reader* reader, viewFoxgloveMessage* message);
} ops[VIEW_FOXGLOVE_OPS] = {
    [VIEW_FOXGLOVE_SUBSCRIBE] = {"subscribe", read_subscribe},
    [VIEW_FOXGLOVE_UNSUBSCRIBE] = {"unsubscribe", read_unsubscribe},
    [VIEW_FOXGLOVE_ADVERTISE] = {"advertise", read_advertise},
    [VIEW_FOXGLOVE_UNADVERTISE] = {"unadvertise", read_unadvertise},
};

static bool read_object(Reader* reader, viewFoxgloveMessage* message) {
  const json_t* op = json_object_get(reader->object, "op");
  if (!json_is_string(op)) return fail(reader, "a message is an object with an 'op'");
  reader->op = json_string_value(op);
  for (int i = 0; i < VIEW_FOXGLOVE_OPS; i++) {
    if (strcmp(reader->op, ops[i].name) != 0) continue;
    message->op = (viewFoxgloveOp)i;
    message->items = 0;
    return ops[i].read(reader, message);
  }
  return fail(reader, "'%.60s' is not among the capabilities of this server", reader->op);
}

bool view_foxglove_read(const char* text, size_t size, viewFoxgloveMessage* message, char* error,
                        size_t error_size) {
  Reader reader = {.error = error, .size = error_size};
  json_error_t wrong;
  if (size > VIEW_MESSAGE_SIZE) {
    return fail(&reader, "a message has at most %d bytes", VIEW_MESSAGE_SIZE);
  }
  json_t* object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong);
  if (!object) return fail(&reader, "no JSON: %.200s", wrong.text);
  reader.object = object;
  const bool fine = read_object(&reader, message);
  json_decref(object);
  return fine;
}

// ---- binary ----

static uint64_t get_bits(const unsigned char* from, int bytes, bool big) {
  uint64_t bits = 0;
  for (int i = 0; i < bytes; i++) bits |= (uint64_t)from[big ? bytes - 1 - i : i] << (8 * i);
  return bits;
}

bool view_foxglove_read_binary(const void* data, size_t size, viewFoxglovePublished* message,
                               char* error, size_t error_size) {
  enum { MESSAGE = 1, HEAD = 5 };
  const unsigned char* bytes = data;
  Reader reader = {.error = error, .size = error_size};
  if (size < 1) return fail(&reader, "a binary message begins with its opcode");
  if (bytes[0] != MESSAGE) {
    return fail(&reader,
                "binary messages of opcode %d are not among the capabilities of this "
                "server",
                bytes[0]);
  }
  if (size < HEAD) return fail(&reader, "a binary message has its channel behind the opcode");
  *message =
      (viewFoxglovePublished){(uint32_t)get_bits(bytes + 1, 4, false), bytes + HEAD, size - HEAD};
  return true;
}

// ---- twists ----

// Six numbers behind four bytes, of which the second tells the order of bytes.
static bool read_cdr(Reader* reader, const viewFoxglovePublished* message, double number[6]) {
  enum { HEAD = 4, SIZE = HEAD + 6 * 8 };
  const unsigned char* bytes = message->bytes;
  if (message->size != SIZE || bytes[0] != 0 || bytes[1] > 1) {
    return fail(reader, "a geometry_msgs/Twist in CDR has %d bytes, six float64 behind 00 01 00 00",
                SIZE);
  }
  for (int i = 0; i < 6; i++) {
    const uint64_t bits = get_bits(bytes + HEAD + 8 * i, 8, bytes[1] == 0);
    memcpy(&number[i], &bits, sizeof bits);
  }
  return true;
}

static bool read_json(Reader* reader, const viewFoxglovePublished* message, double number[6]) {
  static const char* const part[] = {"linear", "angular"};
  static const char* const axis[] = {"x", "y", "z"};
  json_error_t wrong;
  json_t* object = json_loadb((const char*)message->bytes, message->size, 0, &wrong);
  bool fine = json_is_object(object);
  if (!fine) fail(reader, "a geometry_msgs/Twist is a JSON object with 'linear' and 'angular'");
  for (int i = 0; i < 6 && fine; i++) {
    const json_t* value = json_object_get(json_object_get(object, part[i / 3]), axis[i % 3]);
    number[i] = json_number_value(value);
    fine = !value || json_is_number(value);
    if (!fine)
      fail(reader, "'%s.%s' of a geometry_msgs/Twist is a number", part[i / 3], axis[i % 3]);
  }
  json_decref(object);
  return fine;
}

bool view_foxglove_read_twist(const char* encoding, const viewFoxglovePublished* message,
                              viewTwist* twist, char* error, size_t error_size) {
  double number[6] = {0};
  Reader reader = {.error = error, .size = error_size};
  const bool json = strcmp(encoding, "json") == 0;
  if (!(json ? read_json : read_cdr)(&reader, message, number)) return false;
  for (int i = 0; i < 6; i++) {
    if (!isfinite(number[i])) return fail(&reader, "a geometry_msgs/Twist has finite numbers");
  }
  *twist = (viewTwist){number[0], number[1], number[5]};
  return true;
}
