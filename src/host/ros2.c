// SPDX-License-Identifier: BSD-3-Clause
#include "rut/ros2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/ros2_parts.h"

static const double PERIOD = 0.02, TIMEOUT = 1, WAIT = 5;  // [s]

rutRos2Def rut_default_ros2(void) {
  return (rutRos2Def){.struct_size = sizeof(rutRos2Def),
                      .domain = -1,
                      .name_space = "",
                      .period = PERIOD,
                      .timeout = TIMEOUT,
                      .wait = WAIT};
}

// A name space with a slash behind it, without one in front.
static rutStatus set_space(rutRos2* r, const char* name, rutError* err) {
  char plain[RUT_ROS_NAME_SIZE];
  while (*name == '/') name++;
  rut_ros_name(name, true, plain);
  const size_t n = strlen(plain);
  if (strcmp(plain, name) != 0 || n + 2 > sizeof r->space || (n > 0 && plain[n - 1] == '/')) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "'%.100s' is no name space of ROS 2: letters, digits and _, parts with / "
                         "between them",
                         name);
  }
  snprintf(r->space, sizeof r->space, "%.*s%s", (int)n, plain, n > 0 ? "/" : "");
  return RUT_OK;
}

static rutStatus set_period(rutRos2* r, const rutModel* model, const rutRos2Def* def,
                            rutError* err) {
  static const double WHOLE = 1e-6;  // part of a step that rounding may leave
  r->dt = rut_model_timestep(model);
  const double steps = def->period / r->dt, whole = rut_max(rut_floor(steps + 0.5), 1);
  // longer steps than periods are periods themselves, unless somebody waits for them
  const bool fits = rut_abs(steps - whole) <= WHOLE * whole;
  if (!(def->period > 0 && whole < 1e9) || (def->lockstep && !fits)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a period of %g s is no whole number of steps of %g s", def->period,
                         r->dt);
  }
  r->every = (int64_t)whole;
  return RUT_OK;
}

static rutStatus make_all(rutRos2* r, const rutModel* model, const rutData* data,
                          const rutRos2Def* def, rutError* err) {
  rutStatus status = set_space(r, def->name_space ? def->name_space : "", err);
  if (status == RUT_OK) status = set_period(r, model, def, err);
  if (status == RUT_OK) status = rut_dds_open(def->domain, "enclave=/;", &r->dds, err);
  if (status == RUT_OK) status = rut_ros2_make_topics(r, model, data, err);
  if (status == RUT_OK) status = rut_ros2_make_commands(r, model, data, def, err);
  if (status == RUT_OK) status = rut_ros2_make_control(r, err);
  if (status == RUT_OK) status = rut_ros2_tell_graph(r, err);
  if (status == RUT_OK && !rut_ros2_tell_mounts(r, rut_time(data))) {
    status = rut_ros2_no_memory(err);
  }
  return status;
}

rutStatus rut_ros2_open(const rutModel* model, const rutData* data, const rutRos2Def* def,
                        rutRos2** out, rutError* err) {
  *out = NULL;
  if (def->struct_size != sizeof *def) {
    return rut_error_set(err, RUT_ERR_VERSION, "rutRos2Def is of another version of rut");
  }
  rutRos2* r = calloc(1, sizeof *r);
  if (!r) return rut_ros2_no_memory(err);
  r->control = def->control;
  r->stop = def->stop;
  r->timeout = def->timeout;
  r->wait = def->wait;
  r->lockstep = def->lockstep;
  r->localisation = def->localisation;
  r->reliable = def->reliable;
  r->long_ids = def->long_ids;
  r->published = -1;
  const rutStatus status = make_all(r, model, data, def, err);
  if (status == RUT_OK) {
    *out = r;
  } else {
    rut_ros2_close(r);
  }
  return status;
}

void rut_ros2_close(rutRos2* ros2) {
  if (!ros2) return;
  rut_dds_close(ros2->dds);
  rut_ros2_free_control(ros2);
  rut_ros2_free_topics(ros2);
  for (int i = 0; i < ros2->rows; i++) {
    free(ros2->row[i].name);
    free(ros2->row[i].type);
  }
  free(ros2->row);
  rut_bytes_free(&ros2->out);
  rut_bytes_free(&ros2->in);
  free(ros2);
}

rutStatus rut_ros2_step(rutRos2* ros2, const rutModel* model, rutData* data, rutError* err) {
  const int64_t steps = rut_steps(data);
  const bool due = steps % ros2->every == 0 || ros2->published < 0;
  bool fine = rut_ros2_obey(ros2, model, data);
  const bool moved = steps != ros2->published || rut_time(data) < ros2->last;
  if (moved) {
    fine = fine && rut_ros2_publish(ros2, model, data, due);
    ros2->whole = due;
  }
  ros2->published = steps;
  if (fine && ros2->lockstep) {
    if (due) return rut_ros2_await(ros2, model, data, err);
  } else {
    rut_ros2_drive(ros2, model, data);
  }
  return fine ? RUT_OK : rut_ros2_no_memory(err);
}

rutStatus rut_ros2_idle(rutRos2* ros2, const rutModel* model, rutData* data, double seconds,
                        rutError* err) {
  rut_dds_wait(ros2->dds, seconds);
  bool fine = rut_ros2_obey(ros2, model, data);
  // commands that come now hold from the next step on
  if (!ros2->lockstep) rut_ros2_drive(ros2, model, data);
  // the state in which the run stands is told in any case
  if (fine && (rut_steps(data) != ros2->published || !ros2->whole)) {
    fine = rut_ros2_publish(ros2, model, data, true);
    ros2->published = rut_steps(data);
    ros2->whole = true;
  }
  return fine ? RUT_OK : rut_ros2_no_memory(err);
}

rutRos2Topic rut_ros2_topic(const rutRos2* ros2, int index) {
  if (index < 0 || index >= ros2->rows) return (rutRos2Topic){"", "", false};
  const rutRos2Row* row = &ros2->row[index];
  return (rutRos2Topic){row->name, row->type, row->received};
}

rutRos2Report rut_ros2_report(rutRos2* ros2) {
  rutRos2Report report = ros2->report;
  for (int i = 0; i < ros2->rows; i++) {
    const rutRos2Row* row = &ros2->row[i];
    if (!row->received) report.refused += rut_dds_refused(ros2->dds, row->end) > 0;
  }
  return report;
}
