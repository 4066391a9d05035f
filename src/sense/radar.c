// SPDX-License-Identifier: BSD-3-Clause
//
// Radar. Rays fill its field of view evenly. A ray of the solid angle dO that hits at a distance r
// a surface of the radar factor g has the radar cross section
//   s = g r^2 dO,
// g times the area that it lights up, as seen from the radar: the constant-gamma law of rough
// surfaces (Barton, Modern Radar System Analysis, 1988, section 3.6), and pi a^2 for a metal sphere
// of radius a. The radar equation gives its signal over the noise,
//   SNR = K G^4 s exp(-2 b r)/r^4,  G^2 = exp(-4 ln 2 (az^2/w_h^2 + el^2/w_v^2)),
// G^2 being the one-way gain of the antenna, with the half-power widths w, and b the extinction of
// the air. Signals in the same cell of range, azimuth, elevation and range rate add; cells less
// than a cell apart become one target.
//
// Targets fluctuate from sample to sample, with an exponential distribution (Swerling 1). Signal
// and noise together then have a power z that is exponential with the mean 1 + SNR; a target is
// detected where z passes the threshold t = -ln P_fa, so that
//   P_d = exp(-t/(1 + SNR)) = P_fa^(1/(1 + SNR)).
// K is chosen so that P_d = 1/2 for a given cross section at a given range.
#include "base/report.h"
#include "math/quat.h"
#include "sense/radar_cells.h"
#include "sense/radar_presets.h"
#include "sense/radio_air.h"

enum { MAX_DETECTIONS = 4096, MAX_COLUMNS = 4096, MAX_RAYS = 1 << 18 };

#define DEGREE (RUT_PI / 180)
#define FIELDS(REAL, WHOLE, FLAG, CHOICE)                                                          \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                                    \
  REAL(frequency, "Hz", 77e9, 1e9, 1e12, "of the carrier, for the weather")                        \
  REAL(fov, "rad", 18 * DEGREE, 1e-3, 2 * RUT_PI, "field of view, half to each side")              \
  REAL(fov_vertical, "rad", 14 * DEGREE, 1e-3, RUT_PI, "field of view in height")                  \
  REAL(ray_spacing, "rad", 0.25 * DEGREE, 1e-4, 0.5, "angle between its rays, both ways")          \
  REAL(beamwidth, "rad", 0, 0, 10,                                                                 \
       "of the antenna, between its half powers one way; 0: the same gain everywhere")             \
  REAL(beamwidth_vertical, "rad", 0, 0, 10, "the same in height")                                  \
  REAL(min_range, "m", 0.2, 0, 1e6, "nearest distance that is seen")                               \
  REAL(max_range, "m", 250, 0, 1e6, "farthest distance that is seen")                              \
  REAL(rated_range, "m", 250, 1e-3, 1e6,                                                           \
       "distance ahead, in clear air, at which half of the targets of rated_rcs are detected")     \
  REAL(rated_rcs, "m2", 10, 1e-9, 1e9, "see rated_range")                                          \
  REAL(false_alarm, "", 1e-6, 1e-30, 0.4, "probability that noise passes the threshold in a cell") \
  REAL(range_resolution, "m", 1.8, 0, 1e6, "size of a cell; 0: ranges are not told apart")         \
  REAL(azimuth_resolution, "rad", 1.6 * DEGREE, 0, 10, "size of a cell, likewise")                 \
  REAL(elevation_resolution, "rad", 0, 0, 10, "size of a cell; 0: no elevation is measured")       \
  REAL(rate_resolution, "m/s", 0.1, 0, 1e6, "size of a cell; 0: range rates are not told apart")   \
  REAL(ambiguous_rate, "m/s", 0, 0, 1e6,                                                           \
       "range rates are seen between this to either side of 0, others as one of these; 0: all")    \
  REAL(range_noise, "m", 0.2, 0, 1e3, "standard deviation")                                        \
  REAL(azimuth_noise, "rad", 0.1 * DEGREE, 0, 1, "standard deviation")                             \
  REAL(elevation_noise, "rad", 0, 0, 1, "standard deviation, where elevations are measured")       \
  REAL(rate_noise, "m/s", 0.03, 0, 1e3, "standard deviation")                                      \
  WHOLE(detections, "", 100, 1, MAX_DETECTIONS, "most detections of a sample, the strongest")      \
  REAL(false_detections, "", 0, 0, 1e3, "mean number of detections of nothing in a sample")        \
  REAL(carrier_rcs, "m2", 0, 0, 1e6,                                                               \
       "of what surrounds the antenna: gives ghosts at twice the range; 0: none")                  \
  RUT_WEATHER_ROWS(REAL, FLAG)                                                                     \
  RUT_SIGHT_ROWS(FLAG)

typedef struct RadarParam {
  FIELDS(RUT_PARAM, RUT_PARAM, RUT_PARAM, RUT_PARAM)
} RadarParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_WHOLE_ROW, RUT_FLAG_ROW, RUT_CHOICE_ROW)};

enum { RANGE, AZIMUTH, ELEVATION, RATE, RCS, SNR, INSTANCE };
#define EACH "detections"
static const rutVariable outputs[] = {
    [RANGE] = {.name = "range",
               .unit = "m",
               .shape = EACH,
               .doc = "of each detection, the strongest first, -1 after the last"},
    [AZIMUTH] = {.name = "azimuth",
                 .unit = "rad",
                 .shape = EACH,
                 .frame = "sensor",
                 .doc = "from its x axis, positive to the left"},
    [ELEVATION] = {.name = "elevation",
                   .unit = "rad",
                   .shape = EACH,
                   .frame = "sensor",
                   .doc = "from its x-y plane, 0 where it is not measured"},
    [RATE] = {.name = "range_rate",
              .unit = "m/s",
              .shape = EACH,
              .doc = "change of the range, negative approaching"},
    [RCS] = {.name = "rcs",
             .unit = "m2",
             .shape = EACH,
             .doc = "radar cross section that the signal means in clear air"},
    [SNR] = {.name = "snr", .unit = "", .shape = EACH, .doc = "power over that of the noise"},
    [INSTANCE] = {.name = "instance",
                  .unit = "",
                  .shape = EACH,
                  .doc = "truth: index of what sends most of it back, -1 for nothing",
                  .type = RUT_I32}};

// Random numbers of a sample: those of target i begin at its number times these.
enum { NORMALS_EACH = RUT_RADAR_AXES, UNIFORMS_EACH = 2, FALSE_ONES = 1 << 24, FALSE_EACH = 4 };

// A row of rays, and what they hit.
typedef struct Row {
  double *x, *y, *z, *d[3], *range;
  int *instance, *material;
} Row;
enum { ROW_NUMBERS = 7, ROW_INTS = 2 };

// An instance in motion, or at rest; world axes.
typedef struct Mover {
  int instance;
  rutVec3 origin, velocity, spin;
} Mover;

typedef struct Sweep {
  const RadarParam* param;
  const rutSensorIn* in;
  int columns, rows;
  double constant;    // K
  double threshold;   // t
  double extinction;  // b
  rutMat3 axes;
  rutVec3 origin;
  Row row;
  Mover mover;
  rutRadarCells cells;
  int found;  // detections so far
  void* const* out;
} Sweep;

static int rays_across(double fov, double spacing) {
  const double n = rut_floor(fov / spacing + 0.5);
  return n < 1 ? 1 : (int)rut_min(n, MAX_RAYS);
}

static size_t row_size(int columns) {
  const size_t n = (size_t)columns + (size_t)columns % 2;
  return n * (ROW_NUMBERS * sizeof(double) + ROW_INTS * sizeof(int));
}

static size_t scratch_size(const void* param) {
  const RadarParam* p = param;
  const int columns = rays_across(p->fov, p->ray_spacing);
  const int rows = rays_across(p->fov_vertical, p->ray_spacing);
  return row_size(columns) + rut_radar_cells_size(columns * rows);
}

static Row row_in(void* scratch, int columns) {
  const size_t n = (size_t)columns + (size_t)columns % 2;
  double* at = scratch;
  Row row = {.x = at,
             .y = at + n,
             .z = at + 2 * n,
             .d = {at + 3 * n, at + 4 * n, at + 5 * n},
             .range = at + 6 * n};
  row.instance = (int*)(void*)(at + ROW_NUMBERS * n);
  row.material = row.instance + n;
  return row;
}

// ---- signals ----

// Signal over noise of which half is detected.
static double detectable(double threshold) { return threshold / rut_log(2) - 1; }

// Gain of the antenna there and back, over that ahead.
static double gain(const RadarParam* p, double azimuth, double elevation) {
  double sum = 0;
  if (p->beamwidth > 0) sum += azimuth / p->beamwidth * (azimuth / p->beamwidth);
  if (p->beamwidth_vertical > 0) {
    sum += elevation / p->beamwidth_vertical * (elevation / p->beamwidth_vertical);
  }
  return rut_exp(-8 * rut_log(2) * sum);
}

static double fourth(double x) { return x * x * (x * x); }

// Velocity of what is hit at a place.
static rutVec3 velocity_there(Sweep* s, int instance, rutVec3 place) {
  Mover* m = &s->mover;
  if (instance != m->instance) {
    rutMotion motion;
    *m = (Mover){.instance = instance};
    if (s->in->instance_motion(s->in->host, instance, &motion)) {
      const double* q = motion.attitude;
      const rutQuat attitude = rut_quat(q[0], q[1], q[2], q[3]);
      m->origin = rut_vec3_of(motion.position);
      m->velocity = rut_quat_rotate(attitude, rut_vec3_of(motion.velocity));
      m->spin = rut_quat_rotate(attitude, rut_vec3_of(motion.angular_velocity));
    }
  }
  return rut_vec3_add(m->velocity, rut_vec3_cross(m->spin, rut_vec3_sub(place, m->origin)));
}

// In the interval of a width 2a about 0 that rates are seen in.
static double folded(double rate, double a) {
  return a > 0 ? rate - 2 * a * rut_floor((rate + a) / (2 * a)) : rate;
}

// ---- rays ----

static void cast_row(const Sweep* s, double elevation) {
  const RadarParam* p = s->param;
  const Row* row = &s->row;
  double up, level;
  rut_sincos(elevation, &up, &level);
  for (int i = 0; i < s->columns; i++) {
    double left, ahead;
    rut_sincos(p->fov * ((i + 0.5) / s->columns - 0.5), &left, &ahead);
    const rutVec3 d = rut_mat3_apply(s->axes, rut_vec3(level * ahead, level * left, up));
    row->x[i] = s->origin.x;
    row->y[i] = s->origin.y;
    row->z[i] = s->origin.z;
    row->d[0][i] = d.x;
    row->d[1][i] = d.y;
    row->d[2][i] = d.z;
  }
  const rutRays rays = {.n = s->columns,
                        .x = row->x,
                        .y = row->y,
                        .z = row->z,
                        .dx = row->d[0],
                        .dy = row->d[1],
                        .dz = row->d[2],
                        .max_range = p->max_range,
                        .bodies = p->bodies_visible != 0,
                        .ground = p->ground_visible != 0,
                        .skip_vehicle = p->ignore_parent != 0 ? s->in->vehicle : -1};
  const rutRayHits hits = {
      .range = row->range, .instance = row->instance, .material = row->material};
  s->in->cast(s->in->host, &rays, &hits);
}

// solid_angle: of each ray of this row.
static void receive_row(Sweep* s, double elevation, double solid_angle) {
  const RadarParam* p = s->param;
  const Row* row = &s->row;
  const rutVec3 own = rut_mat3_apply(s->axes, rut_vec3_of(s->in->motion.velocity));
  for (int i = 0; i < s->columns; i++) {
    const double r = row->range[i];
    if (!(r >= p->min_range && r > 0) || row->material[i] < 0) continue;
    const double azimuth = p->fov * ((i + 0.5) / s->columns - 0.5);
    const double rcs = s->in->material[row->material[i]].radar * r * r * solid_angle;
    const double power = s->constant * gain(p, azimuth, elevation) * rcs *
                         rut_exp(-2 * s->extinction * r) / fourth(r);
    if (!(power > 0)) continue;
    const rutVec3 along = rut_vec3(row->d[0][i], row->d[1][i], row->d[2][i]);
    const rutVec3 place = rut_vec3_add_scaled(s->origin, r, along);
    const rutVec3 there = velocity_there(s, row->instance[i], place);
    const double rate = rut_vec3_dot(rut_vec3_sub(there, own), along);
    const rutRadarEcho echo = {.power = power,
                               .at = {r, azimuth, elevation, folded(rate, p->ambiguous_rate)},
                               .instance = row->instance[i],
                               .strongest = power};
    rut_radar_add(&s->cells, &echo);
  }
}

static void receive(Sweep* s) {
  const double height = s->param->fov_vertical / s->rows;
  const double width = s->param->fov / s->columns;
  for (int k = 0; k < s->rows; k++) {
    const double elevation = height * (k + 0.5) - 0.5 * s->param->fov_vertical;
    const double solid_angle = width * 2 * rut_cos(elevation) * rut_sin(0.5 * height);
    cast_row(s, elevation);
    receive_row(s, elevation, solid_angle);
  }
  rut_radar_ready(&s->cells);
}

// ---- detections ----

static void put(Sweep* s, const double at[RUT_RADAR_AXES], double snr, int instance) {
  const RadarParam* p = s->param;
  const int i = s->found++;
  const double elevation = p->elevation_resolution > 0 ? at[RUT_RADAR_ELEVATION] : 0;
  const double r = at[RUT_RADAR_RANGE];
  ((double*)s->out[RANGE])[i] = r;
  ((double*)s->out[AZIMUTH])[i] = at[RUT_RADAR_AZIMUTH];
  ((double*)s->out[ELEVATION])[i] = elevation;
  ((double*)s->out[RATE])[i] = at[RUT_RADAR_RATE];
  ((double*)s->out[RCS])[i] =
      snr * fourth(r) / (s->constant * gain(p, at[RUT_RADAR_AZIMUTH], elevation));
  ((double*)s->out[SNR])[i] = snr;
  ((int32_t*)s->out[INSTANCE])[i] = instance;
}

// A target, if it is detected. number: of its random numbers.
static void detect(Sweep* s, const rutRadarEcho* target, uint32_t number, uint32_t which) {
  const RadarParam* p = s->param;
  const rutSensorIn* in = s->in;
  if (s->found == (int)p->detections) return;
  double snr = target->power;
  if (in->exact) {
    if (snr >= detectable(s->threshold)) put(s, target->at, snr, target->instance);
    return;
  }
  double uniform, normal[NORMALS_EACH], at[RUT_RADAR_AXES];
  in->uniforms(in->host, number * UNIFORMS_EACH + which, 1, &uniform);
  const double signal = -(1 + snr) * rut_log(rut_max(uniform, 1e-300));
  if (signal < s->threshold) return;
  snr = signal - 1;
  in->normals(in->host, (number * UNIFORMS_EACH + which) * NORMALS_EACH, NORMALS_EACH, normal);
  const double noise[RUT_RADAR_AXES] = {p->range_noise, p->azimuth_noise, p->elevation_noise,
                                        p->rate_noise};
  for (int k = 0; k < RUT_RADAR_AXES; k++) at[k] = target->at[k] + noise[k] * normal[k];
  at[RUT_RADAR_RANGE] = rut_max(at[RUT_RADAR_RANGE], 0);
  at[RUT_RADAR_RATE] = folded(at[RUT_RADAR_RATE], p->ambiguous_rate);
  put(s, at, snr, target->instance);
}

// What goes from the target to the vehicle around the antenna, and once more to the target and
// back. Each of the two further ways spreads the power over 4 pi r^2.
static bool second_trip(const Sweep* s, const rutRadarEcho* target, rutRadarEcho* out) {
  const RadarParam* p = s->param;
  const double r = target->at[RUT_RADAR_RANGE];
  const double rcs =
      target->power * fourth(r) /
      (s->constant * gain(p, target->at[RUT_RADAR_AZIMUTH], target->at[RUT_RADAR_ELEVATION]));
  *out = *target;
  out->power *=
      p->carrier_rcs * rcs / (16 * RUT_PI * RUT_PI * fourth(r)) * rut_exp(-2 * s->extinction * r);
  out->at[RUT_RADAR_RANGE] *= 2;
  out->at[RUT_RADAR_RATE] = folded(2 * out->at[RUT_RADAR_RATE], p->ambiguous_rate);
  return p->carrier_rcs > 0 && 2 * r <= p->max_range;
}

// Noise that passes the threshold: a Poisson number, anywhere. Where all rates are seen, within 50
// m/s.
static void add_false_detections(Sweep* s) {
  const RadarParam* p = s->param;
  const rutSensorIn* in = s->in;
  if (in->exact || !(p->false_detections > 0)) return;
  double left = p->false_detections;
  const double most = p->ambiguous_rate > 0 ? p->ambiguous_rate : 50;
  for (uint32_t i = 0; s->found < (int)p->detections; i++) {
    double u[1 + FALSE_EACH + 1];
    in->uniforms(in->host, FALSE_ONES + i * (2 + FALSE_EACH), 2 + FALSE_EACH, u);
    left += rut_log(rut_max(u[0], 1e-300));  // exponential gaps in a time of that mean
    if (left < 0) return;
    const double at[RUT_RADAR_AXES] = {p->min_range + u[1] * (p->max_range - p->min_range),
                                       p->fov * (u[2] - 0.5), p->fov_vertical * (u[3] - 0.5),
                                       most * (2 * u[4] - 1)};
    put(s, at, s->threshold - rut_log(rut_max(u[5], 1e-300)) - 1, -1);
  }
}

// Cells below the noise make no target.
static const double LEAST_SIGNAL = 1;

static void find_targets(Sweep* s) {
  rutRadarEcho target, ghost;
  for (uint32_t number = 0; s->found < (int)s->param->detections; number++) {
    if (!rut_radar_take(&s->cells, LEAST_SIGNAL, &target)) break;
    detect(s, &target, number, 0);
    if (second_trip(s, &target, &ghost)) detect(s, &ghost, number, 1);
  }
}

static void clear(const RadarParam* p, void* const* out) {
  for (int i = 0; i < (int)p->detections; i++) {
    for (int k = RANGE; k <= SNR; k++) ((double*)out[k])[i] = k == RANGE ? -1 : 0;
    ((int32_t*)out[INSTANCE])[i] = -1;
  }
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const RadarParam* p = param;
  const double threshold = -rut_log(p->false_alarm);
  const double resolution[RUT_RADAR_AXES] = {p->range_resolution, p->azimuth_resolution,
                                             p->elevation_resolution, p->rate_resolution};
  const rutRadioAir air = {p->frequency, p->rain, p->snow, p->wet_snow != 0, p->visibility};
  Sweep s = {.param = p,
             .in = in,
             .columns = rays_across(p->fov, p->ray_spacing),
             .rows = rays_across(p->fov_vertical, p->ray_spacing),
             .constant = detectable(threshold) * fourth(p->rated_range) / p->rated_rcs,
             .threshold = threshold,
             .extinction = rut_radio_extinction(&air),
             .axes = rut_mat3_of_rpy(in->pose[3], in->pose[4], in->pose[5]),
             .origin = rut_vec3_of(in->pose),
             .mover = {.instance = -1},
             .out = out};
  (void)state;
  s.row = row_in(scratch, s.columns);
  rut_radar_cells_init(&s.cells, resolution, s.columns * s.rows,
                       (unsigned char*)scratch + row_size(s.columns));
  clear(p, out);
  receive(&s);
  find_targets(&s);
  add_false_detections(&s);
}

static rutStatus check(const double* param, rutError* err) {
  const RadarParam* p = (const RadarParam*)(const void*)param;
  const int columns = rays_across(p->fov, p->ray_spacing);
  const int rows = rays_across(p->fov_vertical, p->ray_spacing);
  if (columns > MAX_COLUMNS || columns > MAX_RAYS / rows) {
    return rut_error_set(err, RUT_ERR_CAPACITY,
                         "%d x %d rays: a ray_spacing that gives at most %d in a row, and %d in "
                         "all, is needed",
                         columns, rows, MAX_COLUMNS, MAX_RAYS);
  }
  if (p->max_range < p->min_range) {
    return rut_error_set(err, RUT_ERR_MODEL, "max_range is %g m, below min_range, which is %g m",
                         p->max_range, p->min_range);
  }
  return RUT_OK;
}

extern const rutSensorType rut_sensor_radar;
const rutSensorType rut_sensor_radar = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "radar", "vehicle world",
                      "Radar: detections with range, azimuth, range rate and radar cross section, "
                      "from the radar equation over what its rays hit.",
                      fields),
             .check = check, .preset = rut_radar_presets, .presets = RUT_RADAR_PRESETS},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .gaps = 1U << RANGE,
    .uses = RUT_USES_MOTION | RUT_USES_LOOKS,
    .form = RUT_FORM_RADAR,
    .scratch = scratch_size,
    .sample = sample,
};
