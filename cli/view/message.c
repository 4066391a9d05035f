// SPDX-License-Identifier: BSD-3-Clause
#include "view/message.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scene/sample.h"

typedef struct Reader {
  const json_t* object;
  const char* verb;
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

// ---- members ----

static json_t* member(Reader* reader, const char* key) {
  json_t* value = json_object_get(reader->object, key);
  if (!value) fail(reader, "%s needs '%s'", reader->verb, key);
  return value;
}

static bool bad_number(Reader* reader, const char* key, double min, double max) {
  return fail(reader, "'%s' of %s is a number from %g to %g", key, reader->verb, min, max);
}

static bool get_number(Reader* reader, const char* key, double min, double max, double* out) {
  const json_t* value = member(reader, key);
  if (!value) return false;
  const double number = json_number_value(value);
  if (!json_is_number(value) || !(number >= min && number <= max)) {
    return bad_number(reader, key, min, max);
  }
  *out = number;
  return true;
}

static bool get_integer(Reader* reader, const char* key, int64_t min, int64_t max, int64_t* out) {
  const json_t* value = member(reader, key);
  if (!value) return false;
  const int64_t number = json_integer_value(value);
  if (!json_is_integer(value) || number < min || number > max) {
    return bad_number(reader, key, (double)min, (double)max);
  }
  *out = number;
  return true;
}

static bool get_index(Reader* reader, const char* key, int max, int* out) {
  int64_t number = 0;
  if (!get_integer(reader, key, 0, max, &number)) return false;
  *out = (int)number;
  return true;
}

static bool get_bool(Reader* reader, const char* key, bool* out) {
  const json_t* value = member(reader, key);
  if (!value) return false;
  if (!json_is_boolean(value))
    return fail(reader, "'%s' of %s is true or false", key, reader->verb);
  *out = json_is_true(value);
  return true;
}

static bool get_text(Reader* reader, const char* key, char* out, size_t size) {
  const json_t* value = member(reader, key);
  if (!value) return false;
  if (!json_is_string(value) || json_string_length(value) >= size) {
    return fail(reader, "'%s' of %s is a text of at most %zu bytes", key, reader->verb, size - 1);
  }
  memcpy(out, json_string_value(value), json_string_length(value) + 1);
  return true;
}

// ---- messages ----

static bool read_nothing(Reader* reader, viewMessage* message) {
  (void)reader;
  (void)message;
  return true;
}

static bool read_step(Reader* reader, viewMessage* message) {
  message->steps = 1;
  if (!json_object_get(reader->object, "n")) return true;
  return get_integer(reader, "n", 1, VIEW_MAX_STEPS, &message->steps);
}

static bool read_run(Reader* reader, viewMessage* message) {
  return get_integer(reader, "index", 0, INT64_MAX, &message->run);
}

static bool read_rate(Reader* reader, viewMessage* message) {
  if (!get_number(reader, "value", 0, 1000, &message->value)) return false;
  if (message->value == 0 || message->value >= 0.01) return true;
  return fail(reader, "'value' of rate is 0, or from 0.01 to 1000");
}

static bool read_vehicle(Reader* reader, viewMessage* message) {
  return get_index(reader, "vehicle", INT32_MAX, &message->vehicle);
}

static bool read_drive(Reader* reader, viewMessage* message) {
  viewPedals* pedals = &message->pedals;
  *pedals = (viewPedals){0};
  if (!read_vehicle(reader, message)) return false;
  const json_t* object = reader->object;
  return (!json_object_get(object, "steering") ||
          get_number(reader, "steering", -1, 1, &pedals->steering)) &&
         (!json_object_get(object, "throttle") ||
          get_number(reader, "throttle", -1, 1, &pedals->throttle)) &&
         (!json_object_get(object, "brake") || get_number(reader, "brake", 0, 1, &pedals->brake)) &&
         (!json_object_get(object, "handbrake") ||
          get_bool(reader, "handbrake", &pedals->handbrake));
}

static bool read_command(Reader* reader, viewMessage* message) {
  if (!read_vehicle(reader, message)) return false;
  const json_t* values = member(reader, "values");
  if (!values) return false;
  const size_t n = json_array_size(values);
  if (!json_is_array(values) || n > VIEW_COMMANDS) {
    return fail(reader, "'values' of command is an array of at most %d numbers", VIEW_COMMANDS);
  }
  for (size_t i = 0; i < n; i++) {
    const json_t* value = json_array_get(values, i);
    const double number = json_number_value(value);
    if (!json_is_number(value) || !isfinite(number)) {
      return fail(reader, "'values' of command holds something that is no number");
    }
    message->number[i] = number;
  }
  message->numbers = (int)n;
  return true;
}

// A value is a text with its unit, or a number in SI units.
static bool read_set(Reader* reader, viewMessage* message) {
  if (!get_text(reader, "path", message->path, sizeof message->path)) return false;
  const json_t* value = json_object_get(reader->object, "value");
  if (!json_is_number(value)) {
    return get_text(reader, "value", message->text, sizeof message->text);
  }
  const double number = json_number_value(value);
  if (!isfinite(number)) return fail(reader, "'value' of set is not finite");
  snprintf(message->text, sizeof message->text, "%.17g", number);
  return true;
}

static bool read_slot(Reader* reader, viewMessage* message) {
  return get_index(reader, "slot", VIEW_SLOTS - 1, &message->slot);
}

static bool read_subscribe(Reader* reader, viewMessage* message) {
  const json_t* signals = member(reader, "signals");
  if (!signals) return false;
  const size_t n = json_array_size(signals);
  if (!json_is_array(signals) || n > VIEW_SIGNALS) {
    return fail(reader, "'signals' of subscribe is an array of at most %d names", VIEW_SIGNALS);
  }
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    const json_t* name = json_array_get(signals, i);
    const size_t length = json_string_length(name) + 1;
    // names are shorter than the message that they came in, so all of them fit
    if (!json_is_string(name) || used + length > sizeof message->names) {
      return fail(reader, "'signals' of subscribe holds something that is no name");
    }
    memcpy(message->names + used, json_string_value(name), length);
    used += length;
  }
  message->signals = (int)n;
  return true;
}

static bool read_seek(Reader* reader, viewMessage* message) {
  return get_number(reader, "time", 0, 1e12, &message->value);
}

static bool read_loop(Reader* reader, viewMessage* message) {
  return get_bool(reader, "on", &message->on);
}

static bool read_log(Reader* reader, viewMessage* message) {
  char order[16];
  if (!get_index(reader, "log", INT32_MAX, &message->log) ||
      !get_text(reader, "order", order, sizeof order)) {
    return false;
  }
  for (int i = 0; i < RUT_LOGGER_ORDERS; i++) {
    if (strcmp(order, rut_logger_order_name((rutLoggerOrder)i)) != 0) continue;
    message->request = (rutLoggerOrder)i;
    return true;
  }
  return fail(reader, "'order' of log is pause, resume, clear or session");
}

// Things by their number: at most `most` of them.
typedef struct Numbers {
  const char *key, *thing;
  int most;
  int* number;
  int* count;
} Numbers;

static bool read_numbers(Reader* reader, const json_t* list, const Numbers* to) {
  const size_t n = json_array_size(list);
  if (!json_is_array(list) || n > (size_t)to->most) {
    return fail(reader, "'%s' of watch is an array of at most %d numbers", to->key, to->most);
  }
  for (size_t i = 0; i < n; i++) {
    const json_t* value = json_array_get(list, i);
    const json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || number > INT32_MAX) {
      return fail(reader, "'%s' of watch holds something that is no %s", to->key, to->thing);
    }
    to->number[(*to->count)++] = (int)number;
  }
  return true;
}

// Layers of images by their name, all of them if none are named.
static bool read_layers(Reader* reader, unsigned* out) {
  const json_t* layers = json_object_get(reader->object, "layers");
  *out = layers ? 0 : VIEW_ALL_LAYERS;
  for (size_t i = 0; i < json_array_size(layers); i++) {
    const char* name = json_string_value(json_array_get(layers, i));
    int layer = 0;
    while (name && view_layer_name(layer) && strcmp(name, view_layer_name(layer)) != 0) layer++;
    if (!name || !view_layer_name(layer)) {
      return fail(reader, "'layers' of watch holds colour, depth, class, instance, normal or flow");
    }
    *out |= 1u << layer;
  }
  return true;
}

// What is watched, by the numbers of sensors and of vehicles.
static bool read_watch(Reader* reader, viewMessage* m) {
  const Numbers list[] = {{"sensors", "sensor", VIEW_WATCHED, m->sensor, &m->sensors},
                          {"maps", "vehicle", VIEW_NAVIGATED, m->map, &m->maps},
                          {"paths", "vehicle", VIEW_NAVIGATED, m->path_of, &m->paths}};
  m->sensors = m->maps = m->paths = 0;
  if (!member(reader, "sensors")) return false;
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    const json_t* numbers = json_object_get(reader->object, list[i].key);
    if (numbers && !read_numbers(reader, numbers, &list[i])) return false;
  }
  return read_layers(reader, &m->layers);
}

static const struct {
  const char* name;
  bool (*read)(Reader* reader, viewMessage* message);
} kinds[VIEW_VERBS] = {
    [VIEW_HELLO] = {"hello", read_nothing},
    [VIEW_PAUSE] = {"pause", read_nothing},
    [VIEW_RESUME] = {"resume", read_nothing},
    [VIEW_RESET] = {"reset", read_nothing},
    [VIEW_STEP] = {"step", read_step},
    [VIEW_RATE] = {"rate", read_rate},
    [VIEW_DRIVE] = {"drive", read_drive},
    [VIEW_RELEASE] = {"release", read_vehicle},
    [VIEW_COMMAND] = {"command", read_command},
    [VIEW_SET] = {"set", read_set},
    [VIEW_SAVE] = {"save", read_slot},
    [VIEW_RESTORE] = {"restore", read_slot},
    [VIEW_SUBSCRIBE] = {"subscribe", read_subscribe},
    [VIEW_SEEK] = {"seek", read_seek},
    [VIEW_LOOP] = {"loop", read_loop},
    [VIEW_LOG] = {"log", read_log},
    [VIEW_WATCH] = {"watch", read_watch},
    [VIEW_RUN] = {"run", read_run},
};

const char* view_verb_name(viewVerb verb) { return kinds[verb].name; }

static bool read_object(Reader* reader, viewMessage* message) {
  const json_t* type = json_object_get(reader->object, "type");
  if (!json_is_string(type)) return fail(reader, "a message is an object with a 'type'");
  reader->verb = json_string_value(type);
  for (int i = 0; i < VIEW_VERBS; i++) {
    if (strcmp(reader->verb, kinds[i].name) != 0) continue;
    message->verb = (viewVerb)i;
    return kinds[i].read(reader, message);
  }
  return fail(reader, "unknown type '%.60s'", reader->verb);
}

bool view_message_read(const char* text, size_t size, viewMessage* message, char* error,
                       size_t error_size) {
  Reader reader = {.error = error, .size = error_size};
  if (size > VIEW_MESSAGE_SIZE) {
    return fail(&reader, "a message has at most %d bytes", VIEW_MESSAGE_SIZE);
  }
  json_error_t wrong;
  json_t* object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong);
  if (!object) return fail(&reader, "no JSON: %.200s", wrong.text);
  reader.object = object;
  bool fine = json_is_object(object) ? read_object(&reader, message)
                                     : fail(&reader, "a message is an object with a 'type'");
  json_decref(object);
  return fine;
}
