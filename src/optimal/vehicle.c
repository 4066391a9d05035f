// SPDX-License-Identifier: BSD-3-Clause
//
// The vehicle of rut/avoidance.h. Its forces are computed on numbers that carry their derivatives
// by what they depend on, so that there is one formula for both.
#include <string.h>

#include "math/rut_math.h"
#include "rut/avoidance.h"

// ---- numbers with derivatives ----

// By sideways velocity, yaw rate, steering angle, speed and acceleration along the vehicle.
enum { BY = 5 };
static const int input_of[BY] = {RUT_AVOIDANCE_SIDEWAYS, RUT_AVOIDANCE_YAW_RATE,
                                 RUT_AVOIDANCE_STEER, RUT_AVOIDANCE_SPEED,
                                 RUT_AVOIDANCE_STATES + RUT_AVOIDANCE_ACCELERATION};

typedef struct Slope {
  double v, d[BY];
} Slope;

static Slope constant(double v) { return (Slope){v, {0}}; }

static Slope variable(double v, int i) {
  Slope out = {v, {0}};
  out.d[i] = 1;
  return out;
}

// p a + q b + r.
static Slope sum(double p, Slope a, double q, Slope b, double r) {
  Slope out = {p * a.v + q * b.v + r, {0}};
  for (int i = 0; i < BY; i++) out.d[i] = p * a.d[i] + q * b.d[i];
  return out;
}

static Slope product(Slope a, Slope b) {
  Slope out = {a.v * b.v, {0}};
  for (int i = 0; i < BY; i++) out.d[i] = a.v * b.d[i] + b.v * a.d[i];
  return out;
}

// A function of one number, its value and slope being known.
static Slope chain(Slope a, double value, double slope) {
  Slope out = {value, {0}};
  for (int i = 0; i < BY; i++) out.d[i] = slope * a.d[i];
  return out;
}

static Slope inverse(Slope a) { return chain(a, 1 / a.v, -1 / (a.v * a.v)); }
static Slope arctan(Slope a) { return chain(a, rut_atan(a.v), 1 / (1 + a.v * a.v)); }

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

static Inputs inputs_of(const double* state, const double* control) {
  static const double LEAST_SPEED = 3;  // of slips [m/s]
  Inputs in = {variable(state[RUT_AVOIDANCE_SIDEWAYS], 0),
               variable(state[RUT_AVOIDANCE_YAW_RATE], 1), variable(state[RUT_AVOIDANCE_STEER], 2),
               variable(state[RUT_AVOIDANCE_SPEED], 3),
               variable(control[RUT_AVOIDANCE_ACCELERATION], 4)};
  if (in.speed.v < LEAST_SPEED) in.speed = constant(LEAST_SPEED);
  return in;
}

// Loads of the four wheels for a lateral acceleration.
static void find_loads(const rutAvoidanceVehicle* p, const Inputs* in, Slope lateral,
                       Slope load[4]) {
  const double base = p->front + p->rear, weight = p->mass * p->gravity;
  // of which the velocity sideways has a part along the vehicle
  const Slope along = sum(1, in->acceleration, -1, product(in->sideways, in->yaw_rate), 0);
  for (int i = 0; i < 4; i++) {
    const bool rear = i >= 2;
    const double side = i & 1 ? 1 : -1, still = 0.5 * weight * (rear ? p->front : p->rear) / base;
    load[i] = sum((rear ? 0.5 : -0.5) * p->load_x, along,
                  side * (rear ? p->load_rear : p->load_front), lateral, still);
  }
}

// Force of a wheel to the left, and its derivatives by load and slip angle.
static Slope force_of(const rutAvoidanceVehicle* p, Slope load, Slope slip) {
  static const double SOFT = 200;  // [N] where a lifting wheel's force fades out
  const double root = rut_sqrt(load.v * load.v + SOFT * SOFT);
  const double n = 0.5 * (load.v + root), n_by = 0.5 * (1 + load.v / root);
  const double d = n / p->nominal - 1, a = slip.v;
  const double mu = p->friction + p->friction_load * d, mu_by = p->friction_load / p->nominal;
  const double e = p->curvature + p->curvature_load * d, e_by = p->curvature_load / p->nominal;
  const double ratio = n / (p->stiffness_load * p->nominal), square = 1 + ratio * ratio;
  // stiffness K = K0 sin(2 atan(ratio)) = 2 K0 ratio/(1 + ratio^2), and B = K/(C mu n), in which n
  // cancels
  const double scale = 2 * p->stiffness / (p->stiffness_load * p->shape);
  const double b = scale / (square * mu);
  const double b_by = -b * (2 * ratio / (square * p->stiffness_load * p->nominal) + mu_by / mu);
  const double ba = b * a, turned = rut_atan(ba), less = ba - turned;
  const double bent = ba - e * less, by_ba = 1 - e * (ba * ba / (1 + ba * ba));
  double s, c;
  rut_sincos(p->shape * rut_atan(bent), &s, &c);
  const double by_bent = c * p->shape / (1 + bent * bent), peak = mu * n;
  const double by_load = (mu_by * n + mu) * s + peak * by_bent * (by_ba * b_by * a - e_by * less);
  const double by_slip = peak * by_bent * by_ba * b;
  Slope out = {-peak * s, {0}};
  for (int i = 0; i < BY; i++) out.d[i] = -by_load * n_by * load.d[i] - by_slip * slip.d[i];
  return out;
}

// Forces of both axles.
static void find_forces(const rutAvoidanceVehicle* p, const Inputs* in, Slope axle[2]) {
  const Slope steady = product(in->speed, in->yaw_rate), over = inverse(in->speed);
  const Slope front = sum(1, in->sideways, p->front, in->yaw_rate, 0);
  const Slope rear = sum(1, in->sideways, -p->rear, in->yaw_rate, 0);
  const Slope slip[2] = {sum(1, arctan(product(front, over)), -1, in->steer, 0),
                         arctan(product(rear, over))};
  Slope load[4];
  find_loads(p, in, steady, load);
  for (int i = 0; i < 2; i++) {
    axle[i] =
        sum(1, force_of(p, load[2 * i], slip[i]), 1, force_of(p, load[2 * i + 1], slip[i]), 0);
  }
}

void rut_avoidance_rate(const rutAvoidanceVehicle* vehicle, const double* state,
                        const double* control, double* rate, double* by) {
  const rutAvoidanceVehicle* p = vehicle;
  enum { NZ = RUT_AVOIDANCE_INPUTS };
  const Inputs in = inputs_of(state, control);
  Slope axle[2];
  find_forces(p, &in, axle);
  const double u = state[RUT_AVOIDANCE_SPEED], v = state[RUT_AVOIDANCE_SIDEWAYS],
               r = state[RUT_AVOIDANCE_YAW_RATE];
  double s, c;
  rut_sincos(state[RUT_AVOIDANCE_YAW], &s, &c);
  const Slope across = sum(1 / p->mass, axle[0], 1 / p->mass, axle[1], -u * r);
  const Slope spin = sum(p->front / p->inertia, axle[0], -p->rear / p->inertia, axle[1], 0);
  const double own[RUT_AVOIDANCE_STATES] = {u * c - v * s,
                                            u * s + v * c,
                                            r,
                                            across.v,
                                            spin.v,
                                            control[RUT_AVOIDANCE_STEER_RATE],
                                            control[RUT_AVOIDANCE_ACCELERATION]};
  memcpy(rate, own, sizeof own);
  if (!by) return;
  memset(by, 0, sizeof(double) * RUT_AVOIDANCE_STATES * NZ);
  const double turned[2] = {-u * s - v * c, u * c - v * s};
  for (int i = 0; i < 2; i++) by[i * NZ + RUT_AVOIDANCE_YAW] = turned[i];
  by[RUT_AVOIDANCE_SIDEWAYS] = -s;
  by[RUT_AVOIDANCE_SPEED] = c;
  by[NZ + RUT_AVOIDANCE_SIDEWAYS] = c;
  by[NZ + RUT_AVOIDANCE_SPEED] = s;
  by[2 * NZ + RUT_AVOIDANCE_YAW_RATE] = 1;
  for (int i = 0; i < BY; i++) {
    by[RUT_AVOIDANCE_SIDEWAYS * NZ + input_of[i]] = across.d[i];
    by[RUT_AVOIDANCE_YAW_RATE * NZ + input_of[i]] = spin.d[i];
  }
  by[RUT_AVOIDANCE_SIDEWAYS * NZ + RUT_AVOIDANCE_YAW_RATE] -= u;
  by[RUT_AVOIDANCE_SIDEWAYS * NZ + RUT_AVOIDANCE_SPEED] -= r;
  by[RUT_AVOIDANCE_STEER * NZ + RUT_AVOIDANCE_STATES + RUT_AVOIDANCE_STEER_RATE] = 1;
  by[RUT_AVOIDANCE_SPEED * NZ + RUT_AVOIDANCE_STATES + RUT_AVOIDANCE_ACCELERATION] = 1;
}

void rut_avoidance_loads(const rutAvoidanceVehicle* vehicle, const double* state,
                         const double* control, double* load, double* load_by) {
  const Inputs in = inputs_of(state, control);
  Slope axle[2], found[4];
  find_forces(vehicle, &in, axle);
  find_loads(vehicle, &in, sum(1 / vehicle->mass, axle[0], 1 / vehicle->mass, axle[1], 0), found);
  for (int i = 0; i < 4; i++) {
    load[i] = found[i].v;
    for (int k = 0; k < RUT_AVOIDANCE_INPUTS && load_by; k++) {
      load_by[i * RUT_AVOIDANCE_INPUTS + k] = 0;
    }
    for (int k = 0; k < BY && load_by; k++) {
      load_by[i * RUT_AVOIDANCE_INPUTS + input_of[k]] = found[i].d[k];
    }
  }
}

// ---- a step ----

void rut_avoidance_step(const rutAvoidanceVehicle* vehicle, const double* state,
                        const double* control, double dt, double* next, double* by) {
  enum { NX = RUT_AVOIDANCE_STATES, NZ = RUT_AVOIDANCE_INPUTS, NT = NZ + 1 };
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double k[NX] = {0}, x[NX], f[NX * NZ], dk[NX * NT] = {0}, new[NX * NT];
  double total[NX] = {0}, dtotal[NX * NT] = {0};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < NX; i++) x[i] = state[i] + part[s] * dt * k[i];
    // derivatives of where this stage is: those of the last rate times part dt, and part rate by dt
    double last[NX];
    memcpy(last, k, sizeof last);
    rut_avoidance_rate(vehicle, x, control, k, by ? f : NULL);
    for (int i = 0; i < NX; i++) total[i] += weight[s] * k[i];
    if (!by) continue;
    for (int i = 0; i < NX; i++) {
      for (int j = 0; j < NT; j++) new[i * NT + j] = j < NZ ? f[i * NZ + j] : 0;
      for (int l = 0; l < NX && s; l++) {
        const double g = f[i * NZ + l] * part[s];
        if (g == 0) continue;
        for (int j = 0; j < NT; j++) new[i * NT + j] += g* dt* dk[l * NT + j];
        new[i * NT + NZ] += g* last[l];
      }
    }
    memcpy(dk, new, sizeof dk);
    for (int i = 0; i < NX * NT; i++) dtotal[i] += weight[s] * dk[i];
  }
  for (int i = 0; i < NX; i++) next[i] = state[i] + dt * total[i];
  for (int i = 0; i < NX && by; i++) {
    for (int j = 0; j < NT; j++) by[i * NT + j] = (i == j) + dt * dtotal[i * NT + j];
    by[i * NT + NZ] += total[i];
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
