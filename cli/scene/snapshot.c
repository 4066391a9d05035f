// SPDX-License-Identifier: BSD-3-Clause
#include "scene/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINKS = 32 };  // of one wheel

// ---- shape ----

// A sensor without a beam, such as one of a plug-in, sends its numbers all the same. Point clouds
// and images are too large.
static bool is_sent(const rutSensorInfo* sensor) {
  enum { LARGEST = 4096 };  // numbers of a sensor that is no scan
  if (sensor->form == RUT_FORM_PLANAR_SCAN) return true;
  return sensor->form != RUT_FORM_POINT_CLOUD && sensor->size <= LARGEST;
}

static void count_rays(const rutModel* model, viewShape* shape) {
  for (int i = 0; i < shape->sensors; i++) {
    shape->ray_start[i] = shape->rays;
    const rutSensorInfo info = rut_sensor_info(model, i);
    if (is_sent(&info)) shape->rays += info.size;
  }
  shape->ray_start[shape->sensors] = shape->rays;
}

bool view_shape_of(const rutModel* model, viewShape* shape) {
  *shape = (viewShape){.vehicles = rut_count(model, RUT_VEHICLE),
                       .wheels = rut_count(model, RUT_WHEEL),
                       .sensors = rut_count(model, RUT_SENSOR)};
  const int blocks = rut_count(model, RUT_BLOCK);
  shape->wheel_links = calloc((size_t)shape->wheels + 1, sizeof *shape->wheel_links);
  shape->block = calloc((size_t)blocks + 1, sizeof *shape->block);
  shape->ray_start = calloc((size_t)shape->sensors + 1, sizeof *shape->ray_start);
  if (!shape->wheel_links || !shape->block || !shape->ray_start) {
    view_shape_free(shape);
    return false;
  }
  for (int w = 0; w < shape->wheels; w++) {
    int links = rut_suspension_links(model, NULL, w, 0, NULL);
    if (links > MAX_LINKS) links = MAX_LINKS;
    shape->wheel_links[w] = links;
    shape->links += links;
  }
  for (int b = 0; b < blocks; b++) {
    if (rut_block_moves(model, b)) shape->block[shape->moving++] = b;
  }
  shape->blocks = shape->moving;
  for (int m = 0; m < rut_count(model, RUT_MECHANISM); m++) {
    shape->blocks += rut_mechanism_bodies(model, NULL, m, 0, NULL);
  }
  for (int b = 0; b < blocks; b++) shape->blocks += rut_block_moving_parts(model, b);
  count_rays(model, shape);
  return true;
}

bool view_shape_equal(const viewShape* a, const viewShape* b) {
  const bool counts = a->vehicles == b->vehicles && a->wheels == b->wheels &&
                      a->links == b->links && a->blocks == b->blocks && a->sensors == b->sensors &&
                      a->rays == b->rays;
  return counts &&
         memcmp(a->wheel_links, b->wheel_links, (size_t)a->wheels * sizeof *a->wheel_links) == 0 &&
         a->moving == b->moving &&
         memcmp(a->block, b->block, (size_t)a->moving * sizeof *a->block) == 0 &&
         memcmp(a->ray_start, b->ray_start, (size_t)a->sensors * sizeof *a->ray_start) == 0;
}

void view_shape_free(viewShape* shape) {
  free(shape->wheel_links);
  free(shape->block);
  free(shape->ray_start);
  *shape = (viewShape){0};
}

// ---- snapshot ----

static float* numbers(int n, int each) {
  return calloc((size_t)n * (size_t)each + 1, sizeof(float));
}

bool view_snapshot_create(const viewShape* shape, viewSnapshot* s) {
  *s = (viewSnapshot){.vehicle = numbers(shape->vehicles, VIEW_VEHICLE_NUMBERS),
                      .wheel = numbers(shape->wheels, VIEW_WHEEL_NUMBERS),
                      .link = numbers(shape->links, VIEW_LINK_NUMBERS),
                      .block = numbers(shape->blocks, VIEW_BLOCK_NUMBERS),
                      .contact = numbers(VIEW_CONTACTS, VIEW_CONTACT_NUMBERS),
                      .range = numbers(shape->rays, 1),
                      .stamp = calloc((size_t)shape->sensors + 1, sizeof(double))};
  if (s->vehicle && s->wheel && s->link && s->block && s->contact && s->range && s->stamp) {
    for (int i = 0; i < shape->sensors; i++) s->stamp[i] = -1;
    return true;
  }
  view_snapshot_free(s);
  return false;
}

void view_snapshot_free(viewSnapshot* s) {
  free(s->vehicle);
  free(s->wheel);
  free(s->link);
  free(s->block);
  free(s->contact);
  free(s->range);
  free(s->stamp);
  *s = (viewSnapshot){0};
}

void view_quaternion(double roll, double pitch, double yaw, float out[4]) {
  const double cr = cos(0.5 * roll), sr = sin(0.5 * roll);
  const double cp = cos(0.5 * pitch), sp = sin(0.5 * pitch);
  const double cy = cos(0.5 * yaw), sy = sin(0.5 * yaw);
  out[0] = (float)(cr * cp * cy + sr * sp * sy);
  out[1] = (float)(sr * cp * cy - cr * sp * sy);
  out[2] = (float)(cr * sp * cy + sr * cp * sy);
  out[3] = (float)(cr * cp * sy - sr * sp * cy);
}

static void put(float* out, int n, const double* value) {
  for (int i = 0; i < n; i++) out[i] = (float)value[i];
}

static void take_vehicles(const viewShape* shape, const rutModel* model, const rutData* data,
                          float* out) {
  for (int i = 0; i < shape->vehicles; i++, out += VIEW_VEHICLE_NUMBERS) {
    const rutVehicleState v = rut_vehicle_state(model, data, i);
    put(out, 3, v.position);
    view_quaternion(v.roll, v.pitch, v.yaw, out + 3);
    out[7] = (float)v.velocity[0];
  }
}

static void take_wheels(const viewShape* shape, const rutModel* model, const rutData* data,
                        float* out) {
  for (int w = 0; w < shape->wheels; w++, out += VIEW_WHEEL_NUMBERS) {
    const rutWheelPose pose = rut_wheel_pose(model, data, w);
    put(out, 3, pose.position);
    put(out + 3, 4, pose.quaternion);
    put(out + 7, 3, pose.contact);
    put(out + 10, 3, pose.force);
    const rutWheelState state = rut_wheel_state(model, data, w);
    out[13] = (float)state.slip[0];
    out[14] = (float)pose.sinkage;
    out[15] = (float)state.load;
  }
}

static void take_links(const viewShape* shape, const rutModel* model, const rutData* data,
                       float* out) {
  rutLink link[MAX_LINKS];
  for (int w = 0; shape->links > 0 && w < shape->wheels; w++) {
    const int n = shape->wheel_links[w];
    if (n == 0) continue;
    rut_suspension_links(model, data, w, n, link);
    for (int i = 0; i < n; i++, out += VIEW_LINK_NUMBERS) {
      put(out, 3, link[i].from);
      put(out + 3, 3, link[i].to);
    }
  }
}

static void take_blocks(const viewShape* shape, const rutModel* model, const rutData* data,
                        float* out) {
  for (int i = 0; i < shape->moving; i++, out += VIEW_BLOCK_NUMBERS) {
    double pose[6], velocity[3];
    rut_block_state(model, data, shape->block[i], pose, velocity);
    put(out, 3, pose);
    view_quaternion(pose[3], pose[4], pose[5], out + 3);
  }
  rutBodyPose body[VIEW_BODIES];
  for (int m = 0; shape->blocks > shape->moving && m < rut_count(model, RUT_MECHANISM); m++) {
    const int n = rut_mechanism_bodies(model, data, m, VIEW_BODIES, body);
    for (int i = 0; i < n; i++, out += VIEW_BLOCK_NUMBERS) {
      put(out, 3, body[i].position);
      put(out + 3, 4, body[i].quaternion);
    }
  }
  for (int i = 0; shape->blocks > shape->moving && i < shape->moving; i++) {
    const int parts = rut_block_moving_parts(model, shape->block[i]);
    for (int k = 0; k < parts; k++, out += VIEW_BLOCK_NUMBERS) {
      double pose[7];
      rut_block_moving_part(model, data, shape->block[i], k, pose);
      put(out, VIEW_BLOCK_NUMBERS, pose);
    }
  }
}

// Contacts lie in a plane; they are shown at the feet of what moves.
static double contact_height(const rutModel* model, const rutData* data, int kind, int index) {
  if (kind == RUT_VEHICLE) return rut_vehicle_state(model, data, index).position[2];
  double pose[6], velocity[3];
  rut_block_state(model, data, index, pose, velocity);
  return pose[2];
}

static int take_contacts(const rutModel* model, const rutData* data, float* out) {
  int n = 0, taken = 0;
  const rutContact* contact = rut_contacts(model, data, &n);
  for (int i = 0; i < n && taken < VIEW_CONTACTS; i++) {
    const rutContact* c = &contact[i];
    if (!(c->impulse > 0)) continue;
    put(out, 2, c->position);
    const bool first = c->kind_a >= 0;
    out[2] = (float)contact_height(model, data, first ? c->kind_a : c->kind_b,
                                   first ? c->index_a : c->index_b);
    out[3] = (float)c->impulse;
    out += VIEW_CONTACT_NUMBERS;
    taken++;
  }
  return taken;
}

static void take_scans(const viewShape* shape, const rutModel* model, const rutData* data,
                       viewSnapshot* s) {
  for (int i = 0; i < shape->sensors; i++) {
    double stamp = -1;
    int n = 0;
    const double* range = rut_sensor(model, data, i, &stamp, &n);
    if (!range || stamp == s->stamp[i]) continue;
    s->stamp[i] = stamp;
    const int most = shape->ray_start[i + 1] - shape->ray_start[i];
    put(s->range + shape->ray_start[i], n < most ? n : most, range);
  }
}

void view_snapshot_take(const viewShape* shape, const rutModel* model, const rutData* data,
                        viewSnapshot* s) {
  s->time = rut_time(data);
  s->steps = (uint64_t)rut_steps(data);
  take_vehicles(shape, model, data, s->vehicle);
  take_wheels(shape, model, data, s->wheel);
  take_links(shape, model, data, s->link);
  take_blocks(shape, model, data, s->block);
  s->contacts = take_contacts(model, data, s->contact);
  take_scans(shape, model, data, s);
}

static void copy(float* to, const float* from, int n, int each) {
  memcpy(to, from, (size_t)n * (size_t)each * sizeof *to);
}

void view_snapshot_copy(const viewShape* shape, const viewSnapshot* from, viewSnapshot* to) {
  copy(to->vehicle, from->vehicle, shape->vehicles, VIEW_VEHICLE_NUMBERS);
  copy(to->wheel, from->wheel, shape->wheels, VIEW_WHEEL_NUMBERS);
  copy(to->link, from->link, shape->links, VIEW_LINK_NUMBERS);
  copy(to->block, from->block, shape->blocks, VIEW_BLOCK_NUMBERS);
  copy(to->contact, from->contact, from->contacts, VIEW_CONTACT_NUMBERS);
  copy(to->range, from->range, shape->rays, 1);
  memcpy(to->stamp, from->stamp, (size_t)shape->sensors * sizeof *to->stamp);
  to->time = from->time;
  to->steps = from->steps;
  to->factor = from->factor;
  to->bits = from->bits;
  to->jumps = from->jumps;
  to->contacts = from->contacts;
  to->late = from->late;
}
