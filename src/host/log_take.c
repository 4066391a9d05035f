// SPDX-License-Identifier: BSD-3-Clause
//
// The thread of a log: items become messages.
#include "base/thread.h"
#include "host/log_joints.h"
#include "host/log_navigation.h"
#include "host/log_parts.h"
#include "host/log_samples.h"
#include "host/pose_message.h"

enum { CHUNK = 1024 * 1024 };         // bytes of messages after which a chunk is written
static const double CHUNK_AGE = 0.5;  // [s] of wall time after which it is written anyway

rutStatus rut_log_end_message(rutLog* log, rutError* err) {
  enum { LARGE = 1024 * 1024 };  // [B]
  rut_mcap_message_end(log->writer);
  return rut_mcap_pending(log->writer) < LARGE ? RUT_OK : rut_mcap_flush(log->writer, err);
}

static void put_odometry(rutBytes* b, int64_t stamp, const char* vehicle,
                         const double o[RUT_LOG_ODOMETRY]) {
  const double position[3] = {o[0], o[1], 0}, linear[3] = {o[3], 0, 0}, angular[3] = {0, 0, o[4]};
  const double q[4] = {rut_cos(0.5 * o[2]), 0, 0, rut_sin(0.5 * o[2])};
  const rutOdometryMessage message = {stamp, "world", vehicle, position, q, linear, angular};
  rut_put_odometry(b, rut_cdr_begin(b), &message);
}

static void take_row(rutLog* log, const rutLogRows* rows, int64_t time, int64_t stamp,
                     const double* row) {
  for (int i = 0; i < rows->topics; i++) {
    const rutLogTopic* t = &rows->topic[i];
    if (!rut_log_wants(log, t->channel)) continue;
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
  const double* odometry = row + RUT_LOG_BODY * bodies;
  if (log->tf >= 0 && rut_log_wants(log, log->tf)) {
    rutBytes* b = rut_mcap_message(log->writer, log->tf, time);
    const size_t start = rut_cdr_begin(b);
    rut_cdr_u32(b, start, (uint32_t)(bodies + wheels));
    for (int i = 0; i < bodies; i++) {
      const double* p = row + RUT_LOG_BODY * i;
      double q[4];
      rut_quaternion_of_angles(p[3], p[4], p[5], q);
      const rutTransformMessage t = {stamp, "world", log->frame[i], p, q};
      rut_put_transform(b, start, &t);
    }
    for (int i = 0; i < wheels; i++) {
      const double* p = wheel + RUT_LOG_WHEEL * i;
      const rutTransformMessage t = {stamp, "world", log->frame[bodies + i], p, p + 3};
      rut_put_transform(b, start, &t);
    }
    rut_mcap_message_end(log->writer);
  }
  for (int i = 0; log->odometry >= 0 && i < log->vehicles; i++) {
    if (!rut_log_wants(log, log->odometry + i)) continue;
    rutBytes* b = rut_mcap_message(log->writer, log->odometry + i, time);
    put_odometry(b, stamp, log->frame[i], odometry + RUT_LOG_ODOMETRY * i);
    rut_mcap_message_end(log->writer);
  }
}

// States and poses in one row.
static void take_both(rutLog* log, int64_t time, int64_t stamp, const double* row) {
  const rutLogRows* rows = &log->rows[RUT_LOG_STATE];
  for (int i = 0; i < rows->n; i++) log->state_row[i] = row[log->state_at[i]];
  for (int i = 0; i < log->pose_signals; i++) log->pose_row[i] = row[log->pose_at[i]];
  take_row(log, rows, time, stamp, log->state_row);
  take_poses(log, time, stamp, log->pose_row, row + log->both_signals);
}

static rutStatus take_channel(rutLog* log, const char* texts, rutError* err) {
  const char* topic = rut_log_next_text(&texts);
  const char* schema = rut_log_next_text(&texts);
  const char* definition = rut_log_next_text(&texts);
  const char* encoding = rut_log_next_text(&texts);
  rutStatus status = rut_mcap_schema(log->writer, schema, "ros2msg", definition, err);
  if (status != RUT_OK) return status;
  static const rutMcapPair quality = {"offered_qos_profiles", ""};
  const rutMcapChannelDef def = {
      .schema = ++log->schemas, .topic = topic, .encoding = encoding, .pairs = 1, .pair = &quality};
  return rut_mcap_channel(log->writer, &def, err);
}

static rutStatus take_item(rutLog* log, const rutLogItem* item, const void* bytes, rutError* err) {
  const int64_t* stamp = bytes;
  const double* number = (const double*)bytes + 1;
  switch ((rutLogKind)item->kind) {
    case RUT_LOG_ROW:
      take_row(log, &log->rows[item->which], item->time, *stamp, number);
      break;
    case RUT_LOG_BOTH:
      take_both(log, item->time, *stamp, number);
      break;
    case RUT_LOG_JOINTS:
      rut_log_put_joints(log, item, *stamp, number);
      break;
    case RUT_LOG_NAVIGATION:
      return rut_log_put_navigation(log, item, bytes, err);
    case RUT_LOG_SAMPLE:
      return rut_log_put_sample(log, item, bytes, err);
    case RUT_LOG_MESSAGE:
      if (!rut_log_wants(log, item->which)) break;
      rut_bytes_put(rut_mcap_message(log->writer, item->which, item->time), bytes, item->size);
      rut_mcap_message_end(log->writer);
      break;
    case RUT_LOG_CHANNEL:
      return take_channel(log, bytes, err);
    case RUT_LOG_ATTACHMENT: {
      const char* rest = bytes;
      const char* name = rut_log_next_text(&rest);
      const char* type = rut_log_next_text(&rest);
      const size_t head = (size_t)(rest - (const char*)bytes);
      const rutMcapAttachmentDef def = {.name = name,
                                        .media_type = type,
                                        .time = item->time,
                                        .bytes = rest,
                                        .size = item->size - head};
      return rut_mcap_attachment(log->writer, &def, err);
    }
  }
  return RUT_OK;
}

rutStatus rut_log_take(void* user, const rutLogItem* item, const void* bytes, rutError* err) {
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
