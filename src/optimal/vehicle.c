// SPDX-License-Identifier: BSD-3-Clause
//
// The vehicle of rut/avoidance.h. Its forces are computed on numbers that carry their derivatives
// by what they depend on, so that there is one formula for both. Functions are compiled once with
// and once without derivatives: `n` is how many numbers each carries.
#include <string.h>

#include "math/lanes.h"
#include "math/rut_math.h"
#include "rut/avoidance.h"

// ---- numbers with derivatives ----

// A value, then its derivatives by sideways velocity, yaw rate, steering angle, speed and
// acceleration along the vehicle; the last ones are 0, so that all are whole vectors.
enum { BY = 5, WITHOUT = 1, WITH = 8 };
static const int input_of[BY] = {RUT_AVOIDANCE_SIDEWAYS, RUT_AVOIDANCE_YAW_RATE,
                                 RUT_AVOIDANCE_STEER, RUT_AVOIDANCE_SPEED,
                                 RUT_AVOIDANCE_STATES + RUT_AVOIDANCE_ACCELERATION};

typedef struct Slope {
  double e[WITH];
} Slope;

RUT_INLINE Slope constant(double v) { return (Slope){{v}}; }

RUT_INLINE Slope variable(double v, int i) {
  Slope out = {{v}};
  out.e[1 + i] = 1;
  return out;
}

// p a + q b + r.
RUT_INLINE Slope sum(int n, double p, Slope a, double q, Slope b, double r) {
  Slope out;
  RUT_FOR_LANES(i, n) out.e[i] = p * a.e[i] + q * b.e[i];
  out.e[0] += r;
  return out;
}

RUT_INLINE Slope product(int n, Slope a, Slope b) {
  Slope out;
  RUT_FOR_LANES(i, n) out.e[i] = a.e[0] * b.e[i] + b.e[0] * a.e[i];
  out.e[0] = a.e[0] * b.e[0];
  return out;
}

// A function of one number, its value and slope being known.
RUT_INLINE Slope chain(int n, Slope a, double value, double slope) {
  Slope out;
  RUT_FOR_LANES(i, n) out.e[i] = slope * a.e[i];
  out.e[0] = value;
  return out;
}

// ---- forces ----

rutAvoidanceVehicle rut_default_avoidance_vehicle(void) {
  return (rutAvoidanceVehicle){.struct_size = sizeof(rutAvoidanceVehicle),
                               .mass = 2688.7,
                               .inertia = 4110.1,
                               .front = 1.5775,
                               .rear = 1.7245,
                               .gravity = 9.81,
                               .load_x = 806,
                               .load_front = 675,
                               .load_rear = 1076,
                               .nominal = 35000,
                               .shape = 1.5874,
                               .friction = 0.73957,
                               .friction_load = -0.075004,
                               .curvature = 0.37562,
                               .curvature_load = -0.069325,
                               .stiffness = 10.289,
                               .stiffness_load = 3.3343,
                               .front_stiffness = 1,
                               .rear_stiffness = 1,
                               .least_load = 1000,
                               .steer_rate = 10 * RUT_PI / 180,
                               .max_steer = 30 * RUT_PI / 180,
                               .max_acceleration = 1.5,
                               .max_deceleration = 4,
                               .top_speed = 25,
                               .power = 62e3,
                               .resistance = 0.3};
}

typedef struct Inputs {
  Slope sideways, yaw_rate, steer, speed, acceleration;
} Inputs;

RUT_INLINE Inputs inputs_of(const double* state, const double* control) {
  static const double LEAST_SPEED = 3;  // of slips [m/s]
  Inputs in = {variable(state[RUT_AVOIDANCE_SIDEWAYS], 0),
               variable(state[RUT_AVOIDANCE_YAW_RATE], 1), variable(state[RUT_AVOIDANCE_STEER], 2),
               variable(state[RUT_AVOIDANCE_SPEED], 3),
               variable(control[RUT_AVOIDANCE_ACCELERATION], 4)};
  if (in.speed.e[0] < LEAST_SPEED) in.speed = constant(LEAST_SPEED);
  return in;
}

// Loads of the four wheels for a lateral acceleration.
RUT_INLINE void find_loads(int n, const rutAvoidanceVehicle* p, const Inputs* in, Slope lateral,
                           Slope load[4]) {
  const double base = p->front + p->rear, weight = p->mass * p->gravity;
  // of which the velocity sideways has a part along the vehicle
  const Slope along = sum(n, 1, in->acceleration, -1, product(n, in->sideways, in->yaw_rate), 0);
  for (int i = 0; i < 4; i++) {
    const bool rear = i >= 2;
    const double side = i & 1 ? 1 : -1, still = 0.5 * weight * (rear ? p->front : p->rear) / base;
    load[i] = sum(n, (rear ? 0.5 : -0.5) * p->load_x, along,
                  side * (rear ? p->load_rear : p->load_front), lateral, still);
  }
}

// Forces of the four wheels to the left, and their derivatives by load and slip angle.
typedef struct Tyres {
  double load[4], slip[4];
  double force[4], by_load[4], by_slip[4];
} Tyres;

RUT_INLINE void find_tyres(const rutAvoidanceVehicle* p, Tyres* t) {
  static const double SOFT = 200;  // [N] where a lifting wheel's force fades out
  const double shape = p->shape, over_nominal = 1 / p->nominal;
  const double mu_by = p->friction_load * over_nominal, e_by = p->curvature_load * over_nominal;
  const double over_stiff = 1 / (p->stiffness_load * p->nominal);
  // stiffness K = K0 sin(2 atan(ratio)) = 2 K0 ratio/(1 + ratio^2), and B = K/(C mu n), in which n
  // cancels
  const double scale = 2 * p->stiffness / (p->stiffness_load * shape);
  const double axle[2] = {scale * p->front_stiffness, scale * p->rear_stiffness};
  const double stiff[4] = {axle[0], axle[0], axle[1], axle[1]};
  const double friction = p->friction, friction_load = p->friction_load;
  const double curvature = p->curvature, curvature_load = p->curvature_load;
  RUT_FOR_LANES(i, 4) {
    const double load = t->load[i], a = t->slip[i];
    const double root = rut_sqrt(load * load + SOFT * SOFT);
    const double n = 0.5 * (load + root), n_by = 0.5 * (1 + load / root);
    const double d = n * over_nominal - 1;
    const double mu = friction + friction_load * d, e = curvature + curvature_load * d;
    const double ratio = n * over_stiff, square = 1 + ratio * ratio;
    const double b = stiff[i] / (square * mu);
    const double b_by = -b * (2 * ratio * over_stiff / square + mu_by / mu);
    const double ba = b * a, turned = rut_atan(ba), less = ba - turned;
    const double bent = ba - e * less, by_ba = 1 - e * (ba * ba / (1 + ba * ba));
    double s, c;
    rut_sincos(shape * rut_atan(bent), &s, &c);
    const double by_bent = c * shape / (1 + bent * bent), peak = mu * n;
    const double by_load = (mu_by * n + mu) * s + peak * by_bent * (by_ba * b_by * a - e_by * less);
    t->force[i] = -peak * s;
    t->by_load[i] = -by_load * n_by;
    t->by_slip[i] = -peak * by_bent * by_ba * b;
  }
}

// Forces of both axles.
RUT_INLINE void find_forces(int n, const rutAvoidanceVehicle* p, const Inputs* in, Slope axle[2]) {
  const double speed = in->speed.e[0];
  const Slope steady = product(n, in->speed, in->yaw_rate);
  const Slope over = chain(n, in->speed, 1 / speed, -1 / (speed * speed));
  const Slope side[2] = {product(n, sum(n, 1, in->sideways, p->front, in->yaw_rate, 0), over),
                         product(n, sum(n, 1, in->sideways, -p->rear, in->yaw_rate, 0), over)};
  double angle[2];
  RUT_FOR_LANES(i, 2) angle[i] = rut_atan(side[i].e[0]);
  Slope load[4], slip[2];
  for (int i = 0; i < 2; i++) {
    const double tangent = side[i].e[0];
    slip[i] = chain(n, side[i], angle[i], 1 / (1 + tangent * tangent));
  }
  slip[0] = sum(n, 1, slip[0], -1, in->steer, 0);
  find_loads(n, p, in, steady, load);
  Tyres t;
  for (int i = 0; i < 4; i++) {
    t.load[i] = load[i].e[0];
    t.slip[i] = slip[i / 2].e[0];
  }
  find_tyres(p, &t);
  for (int i = 0; i < 2; i++) {
    const int l = 2 * i, r = l + 1;
    const double by_slip = t.by_slip[l] + t.by_slip[r];
    RUT_FOR_LANES(j, n) {
      axle[i].e[j] =
          t.by_load[l] * load[l].e[j] + t.by_load[r] * load[r].e[j] + by_slip * slip[i].e[j];
    }
    axle[i].e[0] = t.force[l] + t.force[r];
  }
}

RUT_INLINE void find_rate(int n, const rutAvoidanceVehicle* p, const double* state,
                          const double* control, double* rate, double* by) {
  enum { NZ = RUT_AVOIDANCE_INPUTS };
  const Inputs in = inputs_of(state, control);
  Slope axle[2];
  find_forces(n, p, &in, axle);
  const double u = state[RUT_AVOIDANCE_SPEED], v = state[RUT_AVOIDANCE_SIDEWAYS],
               r = state[RUT_AVOIDANCE_YAW_RATE];
  double s, c;
  rut_sincos(state[RUT_AVOIDANCE_YAW], &s, &c);
  const Slope across = sum(n, 1 / p->mass, axle[0], 1 / p->mass, axle[1], -u * r);
  const Slope spin = sum(n, p->front / p->inertia, axle[0], -p->rear / p->inertia, axle[1], 0);
  const double own[RUT_AVOIDANCE_STATES] = {u * c - v * s,
                                            u * s + v * c,
                                            r,
                                            across.e[0],
                                            spin.e[0],
                                            control[RUT_AVOIDANCE_STEER_RATE],
                                            control[RUT_AVOIDANCE_ACCELERATION]};
  memcpy(rate, own, sizeof own);
  if (n == WITHOUT) return;
  memset(by, 0, sizeof(double) * RUT_AVOIDANCE_STATES * NZ);
  const double turned[2] = {-u * s - v * c, u * c - v * s};
  for (int i = 0; i < 2; i++) by[i * NZ + RUT_AVOIDANCE_YAW] = turned[i];
  by[RUT_AVOIDANCE_SIDEWAYS] = -s;
  by[RUT_AVOIDANCE_SPEED] = c;
  by[NZ + RUT_AVOIDANCE_SIDEWAYS] = c;
  by[NZ + RUT_AVOIDANCE_SPEED] = s;
  by[2 * NZ + RUT_AVOIDANCE_YAW_RATE] = 1;
  for (int i = 0; i < BY; i++) {
    by[RUT_AVOIDANCE_SIDEWAYS * NZ + input_of[i]] = across.e[1 + i];
    by[RUT_AVOIDANCE_YAW_RATE * NZ + input_of[i]] = spin.e[1 + i];
  }
  by[RUT_AVOIDANCE_SIDEWAYS * NZ + RUT_AVOIDANCE_YAW_RATE] -= u;
  by[RUT_AVOIDANCE_SIDEWAYS * NZ + RUT_AVOIDANCE_SPEED] -= r;
  by[RUT_AVOIDANCE_STEER * NZ + RUT_AVOIDANCE_STATES + RUT_AVOIDANCE_STEER_RATE] = 1;
  by[RUT_AVOIDANCE_SPEED * NZ + RUT_AVOIDANCE_STATES + RUT_AVOIDANCE_ACCELERATION] = 1;
}
RUT_CLONES static void rate_alone(const rutAvoidanceVehicle* p, const double* state,
                                  const double* control, double* rate) {
  find_rate(WITHOUT, p, state, control, rate, NULL);
}
RUT_CLONES static void rate_with_slopes(const rutAvoidanceVehicle* p, const double* state,
                                        const double* control, double* rate, double* by) {
  find_rate(WITH, p, state, control, rate, by);
}

void rut_avoidance_rate(const rutAvoidanceVehicle* vehicle, const double* state,
                        const double* control, double* rate, double* by) {
  if (by) {
    rate_with_slopes(vehicle, state, control, rate, by);
  } else {
    rate_alone(vehicle, state, control, rate);
  }
}

RUT_INLINE void find_end_loads(int n, const rutAvoidanceVehicle* p, const double* state,
                               const double* control, double* load, double* load_by) {
  const Inputs in = inputs_of(state, control);
  Slope axle[2], found[4];
  find_forces(n, p, &in, axle);
  find_loads(n, p, &in, sum(n, 1 / p->mass, axle[0], 1 / p->mass, axle[1], 0), found);
  for (int i = 0; i < 4; i++) {
    load[i] = found[i].e[0];
    if (n == WITHOUT) continue;
    double* row = load_by + (ptrdiff_t)i * RUT_AVOIDANCE_INPUTS;
    memset(row, 0, sizeof(double) * RUT_AVOIDANCE_INPUTS);
    for (int k = 0; k < BY; k++) row[input_of[k]] = found[i].e[1 + k];
  }
}
RUT_CLONES static void loads_alone(const rutAvoidanceVehicle* p, const double* state,
                                   const double* control, double* load) {
  find_end_loads(WITHOUT, p, state, control, load, NULL);
}
RUT_CLONES static void loads_with_slopes(const rutAvoidanceVehicle* p, const double* state,
                                         const double* control, double* load, double* load_by) {
  find_end_loads(WITH, p, state, control, load, load_by);
}

void rut_avoidance_loads(const rutAvoidanceVehicle* vehicle, const double* state,
                         const double* control, double* load, double* load_by) {
  if (load_by) {
    loads_with_slopes(vehicle, state, control, load, load_by);
  } else {
    loads_alone(vehicle, state, control, load);
  }
}

// ---- a step ----

// Rates of the states that depend on states, whose derivatives are not 0: those of places on yaw,
// velocities and speed, of yaw on its rate, of velocities on the steering angle besides.
static const int links[][2] = {{RUT_AVOIDANCE_X, RUT_AVOIDANCE_YAW},
                               {RUT_AVOIDANCE_X, RUT_AVOIDANCE_SIDEWAYS},
                               {RUT_AVOIDANCE_X, RUT_AVOIDANCE_SPEED},
                               {RUT_AVOIDANCE_Y, RUT_AVOIDANCE_YAW},
                               {RUT_AVOIDANCE_Y, RUT_AVOIDANCE_SIDEWAYS},
                               {RUT_AVOIDANCE_Y, RUT_AVOIDANCE_SPEED},
                               {RUT_AVOIDANCE_YAW, RUT_AVOIDANCE_YAW_RATE},
                               {RUT_AVOIDANCE_SIDEWAYS, RUT_AVOIDANCE_SIDEWAYS},
                               {RUT_AVOIDANCE_SIDEWAYS, RUT_AVOIDANCE_YAW_RATE},
                               {RUT_AVOIDANCE_SIDEWAYS, RUT_AVOIDANCE_STEER},
                               {RUT_AVOIDANCE_SIDEWAYS, RUT_AVOIDANCE_SPEED},
                               {RUT_AVOIDANCE_YAW_RATE, RUT_AVOIDANCE_SIDEWAYS},
                               {RUT_AVOIDANCE_YAW_RATE, RUT_AVOIDANCE_YAW_RATE},
                               {RUT_AVOIDANCE_YAW_RATE, RUT_AVOIDANCE_STEER},
                               {RUT_AVOIDANCE_YAW_RATE, RUT_AVOIDANCE_SPEED}};
enum { LINKS = sizeof links / sizeof *links };

// What a step is of.
typedef struct Step {
  const rutAvoidanceVehicle* vehicle;
  const double *state, *control;
  double dt;
} Step;

RUT_INLINE void find_step(int n, const Step* step, double* next, double* by) {
  // derivatives are rows of whole vectors, by states, controls and dt
  enum { NX = RUT_AVOIDANCE_STATES, NZ = RUT_AVOIDANCE_INPUTS, NT = NZ + 1, LD = 12 };
  const double *state = step->state, *control = step->control, dt = step->dt;
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[NX] = {0}, x[NX], f[NX * NZ], dk[NX * LD] = {0}, new[NX * LD] = {0};
  double total[NX] = {0}, dtotal[NX * LD] = {0};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < NX; i++) x[i] = state[i] + part[s] * dt * k[i];
    // derivatives of where this stage is: those of the last rate times part dt, and part rate by dt
    double last[NX];
    memcpy(last, k, sizeof last);
    find_rate(n, step->vehicle, x, control, k, f);
    for (int i = 0; i < NX; i++) total[i] += weight[s] * k[i];
    if (n == WITHOUT) continue;
    for (int i = 0; i < NX; i++) {
      memcpy(new + (ptrdiff_t)i* LD, f + (ptrdiff_t)i * NZ, NZ * sizeof *new);
      new[i * LD + NZ] = 0;
    }
    for (int c = 0; c < LINKS && s > 0; c++) {
      const int i = links[c][0], l = links[c][1];
      const double g = f[i * NZ + l] * part[s], h = g * dt;
      RUT_FOR_LANES(j, LD) new[i * LD + j] += h* dk[l * LD + j];
      new[i * LD + NZ] += g* last[l];
    }
    memcpy(dk, new, sizeof dk);
    RUT_FOR_LANES(i, NX * LD) dtotal[i] += weight[s] * dk[i];
  }
  for (int i = 0; i < NX; i++) next[i] = state[i] + dt * total[i];
  for (int i = 0; i < NX && n == WITH; i++) {
    for (int j = 0; j < NT; j++) by[i * NT + j] = (i == j) + dt * dtotal[i * LD + j];
    by[i * NT + NZ] += total[i];
  }
}
RUT_CLONES static void step_alone(const Step* step, double* next) {
  find_step(WITHOUT, step, next, NULL);
}
RUT_CLONES static void step_with_slopes(const Step* step, double* next, double* by) {
  find_step(WITH, step, next, by);
}

void rut_avoidance_step(const rutAvoidanceVehicle* vehicle, const double* state,
                        const double* control, double dt, double* next, double* by) {
  const Step step = {vehicle, state, control, dt};
  if (by) {
    step_with_slopes(&step, next, by);
  } else {
    step_alone(&step, next);
  }
}

// ---- the table ----

// Slope of the monotone cubic at a point of the table, a weighted harmonic mean.
static double slope_at(const rutAvoidanceVehicle* p, int i) {
  const double *x = p->limit_speed, *y = p->limit_steer;
  if (i == 0 || i == p->limits - 1) return 0;
  const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
  const double d0 = (y[i] - y[i - 1]) / h0, d1 = (y[i + 1] - y[i]) / h1;
  if (d0 * d1 <= 0) return 0;
  const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

// The table alone, of one entry or more.
static double table_at(const rutAvoidanceVehicle* p, double speed, double* slope) {
  const int n = p->limits;
  *slope = 0;
  if (speed <= p->limit_speed[0]) return p->limit_steer[0];
  if (speed >= p->limit_speed[n - 1]) return p->limit_steer[n - 1];
  int i = 0;
  while (speed > p->limit_speed[i + 1]) i++;
  const double h = p->limit_speed[i + 1] - p->limit_speed[i], t = (speed - p->limit_speed[i]) / h;
  const double y0 = p->limit_steer[i], y1 = p->limit_steer[i + 1];
  const double m0 = h * slope_at(p, i), m1 = h * slope_at(p, i + 1);
  const double c3 = 2 * (y0 - y1) + m0 + m1, c2 = 3 * (y1 - y0) - 2 * m0 - m1;
  *slope = ((3 * c3 * t + 2 * c2) * t + m0) / h;
  return ((c3 * t + c2) * t + m0) * t + y0;
}

double rut_avoidance_limit(const rutAvoidanceVehicle* vehicle, double speed, double* slope) {
  double by = 0, most = vehicle->max_steer;
  if (vehicle->limits > 0) most = table_at(vehicle, speed, &by);
  // the wheels turn no further than to their lock
  if (most >= vehicle->max_steer) {
    most = vehicle->max_steer;
    by = 0;
  }
  if (slope) *slope = by;
  return most;
}
