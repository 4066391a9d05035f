// SPDX-License-Identifier: BSD-3-Clause
//
// Logs of a run: what is read after a step, and the messages that a thread makes of it.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "base/thread.h"
#include "host/log_queue.h"
#include "host/log_schema.h"
#include "host/mcap_write.h"
#include "math/rut_math.h"
#include "rut/host.h"

enum {
  CHUNK = 1024 * 1024,  // bytes of messages after which a chunk is written
  NAME_SIZE = 512,
  BODY = 6,      // x y z roll pitch yaw
  ODOMETRY = 5,  // x y yaw speed yaw_rate
  WHEEL = 7      // x y z, quaternion w x y z
};
static const double CHUNK_AGE = 0.5;    // [s] of wall time after which it is written anyway
static const double POSE_RATE = 20;     // of transforms and odometry, at most [Hz]
static const double ENERGY_RATE = 4;    // by default, since energy takes long to sum up [Hz]
static const double DEFAULT_RATE = 50;  // [Hz]
static const double FEW_ELEMENTS = 40;  // more of them are logged less often

typedef enum Item { ROW, BOTH, SCAN, MESSAGE, CHANNEL, ATTACHMENT } Item;

// Signals of one element, next to each other in a row.
typedef struct Topic {
  int channel, first, count;
} Topic;

// Signals that are logged at one rate.
typedef struct Rows {
  int n;       // numbers of a row
  int* index;  // their signals, ascending
  Topic* topic;
  int topics;
  int64_t every;  // in steps
} Rows;
typedef enum Rate { STATE, ENERGY, RATES } Rate;
static const char* const tails[RATES] = {"/state", "/energy"};

typedef struct Scan {
  int channel;        // -1 if it is not logged
  const char* frame;  // its name
  double stamp;       // of the last one that was logged [s]
  float fov, range, period;
} Scan;

struct rutLog {
  rutMcapWriter* writer;  // of the thread, once there is one
  rutLogQueue* queue;
  rutSignals* signals;
  int channels, own_channels;  // in all; those before the caller's
  int schemas;

  Rows rows[RATES];

  // poses: of vehicles and moving blocks, odometry of vehicles, then of wheels
  int vehicles, blocks, wheels, pose_signals;
  int* pose_index;
  // signals of states and poses together, ascending, for both are made of the same
  int both_signals;
  int *both_index, *state_at, *pose_at;  // where each stands among them
  double *state_row, *pose_row;          // scratch of the thread
  char* frames;        // names of vehicles, blocks, wheels and sensors, one after the other
  const char** frame;  // [vehicles + blocks + wheels + sensors]
  int tf, odometry;    // channels; that of the first vehicle
  bool with_poses, with_wheels;

  Scan* scan;
  int sensors;
  double next_scan;  // no sensor has a new sample before [s]

  double dt, last_time;
  int64_t pose_every;  // in steps
  int64_t offset;      // of log time from simulated time [ns]
  bool begun;
  double chunk_begun;  // wall time, of the thread
};

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
}

static int64_t nanoseconds(double time) { return (int64_t)rut_floor(time * 1e9 + 0.5); }

// ---- in the thread: items become messages ----

static void put_transform(rutBytes* b, size_t start, int64_t stamp, const char* parent,
                          const char* child, const double at[3], const double q[4]) {
  const double xyzw[4] = {q[1], q[2], q[3], q[0]};
  rut_cdr_time(b, start, stamp);
  rut_cdr_text(b, start, parent);
  rut_cdr_text(b, start, child);
  rut_cdr_f64(b, start, 3, at);
  rut_cdr_f64(b, start, 4, xyzw);
}

static void quaternion_of(double roll, double pitch, double yaw, double q[4]) {
  double sr, cr, sp, cp, sy, cy;
  rut_sincos(0.5 * roll, &sr, &cr);
  rut_sincos(0.5 * pitch, &sp, &cp);
  rut_sincos(0.5 * yaw, &sy, &cy);
  q[0] = cr * cp * cy + sr * sp * sy;
  q[1] = sr * cp * cy - cr * sp * sy;
  q[2] = cr * sp * cy + sr * cp * sy;
  q[3] = cr * cp * sy - sr * sp * cy;
}

static void put_odometry(rutBytes* b, int64_t stamp, const char* vehicle,
                         const double o[ODOMETRY]) {
  static const double zero[36];
  const double position[3] = {o[0], o[1], 0}, linear[3] = {o[3], 0, 0}, angular[3] = {0, 0, o[4]};
  const double xyzw[4] = {0, 0, rut_sin(0.5 * o[2]), rut_cos(0.5 * o[2])};
  const size_t start = rut_cdr_begin(b);
  rut_cdr_time(b, start, stamp);
  rut_cdr_text(b, start, "world");
  rut_cdr_text(b, start, vehicle);
  rut_cdr_f64(b, start, 3, position);
  rut_cdr_f64(b, start, 4, xyzw);
  rut_cdr_f64(b, start, 36, zero);
  rut_cdr_f64(b, start, 3, linear);
  rut_cdr_f64(b, start, 3, angular);
  rut_cdr_f64(b, start, 36, zero);
}

static void take_row(rutLog* log, const Rows* rows, int64_t time, int64_t stamp,
                     const double* row) {
  for (int i = 0; i < rows->topics; i++) {
    const Topic* t = &rows->topic[i];
    rutBytes* b = rut_mcap_message(log->writer, t->channel, time);
    const size_t start = rut_cdr_begin(b);
    rut_cdr_time(b, start, stamp);
    rut_cdr_f64(b, start, t->count, row + t->first);
    rut_mcap_message_end(log->writer);
  }
}

// wheel: their poses.
static void take_poses(rutLog* log, int64_t time, int64_t stamp, const double* row,
                       const double* wheel) {
  const int bodies = log->vehicles + log->blocks, wheels = log->with_wheels ? log->wheels : 0;
  const double* odometry = row + BODY * bodies;
  if (log->tf >= 0) {
    rutBytes* b = rut_mcap_message(log->writer, log->tf, time);
    const size_t start = rut_cdr_begin(b);
    rut_cdr_u32(b, start, (uint32_t)(bodies + wheels));
    for (int i = 0; i < bodies; i++) {
      const double* p = row + BODY * i;
      double q[4];
      quaternion_of(p[3], p[4], p[5], q);
      put_transform(b, start, stamp, "world", log->frame[i], p, q);
    }
    for (int i = 0; i < wheels; i++) {
      const double* p = wheel + WHEEL * i;
      put_transform(b, start, stamp, "world", log->frame[bodies + i], p, p + 3);
    }
    rut_mcap_message_end(log->writer);
  }
  for (int i = 0; log->odometry >= 0 && i < log->vehicles; i++) {
    rutBytes* b = rut_mcap_message(log->writer, log->odometry + i, time);
    put_odometry(b, stamp, log->frame[i], odometry + ODOMETRY * i);
    rut_mcap_message_end(log->writer);
  }
}

// States and poses in one row.
static void take_both(rutLog* log, int64_t time, int64_t stamp, const double* row) {
  const Rows* rows = &log->rows[STATE];
  for (int i = 0; i < rows->n; i++) log->state_row[i] = row[log->state_at[i]];
  for (int i = 0; i < log->pose_signals; i++) log->pose_row[i] = row[log->pose_at[i]];
  take_row(log, rows, time, stamp, log->state_row);
  take_poses(log, time, stamp, log->pose_row, row + log->both_signals);
}

static void take_scan(rutLog* log, int sensor, int64_t time, int64_t stamp, int n,
                      const double* range) {
  const Scan* s = &log->scan[sensor];
  const float first = n > 1 ? -0.5f * s->fov : 0, step = n > 1 ? s->fov / (float)(n - 1) : 0;
  const float head[7] = {first, -first, step, 0, s->period, 0, s->range};
  rutBytes* b = rut_mcap_message(log->writer, s->channel, time);
  const size_t start = rut_cdr_begin(b);
  rut_cdr_time(b, start, stamp);
  rut_cdr_text(b, start, s->frame);
  for (int i = 0; i < 7; i++) rut_cdr_f32(b, start, head[i]);
  rut_cdr_u32(b, start, (uint32_t)n);
  for (int i = 0; i < n; i++) {
    rut_cdr_f32(b, start, range[i] < 0 ? (float)RUT_INFINITY : (float)range[i]);
  }
  rut_cdr_u32(b, start, 0);
  rut_mcap_message_end(log->writer);
}

// Texts of an item, each with its zero.
static const char* next_text(const char** rest) {
  const char* text = *rest;
  *rest += strlen(text) + 1;
  return text;
}

static rutStatus take_channel(rutLog* log, const char* texts, rutError* err) {
  const char* topic = next_text(&texts);
  const char* schema = next_text(&texts);
  const char* definition = next_text(&texts);
  const char* encoding = next_text(&texts);
  rutStatus status = rut_mcap_schema(log->writer, schema, "ros2msg", definition, err);
  if (status != RUT_OK) return status;
  static const rutMcapPair quality = {"offered_qos_profiles", ""};
  return rut_mcap_channel(log->writer, ++log->schemas, topic, encoding, 1, &quality, err);
}

static rutStatus take_item(rutLog* log, const rutLogItem* item, const void* bytes, rutError* err) {
  const int64_t* stamp = bytes;
  const double* number = (const double*)bytes + 1;
  switch ((Item)item->kind) {
    case ROW:
      take_row(log, &log->rows[item->which], item->time, *stamp, number);
      break;
    case BOTH:
      take_both(log, item->time, *stamp, number);
      break;
    case SCAN:
      take_scan(log, item->which, item->time, *stamp, (int)(item->size / sizeof *number) - 1,
                number);
      break;
    case MESSAGE:
      rut_bytes_put(rut_mcap_message(log->writer, item->which, item->time), bytes, item->size);
      rut_mcap_message_end(log->writer);
      break;
    case CHANNEL:
      return take_channel(log, bytes, err);
    case ATTACHMENT: {
      const char* rest = bytes;
      const char* name = next_text(&rest);
      const char* type = next_text(&rest);
      const size_t head = (size_t)(rest - (const char*)bytes);
      return rut_mcap_attachment(log->writer, name, type, item->time, rest, item->size - head, err);
    }
  }
  return RUT_OK;
}

static rutStatus take(void* user, const rutLogItem* item, const void* bytes, rutError* err) {
  rutLog* log = user;
  const bool was_empty = rut_mcap_pending(log->writer) == 0;
  if (item) {
    const rutStatus status = take_item(log, item, bytes, err);
    if (status != RUT_OK) return status;
  }
  const size_t pending = rut_mcap_pending(log->writer);
  if (pending == 0) return RUT_OK;
  if (was_empty) log->chunk_begun = rut_clock();
  if (pending < CHUNK && (item || rut_clock() - log->chunk_begun < CHUNK_AGE)) return RUT_OK;
  return rut_mcap_flush(log->writer, err);
}

// ---- beginning: schemas and channels ----

rutLogDef rut_default_log(void) {
  return (rutLogDef){
      .struct_size = sizeof(rutLogDef), .transforms = true, .odometry = true, .scans = true};
}

double rut_log_default_rate(const rutModel* model) {
  double elements = rut_count(model, RUT_VEHICLE) + rut_count(model, RUT_WHEEL);
  for (int i = 0; i < rut_count(model, RUT_BLOCK); i++) elements += rut_block_moves(model, i);
  const double rate = rut_min(DEFAULT_RATE, 0.1 / rut_model_timestep(model));
  return elements > FEW_ELEMENTS ? rut_max(rate * FEW_ELEMENTS / elements, 1) : rate;
}

// Name of a field in ROS: small letters, digits and underscores.
static void field_name(const char* name, char* out, size_t size) {
  size_t n = 0;
  for (const char* c = name; *c && n + 1 < size; c++) {
    const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
    out[n++] = plain ? *c : *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : '_';
  }
  out[n] = '\0';
}

static const char* kind_of(const rutModel* model, const char* element) {
  static const struct {
    rutKind kind;
    const char* word;
  } known[] = {{RUT_VEHICLE, "Vehicle"},
               {RUT_WHEEL, "Wheel"},
               {RUT_BLOCK, "Block"},
               {RUT_MECHANISM, "Mechanism"}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (rut_find(model, known[i].kind, element) >= 0) return known[i].word;
  }
  return strcmp(element, "ruts") == 0 ? "Ruts" : "Sensor";
}

// Definitions that are in the file, so that equal ones stand there once.
typedef struct Known {
  char* text;  // owned
  const char* word;
  int schema;
} Known;
typedef struct KnownList {
  Known* known;
  int n;
} KnownList;

static void put_string(rutBytes* b, const char* text) { rut_bytes_put(b, text, strlen(text)); }

// Text of the definition of an element's signals, owned by the caller. NULL if out of memory.
static char* define_state(const rutLog* log, const Rows* rows, const Topic* topic) {
  rutBytes b = {0};
  put_string(&b, "builtin_interfaces/Time stamp  # simulated time\n");
  for (int i = topic->first; i < topic->first + topic->count; i++) {
    const rutSignal s = rut_signals_at(log->signals, rows->index[i]);
    char field[128], line[NAME_SIZE];
    field_name(s.name + strlen(s.element) + 1, field, sizeof field);
    snprintf(line, sizeof line, "float64 %s  # %s%s%s%.200s\n", field, s.unit[0] ? "[" : "", s.unit,
             s.unit[0] ? "] " : "", s.doc);
    put_string(&b, line);
  }
  put_string(&b, RUT_MSG_TIME);
  rut_bytes_u8(&b, 0);
  if (b.failed) rut_bytes_free(&b);
  return (char*)b.data;
}

// Schema of an element's signals: one that is there, or a new one. *schema gets its number.
static rutStatus state_schema(rutLog* log, KnownList* list, const Rows* rows, const Topic* topic,
                              const char* word, int* schema, rutError* err) {
  char* text = define_state(log, rows, topic);
  if (!text) return no_memory(err);
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
    return no_memory(err);
  }
  list->known = grown;
  list->known[list->n++] = (Known){text, word, ++log->schemas};
  *schema = log->schemas;
  char name[64];
  snprintf(name, sizeof name, "rut/msg/%s", word);
  if (of_word > 0) snprintf(name, sizeof name, "rut/msg/%s%d", word, of_word + 1);
  return rut_mcap_schema(log->writer, name, "ros2msg", text, err);
}

static rutStatus add_channel(rutLog* log, int schema, const char* element, const char* tail,
                             rutError* err) {
  char topic[NAME_SIZE];
  snprintf(topic, sizeof topic, "/%.480s%s", element, tail);
  const rutMcapPair pair[] = {{"offered_qos_profiles", ""}, {"element", element}};
  log->channels++;
  return rut_mcap_channel(log->writer, schema, topic, "cdr", 2, pair, err);
}

static const char* element_of(const rutLog* log, const Rows* rows, int i) {
  return rut_signals_at(log->signals, rows->index[i]).element;
}

// A channel for each element of which some signal was chosen.
static rutStatus add_topics(rutLog* log, KnownList* list, const rutModel* model, Rate rate,
                            rutError* err) {
  Rows* rows = &log->rows[rate];
  rutStatus status = RUT_OK;
  for (int i = 0; i < rows->n && status == RUT_OK;) {
    const char* element = element_of(log, rows, i);
    Topic* t = &rows->topic[rows->topics++];
    *t = (Topic){.channel = log->channels, .first = i};
    while (i < rows->n && strcmp(element_of(log, rows, i), element) == 0) i++;
    t->count = i - t->first;
    int schema = 0;
    const char* word = rate == ENERGY ? "Energy" : kind_of(model, element);
    status = state_schema(log, list, rows, t, word, &schema, err);
    if (status == RUT_OK) status = add_channel(log, schema, element, tails[rate], err);
  }
  return status;
}

static rutStatus add_all_topics(rutLog* log, const rutModel* model, rutError* err) {
  KnownList list = {0};
  rutStatus status = add_topics(log, &list, model, STATE, err);
  if (status == RUT_OK) status = add_topics(log, &list, model, ENERGY, err);
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
    log->scan[i] = (Scan){.channel = -1, .stamp = -1};
    if (!def->scans || !def->spec || strcmp(info.type, "laser") != 0) continue;
    const rutNode node = rut_spec_find(def->spec, info.name);
    if (rut_node_is_null(node)) continue;
    if (schema == 0) status = add_schema(log, "sensor_msgs/msg/LaserScan", RUT_MSG_SCAN, err);
    schema = log->schemas;
    log->scan[i] = (Scan){.channel = log->channels,
                          .frame = log->frame[log->vehicles + log->blocks + log->wheels + i],
                          .stamp = -1,
                          .fov = (float)rut_node_number(def->spec, node, "fov"),
                          .range = (float)rut_node_number(def->spec, node, "max_range"),
                          .period = (float)info.period};
    if (status == RUT_OK) status = add_channel(log, schema, info.name, "", err);
  }
  return status;
}

// Where lasers are mounted: once, at the start.
static rutStatus add_mounts(rutLog* log, const rutModel* model, const rutLogDef* def,
                            rutError* err) {
  int mounts = 0;
  for (int i = 0; i < log->sensors; i++) mounts += log->scan[i].channel >= 0;
  if (mounts == 0 || !def->transforms) return RUT_OK;
  rutStatus status = RUT_OK;
  const int channel = log->channels, schema = log->schemas + 1;
  status = add_schema(log, "tf2_msgs/msg/TFMessage", RUT_MSG_TF, err);
  if (status == RUT_OK) status = add_channel(log, schema, "tf_static", "", err);
  if (status != RUT_OK) return status;
  rutBytes* b = rut_mcap_message(log->writer, channel, 0);
  const size_t start = rut_cdr_begin(b);
  rut_cdr_u32(b, start, (uint32_t)mounts);
  for (int i = 0; i < log->sensors; i++) {
    if (log->scan[i].channel < 0) continue;
    static const char* const field[] = {"x", "y", "z", "roll", "pitch", "yaw"};
    const rutSensorInfo info = rut_sensor_info(model, i);
    const rutNode node = rut_spec_find(def->spec, info.name);
    double at[6], q[4];
    for (int k = 0; k < 6; k++) {
      at[k] = rut_node_number(def->spec, node, field[k]);
      if (!(at[k] - at[k] == 0)) at[k] = 0;
    }
    quaternion_of(at[3], at[4], at[5], q);
    const char* parent = info.vehicle >= 0 ? rut_name(model, RUT_VEHICLE, info.vehicle) : "world";
    put_transform(b, start, 0, parent, info.name, at, q);
  }
  rut_mcap_message_end(log->writer);
  return RUT_OK;
}

// ---- beginning: what to read ----

static bool chosen(const rutLogDef* def, const char* name, bool* used) {
  if (def->patterns == 0) return strncmp(name, "ruts/", 5) != 0;
  bool found = false;
  for (int i = 0; i < def->patterns; i++) {
    if (!rut_glob(def->pattern[i], name)) continue;
    used[i] = found = true;
  }
  return found;
}

static rutStatus choose(rutLog* log, const rutLogDef* def, rutError* err) {
  const size_t all = (size_t)rut_signals_count(log->signals);
  bool* used = calloc((size_t)def->patterns + 1, sizeof *used);
  bool fine = used;
  for (int i = 0; i < RATES; i++) {
    Rows* rows = &log->rows[i];
    rows->index = malloc((all + 1) * sizeof *rows->index);
    rows->topic = malloc((all + 1) * sizeof *rows->topic);
    fine = fine && rows->index && rows->topic;
  }
  if (!fine) {
    free(used);
    return no_memory(err);
  }
  for (int i = 0; i < (int)all; i++) {
    const rutSignal s = rut_signals_at(log->signals, i);
    // messages have their time
    if (!chosen(def, s.name, used) || !s.element[0]) continue;
    const bool energy = strncmp(s.name + strlen(s.element), "/energy_", 8) == 0;
    Rows* rows = &log->rows[energy ? ENERGY : STATE];
    rows->index[rows->n++] = i;
  }
  rutStatus status = RUT_OK;
  for (int i = 0; i < def->patterns && status == RUT_OK; i++) {
    if (used[i]) continue;
    const char* near = rut_signals_nearest(log->signals, def->pattern[i]);
    status = rut_error_set(err, RUT_ERR_ARGUMENT, "no signal is called '%.200s'%s%.200s%s",
                           def->pattern[i], near ? "; did you mean '" : "", near ? near : "",
                           near ? "'?" : "");
  }
  free(used);
  return status;
}

static void index_of(const rutLog* log, const char* element, int n, const char* const* leaf,
                     int* out) {
  for (int i = 0; i < n; i++) {
    char name[2 * NAME_SIZE];
    snprintf(name, sizeof name, "%s/%s", element, leaf[i]);
    out[i] = rut_signals_find(log->signals, name);
  }
}

// Names of all frames, copied since models come and go, and the signals that poses are made of.
static rutStatus find_poses(rutLog* log, const rutModel* model, rutError* err) {
  static const char* const body[BODY] = {"x", "y", "z", "roll", "pitch", "yaw"};
  static const char* const odometry[ODOMETRY] = {"odometry_x", "odometry_y", "odometry_yaw",
                                                 "odometry_speed", "odometry_yaw_rate"};
  rutBytes names = {0};
  log->vehicles = rut_count(model, RUT_VEHICLE);
  log->wheels = rut_count(model, RUT_WHEEL);
  for (int i = 0; i < log->vehicles; i++) {
    const char* name = rut_name(model, RUT_VEHICLE, i);
    rut_bytes_put(&names, name, strlen(name) + 1);
  }
  for (int i = 0; i < rut_count(model, RUT_BLOCK); i++) {
    if (!rut_block_moves(model, i)) continue;
    const char* name = rut_name(model, RUT_BLOCK, i);
    rut_bytes_put(&names, name, strlen(name) + 1);
    log->blocks++;
  }
  for (int i = 0; i < log->wheels; i++) {
    const char* name = rut_name(model, RUT_WHEEL, i);
    rut_bytes_put(&names, name, strlen(name) + 1);
  }
  const size_t bodies = (size_t)log->vehicles + (size_t)log->blocks;
  for (int i = 0; i < log->sensors; i++) {
    const char* name = rut_name(model, RUT_SENSOR, i);
    rut_bytes_put(&names, name, strlen(name) + 1);
  }
  const size_t frames = bodies + (size_t)(log->wheels + log->sensors);
  log->frames = (char*)names.data;
  log->frame = malloc((frames + 1) * sizeof *log->frame);
  log->pose_signals = (int)bodies * BODY + log->vehicles * ODOMETRY;
  log->pose_index = malloc(((size_t)log->pose_signals + 1) * sizeof *log->pose_index);
  if (names.failed || !log->frame || !log->pose_index) return no_memory(err);
  const char* rest = log->frames;
  for (size_t i = 0; i < frames; i++) log->frame[i] = next_text(&rest);
  for (size_t i = 0; i < bodies; i++) {
    index_of(log, log->frame[i], BODY, body, log->pose_index + BODY * i);
  }
  for (int i = 0; i < log->vehicles; i++) {
    index_of(log, log->frame[i], ODOMETRY, odometry,
             log->pose_index + BODY * bodies + (size_t)(ODOMETRY * i));
  }
  return RUT_OK;
}

static int by_value(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static int place_of(const rutLog* log, int signal) {
  const int* found =
      bsearch(&signal, log->both_index, (size_t)log->both_signals, sizeof signal, by_value);
  return found ? (int)(found - log->both_index) : 0;
}

// Join the signals of states and poses.
static rutStatus join_signals(rutLog* log, rutError* err) {
  const Rows* rows = &log->rows[STATE];
  const size_t states = (size_t)rows->n, poses = (size_t)log->pose_signals, n = states + poses;
  log->both_index = malloc((n + 1) * sizeof *log->both_index);
  log->state_at = malloc((states + 1) * sizeof *log->state_at);
  log->pose_at = malloc((poses + 1) * sizeof *log->pose_at);
  log->state_row = malloc((states + 1) * sizeof *log->state_row);
  log->pose_row = malloc((poses + 1) * sizeof *log->pose_row);
  if (!log->both_index || !log->state_at || !log->pose_at || !log->state_row || !log->pose_row) {
    return no_memory(err);
  }
  memcpy(log->both_index, rows->index, states * sizeof *log->both_index);
  memcpy(log->both_index + states, log->pose_index, poses * sizeof *log->both_index);
  qsort(log->both_index, n, sizeof *log->both_index, by_value);
  for (size_t i = 0; i < n; i++) {
    const int kept = log->both_signals;
    if (kept > 0 && log->both_index[kept - 1] == log->both_index[i]) continue;
    log->both_index[log->both_signals++] = log->both_index[i];
  }
  for (size_t i = 0; i < states; i++) log->state_at[i] = place_of(log, rows->index[i]);
  for (size_t i = 0; i < poses; i++) log->pose_at[i] = place_of(log, log->pose_index[i]);
  return RUT_OK;
}

// ---- beginning: what else is in the file ----

static rutStatus put_metadata(rutLog* log, const rutModel* model, const rutLogDef* def,
                              rutError* err) {
  char hash[24], seed[24], step[40], rate[40];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)rut_model_hash(model));
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)def->seed);
  snprintf(step, sizeof step, "%.12g", log->dt);
  snprintf(rate, sizeof rate, "%.12g", 1 / ((double)log->rows[STATE].every * log->dt));
  const rutMcapPair pair[] = {{"version", RUT_VERSION_STRING},
                              {"model_hash", hash},
                              {"seed", seed},
                              {"timestep", step},
                              {"rate", rate},
                              {"command", def->command ? def->command : ""}};
  return rut_mcap_metadata(log->writer, "rut", 6, pair, err);
}

// Read a file that was just written. NULL if that fails; the caller frees.
static char* read_back(const char* path, size_t* size) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  char* text = NULL;
  *size = 0;
  if (file >= 0 && fstat(file, &info) == 0) text = malloc((size_t)info.st_size + 1);
  while (text && *size < (size_t)info.st_size) {
    const ssize_t n = read(file, text + *size, (size_t)info.st_size - *size);
    if (n <= 0) break;
    *size += (size_t)n;
  }
  if (file >= 0) close(file);
  return text;
}

static rutStatus put_world(rutLog* log, const rutSpec* spec, rutError* err) {
  const char* tmp = getenv("TMPDIR");
  char folder[NAME_SIZE], path[NAME_SIZE + 16];
  snprintf(folder, sizeof folder, "%.400s/rut-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
  if (!mkdtemp(folder)) {
    return rut_error_set(err, RUT_ERR_IO, "cannot create a folder in '%.400s'", folder);
  }
  snprintf(path, sizeof path, "%s/world.xml", folder);
  rutStatus status = rut_spec_save(spec, path, err);
  if (status == RUT_OK) {
    size_t size = 0;
    char* text = read_back(path, &size);
    status =
        text ? rut_mcap_attachment(log->writer, "world.xml", "application/xml", 0, text, size, err)
             : no_memory(err);
    free(text);
  }
  unlink(path);
  rmdir(folder);
  return status;
}

static void destroy(rutLog* log) {
  rut_signals_destroy(log->signals);
  for (int i = 0; i < RATES; i++) {
    free(log->rows[i].index);
    free(log->rows[i].topic);
  }
  free(log->pose_index);
  free(log->both_index);
  free(log->state_at);
  free(log->pose_at);
  free(log->state_row);
  free(log->pose_row);
  free(log->frames);
  free(log->frame);
  free(log->scan);
  free(log);
}

static rutStatus begin(rutLog* log, const rutModel* model, const char* path, const rutLogDef* def,
                       rutError* err) {
  rutStatus status = rut_signals_create(model, &log->signals, err);
  if (status == RUT_OK) status = choose(log, def, err);
  log->sensors = rut_count(model, RUT_SENSOR);
  if (status == RUT_OK) status = find_poses(log, model, err);
  if (status == RUT_OK) status = join_signals(log, err);
  log->scan = calloc((size_t)log->sensors + 1, sizeof *log->scan);
  if (status == RUT_OK && !log->scan) status = no_memory(err);
  if (status == RUT_OK) {
    status = rut_mcap_create(path, "ros2", "rut " RUT_VERSION_STRING, &log->writer, err);
  }
  if (status == RUT_OK) status = put_metadata(log, model, def, err);
  if (status == RUT_OK) status = add_all_topics(log, model, err);
  if (status == RUT_OK) status = add_poses(log, def, err);
  if (status == RUT_OK) status = add_scans(log, model, def, err);
  if (status == RUT_OK) status = add_mounts(log, model, def, err);
  if (status == RUT_OK && def->spec) status = put_world(log, def->spec, err);
  log->own_channels = log->channels;
  log->with_poses = log->tf >= 0 || log->odometry >= 0;
  return status;
}

// Steps between rows at a rate, a multiple of `unit`.
static int64_t steps_of(const rutLog* log, double rate, int64_t unit) {
  const double n = rut_floor(1 / (rate * log->dt * (double)unit) + 0.5);
  return unit * (int64_t)rut_min(rut_max(n, 1), 1e9);
}

rutStatus rut_log_create(const rutModel* model, const char* path, const rutLogDef* def,
                         rutLog** out, rutError* err) {
  *out = NULL;
  const rutLogDef standard = rut_default_log();
  if (!def) def = &standard;
  if (def->struct_size != sizeof *def || !(def->rate >= 0) || def->rate > 1e9) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a log needs rut_default_log and a rate >= 0");
  }
  rutLog* log = calloc(1, sizeof *log);
  if (!log) return no_memory(err);
  log->dt = rut_model_timestep(model);
  const double rate = def->rate > 0 ? def->rate : rut_log_default_rate(model);
  log->rows[STATE].every = steps_of(log, rate, 1);
  const int64_t every = log->rows[STATE].every;
  log->rows[ENERGY].every = def->rate > 0 ? every : steps_of(log, ENERGY_RATE, every);
  log->pose_every = steps_of(log, POSE_RATE, every);
  log->with_wheels = def->wheel_frames;
  log->tf = log->odometry = -1;
  rutStatus status = begin(log, model, path, def, err);
  if (status == RUT_OK) {
    log->chunk_begun = rut_clock();
    log->queue = rut_log_queue_create(take, log);
    if (!log->queue) status = no_memory(err);
  }
  if (status != RUT_OK) {
    if (log->writer) rut_mcap_close(log->writer, NULL);
    destroy(log);
    return status;
  }
  *out = log;
  return RUT_OK;
}

// ---- after each step ----

// Begin an item of doubles behind the simulated time. NULL if out of memory.
static double* begin_numbers(rutLog* log, Item kind, int which, double time, int n) {
  const rutLogItem item = {.kind = kind,
                           .which = which,
                           .time = nanoseconds(time) + log->offset,
                           .size = ((size_t)n + 1) * sizeof(double)};
  int64_t* place = rut_log_queue_begin(log->queue, item);
  if (!place) return NULL;
  *place = nanoseconds(time);
  return (double*)(void*)(place + 1);
}

static bool log_row(rutLog* log, Rate rate, const rutModel* model, const rutData* data) {
  const Rows* rows = &log->rows[rate];
  if (rows->n == 0) return true;
  double* row = begin_numbers(log, ROW, rate, rut_time(data), rows->n);
  if (!row) return false;
  rut_signals_read(log->signals, model, data, rows->n, rows->index, row);
  rut_log_queue_end(log->queue);
  return true;
}

static bool log_both(rutLog* log, const rutModel* model, const rutData* data) {
  const int wheels = log->tf >= 0 && log->with_wheels ? log->wheels : 0;
  double* row = begin_numbers(log, BOTH, 0, rut_time(data), log->both_signals + WHEEL * wheels);
  if (!row) return false;
  rut_signals_read(log->signals, model, data, log->both_signals, log->both_index, row);
  row += log->both_signals;
  for (int i = 0; i < wheels; i++, row += WHEEL) {
    const rutWheelPose pose = rut_wheel_pose(model, data, i);
    memcpy(row, pose.position, sizeof pose.position);
    memcpy(row + 3, pose.quaternion, sizeof pose.quaternion);
  }
  rut_log_queue_end(log->queue);
  return true;
}

// Samples that are not logged yet.
static bool log_scans(rutLog* log, const rutModel* model, const rutData* data) {
  log->next_scan = RUT_INFINITY;
  for (int i = 0; i < log->sensors; i++) {
    Scan* s = &log->scan[i];
    if (s->channel < 0) continue;
    double stamp = -1;
    int n = 0;
    const double* range = rut_sensor(model, data, i, &stamp, &n);
    if (range && stamp >= 0 && stamp != s->stamp) {
      s->stamp = stamp;
      double* row = begin_numbers(log, SCAN, i, stamp, n);
      if (!row) return false;
      memcpy(row, range, (size_t)n * sizeof *row);
      rut_log_queue_end(log->queue);
    }
    const double next = s->stamp < 0 ? 0 : s->stamp + (double)s->period - 0.5 * log->dt;
    log->next_scan = rut_min(log->next_scan, next);
  }
  return true;
}

rutStatus rut_log_step(rutLog* log, const rutModel* model, const rutData* data, rutError* err) {
  const double time = rut_time(data);
  if (log->begun && time == log->last_time) return RUT_OK;
  if (log->begun && time < log->last_time) {
    log->offset += nanoseconds(log->last_time) - nanoseconds(time) + nanoseconds(log->dt);
    log->next_scan = 0;
  }
  const int64_t steps = rut_steps(data);
  const bool first = !log->begun;
  log->begun = true;
  log->last_time = time;
  bool fine = true;
  if (first || steps % log->rows[STATE].every == 0) {
    const rutStatus status = rut_log_queue_status(log->queue, err);
    if (status != RUT_OK) return status;
    const bool poses = log->with_poses && (first || steps % log->pose_every == 0);
    fine = poses ? log_both(log, model, data) : log_row(log, STATE, model, data);
    if (fine && (first || steps % log->rows[ENERGY].every == 0)) {
      fine = log_row(log, ENERGY, model, data);
    }
  }
  if (fine && time >= log->next_scan) fine = log_scans(log, model, data);
  return fine ? RUT_OK : no_memory(err);
}

// ---- of the caller ----

rutStatus rut_log_channel(rutLog* log, const char* topic, const char* schema,
                          const char* definition, const char* encoding, int* channel,
                          rutError* err) {
  const char* const text[] = {topic, schema, definition, encoding};
  size_t size = 0;
  for (int i = 0; i < 4; i++) size += strlen(text[i]) + 1;
  if (log->channels > UINT16_MAX) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "a log has at most %d channels", UINT16_MAX + 1);
  }
  char* place = rut_log_queue_begin(log->queue, (rutLogItem){.kind = CHANNEL, .size = size});
  if (!place) return no_memory(err);
  for (int i = 0; i < 4; i++) {
    const size_t length = strlen(text[i]) + 1;
    memcpy(place, text[i], length);
    place += length;
  }
  rut_log_queue_end(log->queue);
  *channel = log->channels++;
  return rut_log_queue_status(log->queue, err);
}

// Begin a message of the caller's. NULL, with *status, if that cannot be.
static unsigned char* begin_message(rutLog* log, int channel, double time, size_t size,
                                    rutStatus* status, rutError* err) {
  *status = RUT_OK;
  if (channel < log->own_channels || channel >= log->channels || !(time >= 0 && time < 9e9)) {
    *status = rut_error_set(err, RUT_ERR_ARGUMENT, "no such channel, or time, of a log");
    return NULL;
  }
  if (size > UINT32_MAX - 64) {
    *status = rut_error_set(err, RUT_ERR_ARGUMENT, "a message of 4 GiB");
    return NULL;
  }
  *status = rut_log_queue_status(log->queue, err);
  if (*status != RUT_OK) return NULL;
  const rutLogItem item = {
      .kind = MESSAGE, .which = channel, .time = nanoseconds(time) + log->offset, .size = size};
  unsigned char* place = rut_log_queue_begin(log->queue, item);
  if (!place) *status = no_memory(err);
  return place;
}

rutStatus rut_log_write(rutLog* log, int channel, double time, const void* bytes, size_t size,
                        rutError* err) {
  rutStatus status;
  unsigned char* place = begin_message(log, channel, time, size, &status, err);
  if (!place) return status;
  if (size > 0) memcpy(place, bytes, size);
  rut_log_queue_end(log->queue);
  return RUT_OK;
}

rutStatus rut_log_write_bytes(rutLog* log, int channel, double time, const void* bytes, size_t size,
                              rutError* err) {
  rutStatus status;
  unsigned char* place = begin_message(log, channel, time, size + 8, &status, err);
  if (!place) return status;
  const uint32_t length = (uint32_t)size;
  const unsigned char head[8] = {0,
                                 1,
                                 0,
                                 0,
                                 (unsigned char)length,
                                 (unsigned char)(length >> 8),
                                 (unsigned char)(length >> 16),
                                 (unsigned char)(length >> 24)};
  memcpy(place, head, sizeof head);
  if (size > 0) memcpy(place + sizeof head, bytes, size);
  rut_log_queue_end(log->queue);
  return RUT_OK;
}

rutStatus rut_log_attach(rutLog* log, const char* name, const char* media_type, const void* bytes,
                         size_t size, rutError* err) {
  const size_t first = strlen(name) + 1, second = strlen(media_type) + 1;
  const rutLogItem item = {.kind = ATTACHMENT,
                           .time = nanoseconds(log->last_time) + log->offset,
                           .size = first + second + size};
  char* place = rut_log_queue_begin(log->queue, item);
  if (!place) return no_memory(err);
  memcpy(place, name, first);
  memcpy(place + first, media_type, second);
  if (size > 0) memcpy(place + first + second, bytes, size);
  rut_log_queue_end(log->queue);
  return rut_log_queue_status(log->queue, err);
}

rutStatus rut_log_close(rutLog* log, rutError* err) {
  if (!log) return RUT_OK;
  const rutStatus status = rut_log_queue_finish(log->queue, err);
  const rutStatus closed = rut_mcap_close(log->writer, status == RUT_OK ? err : NULL);
  destroy(log);
  return status == RUT_OK ? closed : status;
}
