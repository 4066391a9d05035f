// SPDX-License-Identifier: BSD-3-Clause
#include "hmmwv_bodies.h"

#include <math.h>
#include <string.h>

#include "sim/model.h"

// ---- vectors ----

typedef struct V {
  double x, y, z;
} V;
typedef struct M {
  V row[3];
} M;
static V v3(double x, double y, double z) { return (V){x, y, z}; }
static V of(const double a[3]) { return v3(a[0], a[1], a[2]); }
static V add(V a, V b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static V sub(V a, V b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static V scale(V a, double s) { return v3(a.x * s, a.y * s, a.z * s); }
static double dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static V cross(V a, V b) {
  return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static V unit(V a) { return scale(a, 1 / sqrt(dot(a, a))); }
static V apply(M m, V a) { return v3(dot(m.row[0], a), dot(m.row[1], a), dot(m.row[2], a)); }
static void put(V a, double out[3]) {
  out[0] = a.x;
  out[1] = a.y;
  out[2] = a.z;
}
// a turned by an angle about a unit axis
static V turned(V a, V axis, double angle) {
  const double c = cos(angle), s = sin(angle);
  return add(add(scale(a, c), scale(cross(axis, a), s)), scale(axis, dot(axis, a) * (1 - c)));
}
static V turned_by(V a, V rotation) {
  const double angle = sqrt(dot(rotation, rotation));
  return angle > 0 ? turned(a, scale(rotation, 1 / angle), angle) : a;
}

// ---- the vehicle ----

// Hardpoints of the left side in the frame of the chassis, J. Aardema, TACOM TR 13337, as Project
// Chrono uses them. Steering linkage and Pitman arm are part of the chassis.
typedef struct Points {
  V upper_front, upper_rear, upper_ball, upper_com, lower_front, lower_rear, lower_ball, lower_com;
  V upright_com, hub, tie_inner, tie_outer, spring_top, spring_foot, damper_top, damper_foot;
} Points;
static const Points points[2] = {{{1.6410504, 0.4459605, 0.2446223},
                                  {1.4207512, 0.4777359, 0.1955597},
                                  {1.6359298, 0.7155180, 0.2154936},
                                  {1.5834280, 0.5886704, 0.2178050},
                                  {1.9122310, 0.3070860, 0},
                                  {1.4656990, 0.3070860, 0},
                                  {1.6534050, 0.7865110, -0.1181100},
                                  {1.6889650, 0.5468112, -0.0590550},
                                  {1.6485790, 0.7510145, -0.0262890},
                                  {1.6485790, 0.9097010, -0.0262890},
                                  {1.4386480, 0.4484370, 0.0542290},
                                  {1.5131462, 0.8211058, -0.0163322},
                                  {1.7929780, 0.5097780, 0.1974850},
                                  {1.7861708, 0.5431790, -0.0466090},
                                  {1.7929780, 0.4977892, 0.3231388},
                                  {1.7861708, 0.5431790, -0.0466090}},
                                 {{-1.3398547, 0.4622571, 0.2275942},
                                  {-1.6118633, 0.4620489, 0.2237638},
                                  {-1.6534050, 0.7155180, 0.2159000},
                                  {-1.5646320, 0.5888482, 0.2207768},
                                  {-1.4656990, 0.3070860, 0},
                                  {-1.9122310, 0.3070860, 0},
                                  {-1.6534050, 0.7865110, -0.1181100},
                                  {-1.6889650, 0.5467858, -0.0590550},
                                  {-1.6534050, 0.7510145, -0.0262890},
                                  {-1.6534050, 0.9097010, -0.0262890},
                                  {-1.4656990, 0.4160520, 0.0586740},
                                  {-1.5186834, 0.8211058, -0.0092710},
                                  {-1.7929780, 0.5015738, 0.2564892},
                                  {-1.7861708, 0.5431790, -0.0466090},
                                  {-1.7929780, 0.4977892, 0.3231388},
                                  {-1.7861708, 0.5439410, -0.0383794}}};
static const V steering_arm = {0.122334, 0, -0.040932}, steering_axis = {-0.317305, 0, -0.948324};

// Centre of mass, mass and inertia of the chassis; masses and inertias of the others: along the
// pivots, across in the arm's plane and at right angles to both; along the chassis's axes.
static const V chassis_com = {0.059266, 0.000191, 0.212631};
static const V chassis_inertia = {1078.9, 2964.6, 3579.3};
static const double chassis_mass = 2091.806;
static const double lower_mass = 23.965, upper_mass = 5.813, upright_mass = 19.45;
static const double wheel_mass = 71.105, wheel_spin = 7.38782, wheel_across = 4.34457;
static const V lower_inertia = {0.4, 0.4, 0.8938}, upper_inertia = {0.03, 0.03, 0.06276};
static const V upright_inertia = {0.1656, 0.1934, 0.04367};

enum { TABLE = 11 };
static const double spring_at[TABLE] = {0,    0.02, 0.04, 0.06, 0.08, 0.1,
                                        0.12, 0.14, 0.16, 0.18, 0.2};
static const double spring_force[2][TABLE] = {
    {0, 3629.92, 8991.95, 17818.2, 31840.7, 52791.6, 82403, 122407, 174535.7, 240521.2, 322095.5},
    {0, 8020.87, 19869.1, 39372, 70356.8, 116651.1, 182082, 270476.9, 385663.3, 531468.2,
     711719.3}};
enum { STOP = 8 };
static const double stop_at[STOP] = {0, 0.002, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06};
static const double stop_force[STOP] = {0, 200, 1000, 2500, 4500, 7500, 12500, 125000};
static const double free_length[2] = {0.339, 0.382}, rebound_length[2] = {0.30, 0.35};
static const double bump_length = 0.15;

static V mirrored(V a, double side) { return v3(a.x, side * a.y, a.z); }
static Points points_of(int corner) {
  const double side = corner % 2 ? -1 : 1;
  Points p = points[corner / 2];
  V* each = &p.upper_front;
  for (int i = 0; i < (int)(sizeof p / sizeof(V)); i++) each[i] = mirrored(each[i], side);
  return p;
}

// ---- one corner ----

// A hinge on the chassis: a point and the unit axis about which positive angles lift what is
// outside of it.
typedef struct Hinge {
  V foot, axis;
} Hinge;
static Hinge hinge_of(V front, V rear, V ball) {
  const V axis = unit(sub(front, rear));
  const double lifts = cross(axis, sub(ball, rear)).z > 0 ? 1 : -1;
  return (Hinge){rear, scale(axis, lifts)};
}
static V at_hinge(Hinge h, V point, double angle) {
  return add(h.foot, turned(sub(point, h.foot), h.axis, angle));
}
static V speed_at_hinge(Hinge h, V at, double rate) {
  return scale(cross(h.axis, sub(at, h.foot)), rate);
}

// Solution of four equations by elimination with pivots.
static void solve4(double a[4][5], double x[4]) {
  for (int c = 0; c < 4; c++) {
    int best = c;
    for (int r = c + 1; r < 4; r++) best = fabs(a[r][c]) > fabs(a[best][c]) ? r : best;
    for (int k = 0; k < 5; k++) {
      const double keep = a[c][k];
      a[c][k] = a[best][k];
      a[best][k] = keep;
    }
    for (int r = 0; r < 4; r++) {
      const double f = r == c ? 0 : a[r][c] / a[c][c];
      for (int k = c; k < 5; k++) a[r][k] -= f * a[c][k];
    }
  }
  for (int c = 0; c < 4; c++) x[c] = a[c][4] / a[c][c];
}

// Axes of the upright, angle of the upper arm, and their rates. Velocities are against the chassis.
typedef struct Pose {
  Points p;
  Hinge lower, upper;
  V axis[3];
  double upper_angle, upper_rate;
  V ball, ball_speed, turning;
} Pose;

// What the upright carries, from the lower ball.
static V carried(const Pose* k, V design) {
  const V d = sub(design, k->p.lower_ball);
  return add(add(scale(k->axis[0], d.x), scale(k->axis[1], d.y)), scale(k->axis[2], d.z));
}

// The upright turns by x[0..2] and the upper arm by x[3] such that `ball` and `tie` vanish: the way
// between the ball joints, and that which the tie rod is too long.
static void close_loops(const Pose* k, V inner, V ball, double tie, double x[4]) {
  const V pin = carried(k, k->p.upper_ball), rod = carried(k, k->p.tie_outer);
  const V up = speed_at_hinge(k->upper, add(k->ball, pin), 1);
  const V along = sub(add(k->ball, rod), inner), lever = cross(rod, along);
  double a[4][5] = {{0, pin.z, -pin.y, -up.x, -ball.x},
                    {-pin.z, 0, pin.x, -up.y, -ball.y},
                    {pin.y, -pin.x, 0, -up.z, -ball.z},
                    {lever.x, lever.y, lever.z, 0, -tie}};
  solve4(a, x);
}

// Axis and arm of the steering linkage at a coordinate.
static V arm_at(double steer) { return turned(steering_arm, unit(steering_axis), steer); }

// Newton's steps from the last pose to that at q and s.
static void move_to(Pose* k, double q, double s, int steps) {
  const V rod = sub(k->p.tie_outer, k->p.tie_inner);
  const V inner = add(k->p.tie_inner, sub(arm_at(s), steering_arm));
  double x[4];
  k->ball = at_hinge(k->lower, k->p.lower_ball, q);
  for (int i = 0; i < steps; i++) {
    const V top = at_hinge(k->upper, k->p.upper_ball, k->upper_angle);
    const V gap = sub(add(k->ball, carried(k, k->p.upper_ball)), top);
    const V now = sub(add(k->ball, carried(k, k->p.tie_outer)), inner);
    close_loops(k, inner, gap, 0.5 * (dot(now, now) - dot(rod, rod)), x);
    for (int j = 0; j < 3; j++) k->axis[j] = turned_by(k->axis[j], v3(x[0], x[1], x[2]));
    k->upper_angle += x[3];
  }
}

static Pose pose_of(int corner, double q, double rate, double steer, double steer_rate) {
  enum { WAY = 10 };
  Pose k = {.p = points_of(corner), .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const double linked = corner < 2 ? 1 : 0, s = linked * steer;
  k.lower = hinge_of(k.p.lower_front, k.p.lower_rear, k.p.lower_ball);
  k.upper = hinge_of(k.p.upper_front, k.p.upper_rear, k.p.upper_ball);
  // from the design position on, so as to stay in the way that it is put together
  for (int i = 1; i <= WAY; i++) move_to(&k, q * i / WAY, s * i / WAY, i < WAY ? 2 : 6);
  const V inner = add(k.p.tie_inner, sub(arm_at(s), steering_arm));
  const V inner_speed = scale(cross(unit(steering_axis), arm_at(s)), linked * steer_rate);
  const V along = sub(add(k.ball, carried(&k, k.p.tie_outer)), inner);
  double x[4];
  k.ball_speed = speed_at_hinge(k.lower, k.ball, rate);
  close_loops(&k, inner, k.ball_speed, dot(along, sub(k.ball_speed, inner_speed)), x);
  k.turning = v3(x[0], x[1], x[2]);
  k.upper_rate = x[3];
  return k;
}

// A body against the chassis: principal axes and inertias.
typedef struct Member {
  double mass;
  V at, speed, turning, axis[3], inertia;
} Member;

static Member arm_of(Hinge h, V front, V rear, V ball, V com, double angle, double rate,
                     double mass, V inertia) {
  const V u = unit(sub(front, rear)), w = unit(cross(sub(rear, ball), sub(front, ball)));
  const V at = at_hinge(h, com, angle);
  return (Member){
      mass,
      at,
      speed_at_hinge(h, at, rate),
      scale(h.axis, rate),
      {turned(u, h.axis, angle), turned(cross(w, u), h.axis, angle), turned(w, h.axis, angle)},
      inertia};
}
static Member carried_member(const Pose* k, V design, double mass, V inertia) {
  const V arm = carried(k, design);
  return (Member){mass,
                  add(k->ball, arm),
                  add(k->ball_speed, cross(k->turning, arm)),
                  k->turning,
                  {k->axis[0], k->axis[1], k->axis[2]},
                  inertia};
}

static void members_of(const Pose* k, double q, double rate, double spin, Member out[4]) {
  const Points* p = &k->p;
  out[0] = arm_of(k->lower, p->lower_front, p->lower_rear, p->lower_ball, p->lower_com, q, rate,
                  lower_mass, lower_inertia);
  out[1] = arm_of(k->upper, p->upper_front, p->upper_rear, p->upper_ball, p->upper_com,
                  k->upper_angle, k->upper_rate, upper_mass, upper_inertia);
  out[2] = carried_member(k, p->upright_com, upright_mass, upright_inertia);
  out[3] = carried_member(k, p->hub, wheel_mass, v3(wheel_across, wheel_spin, wheel_across));
  out[3].turning = add(out[3].turning, scale(k->axis[1], spin));
}

static V momentum_of(const Member* m, V turning) {
  V h = {0, 0, 0};
  const double j[3] = {m->inertia.x, m->inertia.y, m->inertia.z};
  for (int i = 0; i < 3; i++) {
    h = add(h, scale(m->axis[i], j[i] * dot(m->axis[i], turning)));
  }
  return h;
}

hmmwvCorner hmmwv_corner(int corner, double q, double steer) {
  const Pose k = pose_of(corner, q, 1, steer, 0);
  Member m[4];
  hmmwvCorner c = {0};
  members_of(&k, q, 1, 0, m);
  for (int i = 0; i < 4; i++) {
    // the wheel does not turn about its axis with the carrier: its spin is free
    const V turning =
        i < 3 ? m[i].turning : sub(m[i].turning, scale(k.axis[1], dot(k.axis[1], m[i].turning)));
    c.inertia +=
        m[i].mass * dot(m[i].speed, m[i].speed) + dot(turning, momentum_of(&m[i], turning));
  }
  c.travel = m[3].at.z - k.p.hub.z;
  c.tilt_rate = dot(k.turning, k.axis[1]);
  const V foot = at_hinge(k.lower, k.p.spring_foot, q), way = sub(foot, k.p.spring_top);
  c.spring = sqrt(dot(way, way));
  c.spring_rate = dot(way, speed_at_hinge(k.lower, foot, 1)) / c.spring;
  const V other = at_hinge(k.lower, k.p.damper_foot, q), reach = sub(other, k.p.damper_top);
  c.damper = sqrt(dot(reach, reach));
  c.damper_rate = dot(reach, speed_at_hinge(k.lower, other, 1)) / c.damper;
  return c;
}

// ---- springs and dampers ----

// Value of a table from 0 on, and the area under it up to x.
static double read_table(const double* at, const double* value, int n, double x, double* area) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    const double slope = (value[i + 1] - value[i]) / (at[i + 1] - at[i]);
    if (x < at[i + 1] || i + 2 == n) {
      const double end = value[i] + slope * (x - at[i]);
      *area = sum + 0.5 * (value[i] + end) * (x - at[i]);
      return end;
    }
    sum += 0.5 * (value[i] + value[i + 1]) * (at[i + 1] - at[i]);
  }
  return 0;
}

static double spring_and_energy(int corner, double length, double* energy) {
  const int axle = corner / 2;
  const double shorter = free_length[axle] - length;
  double area[3] = {0};
  const double spring = read_table(spring_at, spring_force[axle], TABLE, fabs(shorter), &area[0]);
  const double bump = length < bump_length
                          ? read_table(stop_at, stop_force, STOP, bump_length - length, &area[1])
                          : 0;
  const double rebound =
      length > rebound_length[axle]
          ? read_table(stop_at, stop_force, STOP, length - rebound_length[axle], &area[2])
          : 0;
  *energy = area[0] + area[1] + area[2];
  return copysign(spring, shorter) + bump - rebound;
}
double hmmwv_spring(int corner, double length) {
  double energy;
  return spring_and_energy(corner, length, &energy);
}
double hmmwv_spring_energy(int corner, double length) {
  double energy;
  spring_and_energy(corner, length, &energy);
  return energy;
}

double hmmwv_damper(int corner, double length, double rate) {
  static const double middle[2][2] = {{12521.6, 22460}, {14535.5, 35025.4}};
  static const double zone[2][2] = {{5896.52, 60068.5}, {8537.43, 63921.3}};
  const int outside = length < 0.324104 || length > 0.418592;
  return (outside ? zone : middle)[corner / 2][rate >= 0] * rate;
}

static int piece_of(const double* at, int n, double x) {
  int piece = 0;
  while (piece < n && x > at[piece]) piece++;
  return piece;
}
int hmmwv_piece(int corner, const hmmwvCorner* at, double rate) {
  const int axle = corner / 2;
  const double shorter = free_length[axle] - at->spring;
  const int spring = piece_of(spring_at, TABLE, fabs(shorter)) + (shorter > 0 ? 100 : 0);
  const int bump = piece_of(stop_at, STOP, bump_length - at->spring);
  const int rebound = piece_of(stop_at, STOP, at->spring - rebound_length[axle]);
  const int zone = at->damper < 0.324104 ? 1 : (at->damper > 0.418592 ? 2 : 0);
  const int lengthens = at->damper_rate * rate >= 0;
  return ((spring * 10 + bump) * 10 + rebound) * 10 + 2 * zone + lengthens;
}

// ---- the whole vehicle ----

hmmwvCoordinates hmmwv_coordinates(const rutModel* model, const rutData* data) {
  const rutGroup* g = &model->group[0];
  const double* b = rut_batch(data, g, 0);
  hmmwvCoordinates c = {.steer = b[g->row.spatial.linkage],
                        .steer_rate = b[g->row.spatial.linkage + 1]};
  for (int w = 0; w < HMMWV_CORNERS; w++) {
    c.q[w] = b[g->row.q + 7 + w];
    c.rate[w] = b[g->row.v + 6 + w];
    c.spin[w] = rut_wheel_state(model, data, w).speed;
  }
  return c;
}

void hmmwv_place(const rutModel* model, rutData* data, double q) {
  const rutGroup* g = &model->group[0];
  double* b = rut_batch(data, g, 0);
  for (int w = 0; w < HMMWV_CORNERS; w++) b[g->row.q + 7 + w] = q;
}

static M rotation_of(const rutVehicleState* s) {
  const double cr = cos(s->roll), sr = sin(s->roll), cp = cos(s->pitch), sp = sin(s->pitch);
  const double cy = cos(s->yaw), sy = sin(s->yaw);
  return (M){{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
              {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
              {-sp, cp * sr, cp * cr}}};
}

void hmmwv_bodies(const rutModel* model, const rutData* data, hmmwvBody body[HMMWV_BODIES]) {
  const rutVehicleState s = rut_vehicle_state(model, data, 0);
  const hmmwvCoordinates c = hmmwv_coordinates(model, data);
  const M turn = rotation_of(&s);
  const V omega = of(s.rate), at = of(s.position), velocity = of(s.com_velocity);
  Member m[HMMWV_BODIES] = {{.mass = chassis_mass,
                             .at = chassis_com,
                             .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                             .inertia = chassis_inertia}};
  for (int w = 0; w < HMMWV_CORNERS; w++) {
    const Pose k = pose_of(w, c.q[w], c.rate[w], c.steer, c.steer_rate);
    members_of(&k, c.q[w], c.rate[w], c.spin[w], m + 1 + 4 * w);
  }
  for (int i = 0; i < HMMWV_BODIES; i++) {
    const V arm = sub(m[i].at, chassis_com), turning = add(omega, m[i].turning);
    const V speed = add(velocity, apply(turn, add(m[i].speed, cross(omega, arm))));
    const V momentum = momentum_of(&m[i], turning);
    body[i].mass = m[i].mass;
    put(add(at, apply(turn, m[i].at)), body[i].position);
    put(speed, body[i].velocity);
    put(apply(turn, momentum), body[i].momentum);
    body[i].kinetic = 0.5 * (m[i].mass * dot(speed, speed) + dot(turning, momentum));
  }
}

hmmwvMomentum hmmwv_momentum(const rutModel* model, const rutData* data) {
  hmmwvBody body[HMMWV_BODIES];
  hmmwvMomentum sum = {0};
  V first = {0, 0, 0}, linear = {0, 0, 0}, angular = {0, 0, 0};
  hmmwv_bodies(model, data, body);
  for (int i = 0; i < HMMWV_BODIES; i++) {
    sum.mass += body[i].mass;
    sum.kinetic += body[i].kinetic;
    first = add(first, scale(of(body[i].position), body[i].mass));
    linear = add(linear, scale(of(body[i].velocity), body[i].mass));
  }
  const V middle = scale(first, 1 / sum.mass);
  for (int i = 0; i < HMMWV_BODIES; i++) {
    const V arm = sub(of(body[i].position), middle);
    angular = add(angular,
                  add(of(body[i].momentum), cross(arm, scale(of(body[i].velocity), body[i].mass))));
  }
  put(middle, sum.position);
  put(linear, sum.linear);
  put(angular, sum.angular);
  return sum;
}
