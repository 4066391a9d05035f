// SPDX-License-Identifier: BSD-3-Clause
#include "dense_reference.h"

#include <math.h>
#include <string.h>

// Input in double precision is widened everywhere, on purpose.
#pragma GCC diagnostic ignored "-Wdouble-promotion"

typedef long double real;

static void cross(const real a[3], const real b[3], real out[3]) {
  const real c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                     a[0] * b[1] - a[1] * b[0]};
  memcpy(out, c, sizeof c);
}
static void add_cross(const real a[3], const real b[3], real out[3]) {
  real c[3];
  cross(a, b, c);
  for (int i = 0; i < 3; ++i) out[i] += c[i];
}
static void apply(real m[3][3], const real v[3], real out[3]) {
  real r[3];
  for (int i = 0; i < 3; ++i) r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  memcpy(out, r, sizeof r);
}
static void apply_double(real m[3][3], const double v[3], real out[3]) {
  const real w[3] = {v[0], v[1], v[2]};
  apply(m, w, out);
}
static void multiply(real a[3][3], real b[3][3], real out[3][3]) {
  real r[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) r[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  }
  memcpy(out, r, sizeof r);
}
static real dot(const real a[3], const real b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// cos 1 + sin k~ + (1 - cos) k k^T
static void turn_about(const double axis[3], real angle, real out[3][3]) {
  const real s = sinl(angle), c = cosl(angle);
  const real k[3][3] = {{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      out[i][j] = (i == j ? c : 0) + s * k[i][j] + (1 - c) * (real)axis[i] * (real)axis[j];
  }
}
// q v q* for the three unit vectors.
static void turn_by_quaternion(const double q[4], real out[3][3]) {
  for (int j = 0; j < 3; ++j) {
    const real u[3] = {q[1], q[2], q[3]}, e[3] = {j == 0, j == 1, j == 2};
    real once[3], twice[3];
    cross(u, e, once);
    cross(u, once, twice);
    for (int i = 0; i < 3; ++i) out[i][j] = e[i] + 2 * ((real)q[0] * once[i] + twice[i]);
  }
}

// Adds a speed of the body's joint: a unit of it turns the body by `turn` and moves it by `move`.
static void add_column(denseBody* b, int column, const real turn[3], const real move[3],
                       double speed, real relative_omega[3], real relative_velocity[3]) {
  for (int i = 0; i < 3; ++i) {
    b->turn[column][i] += turn[i];
    b->move[column][i] += move[i];
    relative_omega[i] += turn[i] * (real)speed;
    relative_velocity[i] += move[i] * (real)speed;
  }
}

// Pose of the body and its velocity against the parent. `drift` gets the rate of the relative
// velocity in mount axes at constant speeds.
static void place_body(const rutMbdBody* body, const denseBody* parent, const double* q,
                       const double* v, denseBody* b, real relative_omega[3],
                       real relative_velocity[3], real drift[3]) {
  static const double ez[3] = {0, 0, 1};
  const real none[3] = {0, 0, 0};
  real mount[3][3], own[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, shift[3] = {0, 0, 0};
  for (int i = 0; i < 9; ++i) mount[i / 3][i % 3] = body->mount_rotation[i];
  real axes[3][3];
  memcpy(axes, parent->axes, sizeof axes);
  multiply(axes, mount, mount);  // joint axes to world
  const int at = body->speed;
  real a[3], column[3][3];
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) column[j][i] = mount[i][j];
  }
  apply_double(mount, body->axis, a);
  if (body->joint == RUT_JOINT_HINGE) {
    turn_about(body->axis, q[0], own);
    add_column(b, at, a, none, v[0], relative_omega, relative_velocity);
  } else if (body->joint == RUT_JOINT_SLIDE) {
    for (int i = 0; i < 3; ++i) shift[i] = a[i] * (real)q[0];
    add_column(b, at, none, a, v[0], relative_omega, relative_velocity);
  } else if (body->joint == RUT_JOINT_PLANAR) {
    turn_about(ez, q[2], own);
    for (int i = 0; i < 3; ++i) shift[i] = column[0][i] * (real)q[0] + column[1][i] * (real)q[1];
    add_column(b, at, none, column[0], v[0], relative_omega, relative_velocity);
    add_column(b, at + 1, none, column[1], v[1], relative_omega, relative_velocity);
    add_column(b, at + 2, column[2], none, v[2], relative_omega, relative_velocity);
  } else if (body->joint == RUT_JOINT_FREE) {
    real turned[3][3];
    turn_by_quaternion(q + 3, own);
    multiply(mount, own, turned);
    apply_double(mount, q, shift);
    for (int j = 0; j < 3; ++j) {
      const real direction[3] = {turned[0][j], turned[1][j], turned[2][j]};
      add_column(b, at + j, direction, none, v[j], relative_omega, relative_velocity);
      add_column(b, at + 3 + j, none, direction, v[3 + j], relative_omega, relative_velocity);
    }
    add_cross(relative_omega, relative_velocity, drift);
  }
  multiply(mount, own, b->rotation);
  memcpy(b->axes, body->rotor ? mount : b->rotation, sizeof b->axes);
  apply_double(axes, body->mount_position, b->origin);
  for (int i = 0; i < 3; ++i) b->origin[i] += parent->origin[i] + shift[i];
}

// The children of a spinning rotor spin with it, though their axes, as the rotor's, do not show it.
static void spin_with_parent(const denseBody* parent, denseBody* b) {
  real unturn[3][3], spin[3][3], axes[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) unturn[i][j] = parent->axes[j][i];
  }
  memcpy(spin, parent->rotation, sizeof spin);
  multiply(spin, unturn, spin);
  memcpy(axes, b->rotation, sizeof axes);
  multiply(spin, axes, b->rotation);
}

static void move_body(int columns, const denseBody* p, const real relative_omega[3],
                      const real relative_velocity[3], const real drift[3], denseBody* b) {
  real arm[3], swing[3];
  for (int i = 0; i < 3; ++i) arm[i] = b->origin[i] - p->origin[i];
  for (int k = 0; k < columns; ++k) {
    for (int i = 0; i < 3; ++i) {
      b->turn[k][i] += p->turn[k][i];
      b->move[k][i] += p->move[k][i];
    }
    add_cross(p->turn[k], arm, b->move[k]);
  }
  cross(p->omega, arm, swing);
  for (int i = 0; i < 3; ++i) {
    b->omega[i] = p->omega[i] + relative_omega[i];
    b->velocity[i] = p->velocity[i] + swing[i] + relative_velocity[i];
    b->alpha[i] = p->alpha[i];
    b->acceleration[i] = p->acceleration[i] + drift[i];
  }
  // Transport: alpha x r + w x (w x r) + 2 w x u.
  add_cross(p->omega, relative_omega, b->alpha);
  add_cross(p->alpha, arm, b->acceleration);
  add_cross(p->omega, swing, b->acceleration);
  add_cross(p->omega, relative_velocity, b->acceleration);
  add_cross(p->omega, relative_velocity, b->acceleration);
}

static void weigh_body(const rutMbdBody* body, denseBody* b) {
  real arm[3], i_rt[3][3], transposed[3][3];
  const double* t = body->inertia;
  real i[3][3] = {{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) transposed[r][c] = b->rotation[c][r];
  }
  multiply(i, transposed, i_rt);
  multiply(b->rotation, i_rt, b->inertia);
  apply_double(b->rotation, body->com, arm);
  cross(b->omega, arm, b->com_velocity);
  for (int k = 0; k < 3; ++k) {
    b->com[k] = b->origin[k] + arm[k];
    b->com_velocity[k] += b->velocity[k];
  }
}

// Adds m J^T J + J^T I J, and the generalised forces.
static void project_body(const rutMbdBody* body, int speeds, const double* force,
                         const double* gravity, denseBody* b, denseTree* dense) {
  const real m = body->mass;
  real arm[3], rate[3], spin[3], moment[3], wrench_moment[3], wrench_force[3], swing[3];
  for (int i = 0; i < 3; ++i) arm[i] = b->com[i] - b->origin[i];
  // Acceleration of the centre of mass and moment of the spin, at dv/dt = 0.
  memcpy(rate, b->acceleration, sizeof rate);
  add_cross(b->alpha, arm, rate);
  cross(b->omega, arm, swing);
  add_cross(b->omega, swing, rate);
  apply(b->inertia, b->alpha, moment);
  apply(b->inertia, b->omega, spin);
  add_cross(b->omega, spin, moment);
  apply_double(b->axes, force, wrench_moment);
  apply_double(b->axes, force + 3, wrench_force);
  for (int j = 0; j < speeds; ++j) {
    real jc[3], ij[3];
    memcpy(jc, b->move[j], sizeof jc);
    add_cross(b->turn[j], arm, jc);
    apply(b->inertia, b->turn[j], ij);
    for (int k = 0; k < speeds; ++k) {
      real kc[3];
      memcpy(kc, b->move[k], sizeof kc);
      add_cross(b->turn[k], arm, kc);
      dense->mass[j][k] += m * dot(jc, kc) + dot(ij, b->turn[k]);
    }
    const real g[3] = {gravity[0], gravity[1], gravity[2]};
    dense->bias[j] += m * (dot(jc, rate) - dot(jc, g)) + dot(b->turn[j], moment) -
                      dot(b->turn[j], wrench_moment) - dot(b->move[j], wrench_force);
  }
}

void dense_evaluate(const rutMbdTree* tree, const double* q, const double* v, const double* force,
                    const double* gravity, denseTree* dense) {
  memset(dense, 0, sizeof *dense);
  denseBody base;
  memset(&base, 0, sizeof base);
  for (int i = 0; i < 3; ++i) base.rotation[i][i] = base.axes[i][i] = 1;
  for (int i = 0; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    const denseBody* parent = body->parent < 0 ? &base : &dense->body[body->parent];
    denseBody* b = &dense->body[i];
    real omega[3] = {0, 0, 0}, velocity[3] = {0, 0, 0}, drift[3] = {0, 0, 0};
    place_body(body, parent, q + body->position, v + body->speed, b, omega, velocity, drift);
    spin_with_parent(parent, b);
    move_body(tree->speeds, parent, omega, velocity, drift, b);
    weigh_body(body, b);
    project_body(body, tree->speeds, force + 6 * i, gravity, b, dense);
  }
}

void dense_accelerate(const rutMbdTree* tree, denseTree* dense, const double* tau,
                      long double* acceleration) {
  const int n = tree->speeds;
  real a[REFERENCE_SPEEDS][REFERENCE_SPEEDS], x[REFERENCE_SPEEDS];
  memcpy(a, dense->mass, sizeof a);
  for (int i = 0; i < n; ++i) x[i] = (real)tau[i] - dense->bias[i];
  // A prescribed joint's equation becomes "acceleration = 0".
  for (int b = 0; b < tree->bodies; ++b) {
    if (!tree->body[b].prescribed) continue;
    const int s = tree->body[b].speed;
    for (int i = 0; i < n; ++i) a[s][i] = a[i][s] = i == s;
    x[s] = 0;
  }
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i) {
      if (fabsl(a[i][k]) > fabsl(a[best][k])) best = i;
    }
    for (int j = 0; j < n && best != k; ++j) {
      const real t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    const real t = x[k];
    x[k] = x[best];
    x[best] = t;
    for (int i = k + 1; i < n; ++i) {
      const real f = a[i][k] / a[k][k];
      for (int j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      x[i] -= f * x[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    acceleration[i] = x[i];
    for (int j = i + 1; j < n; ++j) acceleration[i] -= a[i][j] * acceleration[j];
    acceleration[i] /= a[i][i];
  }
}

long double dense_energy(const rutMbdTree* tree, const denseTree* dense, const double* gravity) {
  real energy = 0;
  for (int i = 0; i < tree->bodies; ++i) {
    denseBody b = dense->body[i];
    const real m = tree->body[i].mass, g[3] = {gravity[0], gravity[1], gravity[2]};
    real spin[3];
    apply(b.inertia, b.omega, spin);
    energy +=
        m * dot(b.com_velocity, b.com_velocity) / 2 + dot(b.omega, spin) / 2 - m * dot(g, b.com);
  }
  return energy;
}

void dense_momentum(const rutMbdTree* tree, const denseTree* dense, long double linear[3],
                    long double angular[3]) {
  for (int k = 0; k < 3; ++k) linear[k] = angular[k] = 0;
  for (int i = 0; i < tree->bodies; ++i) {
    denseBody b = dense->body[i];
    real spin[3], p[3];
    apply(b.inertia, b.omega, spin);
    for (int k = 0; k < 3; ++k) {
      p[k] = (real)tree->body[i].mass * b.com_velocity[k];
      linear[k] += p[k];
      angular[k] += spin[k];
    }
    add_cross(b.com, p, angular);
  }
}
