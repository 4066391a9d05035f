// SPDX-License-Identifier: BSD-3-Clause
//
// A sample is the sweep that ends at its time, so that all of it has been measured when it is seen.
#include "sense/lidar_beams.h"

#include "math/lanes.h"
#include "math/quat.h"

enum {
  POSE = 12,         // numbers of a pose: position, axes by rows
  BEAMS = 64,        // of which the keys are found at once
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

// Pose number k of a sweep.
static void put_pose(const rutLidarSweep* sweep, int k, const rutMotion* motion) {
  const double* q = motion->attitude;
  const rutMat3 axes = rut_quat_matrix(rut_quat(q[0], q[1], q[2], q[3]));
  double* key = sweep->key + k;
  const size_t stride = (size_t)sweep->keys + 1;
  for (size_t j = 0; j < 3; j++) key[j * stride] = motion->position[j];
  for (size_t j = 0; j < 9; j++) key[(3 + j) * stride] = axes.m[j];
}

void rut_lidar_sweep(const rutLidarParam* param, const rutSensorIn* in, const int column[2],
                     double* memory, rutLidarSweep* out) {
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
  // a single column of less than a circle looks ahead
  const bool alone = p->columns < 2 && p->fov < 2 * RUT_PI;
  out->start = alone ? 0 : -sign * 0.5 * p->fov;
  out->azimuth = rut_param_list(p, p->azimuths, &out->azimuths);
  out->height = rut_param_list(p, p->heights, &out->heights);
  for (int i = 0; i < channels; i++) {
    rut_sincos(rut_lidar_elevation(p, i), &out->sine[i], &out->cosine[i]);
  }
  if (out->keys == 0) put_pose(out, 0, &in->motion);
  // of a spinning head a column is between two keys, its own by rounding perhaps the second
  const bool by_columns = p->pattern == RUT_LIDAR_SPINNING;
  const int first = by_columns && column[0] > 0 ? column[0] - 1 : 0,
            last = by_columns ? column[1] + 1 : out->keys;
  for (int k = first; out->keys > 0 && k <= last && k <= out->keys; k++) {
    rutMotion motion;
    const double age = out->duration * (1 - (double)k / out->keys);
    in->motion_at(in->host, in->time - age, &motion);
    put_pose(out, k, &motion);
  }
}

enum { OWN = RUT_LIDAR_BEAM_ARRAYS - POSE };

// Arrays of beams besides their poses.
static void list_arrays(rutLidarBeams* b, double** array[OWN]) {
  double** const own[OWN] = {&b->time,
                             &b->elevation_sine,
                             &b->elevation_cosine,
                             &b->azimuth_sine,
                             &b->azimuth_cosine,
                             &b->x,
                             &b->y,
                             &b->along[0],
                             &b->along[1],
                             &b->along[2]};
  for (int i = 0; i < OWN; i++) array[i] = own[i];
}

void rut_lidar_beams_in(double* memory, int most, rutLidarBeams* out) {
  double** array[OWN];
  *out = (rutLidarBeams){0};
  list_arrays(out, array);
  for (int i = 0; i < OWN; i++, memory += most) *array[i] = memory;
  for (int i = 0; i < POSE; i++, memory += most) out->pose[i] = memory;
}

void rut_lidar_beams_from(const rutLidarBeams* all, int first, int n, rutLidarBeams* out) {
  double** array[OWN];
  *out = *all;
  out->n = n;
  list_arrays(out, array);
  for (int i = 0; i < OWN; i++) *array[i] += first;
  for (int i = 0; i < POSE; i++) out->pose[i] += first;
}

// Times before the end of the sweep.
RUT_CLONES static void fill_times(const rutLidarSweep* s, int channel, int column,
                                  const rutLidarBeams* b) {
  const rutLidarParam* p = s->param;
  const bool spins = p->pattern == RUT_LIDAR_SPINNING;
  const double first = spins ? column : channel * p->columns + column;
  const double within = spins ? channel * p->firing_interval : 0;
  const double apart = s->column_time, duration = s->duration;
  double* restrict time = b->time;
  RUT_FOR_LANES(i, b->n) time[i] = (first + i) * apart + within - duration;
}

// Azimuth and elevation of a flower whose stem is x (Livox): a radius (fov/2) sin(p) at an angle
// 100 t, p = 100 (sqrt(20) t + pi/4), t in seconds. It never repeats.
RUT_CLONES static void fill_rosette(const rutLidarSweep* sweep, double* restrict azimuth,
                                    const rutLidarBeams* b) {
  const rutLidarParam* p = sweep->param;
  const double wide = 0.5 * p->fov, end = sweep->end;
  const double middle = 0.5 * (p->elevation_first + p->elevation_last);
  const double high = 0.5 * (p->elevation_last - p->elevation_first);
  const double* restrict time = b->time;
  double* restrict elevation_sine = b->elevation_sine;
  double* restrict elevation_cosine = b->elevation_cosine;
  const double root = rut_sqrt(20);
  RUT_FOR_LANES(i, b->n) {
    const double t = end + time[i];
    double s, c, sine, cosine;
    rut_sincos(100 * t, &s, &c);
    const double radius = rut_sin(100 * (root * t + RUT_PI / 4));
    azimuth[i] = wide * radius * s;
    rut_sincos(middle + high * radius * c, &sine, &cosine);
    elevation_sine[i] = sine;
    elevation_cosine[i] = cosine;
  }
}

// Columns of heads that spin, and of rows.
RUT_CLONES static void fill_columns(const rutLidarSweep* s, int channel, int column,
                                    double* restrict azimuth, const rutLidarBeams* b) {
  const rutLidarParam* p = s->param;
  // the head turns on while the channels of a column fire
  const bool rotates = p->pattern == RUT_LIDAR_SPINNING && s->column_time > 0;
  const double turned = rotates ? channel * p->firing_interval / s->column_time : 0;
  const double start = s->start, step = s->step, first = column;
  const double sine = s->sine[channel], cosine = s->cosine[channel];
  double* restrict elevation_sine = b->elevation_sine;
  double* restrict elevation_cosine = b->elevation_cosine;
  RUT_FOR_LANES(i, b->n) {
    azimuth[i] = start + step * (first + i + turned);
    elevation_sine[i] = sine;
    elevation_cosine[i] = cosine;
  }
}

RUT_CLONES static void fill_sines(int n, const double* restrict angle, double offset,
                                  double* restrict sine, double* restrict cosine) {
  RUT_FOR_LANES(i, n) {
    double s, c;
    rut_sincos(angle[i] + offset, &s, &c);
    sine[i] = s;
    cosine[i] = c;
  }
}

RUT_CLONES static void fill_axes(double radius, const rutLidarBeams* beams) {
  const rutLidarBeams b = *beams;
  RUT_FOR_LANES(i, b.n) {
    const double s = b.azimuth_sine[i], c = b.azimuth_cosine[i];
    b.x[i] = radius * c;
    b.y[i] = radius * s;
    b.along[0][i] = b.elevation_cosine[i] * c;
    b.along[1][i] = b.elevation_cosine[i] * s;
    b.along[2][i] = b.elevation_sine[i];
  }
}

// Channels that look aside turn about the same origins.
RUT_CLONES static void turn_aside(const rutLidarBeams* beams) {
  const rutLidarBeams b = *beams;
  RUT_FOR_LANES(i, b.n) {
    b.along[0][i] = b.elevation_cosine[i] * b.azimuth_cosine[i];
    b.along[1][i] = b.elevation_cosine[i] * b.azimuth_sine[i];
  }
}

// The two keys between which each of n beams is: the first of both, and the part of the way from it
// to the next.
typedef struct Between {
  int n, first[BEAMS];
  double part[BEAMS];
} Between;

RUT_CLONES static void find_keys(const rutLidarSweep* sweep, const double* restrict time,
                                 Between* restrict out) {
  const double keys = sweep->keys, duration = sweep->duration;
  RUT_FOR_LANES(i, out->n) {
    const double at = (time[i] / duration + 1) * keys;
    const double first = rut_clamp(rut_floor(at), 0, keys - 1);
    out->part[i] = at - first;
    out->first[i] = (int)first;
  }
}

// One number of the poses of beams. Those of a spinning head are between keys in a row.
RUT_CLONES static void fill_number(const double* restrict key, const Between* restrict at,
                                   bool in_a_row, double* restrict out) {
  const int n = at->n;
  const double* restrict before = key + at->first[0];
  if (in_a_row) {
    RUT_FOR_LANES(i, n) out[i] = before[i] + at->part[i] * (before[i + 1] - before[i]);
    return;
  }
  for (int i = 0; i < n; i++) {
    const double* two = key + at->first[i];
    out[i] = two[0] + at->part[i] * (two[1] - two[0]);
  }
}

// Between two keys the pose changes linearly: it is wrong by a t^2/8 and (w t)^2/8, t being the
// time between them, a few nanometres and nanoradians.
static void fill_poses(const rutLidarSweep* s, const rutLidarBeams* b) {
  const size_t stride = (size_t)s->keys + 1;
  const bool moves = s->keys > 0 && s->duration > 0;
  for (int j = 0; j < POSE && !moves; j++) {
    for (int i = 0; i < b->n; i++) b->pose[j][i] = s->key[(size_t)j * stride];
  }
  for (int done = 0; done < b->n && moves; done += BEAMS) {
    Between at = {.n = b->n - done < BEAMS ? b->n - done : BEAMS};
    bool in_a_row = true;
    find_keys(s, b->time + done, &at);
    for (int i = 0; i < at.n; i++) in_a_row = in_a_row && at.first[i] == at.first[0] + i;
    for (int j = 0; j < POSE; j++) {
      fill_number(s->key + (size_t)j * stride, &at, in_a_row, b->pose[j] + done);
    }
  }
}

void rut_lidar_beams(const rutLidarSweep* sweep, int channel, int column, rutLidarBeams* out) {
  const rutLidarSweep* s = sweep;
  double* azimuth = out->pose[0];  // until the poses are filled in
  fill_times(s, channel, column, out);
  if (s->param->pattern == RUT_LIDAR_ROSETTE)
    fill_rosette(s, azimuth, out);
  else
    fill_columns(s, channel, column, azimuth, out);
  out->height = s->heights > 0 ? s->height[channel % s->heights] : 0;
  fill_sines(out->n, azimuth, 0, out->azimuth_sine, out->azimuth_cosine);
  fill_axes(s->param->origin_radius, out);
  if (s->azimuths > 0) {
    const double offset = s->azimuth[channel % s->azimuths];
    fill_sines(out->n, azimuth, offset, out->azimuth_sine, out->azimuth_cosine);
    turn_aside(out);
  }
  fill_poses(s, out);
}

// Direction that deviates from the axis of beam i by the tangents `left` and `up`.
RUT_INLINE rutVec3 deviate(const rutLidarBeams* b, int i, double left, double up) {
  const double s = b->azimuth_sine[i], c = b->azimuth_cosine[i];
  const double drop = -b->elevation_sine[i] * up;
  const rutVec3 along = rut_vec3(b->along[0][i], b->along[1][i], b->along[2][i]);
  const rutVec3 aside =
      rut_vec3(-s * left + drop * c, c * left + drop * s, b->elevation_cosine[i] * up);
  return rut_vec3_unit(rut_vec3_add(along, aside));
}

RUT_INLINE void put_ray(const rutLidarBeams* b, int i, rutVec3 along, double* const origin[3],
                        double* const direction[3]) {
  const rutVec3 from = rut_vec3(b->x[i], b->y[i], b->height);
  RUT_UNROLL for (int k = 0; k < 3; k++) {
    const double *p = b->pose[3 + 3 * k], *q = b->pose[4 + 3 * k], *r = b->pose[5 + 3 * k];
    origin[k][i] = b->pose[k][i] + (p[i] * from.x + q[i] * from.y + r[i] * from.z);
    direction[k][i] = p[i] * along.x + q[i] * along.y + r[i] * along.z;
  }
}

RUT_CLONES static void put_axes(const rutLidarBeams* beams, double* const origin[3],
                                double* const direction[3]) {
  const rutLidarBeams b = *beams;
  double* const from[3] = {origin[0], origin[1], origin[2]};
  double* const toward[3] = {direction[0], direction[1], direction[2]};
  RUT_FOR_LANES(i, b.n) {
    put_ray(&b, i, rut_vec3(b.along[0][i], b.along[1][i], b.along[2][i]), from, toward);
  }
}

RUT_CLONES static void put_deviating(const rutLidarBeams* beams, const rutLidarAim* aim,
                                     double* const origin[3], double* const direction[3]) {
  const rutLidarBeams b = *beams;
  const rutLidarAim a = *aim;
  double* const from[3] = {origin[0], origin[1], origin[2]};
  double* const toward[3] = {direction[0], direction[1], direction[2]};
  RUT_FOR_LANES(i, b.n) put_ray(&b, i, deviate(&b, i, a.left, a.up), from, toward);
}

RUT_CLONES static void put_noisy(const rutLidarBeams* beams, const rutLidarAim* aim,
                                 double* const origin[3], double* const direction[3]) {
  const rutLidarBeams b = *beams;
  const rutLidarAim a = *aim;
  double* const from[3] = {origin[0], origin[1], origin[2]};
  double* const toward[3] = {direction[0], direction[1], direction[2]};
  RUT_FOR_LANES(i, b.n) {
    const double left = a.left + a.noise * a.noise_left[i], up = a.up + a.noise * a.noise_up[i];
    put_ray(&b, i, deviate(&b, i, left, up), from, toward);
  }
}

void rut_lidar_rays(const rutLidarBeams* beams, const rutLidarAim* aim, double* const origin[3],
                    double* const direction[3]) {
  if (!aim)
    put_axes(beams, origin, direction);
  else if (aim->noise > 0)
    put_noisy(beams, aim, origin, direction);
  else
    put_deviating(beams, aim, origin, direction);
}

// Points of one block of beams, of all returns.
static void place(const rutLidarParam* p, int channel, int column, const rutLidarBeams* b,
                  const rutLidarPoints* out) {
  for (int k = 0; k < (int)p->returns; k++) {
    const size_t row = (size_t)k * (size_t)p->channels + (size_t)channel;
    const size_t at = row * (size_t)p->columns + (size_t)column;
    for (int i = 0; i < b->n; i++) {
      const double measured = out->range[at + (size_t)i];
      const double range = measured < 0 ? RUT_NAN : measured;
      out->x[at + (size_t)i] = b->x[i] + range * b->along[0][i];
      out->y[at + (size_t)i] = b->y[i] + range * b->along[1][i];
      out->z[at + (size_t)i] = b->height + range * b->along[2][i];
    }
  }
}

void rut_lidar_place_points(const rutLidarParam* param, const rutSensorIn* in, int most,
                            double* memory, const rutLidarPoints* out) {
  const int columns = (int)param->columns;
  const int all[2] = {0, columns};
  rutLidarSweep sweep;
  rutLidarBeams beams;
  rut_lidar_sweep(param, in, all, memory, &sweep);
  rut_lidar_beams_in(memory + rut_lidar_sweep_size(param), most, &beams);
  for (int r = 0; r < (int)param->channels; r++) {
    for (int c = 0; c < columns; c += most) {
      beams.n = columns - c < most ? columns - c : most;
      rut_lidar_beams(&sweep, r, c, &beams);
      place(param, r, c, &beams, out);
    }
  }
}
