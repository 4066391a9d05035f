// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies that meet at one point, turning and with friction, within a step so short that nothing
// else happens: Newton's restitution, and Coulomb's friction which ends the sliding or has its
// largest size against what is left of it.
#include <math.h>
#include <string.h>

#include "bench_scene.h"
#include "momentum.h"
#include "spatial.h"
#include "touching.h"

// ---- in the plane ----

typedef struct Flat {
  double mass, inertia;  // 0: it does not move
  double arm[2];         // from the centre of mass to the point
  double speed[3];       // x, y, yaw
} Flat;

static void planar_speed(const cliLab* lab, int block, double speed[3]) {
  double pose[6];
  if (!lab->failed) rut_block_state(lab->world.model, lab->world.data, block, pose, speed);
}

static double point_speed(const Flat* b, int k) {
  return b->speed[k] + (k ? 1 : -1) * b->speed[2] * b->arm[1 - k];
}

// Impulse on the second along x, the normal from the first to it, and along y.
static void impulse_of(const Flat* b, double e, double mu, double p[2]) {
  double xx = 0, xy = 0, yy = 0, v[2];
  for (int k = 0; k < 2; k++) v[k] = point_speed(&b[1], k) - point_speed(&b[0], k);
  for (int i = 0; i < 2; i++) {
    if (!(b[i].mass > 0)) continue;
    const double x = b[i].arm[0], y = b[i].arm[1];
    xx += 1 / b[i].mass + y * y / b[i].inertia;
    xy -= x * y / b[i].inertia;
    yy += 1 / b[i].mass + x * x / b[i].inertia;
  }
  const double n = -(1 + e) * v[0], t = -v[1], det = xx * yy - xy * xy;
  p[0] = (yy * n - xy * t) / det;
  p[1] = (xx * t - xy * n) / det;
  if (fabs(p[1]) <= mu * p[0]) return;
  for (int sign = -1; sign <= 1; sign += 2) {
    p[0] = n / (xx + sign * mu * xy);
    p[1] = sign * mu * p[0];
    // against what is left of the sliding
    if (sign * (v[1] + xy * p[0] + yy * p[1]) <= 0) return;
  }
}

static void push(Flat* b, const double p[2]) {
  for (int i = 0; i < 2; i++) {
    const double sign = i ? 1 : -1;
    if (!(b[i].mass > 0)) continue;
    b[i].speed[0] += sign * p[0] / b[i].mass;
    b[i].speed[1] += sign * p[1] / b[i].mass;
    b[i].speed[2] += sign * (b[i].arm[0] * p[1] - b[i].arm[1] * p[0]) / b[i].inertia;
  }
}

static double energy_of(const Flat* b) {
  double twice = 0;
  for (int i = 0; i < 2; i++) {
    const double* v = b[i].speed;
    twice += b[i].mass * (v[0] * v[0] + v[1] * v[1]) + b[i].inertia * v[2] * v[2];
  }
  return 0.5 * twice;
}

// What is told of the contact: impulse, place, normal.
static void compare_contact(const cliLab* lab, double impulse, const double at[2], double* value,
                            double* reference) {
  int n = 0;
  const rutContact* c = lab->failed ? NULL : rut_contacts(lab->world.model, lab->world.data, &n);
  cli_worst_relative(n, 1, value, reference);
  if (n != 1) return;
  const double sign = c->index_a < c->index_b ? 1 : -1;
  cli_worst_relative(c->impulse, impulse, value, reference);
  cli_worst_absolute(sign * c->normal[0], 1, value, reference);
  cli_worst_absolute(c->normal[1], 0, value, reference);
  for (int k = 0; k < 2; k++) cli_worst_absolute(c->position[k], at[k], value, reference);
}

// A face, and the corner of a square of 0.4 m that is turned by 40 deg.
static void meet_planar(cliLab* lab, double mu, double* value, double* reference) {
  const double e = 0.6, out = 0.2 * sqrt(2), turn = 5 * acos(-1.0) / 180;
  const double at[2] = {0.5, 0.3}, place[2] = {0.5 + 1e-8 + out * cos(turn), 0.3 - out * sin(turn)};
  cli_lab_build(lab,
                "<world timestep='1e-6'><block name='a' shape='box' size='1 1 1' mass='3' "
                "position='0 0' velocity='1.2 0.3' yaw_rate='0.4' friction='%.17g' "
                "restitution='0.6' ground_friction='0'/>"
                "<block name='b' shape='box' size='0.4 0.4 1' mass='1' position='%.17g %.17g' "
                "yaw='40 deg' velocity='-1.5 0.8' yaw_rate='-2' friction='%.17g' "
                "restitution='0.2' ground_friction='0'/></world>",
                4 * mu, place[0], place[1], 0.25 * mu);
  Flat b[2] = {{3, 0.5, {at[0], at[1]}, {0}},
               {1, 0.32 / 12, {at[0] - place[0], at[1] - place[1]}, {0}}};
  double p[2], found[3];
  for (int i = 0; i < 2; i++) planar_speed(lab, i, b[i].speed);
  impulse_of(b, e, mu, p);
  push(b, p);
  cli_lab_step(lab);
  for (int i = 0; i < 2; i++) {
    memset(found, 0, sizeof found);
    planar_speed(lab, i, found);
    for (int k = 0; k < 3; k++) cli_worst_relative(found[k], b[i].speed[k], value, reference);
  }
  compare_contact(lab, p[0], at, value, reference);
}
static void meet_slip(cliLab* lab, double* value, double* reference) {
  meet_planar(lab, 0.02, value, reference);
}
static void meet_stick(cliLab* lab, double* value, double* reference) {
  meet_planar(lab, 2, value, reference);
}

// Faces that meet d beside the middle of the second and stay together: m_a v_a + m_b v_b = m_a v,
// v_a = v_b + d w, (I_a + I_b) w = d m_b v_b. What is told of both points together: the impulse
// m_b v_b, which turns the first, I_a w, where it acts.
static void meet_flush(cliLab* lab, double* value, double* reference) {
  const double a = 3, b = 1, v = 2, d = 0.4, both = a / 6 + b / 6;
  cli_lab_build(lab,
                "<world timestep='1e-6'><block name='a' shape='box' size='1 1 1' mass='3' "
                "position='-0.499999999 0' velocity='2 0' friction='0' restitution='0' "
                "ground_friction='0'/><block name='b' shape='box' size='1 1 1' mass='1' "
                "position='0.5 0.4' friction='0' restitution='0' ground_friction='0'/></world>");
  const double vb = a * v / (a + b + a * d * d * b / both), w = d * b * vb / both;
  double found[3] = {0};
  cli_lab_step(lab);
  planar_speed(lab, 0, found);
  cli_worst_relative(found[0], vb + d * w, value, reference);
  cli_worst_relative(found[2], w, value, reference);
  compare_contact(lab, b * vb, (const double[]){0, a / 6 * w / (b * vb)}, value, reference);
}

// From a world that is turned to the left by a right angle.
static void turn_back(double v[2]) {
  const double x = v[0];
  v[0] = v[1];
  v[1] = -x;
}

// A rod that would gain energy at a wall, by Newton's restitution: of its impulses so much is left
// that it gains none, P . v s + (P . dv)/2 s^2 = 0.
static void meet_wall(cliLab* lab, bool aside, double* value, double* reference) {
  const double e = 0.98, mu = 1, turn = 0.75, c = cos(turn), s = sin(turn);
  const double arm[2] = {0.5 * c + 0.05 * s, 0.5 * s - 0.05 * c};
  cli_lab_build(lab,
                "<world timestep='1e-6'><block name='rod' shape='box' size='1 0.1 1' mass='2' "
                "position='%.17g %.17g' yaw='%.17g' velocity='%.17g %.17g' yaw_rate='-5.8' "
                "friction='1' restitution='0.98' ground_friction='0'/><block name='wall' "
                "fixed='true' shape='box' size='%s 1' position='%s' friction='1'/></world>",
                aside ? arm[1] : -arm[0] - 1e-8, aside ? -arm[0] - 1e-8 : -arm[1],
                turn + (aside ? 0.5 * acos(-1) : 0), 1.85 * c - 0.28 * s, -0.28 * c - 1.85 * s,
                aside ? "6 1" : "1 6", aside ? "0 0.5" : "0.5 0");
  Flat b[2] = {{2, 2 * 1.01 / 12, {arm[0], arm[1]}, {0}}, {.mass = 0}};
  double p[2], found[3] = {0};
  planar_speed(lab, 0, b[0].speed);
  if (aside) turn_back(b[0].speed);
  const Flat before = b[0];
  const double start = energy_of(b);
  impulse_of(b, e, mu, p);
  push(b, p);
  double along = 0;
  for (int k = 0; k < 2; k++) along -= p[k] * point_speed(&before, k);
  const double gain = energy_of(b) - start, part = -along / (gain - along);
  cli_lab_step(lab);
  planar_speed(lab, 0, found);
  if (aside) turn_back(found);
  for (int k = 0; k < 3; k++) {
    const double v = before.speed[k] + part * (b[0].speed[k] - before.speed[k]);
    cli_worst_relative(found[k], v, value, reference);
  }
  if (!(gain > 0.1 * start)) *value = gain;
}
static void meet_gain(cliLab* lab, double* value, double* reference) {
  meet_wall(lab, false, value, reference);
}
static void meet_gain_aside(cliLab* lab, double* value, double* reference) {
  meet_wall(lab, true, value, reference);
}

// Occupied cells whose faces towards -x lie at x = 0.5, those of the lowest row at y = -0.5.
typedef struct Cells {
  int columns, rows;
  double size, friction;                 // [m]
  bool (*is_free)(int column, int row);  // row from below; NULL: none is
} Cells;

static void build_cells(cliLab* lab, const char* body, const Cells* cells) {
  char path[CLI_SCENE_PATH], folder[CLI_SCENE_PATH];
  FILE* file = lab->failed ? NULL : cli_scene_file("cells.pgm", path);
  rutError err = {0};
  lab->failed = !file;
  if (!file) return;
  fprintf(file, "P5\n%d %d\n255\n", cells->columns, cells->rows);
  for (int row = cells->rows - 1; row >= 0; row--) {
    for (int i = 0; i < cells->columns; i++) {
      putc(cells->is_free && cells->is_free(i, row) ? 255 : 0, file);
    }
  }
  fclose(file);
  (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  lab->failed = rut_context_allow_dir(lab->world.context, folder, &err) != RUT_OK;
  cli_lab_build(lab,
                "<world timestep='1e-6' gravity='0'><occupancy_grid file='%s' resolution='%.17g' "
                "center_pixel='%.17g %.17g' friction='%.17g' restitution='0.6'/>%s</world>",
                path, cells->size, -0.5 / cells->size, 0.5 / cells->size, cells->friction, body);
  cli_scene_file_remove(path);
}

// The corner of a square of 0.4 m that is turned by 40 deg meets a face of cells.
static void meet_cells(cliLab* lab, double mu, double* value, double* reference) {
  const double out = 0.2 * sqrt(2), turn = 5 * acos(-1.0) / 180;
  const double arm[2] = {out * cos(turn), -out * sin(turn)};
  char body[400];
  (void)snprintf(body, sizeof body,
                 "<block name='b' shape='box' size='0.4 0.4 1' mass='1' position='%.17g %.17g' "
                 "yaw='40 deg' velocity='3.5 1' yaw_rate='3' friction='%.17g' "
                 "restitution='0.2' ground_friction='0'/>",
                 0.5 - 1e-8 - arm[0], 0.3 - arm[1], 0.25 * mu);
  build_cells(lab, body, &(Cells){4, 4, 0.25, 4 * mu, NULL});
  Flat b[2] = {{1, 0.32 / 12, {arm[0], arm[1]}, {0}}, {.mass = 0}};
  double p[2], found[3] = {0};
  planar_speed(lab, 0, b[0].speed);
  impulse_of(b, 0.6, mu, p);
  push(b, p);
  cli_lab_step(lab);
  planar_speed(lab, 0, found);
  for (int k = 0; k < 3; k++) cli_worst_relative(found[k], b[0].speed[k], value, reference);
}
static void meet_cells_slip(cliLab* lab, double* value, double* reference) {
  meet_cells(lab, 0.05, value, reference);
}
static void meet_cells_stick(cliLab* lab, double* value, double* reference) {
  meet_cells(lab, 2, value, reference);
}

// A face meets a wall of narrow cells of unlike depth, which are one smooth face; and an inner
// corner of cells: without friction each face gives (1 + e) m v. What is told is one contact, of
// the sum.
static bool behind(int column, int row) { return column > row % 3; }
static bool in_corner(int column, int row) { return column < 2 && row > 0; }
static void meet_cells_flush(cliLab* lab, double* value, double* reference) {
  const double e = 0.6, m = 3, v[2] = {2, 1.5};
  for (int corner = 0; corner < 2; corner++) {
    char body[400];
    double found[3] = {0};
    int n = 0;
    // above the lowest row, left of the third column; or before the first
    (void)snprintf(body, sizeof body,
                   "<block name='b' shape='box' size='0.3 0.3 1' mass='3' position='%.17g %.17g' "
                   "velocity='2 %.17g' friction='0' restitution='0.2' ground_friction='0'/>",
                   (corner ? 1 : 0.5) - 0.15 - 1e-8, (corner ? -0.1 : -0.37) + 1e-8,
                   corner ? -v[1] : 0);
    build_cells(lab, body,
                corner ? &(Cells){4, 4, 0.25, 0, in_corner} : &(Cells){8, 200, 0.005, 0, behind});
    cli_lab_step(lab);
    planar_speed(lab, 0, found);
    const rutContact* c = lab->failed ? NULL : rut_contacts(lab->world.model, lab->world.data, &n);
    cli_worst_relative(found[0], -e * v[0], value, reference);
    cli_worst_absolute(found[1], corner ? e * v[1] : 0, value, reference);
    cli_worst_absolute(found[2], 0, value, reference);
    cli_worst_relative(n, 1, value, reference);
    if (n != 1) return;
    cli_worst_relative(c->impulse, (1 + e) * m * (v[0] + (corner ? v[1] : 0)), value, reference);
  }
}

// A block that glides over one that is lower goes on; it meets one that reaches its height, and
// both go on with m1 v/(m1 + m2).
static void meet_height(cliLab* lab, double* value, double* reference) {
  for (int higher = 0; higher < 2; higher++) {
    double speed[3] = {0};
    cli_lab_build(lab,
                  "<world timestep='0.001'><block name='a' shape='box' size='0.5 0.5 1' "
                  "z_min='0.5' z_max='1' mass='2' position='-1 0' velocity='2 0' restitution='0' "
                  "ground_friction='0'/><block name='b' shape='box' size='0.5 0.5 1' z_min='0' "
                  "z_max='%s' mass='6' position='0 0' restitution='0' ground_friction='0'/>"
                  "</world>",
                  higher ? "0.52" : "0.48");
    cli_lab_run_to(lab, 1);
    planar_speed(lab, 0, speed);
    cli_worst_relative(speed[0], higher ? 0.5 : 2, value, reference);
  }
}

// ---- in space ----

// A ball and a prism over a right triangle, or the ground.
typedef struct Solid {
  double mass, inertia[6];  // xx yy zz xy xz yz, in its axes
  double middle;            // above its origin
  cliVector at, speed, turn;
  double attitude[4];
} Solid;

static cliVector vec(double x, double y, double z) { return (cliVector){{x, y, z}}; }

static void read_solid(const cliLab* lab, int block, Solid* s) {
  rutBlockMotion m = {.quaternion = {1}};
  if (!lab->failed) rut_block_motion(lab->world.model, lab->world.data, block, &m);
  memcpy(s->attitude, m.quaternion, sizeof s->attitude);
  const cliVector up = cli_turned(s->attitude, vec(0, 0, s->middle));
  s->turn = vec(m.angular_velocity[0], m.angular_velocity[1], m.angular_velocity[2]);
  s->at = cli_add(vec(m.position[0], m.position[1], m.position[2]), 1, up);
  s->speed = cli_add(vec(m.velocity[0], m.velocity[1], m.velocity[2]), 1, cli_cross(s->turn, up));
}

// By Cramer's rule, in the axes of the body.
static cliVector turned_by(const Solid* s, cliVector moment) {
  const double back[4] = {s->attitude[0], -s->attitude[1], -s->attitude[2], -s->attitude[3]};
  const cliVector m = cli_turned(back, moment);
  const double* j = s->inertia;
  const cliVector x = vec(j[0], j[3], j[4]), y = vec(j[3], j[1], j[5]), z = vec(j[4], j[5], j[2]);
  const double det = cli_dot(x, cli_cross(y, z));
  return cli_turned(s->attitude,
                    vec(cli_dot(m, cli_cross(y, z)) / det, cli_dot(m, cli_cross(z, x)) / det,
                        cli_dot(m, cli_cross(x, y)) / det));
}

static cliVector moves_at(const Solid* s, cliVector point) {
  return cli_add(s->speed, 1, cli_cross(s->turn, cli_add(point, -1, s->at)));
}

static void strike(Solid* s, cliVector point, cliVector p) {
  s->speed = cli_add(s->speed, 1 / s->mass, p);
  s->turn = cli_add(s->turn, 1, turned_by(s, cli_cross(cli_add(point, -1, s->at), p)));
}

// Velocity of the second against the first after an impulse on it.
static cliVector parts_with(const Solid* b, int bodies, cliVector point, cliVector p) {
  Solid after[2] = {b[0], b[1]};
  strike(&after[0], point, cli_add(vec(0, 0, 0), -1, p));
  if (bodies > 1) strike(&after[1], point, p);
  const cliVector first = moves_at(&after[0], point);
  return cli_add(bodies > 1 ? moves_at(&after[1], point) : vec(0, 0, 0), -1, first);
}

// Impulse along n, t and s, whatever they are, that makes the velocities along them v: by the
// responses to unit impulses.
static cliVector impulse_to(const Solid* b, int bodies, cliVector point, const cliVector axis[3],
                            const double v[3]) {
  const cliVector none = vec(0, 0, 0), now = parts_with(b, bodies, point, none);
  double m[3][4];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      const cliVector more = parts_with(b, bodies, point, axis[k]);
      m[i][k] = cli_dot(axis[i], cli_add(more, -1, now));
    }
    m[i][3] = v[i] - cli_dot(axis[i], now);
  }
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) {
      const double part = m[i][k] / m[k][k];
      for (int j = k; j < 4 && i != k; j++) m[i][j] -= part * m[k][j];
    }
  }
  cliVector p = none;
  for (int k = 0; k < 3; k++) p = cli_add(p, m[k][3] / m[k][k], axis[k]);
  return p;
}

// The impulse: n from the first to the second.
static cliVector meet(const Solid* b, int bodies, cliVector point, const cliVector axis[3],
                      double e, double mu) {
  const cliVector none = vec(0, 0, 0), now = parts_with(b, bodies, point, none);
  const double leaves = -e * cli_dot(now, axis[0]);
  const cliVector p = impulse_to(b, bodies, point, axis, (const double[]){leaves, 0, 0});
  const double along = cli_dot(p, axis[0]);
  if (cli_dot(p, p) - along * along <= mu * mu * along * along) return p;
  // it slides: the direction of friction is against the sliding that is left
  const double turn = 2 * acos(-1);
  double angle = atan2(cli_dot(now, axis[2]), cli_dot(now, axis[1]));
  cliVector found = p;
  for (int pass = 0; pass < 300; pass++) {
    const double c = cos(angle), s = sin(angle);
    const cliVector rubs = cli_add(cli_add(axis[0], -mu * c, axis[1]), -mu * s, axis[2]);
    const double gains = cli_dot(axis[0], cli_add(parts_with(b, bodies, point, rubs), -1, now));
    found = cli_add(none, (leaves - cli_dot(now, axis[0])) / gains, rubs);
    const cliVector rest = parts_with(b, bodies, point, found);
    // a part of the way there, or it swings about what it looks for
    angle += 0.3 * remainder(atan2(cli_dot(rest, axis[2]), cli_dot(rest, axis[1])) - angle, turn);
  }
  return found;
}

// An impulse on the second of two bodies, or against one that meets the ground.
typedef struct Blow {
  int bodies;
  cliVector point, impulse;
} Blow;

static void compare_solids(cliLab* lab, Solid* b, Blow blow, double* value, double* reference) {
  strike(&b[0], blow.point, cli_add(vec(0, 0, 0), -1, blow.impulse));
  if (blow.bodies > 1) strike(&b[1], blow.point, blow.impulse);
  cli_lab_step(lab);
  for (int i = 0; i < blow.bodies; i++) {
    Solid found = b[i];
    read_solid(lab, i, &found);
    for (int k = 0; k < 3; k++) {
      cli_worst_relative(found.speed.v[k], b[i].speed.v[k], value, reference);
      cli_worst_relative(found.turn.v[k], b[i].turn.v[k], value, reference);
    }
  }
}

// A ball hits an upright face aslant.
static void meet_prism(cliLab* lab, double mu, double* value, double* reference) {
  const double a = 1.2, c = 0.9, h = 0.8, m = 6;
  cli_lab_build(
      lab,
      "<world timestep='1e-6' gravity='0'><block name='ball' motion='space' shape='sphere' "
      "radius='0.1' mass='2' friction='%.17g' restitution='0.1' position='%.17g 0.1 5.45' "
      "velocity='4 1' vertical_velocity='-0.5' angular_velocity='3 -2 5'/>"
      "<block name='prism' motion='space' outline='-0.4 -0.3, 0.8 -0.3, -0.4 0.6' z_min='0' "
      "z_max='0.8' mass='6' friction='%.17g' restitution='0.5' position='0 0 5' "
      "velocity='0.2 -0.1' vertical_velocity='0.3' angular_velocity='0.5 -0.7 0.9'/></world>",
      2 * mu, -0.5 - 1e-8, 0.5 * mu);
  Solid b[2] = {{2, {0.008, 0.008, 0.008}, 0.1, {{0}}, {{0}}, {{0}}, {1}},
                {m,
                 {m * (c * c / 18 + h * h / 12), m * (a * a / 18 + h * h / 12),
                  m * (a * a + c * c) / 18, m * a * c / 36},
                 0.4,
                 {{0}},
                 {{0}},
                 {{0}},
                 {1}}};
  for (int i = 0; i < 2; i++) read_solid(lab, i, &b[i]);
  const cliVector point = vec(-0.4, 0.1, 5.55);
  const cliVector axis[3] = {vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)};
  const cliVector p = meet(b, 2, point, axis, 0.5, mu);
  compare_solids(lab, b, (Blow){2, point, p}, value, reference);
}
static void meet_space_slip(cliLab* lab, double* value, double* reference) {
  meet_prism(lab, 0.05, value, reference);
}
static void meet_space_stick(cliLab* lab, double* value, double* reference) {
  meet_prism(lab, 2, value, reference);
}

// A ball hits cells aslant, high above the ground.
static void meet_cells_ball(cliLab* lab, double* value, double* reference) {
  build_cells(lab,
              "<block name='ball' motion='space' shape='sphere' radius='0.1' mass='2' "
              "friction='0.0083333333333333333' restitution='0.1' position='0.39999999 0.05 5.45' "
              "velocity='4 1' vertical_velocity='-0.5' angular_velocity='3 -2 5'/>",
              &(Cells){4, 4, 0.25, 0.3, NULL});
  Solid b[2] = {{2, {0.008, 0.008, 0.008}, 0.1, {{0}}, {{0}}, {{0}}, {1}}, {.mass = 0}};
  read_solid(lab, 0, &b[0]);
  const cliVector point = vec(0.5, 0.05, 5.55);
  const cliVector axis[3] = {vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)};
  const cliVector p = meet(b, 1, point, axis, 0.6, 0.05);
  compare_solids(lab, b, (Blow){1, point, p}, value, reference);
}

// The rod that would gain energy at a wall, as a body in space: the same as in the plane.
static void meet_space_gain(cliLab* lab, double* value, double* reference) {
  const double e = 0.98, turn = 0.75, c = cos(turn), s = sin(turn);
  const double arm[2] = {0.5 * c + 0.05 * s, 0.5 * s - 0.05 * c};
  cli_lab_build(lab,
                "<world timestep='1e-6' gravity='0'><block name='rod' motion='space' shape='box' "
                "size='1 0.1 1' mass='2' position='%.17g %.17g 1' yaw='0.75' "
                "velocity='%.17g %.17g' angular_velocity='0 0 -5.8' friction='1' "
                "restitution='0.98'/><block name='wall' fixed='true' shape='box' size='1 6 4' "
                "position='0.5 0' friction='1'/></world>",
                -arm[0] - 1e-8, -arm[1], 1.85 * c - 0.28 * s, -0.28 * c - 1.85 * s);
  Flat b[2] = {{2, 2 * 1.01 / 12, {arm[0], arm[1]}, {0}}, {.mass = 0}};
  rutBlockMotion m = {.quaternion = {1}};
  double p[2], along = 0;
  if (!lab->failed) rut_block_motion(lab->world.model, lab->world.data, 0, &m);
  for (int k = 0; k < 2; k++) b[0].speed[k] = m.velocity[k];
  b[0].speed[2] = m.angular_velocity[2];
  const Flat before = b[0];
  const double start = energy_of(b);
  impulse_of(b, e, 1, p);
  push(b, p);
  for (int k = 0; k < 2; k++) along -= p[k] * point_speed(&before, k);
  const double gain = energy_of(b) - start, part = -along / (gain - along);
  cli_lab_step(lab);
  if (!lab->failed) rut_block_motion(lab->world.model, lab->world.data, 0, &m);
  const double found[3] = {m.velocity[0], m.velocity[1], m.angular_velocity[2]};
  for (int k = 0; k < 3; k++) {
    const double v = before.speed[k] + part * (b[0].speed[k] - before.speed[k]);
    cli_worst_relative(found[k], v, value, reference);
  }
  if (!(gain > 0.1 * start)) *value = gain;
}

// A brick comes down on a corner of its own, on a slope.
static void meet_ground(cliLab* lab, double mu, double* value, double* reference) {
  const double size[3] = {0.6, 0.4, 0.3}, m = 5, slope = 0.2;
  cli_lab_build(
      lab,
      "<world timestep='1e-6' gravity='0'><terrain type='plane' slope_x='0.2'/>"
      "<block name='brick' motion='space' shape='box' size='0.6 0.4 0.3' mass='5' "
      "ground_friction='%.17g' restitution='0.4' position='0 0 3' on_ground='false' yaw='0.3' "
      "pitch='0.5' roll='0.4' velocity='1 0.5' vertical_velocity='-2' "
      "angular_velocity='0.5 -0.7 0.9'/></world>",
      mu);
  Solid b[2] = {{m,
                 {m * (size[1] * size[1] + size[2] * size[2]) / 12,
                  m * (size[0] * size[0] + size[2] * size[2]) / 12,
                  m * (size[0] * size[0] + size[1] * size[1]) / 12},
                 0.5 * size[2],
                 {{0}},
                 {{0}},
                 {{0}},
                 {1}},
                {.mass = 0}};
  read_solid(lab, 0, &b[0]);
  // how far its lowest corner is from the ground
  const double scale = 1 / sqrt(1 + slope * slope);
  const cliVector up = vec(-slope * scale, 0, scale);
  double least = 1e9;
  cliVector point = vec(0, 0, 0);
  for (int i = 0; i < 8; i++) {
    const cliVector corner = vec((i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1],
                                 (i & 4 ? 0.5 : -0.5) * size[2]);
    const cliVector at = cli_add(b[0].at, 1, cli_turned(b[0].attitude, corner));
    if (!(cli_dot(at, up) < least)) continue;
    least = cli_dot(at, up);
    point = at;
  }
  cli_lab_build(
      lab,
      "<world timestep='1e-6' gravity='0'><terrain type='plane' slope_x='0.2'/>"
      "<block name='brick' motion='space' shape='box' size='0.6 0.4 0.3' mass='5' "
      "ground_friction='%.17g' restitution='0.4' position='0 0 %.17g' on_ground='false' yaw='0.3' "
      "pitch='0.5' roll='0.4' velocity='1 0.5' vertical_velocity='-2' "
      "angular_velocity='0.5 -0.7 0.9'/></world>",
      mu, 3 - (least - 1e-8) / scale);
  read_solid(lab, 0, &b[0]);
  point = cli_add(point, -(least - 1e-8) / scale, vec(0, 0, 1));
  const cliVector axis[3] = {cli_add(vec(0, 0, 0), -1, up), vec(0, 1, 0),
                             cli_cross(up, vec(0, 1, 0))};
  const cliVector p = meet(b, 1, point, axis, 0.4, mu);
  compare_solids(lab, b, (Blow){1, point, p}, value, reference);
}
static void meet_ground_slip(cliLab* lab, double* value, double* reference) {
  meet_ground(lab, 0.1, value, reference);
}
static void meet_ground_stick(cliLab* lab, double* value, double* reference) {
  meet_ground(lab, 2, value, reference);
}

// A box comes out of the ground, but for half a millimetre, by a fifth of its depth in each step,
// no faster than 2 m/s.
static void sunk_rate(cliLab* lab, double* value, double* reference) {
  double z = -0.03;
  cli_lab_build(lab,
                "<world timestep='0.001'><block name='b' motion='space' shape='box' "
                "size='1 1 0.4' mass='5' restitution='0' position='0 0 -0.03'/></world>");
  for (int i = 0; i < 40; i++) {
    cli_lab_step(lab);
    z += fmin(0.2 * fmax(-z - 5e-4, 0), 2e-3);
    rutBlockMotion m = {.quaternion = {1}};
    if (!lab->failed) rut_block_motion(lab->world.model, lab->world.data, 0, &m);
    cli_worst_absolute(m.position[2], z, value, reference);
  }
}

const cliCase cli_cases_meet[CLI_CASES_MEET] = {
    {"meet_slip", "m/s, rad/s", true, 9.6e-8, "Newton's restitution, Coulomb's friction", meet_slip,
     NULL},
    {"meet_stick", "m/s, rad/s", true, 9.6e-8, "the same, which ends the sliding", meet_stick,
     NULL},
    {"meet_flush", "m/s, rad/s, m", false, 2e-9,
     "momenta of two that stay together; place of both points", meet_flush, NULL},
    {"meet_cells_slip", "m/s, rad/s", true, 9.6e-8, "the same against occupied cells",
     meet_cells_slip, NULL},
    {"meet_cells_stick", "m/s, rad/s", true, 9.6e-8, "the same, which ends the sliding",
     meet_cells_stick, NULL},
    {"meet_cells_ball", "m/s, rad/s", true, 1e-6, "a ball against occupied cells", meet_cells_ball,
     NULL},
    {"meet_cells_flush", "m/s, rad/s, N s", false, 1e-9,
     "faces, an inner corner of cells: (1 + e) m v of each", meet_cells_flush, NULL},
    {"meet_space_gain", "m/s, rad/s", true, 1.5e-7, "the part of the impulse that gains no energy",
     meet_space_gain, NULL},
    {"meet_gain", "m/s, rad/s", true, 2.8e-3, "the part of the impulse that gains no energy",
     meet_gain, NULL},
    {"meet_gain_aside", "m/s, rad/s", true, 2.8e-3, "the same, turned", meet_gain_aside, NULL},
    {"meet_height", "m/s", true, 1e-9, "bodies meet where their heights overlap", meet_height,
     NULL},
    {"meet_space_slip", "m/s, rad/s", true, 1e-6, "Newton's restitution, Coulomb's friction",
     meet_space_slip, NULL},
    {"meet_space_stick", "m/s, rad/s", true, 1e-6, "the same, which ends the sliding",
     meet_space_stick, NULL},
    {"meet_ground_slip", "m/s, rad/s", true, 2.6e-5, "the same, a brick's corner on a slope",
     meet_ground_slip, NULL},
    {"meet_ground_stick", "m/s, rad/s", true, 9e-5, "the same", meet_ground_stick, NULL},
    {"meet_sunk_rate", "m", false, 1e-9, "a fifth of the depth a step", sunk_rate, NULL},
};
