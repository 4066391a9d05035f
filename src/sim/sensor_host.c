// SPDX-License-Identifier: BSD-3-Clause
#include "sim/sensor_host.h"

#include <string.h>

#include "base/rng.h"
#include "math/quat.h"
#include "math/random.h"
#include "sim/cast.h"
#include "sim/motion.h"
#include "sim/past.h"
#include "sim/power.h"
#include "sim/scene.h"

enum { CHUNK = 1024 };  // rays that are cast at once

// Uniform and normal numbers of one sensor come from streams of their own.
static const uint32_t UNIFORM_STREAMS = UINT32_C(1) << 31;

// Memory of a host: directions of a chunk of rays, then what a cast needs.
typedef struct Parts {
  double *angle, *x, *y, *z, *dx, *dy, *dz;
  void* rest;
} Parts;

static size_t align_up(size_t size) {
  return (size + RUT_ARENA_ALIGN - 1) & ~(size_t)(RUT_ARENA_ALIGN - 1);
}

static Parts parts_of(const rutSensorHost* host) {
  double* at = host->memory;
  return (Parts){at,
                 at + CHUNK,
                 at + 2 * CHUNK,
                 at + 3 * CHUNK,
                 at + 4 * CHUNK,
                 at + 5 * CHUNK,
                 at + 6 * CHUNK,
                 at + 7 * CHUNK};
}

size_t rut_sensor_host_scratch(const rutModel* model) {
  const size_t scan = align_up(rut_scan_scratch(model->contact, CHUNK));
  const size_t cast = align_up(rut_cast_scratch(model, CHUNK));
  return align_up(7 * CHUNK * sizeof(double)) + (scan > cast ? scan : cast);
}

static int skipped_body(const rutModel* model, int vehicle) {
  return vehicle >= 0 && vehicle < model->vehicles ? model->vehicle[vehicle].body : -1;
}

// ---- rays ----

// Soil that is pushed aside can stand this much above all ground that was there at first [m].
static const double HIGHEST_RIDGE = 1.0;

static bool clear_of_ground(const rutSensorHost* h, double z) {
  return z >= h->model->highest_ground + (h->data->soft ? HIGHEST_RIDGE : 0);
}

// Meshes and solids that a part of a level fan meets before its ranges.
static void cast_level_scene(const rutSensorHost* h, const rutRayFan* fan, const rutScan* scan,
                             double* range, unsigned char* grid) {
  const Parts p = parts_of(h);
  for (int i = 0; i < scan->n; i++) {
    rut_sincos(scan->angle[i], &p.dy[i], &p.dx[i]);
    p.x[i] = scan->x;
    p.y[i] = scan->y;
    p.z[i] = scan->z;
    p.dz[i] = 0;
    if (range[i] < 0) range[i] = RUT_INFINITY;
  }
  const rutRayBatch rays = {.n = scan->n,
                            .origin = {p.x, p.y, p.z},
                            .direction = {p.dx, p.dy, p.dz},
                            .max_range = fan->max_range};
  int* index = p.rest;
  const rutRayResult out = {
      .range = range, .target = (unsigned char*)(index + CHUNK), .index = index};
  memset(out.target, RUT_RAY_NOTHING, (size_t)scan->n);
  rut_scene_cast(h->model, h->data, fan->bodies, fan->skip_vehicle, &rays, &out);
  for (int i = 0; i < scan->n; i++) {
    if (!(range[i] < RUT_INFINITY)) range[i] = -1;
    if (grid && out.target[i] == RUT_RAY_BODY) grid[i] = 0;
  }
}

static void cast_level(const rutSensorHost* h, const rutRayFan* fan, double* range,
                       unsigned char* grid) {
  const Parts parts = parts_of(h);
  const bool crossed = rut_scene_crosses(h->model, h->data, fan->bodies, fan->pose[2]);
  for (int first = 0; first < fan->n; first += CHUNK) {
    const int n = fan->n - first < CHUNK ? fan->n - first : CHUNK;
    for (int i = 0; i < n; i++) parts.angle[i] = fan->pose[5] + fan->angle[first + i];
    const rutScan scan = {.x = fan->pose[0],
                          .y = fan->pose[1],
                          .z = fan->pose[2],
                          .n = n,
                          .angle = parts.angle,
                          .max_range = fan->max_range,
                          .bodies = fan->bodies,
                          .skip_body = skipped_body(h->model, fan->skip_vehicle)};
    const rutScanResult found = {range + first, grid ? grid + first : NULL};
    rut_scan_cast(h->model->contact, h->data->contact, &h->data->bodies, &scan, parts.rest, found);
    if (crossed) cast_level_scene(h, fan, &scan, found.range, found.on_grid);
  }
}

static void host_cast_fan(const void* host, const rutRayFan* fan, double* range,
                          unsigned char* grid) {
  const rutSensorHost* h = host;
  const bool level = fan->pose[3] == 0 && fan->pose[4] == 0;
  if (level && (!fan->ground || clear_of_ground(h, fan->pose[2]))) {
    cast_level(h, fan, range, grid);
    return;
  }
  const Parts p = parts_of(h);
  const rutMat3 axes = rut_mat3_of_rpy(fan->pose[3], fan->pose[4], fan->pose[5]);
  for (int first = 0; first < fan->n; first += CHUNK) {
    const int n = fan->n - first < CHUNK ? fan->n - first : CHUNK;
    for (int i = 0; i < n; i++) {
      double s, c;
      rut_sincos(fan->angle[first + i], &s, &c);
      const rutVec3 along = rut_mat3_apply(axes, rut_vec3(c, s, 0));
      p.x[i] = fan->pose[0];
      p.y[i] = fan->pose[1];
      p.z[i] = fan->pose[2];
      p.dx[i] = along.x;
      p.dy[i] = along.y;
      p.dz[i] = along.z;
    }
    const rutRays rays = {.n = n,
                          .x = p.x,
                          .y = p.y,
                          .z = p.z,
                          .dx = p.dx,
                          .dy = p.dy,
                          .dz = p.dz,
                          .max_range = fan->max_range,
                          .bodies = fan->bodies,
                          .ground = fan->ground,
                          .skip_vehicle = fan->skip_vehicle};
    rut_cast_rays(h->model, h->data, &rays, &(rutRayHits){.range = range + first},
                  grid ? grid + first : NULL, p.rest);
  }
}

// Rays of an image are cast at once in whole bands of rows, if they have room.
static int chunk_of(const rutRays* rays) {
  enum { BAND = 4 };
  const int band = rays->columns > 0 && rays->columns <= CHUNK / BAND ? BAND * rays->columns : 1;
  return CHUNK / band * band;
}

static void host_cast(const void* host, const rutRays* rays, const rutRayHits* hits) {
  const rutSensorHost* h = host;
  const int chunk = chunk_of(rays);
  for (int first = 0; first < rays->n; first += chunk) {
    rutRays some = *rays;
    some.n = rays->n - first < chunk ? rays->n - first : chunk;
    const double** part[] = {&some.x, &some.y, &some.z, &some.dx, &some.dy, &some.dz};
    for (int i = 0; i < RUT_COUNT_OF(part); i++) *part[i] += first;
    rutRayHits found = {.range = hits->range + first};
    for (int i = 0; i < 3 && hits->normal[0]; i++) found.normal[i] = hits->normal[i] + first;
    for (int i = 0; i < 3 && hits->colour[0]; i++) found.colour[i] = hits->colour[i] + first;
    found.instance = hits->instance ? hits->instance + first : NULL;
    found.material = hits->material ? hits->material + first : NULL;
    found.body = hits->body ? hits->body + first : NULL;
    rut_cast_rays(h->model, h->data, &some, &found, NULL, parts_of(h).rest);
  }
}

// ---- noise ----

static void host_normals(const void* host, uint32_t first, int n, double* out) {
  const rutSensorHost* h = host;
  if (h->model->sensor[h->sensor].exact) {
    memset(out, 0, (size_t)n * sizeof *out);
    return;
  }
  rut_normals(h->data->seed, (uint32_t)h->sensor, h->sample, first, n, out);
}

static void host_uniforms(const void* host, uint32_t first, int n, double* out) {
  const rutSensorHost* h = host;
  const bool exact = h->model->sensor[h->sensor].exact;
  for (int i = 0; i < n; i++) {
    if (exact) {
      out[i] = 0.5;
      continue;
    }
    out[i] = rut_uniform(h->data->seed, (uint32_t)h->sensor + UNIFORM_STREAMS, h->sample,
                         first + (uint32_t)i);
  }
}

// ---- the sample's time and place ----

static void host_motion_at(const void* host, double time, rutMotion* out) {
  const rutSensorHost* h = host;
  rut_motion_shift(&h->motion, h->arm, h->model->gravity, time - h->data->time, out);
}

static bool host_instance_motion(const void* host, int instance, rutMotion* out) {
  const rutSensorHost* h = host;
  return rut_instance_motion(h->model, h->data, instance, out);
}

static bool host_past_motion(const void* host, double late, rutMotion* out) {
  const rutSensorHost* h = host;
  rutMotion then;
  if (!rut_past_motion(h->model, h->data, h->sensor, &then)) return false;
  rut_motion_shift(&then, h->arm, h->model->gravity, late, out);
  return true;
}

static void host_past_point(const void* host, int body, const double at[3], double out[3]) {
  const rutSensorHost* h = host;
  rut_past_point(h->model, h->data, h->sensor, body, at, out);
}

static rutSite site_of(const rutSensorHost* h, const double at[3]) {
  rutSite site = {.normal = {0, 0, 1},
                  .soil = -1,
                  .gravity = h->model->gravity,
                  .latitude = h->model->origin[0],
                  .longitude = h->model->origin[1],
                  .altitude = h->model->origin[2],
                  .rotation = h->model->origin[3],
                  .no_gps = rut_ground_no_gps(h->model->ground, at[0], at[1], at[2])};
  double slope[2];
  rut_terrain_surface(h->model, h->data, &(rutGroundPoints){1, &at[0], &at[1]}, &at[2],
                      &(rutGroundSurface){&site.ground, &slope[0], &slope[1]});
  rut_terrain_soils(h->model, h->data, &(rutGroundPoints){1, &at[0], &at[1]}, &site.soil);
  rut_vec3_put(rut_vec3_unit(rut_vec3(-slope[0], -slope[1], 1)), site.normal);
  return site;
}

// Roll, pitch and yaw of a motion; the yaw is that turn which is nearest to the one given.
static void pose_of_motion(const rutMotion* motion, double near_yaw, double pose[6]) {
  const double* q = motion->attitude;
  const rutVec3 angle = rut_quat_rpy(rut_quat(q[0], q[1], q[2], q[3]));
  memcpy(pose, motion->position, 3 * sizeof *pose);
  rut_vec3_put(angle, pose + 3);
  pose[5] += 2 * RUT_PI * rut_floor((near_yaw - angle.z) / (2 * RUT_PI) + 0.5);
}

static void host_lamp(const void* host, int index, rutLamp* out) {
  const rutSensorHost* h = host;
  const rutLampRecord* record = &h->model->seen.lamp[index];
  rutMotion motion;
  rut_mounted_motion(h->model, h->data, record->lamp.vehicle, record->mount, &motion);
  const double* q = motion.attitude;
  const rutMat3 axes = rut_quat_matrix(rut_quat(q[0], q[1], q[2], q[3]));
  *out = record->lamp;
  memcpy(out->position, motion.position, sizeof out->position);
  memcpy(out->axes, axes.m, sizeof out->axes);
}

// What types see that do not ask for the motion.
#define UNKNOWN_3 \
  { RUT_NAN, RUT_NAN, RUT_NAN }
static const rutMotion UNKNOWN = {.position = UNKNOWN_3,
                                  .attitude = {RUT_NAN, RUT_NAN, RUT_NAN, RUT_NAN},
                                  .velocity = UNKNOWN_3,
                                  .angular_velocity = UNKNOWN_3,
                                  .proper_acceleration = UNKNOWN_3,
                                  .angular_acceleration = UNKNOWN_3};

void rut_sensor_host_fill(rutSensorHost* host, rutWheelState* wheel, rutSensorIn* in) {
  const rutSensorRecord* s = &host->model->sensor[host->sensor];
  *in = (rutSensorIn){.time = host->time,
                      .vehicle = s->vehicle,
                      .exact = s->exact,
                      .frames = 1,
                      .step = host->model->dt,
                      .power = RUT_NAN,
                      .wheel = wheel,
                      .material = host->model->seen.material,
                      .materials = host->model->seen.materials,
                      .textured = host->model->seen.textures > 0,
                      .light = &host->model->seen.light,
                      .lamps = host->model->seen.lamps,
                      .lamp = host_lamp,
                      .motion_at = host_motion_at,
                      .cast_fan = host_cast_fan,
                      .cast = host_cast,
                      .instance_motion = host_instance_motion,
                      .past_motion = host_past_motion,
                      .past_point = host_past_point,
                      .normals = host_normals,
                      .uniforms = host_uniforms,
                      .host = host};
  rut_sensor_pose(host->model, host->data, host->sensor, in->pose);
  const bool present = host->time == host->data->time;
  const bool moves = (s->type->uses & RUT_USES_MOTION) != 0;
  host->motion = in->motion = UNKNOWN;
  host->arm = rut_vec3(0, 0, 0);
  if (moves || !present) {
    rut_mounted_motion(host->model, host->data, s->vehicle, s->mount, &host->motion);
    host->arm = rut_mounted_arm(host->model, s->vehicle, s->mount);
    rutMotion motion = host->motion;
    if (!present) host_motion_at(host, host->time, &motion);
    if (!present) pose_of_motion(&motion, in->pose[5], in->pose);
    if (moves) in->motion = motion;
  }
  in->contact = rut_contacts(host->model, host->data, &in->contacts);
  const bool powered = (s->type->uses & RUT_USES_POWER) != 0 && s->vehicle >= 0;
  if (powered) in->power = rut_power_drawn(host->model, host->data, s->vehicle);
  if (s->type->uses & RUT_USES_SITE) in->site = site_of(host, in->pose);
  if (!(s->type->uses & RUT_USES_WHEELS) || s->vehicle < 0) return;
  const rutVehicleInfo carrier = rut_vehicle_info(host->model, s->vehicle);
  in->wheels = carrier.wheels;
  in->steered = host->model->group[host->model->vehicle[s->vehicle].group].layout.steered;
  for (int i = 0; i < carrier.wheels; i++) {
    wheel[i] = rut_wheel_state(host->model, host->data, carrier.first_wheel + i);
  }
  if (!(s->type->uses & RUT_USES_CURRENT)) return;
  const bool known = rut_motor_currents(host->model, host->data, s->vehicle, host->motor_current);
  in->motor_current = known ? host->motor_current : NULL;
}
