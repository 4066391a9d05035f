// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by the parts of a log: what is read after a step (log_plan.c), the beginning of the
// file (log_begin.c), and the messages that a thread makes of it (log_take.c).
#ifndef RUT_HOST_LOG_PARTS_H
#define RUT_HOST_LOG_PARTS_H

#include <string.h>

#include "base/output.h"
#include "base/report.h"
#include "host/log_queue.h"
#include "host/mcap_write.h"
#include "host/sample_messages.h"
#include "host/way_watch.h"
#include "math/rut_math.h"
#include "rut/host.h"

enum {
  RUT_LOG_BODY = 6,      // x y z roll pitch yaw
  RUT_LOG_ODOMETRY = 5,  // x y yaw speed yaw_rate
  RUT_LOG_WHEEL = 7,     // x y z, quaternion w x y z
  RUT_LOG_MOUNT = 6      // of a sensor, before its sample: x y z roll pitch yaw
};

// Items of the queue.
typedef enum rutLogKind {
  RUT_LOG_ROW,
  RUT_LOG_BOTH,
  RUT_LOG_SAMPLE,
  RUT_LOG_JOINTS,
  RUT_LOG_NAVIGATION,
  RUT_LOG_MESSAGE,
  RUT_LOG_CHANNEL,
  RUT_LOG_ATTACHMENT
} rutLogKind;

// Signals of one element, next to each other in a row.
typedef struct rutLogTopic {
  int channel, first, count;
} rutLogTopic;

// Signals that are logged at one rate.
typedef struct rutLogRows {
  int n;       // numbers of a row
  int* index;  // their signals, ascending
  rutLogTopic* topic;
  int topics;
  int64_t every;  // in steps
} rutLogRows;
typedef enum rutLogRate { RUT_LOG_STATE, RUT_LOG_ENERGY, RUT_LOG_RATES } rutLogRate;

// Samples of one sensor.
typedef struct rutLogSamples {
  rutSampleMessages of;             // what they are told in
  int standard[RUT_FORM_MESSAGES];  // channels of its messages
  int readings;                     // channel of the other outputs, -1 if there are none
  const char* frame;                // name of the sensor
  char* optical;                    // frame of a camera's images, owned, else NULL
  double stamp;                     // of the last sample that was logged [s]
  double next_mount;                // earliest time of the next transform [s]
  double latency;                   // [s]
} rutLogSamples;

struct rutLog {
  rutMcapWriter* writer;  // of the thread, once there is one
  rutLogQueue* queue;
  rutSignals* signals;
  bool borrowed_signals;
  int channels, own_channels;  // all of them; the log's own, which come first
  int schemas;

  rutLogRows rows[RUT_LOG_RATES];

  // poses: of vehicles and moving blocks, odometry of vehicles, then of wheels
  int vehicles, blocks, wheels, pose_signals;
  int* pose_index;
  // union of the signals of states and poses, ascending
  int both_signals;
  int *both_index, *state_at, *pose_at;  // index of each in the union
  double *state_row, *pose_row;          // scratch of the thread
  char* frames;        // names of vehicles, blocks, wheels and sensors, one after the other
  const char** frame;  // [vehicles + blocks + wheels + sensors]
  int tf, odometry;    // channels; that of the first vehicle
  bool with_poses, with_wheels;

  struct rutLogJoints* joints;  // [jointed] vehicles, then mechanisms
  int jointed, joint_schema;
  struct rutLogNavigation* navigation;  // [vehicles], NULL: none is logged

  rutGroundWatch* ground;
  rutSoilWatch* soil;
  rutStepWatch* steps;
  rutWayWatch* ways;
  int rosout;              // channel, -1 until the first warning
  rutLogSamples* samples;  // [sensors]
  bool* sampled;           // [sensors] some output was chosen
  int sensors;
  double next_sample;  // earliest time of a new sample [s]

  double dt, last_time;
  int64_t pose_every;  // in steps
  int64_t offset;      // of log time from simulated time [ns]
  int64_t since;       // log time of the last jump [ns]
  bool begun, jumped;
  double chunk_begun;  // wall time, of the thread

  rutLogTap tap;      // message NULL: there is a file
  rutBytes tapped;    // names and texts of schemas for it, each with its zero
  size_t* tapped_at;  // [tapped_schemas] where each begins, owned
  int tapped_schemas, tapped_channels;
};

// How a log is opened.
typedef struct rutLogOpening {
  const char* path;
  const rutLogDef* def;
  // Nullable: an empty file at the path, used instead of a new one. The log takes its descriptor.
  rutOutput* place;
  // Nullable: of the caller's, of which n are logged by index, whatever the patterns are.
  rutSignals* signals;
  int n;
  const int* index;
  const rutLogTap* tap;  // Nullable: takes all, and there is no file
} rutLogOpening;

// Whether messages of a channel are to be made.
static inline bool rut_log_wants(const rutLog* log, int channel) {
  return !log->tap.message || log->tap.wants(log->tap.user, channel);
}

static inline rutStatus rut_log_no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
}

static inline int64_t rut_log_nanoseconds(double time) {
  return (int64_t)rut_floor(time * 1e9 + 0.5);
}

// Log time of a simulated time; of samples before a jump, the time of the jump [ns].
static inline int64_t rut_log_time(const rutLog* log, double time) {
  const int64_t at = rut_log_nanoseconds(time) + log->offset;
  return at > log->since ? at : log->since;
}

// Next of several strings in a row, each with its zero.
static inline const char* rut_log_next_text(const char** rest) {
  const char* text = *rest;
  *rest += strlen(text) + 1;
  return text;
}

// Choose the signals, and find those needed for poses. Errors: ARGUMENT, MEMORY.
rutStatus rut_log_plan(rutLog* log, const rutModel* model, const rutLogOpening* opening,
                       rutError* err);
// Create the file; write schemas, channels, metadata, and the world. Errors: IO, MEMORY.
rutStatus rut_log_begin(rutLog* log, const rutModel* model, const rutLogOpening* opening,
                        rutError* err);
// rut_log_create with options that the library alone uses. Errors: as there.
rutStatus rut_log_open_with(const rutModel* model, const rutLogOpening* opening, rutLog** out,
                            rutError* err);
// End a message that may be large. Such messages do not share a chunk, since readers take a whole
// chunk at once. Errors: IO, MEMORY.
rutStatus rut_log_end_message(rutLog* log, rutError* err);
// Make messages of an item (rutLogTake): user is the log.
rutStatus rut_log_take(void* user, const rutLogItem* item, const void* bytes, rutError* err);

#endif  // RUT_HOST_LOG_PARTS_H
