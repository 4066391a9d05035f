// SPDX-License-Identifier: BSD-3-Clause
//
// Receiver of satellite positioning. The satellites are those of GPS' baseline constellation; one
// is used if it stands above the elevation mask and a ray to it meets nothing of the scene.
//
// The error of each axis is s (sqrt(1 - k) b + sqrt(k) w) D. s is the standard deviation that goes
// with the kind of fix; k the white share of its variance; w white noise; b a Gauss-Markov process
// of first order with variance 1, b' = -b/tau + sqrt(2/tau) n (Gelb, Applied Optimal Estimation,
// 1974, section 3.8); and D the dilution of precision along this axis by the satellites used, over
// that by all above the mask. In the open D is 1, so that data sheets' numbers hold there.
//
// With solution="pseudoranges" each range has such an error instead, and the position is the least
// squares solution of all ranges.
//
// Multipath is not drawn: walls of the scene reflect signals (gnss_multipath.h), which makes ranges
// wrong, and with them the position. A satellite that a wall hides may be received by way of
// another one; its range is then too long by the whole detour. Receivers with RTK leave these out.
#include <string.h>

#include "geom/geodesy.h"
#include "geom/satellites.h"
#include "math/quat.h"
#include "math/rut_math.h"
#include "rut/sensor.h"
#include "sense/gnss_multipath.h"
#include "sense/noise.h"

enum { AXES = 3 };
typedef enum Fix { FIX_NONE, FIX_SINGLE, FIX_DGPS, FIX_FLOAT, FIX_FIXED, FIXES } Fix;
typedef enum Corrections { WITHOUT, DGPS, RTK } Corrections;

#define FIELDS(REAL, WHOLE, FLAG, CHOICE)                                                        \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                                  \
  CHOICE(corrections, "none|dgps|rtk", 0,                                                        \
         "corrections that it receives: without, its fix is single; with rtk, float or fixed")   \
  REAL(single_horizontal, "m", 1.5, 0, 1e4,                                                      \
       "standard deviation east and north of a single fix, in the open")                         \
  REAL(single_vertical, "m", 3, 0, 1e4, "likewise, up")                                          \
  REAL(dgps_horizontal, "m", 0.4, 0, 1e4, "standard deviation east and north with dgps")         \
  REAL(dgps_vertical, "m", 0.8, 0, 1e4, "likewise, up")                                          \
  REAL(float_horizontal, "m", 0.3, 0, 1e4, "standard deviation east and north of a float fix")   \
  REAL(float_vertical, "m", 0.6, 0, 1e4, "likewise, up")                                         \
  REAL(fixed_horizontal, "m", 0.01, 0, 1e4, "standard deviation east and north of a fixed one")  \
  REAL(fixed_vertical, "m", 0.02, 0, 1e4, "likewise, up")                                        \
  REAL(white_share, "", 0.05, 0, 1,                                                              \
       "part of the variance of these errors that is white; the rest is a Gauss-Markov process") \
  REAL(correlation_time, "s", 300, 1e-3, 1e6, "time constant of that process")                   \
  REAL(velocity_noise, "m/s", 0.05, 0, 1e3,                                                      \
       "standard deviation of the velocity, east, north and up, in the open")                    \
  REAL(elevation_mask, "rad", 10 * RUT_PI / 180, 0, 0.5 * RUT_PI,                                \
       "least elevation of satellites that are used")                                            \
  REAL(max_pdop, "", 25, 1, 1e6, "position dilution of precision beyond which there is no fix")  \
  REAL(float_time, "s", 20, 0, 1e6, "mean time of a float fix until it is fixed, 0: at once")    \
  REAL(fixed_time, "s", 600, 0, 1e6, "mean time of a fixed one until it is float, 0: never")     \
  WHOLE(fixed_satellites, "", 5, 4, RUT_SATELLITES, "least satellites of a fixed one")           \
  FLAG(obstructions, 1, "ground, walls, blocks and other vehicles hide satellites")              \
  REAL(obstruction_range, "m", 2000, 0, 1e6, "distance up to which they do")                     \
  REAL(reflection, "", 0.5, 0, 0.95,                                                             \
       "amplitude of signals that walls reflect over that of direct ones, 0: no multipath")      \
  REAL(reflection_range, "m", 150, 0, 1e4, "distance up to which walls reflect")                 \
  REAL(correlator_spacing, "", 0.1, 0.01, 1, "of the early and the late correlator [chips]")     \
  REAL(constellation_time, "s", 0, -1e9, 1e9,                                                    \
       "time of the constellation at the start, after 1 July 1993, 0:00 UTC")                    \
  CHOICE(solution, "errors|pseudoranges", 0,                                                     \
         "errors are drawn for each axis, or for each range to a satellite: a single fix")       \
  REAL(range_error, "m", 1, 0, 1e4, "standard deviation of such a range")

typedef struct GnssParam {
  FIELDS(RUT_PARAM, RUT_PARAM, RUT_PARAM, RUT_PARAM)
} GnssParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_WHOLE_ROW, RUT_FLAG_ROW, RUT_CHOICE_ROW)};

static const rutPresetValue rtk[] = {{"period", "100 ms"},        {"latency", "50 ms"},
                                     {"corrections", "rtk"},      {"fixed_horizontal", "10 mm"},
                                     {"fixed_vertical", "20 mm"}, {"float_horizontal", "0.3 m"},
                                     {"float_vertical", "0.6 m"}, {"velocity_noise", "0.05 m/s"}};
static const rutPresetValue dgps[] = {{"period", "200 ms"},
                                      {"latency", "100 ms"},
                                      {"corrections", "dgps"},
                                      {"dgps_horizontal", "0.4 m"},
                                      {"dgps_vertical", "0.8 m"}};
static const rutPresetValue single[] = {{"period", "1 s"},
                                        {"latency", "100 ms"},
                                        {"single_horizontal", "1.5 m"},
                                        {"single_vertical", "3 m"},
                                        {"correlation_time", "300 s"}};
// 2.5 m CEP is 1.1774 standard deviations of each axis; the data sheet tells no height: twice that.
static const rutPresetValue max_m8[] = {{"period", "1 s"},
                                        {"single_horizontal", "2.12 m"},
                                        {"single_vertical", "4.2 m"},
                                        {"velocity_noise", "0.05 m/s"}};
static const rutPresetValue trimble_5700[] = {
    {"period", "100 ms"},          {"latency", "100 ms"},       {"corrections", "rtk"},
    {"fixed_horizontal", "10 mm"}, {"fixed_vertical", "20 mm"}, {"float_horizontal", "0.5 m"},
    {"float_vertical", "0.75 m"}};
static const rutPresetValue mvsim[] = {{"single_horizontal", "2 m"},
                                       {"single_vertical", "4 m"},
                                       {"white_share", "1"},
                                       {"obstructions", "false"},
                                       {"reflection", "0"}};
static const rutPreset presets[] = {
    RUT_PRESET("rtk", "two-frequency RTK receiver, as u-blox ZED-F9P: UBX-17051259", rtk),
    RUT_PRESET("dgps", "receiver with code corrections: Kaplan and Hegarty, 2006, chapter 8", dgps),
    RUT_PRESET("single", "one-frequency receiver: Kaplan and Hegarty, 2006, chapter 7", single),
    RUT_PRESET("max_m8", "one-frequency module: u-blox MAX-M8 data sheet, UBX-15031506", max_m8),
    RUT_PRESET("trimble_5700", "survey receiver with RTK: Trimble 5700 User Guide, table 9.2",
               trimble_5700),
    RUT_PRESET("mvsim", "as in MVSim: white errors, satellites that nothing hides", mvsim)};

enum { LATITUDE, LONGITUDE, ALTITUDE, POSITION, VELOCITY, DEVIATION, HDOP, VDOP, USED, FIX };
static const rutVariable outputs[] = {
    {.name = "latitude", .unit = "rad", .doc = "of the last fix, geodetic, WGS 84"},
    {.name = "longitude", .unit = "rad", .doc = "of the last fix"},
    {.name = "altitude", .unit = "m", .doc = "of the last fix, above the ellipsoid"},
    {.name = "position",
     .unit = "m",
     .shape = "3",
     .frame = "world",
     .doc = "the same in the axes of the world"},
    {.name = "velocity", .unit = "m/s", .shape = "3", .frame = "world", .doc = "of the last fix"},
    {.name = "standard_deviation",
     .unit = "m",
     .shape = "3",
     .doc = "of the position east, north and up; 0 without a fix or noise"},
    {.name = "hdop", .unit = "", .doc = "horizontal dilution of precision, 0 without a fix"},
    {.name = "vdop", .unit = "", .doc = "vertical dilution of precision, 0 without a fix"},
    {.name = "satellites", .unit = "", .doc = "number of satellites received", .type = RUT_U8},
    {.name = "fix",
     .unit = "",
     .doc = "0 none, 1 single, 2 dgps, 3 float, 4 fixed",
     .type = RUT_U8}};

typedef struct GnssState {
  double axis_error[AXES];             // Gauss-Markov processes of variance 1: east, north, up
  double range_error[RUT_SATELLITES];  // likewise, of each satellite
  double time;                         // of the last sample [s]
  double fix;                          // of the last sample
  double position[AXES];               // of the last fix, world [m]
  double velocity[AXES];
} GnssState;
static const rutVariable states[] = {
    {.name = "axis_error",
     .unit = "",
     .shape = "3",
     .doc = "slow errors east, north and up over their standard deviations"},
    {.name = "range_error",
     .unit = "",
     .shape = "24",
     .doc = "slow errors of the ranges over their standard deviation"},
    {.name = "time", .unit = "s", .doc = "of the last sample"},
    {.name = "last_fix", .unit = "", .doc = "kind of fix of the last sample"},
    {.name = "last_position",
     .unit = "m",
     .shape = "3",
     .frame = "world",
     .doc = "of the last fix"},
    {.name = "last_velocity",
     .unit = "m/s",
     .shape = "3",
     .frame = "world",
     .doc = "of the last fix"}};

// Normal numbers of a sample: each kind has its own, whatever else is drawn.
enum {
  NORMAL_AXIS_STEP = 0,
  NORMAL_AXIS_WHITE = NORMAL_AXIS_STEP + AXES,
  NORMAL_VELOCITY = NORMAL_AXIS_WHITE + AXES,
  NORMAL_RANGE_STEP = NORMAL_VELOCITY + AXES,
  NORMAL_RANGE_WHITE = NORMAL_RANGE_STEP + RUT_SATELLITES,
  NORMALS = NORMAL_RANGE_WHITE + RUT_SATELLITES
};

// ---- the earth around the world ----

// The tangent plane at the world's origin, and the axes of the world from it: columns are the
// world's x, y and z as east, north and up.
typedef struct Earth {
  rutTangentPlane plane;
  rutMat3 world;
} Earth;

// A world without a place on earth lies where the equator meets the prime meridian.
static Earth earth_of(const rutSite* site) {
  const bool placed = site->latitude == site->latitude && site->longitude == site->longitude;
  const rutGeodetic origin = {site->latitude, site->longitude, site->altitude};
  const rutGeodetic nowhere = {0, 0, 0};
  return (Earth){rut_tangent_plane(placed ? origin : nowhere),
                 rut_mat3_of_rpy(0, 0, placed ? site->rotation : 0)};
}

static rutVec3 enu_of_world(const Earth* earth, const double world[3]) {
  return rut_mat3_apply(earth->world, rut_vec3_of(world));
}

// ---- satellites ----

typedef struct Sky {
  int open, used;  // satellites above the mask, and those received
  rutVec3 open_direction[RUT_SATELLITES], direction[RUT_SATELLITES];  // east, north, up
  rutVec3 satellite[RUT_SATELLITES];                                  // ECEF, of those received [m]
  int number[RUT_SATELLITES];     // of those received, in the constellation
  double extra[RUT_SATELLITES];   // path of their reflections, negative: none [m]
  bool indirect[RUT_SATELLITES];  // received by that alone
} Sky;

// Distance along rays from the antenna to what they meet, negative where the sky is free.
static void look(const GnssParam* p, const rutSensorIn* in, const Earth* earth, const Sky* sky,
                 double range[RUT_SATELLITES]) {
  double at[3][RUT_SATELLITES], along[3][RUT_SATELLITES];
  for (int i = 0; i < sky->open; i++) {
    double d[3];
    rut_vec3_put(rut_mat3_apply_transposed(earth->world, sky->open_direction[i]), d);
    for (int k = 0; k < 3; k++) {
      at[k][i] = in->motion.position[k];
      along[k][i] = d[k];
    }
  }
  const rutRays rays = {.n = sky->open,
                        .x = at[0],
                        .y = at[1],
                        .z = at[2],
                        .dx = along[0],
                        .dy = along[1],
                        .dz = along[2],
                        .max_range = p->obstruction_range,
                        .bodies = true,
                        .ground = true,
                        .skip_vehicle = in->vehicle};
  in->cast(in->host, &rays, &(rutRayHits){.range = range});
}

// How much longer reflections of the satellites above the mask are, negative without one.
static void find_reflections(const GnssParam* p, const rutSensorIn* in, const Earth* earth,
                             const Sky* sky, double extra[RUT_SATELLITES]) {
  const rutMirrors mirrors = {p->reflection_range, p->obstruction_range};
  rutVec3 direction[RUT_SATELLITES];
  for (int i = 0; i < sky->open; i++) {
    extra[i] = -1;
    direction[i] = rut_mat3_apply_transposed(earth->world, sky->open_direction[i]);
  }
  if (in->exact || p->reflection == 0 || p->obstructions == 0) return;
  rut_reflected_paths(in, &mirrors, sky->open, direction, extra);
}

static void find_satellites(const GnssParam* p, const rutSensorIn* in, const Earth* earth,
                            Sky* sky) {
  rutVec3 all[RUT_SATELLITES], above[RUT_SATELLITES];
  int number[RUT_SATELLITES];
  double range[RUT_SATELLITES], extra[RUT_SATELLITES];
  rut_satellites(p->constellation_time + in->time, all);
  const rutVec3 antenna = enu_of_world(earth, in->motion.position);
  const double lowest = rut_sin(p->elevation_mask);
  sky->open = sky->used = 0;
  for (int i = 0; i < RUT_SATELLITES; i++) {
    const rutVec3 to = rut_vec3_sub(rut_enu_of_ecef(&earth->plane, all[i]), antenna);
    const rutVec3 direction = rut_vec3_unit(to);
    if (direction.z < lowest) continue;
    number[sky->open] = i;
    above[sky->open] = all[i];
    sky->open_direction[sky->open++] = direction;
  }
  if (in->site.no_gps) return;
  if (p->obstructions != 0) look(p, in, earth, sky, range);
  find_reflections(p, in, earth, sky, extra);
  for (int i = 0; i < sky->open; i++) {
    const bool hidden = p->obstructions != 0 && range[i] >= 0;
    if (hidden && (extra[i] < 0 || p->corrections == RTK)) continue;
    sky->number[sky->used] = number[i];
    sky->extra[sky->used] = extra[i];
    sky->indirect[sky->used] = hidden;
    sky->satellite[sky->used] = above[i];
    sky->direction[sky->used++] = sky->open_direction[i];
  }
}

// ---- errors ----

// Advance Gauss-Markov processes of variance 1 by a time.
static void advance(int n, double dt, double tau, const double* normal, double* b) {
  for (int i = 0; i < n; i++) b[i] = rut_gauss_markov(b[i], 1, tau, dt, normal[i]);
}

static double mixed(const GnssParam* p, double slow, double white) {
  return rut_sqrt(1 - p->white_share) * slow + rut_sqrt(p->white_share) * white;
}

// Whether an event that happens once in a mean time happens within dt; u is uniform.
static bool happens(double dt, double mean_time, double u) {
  return u < -rut_expm1(-dt / mean_time);
}

// Carrier phase ambiguities are resolved, and lost again, at random (a Markov chain).
static Fix next_fix(const GnssParam* p, int satellites, Fix last, double dt, double u) {
  if (p->solution != 0 || p->corrections == WITHOUT) return FIX_SINGLE;
  if (p->corrections == DGPS) return FIX_DGPS;
  if (satellites < (int)p->fixed_satellites) return FIX_FLOAT;
  if (last == FIX_FIXED) {
    return p->fixed_time > 0 && happens(dt, p->fixed_time, u) ? FIX_FLOAT : FIX_FIXED;
  }
  return p->float_time == 0 || happens(dt, p->float_time, u) ? FIX_FIXED : FIX_FLOAT;
}

// Standard deviations east, north and up in the open.
static void deviation_of(const GnssParam* p, Fix fix, double s[AXES]) {
  const double horizontal[FIXES] = {0, p->single_horizontal, p->dgps_horizontal,
                                    p->float_horizontal, p->fixed_horizontal};
  const double vertical[FIXES] = {0, p->single_vertical, p->dgps_vertical, p->float_vertical,
                                  p->fixed_vertical};
  s[0] = s[1] = horizontal[fix];
  s[2] = vertical[fix];
}

// How far a position can be trusted.
typedef struct Geometry {
  double dilution[AXES];  // east, north, up
  double ratio[AXES];     // of them to those in the open
} Geometry;

// False where the satellites do not give a position.
static bool find_geometry(const GnssParam* p, const Sky* sky, Geometry* out) {
  rutDilution open, used;
  if (!rut_dilution(sky->open, sky->open_direction, &open)) return false;
  if (!rut_dilution(sky->used, sky->direction, &used)) return false;
  *out = (Geometry){{used.x, used.y, used.z}, {used.x / open.x, used.y / open.y, used.z / open.z}};
  return rut_sqrt(used.x * used.x + used.y * used.y + used.z * used.z) <= p->max_pdop;
}

// ---- samples ----

// What one sample is made of.
typedef struct Epoch {
  const GnssParam* p;
  const rutSensorIn* in;
  Earth earth;
  Sky sky;
  Geometry geometry;
  double normal[NORMALS];
} Epoch;

static void start(const void* param, const rutSensorIn* in, double* state) {
  const GnssParam* p = param;
  GnssState* s = (GnssState*)(void*)state;
  in->normals(in->host, NORMAL_AXIS_STEP, AXES, s->axis_error);
  in->normals(in->host, NORMAL_RANGE_STEP, RUT_SATELLITES, s->range_error);
  s->fix = p->corrections == RTK ? FIX_FIXED : FIX_NONE;
}

// Error of the range to a satellite received, by multipath [m].
static double multipath(const GnssParam* p, const Sky* sky, Fix fix, int i) {
  if (sky->extra[i] < 0) return 0;
  if (sky->indirect[i]) return sky->extra[i];
  return fix == FIX_FIXED ? rut_carrier_multipath(p->reflection, sky->extra[i])
                          : rut_code_multipath(p->reflection, sky->extra[i], p->correlator_spacing);
}

// What that does to the position, east, north, up.
static rutVec3 multipath_shift(const GnssParam* p, const Sky* sky, Fix fix) {
  double error[RUT_SATELLITES];
  rutVec3 shift = {0};
  for (int i = 0; i < sky->used; i++) error[i] = multipath(p, sky, fix, i);
  rut_position_error(sky->used, sky->direction, error, &shift);
  return shift;
}

// Position from ranges with errors, by a receiver whose clock is 1 ms late.
static bool solve_ranges(const Epoch* e, const GnssState* s, rutVec3 antenna, rutVec3* enu) {
  const double clock_error = 299792.458;  // [m]
  const rutVec3 truth = rut_ecef_of_enu(&e->earth.plane, antenna);
  const double* white = e->normal + NORMAL_RANGE_WHITE;
  double range[RUT_SATELLITES], clock;
  for (int i = 0; i < e->sky.used; i++) {
    const int k = e->sky.number[i];
    range[i] = rut_vec3_norm(rut_vec3_sub(e->sky.satellite[i], truth)) + clock_error +
               e->p->range_error * mixed(e->p, s->range_error[k], white[k]) +
               multipath(e->p, &e->sky, FIX_SINGLE, i);
  }
  rutVec3 found = e->earth.plane.origin;
  if (!rut_pseudorange_solve(e->sky.used, e->sky.satellite, range, &found, &clock)) return false;
  *enu = rut_enu_of_ecef(&e->earth.plane, found);
  return true;
}

// Measured position and its standard deviations. False without a fix.
static bool measure_position(const Epoch* e, GnssState* s, double deviation[AXES]) {
  const GnssParam* p = e->p;
  const rutVec3 antenna = enu_of_world(&e->earth, e->in->motion.position);
  double at[AXES];
  rut_vec3_put(antenna, at);
  if (p->solution != 0) {
    rutVec3 found;
    if (!solve_ranges(e, s, antenna, &found)) return false;
    rut_vec3_put(found, at);
    for (int i = 0; i < AXES; i++) deviation[i] = p->range_error * e->geometry.dilution[i];
  } else {
    double shift[AXES];
    rut_vec3_put(multipath_shift(p, &e->sky, (Fix)s->fix), shift);
    deviation_of(p, (Fix)s->fix, deviation);
    for (int i = 0; i < AXES; i++) {
      deviation[i] *= e->geometry.ratio[i];
      at[i] += shift[i];
      at[i] += deviation[i] * mixed(p, s->axis_error[i], e->normal[NORMAL_AXIS_WHITE + i]);
    }
  }
  rut_vec3_put(rut_mat3_apply_transposed(e->earth.world, rut_vec3_of(at)), s->position);
  return true;
}

static void measure_velocity(const Epoch* e, GnssState* s) {
  const double* q = e->in->motion.attitude;
  const rutVec3 world =
      rut_quat_rotate(rut_quat(q[0], q[1], q[2], q[3]), rut_vec3_of(e->in->motion.velocity));
  double error[AXES];
  for (int i = 0; i < AXES; i++) {
    error[i] = e->p->velocity_noise * e->geometry.ratio[i] * e->normal[NORMAL_VELOCITY + i];
  }
  const rutVec3 turned = rut_mat3_apply_transposed(e->earth.world, rut_vec3_of(error));
  rut_vec3_put(rut_vec3_add(world, turned), s->velocity);
}

static void write_last_fix(const GnssState* s, const Earth* earth, void* const* out) {
  const rutVec3 enu = enu_of_world(earth, s->position);
  const rutGeodetic at = rut_geodetic_of_ecef(rut_ecef_of_enu(&earth->plane, enu));
  *(double*)out[LATITUDE] = at.latitude;
  *(double*)out[LONGITUDE] = at.longitude;
  *(double*)out[ALTITUDE] = at.height;
  memcpy(out[POSITION], s->position, sizeof s->position);
  memcpy(out[VELOCITY], s->velocity, sizeof s->velocity);
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const GnssParam* p = param;
  GnssState* s = (GnssState*)(void*)state;
  Epoch e = {.p = p, .in = in, .earth = earth_of(&in->site)};
  const double dt = in->time - s->time;
  double uniform, deviation[AXES] = {0};
  (void)scratch;
  in->normals(in->host, 0, NORMALS, e.normal);
  in->uniforms(in->host, 0, 1, &uniform);
  advance(AXES, dt, p->correlation_time, e.normal + NORMAL_AXIS_STEP, s->axis_error);
  advance(RUT_SATELLITES, dt, p->correlation_time, e.normal + NORMAL_RANGE_STEP, s->range_error);
  s->time = in->time;

  find_satellites(p, in, &e.earth, &e.sky);
  const bool determined = find_geometry(p, &e.sky, &e.geometry);
  s->fix = determined ? next_fix(p, e.sky.used, (Fix)s->fix, dt, uniform) : FIX_NONE;
  if (in->exact && s->fix == FIX_FLOAT) s->fix = FIX_FIXED;
  if (determined && !measure_position(&e, s, deviation)) s->fix = FIX_NONE;
  if (s->fix > 0) measure_velocity(&e, s);

  const double* d = e.geometry.dilution;
  write_last_fix(s, &e.earth, out);
  for (int i = 0; i < AXES; i++) ((double*)out[DEVIATION])[i] = in->exact ? 0 : deviation[i];
  *(double*)out[HDOP] = s->fix > 0 ? rut_hypot(d[0], d[1]) : 0;
  *(double*)out[VDOP] = s->fix > 0 ? d[2] : 0;
  *(unsigned char*)out[USED] = (unsigned char)e.sky.used;
  *(unsigned char*)out[FIX] = (unsigned char)s->fix;
}

extern const rutSensorType rut_sensor_gnss;
const rutSensorType rut_sensor_gnss = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "gnss", "vehicle world",
                      "Receiver of satellite positioning (GPS), with DGPS or RTK corrections: "
                      "position and velocity of its antenna with Gauss-Markov and white errors, "
                      "scaled by the dilution of precision of those satellites that terrain, "
                      "walls and vehicles do not hide. <region no_gps> hides all of them.",
                      fields),
             .state = states, .states = RUT_COUNT_OF(states), RUT_PRESETS(presets)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .form = RUT_FORM_NAV_SAT_FIX,
    .uses = RUT_USES_SITE | RUT_USES_MOTION,
    .start = start,
    .sample = sample,
};
