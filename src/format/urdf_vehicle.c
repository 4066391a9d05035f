// SPDX-License-Identifier: BSD-3-Clause
//
// A settled robot to a planar <vehicle>: what does not turn as a wheel is its chassis, on the
// ground below the root's origin.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/element_name.h"
#include "format/urdf.h"
#include "geom/polygon.h"
#include "math/rut_math.h"

static const double SPEED_RATE = 20;     // of the speed loops [1/s]
static const double SKID_PULL = 2;       // torque of skid steered wheels over that of their weight
static const double DEFAULT_MASS = 15;   // [kg] of a robot without any
static const double WHEEL_SHARE = 0.02;  // of the chassis's mass, in a wheel without any
static const double OTHER_TRACK = 0.02;  // relative difference of tracks that is told
static const double DEFAULT_FRICTION = 0.8;

typedef struct Maker {
  const rutUrdf* robot;
  rutUrdfWheels wheels;
  rutSpec* spec;
  rutReporter* reporter;
  rutNode vehicle;
  double gravity, mass;  // of the whole robot
  bool steers;
  int driven;
  const char* place[RUT_URDF_MAX_WHEELS];
} Maker;

// ---- nodes ----

static void check(Maker* m, rutStatus status, rutPlace place, const rutError* err) {
  if (status == RUT_OK) return;
  rut_report_error(m->reporter, status, place, err->element, "", "%s", err->message);
}

static rutNode add(Maker* m, const char* kind, const char* type, const char* name, rutPlace place) {
  rutError err = {0};
  const rutNode node = rut_spec_add(m->spec, m->vehicle, kind, type, name, &err);
  if (rut_node_is_null(node)) {
    rut_report_error(m->reporter, err.status, place, "", "", "%s", err.message);
  } else {
    rut_node_place(m->spec, node, NULL, place);
  }
  return node;
}

static void set_list(Maker* m, rutNode node, const char* field, int n, const double* value) {
  rutError err = {0};
  const rutPlace place = rut_node_place_of(m->spec, node, NULL);
  check(m, rut_node_set_numbers(m->spec, node, field, n, value, &err), place, &err);
}

static void set(Maker* m, rutNode node, const char* field, double value) {
  set_list(m, node, field, 1, &value);
}

static void set_text(Maker* m, rutNode node, const char* field, const char* text) {
  rutError err = {0};
  const rutPlace place = rut_node_place_of(m->spec, node, NULL);
  check(m, rut_node_set(m->spec, node, field, text, &err), place, &err);
}

static bool is_taken(const Maker* m, const char* name) {
  rutNode node = rut_node_first(m->spec, m->vehicle, NULL);
  while (!rut_node_is_null(node) && strcmp(rut_node_name(m->spec, node), name) != 0) {
    node = rut_node_next(m->spec, node, NULL);
  }
  return !rut_node_is_null(node);
}

// The same, and no other part of the vehicle has it.
static void own_name(const Maker* m, const char* from, char name[64]) {
  char stem[64];
  rut_element_name(from, SIZE_MAX, stem);
  memcpy(name, stem, sizeof stem);
  for (int i = 2; i < 2 * RUT_URDF_MAX_SENSORS && name[0] && is_taken(m, name); i++) {
    snprintf(name, 64, "%.48s_%d", stem, i);
  }
}

// ---- masses ----

static int wheel_of(const Maker* m, int group) {
  for (int i = 0; i < m->wheels.n; i++) {
    if (m->wheels.wheel[i].group == group) return i;
  }
  return -1;
}

// All that is no wheel, joints being at 0.
static rutBodyMass chassis_mass(const Maker* m) {
  rutBodyMass sum = {0};
  for (int i = 0; i < m->robot->links; i++) {
    if (wheel_of(m, m->robot->link[i].group) < 0)
      sum = rut_body_mass_sum(sum, m->robot->link[i].mass);
  }
  return sum;
}

// ---- chassis ----

// Extent of a shape in the plane as the corners of its box, or of a square around a cylinder.
static void add_corners(const rutUrdfShape* s, double* point, int* n) {
  const double* t = s->pose.turn.m;
  double half[3];
  for (int k = 0; k < 3; k++) {
    const rutVec3 axis = rut_vec3(t[k], t[3 + k], t[6 + k]);
    half[k] = rut_urdf_reach(s, axis);
  }
  for (int i = 0; i < 8; i++) {
    const rutVec3 corner = rut_vec3(i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                                    i & 4 ? half[2] : -half[2]);
    const rutVec3 p = rut_frame_apply(s->pose, corner);
    point[2 * *n] = p.x;
    point[2 * *n + 1] = p.y;
    ++*n;
  }
}

typedef struct Outline {
  int n;
  double low, high;  // above the ground
  double* point;
} Outline;

// Shapes of the chassis: those that collide, or those that are seen if none does.
static void find_outline(const Maker* m, bool collision, Outline* out) {
  const rutUrdf* robot = m->robot;
  out->low = RUT_INFINITY;
  out->high = -RUT_INFINITY;
  for (int i = 0; i < robot->shapes; i++) {
    const rutUrdfShape* s = &robot->shape[i];
    if (!s->known || s->collision != collision) continue;
    if (wheel_of(m, robot->link[s->link].group) >= 0) continue;
    if (rut_urdf_is_caster(robot, &m->wheels, s->link)) continue;
    const double reach = rut_urdf_reach(s, rut_vec3(0, 0, 1));
    add_corners(s, out->point, &out->n);
    out->low = rut_min(out->low, s->pose.at.z - reach - m->wheels.ground);
    out->high = rut_max(out->high, s->pose.at.z + reach - m->wheels.ground);
  }
}

// A box between the wheels, for a robot whose shapes are not known.
static void guess_outline(const Maker* m, Outline* out) {
  double radius = 0, x = 0, y = 0;
  for (int i = 0; i < m->wheels.n; i++) {
    radius = rut_max(radius, m->wheels.wheel[i].radius);
    x = rut_max(x, rut_abs(m->wheels.wheel[i].at.x));
    y = rut_max(y, rut_abs(m->wheels.wheel[i].at.y));
  }
  x += radius;
  y = rut_max(y, 0.5 * radius);
  const double corner[8] = {-x, -y, x, -y, x, y, -x, y};
  memcpy(out->point, corner, sizeof corner);
  out->n = 4;
  out->low = 0.5 * radius;
  out->high = 2.5 * radius;
  rut_report_warning(m->reporter, m->robot->place, "robot",
                     "guessed: the shape of its body is not known, a box over its wheels is taken");
}

static void make_outline(Maker* m, rutNode chassis) {
  const int most = 8 * m->robot->shapes + 8;
  double* room = calloc(4 * (size_t)most + 4, sizeof *room);
  if (!room) {
    rut_report_error(m->reporter, RUT_ERR_MEMORY, m->robot->place, "", "", "out of memory");
    return;
  }
  double* hull = room + 2 * (size_t)most;
  Outline o = {.point = room};
  find_outline(m, true, &o);
  if (o.n == 0) find_outline(m, false, &o);
  int corners = o.n > 0 ? rut_polygon_hull(o.n, o.point, hull) : 0;
  if (corners < 3) {
    guess_outline(m, &o);
    corners = rut_polygon_hull(o.n, o.point, hull);
  }
  set_list(m, chassis, "outline", 2 * corners, hull);
  const double low = rut_max(o.low, 0);
  set(m, chassis, "z_min", low);
  set(m, chassis, "z_max", rut_max(o.high, low + 1e-3));
  free(room);
}

static void make_chassis(Maker* m) {
  rutBodyMass body = chassis_mass(m);
  const rutNode chassis = add(m, "chassis", "", "", m->robot->place);
  if (rut_node_is_null(chassis)) return;
  make_outline(m, chassis);
  if (!(body.mass > 1e-6)) {
    body.mass = DEFAULT_MASS;
    rut_report_warning(m->reporter, m->robot->place, "robot",
                       "guessed: its body has no mass, %g kg are taken", DEFAULT_MASS);
  } else {
    const double com[2] = {body.com.x, body.com.y};
    set_list(m, chassis, "com", 2, com);
    if (body.inertia.zz > 0) set(m, chassis, "yaw_inertia", body.inertia.zz);
  }
  set(m, chassis, "mass", body.mass);
  m->mass = body.mass;
}

// ---- wheels ----

// Places by which drives and odometry know wheels: the two of one pair, or those of the foremost
// and rearmost of several.
static void choose_places(Maker* m) {
  double front = -RUT_INFINITY, rear = RUT_INFINITY, radius = 0;
  int left = 0, right = 0;
  for (int i = 0; i < m->wheels.n; i++) {
    const rutUrdfWheel* w = &m->wheels.wheel[i];
    m->place[i] = "other";
    radius = rut_max(radius, w->radius);
    if (!m->steers && !w->driven) continue;
    front = rut_max(front, w->at.x);
    rear = rut_min(rear, w->at.x);
  }
  const bool single = front - rear < 0.5 * radius;
  for (int i = 0; i < m->wheels.n; i++) {
    const rutUrdfWheel* w = &m->wheels.wheel[i];
    const bool is_left = w->at.y > 0.1 * radius, is_right = w->at.y < -0.1 * radius;
    const bool at_rear = w->at.x - rear < 0.5 * radius, at_front = front - w->at.x < 0.5 * radius;
    if (!(is_left || is_right) || (!m->steers && !w->driven)) continue;
    if (single) {
      m->place[i] = is_left ? "left" : "right";
    } else if (at_rear) {
      m->place[i] = is_left ? "rear_left" : "rear_right";
    } else if (at_front) {
      m->place[i] = is_left ? "front_left" : "front_right";
    }
    // twin wheels: the first has the place
    for (int k = 0; k < i; k++) {
      if (strcmp(m->place[k], m->place[i]) == 0) m->place[i] = "other";
    }
    if (single || at_rear) left += is_left, right += is_right;
  }
  if (left > 0 && right > 0) return;
  rut_report_error(m->reporter, RUT_ERR_MODEL, m->robot->place, "robot",
                   "rut drives vehicles with wheels on both sides",
                   "of its %d wheels none is on the %s side at the rear", m->wheels.n,
                   left > 0 ? "right" : "left");
}

static void make_wheel(Maker* m, int i) {
  const rutUrdf* robot = m->robot;
  const rutUrdfWheel* w = &m->wheels.wheel[i];
  const rutUrdfJoint* joint = &robot->joint[w->joint];
  rutBodyMass mass = rut_urdf_group_mass(robot, w->group);
  char name[64];
  own_name(m, joint->child_name, name);
  const rutNode wheel = add(m, "wheel", "", name, joint->place);
  if (rut_node_is_null(wheel)) return;
  if (!(mass.mass > 1e-9)) {
    mass = (rutBodyMass){.mass = WHEEL_SHARE * m->mass};
    rut_report_warning(m->reporter, joint->place, "joint",
                       "guessed: the wheel '%.60s' has no mass, %.3g kg are taken",
                       joint->child_name, mass.mass);
  }
  const rutSym3 j = mass.inertia;
  const double part = w->twin ? 0.5 : 1;
  const double spin = rut_vec3_dot(joint->axis, rut_sym3_apply(j, joint->axis));
  const double at[2] = {w->at.x, w->at.y};
  set_list(m, wheel, "position", 2, at);
  if (w->yaw != 0) set(m, wheel, "yaw", w->yaw);
  set(m, wheel, "mass", part * mass.mass);
  set(m, wheel, "radius", w->radius);
  set(m, wheel, "width", w->width);
  if (spin > 0) set(m, wheel, "inertia", part * spin);
  if (j.zz > 0) set(m, wheel, "transverse_inertia", part * j.zz);
  set_text(m, wheel, "place", m->place[i]);
  set(m, wheel, "driven", w->driven);
  if (w->steered) set(m, wheel, "steered", 1);
  m->mass += part * mass.mass;
  m->driven += w->driven;
}

// The mean of what Gazebo is told about wheels.
static void make_tyre(Maker* m) {
  double sum = 0;
  int n = 0;
  for (int i = 0; i < m->robot->links; i++) {
    const rutUrdfLink* link = &m->robot->link[i];
    if (link->friction < 0 || wheel_of(m, link->group) < 0) continue;
    sum += rut_min(link->friction, 100);
    n++;
  }
  const rutNode tyre = add(m, "tyre", "coulomb", "", m->robot->place);
  if (rut_node_is_null(tyre)) return;
  set(m, tyre, "friction", n > 0 ? sum / n : DEFAULT_FRICTION);
  set(m, tyre, "bearing_damping", 0);
}

// ---- steering ----

// Wheels behind the middle do not steer in rut, and others do only if all four are there.
static void settle_steering(Maker* m) {
  double front = -RUT_INFINITY, rear = RUT_INFINITY;
  int steered = 0;
  for (int i = 0; i < m->wheels.n; i++) {
    front = rut_max(front, m->wheels.wheel[i].at.x);
    rear = rut_min(rear, m->wheels.wheel[i].at.x);
  }
  for (int i = 0; i < m->wheels.n; i++) {
    rutUrdfWheel* w = &m->wheels.wheel[i];
    if (!w->steered) continue;
    if (w->at.x > 0.5 * (front + rear)) {
      steered++;
      continue;
    }
    w->steered = false;
    rut_report_warning(m->reporter, m->robot->joint[w->steering].place, "joint",
                       "dropped: '%.60s' steers behind the middle, which planar vehicles do not",
                       m->robot->joint[w->steering].name);
  }
  m->steers = steered > 0;
}

// One front wheel in the middle becomes a pair, which steers alike.
static void split_front_wheel(Maker* m) {
  rutUrdfWheels* all = &m->wheels;
  int at = -1, steered = 0;
  for (int i = 0; i < all->n; i++) {
    if (!all->wheel[i].steered) continue;
    steered++;
    at = i;
  }
  if (steered != 1 || all->n == RUT_URDF_MAX_WHEELS) return;
  rutUrdfWheel* w = &all->wheel[at];
  if (rut_abs(w->at.y) > 0.1 * w->radius) return;
  const rutUrdfJoint* joint = &m->robot->joint[w->joint];
  rut_report_warning(m->reporter, joint->place, "joint",
                     "guessed: rut steers pairs of wheels, two stand for '%.60s'", joint->name);
  rutUrdfWheel* other = &all->wheel[all->n++];
  *other = *w;
  w->at.y += 0.5 * w->radius;
  w->twin = 1;
  other->at.y -= 0.5 * w->radius;
  other->twin = 2;
}

// Largest angle of the equivalent single wheel, at which an inner wheel is at the limit of its
// joint: cot(a) = cot(limit) + y/l.
static double max_steer(const Maker* m) {
  double rear = RUT_INFINITY, least = m->robot->plugin.max_steer;
  for (int i = 0; i < m->wheels.n; i++) rear = rut_min(rear, m->wheels.wheel[i].at.x);
  for (int i = 0; i < m->wheels.n; i++) {
    const rutUrdfWheel* w = &m->wheels.wheel[i];
    if (!w->steered) continue;
    const rutUrdfJoint* j = &m->robot->joint[w->steering];
    const double limit = rut_min(rut_max(j->upper, -j->lower), 1.5);
    const double base = w->at.x - rear;
    if (j->motion != RUT_URDF_REVOLUTE || !(limit > 0) || !(base > 0)) continue;
    double s, c;
    rut_sincos(limit, &s, &c);
    const double a = rut_atan2(base * s, base * c + rut_abs(w->at.y) * s);
    if (!(least > 0) || a < least) least = a;
  }
  return rut_min(least, 1.5);
}

// ---- drive ----

// Torque of each driven wheel: the least that a joint or plug-in allows, if it is below what pulls
// with the robot's weight, else that. Larger ones only spin wheels; files have them as no limit.
static double wheel_torque(const Maker* m) {
  const rutUrdfPlugin* p = &m->robot->plugin;
  double radius = 0, given = p->torque;
  for (int i = 0; i < m->wheels.n; i++) {
    const rutUrdfWheel* w = &m->wheels.wheel[i];
    if (!w->driven) continue;
    const double effort = m->robot->joint[w->joint].effort;
    radius = rut_max(radius, w->radius);
    if (effort > 0 && (!(given > 0) || effort < given)) given = effort;
  }
  const double pull = (m->driven > 2 && !m->steers ? SKID_PULL : 1) * m->mass * m->gravity *
                      radius / rut_max(m->driven, 1);
  return given > 0 && given < pull ? given : pull;
}

// Speed at which motors give no torque, 0 if no joint has a limit.
static double wheel_speed(const Maker* m) {
  double least = 0;
  for (int i = 0; i < m->wheels.n; i++) {
    const rutUrdfWheel* w = &m->wheels.wheel[i];
    const double limit = m->robot->joint[w->joint].velocity;
    if (w->driven && limit > 0 && (!(least > 0) || limit < least)) least = limit;
  }
  return rut_min(least, 1e6);
}

static const char* driven_end(const Maker* m) {
  bool front = false, rear = false;
  for (int i = 0; i < m->wheels.n; i++) {
    const rutUrdfWheel* w = &m->wheels.wheel[i];
    if (!w->driven) continue;
    front = front || w->steered;
    rear = rear || !w->steered;
  }
  return front && rear ? "all" : front ? "front" : "rear";
}

static void make_controller(Maker* m, const char* type, double torque, double radius, int shares) {
  const rutNode controller = add(m, "controller", type, "", m->robot->place);
  if (rut_node_is_null(controller)) return;
  const double gain = SPEED_RATE * m->mass * radius / shares;
  set(m, controller, "proportional_gain", gain);
  // critically damped: with the filter, which takes the loop's zero away, speeds do not overshoot
  set(m, controller, "integral_gain", 0.25 * SPEED_RATE * gain);
  set(m, controller, "set_point_time", 4 / SPEED_RATE);
  set(m, controller, "max_torque", torque);
  set(m, controller, "anti_windup", 1);
}

static void make_drive(Maker* m) {
  if (m->driven == 0) return;
  const rutPlace place =
      m->robot->plugin.drive != RUT_URDF_NO_DRIVE ? m->robot->plugin.place : m->robot->place;
  if (m->robot->plugin.drive == RUT_URDF_ANY_WAY) {
    add(m, "controller", "twist_ideal", "", place);
    return;
  }
  const double torque = wheel_torque(m), speed = wheel_speed(m);
  double radius = m->wheels.wheel[0].radius;
  for (int i = 0; i < m->wheels.n; i++) {
    if (m->wheels.wheel[i].driven) radius = m->wheels.wheel[i].radius;
  }
  const rutNode drive = add(m, "drive", m->steers ? "open" : "direct", "", place);
  if (rut_node_is_null(drive)) return;
  if (m->steers) {
    set_text(m, drive, "driven", driven_end(m));
    make_controller(m, "twist_front_steer_pid", torque * m->driven, radius, 1);
    return;
  }
  set_text(m, drive, "driven", "all");
  set(m, drive, "max_torque", torque);
  if (speed > 0) set(m, drive, "no_load_speed", speed);
  make_controller(m, "twist_pid", torque, radius, m->driven);
}

// ---- sensors ----

static void make_rays(Maker* m, rutNode node, const rutUrdfSensor* s) {
  const double fov = rut_clamp(rut_abs(s->to - s->from), 0, 2 * RUT_PI);
  set(m, node, "fov", fov);
  if (s->rows > 1) {
    set(m, node, "channels", s->rows);
    set(m, node, "columns", s->columns);
    set(m, node, "elevation_first", rut_clamp(s->high, -0.5 * RUT_PI, 0.5 * RUT_PI));
    set(m, node, "elevation_last", rut_clamp(s->low, -0.5 * RUT_PI, 0.5 * RUT_PI));
    if (s->min_range > 0) set(m, node, "min_range", rut_min(s->min_range, 1e6));
  } else {
    set(m, node, "rays", s->columns);
  }
  if (s->max_range > 0) set(m, node, "max_range", rut_min(s->max_range, 1e6));
  set(m, node, "range_noise", rut_clamp(s->noise, 0, 1000));
}

static void make_sensor(Maker* m, const rutUrdfSensor* s) {
  const rutUrdf* robot = m->robot;
  const int link = rut_urdf_link(robot, s->link);
  if (link < 0) {
    rut_report_warning(m->reporter, s->place, "sensor", "dropped: there is no link '%.60s'",
                       s->link);
    return;
  }
  rutFramePose pose = rut_frame_mul(robot->link[link].pose, s->pose);
  const bool rays = strcmp(s->type, "laser") == 0 || strcmp(s->type, "lidar") == 0;
  if (rays) {
    const rutFramePose middle = {rut_mat3_of_rpy(0, 0, rut_clamp(0.5 * (s->from + s->to), -10, 10)),
                                 {0, 0, 0}};
    pose = rut_frame_mul(pose, middle);
  }
  const rutVec3 rpy = rut_mat3_rpy(pose.turn);
  char name[64];
  own_name(m, s->name, name);
  const rutNode node = add(m, "sensor", s->type, name, s->place);
  if (rut_node_is_null(node)) return;
  set(m, node, "x", pose.at.x);
  set(m, node, "y", pose.at.y);
  set(m, node, "z", pose.at.z - m->wheels.ground);
  if (rpy.x != 0) set(m, node, "roll", rpy.x);
  if (rpy.y != 0) set(m, node, "pitch", rpy.y);
  if (rpy.z != 0) set(m, node, "yaw", rpy.z);
  if (s->period > 0) set(m, node, "period", s->period);
  if (rays) make_rays(m, node, s);
  if (strcmp(s->type, "camera") == 0) {
    set(m, node, "width", s->columns);
    set(m, node, "height", s->rows);
    set(m, node, "fov", rut_clamp(s->to, 0.001, 3.1));
  }
}

// ---- what became of it ----

static void tell_joint(Maker* m, int index) {
  const rutUrdfJoint* j = &m->robot->joint[index];
  if (j->motion == RUT_URDF_FIXED) return;
  for (int i = 0; i < m->wheels.n; i++) {
    if (m->wheels.wheel[i].joint == index || m->wheels.wheel[i].steering == index) return;
  }
  if (rut_urdf_is_caster(m->robot, &m->wheels, j->child)) return;
  static const char* const motions[] = {"fixed",     "continuous", "revolute",
                                        "prismatic", "floating",   "planar"};
  rut_report_note(m->reporter, j->place, "joint",
                  "dropped: the %s joint '%.60s'%s%.60s does not move: what hangs on it is part of "
                  "the chassis",
                  motions[j->motion], j->name, j->mimics ? ", which mimics " : "",
                  j->mimics ? j->mimics : "");
}

static void tell_track(Maker* m) {
  const rutUrdfPlugin* p = &m->robot->plugin;
  double low = RUT_INFINITY, high = -RUT_INFINITY;
  for (int i = 0; i < m->wheels.n; i++) {
    low = rut_min(low, m->wheels.wheel[i].at.y);
    high = rut_max(high, m->wheels.wheel[i].at.y);
  }
  if (!(p->separation > 0) || rut_abs(p->separation - (high - low)) < OTHER_TRACK * (high - low))
    return;
  rut_report_warning(m->reporter, p->place, "plugin",
                     "dropped: a wheel separation of %.4g m; wheels are %.4g m apart, by which rut "
                     "turns",
                     p->separation, high - low);
}

static const char* what_it_is(const Maker* m) {
  if (m->robot->plugin.drive == RUT_URDF_ANY_WAY) return "a vehicle that moves any way";
  if (m->steers) return "a vehicle that steers";
  return m->driven > 2 ? "a skid-steered vehicle" : "a differential drive";
}

static void tell(Maker* m) {
  const rutUrdf* robot = m->robot;
  for (int i = 0; i < m->wheels.casters; i++) {
    rut_report_note(m->reporter, robot->place, "robot",
                    "guessed: '%.60s' is a caster, which glides without friction and is no wheel",
                    m->wheels.caster[i]);
  }
  for (int i = 0; i < robot->joints; i++) tell_joint(m, i);
  if (robot->plugin.drive == RUT_URDF_NO_DRIVE) {
    rut_report_note(m->reporter, robot->place, "robot",
                    "guessed: no plug-in lists what drives: all wheels do");
  }
  if (robot->plugin.drive != RUT_URDF_ACKERMANN) tell_track(m);
  if (robot->transmissions > 0) {
    rut_report_note(m->reporter, robot->place, "robot",
                    "dropped: %d transmissions; the limits of controllers of ros_control are in "
                    "files of their own",
                    robot->transmissions);
  }
  rut_report_note(m->reporter, robot->place, "robot",
                  "kept: %.5g kg in %d links as %s, with %d wheels, %d of them driven, and %d "
                  "sensors",
                  m->mass, robot->links - robot->added, what_it_is(m), m->wheels.n, m->driven,
                  robot->sensors);
}

// ---- the vehicle ----

static void make_vehicle(Maker* m, rutNode world, const char* name) {
  rutError err = {0};
  m->vehicle = rut_spec_add(m->spec, world, "vehicle", "", name, &err);
  if (rut_node_is_null(m->vehicle)) {
    rut_report_error(m->reporter, err.status, m->robot->place, "", "", "%s", err.message);
    return;
  }
  rut_node_place(m->spec, m->vehicle, NULL, m->robot->place);
  settle_steering(m);
  if (m->steers) split_front_wheel(m);
  choose_places(m);
  make_chassis(m);
  for (int i = 0; i < m->wheels.n; i++) make_wheel(m, i);
  const double steer = m->steers ? max_steer(m) : 0;
  if (steer > 0) set(m, m->vehicle, "max_steer", steer);
  make_tyre(m);
  make_drive(m);
  for (int i = 0; i < m->robot->sensors; i++) make_sensor(m, &m->robot->sensor[i]);
  tell(m);
}

rutStatus rut_urdf_add_robot(rutReporter* reporter, rutUrdf* robot, const rutVehiclePlace* to,
                             rutNode* out) {
  const int before = reporter->errors;
  rutStatus status = rut_urdf_settle(robot, reporter);
  if (status != RUT_OK) return status;
  rut_urdf_meshes(robot, reporter);
  Maker m = {.robot = robot, .spec = to->spec, .reporter = reporter};
  status = rut_urdf_find_wheels(robot, reporter, &m.wheels);
  if (status != RUT_OK) return status;
  m.gravity = rut_node_number(to->spec, rut_spec_root(to->spec), "gravity");
  char name[64];
  rut_element_name(robot->name, SIZE_MAX, name);
  make_vehicle(&m, to->world, to->name ? to->name : name[0] ? name : "robot");
  if (out) *out = m.vehicle;
  return reporter->errors == before ? RUT_OK : reporter->first.status;
}

// Where receivers are told that the world is.
static void set_geographic(const rutUrdf* robot, rutReporter* reporter, const rutVehiclePlace* to) {
  Maker m = {.robot = robot, .spec = to->spec, .reporter = reporter};
  if (!robot->geographic) return;
  set(&m, to->world, "latitude", robot->latitude);
  set(&m, to->world, "longitude", robot->longitude);
}

rutStatus rut_urdf_add_vehicle(rutContext* context, const char* text, size_t size, const char* file,
                               const rutVehiclePlace* to, rutNode* out) {
  rutReporter* reporter = rut_context_reporter(context);
  rutUrdf robot;
  rutStatus status = rut_urdf_read(text, size, file, reporter, &robot);
  if (status == RUT_OK) status = rut_urdf_add_robot(reporter, &robot, to, out);
  rut_urdf_free(&robot);
  return status;
}

// ---- the format ----

// A world with this robot alone, on level ground.
static rutStatus urdf_read(rutContext* context, const char* text, size_t size, const char* name,
                           rutSpec* spec, rutError* err) {
  const rutNode world = rut_spec_root(spec);
  const rutPlace start = {name, 1, 1};
  rut_node_place(spec, world, NULL, start);
  const rutVehiclePlace to = {.spec = spec, .world = world};
  rutReporter* reporter = rut_context_reporter(context);
  rutUrdf robot;
  rutStatus status = rut_urdf_read(text, size, name, reporter, &robot);
  if (status == RUT_OK) status = rut_urdf_add_robot(reporter, &robot, &to, NULL);
  if (status == RUT_OK) set_geographic(&robot, reporter, &to);
  rut_urdf_free(&robot);
  if (status != RUT_OK && err) *err = reporter->first;
  return status;
}

const rutFormatType rut_format_urdf = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutFormatType),
             .kind = "format",
             .name = "urdf",
             .parents = "",
             .doc = "Robot descriptions of ROS (URDF): a world with this robot on level ground."},
    .recognise = rut_urdf_recognise,
    .read = urdf_read};
