// SPDX-License-Identifier: BSD-3-Clause
//
// The beginning of a log: schemas, channels, and all that is known before the first step.
#include <stdio.h>
#include <stdlib.h>

#include "host/definition.h"
#include "host/log_definition.h"
#include "host/log_joints.h"
#include "host/log_navigation.h"
#include "host/log_samples.h"
#include "host/log_schema.h"

static const char* const tails[RUT_LOG_RATES] = {"/state", "/energy"};

// Text of the definition of an element's signals.
static rutBytes define_state(const rutLog* log, const rutLogRows* rows, const rutLogTopic* topic) {
  static const char stamp[] = "builtin_interfaces/Time stamp  # simulated time\n";
  rutBytes b = {0};
  rut_bytes_put(&b, stamp, sizeof stamp - 1);
  for (int i = topic->first; i < topic->first + topic->count; i++) {
    const rutSignal s = rut_signals_at(log->signals, rows->index[i]);
    rut_define_field(&b, "float64", 0, s.leaf, s.unit, s.doc);
  }
  rut_bytes_put(&b, RUT_MSG_TIME, sizeof RUT_MSG_TIME);
  return b;
}

static const char* element_of(const rutLog* log, const rutLogRows* rows, int i) {
  return rut_signals_at(log->signals, rows->index[i]).element;
}

// A channel for each element of which some signal was chosen.
static rutStatus add_topics(rutLog* log, rutLogDefinitions* known, rutLogRate rate, rutError* err) {
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
    rutBytes text = define_state(log, rows, t);
    status = rut_log_define(log, known, word, &text, &schema, err);
    if (status == RUT_OK) status = rut_log_add_channel(log, schema, element, tails[rate], err);
  }
  return status;
}

static rutStatus add_poses(rutLog* log, const rutLogDef* def, rutError* err) {
  rutStatus status = RUT_OK;
  if (def->transforms) {
    status = rut_log_add_schema(log, "tf2_msgs/msg/TFMessage", RUT_MSG_TF, err);
    log->tf = log->channels;
    if (status == RUT_OK) status = rut_log_add_channel(log, log->schemas, "tf", "", err);
  }
  if (def->odometry && log->vehicles > 0 && status == RUT_OK) {
    status = rut_log_add_schema(log, "nav_msgs/msg/Odometry", RUT_MSG_ODOMETRY, err);
    log->odometry = log->channels;
    for (int i = 0; i < log->vehicles && status == RUT_OK; i++) {
      status = rut_log_add_channel(log, log->schemas, log->frame[i], "/odom", err);
    }
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
    const rutMcapAttachmentDef world = {
        .name = "world.xml", .media_type = "application/xml", .bytes = text, .size = size};
    status = rut_mcap_attachment(log->writer, &world, err);
  }
  free(text);
  return status;
}

// ---- without a file ----

static void tap_schema(void* user, const char* name, const char* text) {
  rutLog* log = user;
  size_t* grown = realloc(log->tapped_at, ((size_t)log->tapped_schemas + 1) * sizeof *grown);
  if (grown) log->tapped_at = grown;
  if (!grown) log->tapped.failed = true;
  if (log->tapped.failed) return;
  grown[log->tapped_schemas++] = log->tapped.used;
  rut_bytes_put(&log->tapped, name, strlen(name) + 1);
  rut_bytes_put(&log->tapped, text, strlen(text) + 1);
}

static void tap_channel(void* user, const rutMcapChannelDef* def) {
  rutLog* log = user;
  const int channel = log->tapped_channels++;
  if (log->tapped.failed || def->schema > log->tapped_schemas) return;
  const char* text = (const char*)log->tapped.data + log->tapped_at[def->schema - 1];
  rutLogChannelDef told = {.topic = def->topic, .encoding = def->encoding};
  told.schema = rut_log_next_text(&text);
  told.definition = text;
  log->tap.channel(log->tap.user, channel, &told);
}

static void tap_message(void* user, int channel, int64_t time, const void* bytes, size_t size) {
  const rutLog* log = user;
  log->tap.message(log->tap.user, channel, time, bytes, size);
}

static rutStatus begin_tap(rutLog* log, const rutLogTap* tap, rutError* err) {
  log->tap = *tap;
  const rutMcapTap own = {log, tap_schema, tap_channel, tap_message};
  return rut_mcap_tap(&own, &log->writer, err);
}

// Create the file, or continue in the one that is given.
static rutStatus begin_file(rutLog* log, const rutModel* model, const rutLogOpening* opening,
                            rutError* err) {
  static const char* const profile = "ros2";
  static const char* const library = "rut " RUT_VERSION_STRING;
  rutOutput* place = opening->place;
  if (opening->tap) return begin_tap(log, opening->tap, err);
  if (!place) return rut_mcap_create(model, opening->path, profile, library, &log->writer, err);
  const rutStatus status =
      rut_mcap_begin(place->file, opening->path, profile, library, &log->writer, err);
  if (status == RUT_OK) rut_output_release(place);
  return status;
}

rutStatus rut_log_begin(rutLog* log, const rutModel* model, const rutLogOpening* opening,
                        rutError* err) {
  rutLogDefinitions known = {0};
  const rutLogDef* def = opening->def;
  rutStatus status = begin_file(log, model, opening, err);
  if (status == RUT_OK) status = put_metadata(log, model, def, err);
  if (status == RUT_OK) status = add_topics(log, &known, RUT_LOG_STATE, err);
  if (status == RUT_OK) status = add_topics(log, &known, RUT_LOG_ENERGY, err);
  if (status == RUT_OK) status = add_poses(log, def, err);
  if (status == RUT_OK && def->joints) status = rut_log_begin_joints(log, model, err);
  if (status == RUT_OK && def->navigation) status = rut_log_begin_navigation(log, model, err);
  if (status == RUT_OK) status = rut_log_begin_samples(log, &known, model, err);
  if (status == RUT_OK && def->spec) status = put_world(log, def->spec, opening->path, err);
  if (status == RUT_OK && log->tapped.failed) status = rut_log_no_memory(err);
  rut_log_definitions_free(&known);
  log->own_channels = log->channels;
  log->with_poses = log->tf >= 0 || log->odometry >= 0;
  return status;
}
