// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of the spanning tree share, see augmented.c.
#ifndef FORM_AUGMENTED_H
#define FORM_AUGMENTED_H

#include "formulations.h"
#include "math/lanes.h"

enum { N = FORM_CORNERS, Y = 7, ROWS = 6, BODY = 27 };
// Order of y: lower arm, upright (3), upper arm, rod (2).
enum { Y_LOWER, Y_UPRIGHT, Y_UPPER = 4, Y_ROD };

// Vectors, matrices and symmetric matrices of four corners.
typedef struct Row {
  double v[N];
} Row;
typedef struct Row3 {
  double v[3 * N];
} Row3;
typedef struct Row9 {
  double v[9 * N];
} Row9;
typedef struct RowSym {
  double v[6 * N];
} RowSym;

// A point or direction that turns about a fixed axis by an angle: still + cos fore + sin side.
typedef struct Swing {
  Row3 still, fore, side;
} Swing;

typedef struct Constants {
  Row gain;
  // arms: pivot axis, ball joint and centre of mass, two axes of the inertia beside the pivot's
  Row3 lower_axis, upper_axis;
  Swing lower_ball, lower_com, lower_1, lower_2, upper_ball, upper_com, upper_1, upper_2;
  Swing spring, damper;  // feet on the lower arm
  Row3 spring_top, damper_top;
  RowSym lower_moment, upper_moment;  // in the axes pivot, 1, 2
  Row lower_about, upper_about;       // about the pivot
  // upright with the wheel that does not spin: from the lower ball joint, in its design axes
  Row3 up, tie, centre, hub, axis;
  Row9 carrier, inverse;  // inertia about the lower ball joint, and its inverse
  // rod: inner end, direction and two across it at the design position
  Row3 inner, along, cross_1, cross_2;
  Row length;
} Constants;

// What follows from positions and speeds, chassis axes.
typedef struct Motion {
  Row3 ball, ball_v, ball_a, lower_com, lower_v, lower_a;  // v per rate, a at constant rates
  Row3 upper, upper_v, upper_a, upper_com, upper_cv, upper_ca;
  RowSym lower_inertia, upper_inertia;
  Row9 turn;
  Row3 up, tie, centre, hub, axis;
  Row3 inner, inner_v, inner_a, along, across_1, across_2, along_v, along_a;
  Row spring, spring_lever, damper, damper_lever;  // lengths, and by the lower arm's angle
  Row shrink;                                      // length of across_1
} Motion;

typedef struct Augmented {
  formVehicle vehicle;
  formKinematics kinematics;
  Constants c;
  rutVec3 position, velocity, omega;
  rutQuat attitude;
  rutMat3 turn;
  Row lower, upper, rod_1, rod_2, spin;                // coordinates, and the spins
  Row lower_rate, upper_rate, rod_1_rate, rod_2_rate;  // speeds
  Row3 upright_rate;                                   // angular velocity against the chassis
  double upright[4 * N];                               // quaternion
  Motion m;
  rutVec3 gravity, force, moment;  // chassis axes
  Row3 hub_force, hub_moment;
  Row torque, drive, strut;
  double change[Y * N];  // y
  Row spin_change;
  rutVec3 linear, angular;
} Augmented;

#define V(row)          rut_load_vec3((row).v, N, i)
#define M(row)          rut_load_mat3((row).v, N, i)
#define SET(row, value) rut_store_vec3((row).v, N, i, value)

RUT_INLINE rutSym3 load_sym(const RowSym* r, int i) {
  return (rutSym3){r->v[i],         r->v[N + i],     r->v[2 * N + i],
                   r->v[3 * N + i], r->v[4 * N + i], r->v[5 * N + i]};
}
RUT_INLINE void store_sym(RowSym* r, int i, rutSym3 j) {
  r->v[i] = j.xx;
  r->v[N + i] = j.yy;
  r->v[2 * N + i] = j.zz;
  r->v[3 * N + i] = j.xy;
  r->v[4 * N + i] = j.xz;
  r->v[5 * N + i] = j.yz;
}

// One number of four corners, where it stands in an array.
typedef double Lanes __attribute__((vector_size(N * sizeof(double)), aligned(8), may_alias));
#define LANES(x)       (*(Lanes*)(x))
#define CONST_LANES(x) (*(const Lanes*)(x))

// Equations of the corners, [row][...][corner].
typedef struct Equations {
  // F: momentum about the chassis's centre of mass per speed; the same after D^-1; and Phi of that
  double momentum[6][Y][N], response[6][Y][N], cut_response[6][ROWS][N];
  double free[Y][N];      // right side of y, then D^-1 of it
  double gamma[ROWS][N];  // right side of the cut joints, then less Phi free
  // D^-1: upright's inverse E, E times its coupling with the lower arm, and reciprocals
  double e[9][N], coupling[3][N], lower[N], upper[N], rod_1[N], rod_2[N];
  double lambda[ROWS][ROWS][N];  // Lambda, lower triangle
  double body[BODY][N];  // chassis's matrix, upper triangle by rows (21), and right side (6)
} Equations;

// All up to Lambda: of corners without joint forces.
void form_augmented_equations(const Augmented* a, Equations* q);
// Accelerations of the chassis x and the corners y. The first solves each corner's joint forces in
// the elimination of the corner, the second all 24 together, after the tree without them.
void form_augmented_solve_by_corner(const Augmented* a, Equations* q, double x[6], double y[Y * N]);
void form_augmented_solve_together(const Augmented* a, Equations* q, double x[6], double y[Y * N]);

#endif  // FORM_AUGMENTED_H
