// SPDX-License-Identifier: BSD-3-Clause
#include "mbd/integrate.h"

#include "math/quat.h"
#include "mbd/spatial.h"

// ---------------------------------------------------------------------------------------------
// Semi-implicit Euler

// New speeds of a free joint. The linear acceleration is the rate of body-axis components; with
// w x v added it is that of the vector, which alone may change speed. The result is still in the
// axes of the start.
static void kick_free(int n, double h, const double* acceleration, double* v) {
  RUT_FOR_LANES(l, n) {
    const rutSpatial a = rut_load_spatial(acceleration, n, l), old = rut_load_spatial(v, n, l);
    const rutVec3 linear = rut_vec3_add(a.l, rut_vec3_cross(old.a, old.l));
    rut_store_vec3(v, n, l, rut_vec3_add_scaled(old.a, h, a.a));
    rut_store_vec3(v + 3 * n, n, l, rut_vec3_add_scaled(old.l, h, linear));
  }
}
// The same vector in the axes that the step has turned to.
static void turn_velocity(int n, double h, double* v) {
  RUT_FOR_LANES(l, n) {
    const rutVec3 back = rut_vec3_scale(rut_load_vec3(v, n, l), -h);
    const rutVec3 old = rut_load_vec3(v + 3 * n, n, l);
    rut_store_vec3(v + 3 * n, n, l, rut_quat_rotate(rut_quat_exp(back), old));
  }
}

void rut_mbd_advance_euler(const rutMbdTree* tree, int lanes, double h, const double* acceleration,
                           double* q, double* v) {
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    const double* a = acceleration + body->speed * lanes;
    double* speed = v + body->speed * lanes;
    if (body->joint == RUT_JOINT_FREE) {
      kick_free(lanes, h, a, speed);
      continue;
    }
    const int size = rut_mbd_joint_speeds((rutJointType)body->joint) * lanes;
    RUT_FOR_LANES(k, size) speed[k] += h * a[k];
  }
  rut_mbd_integrate(tree, lanes, h, v, q);
  for (int i = 0; i < tree->bodies; ++i) {
    if (tree->body[i].joint == RUT_JOINT_FREE)
      turn_velocity(lanes, h, v + tree->body[i].speed * lanes);
  }
}

// ---------------------------------------------------------------------------------------------
// Runge-Kutta
//
// Displacements from the start of the step form a vector space with one number per speed: u for a
// joint's coordinates; for a free joint the rotation vector u of q = q0 exp(u) and the translation
// in mount axes. Its rates are du/dt = v, but for a rotation
//   du/dt = w + (u x w) / 2 + u x (u x w) / 12,
// exact up to fourth order in u, since dexp^-1 has no cubic term (Hairer, Lubich and Wanner,
// Geometric Numerical Integration, 2006, sections III.4 and IV.7).

static void free_rates(int n, const double* u, const double* q, const double* v, double* rates) {
  RUT_FOR_LANES(l, n) {
    const rutVec3 turn = rut_load_vec3(u, n, l), w = rut_load_vec3(v, n, l);
    const rutVec3 once = rut_vec3_cross(turn, w), twice = rut_vec3_cross(turn, once);
    const rutQuat attitude = rut_quat(q[3 * n + l], q[4 * n + l], q[5 * n + l], q[6 * n + l]);
    rut_store_vec3(rates, n, l,
                   rut_vec3_add_scaled(rut_vec3_add_scaled(w, 0.5, once), 1.0 / 12.0, twice));
    rut_store_vec3(rates + 3 * n, n, l, rut_quat_rotate(attitude, rut_load_vec3(v + 3 * n, n, l)));
  }
}
static void displacement_rates(const rutMbdTree* tree, int lanes, const double* u, const double* q,
                               const double* v, double* rates) {
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    const int at = body->speed * lanes;
    if (body->joint == RUT_JOINT_FREE) {
      free_rates(lanes, u + at, q + body->position * lanes, v + at, rates + at);
      continue;
    }
    const int size = rut_mbd_joint_speeds((rutJointType)body->joint) * lanes;
    RUT_FOR_LANES(k, size) rates[at + k] = v[at + k];
  }
}

static void displace_free(int n, const double* u, const double* start, double* q) {
  RUT_FOR_LANES(l, n) {
    const rutQuat old =
        rut_quat(start[3 * n + l], start[4 * n + l], start[5 * n + l], start[6 * n + l]);
    const rutQuat turned = rut_quat_unit(rut_quat_mul(old, rut_quat_exp(rut_load_vec3(u, n, l))));
    rut_store_vec3(q, n, l,
                   rut_vec3_add(rut_load_vec3(start, n, l), rut_load_vec3(u + 3 * n, n, l)));
    q[3 * n + l] = turned.w;
    q[4 * n + l] = turned.x;
    q[5 * n + l] = turned.y;
    q[6 * n + l] = turned.z;
  }
}
// Positions q at a displacement u from the start.
static void displace(const rutMbdTree* tree, int lanes, const double* u, const double* start,
                     double* q) {
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    const int from = body->speed * lanes, to = body->position * lanes;
    if (body->joint == RUT_JOINT_FREE) {
      displace_free(lanes, u + from, start + to, q + to);
      continue;
    }
    const int size = rut_mbd_joint_speeds((rutJointType)body->joint) * lanes;
    RUT_FOR_LANES(k, size) q[to + k] = start[to + k] + u[from + k];
  }
}

size_t rut_mbd_step_scratch(const rutMbdTree* tree, int lanes) {
  return (size_t)lanes * (2 * (size_t)tree->positions + 7 * (size_t)tree->speeds);
}

const double rut_mbd_rk4_weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};

void rut_mbd_step_rk4(const rutMbdTree* tree, const rutMbdStep* step, double* scratch, double* q,
                      double* v) {
  static const double node[4] = {0.0, 0.5, 0.5, 1.0};
  const int lanes = step->lanes;
  const int nq = tree->positions * lanes, nv = tree->speeds * lanes;
  double *start = scratch, *stage_q = start + nq, *u = stage_q + nq, *stage_v = u + nv;
  double *rate_u = stage_v + nv, *rate_v = rate_u + nv, *sum_u = rate_v + nv, *sum_v = sum_u + nv;
  double* start_v = sum_v + nv;
  memcpy(start, q, (size_t)nq * sizeof *q);
  memcpy(start_v, v, (size_t)nv * sizeof *v);
  for (int k = 0; k < nv; ++k) rate_u[k] = rate_v[k] = sum_u[k] = sum_v[k] = 0.0;

  for (int stage = 0; stage < 4; ++stage) {
    const double ahead = step->h * node[stage], share = step->h * rut_mbd_rk4_weight[stage];
    for (int k = 0; k < nv; ++k) {
      u[k] = ahead * rate_u[k];
      stage_v[k] = start_v[k] + ahead * rate_v[k];
    }
    displace(tree, lanes, u, start, stage_q);
    displacement_rates(tree, lanes, u, stage_q, stage_v, rate_u);
    step->rates(step->user, step->time + ahead, stage_q, stage_v, rate_v);
    for (int k = 0; k < nv; ++k) {
      sum_u[k] += share * rate_u[k];
      sum_v[k] += share * rate_v[k];
    }
  }
  displace(tree, lanes, sum_u, start, q);
  for (int k = 0; k < nv; ++k) v[k] = start_v[k] + sum_v[k];
}
