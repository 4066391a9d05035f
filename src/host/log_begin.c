// SPDX-License-Identifier: BSD-3-Clause
//
// The beginning of a log: schemas, channels, and what else is known before the first step.
#include <stdio.h>
#include <stdlib.h>

#include "host/log_parts.h"
#include "host/log_schema.h"
#include "host/signals.h"

static const char* const tails[RUT_LOG_RATES] = {"/state", "/energy"};

// Definitions that are in the file, so that equal ones stand there once.
typedef struct Known {
  char* text;  // owned
  char word[RUT_WORD_SIZE];
  int schema;
} Known;
typedef struct KnownList {
  Known* known;
  int n;
} KnownList;

static void put_string(rutBytes* b, const char* text) { rut_bytes_put(b, text, strlen(text)); }

// Name of a field in ROS: small letters, digits and underscores.
static void put_field_name(rutBytes* b, const char* name) {
  for (const char* c = name; *c; c++) {
    const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
    const char small = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : '_';
    rut_bytes_u8(b, (uint8_t)(plain ? *c : small));
  }
}

static void put_field(rutBytes* b, const rutSignal* s) {
  put_string(b, "float64 ");
  put_field_name(b, s->leaf);
  put_string(b, "  # ");
  if (s->unit[0]) {
    put_string(b, "[");
    put_string(b, s->unit);
    put_string(b, "] ");
  }
  put_string(b, s->doc);
  put_string(b, "\n");
}

// Text of the definition of an element's signals, owned by the caller. NULL if out of memory.
static char* define_state(const rutLog* log, const rutLogRows* rows, const rutLogTopic* topic) {
  rutBytes b = {0};
  put_string(&b, "builtin_interfaces/Time stamp  # simulated time\n");
  for (int i = topic->first; i < topic->first + topic->count; i++) {
    const rutSignal s = rut_signals_at(log->signals, rows->index[i]);
    put_field(&b, &s);
  }
  put_string(&b, RUT_MSG_TIME);
  rut_bytes_u8(&b, 0);
  if (b.failed) rut_bytes_free(&b);
  return (char*)b.data;
}

// Schema of an element's signals: one that is there, or a new one. *schema gets its number.
static rutStatus state_schema(rutLog* log, KnownList* list, const rutLogRows* rows,
                              const rutLogTopic* topic, const char* word, int* schema,
                              rutError* err) {
  char* text = define_state(log, rows, topic);
  if (!text) return rut_log_no_memory(err);
  int of_word = 0;
  for (int i = 0; i < list->n; i++) {
    if (strcmp(list->known[i].word, word) != 0) continue;
    of_word++;
    if (strcmp(list->known[i].text, text) != 0) continue;
    free(text);
    *schema = list->known[i].schema;
    return RUT_OK;
  }
  Known* grown = realloc(list->known, ((size_t)list->n + 1) * sizeof *grown);
  if (!grown) {
    free(text);
    return rut_log_no_memory(err);
  }
  list->known = grown;
  Known* known = &list->known[list->n++];
  *known = (Known){.text = text, .schema = ++log->schemas};
  snprintf(known->word, sizeof known->word, "%s", word);
  *schema = log->schemas;
  char name[64];
  snprintf(name, sizeof name, "rut/msg/%s", word);
  if (of_word > 0) snprintf(name, sizeof name, "rut/msg/%s%d", word, of_word + 1);
  return rut_mcap_schema(log->writer, name, "ros2msg", text, err);
}

static rutStatus add_channel(rutLog* log, int schema, const char* element, const char* tail,
                             rutError* err) {
  const rutMcapPair pair[] = {{"offered_qos_profiles", ""}, {"element", element}};
  rutBytes topic = {0};
  put_string(&topic, "/");
  put_string(&topic, element);
  put_string(&topic, tail);
  rut_bytes_u8(&topic, 0);
  log->channels++;
  const rutStatus status =
      topic.failed
          ? rut_log_no_memory(err)
          : rut_mcap_channel(log->writer, schema, (const char*)topic.data, "cdr", 2, pair, err);
  rut_bytes_free(&topic);
  return status;
}

static const char* element_of(const rutLog* log, const rutLogRows* rows, int i) {
  return rut_signals_at(log->signals, rows->index[i]).element;
}

// A channel for each element of which some signal was chosen.
static rutStatus add_topics(rutLog* log, KnownList* list, rutLogRate rate, rutError* err) {
  rutLogRows* rows = &log->rows[rate];
  rutStatus status = RUT_OK;
  for (int i = 0; i < rows->n && status == RUT_OK;) {
    const char* element = element_of(log, rows, i);
    rutLogTopic* t = &rows->topic[rows->topics++];
    *t = (rutLogTopic){.channel = log->channels, .first = i};
    while (i < rows->n && strcmp(element_of(log, rows, i), element) == 0) i++;
    t->count = i - t->first;
    int schema = 0;
    char word[RUT_WORD_SIZE] = "Energy";
    if (rate == RUT_LOG_STATE) {
      rut_signals_word(log->signals, rows->index[t->first], word);
    }
    status = state_schema(log, list, rows, t, word, &schema, err);
    if (status == RUT_OK) status = add_channel(log, schema, element, tails[rate], err);
  }
  return status;
}

static rutStatus add_all_topics(rutLog* log, rutError* err) {
  KnownList list = {0};
  rutStatus status = add_topics(log, &list, RUT_LOG_STATE, err);
  if (status == RUT_OK) status = add_topics(log, &list, RUT_LOG_ENERGY, err);
  for (int i = 0; i < list.n; i++) free(list.known[i].text);
  free(list.known);
  return status;
}

static rutStatus add_schema(rutLog* log, const char* name, const char* text, rutError* err) {
  log->schemas++;
  return rut_mcap_schema(log->writer, name, "ros2msg", text, err);
}

static rutStatus add_poses(rutLog* log, const rutLogDef* def, rutError* err) {
  rutStatus status = RUT_OK;
  if (def->transforms) {
    status = add_schema(log, "tf2_msgs/msg/TFMessage", RUT_MSG_TF, err);
    log->tf = log->channels;
    if (status == RUT_OK) status = add_channel(log, log->schemas, "tf", "", err);
  }
  if (def->odometry && log->vehicles > 0 && status == RUT_OK) {
    status = add_schema(log, "nav_msgs/msg/Odometry", RUT_MSG_ODOMETRY, err);
    log->odometry = log->channels;
    for (int i = 0; i < log->vehicles && status == RUT_OK; i++) {
      status = add_channel(log, log->schemas, log->frame[i], "/odom", err);
    }
  }
  return status;
}

static rutStatus add_scans(rutLog* log, const rutModel* model, const rutLogDef* def,
                           rutError* err) {
  rutStatus status = RUT_OK;
  int schema = 0;
  for (int i = 0; i < log->sensors && status == RUT_OK; i++) {
    const rutSensorInfo info = rut_sensor_info(model, i);
    log->scan[i] = (rutLogScan){.channel = -1, .stamp = -1};
    rutScanGeometry geometry;
    if (!def->scans || !rut_sensor_scan(model, i, &geometry)) continue;
    if (schema == 0) status = add_schema(log, "sensor_msgs/msg/LaserScan", RUT_MSG_SCAN, err);
    schema = log->schemas;
    log->scan[i] = (rutLogScan){.channel = log->channels,
                                .frame = log->frame[log->vehicles + log->blocks + log->wheels + i],
                                .stamp = -1,
                                .geometry = geometry,
                                .period = (float)info.period};
    if (status == RUT_OK) status = add_channel(log, schema, info.name, "", err);
  }
  return status;
}

static rutStatus put_metadata(rutLog* log, const rutModel* model, const rutLogDef* def,
                              rutError* err) {
  char hash[24], seed[24], step[40], rate[40];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)rut_model_hash(model));
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)def->seed);
  snprintf(step, sizeof step, "%.12g", log->dt);
  snprintf(rate, sizeof rate, "%.12g", 1 / ((double)log->rows[RUT_LOG_STATE].every * log->dt));
  const rutMcapPair pair[] = {{"version", RUT_VERSION_STRING},
                              {"model_hash", hash},
                              {"seed", seed},
                              {"timestep", step},
                              {"rate", rate},
                              {"command", def->command ? def->command : ""}};
  return rut_mcap_metadata(log->writer, "rut", 6, pair, err);
}

// The world, with file names that start where the log is.
static rutStatus put_world(rutLog* log, const rutSpec* spec, const char* path, rutError* err) {
  char* text = NULL;
  size_t size = 0;
  rutStatus status = rut_spec_write(spec, path, &text, &size, err);
  if (status == RUT_OK) {
    status = rut_mcap_attachment(log->writer, "world.xml", "application/xml", 0, text, size, err);
  }
  free(text);
  return status;
}

// Begin the file, or go on in one that is there.
static rutStatus begin_file(rutLog* log, const rutModel* model, const rutLogOpening* opening,
                            rutError* err) {
  static const char* const profile = "ros2";
  static const char* const library = "rut " RUT_VERSION_STRING;
  rutOutput* place = opening->place;
  if (!place) return rut_mcap_create(model, opening->path, profile, library, &log->writer, err);
  const rutStatus status =
      rut_mcap_begin(place->file, opening->path, profile, library, &log->writer, err);
  if (status == RUT_OK) rut_output_release(place);
  return status;
}

rutStatus rut_log_begin(rutLog* log, const rutModel* model, const rutLogOpening* opening,
                        rutError* err) {
  const rutLogDef* def = opening->def;
  log->scan = calloc((size_t)log->sensors + 1, sizeof *log->scan);
  if (!log->scan) return rut_log_no_memory(err);
  rutStatus status = begin_file(log, model, opening, err);
  if (status == RUT_OK) status = put_metadata(log, model, def, err);
  if (status == RUT_OK) status = add_all_topics(log, err);
  if (status == RUT_OK) status = add_poses(log, def, err);
  if (status == RUT_OK) status = add_scans(log, model, def, err);
  if (status == RUT_OK && def->spec) status = put_world(log, def->spec, opening->path, err);
  log->own_channels = log->channels;
  log->with_poses = log->tf >= 0 || log->odometry >= 0;
  return status;
}
