// SPDX-License-Identifier: BSD-3-Clause
//
// What is asked of the run, by topics and by services.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/ros2_parts.h"
#include "host/ros2_schema.h"
#include "host/ros2_service.h"

typedef struct Service {
  int request, reply;  // reader and writer
} Service;

struct rutRos2Asked {
  int pause, step, reset, speed;  // readers
  Service service[RUT_CALLS];
  rutBytes reply;  // of the call that is answered
  rutBytes later;  // reply that holds once no steps are left, empty if there is none
};

// ---- at the beginning ----

static rutStatus make_service(rutRos2* r, rutRos2Call call, bool reply, int* end, rutError* err) {
  const rutRos2CallInfo info = rut_ros2_call_info(call);
  char name[3 * RUT_ROS_NAME_SIZE], schema[RUT_ROS_TYPE_SIZE], type[RUT_ROS_TYPE_SIZE];
  char hash[RUT_ROS_HASH_SIZE], user_data[RUT_ROS_HASH_SIZE + 16];
  const char* part = reply ? "Response" : "Request";
  snprintf(name, sizeof name, "%s/%s%s%s", reply ? "rr" : "rq", r->space, info.name,
           reply ? "Reply" : "Request");
  snprintf(schema, sizeof schema, "simulation_interfaces/srv/%s_%s", info.type, part);
  const rutStatus status = rut_ros_type_hash(schema, reply ? info.reply : info.request, hash, err);
  if (status != RUT_OK) return status;
  rut_ros_dds_type(schema, type);
  snprintf(user_data, sizeof user_data, "typehash=%s;", hash);
  const rutDdsTopic topic = {
      .name = name, .type = type, .user_data = user_data, .reliable = true, .depth = 10};
  return rut_ros2_offer_raw(r, &topic, !reply, end, err);
}

rutStatus rut_ros2_make_control(rutRos2* r, rutError* err) {
  r->asked = calloc(1, sizeof *r->asked);
  if (!r->asked) return rut_ros2_no_memory(err);
  struct rutRos2Asked* a = r->asked;
  const struct {
    rutRos2Offer offer;
    int* end;
  } row[] = {
      {{"rut/", "pause", "std_msgs/msg/Bool", RUT_MSG_BOOL, RUT_ROS2_EACH}, &a->pause},
      {{"rut/", "step", "std_msgs/msg/UInt64", RUT_MSG_UINT64, RUT_ROS2_EACH}, &a->step},
      {{"rut/", "reset", "std_msgs/msg/Empty", RUT_MSG_EMPTY, RUT_ROS2_EACH}, &a->reset},
      {{"rut/", "speed", "std_msgs/msg/Float64", RUT_MSG_FLOAT64, RUT_ROS2_EACH}, &a->speed},
  };
  rutStatus status = RUT_OK;
  for (size_t i = 0; i < sizeof row / sizeof row[0] && status == RUT_OK; i++) {
    status = rut_ros2_offer(r, &row[i].offer, row[i].end, err);
  }
  for (int i = 0; i < RUT_CALLS && status == RUT_OK; i++) {
    status = make_service(r, (rutRos2Call)i, false, &a->service[i].request, err);
    if (status == RUT_OK) status = make_service(r, (rutRos2Call)i, true, &a->service[i].reply, err);
  }
  return status;
}

void rut_ros2_free_control(rutRos2* r) {
  if (!r->asked) return;
  rut_bytes_free(&r->asked->reply);
  rut_bytes_free(&r->asked->later);
  free(r->asked);
}

// ---- topics ----

// The next message of a reader, behind its header. False if there is none.
static bool take(rutRos2* r, int reader, rutCdr* out) {
  if (!rut_dds_take(r->dds, reader, &r->in)) return false;
  *out = rut_cdr_of(r->in.data, r->in.used);
  return true;
}

static void obey_topics(rutRos2* r) {
  static const uint64_t MOST = 1000000000;  // steps
  static const double FASTEST = 1e6;
  const struct rutRos2Asked* a = r->asked;
  const rutRos2Control* c = &r->control;
  rutCdr m;
  while (take(r, a->pause, &m)) {
    const bool paused = rut_cdr_get_u8(&m);
    if (!m.failed && c->pause) c->pause(c->user, paused);
    r->report.damaged += m.failed;
  }
  while (take(r, a->step, &m)) {
    const uint64_t steps = rut_cdr_get_u64(&m);
    const bool wrong = m.failed || steps == 0 || steps > MOST;
    if (!wrong && c->step) c->step(c->user, (int64_t)steps);
    r->report.damaged += wrong;
  }
  while (take(r, a->reset, &m)) {
    if (!m.failed && c->reset) c->reset(c->user);
    r->report.damaged += m.failed;
  }
  while (take(r, a->speed, &m)) {
    const double speed = rut_cdr_get_f64(&m);
    const bool wrong = m.failed || !(speed >= 0 && speed <= FASTEST);
    if (!wrong && c->speed) c->speed(c->user, speed);
    r->report.damaged += wrong;
  }
}

// ---- services ----

// Send the reply that waits if no steps are left, so that there is never more than one.
static bool send_later(rutRos2* r) {
  rutBytes* later = &r->asked->later;
  const rutRos2Control* c = &r->control;
  if (later->used == 0 || !c->state || c->state(c->user).steps_left > 0) return true;
  // its service stands in front
  int writer;
  memcpy(&writer, later->data, sizeof writer);
  const bool fine =
      rut_dds_write(r->dds, writer, later->data + sizeof writer, later->used - sizeof writer);
  later->used = 0;
  return fine;
}

// Answer a request that has come.
static bool answer(rutRos2* r, const rutRos2Asking* asking, rutRos2Call call) {
  struct rutRos2Asked* a = r->asked;
  const int writer = a->service[call].reply;
  const rutRos2Outcome outcome = rut_ros2_answer(asking, call, r->in.data, r->in.used, &a->reply);
  r->report.requests++;
  r->report.damaged += outcome == RUT_CALL_DAMAGED;
  if (a->reply.failed) return false;
  if (outcome == RUT_CALL_ANSWERED) {
    return rut_dds_write(r->dds, writer, a->reply.data, a->reply.used);
  }
  if (outcome == RUT_CALL_LATER) {
    rut_bytes_put(&a->later, &writer, sizeof writer);
    rut_bytes_put(&a->later, a->reply.data, a->reply.used);
  }
  return !a->later.failed;
}

bool rut_ros2_obey(rutRos2* r, const rutModel* model, const rutData* data) {
  struct rutRos2Asked* a = r->asked;
  const rutRos2Asking asking = {&r->control, model, data};
  bool fine = true;
  obey_topics(r);
  for (int i = 0; i < RUT_CALLS && fine; i++) {
    // a reply reaches nobody before its reader is found; the request waits
    const Service* s = &a->service[i];
    while (fine && rut_dds_readers(r->dds, s->reply) > 0 &&
           rut_dds_take(r->dds, s->request, &r->in)) {
      // what was asked before may have ended the steps of an earlier call
      fine = send_later(r) && answer(r, &asking, (rutRos2Call)i);
    }
  }
  return fine && send_later(r);
}
