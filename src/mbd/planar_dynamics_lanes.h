// SPDX-License-Identifier: BSD-3-Clause
//
// Accelerations of a planar vehicle (rutMbdPlan.planar): chassis, wheels that spin about lateral
// axes, bodies steered about the vertical at given rates.
//
// Everything turns about the vertical only, so a wheel's spin s obeys I s' = T (its gyroscopic
// moment lies in the plane of roll and pitch), and for a body of mass m at chassis position r, with
// the acceleration of the chassis origin a, yaw acceleration w' and velocity-product part b,
//   sum m (a + w' z x r + b) = F,   sum (I w' + r x m (a + w' z x r + b)) = M
// in chassis axes, which is solved for a and w' about the common centre of mass.
#ifndef RUT_MBD_PLANAR_DYNAMICS_LANES_H
#define RUT_MBD_PLANAR_DYNAMICS_LANES_H

#include "mbd/plan.h"

// Scratch rows: sums over the bodies, then one frame per body.
enum {
  PLANAR_FX,  // forces and moment on the chassis
  PLANAR_FY,
  PLANAR_MZ,
  PLANAR_RX,  // mass times position of steered bodies
  PLANAR_RY,
  PLANAR_INERTIA,  // their mass times distance squared
  PLANAR_SUMS,
  FRAME_C = 0,  // cosine and sine of yaw against the chassis
  FRAME_S,
  FRAME_X,  // origin in chassis axes
  FRAME_Y,
  FRAME_RATE,  // yaw rate against the ground
  FRAME_BX,    // velocity-product part of the origin's acceleration
  FRAME_BY,
  FRAME_ROWS
};

RUT_INLINE double* planar_frame(double* scratch, int n, int body) {
  return scratch + (PLANAR_SUMS + FRAME_ROWS * body) * n;
}

// Frame of a steered body from the frame that carries it.
RUT_INLINE void planar_steer_frame(const rutMbdBody* body, const rutMbdPlanBody* p,
                                   const rutMbdIn* in, int n, const double* carrier,
                                   double* frame) {
  const double sign = body->axis[2];
  const double *q = in->q + body->position * n, *v = in->v + body->speed * n;
  RUT_FOR_LANES(l, n) {
    const double c0 = carrier[FRAME_C * n + l], s0 = carrier[FRAME_S * n + l];
    const double rate = carrier[FRAME_RATE * n + l];
    double s, c;
    rut_sincos(sign * q[l], &s, &c);
    const double c1 = c0 * p->c - s0 * p->s, s1 = s0 * p->c + c0 * p->s;
    const double x = c0 * p->x - s0 * p->y, y = s0 * p->x + c0 * p->y;
    frame[FRAME_C * n + l] = c1 * c - s1 * s;
    frame[FRAME_S * n + l] = s1 * c + c1 * s;
    frame[FRAME_X * n + l] = carrier[FRAME_X * n + l] + x;
    frame[FRAME_Y * n + l] = carrier[FRAME_Y * n + l] + y;
    frame[FRAME_RATE * n + l] = rate + sign * v[l];
    frame[FRAME_BX * n + l] = carrier[FRAME_BX * n + l] - rate * rate * x;
    frame[FRAME_BY * n + l] = carrier[FRAME_BY * n + l] - rate * rate * y;
  }
}

// A wrench on a body, and where it acts.
typedef struct PlanarWrench {
  const double* force;  // [6][n] moment and force, body axes
  const double* frame;  // rows FRAME_* of the frame that carries the body
  double x, y, c, s;    // origin of the body in that frame [m], cosine and sine of its yaw
} PlanarWrench;

// Adds a wrench to the chassis' sums. turned: the body's axes are not the frame's; framed: the
// frame is not the chassis.
RUT_INLINE void planar_add_wrench(const PlanarWrench* w, int n, int turned, int framed,
                                  double* sums) {
  const double *force = w->force, *frame = w->frame;
  const double x = w->x, y = w->y, c0 = w->c, s0 = w->s;
  RUT_FOR_LANES(l, n) {
    double fx = force[3 * n + l], fy = force[4 * n + l], mz = force[2 * n + l];
    if (turned) {
      const double t = c0 * fx - s0 * fy;
      fy = s0 * fx + c0 * fy;
      fx = t;
    }
    mz += x * fy - y * fx;
    if (framed) {
      const double c = frame[FRAME_C * n + l], s = frame[FRAME_S * n + l];
      const double t = c * fx - s * fy;
      fy = s * fx + c * fy;
      fx = t;
      mz += frame[FRAME_X * n + l] * fy - frame[FRAME_Y * n + l] * fx;
    }
    sums[PLANAR_FX * n + l] += fx;
    sums[PLANAR_FY * n + l] += fy;
    sums[PLANAR_MZ * n + l] += mz;
  }
}
RUT_INLINE void planar_wrench(const rutMbdPlanBody* p, int n, int steer, const double* force,
                              const double* frame, double* sums) {
  // The axes of a steered body are those of its own frame.
  const int turned = !steer && !(p->c == 1.0 && p->s == 0.0), framed = steer || p->frame > 0;
  const PlanarWrench w = {force, frame, steer ? 0.0 : p->x, steer ? 0.0 : p->y, p->c, p->s};
  if (turned && framed) {
    planar_add_wrench(&w, n, 1, 1, sums);
  } else if (turned) {
    planar_add_wrench(&w, n, 1, 0, sums);
  } else if (framed) {
    planar_add_wrench(&w, n, 0, 1, sums);
  } else {
    planar_add_wrench(&w, n, 0, 0, sums);
  }
}

// Adds the mass of a body whose place depends on the steering.
RUT_INLINE void planar_add_mass(double mass, const rutMbdPlanBody* p, int n, const double* frame,
                                double* sums) {
  const double cx = p->com_x, cy = p->com_y;
  RUT_FOR_LANES(l, n) {
    const double c = frame[FRAME_C * n + l], s = frame[FRAME_S * n + l];
    const double rate = frame[FRAME_RATE * n + l];
    const double dx = c * cx - s * cy, dy = s * cx + c * cy;
    const double x = frame[FRAME_X * n + l] + dx, y = frame[FRAME_Y * n + l] + dy;
    const double bx = mass * (frame[FRAME_BX * n + l] - rate * rate * dx);
    const double by = mass * (frame[FRAME_BY * n + l] - rate * rate * dy);
    sums[PLANAR_FX * n + l] -= bx;
    sums[PLANAR_FY * n + l] -= by;
    sums[PLANAR_MZ * n + l] -= x * by - y * bx;
    sums[PLANAR_RX * n + l] += mass * x;
    sums[PLANAR_RY * n + l] += mass * y;
    sums[PLANAR_INERTIA * n + l] += mass * (x * x + y * y);
  }
}

RUT_INLINE void planar_spin(const rutMbdBody* body, const rutMbdPlanBody* p, int n,
                            const double* tau, const double* force, double* acceleration) {
  const double sign = p->spin_sign, inverse = p->spin_inverse;
  tau += body->speed * n;
  acceleration += body->speed * n;
  RUT_FOR_LANES(l, n) acceleration[l] = (tau[l] + sign * force[n + l]) * inverse;
}

// What the chassis is solved from.
typedef struct PlanarChassis {
  const rutMbdBody* root;
  const rutMbdPlan* plan;
  const rutMbdIn* in;
  const double* sums;  // rows PLANAR_* of all bodies
} PlanarChassis;

// Fills the chassis' rows of acceleration. steered: the mass distribution depends on the steering.
RUT_INLINE void planar_solve(const PlanarChassis* chassis, int n, int steered,
                             double* acceleration) {
  const rutMbdBody* root = chassis->root;
  const rutMbdPlan* plan = chassis->plan;
  const double *m = root->mount_rotation, *sums = chassis->sums, *gravity = chassis->in->gravity;
  const double* q = chassis->in->q + root->position * n;
  const double* v = chassis->in->v + root->speed * n;
  const double* tau = chassis->in->tau + root->speed * n;
  acceleration += root->speed * n;
  RUT_FOR_LANES(l, n) {
    double s, c;
    rut_sincos(q[2 * n + l], &s, &c);
    const double w = v[2 * n + l], w2 = w * w;
    double rx = plan->com_x, ry = plan->com_y, inverse_central = plan->inverse_central;
    if (steered) {
      rx = (plan->moment_x + sums[PLANAR_RX * n + l]) * plan->inverse_mass;
      ry = (plan->moment_y + sums[PLANAR_RY * n + l]) * plan->inverse_mass;
      inverse_central = 1.0 / (plan->yaw_inertia + sums[PLANAR_INERTIA * n + l] -
                               plan->mass * (rx * rx + ry * ry));
    }
    // Forces less the centripetal ones of the bodies that keep their place.
    const double fx = sums[PLANAR_FX * n + l] + (c * tau[l] + s * tau[n + l]) + w2 * plan->moment_x;
    const double fy = sums[PLANAR_FY * n + l] + (c * tau[n + l] - s * tau[l]) + w2 * plan->moment_y;
    const double moment = sums[PLANAR_MZ * n + l] + tau[2 * n + l] - (rx * fy - ry * fx);
    const double yaw = moment * inverse_central;
    const double ax = fx * plan->inverse_mass + ry * yaw;
    const double ay = fy * plan->inverse_mass - rx * yaw;
    const double gx = gravity[l], gy = gravity[n + l], gz = gravity[2 * n + l];
    acceleration[l] = (c * ax - s * ay) + (m[0] * gx + m[3] * gy + m[6] * gz);
    acceleration[n + l] = (s * ax + c * ay) + (m[1] * gx + m[4] * gy + m[7] * gz);
    acceleration[2 * n + l] = yaw;
  }
}

// Arguments as in rut_mbd_accelerate; n lanes.
RUT_INLINE void planar_accelerate(const rutMbdTree* tree, const rutMbdPlan* plan,
                                  const rutMbdIn* in, int n, double* scratch,
                                  double* acceleration) {
  double* sums = scratch;
  double* chassis = planar_frame(scratch, n, 0);
  const double *force = in->force, *yaw_rate = in->v + (tree->body[0].speed + 2) * n;
  for (int row = 0; row < PLANAR_SUMS; ++row) rut_fill_row(sums + row * n, n, 0.0);
  for (int row = 0; row < FRAME_ROWS; ++row) rut_fill_row(chassis + row * n, n, 0.0);
  rut_fill_row(chassis + FRAME_C * n, n, 1.0);
  RUT_FOR_LANES(l, n) {
    sums[PLANAR_FX * n + l] = force[3 * n + l];
    sums[PLANAR_FY * n + l] = force[4 * n + l];
    sums[PLANAR_MZ * n + l] = force[2 * n + l];
    chassis[FRAME_RATE * n + l] = yaw_rate[l];
  }
  for (int i = 1; i < tree->bodies; ++i) {
    const rutMbdBody* body = &tree->body[i];
    const rutMbdPlanBody* p = &plan->body[i];
    const double* wrench = force + 6 * i * n;
    const int steer = body->prescribed;
    double* frame = planar_frame(scratch, n, steer ? i : p->frame);
    if (steer) {
      planar_steer_frame(body, p, in, n, planar_frame(scratch, n, p->frame), frame);
      rut_fill_row(acceleration + body->speed * n, n, 0.0);
    } else if (body->rotor) {
      planar_spin(body, p, n, in->tau, wrench, acceleration);
    }
    planar_wrench(p, n, steer, wrench, frame, sums);
    if (p->steered) planar_add_mass(body->mass, p, n, frame, sums);
  }
  const PlanarChassis solved = {&tree->body[0], plan, in, sums};
  if (plan->steered) {
    planar_solve(&solved, n, 1, acceleration);
  } else {
    planar_solve(&solved, n, 0, acceleration);
  }
}

#endif  // RUT_MBD_PLANAR_DYNAMICS_LANES_H
