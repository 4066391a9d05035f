// SPDX-License-Identifier: BSD-3-Clause
//
// Lidar in space. Beams are cast in blocks of a few channels, one after the other, so that
// neighbouring rays are near each other. A beam may be split into rays that share its energy; what
// they hit makes its returns.
#include <string.h>

#include "base/report.h"
#include "math/lanes.h"
#include "sense/lidar_beams.h"
#include "sense/lidar_presets.h"
#include "sense/lidar_returns.h"

enum {
  BLOCK = 512,         // rays that are cast at once
  ROWS = 8,            // channels of a block, at most
  STRIDE = BLOCK + 8,  // numbers from array to array: not all of them in the same lines of a cache
};

#define LIST_ROW(name, unit, min, max, doc) {#name, unit, RUT_VECTOR, 0, 0, min, max, "", 0, doc},
static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW) RUT_LIDAR_ROWS(
    RUT_ROW, RUT_WHOLE_ROW, RUT_FLAG_ROW, RUT_CHOICE_ROW, LIST_ROW)};

enum { RANGE, X, Y, Z, INTENSITY, NUMBER, TIME, RING, CLASS, INSTANCE };
#define OF_RETURN "returns channels columns"
#define OF_LABEL  "returns*labels channels columns"
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
        ROW("ring", "", "channels", "", RUT_U16, "rank of the channel by elevation, 0 the lowest"),
    [CLASS] = ROW("class", "", OF_LABEL, "", RUT_I32,
                  "of what sent the return, as in rut_class_name, -1 without a return or from the "
                  "air; with labels=\"true\""),
    [INSTANCE] = ROW("instance", "", OF_LABEL, "", RUT_I32,
                     "of what sent the return, as in rut_instance_info, -1 likewise; with "
                     "labels=\"true\"")};

// Random numbers of a sample: number k of beam b is k * beams + b.
enum { LEFT, UP, SIGNAL, RANGES = SIGNAL + RUT_LIDAR_MAX_ECHOES };  // normal
enum { LOST, FALSE_RETURN };                                        // uniform

// Returns of a block: the k-th of a beam is in slot k.
typedef struct Slot {
  double *range, *power, *noise;  // [beam] noise: of the range, a normal number
  int* number;                    // 0: no return
} Slot;

// Rays of a block, and what its beams are. Beam c of row r is r * columns + c, ray k of beam i is
// k * beams + i.
typedef struct Block {
  int channel, rows, column, columns, beams;  // the first ones, and how many
  rutLidarBeams all, beam[ROWS];              // arrays of all beams, and of each row
  double *origin[3], *direction[3], *range, *normal[3], *power;    // [ray]
  int *material, *instance;                                        // [ray]
  double *left, *up, *signal, *range_noise, *lost, *false_return;  // [beam]
  Slot slot[RUT_LIDAR_MAX_RETURNS];
} Block;
// Arrays of a block besides those of its beams.
enum { ARRAYS = 17 + 3 * RUT_LIDAR_MAX_RETURNS, WHOLE_ARRAYS = 2 + RUT_LIDAR_MAX_RETURNS };

typedef struct Shot {
  const rutLidarParam* param;
  const rutSensorIn* in;
  rutLidarSweep sweep;
  rutLidarReceiver receiver;
  int channels, columns, subrays;
  bool retroreflect;                                                        // some materials do
  double spot_left[RUT_LIDAR_MAX_SUBRAYS], spot_up[RUT_LIDAR_MAX_SUBRAYS];  // tangents
  Block block;
  void* const* out;
} Shot;

static bool any_retroreflects(const rutSensorIn* in) {
  bool any = false;
  for (int i = 0; i < in->materials; i++) any = any || in->material[i].retroreflection > 0;
  return any;
}

static size_t scratch_size(const void* param) {
  const size_t numbers = RUT_LIDAR_BEAM_ARRAYS + ARRAYS;
  return (rut_lidar_sweep_size(param) + numbers * STRIDE) * sizeof(double) +
         WHOLE_ARRAYS * STRIDE * sizeof(int);
}

static Block block_in(double* memory) {
  Block b = {0};
  double** array[] = {
      &b.origin[0], &b.origin[1], &b.origin[2],   &b.direction[0], &b.direction[1], &b.direction[2],
      &b.range,     &b.normal[0], &b.normal[1],   &b.normal[2],    &b.power,        &b.left,
      &b.up,        &b.signal,    &b.range_noise, &b.lost,         &b.false_return};
  rut_lidar_beams_in(memory, STRIDE, &b.all);
  memory += (size_t)RUT_LIDAR_BEAM_ARRAYS * STRIDE;
  for (int i = 0; i < RUT_COUNT_OF(array); i++, memory += STRIDE) *array[i] = memory;
  for (int i = 0; i < RUT_LIDAR_MAX_RETURNS; i++, memory += 3 * STRIDE) {
    b.slot[i] = (Slot){.range = memory, .power = memory + STRIDE, .noise = memory + 2 * STRIDE};
  }
  int* whole = (int*)(void*)memory;
  b.material = whole;
  b.instance = whole += STRIDE;
  for (int i = 0; i < RUT_LIDAR_MAX_RETURNS; i++) {
    b.slot[i].number = whole += STRIDE;
  }
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

static uint32_t number_of(const Shot* s, int kind, int row, int column) {
  const Block* b = &s->block;
  return (uint32_t)kind * (uint32_t)(s->channels * s->columns) +
         (uint32_t)((b->channel + row) * s->columns + b->column + column);
}

static bool is_range_noisy(const Shot* s) {
  return !s->in->exact && (s->param->range_noise > 0 || s->param->weak_range_noise > 0);
}

static void draw_normals(const Shot* s, int kind, double* out) {
  const Block* b = &s->block;
  for (int r = 0; r < b->rows; r++, out += b->columns) {
    s->in->normals(s->in->host, number_of(s, kind, r, 0), b->columns, out);
  }
}

static void draw_uniforms(const Shot* s, int kind, double* out) {
  const Block* b = &s->block;
  for (int r = 0; r < b->rows; r++, out += b->columns) {
    s->in->uniforms(s->in->host, number_of(s, kind, r, 0), b->columns, out);
  }
}

static void draw(const Shot* s) {
  const rutLidarParam* p = s->param;
  const Block* b = &s->block;
  if (p->angle_noise > 0) {
    draw_normals(s, LEFT, b->left);
    draw_normals(s, UP, b->up);
  }
  if (p->signal_noise > 0) draw_normals(s, SIGNAL, b->signal);
  if (is_range_noisy(s)) draw_normals(s, RANGES, b->range_noise);
  if (p->dropout > 0) draw_uniforms(s, LOST, b->lost);
  if (s->receiver.air.bins > 0) draw_uniforms(s, FALSE_RETURN, b->false_return);
}

// Number of an echo; those of the first are drawn in advance.
static double noise_of(const Shot* s, int kind, const double* first, int beam, int echo) {
  double number = first[beam];
  if (echo > 0) {
    const int columns = s->block.columns;
    const uint32_t at = number_of(s, kind + echo, beam / columns, beam % columns);
    s->in->normals(s->in->host, at, 1, &number);
  }
  return number;
}

// ---- rays ----

static void aim_row(const Shot* s, int row) {
  const Block* b = &s->block;
  const rutLidarBeams* beam = &b->beam[row];
  const double spread = s->in->exact ? 0 : s->param->angle_noise;
  const int begin = row * b->columns;
  for (int k = 0; k < s->subrays; k++) {
    const rutLidarAim aside = {.left = s->spot_left[k],
                               .up = s->spot_up[k],
                               .noise = spread,
                               .noise_left = b->left + begin,
                               .noise_up = b->up + begin};
    const int first = k * b->beams + begin;
    double* const origin[3] = {b->origin[0] + first, b->origin[1] + first, b->origin[2] + first};
    double* const direction[3] = {b->direction[0] + first, b->direction[1] + first,
                                  b->direction[2] + first};
    const bool axis = s->subrays == 1 && spread == 0;
    rut_lidar_rays(beam, axis ? NULL : &aside, origin, direction);
  }
}

static void aim(Shot* s) {
  Block* b = &s->block;
  for (int r = 0; r < b->rows; r++) {
    rut_lidar_beams_from(&b->all, r * b->columns, b->columns, &b->beam[r]);
    rut_lidar_beams(&s->sweep, b->channel + r, b->column, &b->beam[r]);
    aim_row(s, r);
  }
}

static void cast(const Shot* s) {
  const Block* b = &s->block;
  const rutLidarParam* p = s->param;
  const int n = b->beams * s->subrays;
  const rutRays rays = {.n = n,
                        .x = b->origin[0],
                        .y = b->origin[1],
                        .z = b->origin[2],
                        .dx = b->direction[0],
                        .dy = b->direction[1],
                        .dz = b->direction[2],
                        .max_range = p->max_range,
                        .bodies = p->bodies_visible != 0,
                        .ground = p->ground_visible != 0,
                        .skip_vehicle = p->ignore_parent != 0 ? s->in->vehicle : -1};
  s->in->cast(s->in->host, &rays,
              &(rutRayHits){.range = b->range,
                            .normal = {b->normal[0], b->normal[1], b->normal[2]},
                            .material = b->material,
                            .instance = p->labels != 0 ? b->instance : NULL});
  const rutLidarHits hits = {.n = n,
                             .range = b->range,
                             .direction = {b->direction[0], b->direction[1], b->direction[2]},
                             .normal = {b->normal[0], b->normal[1], b->normal[2]},
                             .material = b->material,
                             .of_materials = s->in->material,
                             .retroreflect = s->retroreflect};
  rut_lidar_powers(&s->receiver, &hits, 1.0 / s->subrays, b->power);
}

// ---- returns ----

static double signal_spread(const Shot* s) {
  return s->in->exact ? 0 : s->param->signal_noise * s->receiver.threshold;
}

// Returns of beams of one ray in clear air. Those of which the power, with noise, is above the
// threshold are detected.
RUT_CLONES static void receive_single(const Shot* s) {
  const Block* b = &s->block;
  const double nearest = s->param->min_range, threshold = s->receiver.threshold;
  const double spread = signal_spread(s);
  const bool loses = !s->in->exact && s->param->dropout > 0;
  const double dropout = loses ? s->param->dropout : -RUT_INFINITY;
  const double* range = b->range;
  const double* restrict power = b->power;
  // numbers that were not drawn have no effect
  const double* signal = spread > 0 ? b->signal : range;
  const double* lost = loses ? b->lost : range;
  const double* restrict noise = b->range_noise;
  double* restrict out_range = b->slot[0].range;
  double* restrict out_power = b->slot[0].power;
  double* restrict out_noise = b->slot[0].noise;
  int* restrict number = b->slot[0].number;
  RUT_FOR_LANES(i, b->beams) {
    const double r = range[i], p = power[i];
    const int detected = (p + spread * signal[i] >= threshold) & !(lost[i] < dropout);
    const int hit = (r >= nearest) & (r > 0) & (p > 0) & detected;
    out_range[i] = r;
    out_power[i] = p;
    out_noise[i] = noise[i];
    number[i] = hit;
  }
}

static void echoes_of(const Shot* s, int beam, rutLidarEchoes* out) {
  const Block* b = &s->block;
  double range[RUT_LIDAR_MAX_SUBRAYS], power[RUT_LIDAR_MAX_SUBRAYS];
  int n = 0;
  for (int k = 0; k < s->subrays; k++) {
    const int ray = k * b->beams + beam;
    const double d = b->range[ray];
    if (!(d >= s->param->min_range && d > 0)) continue;
    range[n] = d;
    power[n++] = b->power[ray];
  }
  rut_lidar_echoes(&s->receiver, n, range, power, out);
  double at, false_power;
  const double limit = n > 0 ? range[0] : s->param->max_range;
  if (s->receiver.air.bins > 0 &&
      rut_lidar_false_return(&s->receiver.air, b->false_return[beam], limit, &at, &false_power)) {
    rut_lidar_add_echo(at, false_power, out);
  }
}

// Leaves the echoes that are detected.
static void detect(const Shot* s, int beam, rutLidarEchoes* echoes) {
  const double spread = signal_spread(s);
  int n = 0;
  for (int e = 0; e < echoes->n; e++) {
    double power = echoes->echo[e].power;
    if (spread > 0) power += spread * noise_of(s, SIGNAL, s->block.signal, beam, e);
    if (power >= s->receiver.threshold) echoes->echo[n++] = echoes->echo[e];
  }
  echoes->n = n;
}

// Returns of one beam, of any number of rays, through any air.
static void receive_beam(const Shot* s, int beam) {
  const rutLidarParam* p = s->param;
  const Block* b = &s->block;
  rutLidarEchoes echoes = {.n = 0};
  const bool lost = !s->in->exact && p->dropout > 0 && b->lost[beam] < p->dropout;
  if (!lost) {
    echoes_of(s, beam, &echoes);
    detect(s, beam, &echoes);
    rut_lidar_arrange(&s->receiver, &echoes);
  }
  for (int k = 0; k < (int)p->returns; k++) {
    const Slot* slot = &b->slot[k];
    const rutLidarEcho* echo = &echoes.echo[k];
    slot->number[beam] = k < echoes.n ? echo->number : 0;
    if (k >= echoes.n) continue;
    slot->range[beam] = echo->range;
    slot->power[beam] = echo->power;
    slot->noise[beam] =
        is_range_noisy(s) ? noise_of(s, RANGES, b->range_noise, beam, echo->number - 1) : 0;
  }
}

static void receive(const Shot* s) {
  const Block* b = &s->block;
  const rutLidarAir* air = &s->receiver.air;
  const double false_below = air->bins > 0 ? air->until[air->bins - 1] : 0;
  const bool single = s->subrays == 1;
  if (single) {
    receive_single(s);
    for (int k = 1; k < (int)s->param->returns; k++) {
      memset(b->slot[k].number, 0, (size_t)b->beams * sizeof(int));
    }
  }
  for (int i = 0; i < b->beams; i++) {
    if (!single || (air->bins > 0 && b->false_return[i] < false_below)) receive_beam(s, i);
  }
}

// The ray of a beam that hit next to a return; none of what the air returns.
static int source_of(const Shot* s, int beam, double range) {
  const Block* b = &s->block;
  double nearest = s->param->pulse_length;
  int source = -1;
  for (int ray = beam; ray < b->beams * s->subrays; ray += b->beams) {
    const double apart = rut_abs(b->range[ray] - range);
    if (b->range[ray] < s->param->min_range || !(apart < nearest)) continue;
    nearest = apart;
    source = ray;
  }
  return source;
}

// Place of a row in an output, for the returns of a slot.
static size_t place_of(const Shot* s, int slot, int row) {
  const Block* b = &s->block;
  const size_t channel = (size_t)slot * (size_t)s->channels + (size_t)(b->channel + row);
  return channel * (size_t)s->columns + (size_t)b->column;
}

static void put_labels(const Shot* s, int k, int row) {
  const Block* b = &s->block;
  const Slot* slot = &b->slot[k];
  const size_t at = place_of(s, k, row);
  int32_t *label = (int32_t*)s->out[CLASS] + at, *instance = (int32_t*)s->out[INSTANCE] + at;
  for (int i = 0; i < b->columns; i++) {
    const int beam = row * b->columns + i;
    const int ray = slot->number[beam] > 0 ? source_of(s, beam, slot->range[beam]) : -1;
    label[i] = ray < 0 ? -1 : s->in->material[b->material[ray]].semantic_class;
    instance[i] = ray < 0 ? -1 : b->instance[ray];
  }
}

// What an instrument makes of its returns.
typedef struct Readout {
  double threshold, strong, weak;           // the first and both deviations of the range squared
  double range_step, intensity_step, most;  // most: the largest intensity
  bool by_power;
} Readout;

static Readout readout_of(const Shot* s) {
  const rutLidarParam* p = s->param;
  Readout r = {.threshold = s->receiver.threshold, .by_power = p->intensity == RUT_LIDAR_POWER};
  r.most = RUT_INFINITY;
  if (s->in->exact) return r;
  r.strong = p->range_noise * p->range_noise;
  r.weak = p->weak_range_noise * p->weak_range_noise;
  r.range_step = p->range_step;
  r.intensity_step = p->intensity_step;
  if (p->intensity_limit > 0) r.most = p->intensity_limit;
  return r;
}

RUT_INLINE double quantise(double value, double step) {
  return step > 0 ? step * rut_floor(value / step + 0.5) : value;
}

// Returns of a row in a slot, with noise and quantised, go to their place in the outputs.
RUT_CLONES static void put_slot(const Shot* s, int k, int row) {
  const Block* b = &s->block;
  const rutLidarBeams beam = b->beam[row];
  const int first = row * b->columns;
  const int* restrict returned = b->slot[k].number + first;
  const double* restrict distance = b->slot[k].range + first;
  const double* restrict energy = b->slot[k].power + first;
  const double* restrict noise = b->slot[k].noise + first;
  const Readout r = readout_of(s);
  const size_t at = place_of(s, k, row);
  double* restrict range = (double*)s->out[RANGE] + at;
  double* restrict x = (double*)s->out[X] + at;
  double* restrict y = (double*)s->out[Y] + at;
  double* restrict z = (double*)s->out[Z] + at;
  float* restrict intensity = (float*)s->out[INTENSITY] + at;
  uint8_t* restrict number = (uint8_t*)s->out[NUMBER] + at;
  RUT_FOR_LANES(i, beam.n) {
    const int hit = returned[i];
    const double d = distance[i], power = hit ? energy[i] : 1;
    const double deviation = rut_sqrt(r.strong + r.weak * r.threshold / power);
    const double noisy = rut_max(d + deviation * noise[i], 0);
    const double measured = quantise(noisy, r.range_step);
    const double told = quantise(r.by_power ? power : power * d * d, r.intensity_step);
    const double bright = rut_min(told, r.most);
    range[i] = hit ? measured : -1;
    x[i] = hit ? beam.x[i] + measured * beam.along[0][i] : RUT_NAN;
    y[i] = hit ? beam.y[i] + measured * beam.along[1][i] : RUT_NAN;
    z[i] = hit ? beam.height + measured * beam.along[2][i] : RUT_NAN;
    intensity[i] = (float)(hit ? bright : 0);
    number[i] = (uint8_t)hit;
  }
}

static void put_times(const Shot* s, int row) {
  const rutLidarBeams* beam = &s->block.beam[row];
  float* time = (float*)s->out[TIME] + place_of(s, 0, row);
  const bool rolls = s->param->rolling != 0;
  for (int i = 0; i < beam->n; i++) time[i] = (float)(rolls ? beam->time[i] : 0);
}

static void put(const Shot* s) {
  for (int r = 0; r < s->block.rows; r++) {
    for (int k = 0; k < (int)s->param->returns; k++) {
      put_slot(s, k, r);
      if (s->param->labels != 0) put_labels(s, k, r);
    }
    put_times(s, r);
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

// Sectors of columns, of this many rays each. They begin at multiples of ALIGNED columns, so that
// batches of rays are full.
enum { PART = 8192, ALIGNED = 64, MAX_PARTS = 64 };

static int parts_of(const void* param) {
  const rutLidarParam* p = param;
  const double most = rut_min(rut_max(p->columns / ALIGNED, 1), MAX_PARTS);
  return (int)rut_clamp(p->channels * p->columns * p->subrays / PART, 1, most);
}

static int first_column(const rutLidarParam* p, int part, int parts) {
  if (part == parts) return (int)p->columns;
  return (int)p->columns * part / parts / ALIGNED * ALIGNED;
}

static int lesser(int a, int b) { return a < b ? a : b; }

static void set_block(Shot* s, int channel, int rows, int column, int columns) {
  Block* b = &s->block;
  b->channel = channel;
  b->rows = rows;
  b->column = column;
  b->columns = columns;
  b->beams = rows * columns;
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
            .retroreflect = any_retroreflects(in),
            .block = block_in(memory + rut_lidar_sweep_size(p)),
            .out = out};
  (void)state;
  const int column[2] = {first_column(p, in->part, in->parts),
                         first_column(p, in->part + 1, in->parts)};
  rut_lidar_sweep(p, in, column, memory, &s.sweep);
  rut_lidar_receiver(p, in->exact, &s.receiver);
  split_beam(&s);
  if (!is_range_noisy(&s)) memset(s.block.range_noise, 0, BLOCK * sizeof(double));
  // whole rows of the sector, as many as there is room for, or pieces of one
  const int most = BLOCK / s.subrays, width = lesser(column[1] - column[0], most);
  const int rows = lesser(most / width, ROWS);
  for (int r = 0; r < s.channels; r += rows) {
    for (int c = column[0]; c < column[1]; c += width) {
      set_block(&s, r, lesser(s.channels - r, rows), c, lesser(column[1] - c, width));
      if (!in->exact) draw(&s);
      aim(&s);
      cast(&s);
      receive(&s);
      put(&s);
    }
  }
  if (in->part == 0) put_rings(p, out[RING]);
}

static void follow(const void* param, const rutSensorIn* in, int output, void* scratch,
                   void* const* out) {
  const rutLidarPoints points = {out[RANGE], out[X], out[Y], out[Z]};
  if (output == RANGE) rut_lidar_place_points(param, in, BLOCK, scratch, &points);
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
    .gaps = 1u << RANGE,
    .uses = RUT_USES_MOTION | RUT_USES_LOOKS,
    .form = RUT_FORM_POINT_CLOUD,
    .scratch = scratch_size,
    .sample = sample,
    .parts = parts_of,
    .follow = follow,
};
