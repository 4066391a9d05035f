// SPDX-License-Identifier: BSD-3-Clause
//
// A sample is the sweep that ends at its time, so that all of it has been measured when it is seen.
#include "sense/lidar_beams.h"

#include <string.h>

#include "math/quat.h"

enum {
  POSE = 12,         // numbers of a pose: position, axes by rows
  EVEN_KEYS = 1024,  // poses of a sweep that is no spinning one
};

double rut_lidar_elevation(const rutLidarParam* param, int channel) {
  const rutLidarParam* p = param;
  int n;
  const double* list = rut_param_list(p, p->elevations, &n);
  if (channel < n) return list[channel];
  if (p->channels < 2) return 0.5 * (p->elevation_first + p->elevation_last);
  const double part = channel / (p->channels - 1);
  return p->elevation_first + part * (p->elevation_last - p->elevation_first);
}

// A full circle has as many steps as columns; else both ends are columns.
static double even_step(const rutLidarParam* p) {
  if (p->fov >= 2 * RUT_PI) return p->fov / p->columns;
  return p->columns > 1 ? p->fov / (p->columns - 1) : 0;
}

// The head turns once a period, however much of that it fires in.
static double column_time(const rutLidarParam* p) {
  if (p->pattern != RUT_LIDAR_SPINNING) return p->period / (p->channels * p->columns);
  return p->column_time > 0 ? p->column_time : even_step(p) * p->period / (2 * RUT_PI);
}

double rut_lidar_duration(const rutLidarParam* param) {
  const double firings = param->pattern == RUT_LIDAR_SPINNING ? 1 : param->channels;
  return firings * param->columns * column_time(param);
}

static int keys_of(const rutLidarParam* p) {
  if (p->rolling == 0) return 0;
  return p->pattern == RUT_LIDAR_SPINNING ? (int)p->columns : EVEN_KEYS;
}

size_t rut_lidar_sweep_size(const rutLidarParam* param) {
  return 2 * (size_t)param->channels + POSE * ((size_t)keys_of(param) + 1);
}

static void put_pose(const rutMotion* motion, double* key) {
  const double* q = motion->attitude;
  const rutMat3 axes = rut_quat_matrix(rut_quat(q[0], q[1], q[2], q[3]));
  memcpy(key, motion->position, 3 * sizeof *key);
  memcpy(key + 3, axes.m, 9 * sizeof *key);
}

void rut_lidar_sweep(const rutLidarParam* param, const rutSensorIn* in, double* memory,
                     rutLidarSweep* out) {
  const rutLidarParam* p = param;
  const int channels = (int)p->channels;
  *out = (rutLidarSweep){.param = p,
                         .end = in->time,
                         .duration = rut_lidar_duration(p),
                         .column_time = column_time(p),
                         .sine = memory,
                         .cosine = memory + channels,
                         .key = memory + 2 * channels,
                         .keys = in->vehicle < 0 ? 0 : keys_of(p)};
  const double sign = p->clockwise != 0 ? -1 : 1;
  const bool timed = p->pattern == RUT_LIDAR_SPINNING && p->column_time > 0;
  out->step = sign * (timed ? 2 * RUT_PI * p->column_time / p->period : even_step(p));
  out->start = -sign * 0.5 * p->fov;
  out->azimuth = rut_param_list(p, p->azimuths, &out->azimuths);
  out->height = rut_param_list(p, p->heights, &out->heights);
  for (int i = 0; i < channels; i++) {
    rut_sincos(rut_lidar_elevation(p, i), &out->sine[i], &out->cosine[i]);
  }
  if (out->keys == 0) put_pose(&in->motion, out->key);
  for (int k = 0; out->keys > 0 && k <= out->keys; k++) {
    rutMotion motion;
    const double age = out->duration * (1 - (double)k / out->keys);
    in->motion_at(in->host, in->time - age, &motion);
    put_pose(&motion, out->key + (size_t)k * POSE);
  }
}

// Time of a firing before the end of the sweep.
static double firing_time(const rutLidarSweep* s, int channel, int column) {
  const rutLidarParam* p = s->param;
  const bool spins = p->pattern == RUT_LIDAR_SPINNING;
  const double firing = spins ? column : channel * p->columns + column;
  const double within = spins ? channel * p->firing_interval : 0;
  return firing * s->column_time + within - s->duration;
}

// Azimuth and elevation of a flower whose stem is x (Livox): a radius (fov/2) sin(p) at an angle
// 100 t, p = 100 (sqrt(20) t + pi/4), t in seconds. It never repeats.
static void rosette(const rutLidarParam* p, double time, double* azimuth, double* elevation) {
  double s, c;
  rut_sincos(100 * time, &s, &c);
  const double radius = rut_sin(100 * (rut_sqrt(20) * time + RUT_PI / 4));
  *azimuth = 0.5 * p->fov * radius * s;
  *elevation = 0.5 * (p->elevation_first + p->elevation_last) +
               0.5 * (p->elevation_last - p->elevation_first) * radius * c;
}

rutLidarBeam rut_lidar_beam(const rutLidarSweep* sweep, int channel, int column) {
  const rutLidarParam* p = sweep->param;
  rutLidarBeam beam = {.time = firing_time(sweep, channel, column),
                       .elevation_sine = sweep->sine[channel],
                       .elevation_cosine = sweep->cosine[channel]};
  // the head turns on while the channels of a column fire
  const bool rotates = p->pattern == RUT_LIDAR_SPINNING && sweep->column_time > 0;
  const double turned = rotates ? channel * p->firing_interval / sweep->column_time : 0;
  double azimuth = sweep->start + sweep->step * (column + turned);
  if (p->pattern == RUT_LIDAR_ROSETTE) {
    double elevation;
    rosette(p, sweep->end + beam.time, &azimuth, &elevation);
    rut_sincos(elevation, &beam.elevation_sine, &beam.elevation_cosine);
  }
  double s, c;
  rut_sincos(azimuth, &s, &c);
  const double height = sweep->heights > 0 ? sweep->height[channel % sweep->heights] : 0;
  beam.origin = rut_vec3(p->origin_radius * c, p->origin_radius * s, height);
  if (sweep->azimuths > 0) {
    rut_sincos(azimuth + sweep->azimuth[channel % sweep->azimuths], &s, &c);
  }
  beam.azimuth_sine = s;
  beam.azimuth_cosine = c;
  beam.along = rut_vec3(beam.elevation_cosine * c, beam.elevation_cosine * s, beam.elevation_sine);
  return beam;
}

// Between two keys the pose changes linearly: it is wrong by a t^2/8 and (w t)^2/8, t being the
// time between them, a few nanometres and nanoradians.
void rut_lidar_pose(const rutLidarSweep* sweep, double time, rutVec3* position, rutMat3* axes) {
  const double* a = sweep->key;
  const double* b = a;
  double part = 0;
  if (sweep->keys > 0 && sweep->duration > 0) {
    const double at = (time / sweep->duration + 1) * sweep->keys;
    const double first = rut_clamp(rut_floor(at), 0, sweep->keys - 1);
    part = at - first;
    a += (size_t)first * POSE;
    b = a + POSE;
  }
  double pose[POSE];
  for (int i = 0; i < POSE; i++) pose[i] = a[i] + part * (b[i] - a[i]);
  *position = rut_vec3(pose[0], pose[1], pose[2]);
  memcpy(axes->m, pose + 3, sizeof axes->m);
}

rutVec3 rut_lidar_deviate(const rutLidarBeam* beam, double left, double up) {
  const double s = beam->azimuth_sine, c = beam->azimuth_cosine;
  const double drop = -beam->elevation_sine * up;
  const rutVec3 aside =
      rut_vec3(-s * left + drop * c, c * left + drop * s, beam->elevation_cosine * up);
  return rut_vec3_unit(rut_vec3_add(beam->along, aside));
}
