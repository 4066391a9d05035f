// SPDX-License-Identifier: BSD-3-Clause
//
// Sensors whose time has come look at the world as it stands after the step.
#include <string.h>

#include "math/random.h"
#include "math/rut_math.h"
#include "math/vec.h"
#include "sim/step.h"
#include "vehicle/view.h"

// What a sensor's callbacks need to know.
typedef struct Host {
  const rutModel* model;
  const rutData* data;
  double* angle;  // room for the rays' angles from the world's x axis
  void* scan_scratch;
  uint64_t seed, sample;
  uint32_t stream;
} Host;

static size_t align_up(size_t size) {
  return (size + RUT_ARENA_ALIGN - 1) & ~(size_t)(RUT_ARENA_ALIGN - 1);
}

static void host_scan(const void* host, const rutRayScan* scan, double* range,
                      unsigned char* grid) {
  const Host* h = host;
  const int rays = scan->rays < h->model->max_rays ? scan->rays : h->model->max_rays;
  for (int i = 0; i < rays; i++) h->angle[i] = scan->yaw + scan->angle[i];
  for (int i = rays; i < scan->rays; i++) range[i] = -1;
  rutScan s = {
      .x = scan->origin[0],
      .y = scan->origin[1],
      .z = scan->origin[2],
      .n = rays,
      .angle = h->angle,
      .max_range = scan->max_range,
      .bodies = scan->bodies,
      .skip_body = scan->skip_vehicle >= 0 ? h->model->vehicle[scan->skip_vehicle].body : -1,
  };
  rut_scan_cast(h->model->contact, h->data->contact, &h->data->bodies, &s, h->scan_scratch, range,
                grid);
}

static void host_normals(const void* host, uint32_t first, int n, double* out) {
  const Host* h = host;
  rut_normals(h->seed, h->stream, h->sample, first, n, out);
}

// That of its carrier, then its own mount.
void rut_sensor_pose(const rutModel* model, const rutData* data, int sensor, double pose[6]) {
  memset(pose, 0, 6 * sizeof *pose);
  if (sensor < 0 || sensor >= model->sensors) return;
  const rutSensorRecord* s = &model->sensor[sensor];
  memcpy(pose, s->mount, 6 * sizeof *pose);
  if (s->vehicle < 0) return;
  double carrier[6], rotation[9];
  rut_vehicle_pose(model, data, s->vehicle, carrier, rotation);
  rutMat3 r = rut_mat3_of(rotation);
  rutVec3 at = rut_mat3_apply(r, rut_vec3_of(s->mount));
  rutVec3 rpy =
      rut_mat3_rpy(rut_mat3_mul(r, rut_mat3_of_rpy(s->mount[3], s->mount[4], s->mount[5])));
  pose[0] = carrier[0] + at.x;
  pose[1] = carrier[1] + at.y;
  pose[2] = carrier[2] + at.z;
  pose[3] = rpy.x;
  pose[4] = rpy.y;
  pose[5] = rpy.z;
}

// Sample k (from 1) is due at k periods, within a thousandth of a step.
static bool is_due(const rutModel* model, const rutData* data, int i) {
  double next = (double)(data->sensor[i].count + 1) * model->sensor[i].period;
  return data->time >= next - 1e-3 * model->dt;
}

static void sample(void* task, int i, int worker) {
  rutData* data = task;
  const rutModel* model = data->model;
  if (!is_due(model, data, i)) return;
  const rutSensorRecord* s = &model->sensor[i];
  rutSensorState* state = &data->sensor[i];
  unsigned char* scratch = data->scratch + (size_t)worker * model->worker_scratch;
  double* angle = (double*)(void*)(scratch + align_up(model->sensor_scratch));
  void* scan = (unsigned char*)angle + align_up((size_t)model->max_rays * sizeof *angle);
  Host host = {model, data, angle, scan, data->seed, (uint64_t)state->count, (uint32_t)i};
  rutSensorIn in = {.time = data->time,
                    .vehicle = s->vehicle,
                    .scan = host_scan,
                    .normals = host_normals,
                    .host = &host};
  rut_sensor_pose(model, data, i, in.pose);
  s->type->sample(s->param, &in, scratch, data->samples + s->sample);
  state->stamp = data->time;
  // a period below the step gives one sample per step, not a growing backlog
  state->count++;
  if (s->period < model->dt) {
    state->count = (int64_t)(data->time / s->period * (1 + 1e-12));
  }
}

void rut_sensors_sample(const rutModel* model, rutData* data) {
  bool due = false;
  for (int i = 0; i < model->sensors && !due; i++) due = is_due(model, data, i);
  if (!due) return;
  rut_bodies_gather_all(model, data);
  rut_contact_index(model->contact, data->contact, &data->bodies);
  rut_thread_run(data->pool, model->sensors, sample, data);
}

size_t rut_worker_scratch(const rutModel* model) {
  size_t most = 0;
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* group = &model->group[i];
    rutArena arena = {0};
    rutBatchScratch k;
    if (!group->spatial) rut_batch_scratch(group, &arena, &k);
    const size_t used = group->spatial ? rut_spatial_scratch_size(group) : arena.used;
    if (used > most) most = used;
  }
  size_t sensors = align_up(model->sensor_scratch) +
                   align_up((size_t)model->max_rays * sizeof(double)) +
                   rut_scan_scratch(model->contact, model->max_rays);
  if (sensors > most) most = sensors;
  return align_up(most);
}
