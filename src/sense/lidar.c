// SPDX-License-Identifier: BSD-3-Clause
//
// Lidar in space. Beams are cast in blocks, channel by channel, so that neighbouring rays are near
// each other. A beam may be split into rays that share its energy; what they hit makes its returns.
#include <string.h>

#include "base/report.h"
#include "sense/lidar_beams.h"
#include "sense/lidar_presets.h"
#include "sense/lidar_returns.h"

enum { BLOCK = 1024 };  // rays that are cast at once

#define LIST_ROW(name, unit, min, max, doc) {#name, unit, RUT_VECTOR, 0, 0, min, max, "", 0, doc},
static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW) RUT_LIDAR_ROWS(
    RUT_ROW, RUT_WHOLE_ROW, RUT_FLAG_ROW, RUT_CHOICE_ROW, LIST_ROW)};

enum { RANGE, X, Y, Z, INTENSITY, NUMBER, TIME, RING };
#define OF_RETURN "returns channels columns"
// Row of an output.
#define ROW(is_called, has_unit, has_shape, has_frame, of_type, what)                    \
  {                                                                                      \
    .name = (is_called), .unit = (has_unit), .shape = (has_shape), .frame = (has_frame), \
    .type = (of_type), .doc = (what)                                                     \
  }
static const rutVariable outputs[] = {
    [RANGE] = ROW("range", "m", OF_RETURN, "sensor", RUT_F64,
                  "distance along the beam, -1 without a return"),
    [X] = ROW("x", "m", OF_RETURN, "sensor", RUT_F64,
              "position in the frame that the sensor had at the firing, NaN without a return"),
    [Y] = ROW("y", "m", OF_RETURN, "sensor", RUT_F64, "to the left, NaN without a return"),
    [Z] = ROW("z", "m", OF_RETURN, "sensor", RUT_F64, "up, NaN without a return"),
    [INTENSITY] = ROW("intensity", "", OF_RETURN, "", RUT_F32, "see the parameter of this name"),
    [NUMBER] = ROW("return_number", "", OF_RETURN, "", RUT_U8,
                   "of a pulse's returns from the nearest, 1, 2, ...; 0 without a return"),
    [TIME] = ROW("time", "s", "channels columns", "", RUT_F32,
                 "of the firing, from that of the sample (<= 0)"),
    [RING] =
        ROW("ring", "", "channels", "", RUT_U16, "rank of the channel by elevation, 0 the lowest")};

// Random numbers of a sample: number k of beam b is k * beams + b.
enum { LEFT, UP, SIGNAL, RANGES = SIGNAL + RUT_LIDAR_MAX_ECHOES };  // normal
enum { LOST, FALSE_RETURN };                                        // uniform

// Rays of a block, and what its beams are.
typedef struct Block {
  int channel, column, beams;                            // the first column, number of columns
  double *x, *y, *z, *dx, *dy, *dz, *range, *normal[3];  // [ray]
  double *left, *up, *signal, *range_noise, *lost, *false_return;  // [beam]
  rutLidarBeam* beam;
} Block;
enum { ROWS = 16 };  // of a block, of doubles

typedef struct Shot {
  const rutLidarParam* param;
  const rutSensorIn* in;
  rutLidarSweep sweep;
  rutLidarReceiver receiver;
  int channels, columns, subrays;
  double spot_left[RUT_LIDAR_MAX_SUBRAYS], spot_up[RUT_LIDAR_MAX_SUBRAYS];  // tangents
  Block block;
  void* const* out;
} Shot;

static size_t scratch_size(const void* param) {
  return (rut_lidar_sweep_size(param) + (size_t)ROWS * BLOCK) * sizeof(double) +
         BLOCK * sizeof(rutLidarBeam);
}

static Block block_in(double* memory) {
  Block b = {0};
  double** row[ROWS] = {&b.x,      &b.y,           &b.z,         &b.dx,          &b.dy,   &b.dz,
                        &b.range,  &b.normal[0],   &b.normal[1], &b.normal[2],   &b.left, &b.up,
                        &b.signal, &b.range_noise, &b.lost,      &b.false_return};
  for (int i = 0; i < ROWS; i++) *row[i] = memory + (size_t)i * BLOCK;
  b.beam = (rutLidarBeam*)(void*)(memory + (size_t)ROWS * BLOCK);
  return b;
}

// Directions of rays of equal energy in a Gaussian beam, whose intensity falls by e^2 over half the
// divergence: within r of its axis is the part 1 - exp(-2 r^2/w^2). Rays but the one in the middle
// are opposite pairs, so that half of them are on either side of any line through the axis. Pairs
// follow each other by the golden angle.
static void split_beam(Shot* s) {
  const rutLidarParam* p = s->param;
  const double golden = RUT_PI * (3 - rut_sqrt(5));
  const int n = s->subrays, alone = n % 2;
  for (int i = alone; i < n; i++) {
    const int pair = (i - alone) / 2;
    const double inside = (alone + 2 * pair + 1.0) / n;
    const double radius = rut_sqrt(-0.5 * rut_log(1 - inside));
    const double side = (i - alone) % 2 == 0 ? 1 : -1;
    double sine, cosine;
    rut_sincos(pair * golden, &sine, &cosine);
    s->spot_left[i] = side * radius * cosine * rut_tan(0.5 * p->divergence_horizontal);
    s->spot_up[i] = side * radius * sine * rut_tan(0.5 * p->divergence_vertical);
  }
}

// ---- noise ----

static uint32_t number_of(const Shot* s, int kind, int beam) {
  return (uint32_t)kind * (uint32_t)(s->channels * s->columns) +
         (uint32_t)(s->block.channel * s->columns + s->block.column + beam);
}

static void draw(const Shot* s) {
  const rutLidarParam* p = s->param;
  const rutSensorIn* in = s->in;
  const Block* b = &s->block;
  if (p->angle_noise > 0) {
    in->normals(in->host, number_of(s, LEFT, 0), b->beams, b->left);
    in->normals(in->host, number_of(s, UP, 0), b->beams, b->up);
  }
  if (p->signal_noise > 0) in->normals(in->host, number_of(s, SIGNAL, 0), b->beams, b->signal);
  if (p->range_noise > 0 || p->weak_range_noise > 0) {
    in->normals(in->host, number_of(s, RANGES, 0), b->beams, b->range_noise);
  }
  if (p->dropout > 0) in->uniforms(in->host, number_of(s, LOST, 0), b->beams, b->lost);
  if (s->receiver.air.bins > 0) {
    in->uniforms(in->host, number_of(s, FALSE_RETURN, 0), b->beams, b->false_return);
  }
}

// Number of an echo; those of the first are drawn in advance.
static double noise_of(const Shot* s, int kind, const double* first, int beam, int echo) {
  double number = first[beam];
  if (echo > 0) s->in->normals(s->in->host, number_of(s, kind + echo, beam), 1, &number);
  return number;
}

// ---- rays ----

static void aim(const Shot* s) {
  const Block* b = &s->block;
  const double spread = s->in->exact ? 0 : s->param->angle_noise;
  for (int i = 0; i < b->beams; i++) {
    rutLidarBeam* beam = &b->beam[i];
    *beam = rut_lidar_beam(&s->sweep, b->channel, b->column + i);
    rutVec3 position;
    rutMat3 axes;
    rut_lidar_pose(&s->sweep, beam->time, &position, &axes);
    const rutVec3 from = rut_vec3_add(position, rut_mat3_apply(axes, beam->origin));
    const double left = spread > 0 ? spread * b->left[i] : 0;
    const double up = spread > 0 ? spread * b->up[i] : 0;
    for (int k = 0; k < s->subrays; k++) {
      const int ray = i * s->subrays + k;
      const bool axis = s->subrays == 1 && spread == 0;
      const rutVec3 along =
          axis ? beam->along : rut_lidar_deviate(beam, s->spot_left[k] + left, s->spot_up[k] + up);
      const rutVec3 toward = rut_mat3_apply(axes, along);
      b->x[ray] = from.x;
      b->y[ray] = from.y;
      b->z[ray] = from.z;
      b->dx[ray] = toward.x;
      b->dy[ray] = toward.y;
      b->dz[ray] = toward.z;
    }
  }
}

static void cast(const Shot* s) {
  const Block* b = &s->block;
  const rutLidarParam* p = s->param;
  const rutRays rays = {.n = b->beams * s->subrays,
                        .x = b->x,
                        .y = b->y,
                        .z = b->z,
                        .dx = b->dx,
                        .dy = b->dy,
                        .dz = b->dz,
                        .max_range = p->max_range,
                        .bodies = p->bodies_visible != 0,
                        .ground = p->ground_visible != 0,
                        .skip_vehicle = p->ignore_parent != 0 ? s->in->vehicle : -1};
  const rutRayHits hits = {.range = b->range, .normal = {b->normal[0], b->normal[1], b->normal[2]}};
  s->in->cast(s->in->host, &rays, &hits);
}

// ---- returns ----

static void echoes_of(const Shot* s, int beam, rutLidarEchoes* out) {
  const Block* b = &s->block;
  double range[RUT_LIDAR_MAX_SUBRAYS], power[RUT_LIDAR_MAX_SUBRAYS];
  int n = 0;
  for (int k = 0; k < s->subrays; k++) {
    const int ray = beam * s->subrays + k;
    const double d = b->range[ray];
    if (!(d >= s->param->min_range && d > 0)) continue;
    const double incidence = b->dx[ray] * b->normal[0][ray] + b->dy[ray] * b->normal[1][ray] +
                             b->dz[ray] * b->normal[2][ray];
    range[n] = d;
    power[n++] = rut_lidar_power(&s->receiver, d, incidence, 1.0 / s->subrays);
  }
  rut_lidar_echoes(&s->receiver, n, range, power, out);
  double at, false_power;
  const double limit = n > 0 ? range[0] : s->param->max_range;
  if (s->receiver.air.bins > 0 &&
      rut_lidar_false_return(&s->receiver.air, b->false_return[beam], limit, &at, &false_power)) {
    rut_lidar_add_echo(at, false_power, out);
  }
}

// Leaves the echoes that are detected: their power, with noise, is above the threshold.
static void detect(const Shot* s, int beam, rutLidarEchoes* echoes) {
  const double spread = s->in->exact ? 0 : s->param->signal_noise * s->receiver.threshold;
  int n = 0;
  for (int e = 0; e < echoes->n; e++) {
    double power = echoes->echo[e].power;
    if (spread > 0) power += spread * noise_of(s, SIGNAL, s->block.signal, beam, e);
    if (power >= s->receiver.threshold) echoes->echo[n++] = echoes->echo[e];
  }
  echoes->n = n;
}

static double quantise(double value, double step) {
  return step > 0 ? step * rut_floor(value / step + 0.5) : value;
}

static void put(const Shot* s, int beam, int slot, const rutLidarEcho* echo) {
  const Block* b = &s->block;
  const rutLidarParam* p = s->param;
  const rutLidarBeam* from = &b->beam[beam];
  const size_t row = (size_t)slot * (size_t)s->channels + (size_t)b->channel;
  const size_t at = row * (size_t)s->columns + (size_t)(b->column + beam);
  rutVec3 place = rut_vec3(RUT_NAN, RUT_NAN, RUT_NAN);
  double range = -1, intensity = 0;
  if (echo) {
    range = echo->range;
    intensity = p->intensity == RUT_LIDAR_POWER ? echo->power : echo->power * range * range;
    if (!s->in->exact) {
      const double deviation = rut_lidar_range_deviation(&s->receiver, echo->power);
      const int which = echo->number - 1;
      const double noise = deviation > 0 ? noise_of(s, RANGES, b->range_noise, beam, which) : 0;
      range = quantise(rut_max(range + deviation * noise, 0), p->range_step);
      intensity = quantise(intensity, p->intensity_step);
    }
    place = rut_vec3_add_scaled(from->origin, range, from->along);
  }
  ((double*)s->out[RANGE])[at] = range;
  ((double*)s->out[X])[at] = place.x;
  ((double*)s->out[Y])[at] = place.y;
  ((double*)s->out[Z])[at] = place.z;
  ((float*)s->out[INTENSITY])[at] = (float)intensity;
  ((uint8_t*)s->out[NUMBER])[at] = (uint8_t)(echo ? echo->number : 0);
  if (slot == 0) ((float*)s->out[TIME])[at] = (float)(p->rolling != 0 ? from->time : 0);
}

static void receive(const Shot* s) {
  const rutLidarParam* p = s->param;
  for (int i = 0; i < s->block.beams; i++) {
    rutLidarEchoes echoes = {.n = 0};
    const bool lost = !s->in->exact && p->dropout > 0 && s->block.lost[i] < p->dropout;
    if (!lost) {
      echoes_of(s, i, &echoes);
      detect(s, i, &echoes);
      rut_lidar_arrange(&s->receiver, &echoes);
    }
    for (int k = 0; k < (int)p->returns; k++) put(s, i, k, k < echoes.n ? &echoes.echo[k] : NULL);
  }
}

// ---- the sensor ----

static void put_rings(const rutLidarParam* p, uint16_t* ring) {
  const int n = (int)p->channels;
  for (int i = 0; i < n; i++) {
    const double own = rut_lidar_elevation(p, i);
    ring[i] = 0;
    for (int k = 0; k < n; k++) {
      const double other = rut_lidar_elevation(p, k);
      if (other < own || (other == own && k < i)) ring[i]++;
    }
  }
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const rutLidarParam* p = param;
  double* memory = scratch;
  Shot s = {.param = p,
            .in = in,
            .channels = (int)p->channels,
            .columns = (int)p->columns,
            .subrays = (int)p->subrays,
            .block = block_in(memory + rut_lidar_sweep_size(p)),
            .out = out};
  (void)state;
  rut_lidar_sweep(p, in, memory, &s.sweep);
  rut_lidar_receiver(p, in->exact, &s.receiver);
  split_beam(&s);
  const int most = BLOCK / s.subrays;
  for (int r = 0; r < s.channels; r++) {
    for (int c = 0; c < s.columns; c += most) {
      s.block.channel = r;
      s.block.column = c;
      s.block.beams = s.columns - c < most ? s.columns - c : most;
      if (!in->exact) draw(&s);
      aim(&s);
      cast(&s);
      receive(&s);
    }
  }
  put_rings(p, out[RING]);
}

static rutStatus check_lists(const rutLidarParam* p, rutError* err) {
  int n[3];
  rut_param_list(p, p->elevations, &n[0]);
  rut_param_list(p, p->azimuths, &n[1]);
  rut_param_list(p, p->heights, &n[2]);
  if (n[0] > 0 && n[0] != (int)p->channels) {
    return rut_error_set(err, RUT_ERR_MODEL, "elevations has %d numbers for %d channels", n[0],
                         (int)p->channels);
  }
  for (int i = 1; i < 3; i++) {
    if (n[i] == 0 || (int)p->channels % n[i] == 0) continue;
    return rut_error_set(err, RUT_ERR_MODEL, "%s has %d numbers, which %d channels cannot share",
                         i == 1 ? "azimuths" : "heights", n[i], (int)p->channels);
  }
  return RUT_OK;
}

static rutStatus check(const double* param, rutError* err) {
  const rutLidarParam* p = (const rutLidarParam*)(const void*)param;
  const double slack = 1 + 1e-9, duration = rut_lidar_duration(p);
  const double numbers = p->channels * p->columns * p->returns;
  if (numbers > 1 << 24) {
    return rut_error_set(err, RUT_ERR_CAPACITY,
                         "a sample of %g returns: channels x columns x returns is at most %d",
                         numbers, 1 << 24);
  }
  if (p->max_range < p->min_range) {
    return rut_error_set(err, RUT_ERR_MODEL, "max_range is %g m, below min_range, which is %g m",
                         p->max_range, p->min_range);
  }
  if (duration > p->period * slack) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "%d columns take %g s, longer than the period of %g s: columns x "
                         "column_time is at most that",
                         (int)p->columns, duration, p->period);
  }
  const bool spins = p->pattern == RUT_LIDAR_SPINNING;
  if (spins && (p->channels - 1) * p->firing_interval * p->columns > duration * slack) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "%d channels, %g s apart, do not fire within a column of %g s",
                         (int)p->channels, p->firing_interval, duration / p->columns);
  }
  return check_lists(p, err);
}

extern const rutSensorType rut_sensor_lidar;
const rutSensorType rut_sensor_lidar = {
    .base = {RUT_HEAD(
                 rutSensorType, "sensor", "lidar", "vehicle world",
                 "Lidar: points in space, with intensity, from beams that spin, scan rows or draw "
                 "a rosette. Returns follow the lidar equation of a diffuse surface (Wagner et "
                 "al. 2006), through rain, snow, fog and dust.",
                 fields),
             .check = check, RUT_PRESETS(rut_lidar_presets)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_MOTION,
    .form = RUT_FORM_POINT_CLOUD,
    .scratch = scratch_size,
    .sample = sample,
};
