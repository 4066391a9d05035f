// SPDX-License-Identifier: BSD-3-Clause
//
// What the parts of a log share: what is to be read after a step (log_plan.c), the beginning of the
// file (log_begin.c), and the messages that a thread makes of what was read (log_take.c).
#ifndef RUT_HOST_LOG_PARTS_H
#define RUT_HOST_LOG_PARTS_H

#include <string.h>

#include "base/output.h"
#include "base/report.h"
#include "host/log_queue.h"
#include "host/mcap_write.h"
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

// One output of a sensor.
typedef struct rutLogOutput {
  rutNumberType type;
  int count;
} rutLogOutput;

// Samples of one sensor.
typedef struct rutLogSamples {
  int standard;  // channel of the standard message of its form, -1 if there is none
  int readings;  // channel of the other outputs, -1 if there are none
  rutSensorForm form;
  const char* frame;     // name of the sensor
  rutLogOutput* output;  // owned
  int outputs;
  size_t size;        // bytes of all of them, each from a multiple of 8 on
  double stamp;       // of the last sample that was logged [s]
  double next_mount;  // no transform before [s]
  rutScanGeometry geometry;
  double period, latency;  // [s]
} rutLogSamples;

struct rutLog {
  rutMcapWriter* writer;  // of the thread, once there is one
  rutLogQueue* queue;
  rutSignals* signals;
  bool borrowed_signals;
  int channels, own_channels;  // in all; those before the caller's
  int schemas;

  rutLogRows rows[RUT_LOG_RATES];

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

  rutGroundWatch* ground;
  int rosout;              // channel, -1 until something goes wrong
  rutLogSamples* samples;  // [sensors]
  bool* sampled;           // [sensors] some output was chosen
  int sensors;
  double next_sample;  // no sensor has a new one before [s]

  double dt, last_time;
  int64_t pose_every;  // in steps
  int64_t offset;      // of log time from simulated time [ns]
  int64_t since;       // log time of the last jump [ns]
  bool begun, jumped;
  double chunk_begun;  // wall time, of the thread
};

// How a log comes to be.
typedef struct rutLogOpening {
  const char* path;
  const rutLogDef* def;
  // Nullable: an empty file that stands in its place, instead of one that is made there. The log
  // takes its descriptor.
  rutOutput* place;
  // Nullable: of the caller's, of which n are logged by index, whatever the patterns are.
  rutSignals* signals;
  int n;
  const int* index;
} rutLogOpening;

static inline rutStatus rut_log_no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
}

static inline int64_t rut_log_nanoseconds(double time) {
  return (int64_t)rut_floor(time * 1e9 + 0.5);
}

// Log time of a simulated time: what was sampled before a jump is told at it [ns].
static inline int64_t rut_log_time(const rutLog* log, double time) {
  const int64_t at = rut_log_nanoseconds(time) + log->offset;
  return at > log->since ? at : log->since;
}

// Texts that stand one after the other, each with its zero.
static inline const char* rut_log_next_text(const char** rest) {
  const char* text = *rest;
  *rest += strlen(text) + 1;
  return text;
}

// Choose the signals, and find those that poses are made of. Errors: ARGUMENT, MEMORY.
rutStatus rut_log_plan(rutLog* log, const rutModel* model, const rutLogOpening* opening,
                       rutError* err);
// Create the file; write schemas, channels, metadata, and the world. Errors: IO, MEMORY.
rutStatus rut_log_begin(rutLog* log, const rutModel* model, const rutLogOpening* opening,
                        rutError* err);
// rut_log_create with what only the library decides. Errors: as there.
rutStatus rut_log_open_with(const rutModel* model, const rutLogOpening* opening, rutLog** out,
                            rutError* err);
// Make messages of an item (rutLogTake): user is the log.
rutStatus rut_log_take(void* user, const rutLogItem* item, const void* bytes, rutError* err);

// Pose of a frame in the world.
typedef struct rutLogTransform {
  int64_t stamp;      // [ns]
  const char* child;  // name of the frame
  const double* at;   // [3] its origin
  const double* q;    // [4] its rotation, w x y z
} rutLogTransform;

// geometry_msgs/TransformStamped.
void rut_log_put_transform(rutBytes* bytes, size_t start, const rutLogTransform* transform);
void rut_log_quaternion(double roll, double pitch, double yaw, double q[4]);

#endif  // RUT_HOST_LOG_PARTS_H
