// SPDX-License-Identifier: BSD-3-Clause
//
// The nominal state follows the samples; its error d = (dp, dv, dth, db_a, db_g, ds) is small:
//
//   R_true = R Exp(dth),  a = a_m - b_a,  w = w_m - b_g
//   dp' = dv,  dv' = -R [a]x dth - R db_a - R n_a,  dth' = -[w]x dth - db_g - n_g,  db' = n_b
//
// Over a sample of dt these give Phi and Q below. A measurement z = h(state) + n has the innovation
// z - h and the row H = dh/dd; its numbers, whose noises do not depend on each other, are taken one
// by one. Then the error moves into the nominal state, and the covariance into its new axes.
#include "rut/estimator.h"

#include <string.h>

#include "base/report.h"
#include "math/quat.h"
#include "rut/descriptor.h"

enum { N = RUT_ERRORS, P = RUT_ERROR_POSITION, V = RUT_ERROR_VELOCITY, TH = RUT_ERROR_ATTITUDE };
enum { BA = RUT_ERROR_FORCE_BIAS, BG = RUT_ERROR_RATE_BIAS, S = RUT_ERROR_WHEEL_SCALE, MOST = 6 };

typedef double Matrix[N][N];

// ---- small pieces ----

static rutMat3 cross_matrix(rutVec3 a) {
  const double m[9] = {0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0};
  return rut_mat3_of(m);
}

static rutMat3 mat3_scale(rutMat3 a, double s) {
  for (int i = 0; i < 9; i++) a.m[i] *= s;
  return a;
}

static rutMat3 mat3_add(rutMat3 a, rutMat3 b) {
  for (int i = 0; i < 9; i++) a.m[i] += b.m[i];
  return a;
}

// Right Jacobian of the exponential map: Exp(r + d) = Exp(r) Exp(J d) for small d. Series where the
// quotients would lose digits.
static rutMat3 right_jacobian(rutVec3 r) {
  static const double SMALL = 1e-3;  // [rad]
  const double square = rut_vec3_dot(r, r), angle = rut_sqrt(square);
  double sine, cosine, first = 0.5 - square / 24, second = 1.0 / 6 - square / 120;
  rut_sincos(angle, &sine, &cosine);
  if (angle > SMALL) {
    first = (1 - cosine) / square;
    second = (angle - sine) / (square * angle);
  }
  const rutMat3 c = cross_matrix(r);
  return mat3_add(mat3_add(rut_mat3_identity(), mat3_scale(c, -first)),
                  mat3_scale(rut_mat3_mul(c, c), second));
}

static rutQuat attitude_of(const rutEstimator* e) {
  return rut_quat(e->attitude[0], e->attitude[1], e->attitude[2], e->attitude[3]);
}

static void set_attitude(rutEstimator* e, rutQuat q) {
  const rutQuat u = rut_quat_unit(q);
  const double own[4] = {u.w, u.x, u.y, u.z};
  memcpy(e->attitude, own, sizeof own);
}

static void put_block(Matrix m, int row, int column, rutMat3 block) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) m[row + i][column + k] = block.m[3 * i + k];
  }
}

// out = a b a^T, b being symmetric.
static void congruence(Matrix a, Matrix b, Matrix out) {
  Matrix ab = {{0}};
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < N; k++) {
      if (a[i][k] == 0) continue;
      for (int j = 0; j < N; j++) ab[i][j] += a[i][k] * b[k][j];
    }
  }
  for (int i = 0; i < N; i++) {
    for (int j = i; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++) sum += ab[i][k] * a[j][k];
      out[i][j] = out[j][i] = sum;
    }
  }
}

// ---- the start ----

rutEstimatorDef rut_default_estimator(void) {
  return (rutEstimatorDef){.struct_size = sizeof(rutEstimatorDef),
                           .gravity = 9.81,
                           .force_noise = 981e-6,
                           .rate_noise = 87e-6,
                           .force_walk = 1e-5,
                           .rate_walk = 1e-6,
                           .scale_walk = 1e-5,
                           .deviation = {10, 1, 0.1, 0.02, 1e-3, 0.02},
                           .gated = true};
}

rutStatus rut_estimator_begin(rutEstimator* e, const rutEstimatorDef* def, rutError* err) {
  const rutEstimatorDef own = def ? *def : rut_default_estimator();
  memset(e, 0, sizeof *e);
  if (own.struct_size != sizeof own) {
    return rut_error_set(err, RUT_ERR_VERSION, "this rutEstimatorDef is of another version");
  }
  const double positive[] = {own.gravity,      own.force_noise,  own.rate_noise,
                             own.force_walk,   own.rate_walk,    own.scale_walk,
                             own.deviation[0], own.deviation[1], own.deviation[2],
                             own.deviation[3], own.deviation[4], own.deviation[5]};
  for (int i = 0; i < RUT_COUNT_OF(positive); i++) {
    if (positive[i] >= 0 && positive[i] <= 1e9) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "numbers of an estimator are from 0 to 1e9, not %g",
                         positive[i]);
  }
  e->def = own;
  e->attitude[0] = 1;
  for (int i = 0; i < N; i++) {
    e->covariance[i][i] = own.deviation[i / 3] * own.deviation[i / 3];
  }
  return RUT_OK;
}

// Errors of tilt about the vehicle's axes, of yaw about the world's vertical axis.
static void doubt_attitude(rutEstimator* e, double yaw, double tilt) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < N; k++) e->covariance[TH + i][k] = e->covariance[k][TH + i] = 0;
  }
  const rutVec3 up = rut_mat3_apply_transposed(rut_quat_matrix(attitude_of(e)), rut_vec3(0, 0, 1));
  const double axis[3] = {up.x, up.y, up.z};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      const double along = axis[i] * axis[k], level_part = (i == k) - along;
      e->covariance[TH + i][TH + k] = along * yaw * yaw + level_part * tilt * tilt;
    }
  }
}

void rut_estimator_level(rutEstimator* e, const double specific_force[3],
                         const double angular_velocity[3], double yaw, double deviation,
                         double acceleration) {
  const double* f = specific_force;
  const double level = rut_hypot(f[1], f[2]);
  const double roll = rut_atan2(f[1], f[2]), pitch = rut_atan2(-f[0], level);
  set_attitude(e, rut_quat_of_rpy(roll, pitch, yaw));
  memcpy(e->rate_bias, angular_velocity, sizeof e->rate_bias);
  // what acts across gravity tilts what seems level by itself over g
  const double across = rut_hypot(e->def.deviation[3], acceleration);
  doubt_attitude(e, deviation, across / rut_max(e->def.gravity, RUT_LEAST_DIVISOR));
}

void rut_estimator_restart(rutEstimator* e, const double position[3], const double velocity[3],
                           double yaw, double yaw_deviation, double tilt_deviation) {
  const rutVec3 rpy = rut_quat_rpy(attitude_of(e)), rate = rut_vec3_of(e->angular_velocity);
  const rutEstimatorDef def = e->def;
  if (rut_estimator_begin(e, &def, NULL) != RUT_OK) return;
  rut_vec3_put(rut_vec3_of(position), e->position);
  rut_vec3_put(rut_vec3_of(velocity), e->velocity);
  rut_vec3_put(rate, e->angular_velocity);
  set_attitude(e, rut_quat_of_rpy(rpy.x, rpy.y, yaw));
  doubt_attitude(e, yaw_deviation, tilt_deviation);
}

// ---- a sample ----

// How errors go on: of position, velocity and attitude by their own and by the biases.
static void find_transition(rutMat3 turn, rutVec3 a, rutVec3 w, double dt, Matrix phi) {
  const rutMat3 lever = mat3_scale(rut_mat3_mul(turn, cross_matrix(a)), -1);
  const rutVec3 turned = rut_vec3_scale(w, dt);
  memset(phi, 0, sizeof(Matrix));
  for (int i = 0; i < N; i++) phi[i][i] = 1;
  for (int i = 0; i < 3; i++) phi[P + i][V + i] = dt;
  put_block(phi, P, TH, mat3_scale(lever, 0.5 * dt * dt));
  put_block(phi, V, TH, mat3_scale(lever, dt));
  put_block(phi, P, BA, mat3_scale(turn, -0.5 * dt * dt));
  put_block(phi, V, BA, mat3_scale(turn, -dt));
  put_block(phi, TH, TH, rut_mat3_transpose(rut_quat_matrix(rut_quat_exp(turned))));
  put_block(phi, TH, BG, mat3_scale(right_jacobian(turned), -dt));
}

// What noise adds within a sample: integrals of white noise and of the walks of the biases.
static void add_noise(const rutEstimatorDef* d, rutMat3 turn, double dt, Matrix p) {
  const double force = d->force_noise * d->force_noise, rate = d->rate_noise * d->rate_noise;
  const double fw = d->force_walk * d->force_walk, rw = d->rate_walk * d->rate_walk;
  const double dt2 = dt * dt, dt3 = dt2 * dt;
  for (int i = 0; i < 3; i++) {
    p[P + i][P + i] += force * dt3 / 3 + fw * dt3 * dt2 / 20;
    p[V + i][V + i] += force * dt + fw * dt3 / 3;
    p[P + i][V + i] += force * dt2 / 2 + fw * dt2 * dt2 / 8;
    p[V + i][P + i] = p[P + i][V + i];
    p[TH + i][TH + i] += rate * dt + rw * dt3 / 3;
    p[TH + i][BG + i] -= rw * dt2 / 2;
    p[BG + i][TH + i] = p[TH + i][BG + i];
    p[BA + i][BA + i] += fw * dt;
    p[BG + i][BG + i] += rw * dt;
    for (int k = 0; k < 3; k++) {
      const double r = turn.m[3 * i + k];
      p[V + i][BA + k] -= r * fw * dt2 / 2;
      p[P + i][BA + k] -= r * fw * dt3 / 6;
      p[BA + k][V + i] = p[V + i][BA + k];
      p[BA + k][P + i] = p[P + i][BA + k];
    }
  }
  p[S][S] += d->scale_walk * d->scale_walk * dt;
}

static bool is_finite3(const double a[3]) {
  return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

void rut_estimator_predict(rutEstimator* e, const double specific_force[3],
                           const double angular_velocity[3], double dt) {
  if (!(dt > 0 && dt <= 1e3) || !is_finite3(specific_force) || !is_finite3(angular_velocity))
    return;
  const rutVec3 a = rut_vec3_sub(rut_vec3_of(specific_force), rut_vec3_of(e->force_bias));
  const rutVec3 w = rut_vec3_sub(rut_vec3_of(angular_velocity), rut_vec3_of(e->rate_bias));
  const rutQuat q = attitude_of(e);
  const rutMat3 turn = rut_quat_matrix(q);
  Matrix phi, next;
  find_transition(turn, a, w, dt, phi);
  congruence(phi, e->covariance, next);
  add_noise(&e->def, turn, dt, next);
  memcpy(e->covariance, next, sizeof next);

  // the mean force acts at the mean attitude of the sample
  const rutQuat middle = rut_quat_mul(q, rut_quat_exp(rut_vec3_scale(w, 0.5 * dt)));
  rutVec3 force = rut_quat_rotate(middle, a);
  force.z -= e->def.gravity;
  const rutVec3 v = rut_vec3_of(e->velocity), p = rut_vec3_of(e->position);
  const rutVec3 moved = rut_vec3_add_scaled(rut_vec3_add_scaled(p, dt, v), 0.5 * dt * dt, force);
  rut_vec3_put(moved, e->position);
  rut_vec3_put(rut_vec3_add_scaled(v, dt, force), e->velocity);
  set_attitude(e, rut_quat_mul(q, rut_quat_exp(rut_vec3_scale(w, dt))));
  rut_vec3_put(w, e->angular_velocity);
}

// ---- a measurement ----

// Numbers with their rows and variances, whose noises do not depend on each other.
typedef struct Measurement {
  int n;
  double innovation[MOST], row[MOST][N], variance[MOST];
} Measurement;

// y' S^-1 y with S = H P H' + R, by Cholesky's factors of S.
static double squared_innovation(const rutEstimator* e, const Measurement* m) {
  double l[MOST][MOST], ph[MOST][N], sum = 0, y[MOST];
  for (int a = 0; a < m->n; a++) {
    for (int i = 0; i < N; i++) {
      ph[a][i] = 0;
      for (int k = 0; k < N; k++) ph[a][i] += e->covariance[i][k] * m->row[a][k];
    }
  }
  for (int a = 0; a < m->n; a++) {
    for (int b = 0; b <= a; b++) {
      double s = a == b ? m->variance[a] : 0;
      for (int i = 0; i < N; i++) s += m->row[a][i] * ph[b][i];
      for (int k = 0; k < b; k++) s -= l[a][k] * l[b][k];
      l[a][b] = a == b ? rut_sqrt(rut_max(s, RUT_LEAST_DIVISOR)) : s / l[b][b];
    }
    y[a] = m->innovation[a];
    for (int k = 0; k < a; k++) y[a] -= l[a][k] * y[k];
    y[a] /= l[a][a];
    sum += y[a] * y[a];
  }
  return sum;
}

// One number: error and covariance after it, in Joseph's form, which stays symmetric and positive.
static void take_number(const Measurement* m, int a, double error[N], Matrix p) {
  const double* h = m->row[a];
  double ph[N], s = m->variance[a], y = m->innovation[a];
  for (int i = 0; i < N; i++) {
    ph[i] = 0;
    for (int k = 0; k < N; k++) ph[i] += p[i][k] * h[k];
  }
  for (int i = 0; i < N; i++) {
    s += h[i] * ph[i];
    y -= h[i] * error[i];
  }
  double gain[N];
  for (int i = 0; i < N; i++) {
    gain[i] = ph[i] / s;
    error[i] += gain[i] * y;
  }
  // (I - K H) P (I - K H)' + K R K' = P - K (P H)' - (P H) K' + K s K'
  for (int i = 0; i < N; i++) {
    for (int k = i; k < N; k++) {
      p[i][k] += -gain[i] * ph[k] - ph[i] * gain[k] + gain[i] * s * gain[k];
      p[k][i] = p[i][k];
    }
  }
}

// The error moves into the state; the covariance is then about the new attitude.
static void inject(rutEstimator* e, const double error[N]) {
  for (int i = 0; i < 3; i++) {
    e->position[i] += error[P + i];
    e->velocity[i] += error[V + i];
    e->force_bias[i] += error[BA + i];
    e->rate_bias[i] += error[BG + i];
    e->angular_velocity[i] -= error[BG + i];
  }
  e->wheel_scale += error[S];
  const rutVec3 turn = rut_vec3_of(error + TH);
  set_attitude(e, rut_quat_mul(attitude_of(e), rut_quat_exp(turn)));
  Matrix reset = {{0}}, next;
  for (int i = 0; i < N; i++) reset[i][i] = 1;
  put_block(reset, TH, TH, mat3_add(rut_mat3_identity(), mat3_scale(cross_matrix(turn), -0.5)));
  congruence(reset, e->covariance, next);
  memcpy(e->covariance, next, sizeof next);
}

static void take(rutEstimator* e, const Measurement* m, rutEstimatorFit* fit) {
  // chi-square distribution: 0.999 quantiles for 1 to 6 degrees of freedom
  static const double GATE[MOST] = {10.828, 13.816, 16.266, 18.467, 20.515, 22.458};
  rutEstimatorFit own = {.numbers = m->n};
  bool fine = true;
  for (int a = 0; a < m->n; a++) {
    fine =
        fine && m->variance[a] > 0 && m->variance[a] < RUT_INFINITY && isfinite(m->innovation[a]);
  }
  own.squared = fine ? squared_innovation(e, m) : RUT_NAN;
  own.used = fine && (!e->def.gated || own.squared <= GATE[m->n - 1]);
  if (fit) *fit = own;
  if (!own.used) return;
  double error[N] = {0};
  for (int a = 0; a < m->n; a++) take_number(m, a, error, e->covariance);
  inject(e, error);
}

// Three numbers of a vector, with blocks of rows.
static Measurement of_vector(const double measured[3], rutVec3 expected,
                             const double deviation[3]) {
  Measurement m = {.n = 3};
  const double h[3] = {expected.x, expected.y, expected.z};
  for (int i = 0; i < 3; i++) {
    m.innovation[i] = measured[i] - h[i];
    m.variance[i] = deviation[i] > 0 ? deviation[i] * deviation[i] : RUT_NAN;
  }
  return m;
}

static void put_rows(Measurement* m, int column, rutMat3 block) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) m->row[i][column + k] = block.m[3 * i + k];
  }
}

void rut_estimator_fix(rutEstimator* e, const double place[3], const double position[3],
                       const double deviation[3], rutEstimatorFit* fit) {
  const rutMat3 turn = rut_quat_matrix(attitude_of(e));
  const rutVec3 l = rut_vec3_of(place);
  const rutVec3 expected = rut_vec3_add(rut_vec3_of(e->position), rut_mat3_apply(turn, l));
  Measurement m = of_vector(position, expected, deviation);
  put_rows(&m, P, rut_mat3_identity());
  put_rows(&m, TH, mat3_scale(rut_mat3_mul(turn, cross_matrix(l)), -1));
  take(e, &m, fit);
}

void rut_estimator_velocity(rutEstimator* e, const double place[3], const double velocity[3],
                            const double deviation[3], rutEstimatorFit* fit) {
  const rutMat3 turn = rut_quat_matrix(attitude_of(e));
  const rutVec3 l = rut_vec3_of(place);
  const rutVec3 round = rut_vec3_cross(rut_vec3_of(e->angular_velocity), l);
  const rutVec3 expected = rut_vec3_add(rut_vec3_of(e->velocity), rut_mat3_apply(turn, round));
  Measurement m = of_vector(velocity, expected, deviation);
  put_rows(&m, V, rut_mat3_identity());
  put_rows(&m, TH, mat3_scale(rut_mat3_mul(turn, cross_matrix(round)), -1));
  put_rows(&m, BG, rut_mat3_mul(turn, cross_matrix(l)));
  take(e, &m, fit);
}

void rut_estimator_baseline(rutEstimator* e, const double baseline[3], const double measured[3],
                            const double deviation[3], rutEstimatorFit* fit) {
  const rutMat3 turn = rut_quat_matrix(attitude_of(e));
  const rutVec3 l = rut_vec3_of(baseline);
  Measurement m = of_vector(measured, rut_mat3_apply(turn, l), deviation);
  put_rows(&m, TH, mat3_scale(rut_mat3_mul(turn, cross_matrix(l)), -1));
  take(e, &m, fit);
}

// Velocity of a place along an axis of the vehicle, 0 forward, 1 left, 2 up: number a.
static double velocity_at(const rutEstimator* e, const double place[3], int axis, Measurement* m,
                          int a) {
  const rutMat3 turn = rut_quat_matrix(attitude_of(e));
  const rutVec3 own = rut_mat3_apply_transposed(turn, rut_vec3_of(e->velocity));
  const rutVec3 l = rut_vec3_of(place);
  const rutVec3 at = rut_vec3_add(own, rut_vec3_cross(rut_vec3_of(e->angular_velocity), l));
  const rutMat3 by_turn = cross_matrix(own), by_bias = cross_matrix(l);
  for (int k = 0; k < 3; k++) {
    m->row[a][V + k] = turn.m[3 * k + axis];
    m->row[a][TH + k] = by_turn.m[3 * axis + k];
    m->row[a][BG + k] = by_bias.m[3 * axis + k];
  }
  const double v[3] = {at.x, at.y, at.z};
  return v[axis];
}

void rut_estimator_wheels(rutEstimator* e, const double place[3], double speed, double deviation,
                          rutEstimatorFit* fit) {
  Measurement m = {.n = 1, .variance = {deviation > 0 ? deviation * deviation : RUT_NAN}};
  const double scale = 1 + e->wheel_scale, forward = velocity_at(e, place, 0, &m, 0);
  for (int i = 0; i < S; i++) m.row[0][i] *= scale;
  m.row[0][S] = forward;
  m.innovation[0] = speed - scale * forward;
  take(e, &m, fit);
}

void rut_estimator_rolling(rutEstimator* e, const double place[3], double sideways,
                           const double deviation[2], rutEstimatorFit* fit) {
  Measurement m = {.n = 2};
  for (int a = 0; a < 2; a++) {
    const double expected = velocity_at(e, place, 1 + a, &m, a);
    m.innovation[a] = (a == 0 ? sideways : 0) - expected;
    m.variance[a] = deviation[a] > 0 ? deviation[a] * deviation[a] : RUT_NAN;
  }
  take(e, &m, fit);
}

void rut_estimator_stands(rutEstimator* e, const double angular_velocity[3],
                          double velocity_deviation, double rate_deviation, rutEstimatorFit* fit) {
  const double velocity = velocity_deviation, rate = rate_deviation;
  Measurement m = {.n = 6};
  for (int i = 0; i < 3; i++) {
    m.innovation[i] = -e->velocity[i];
    m.innovation[3 + i] = angular_velocity[i] - e->rate_bias[i];
    m.variance[i] = velocity > 0 ? velocity * velocity : RUT_NAN;
    m.variance[3 + i] = rate > 0 ? rate * rate : RUT_NAN;
    m.row[i][V + i] = 1;
    m.row[3 + i][BG + i] = 1;
  }
  take(e, &m, fit);
}
