// SPDX-License-Identifier: BSD-3-Clause
//
// Traction of a vehicle on two axles in its vertical plane: which forces along the ground give an
// acceleration nearest to the one asked for, while both axles stay on the ground, none slips, and
// no motor asks for more than it has; and of these the ones with least heat in the motors.
//
// Frame: x along the path, z at right angles to it, origin at the centre of mass. Axle i (0 front,
// 1 rear) stands at (x_i, z_i) on ground that rises by g_i more than the path. Motion along the
// path and at right angles to it, and moments (nose down positive), with the acceleration a, that
// towards the path's centre n, slope p, and the spinning up of the wheels H a:
//   sum F_i cos g_i - N_i sin g_i = M (a + g sin p)
//   sum F_i sin g_i + N_i cos g_i = M (n + g cos p)
//   sum F_i e_i - N_i d_i = H a,    e_i = z_i cos g_i - x_i sin g_i,  d_i = z_i sin g_i + x_i cos
//   g_i
// Both loads and a follow from both forces, and all limits are straight lines in the plane of the
// forces. After Silva, Santos, Meggiolaro and Speranza Neto, J. Braz. Soc. Mech. Sci. Eng. 2010.
#ifndef RUT_CONTROL_TWO_AXLES_H
#define RUT_CONTROL_TWO_AXLES_H

#include "math/rut_math.h"

// Number that depends on both forces: c + f[0] F_0 + f[1] F_1.
typedef struct rutAffine {
  double c, f[2];
} rutAffine;

typedef struct rutAxleContact {
  double x, z;          // [m]
  double sine, cosine;  // of the slope from the path
  double saturation;    // largest force of the motors [N]
  double grip;          // largest force over the load
  double heat;          // weight of F^2 in the heat of the motors
} rutAxleContact;

typedef struct rutTwoAxles {
  rutAxleContact axle[2];
  double mass;    // [kg]
  double spin;    // H: sum of I/r [kg m]
  double along;   // g sin p [m/s2]
  double across;  // n + g cos p [m/s2]
  double least;   // load that each axle keeps [N]
  double asked;   // acceleration [m/s2]
} rutTwoAxles;

typedef struct rutTraction {
  int possible;              // 0: no forces keep the limits; the rest is then 0
  double acceleration;       // [m/s2]
  double force[2], load[2];  // [N]
} rutTraction;

enum { RUT_TRACTION_LIMITS = 10 };

// A line of forces: F_i = at[i] + s along[i].
typedef struct rutForceLine {
  double at[2], along[2];
} rutForceLine;

// The part low..high of a line; low > high: none.
typedef struct rutLinePart {
  double low, high;
} rutLinePart;

// A limit: f[0] F_0 + f[1] F_1 <= c.
typedef struct rutHalfPlane {
  double f[2], c;
} rutHalfPlane;

RUT_INLINE double rut_affine_at(rutAffine a, const double f[2]) {
  return a.c + a.f[0] * f[0] + a.f[1] * f[1];
}

// Acceleration and loads from the forces. False if the axles stand one above the other.
RUT_INLINE int rut_two_axles_solve(const rutTwoAxles* v, rutAffine* acceleration,
                                   rutAffine load[2]) {
  static const double LEAST_BASE = 1e-6;   // distance of the axles along the path [m]
  static const double LEAST_RATIO = 1e-3;  // of the determinant to that distance
  const rutAxleContact *front = &v->axle[0], *rear = &v->axle[1];
  const double d0 = front->z * front->sine + front->x * front->cosine;
  const double d1 = rear->z * rear->sine + rear->x * rear->cosine;
  const double det = rear->cosine * d0 - front->cosine * d1;
  const double base = rut_abs(front->x - rear->x);
  const int solvable = det > LEAST_RATIO * base && base > LEAST_BASE;
  const double inverse = 1.0 / (solvable ? det : 1.0);
  // loads as a sum over what stands on the right: B = M across - sum F sin, and C = H a - sum F e
  const double b[2] = {-d1 * inverse, d0 * inverse};
  const double c[2] = {-rear->cosine * inverse, front->cosine * inverse};
  const double weight = v->mass * v->across;
  double per_force[2][2];  // [axle whose load][axle whose force]
  for (int k = 0; k < 2; k++) {
    const rutAxleContact* axle = &v->axle[k];
    const double e = axle->z * axle->cosine - axle->x * axle->sine;
    for (int i = 0; i < 2; i++) per_force[i][k] = -b[i] * axle->sine - c[i] * e;
  }
  const double s0 = front->sine, s1 = rear->sine;
  const double inertia = v->mass + v->spin * (s0 * c[0] + s1 * c[1]);
  const double scale = 1.0 / inertia;
  acceleration->c = scale * (-weight * (s0 * b[0] + s1 * b[1]) - v->mass * v->along);
  for (int k = 0; k < 2; k++) {
    const double lost = s0 * per_force[0][k] + s1 * per_force[1][k];
    acceleration->f[k] = scale * (v->axle[k].cosine - lost);
  }
  for (int i = 0; i < 2; i++) {
    const double through = c[i] * v->spin;
    load[i].c = b[i] * weight + through * acceleration->c;
    for (int k = 0; k < 2; k++) load[i].f[k] = per_force[i][k] + through * acceleration->f[k];
  }
  return solvable && inertia > 0.0;
}

// Motors, friction both ways, and the least load.
RUT_INLINE void rut_two_axles_limits(const rutTwoAxles* v, const rutAffine load[2],
                                     rutHalfPlane limit[RUT_TRACTION_LIMITS]) {
  int n = 0;
  for (int i = 0; i < 2; i++) {
    const rutAxleContact* axle = &v->axle[i];
    for (int way = -1; way <= 1; way += 2) {
      const double own[2] = {i == 0 ? way : 0.0, i == 1 ? way : 0.0};
      limit[n++] = (rutHalfPlane){{own[0], own[1]}, axle->saturation};
      limit[n++] =
          (rutHalfPlane){{own[0] - axle->grip * load[i].f[0], own[1] - axle->grip * load[i].f[1]},
                         axle->grip * load[i].c};
    }
    limit[n++] = (rutHalfPlane){{-load[i].f[0], -load[i].f[1]}, load[i].c - v->least};
  }
}

// The part of a line that keeps all limits but one to a tolerance.
RUT_INLINE rutLinePart rut_clip_line(const rutHalfPlane limit[RUT_TRACTION_LIMITS], int but,
                                     double tolerance, const rutForceLine* line) {
  static const double PARALLEL = 1e-12;  // rate at which a line leaves a limit
  const double *at = line->at, *along = line->along;
  double from = -RUT_NO_LIMIT, to = RUT_NO_LIMIT;
  for (int j = 0; j < RUT_TRACTION_LIMITS; j++) {
    const double rate = limit[j].f[0] * along[0] + limit[j].f[1] * along[1];
    const double room = limit[j].c + tolerance - limit[j].f[0] * at[0] - limit[j].f[1] * at[1];
    const int rises = rate > PARALLEL, falls = rate < -PARALLEL, counts = j != but;
    const double end = room / (rises || falls ? rate : 1.0);
    to = counts && rises ? rut_min(to, end) : to;
    from = counts && falls ? rut_max(from, end) : from;
    // parallel, and on its wrong side
    to = counts && !rises && !falls && room < 0.0 ? -10.0 * RUT_NO_LIMIT : to;
  }
  return (rutLinePart){from, to};
}

// The line f[0] F_0 + f[1] F_1 = c from its point nearest to the origin, its direction of length 1.
// False if there is no such line.
RUT_INLINE int rut_line_of(const double f[2], double c, rutForceLine* line) {
  static const double LEAST_SQUARE = 1e-24;  // of the length of f
  const double square = f[0] * f[0] + f[1] * f[1];
  const int real = square > LEAST_SQUARE;
  const double inverse = 1.0 / (real ? square : 1.0), length = rut_sqrt(inverse);
  *line = (rutForceLine){.at = {c * f[0] * inverse, c * f[1] * inverse},
                         .along = {-f[1] * length, f[0] * length}};
  return real;
}

// Least and largest acceleration within the limits: a linear programme in two unknowns, whose ends
// lie on the borders. False if no forces keep them.
RUT_INLINE int rut_two_axles_range(const rutHalfPlane limit[RUT_TRACTION_LIMITS],
                                   rutAffine acceleration, double tolerance, double* least,
                                   double* most) {
  int possible = 0;
  *least = RUT_NO_LIMIT;
  *most = -RUT_NO_LIMIT;
  for (int k = 0; k < RUT_TRACTION_LIMITS; k++) {
    rutForceLine line;
    const int real = rut_line_of(limit[k].f, limit[k].c, &line);
    const rutLinePart part = rut_clip_line(limit, k, tolerance, &line);
    const int some = real && part.low <= part.high;
    const double start = rut_affine_at(acceleration, line.at);
    const double rate = acceleration.f[0] * line.along[0] + acceleration.f[1] * line.along[1];
    const double one = start + rate * part.low, other = start + rate * part.high;
    *least = some ? rut_min(*least, rut_min(one, other)) : *least;
    *most = some ? rut_max(*most, rut_max(one, other)) : *most;
    possible = possible || some;
  }
  return possible;
}

RUT_INLINE rutTraction rut_two_axles(const rutTwoAxles* v) {
  static const double TOLERANCE = 1e-9;           // of the limits, over the weight
  static const double LEAST_ACCELERATION = 1e-3;  // that counts in that [m/s2]
  rutAffine acceleration, load[2];
  rutHalfPlane limit[RUT_TRACTION_LIMITS];
  const int solvable = rut_two_axles_solve(v, &acceleration, load);
  rut_two_axles_limits(v, load, limit);
  const double tolerance =
      TOLERANCE * v->mass * (rut_abs(v->across) + rut_abs(v->along) + LEAST_ACCELERATION);
  double least, most;
  rutForceLine line;
  const int some = rut_two_axles_range(limit, acceleration, tolerance, &least, &most);
  const int possible = solvable && some;
  const double a = possible ? rut_clamp(v->asked, least, most) : 0.0;
  // on the line of that acceleration the forces with least heat, sum heat F^2
  const int real = rut_line_of(acceleration.f, a - acceleration.c, &line);
  const rutLinePart part = rut_clip_line(limit, -1, 2.0 * tolerance, &line);
  const double *at = line.at, *along = line.along, low = part.low, high = part.high;
  const double h0 = v->axle[0].heat * along[0], h1 = v->axle[1].heat * along[1];
  const double coolest = -(h0 * at[0] + h1 * at[1]) / (h0 * along[0] + h1 * along[1]);
  // rounding may leave a corner without room
  const double s = low <= high ? rut_clamp(coolest, low, high) : 0.5 * (low + high);
  const double force[2] = {at[0] + s * along[0], at[1] + s * along[1]};
  const double keep = possible && real && rut_is_finite(s) ? 1.0 : 0.0;
  rutTraction out = {.possible = keep > 0.0, .acceleration = keep * a};
  for (int i = 0; i < 2; i++) {
    out.force[i] = keep > 0.0 ? force[i] : 0.0;
    out.load[i] = keep > 0.0 ? rut_affine_at(load[i], force) : 0.0;
  }
  return out;
}

#endif  // RUT_CONTROL_TWO_AXLES_H
