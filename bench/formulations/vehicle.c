// SPDX-License-Identifier: BSD-3-Clause
//
// Data of the vehicle that is compared. Source: Project Chrono (BSD-3-Clause), models
// hmmwv/HMMWV_DoubleWishbone* and HMMWV_PitmanArm: hardpoints in inches on the left side, from the
// middle between the lower arms' pivots.
#include "formulations.h"

static const double INCH = 0.0254, AXLE = 1.688965, DAMPING = 175.12677;  // [m], [m], N s/m

// Hardpoints in the order of the fields of formCorner, front and rear.
enum { POINTS = 16 };
static const double hardpoint[2][POINTS][3] = {
    {{-1.59, 35.815, -1.035},      // hub
     {-1.8864, 17.5575, 9.6308},   // upper arm: front and rear pivot, ball joint, centre of mass
     {-10.5596, 18.8085, 7.6992},  //
     {-2.088, 28.17, 8.484},       //
     {-4.155, 23.176, 8.575},      //
     {8.79, 12.09, 0},             // lower arm, likewise
     {-8.79, 12.09, 0},            //
     {-1.40, 30.965, -4.65},       //
     {0, 21.528, -2.325},          //
     {-1.59, 29.5675, -1.035},     // upright's centre of mass
     {4.095, 20.07, 7.775},        // spring and damper, top and foot
     {3.827, 21.385, -1.835},      //
     {4.095, 19.598, 12.722},      //
     {3.827, 21.385, -1.835},      //
     {-9.855, 17.655, 2.135},      // tie rod, inner and outer end
     {-6.922, 32.327, -0.643}},
    {{1.40, 35.815, -1.035},
     {13.7445, 18.1991, 8.9604},
     {3.0355, 18.1909, 8.8096},
     {1.40, 28.17, 8.5},
     {4.895, 23.183, 8.692},
     {8.79, 12.09, 0},
     {-8.79, 12.09, 0},
     {-1.40, 30.965, -4.65},
     {0, 21.527, -2.325},
     {1.40, 29.5675, -1.035},
     {-4.095, 19.747, 10.098},
     {-3.827, 21.385, -1.835},
     {-4.095, 19.598, 12.722},
     {-3.827, 21.415, -1.511},
     {8.790, 16.38, 2.31},
     {6.704, 32.327, -0.365}}};

// Force of the front spring at 0, 0.02, ... 0.20 m of compression, and of a stop [mm].
static const double spring_force[11] = {0,          3629.923,   8991.945,  17818.165,
                                        31840.681,  52791.592,  82402.997, 122406.996,
                                        174535.686, 240521.166, 322095.536};
static const double rear_force[11] = {0,         8020.869,   19869.076,  39371.956,
                                      70356.846, 116651.084, 182082.006, 270476.949,
                                      385663.25, 531468.245, 711719.272};
static const double stop_depth[11] = {0, 2, 4, 6, 8, 10, 20, 30, 40, 50, 60};
static const double stop_force[11] = {0, 200, 400, 600, 800, 1000, 2500, 4500, 7500, 12500, 125000};

// Axis of an arm so that positive turns lift its ball joint, the foot of the ball joint on it, and
// the inertia, given along the axis, across it in the arm's plane, and normal to that.
static void lay_arm(rutVec3 front, rutVec3 rear, rutVec3 ball, const double moment[3],
                    rutVec3* axis, rutVec3* foot, rutSym3* inertia) {
  rutVec3 u = rut_vec3_unit(rut_vec3_sub(front, rear));
  const rutVec3 out = rut_vec3_sub(ball, rear);
  if (rut_vec3_cross(u, out).z < 0) u = rut_vec3_scale(u, -1);
  *axis = u;
  *foot = rut_vec3_add_scaled(rear, rut_vec3_dot(out, u), u);
  const rutVec3 n = rut_vec3_unit(rut_vec3_sub(ball, *foot));
  const rutSym3 own = {moment[0], moment[1], moment[2], 0, 0, 0};
  *inertia = rut_sym3_turned(own, u, n, rut_vec3_cross(u, n));
}

static void lay_corner(const formVehicle* v, bool rear, double side, formCorner* c) {
  rutVec3* const to[POINTS] = {&c->hub,        &c->upper_front, &c->upper_rear, &c->upper_ball,
                               &c->upper_com,  &c->lower_front, &c->lower_rear, &c->lower_ball,
                               &c->lower_com,  &c->upright_com, &c->spring_top, &c->spring_foot,
                               &c->damper_top, &c->damper_foot, &c->tie_inner,  &c->tie_outer};
  for (int i = 0; i < POINTS; i++) {
    const double* p = hardpoint[rear][i];
    const rutVec3 at =
        rut_vec3((rear ? -AXLE : AXLE) + INCH * p[0], side * INCH * p[1], INCH * p[2]);
    *to[i] = rut_vec3_sub(at, v->com);
  }
  lay_arm(c->upper_front, c->upper_rear, c->upper_ball, v->upper_moment, &c->upper_axis,
          &c->upper_foot, &c->upper_inertia);
  lay_arm(c->lower_front, c->lower_rear, c->lower_ball, v->lower_moment, &c->lower_axis,
          &c->lower_foot, &c->lower_inertia);
  const double* j = v->upright_moment;
  c->upright_inertia = (rutSym3){j[0], j[1], j[2], 0, 0, 0};
  c->side = side;
  c->gain = rear ? 0 : 1;
  c->spring.n = 11;
  for (int i = 0; i < c->spring.n; i++) {
    c->spring.x[i] = 0.02 * i;
    c->spring.force[i] = rear ? rear_force[i] : spring_force[i];
  }
  c->free_length = rear ? 0.382 : 0.339;
  c->bump_length = 0.15;
  c->rebound_length = rear ? 0.35 : 0.30;
  c->compression = DAMPING * (rear ? 83.0 : 71.5);
  c->rebound = DAMPING * (rear ? 200.0 : 128.25);
  c->zone_compression = DAMPING * (rear ? 48.75 : 33.67);
  c->zone_rebound = DAMPING * (rear ? 365.0 : 343.0);
}

void form_hmmwv(formVehicle* v) {
  double sine, cosine;
  rut_sincos(18.5 * 3.14159265358979323846 / 180, &sine, &cosine);
  *v = (formVehicle){.gravity = 9.81,
                     .mass = 2086.52,
                     .inertia = {1078.52, 2955.66, 3570.20, 0, 0, 0},
                     .upper_mass = 5.813,
                     .lower_mass = 23.965,
                     .upright_mass = 19.450,
                     .rod_mass = 6.0,
                     .wheel_mass = 71.105,
                     .upper_moment = {0.03, 0.03, 0.06276},
                     .lower_moment = {0.4, 0.4, 0.8938},
                     .upright_moment = {0.1656, 0.1934, 0.04367},
                     .wheel_spin = 7.38782,
                     .wheel_transverse = 4.34457,
                     .wheel_radius = 0.47,
                     .com = {0.056, 0, 0.213},
                     .arm = {0.129 * cosine, 0, -0.129 * sine},
                     .axis = {-sine, 0, -cosine},
                     .zone_short = 12.76 * INCH,
                     .zone_long = 16.48 * INCH,
                     .stop = {.n = 11}};
  for (int i = 0; i < v->stop.n; i++) {
    v->stop.x[i] = 1e-3 * stop_depth[i];
    v->stop.force[i] = stop_force[i];
  }
  for (int i = 0; i < FORM_CORNERS; i++) lay_corner(v, i >= 2, i % 2 ? -1 : 1, &v->corner[i]);
}
