// SPDX-License-Identifier: BSD-3-Clause
//
// Metrics of manoeuvres, from the outputs after each step.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/seat.h"
#include "math/rut_math.h"
#include "rut/host.h"

enum { MAX_WHEELS = 16, NAME_SIZE = 48, SLIPS = 6, SPEEDS = 4, CORNERS = 4 };
// Accelerations, roll rates and loads pass this, as in ISO 7401 and in Chrono's records [Hz].
static const double CUTOFF = 10;
static const double RUN_UP = 1;         // start of manoeuvres that do not give one [s]
static const double REST_TIME = 0.5;    // over which loads before the beginning are averaged [s]
static const double STEADY_PART = 0.2;  // of the run at its end that counts as steady
static const double slips[SLIPS] = {0.02, 0.05, 0.1, 0.2, 0.3, 0.5};
static const double speeds[SPEEDS] = {5, 10, 15, 20};

// ---- signals ----

// Butterworth filter of order 4 as two sections of order 2.
typedef struct Section {
  double b, a1, a2;
} Section;
typedef struct Filter {
  double x1[2], x2[2], y1[2], y2[2];
  bool begun;
} Filter;

static void design(double dt, double cutoff, Section section[2]) {
  // at coarse steps the cut-off stays below the Nyquist frequency, 0.5/dt
  const double k = rut_tan(RUT_PI * rut_min(cutoff * dt, 0.4));
  for (int i = 0; i < 2; i++) {
    const double damping = 2 * rut_cos(RUT_PI * (2 * i + 1) / 8);
    const double norm = 1 / (1 + k * damping + k * k);
    section[i] = (Section){k * k * norm, 2 * (k * k - 1) * norm, (1 - k * damping + k * k) * norm};
  }
}

// Begins at rest at the first value.
static double filter(Filter* f, const Section section[2], double x) {
  for (int i = 0; i < 2; i++) {
    if (!f->begun) f->x1[i] = f->x2[i] = f->y1[i] = f->y2[i] = x;
    const Section* s = &section[i];
    const double y = s->b * (x + 2 * f->x1[i] + f->x2[i]) - s->a1 * f->y1[i] - s->a2 * f->y2[i];
    f->x2[i] = f->x1[i];
    f->x1[i] = x;
    f->y2[i] = f->y1[i];
    f->y1[i] = y;
    x = y;
  }
  f->begun = true;
  return x;
}

typedef struct Range {
  double least, most;
} Range;
static const Range nothing = {RUT_INFINITY, -RUT_INFINITY};

static void widen(Range* range, double value) {
  range->least = rut_min(range->least, value);
  range->most = rut_max(range->most, value);
}

typedef struct Mean {
  double sum, weight;
} Mean;

static void average(Mean* mean, double value, double weight) {
  mean->sum += weight * value;
  mean->weight += weight;
}
static double mean_of(const Mean* mean) {
  return mean->weight > 0 ? mean->sum / mean->weight : RUT_NAN;
}

// ---- one vehicle ----

// Names of the driver's manoeuvres, in any order.
typedef enum Manoeuvre {
  NONE,
  STRAIGHT,
  STEP_STEER,
  CIRCLE,
  NATO,
  ISO,
  ACCELERATION,
  BRAKING,
  PATH,
  MANOEUVRES
} Manoeuvre;
static const char* const words[MANOEUVRES] = {"none",
                                              "straight",
                                              "step_steer",
                                              "circle",
                                              "double_lane_change_nato",
                                              "double_lane_change_iso",
                                              "acceleration",
                                              "braking",
                                              "path"};

typedef struct Lane {
  double from, to, middle, width;  // along the course and across [m]
} Lane;

typedef struct Vehicle {
  int index, first_wheel, wheels;
  bool on_axles, watched, pulls, counts;  // counts: the manoeuvre has begun
  Manoeuvre manoeuvre;
  double start_time, steer_time, side, radius, start_distance, length, width;
  double hitch_force, hitch_ramp, hitch_start, weight;
  double front_x, rear_x, track;
  int side_of[MAX_WHEELS];
  Lane lane[3];
  int lanes;
  double x0, y0, cosine, sine;  // pose at the start

  double velocity[3], time;  // at the last step
  rutSeat seat;
  Filter lateral, vertical, roll_rate, load[MAX_WHEELS], slip;
  Range ay, az, roll, pitch, rolling, yaw_rate, transfer, over[MAX_WHEELS], offset, radius_error;
  Mean before, after;
  Mean steady_ay, steady_yaw_rate, steady_roll, steady_speed, steady_radius;
  double at_rest[MAX_WHEELS];      // loads before the beginning [N]
  double clearance;                // least distance to a lane's edge, negative beyond it [m]
  double reached[SPEEDS];          // times since start_time [s]
  double begun, from_speed, stop;  // braking: time of the start, speed, distance [m]
  double stopped, travelled;       // time [s]; way since start_time [m]
  double grade, pull[SLIPS], most_pull, scraped;  // scraped: work of the chassis on the ground [J]
  double risen, settles;                          // time to 90 % of the steady yaw rate [s]
  double* history;                                // yaw rates of a step steer, one per step
  int64_t samples, capacity;
} Vehicle;

struct rutMetrics {
  int vehicles, capacity;
  double dt, duration;
  Section section[2], slow[2];
  bool started, has_ruts;
  Vehicle* vehicle;  // those on axles, in order of index
};

// A vehicle that can be watched, NULL if it is planar.
static Vehicle* find_vehicle(const rutMetrics* m, int index) {
  int low = 0, high = m->vehicles;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (m->vehicle[middle].index < index) low = middle + 1;
    if (m->vehicle[middle].index >= index) high = middle;
  }
  return low < m->vehicles && m->vehicle[low].index == index ? &m->vehicle[low] : NULL;
}

// Room for one more; NULL if out of memory.
static Vehicle* add_vehicle(rutMetrics* m) {
  if (m->vehicles == m->capacity) {
    const int capacity = m->capacity ? 2 * m->capacity : 1;
    Vehicle* grown = realloc(m->vehicle, (size_t)capacity * sizeof *grown);
    if (!grown) return NULL;
    m->vehicle = grown;
    m->capacity = capacity;
  }
  return &m->vehicle[m->vehicles++];
}

static double field(const rutSpec* spec, rutNode node, const char* name) {
  return rut_node_is_null(node) ? RUT_NAN : rut_node_number(spec, node, name);
}

static void read_driver(Vehicle* v, const rutSpec* spec, rutNode node) {
  const rutNode driver = rut_node_first(spec, node, "controller");
  // a controller that knows manoeuvres says which in a field of this name
  const char* word = rut_node_is_null(driver) ? "" : rut_node_text(spec, driver, "manoeuvre");
  if (!word[0]) return;
  for (int i = 0; i < MANOEUVRES; i++) {
    if (strcmp(word, words[i]) == 0) v->manoeuvre = (Manoeuvre)i;
  }
  v->start_time = field(spec, driver, "start_time");
  v->steer_time = field(spec, driver, "steer_time");
  v->start_distance = field(spec, driver, "start_distance");
  v->radius = field(spec, driver, "radius");
  v->length = field(spec, driver, "length");
  v->width = field(spec, driver, "width");
  v->side = strcmp(rut_node_text(spec, driver, "side"), "right") == 0 ? -1 : 1;
  v->watched = v->manoeuvre != NONE;
}

static void read_hitch(Vehicle* v, const rutSpec* spec, rutNode node) {
  const rutNode hitch = rut_node_first(spec, node, "hitch");
  if (rut_node_is_null(hitch)) return;
  v->hitch_force = field(spec, hitch, "force");
  v->hitch_ramp = field(spec, hitch, "ramp");
  v->hitch_start = field(spec, hitch, "start");
  v->pulls = v->hitch_force > 0;
  v->watched = v->watched || v->pulls;
}

// Places of the axles; wheels come axle by axle, the left one first.
static void read_axles(Vehicle* v, const rutSpec* spec, rutNode node) {
  int w = 0;
  v->front_x = -RUT_INFINITY;
  v->rear_x = RUT_INFINITY;
  for (rutNode axle = rut_node_first(spec, node, "axle"); !rut_node_is_null(axle);
       axle = rut_node_next(spec, axle, "axle")) {
    const double x = field(spec, axle, "x"), track = field(spec, axle, "track");
    v->front_x = rut_max(v->front_x, x);
    v->rear_x = rut_min(v->rear_x, x);
    v->track = rut_max(v->track, track);
    if (w < MAX_WHEELS) v->side_of[w++] = track > 0 ? 1 : 0;
    if (track > 0 && w < MAX_WHEELS) v->side_of[w++] = -1;
  }
  v->on_axles = w > 0 && v->wheels <= MAX_WHEELS;
  if (!v->on_axles) v->watched = v->pulls = false;
}

// Lanes of a double lane change; their edges on one side are 3.5 m apart (NATO AVTP 03-160W, ISO
// 3888-1).
static void lay_lanes(Vehicle* v) {
  const bool iso = v->manoeuvre == ISO;
  if (v->manoeuvre != NATO && !iso) return;
  const double w = v->width, first = iso ? 30 : v->length + 24, back = iso ? 25 : v->length + 24;
  const double a = v->start_distance, b = a + 15 + first, c = b + 25 + back;
  v->lane[0] = (Lane){a, a + 15, 0, 1.1 * w + 0.25};
  v->lane[1] = (Lane){b, b + 25, v->side * (3.5 + 0.05 * w), 1.2 * w + 0.25};
  v->lane[2] = (Lane){c, c + (iso ? 30 : 15), v->side * 0.1 * w, 1.3 * w + 0.25};
  v->lanes = 3;
}

static rutStatus begin(const rutMetrics* m, Vehicle* v, const rutModel* model, const rutData* data,
                       rutError* err) {
  const rutVehicleState s = rut_vehicle_state(model, data, v->index);
  v->x0 = s.position[0];
  v->y0 = s.position[1];
  v->cosine = rut_cos(s.yaw);
  v->sine = rut_sin(s.yaw);
  v->weight = rut_vehicle_info(model, v->index).mass * v->seat.gravity;
  v->time = rut_time(data);
  memcpy(v->velocity, s.com_velocity, sizeof v->velocity);
  v->ay = v->az = v->roll = v->pitch = v->rolling = v->yaw_rate = v->transfer = nothing;
  v->offset = v->radius_error = nothing;
  for (int i = 0; i < MAX_WHEELS; i++) v->over[i] = nothing;
  for (int i = 0; i < SPEEDS; i++) v->reached[i] = RUT_NAN;
  for (int i = 0; i < SLIPS; i++) v->pull[i] = RUT_NAN;
  v->begun = v->stopped = v->risen = RUT_NAN;
  v->clearance = RUT_INFINITY;
  v->grade = -RUT_INFINITY;
  v->settles = m->duration * (1 - STEADY_PART);
  return rut_seat_begin(&v->seat, m->dt, err);
}

rutStatus rut_metrics_create(const rutSpec* spec, const rutModel* model, const rutData* data,
                             double duration, rutMetrics** out, rutError* err) {
  *out = NULL;
  rutMetrics* m = calloc(1, sizeof *m);
  if (!m) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for metrics");
  *m = (rutMetrics){.dt = rut_model_timestep(model), .duration = duration};
  design(m->dt, CUTOFF, m->section);
  design(m->dt, 1, m->slow);
  const int vehicles = rut_count(model, RUT_VEHICLE);
  for (int i = 0; i < vehicles; i++) {
    const rutVehicleInfo info = rut_vehicle_info(model, i);
    const rutNode node = rut_spec_find(spec, info.name);
    if (rut_node_is_null(rut_node_first(spec, node, "axle"))) continue;
    Vehicle* v = add_vehicle(m);
    if (!v) {
      rut_metrics_destroy(m);
      return rut_error_set(err, RUT_ERR_MEMORY, "no memory for metrics");
    }
    *v = (Vehicle){.index = i, .first_wheel = info.first_wheel, .wheels = info.wheels, .side = 1};
    read_driver(v, spec, node);
    read_hitch(v, spec, node);
    read_axles(v, spec, node);
    v->seat = rut_seat_of(spec, node);
    if (!v->watched) continue;
    lay_lanes(v);
    const rutStatus status = begin(m, v, model, data, err);
    if (status != RUT_OK) {
      rut_metrics_destroy(m);
      return status;
    }
  }
  *out = m;
  return RUT_OK;
}

rutStatus rut_metrics_watch(rutMetrics* m, const rutModel* model, const rutData* data, int vehicle,
                            rutError* err) {
  Vehicle* v = find_vehicle(m, vehicle);
  if (!v || !v->on_axles) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "%d is no vehicle on axles", vehicle);
  }
  if (v->watched) return RUT_OK;
  v->watched = true;
  return begin(m, v, model, data, err);
}

void rut_metrics_destroy(rutMetrics* m) {
  if (!m) return;
  for (int i = 0; i < m->vehicles; i++) {
    free(m->vehicle[i].history);
    rut_seat_end(&m->vehicle[i].seat);
  }
  free(m->vehicle);
  free(m);
}

// ---- after each step ----

// Metrics of every vehicle: accelerations, attitude, loads.
static void watch_body(const rutMetrics* m, Vehicle* v, const rutVehicleState* s) {
  const double dt = m->dt;
  const double c = rut_cos(s->yaw), n = rut_sin(s->yaw);
  const double a[3] = {(s->com_velocity[0] - v->velocity[0]) / dt,
                       (s->com_velocity[1] - v->velocity[1]) / dt,
                       (s->com_velocity[2] - v->velocity[2]) / dt};
  memcpy(v->velocity, s->com_velocity, sizeof v->velocity);
  const double ay = filter(&v->lateral, m->section, c * a[1] - n * a[0]);
  const double az = filter(&v->vertical, m->section, a[2]);
  const double rolling = filter(&v->roll_rate, m->section, s->rate[0]);
  if (!v->counts) return;
  widen(&v->ay, ay);
  widen(&v->az, az);
  widen(&v->rolling, rolling);
  widen(&v->roll, s->roll);
  widen(&v->pitch, s->pitch);
  widen(&v->yaw_rate, s->rate[2]);
  if (v->time < v->settles) return;
  average(&v->steady_ay, ay, 1);
  average(&v->steady_yaw_rate, s->rate[2], 1);
  average(&v->steady_roll, s->roll, 1);
  average(&v->steady_speed, rut_hypot(s->velocity[0], s->velocity[1]), 1);
}

static void watch_loads(const rutMetrics* m, Vehicle* v, const rutModel* model,
                        const rutData* data) {
  double sum[3] = {0};
  for (int i = 0; i < v->wheels; i++) {
    const double load = rut_wheel_state(model, data, v->first_wheel + i).load;
    double* rest = &v->at_rest[i];
    const bool first = !v->load[i].begun;
    const double smooth = filter(&v->load[i], m->section, load);
    sum[1 + v->side_of[i]] += smooth;
    if (first) *rest = load;
    if (!v->counts) *rest += (load - *rest) * rut_min(m->dt / REST_TIME, 1);
    // the filter undershoots below zero after a wheel has left the ground
    if (v->counts && *rest > 0) widen(&v->over[i], rut_max(smooth, 0) / *rest);
  }
  const double all = sum[0] + sum[1] + sum[2];
  if (v->counts && all > 0.1 * v->weight) widen(&v->transfer, (sum[0] - sum[2]) / all);
}

// Pull at the hitch, over the mean slip of the wheels.
static void watch_pull(const rutMetrics* m, Vehicle* v, const rutModel* model, const rutData* data,
                       const rutVehicleState* s) {
  double slip = 0;
  for (int i = 0; i < v->wheels; i++) {
    slip += rut_wheel_state(model, data, v->first_wheel + i).slip[0] / v->wheels;
  }
  const double since = v->time - v->hitch_start, smooth = filter(&v->slip, m->slow, slip);
  const double ramp = v->hitch_ramp > 0 ? v->hitch_ramp * since : v->hitch_force;
  const double force = rut_min(v->hitch_force, ramp);
  if (s->velocity[0] < 0.1 || since < 0) return;
  v->most_pull = rut_max(v->most_pull, force);
  for (int i = 0; i < SLIPS; i++) {
    if (isnan(v->pull[i]) && smooth >= slips[i]) v->pull[i] = force;
  }
}

// Position in the frame of the start.
static void place(const Vehicle* v, const rutVehicleState* s, double* x, double* y) {
  const double dx = s->position[0] - v->x0, dy = s->position[1] - v->y0;
  *x = v->cosine * dx + v->sine * dy;
  *y = v->cosine * dy - v->sine * dx;
}

// True once the manoeuvre has begun, after the run-up.
static bool begins(const Vehicle* v, const rutVehicleState* s) {
  double x, y;
  place(v, s, &x, &y);
  switch (v->manoeuvre) {
    case STEP_STEER:
    case ACCELERATION:
    case BRAKING:
      return v->time >= v->start_time - 1e-9;
    case CIRCLE:
    case NATO:
    case ISO:
      return x >= v->start_distance;
    default:
      return v->time >= (v->pulls ? v->hitch_start : RUN_UP);
  }
}

// Least distance of a corner of the vehicle to the edges of the lanes that it is in.
static void watch_lanes(Vehicle* v, const rutVehicleState* s, double x, double y) {
  const double turn = rut_atan2(v->cosine * rut_sin(s->yaw) - v->sine * rut_cos(s->yaw),
                                v->cosine * rut_cos(s->yaw) + v->sine * rut_sin(s->yaw));
  const double c = rut_cos(turn), n = rut_sin(turn);
  for (int corner = 0; corner < CORNERS; corner++) {
    const double ahead = (corner < 2 ? 0.5 : -0.5) * v->length;
    const double left = (corner % 2 ? -0.5 : 0.5) * v->width;
    const double at = x + c * ahead - n * left, across = y + n * ahead + c * left;
    for (int i = 0; i < v->lanes; i++) {
      const Lane* lane = &v->lane[i];
      if (at < lane->from || at > lane->to) continue;
      v->clearance = rut_min(v->clearance, 0.5 * lane->width - rut_abs(across - lane->middle));
    }
  }
}

static void watch_course(Vehicle* v, const rutVehicleState* s) {
  double x, y;
  place(v, s, &x, &y);
  if (v->manoeuvre == CIRCLE) {
    const double radius = rut_hypot(x - v->start_distance, y - v->side * v->radius);
    widen(&v->radius_error, radius - v->radius);
    if (v->time >= v->settles) average(&v->steady_radius, radius, 1);
  } else if (v->lanes > 0) {
    watch_lanes(v, s, x, y);
  } else if (v->manoeuvre != STEP_STEER && v->manoeuvre != PATH &&
             (v->manoeuvre != NONE || v->pulls)) {
    widen(&v->offset, y);
  }
}

static void watch_speed(const rutMetrics* m, Vehicle* v, const rutVehicleState* s) {
  const double speed = s->velocity[0], since = v->time - v->start_time;
  if (since < -1e-9) return;
  if (isnan(v->begun)) {
    v->begun = v->time;
    v->from_speed = rut_hypot(s->velocity[0], s->velocity[1]);
  }
  if (isnan(v->stopped)) v->travelled += m->dt * rut_hypot(s->velocity[0], s->velocity[1]);
  if (v->manoeuvre == BRAKING && isnan(v->stopped) && speed < 0.05) {
    v->stopped = v->time;
    v->stop = v->travelled;
  }
  for (int i = 0; i < SPEEDS; i++) {
    if (isnan(v->reached[i]) && speed >= speeds[i]) v->reached[i] = since;
  }
}

// Steepest ground on which the vehicle still moved forward.
static void watch_grade(Vehicle* v, const rutModel* model, const rutData* data,
                        const rutVehicleState* s) {
  if (s->velocity[0] < 0.1) return;
  double z, gx, gy;
  rut_terrain_surface(model, data, &(rutGroundPoints){1, &s->position[0], &s->position[1]},
                      &s->position[2], &(rutGroundSurface){&z, &gx, &gy});
  v->grade = rut_max(v->grade, rut_cos(s->yaw) * gx + rut_sin(s->yaw) * gy);
}

// How much lower the ground is in the tracks than beside them, ahead of and behind the vehicle.
static void watch_ruts(Vehicle* v, const rutModel* model, const rutData* data,
                       const rutVehicleState* s) {
  if (s->velocity[0] < 0.1 || v->track <= 0) return;
  const double c = rut_cos(s->yaw), n = rut_sin(s->yaw);
  const double along[2] = {v->front_x + 1.5, v->rear_x - 1.5};
  double lower[2] = {0};
  for (int place_of = 0; place_of < 2; place_of++) {
    for (int side = -1; side <= 1; side += 2) {
      double z[2], gx[2], gy[2], x[2], y[2], below[2];
      for (int beside = 0; beside < 2; beside++) {
        const double across = side * (0.5 * v->track + beside * 1.5);
        x[beside] = s->position[0] + c * along[place_of] - n * across;
        y[beside] = s->position[1] + n * along[place_of] + c * across;
        below[beside] = s->position[2] + 1;
      }
      rut_terrain_surface(model, data, &(rutGroundPoints){2, x, y}, below,
                          &(rutGroundSurface){z, gx, gy});
      lower[place_of] += 0.5 * (z[1] - z[0]);
    }
  }
  average(&v->before, lower[0], s->velocity[0]);
  average(&v->after, lower[1], s->velocity[0]);
}

// Keep the yaw rates of a step steer: their steady value is known at the end only.
static void keep(Vehicle* v, double yaw_rate) {
  if (v->samples == v->capacity) {
    const int64_t capacity = v->capacity ? 2 * v->capacity : 4096;
    double* grown = realloc(v->history, (size_t)capacity * sizeof *grown);
    if (!grown) return;
    v->history = grown;
    v->capacity = capacity;
  }
  v->history[v->samples++] = yaw_rate;
}

void rut_metrics_step(rutMetrics* m, const rutModel* model, const rutData* data) {
  // measuring all ruts is slow
  rutRuts ruts;
  if (!m->started) m->has_ruts = rut_ruts(model, data, &ruts);
  m->started = true;
  for (int i = 0; i < m->vehicles; i++) {
    Vehicle* v = &m->vehicle[i];
    if (!v->watched) continue;
    const rutVehicleState s = rut_vehicle_state(model, data, v->index);
    v->time = rut_time(data);
    const bool begun = v->counts;
    v->counts = v->counts || begins(v, &s);
    if (v->counts && !begun) rut_ride_begin(v->seat.ride);
    rut_seat_add(&v->seat, model, data, v->index);
    watch_body(m, v, &s);
    watch_loads(m, v, model, data);
    if (v->pulls) watch_pull(m, v, model, data, &s);
    if (v->counts) watch_course(v, &s);
    watch_speed(m, v, &s);
    watch_grade(v, model, data, &s);
    if (m->has_ruts) watch_ruts(v, model, data, &s);
    rutEnergy energy;
    if (rut_vehicle_energy(model, data, v->index, &energy)) v->scraped = energy.hull;
    if (v->manoeuvre == STEP_STEER) keep(v, s.rate[2]);
  }
}

// ---- at the end ----

typedef struct List {
  rutMetric* out;
  int most, n;
  bool all;  // also those that were not measured
} List;

static void tell(List* list, const char* name, const char* unit, double value) {
  if (!isfinite(value) && !list->all) return;
  if (list->n < list->most) {
    rutMetric* metric = &list->out[list->n];
    snprintf(metric->name, sizeof metric->name, "%.47s", name);
    metric->unit = unit;
    metric->value = isfinite(value) ? value : RUT_NAN;
  }
  list->n++;
}

static void tell_range(List* list, const char* name, const char* unit, Range range) {
  char text[NAME_SIZE + 8];
  snprintf(text, sizeof text, "%s_max", name);
  tell(list, text, unit, range.most);
  snprintf(text, sizeof text, "%s_min", name);
  tell(list, text, unit, range.least);
}

static void tell_body(List* list, const Vehicle* v, const rutModel* model) {
  tell_range(list, "lateral_acceleration", "m/s2", v->ay);
  tell_range(list, "vertical_acceleration", "m/s2", v->az);
  tell_range(list, "roll", "rad", v->roll);
  tell_range(list, "roll_rate", "rad/s", v->rolling);
  tell_range(list, "pitch", "rad", v->pitch);
  tell_range(list, "yaw_rate", "rad/s", v->yaw_rate);
  tell_range(list, "load_transfer_ratio", "", v->transfer);
  for (int i = 0; i < v->wheels; i++) {
    char text[NAME_SIZE];
    const char* name = rut_name(model, RUT_WHEEL, v->first_wheel + i);
    const char* slash = strrchr(name, '/');
    snprintf(text, sizeof text, "load_%.30s", slash ? slash + 1 : name);
    tell_range(list, text, "", v->over[i]);
  }
}

// What the driver feels.
static void tell_seat(List* list, const rutSeat* seat) {
  static const char* const axis[] = {"x", "y", "z"};
  const rutRideMeasures m = rut_ride_measures(seat->ride);
  if (!(m.duration > 0) && !list->all) return;
  tell(list, "seat_absorbed_power", "W", m.absorbed_power);
  tell(list, "seat_shock", "m/s2", m.shock);
  tell(list, "seat_health", "m/s2", m.health);
  tell(list, "seat_comfort", "m/s2", m.comfort);
  for (int k = 0; k < 3; k++) {
    const struct {
      const char *name, *unit;
      double value;
    } row[] = {{"weighted", "m/s2", m.weighted[k]},
               {"vdv", "m/s^1.75", m.vdv[k]},
               {"mtvv", "m/s2", m.mtvv[k]},
               {"crest_factor", "", m.crest[k]}};
    for (int i = 0; i < (int)(sizeof row / sizeof row[0]); i++) {
      char text[NAME_SIZE];
      snprintf(text, sizeof text, "seat_%s_%s", row[i].name, axis[k]);
      tell(list, text, row[i].unit, row[i].value);
    }
  }
}

static void tell_step(List* list, const Vehicle* v, double dt) {
  const double steady = mean_of(&v->steady_yaw_rate), begun = v->start_time + 0.5 * v->steer_time;
  tell(list, "steady_yaw_rate", "rad/s", steady);
  tell(list, "steady_lateral_acceleration", "m/s2", mean_of(&v->steady_ay));
  tell(list, "steady_roll", "rad", mean_of(&v->steady_roll));
  tell(list, "steady_speed", "m/s", mean_of(&v->steady_speed));
  double peak = 0, risen = RUT_NAN;
  for (int64_t i = 0; i < v->samples; i++) {
    const double part = v->history[i] / steady;
    peak = rut_max(peak, part);
    if (isnan(risen) && part >= 0.9) risen = (double)(i + 1) * dt - begun;
  }
  tell(list, "yaw_rate_overshoot", "", peak - 1);
  tell(list, "yaw_rate_response_time", "s", risen);
}

static void tell_speeds(List* list, const Vehicle* v) {
  for (int i = 0; i < SPEEDS; i++) {
    char text[NAME_SIZE];
    snprintf(text, sizeof text, "time_to_%g", speeds[i]);
    tell(list, text, "s", v->reached[i]);
  }
  tell(list, "distance", "m", v->travelled);
  tell(list, "grade_max", "", v->grade);
}

static void tell_braking(List* list, const Vehicle* v) {
  const double time = v->stopped - v->begun, from = v->from_speed;
  tell(list, "braking_speed", "m/s", from);
  tell(list, "stopping_distance", "m", isnan(v->stopped) ? RUT_NAN : v->stop);
  tell(list, "stopping_time", "s", time);
  tell(list, "mean_deceleration", "m/s2",
       isnan(v->stopped) ? RUT_NAN : from * from / (2 * v->stop));
}

static void tell_pull(List* list, const Vehicle* v) {
  for (int i = 0; i < SLIPS; i++) {
    char text[NAME_SIZE];
    snprintf(text, sizeof text, "pull_at_slip_%g", slips[i]);
    tell(list, text, "N", v->pull[i]);
  }
  tell(list, "pull_max", "N", v->most_pull);
  tell(list, "pull_over_weight", "", v->most_pull / v->weight);
}

static int tell_all(const rutMetrics* m, const rutModel* model, int vehicle, List list) {
  const Vehicle* v = find_vehicle(m, vehicle);
  if (!v || !v->watched) return 0;
  if (v->manoeuvre == STEP_STEER) tell_step(&list, v, m->dt);
  if (v->manoeuvre == CIRCLE) {
    tell(&list, "steady_lateral_acceleration", "m/s2", mean_of(&v->steady_ay));
    tell(&list, "steady_speed", "m/s", mean_of(&v->steady_speed));
    tell(&list, "steady_yaw_rate", "rad/s", mean_of(&v->steady_yaw_rate));
    tell(&list, "steady_radius", "m", mean_of(&v->steady_radius));
    tell_range(&list, "radius_error", "m", v->radius_error);
  }
  if (v->lanes > 0) tell(&list, "lane_clearance", "m", v->clearance);
  if (v->manoeuvre == ACCELERATION) tell_speeds(&list, v);
  if (v->manoeuvre == BRAKING) tell_braking(&list, v);
  if (v->pulls) tell_pull(&list, v);
  tell_range(&list, "path_error", "m", v->offset);
  tell(&list, "ground_before", "m", mean_of(&v->before));
  tell(&list, "ground_after", "m", mean_of(&v->after));
  if (v->scraped > 0 || list.all) tell(&list, "chassis_ground_work", "J", v->scraped);
  tell_body(&list, v, model);
  tell_seat(&list, &v->seat);
  return list.n;
}

int rut_metrics_get(const rutMetrics* m, const rutModel* model, int vehicle, int n,
                    rutMetric* out) {
  return tell_all(m, model, vehicle, (List){.out = out, .most = n});
}

int rut_metrics_known(const rutMetrics* m, const rutModel* model, int vehicle, int n,
                      rutMetric* out) {
  return tell_all(m, model, vehicle, (List){.out = out, .most = n, .all = true});
}

const char* rut_metrics_manoeuvre(const rutMetrics* m, int vehicle) {
  const Vehicle* v = find_vehicle(m, vehicle);
  if (!v || !v->watched) return "";
  return v->manoeuvre != NONE ? words[v->manoeuvre] : v->pulls ? "drawbar_pull" : "ride";
}
