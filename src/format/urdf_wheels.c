// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels are found by shape: what turns without end about a level axis, is round about it and
// reaches the ground. Joints that a plug-in lists are wheels whatever they look like.
#include <stdio.h>
#include <string.h>

#include "format/urdf.h"

static const double COS_LEVEL = 0.984807753012208;    // of 10 degrees
static const double SIN_LEVEL = 0.17364817766693033;  // of the same
static const double TURN = 6.283185307179586;
static const double SAME_SIDES = 0.05;    // relative difference of sides of a box that is round
static const double GROUND_SHARE = 0.15;  // of a radius, that a wheel may end above the ground
static const double OFF_AXIS = 0.25;      // of a radius, that its middle may be beside its axis

typedef struct Candidate {
  rutUrdfWheel wheel;
  bool listed, named, round;
  bool ball;
} Candidate;

typedef struct Finder {
  rutUrdf* robot;
  rutReporter* reporter;
  int n;
  Candidate candidate[RUT_URDF_MAX_LISTED];
} Finder;

// ---- names ----

static bool is_castor_name(const char* name) {
  return rut_urdf_contains(name, "caster") || rut_urdf_contains(name, "castor");
}

static bool in_list(const char* const* list, int n, const char* name) {
  for (int i = 0; i < n; i++) {
    if (strcmp(list[i], name) == 0) return true;
  }
  return false;
}

static bool is_listed(const rutUrdf* robot, const char* joint) {
  return in_list(robot->plugin.driven_joint, robot->plugin.driven, joint);
}

// ---- shapes ----

static bool is_endless(const rutUrdfJoint* j) {
  return j->motion == RUT_URDF_CONTINUOUS ||
         (j->motion == RUT_URDF_REVOLUTE && j->upper - j->lower > TURN);
}

static rutVec3 axis_of_shape(const rutUrdfShape* s, int k) {
  return rut_vec3(s->pose.turn.m[k], s->pose.turn.m[3 + k], s->pose.turn.m[6 + k]);
}

static bool along(rutVec3 a, rutVec3 b) { return rut_abs(rut_vec3_dot(a, b)) >= COS_LEVEL; }

// Radius and width of a shape that is round about an axis. False if it is not.
static bool is_round(const rutUrdfShape* s, rutVec3 axis, double* radius, double* width) {
  if (!s->known) return false;
  if (s->kind == RUT_URDF_SPHERE) {
    *radius = s->size[0];
    *width = s->size[0];
    return true;
  }
  if (s->kind == RUT_URDF_CYLINDER) {
    *radius = s->size[0];
    *width = s->size[1];
    return along(axis_of_shape(s, 2), axis);
  }
  if (s->kind != RUT_URDF_MESH) return false;
  for (int k = 0; k < 3; k++) {
    if (!along(axis_of_shape(s, k), axis)) continue;
    const double a = s->size[(k + 1) % 3], b = s->size[(k + 2) % 3];
    *radius = 0.25 * (a + b);
    *width = s->size[k];
    return a > 0 && rut_abs(a - b) <= SAME_SIDES * a;
  }
  return false;
}

// The first shape of a group that is round about its axis, collisions before looks. What is round
// elsewhere, as the foot of a leg is, is no wheel.
static void take_shape(const rutUrdf* robot, Candidate* c, rutVec3 axis) {
  for (int pass = 0; pass < 2 && !c->round; pass++) {
    for (int i = 0; i < robot->shapes && !c->round; i++) {
      const rutUrdfShape* s = &robot->shape[i];
      if (robot->link[s->link].group != c->wheel.group || s->collision != (pass == 0)) continue;
      double radius, width;
      if (!is_round(s, axis, &radius, &width)) continue;
      // the middle of the shape, on the axis
      const rutVec3 hub = robot->link[c->wheel.group].pose.at;
      const double out = rut_vec3_dot(rut_vec3_sub(s->pose.at, hub), axis);
      const rutVec3 middle = rut_vec3_add_scaled(hub, out, axis);
      if (rut_vec3_norm(rut_vec3_sub(s->pose.at, middle)) > OFF_AXIS * radius) continue;
      c->round = true;
      c->ball = s->kind == RUT_URDF_SPHERE;
      c->wheel.radius = radius;
      c->wheel.width = width;
      c->wheel.at = middle;
    }
  }
}

// A mesh that was not read: it may be a wheel, of a size that others tell.
static bool has_unknown_shape(const rutUrdf* robot, int group) {
  for (int i = 0; i < robot->shapes; i++) {
    const rutUrdfShape* s = &robot->shape[i];
    if (robot->link[s->link].group == group && !s->known) return true;
  }
  return false;
}

// ---- candidates ----

// A joint between a wheel and the root that turns about the vertical, -1 if there is none.
static int swivel_above(const rutUrdf* robot, int joint) {
  int link = robot->joint[joint].parent;
  for (int i = robot->link[link].joint; i >= 0; i = robot->link[link].joint) {
    const rutUrdfJoint* j = &robot->joint[i];
    const bool turns = j->motion == RUT_URDF_REVOLUTE || j->motion == RUT_URDF_CONTINUOUS;
    // steering axes lean by some degrees
    if (turns && rut_abs(j->axis.z) > 0.9) return i;
    link = j->parent;
  }
  return -1;
}

// Whether a joint hangs on others that move, which do not turn about the vertical: as a knee does.
static bool is_of_limb(const rutUrdf* robot, int joint) {
  int link = robot->joint[joint].parent;
  for (int i = robot->link[link].joint; i >= 0; i = robot->link[link].joint) {
    const rutUrdfJoint* j = &robot->joint[i];
    if (j->motion != RUT_URDF_FIXED && !(rut_abs(j->axis.z) > 0.9)) return true;
    link = j->parent;
  }
  return false;
}

// Whether something moves on a group of links: a leg has a knee, a wheel has nothing.
static bool carries_joints(const rutUrdf* robot, int group) {
  for (int i = 0; i < robot->joints; i++) {
    const rutUrdfJoint* j = &robot->joint[i];
    if (j->motion != RUT_URDF_FIXED && robot->link[j->parent].group == group) return true;
  }
  return false;
}

static void add_candidate(Finder* f, int index) {
  const rutUrdf* robot = f->robot;
  const rutUrdfJoint* j = &robot->joint[index];
  Candidate c = {.listed = is_listed(robot, j->name)};
  const bool turns = is_endless(j) || (c.listed && j->motion != RUT_URDF_FIXED);
  if (!turns || rut_abs(j->axis.z) > SIN_LEVEL) return;
  c.wheel = (rutUrdfWheel){.joint = index,
                           .group = robot->link[j->child].group,
                           .at = robot->link[j->child].pose.at,
                           .steering = swivel_above(robot, index)};
  c.named = rut_urdf_contains(j->name, "wheel") || rut_urdf_contains(j->child_name, "wheel");
  take_shape(robot, &c, j->axis);
  const bool may_be = j->motion == RUT_URDF_CONTINUOUS && !is_of_limb(robot, index);
  const bool guess = (c.named || may_be) && has_unknown_shape(robot, c.wheel.group);
  if (!c.listed && ((!c.round && !guess) || carries_joints(robot, c.wheel.group))) return;
  if (f->n == RUT_URDF_MAX_LISTED) {
    rut_report_error(f->reporter, RUT_ERR_CAPACITY, j->place, "joint", "",
                     "a robot has at most %d joints that may be wheels", RUT_URDF_MAX_LISTED);
    return;
  }
  f->candidate[f->n++] = c;
}

// What has no known shape and is called no wheel is none where others are.
static void drop_doubtful(Finder* f) {
  int sure = 0, kept = 0;
  for (int i = 0; i < f->n; i++) {
    const Candidate* c = &f->candidate[i];
    sure += c->round || c->named || c->listed;
  }
  for (int i = 0; i < f->n; i++) {
    const Candidate c = f->candidate[i];
    if (sure == 0 || c.round || c.named || c.listed) f->candidate[kept++] = c;
  }
  f->n = kept;
}

// Radii of wheels whose shape is not known: the plug-in's, that of others, or their height above
// the frame that stands on the ground by convention (REP 120).
static void complete_radii(Finder* f) {
  const rutUrdf* robot = f->robot;
  double known = robot->plugin.radius, width = 0;
  for (int i = 0; i < f->n; i++) {
    if (!f->candidate[i].round) continue;
    if (!(known > 0)) known = f->candidate[i].wheel.radius;
    width = f->candidate[i].wheel.width;
  }
  const int foot = rut_urdf_link(robot, "base_footprint");
  for (int i = 0; i < f->n; i++) {
    rutUrdfWheel* w = &f->candidate[i].wheel;
    if (f->candidate[i].round) continue;
    w->radius = known > 0 ? known : foot >= 0 ? w->at.z - robot->link[foot].pose.at.z : 0;
    if (!(w->radius > 1e-6)) w->radius = 0.1;
    w->width = width > 0 ? width : 0.5 * w->radius;
    rut_report_warning(f->reporter, robot->joint[w->joint].place, "joint",
                       "guessed: the wheel '%.60s' has no shape that is known, a radius of %.3g m "
                       "is taken",
                       robot->joint[w->joint].name, w->radius);
  }
}

// Height of the ground: the mean lowest point of listed wheels, else the lowest of those that are
// called wheels, else of all.
static double find_ground(const Finder* f) {
  double sum = 0, lowest = RUT_INFINITY, named = RUT_INFINITY;
  int listed = 0;
  for (int i = 0; i < f->n; i++) {
    const Candidate* c = &f->candidate[i];
    const double z = c->wheel.at.z - c->wheel.radius;
    if (c->listed) sum += z, listed++;
    lowest = rut_min(lowest, z);
    if (c->named) named = rut_min(named, z);
  }
  if (listed > 0) return sum / listed;
  return named < lowest + 1e9 ? named : lowest;
}

static void add_caster(rutUrdfWheels* out, const char* link) {
  if (out->casters < RUT_URDF_MAX_LISTED && !in_list(out->caster, out->casters, link))
    out->caster[out->casters++] = link;
}

// Whether a joint turns wheels further than steering does. Joints that are called continuous may
// have limits: they steer, as those that are called so do.
static bool swings(const rutUrdfJoint* j) {
  const double range = j->upper - j->lower;
  if (j->motion == RUT_URDF_CONTINUOUS && !(range > 0)) return !rut_urdf_contains(j->name, "steer");
  return range > 0.5 * TURN;
}

// Whether a wheel swivels freely, or is a ball: it holds the robot up and resists hardly.
static bool glides(const rutUrdf* robot, const Candidate* c) {
  if (c->listed) return false;
  const rutUrdfJoint* j = &robot->joint[c->wheel.joint];
  if (is_castor_name(j->name) || is_castor_name(j->child_name)) return true;
  const int s = c->wheel.steering;
  const bool steers =
      s >= 0 && in_list(robot->plugin.steering_joint, robot->plugin.steering, robot->joint[s].name);
  return !steers && (c->ball || (s >= 0 && swings(&robot->joint[s])));
}

static void choose(Finder* f, rutUrdfWheels* out) {
  const rutUrdf* robot = f->robot;
  for (int i = 0; i < f->n; i++) {
    const Candidate* c = &f->candidate[i];
    const double above = c->wheel.at.z - c->wheel.radius - out->ground;
    const rutUrdfJoint* j = &robot->joint[c->wheel.joint];
    if (!c->listed && rut_abs(above) > GROUND_SHARE * c->wheel.radius) continue;
    if (glides(robot, c)) {
      add_caster(out, j->child_name);
      continue;
    }
    if (out->n == RUT_URDF_MAX_WHEELS) {
      rut_report_error(f->reporter, RUT_ERR_CAPACITY, j->place, "joint", "",
                       "a robot has at most %d wheels", RUT_URDF_MAX_WHEELS);
      return;
    }
    rutUrdfWheel* w = &out->wheel[out->n++];
    *w = c->wheel;
    w->driven = c->listed || robot->plugin.driven == 0;
    w->steered = w->steering >= 0;
  }
}

// Small things of the body that reach the ground beside its wheels.
static void find_sliders(const rutUrdf* robot, rutUrdfWheels* out) {
  double radius = 0;
  for (int i = 0; i < out->n; i++) radius = rut_max(radius, out->wheel[i].radius);
  for (int i = 0; i < robot->shapes; i++) {
    const rutUrdfShape* s = &robot->shape[i];
    const rutUrdfLink* link = &robot->link[s->link];
    bool wheel = !s->known || !s->collision;
    for (int k = 0; k < out->n; k++) wheel = wheel || out->wheel[k].group == link->group;
    if (wheel) continue;
    const double x = rut_urdf_reach(s, rut_vec3(1, 0, 0)), y = rut_urdf_reach(s, rut_vec3(0, 1, 0));
    const double low = s->pose.at.z - rut_urdf_reach(s, rut_vec3(0, 0, 1));
    const bool little = rut_max(x, y) < radius;
    const bool ground = rut_abs(low - out->ground) <= GROUND_SHARE * radius;
    if (ground && little) add_caster(out, link->name);
  }
}

// ---- the frame ----

// Turn all by -90 degrees about z: what was +y is +x then.
static void turn_robot(rutUrdf* robot, rutUrdfWheels* out) {
  const rutFramePose turn = {{{0, 1, 0, -1, 0, 0, 0, 0, 1}}, {0, 0, 0}};
  for (int i = 0; i < robot->links; i++) {
    robot->link[i].pose = rut_frame_mul(turn, robot->link[i].pose);
    robot->link[i].mass = rut_body_mass_moved(robot->link[i].mass, turn);
  }
  for (int i = 0; i < robot->joints; i++) {
    robot->joint[i].axis = rut_mat3_apply(turn.turn, robot->joint[i].axis);
  }
  for (int i = 0; i < robot->shapes; i++) {
    robot->shape[i].pose = rut_frame_mul(turn, robot->shape[i].pose);
  }
  for (int i = 0; i < out->n; i++) {
    out->wheel[i].at = rut_frame_apply(turn, out->wheel[i].at);
  }
}

static void orient(Finder* f, rutUrdfWheels* out) {
  const rutUrdf* robot = f->robot;
  bool sideways = true;
  for (int i = 0; i < out->n; i++) {
    sideways = sideways && rut_abs(robot->joint[out->wheel[i].joint].axis.x) >= COS_LEVEL;
  }
  if (sideways) {
    turn_robot(f->robot, out);
    out->turned = f->robot->turned = true;
    rut_report_warning(f->reporter, robot->place, "robot",
                       "guessed: its wheels roll along y, which is taken as forward");
  }
  for (int i = 0; i < out->n; i++) {
    const rutUrdfJoint* j = &robot->joint[out->wheel[i].joint];
    if (rut_abs(j->axis.y) >= COS_LEVEL) continue;
    const double side = j->axis.y < 0 ? -1 : 1;
    out->wheel[i].yaw = rut_atan2(-side * j->axis.x, side * j->axis.y);
    rut_report_warning(
        f->reporter, j->place, "joint",
        "guessed: the wheel '%.60s' stands at %.0f degrees; if it has rollers (omni, "
        "mecanum), rut has not",
        j->name, out->wheel[i].yaw * 57.29577951308232);
  }
}

bool rut_urdf_is_caster(const rutUrdf* robot, const rutUrdfWheels* wheels, int link) {
  return in_list(wheels->caster, wheels->casters, robot->link[link].name);
}

// Take names off a list that are of no joint. Returns how many are left.
static int known_joints(Finder* f, const char** name, int n) {
  int left = 0;
  for (int i = 0; i < n; i++) {
    if (rut_urdf_joint(f->robot, name[i]) >= 0) {
      name[left++] = name[i];
    } else {
      rut_report_warning(f->reporter, f->robot->plugin.place, "plugin",
                         "dropped: there is no joint '%.60s'", name[i]);
    }
  }
  return left;
}

rutStatus rut_urdf_find_wheels(rutUrdf* robot, rutReporter* reporter, rutUrdfWheels* out) {
  const int before = reporter->errors;
  Finder f = {.robot = robot, .reporter = reporter};
  rutUrdfPlugin* p = &robot->plugin;
  *out = (rutUrdfWheels){0};
  p->driven = known_joints(&f, p->driven_joint, p->driven);
  p->steering = known_joints(&f, p->steering_joint, p->steering);
  for (int i = 0; i < robot->joints && reporter->errors == before; i++) add_candidate(&f, i);
  if (reporter->errors > before) return reporter->first.status;
  if (f.n > 0) {
    drop_doubtful(&f);
    complete_radii(&f);
    out->ground = find_ground(&f);
    choose(&f, out);
    find_sliders(robot, out);
  }
  if (out->n == 0) {
    rut_report_error(reporter, RUT_ERR_MODEL, robot->place, "robot",
                     "a wheel is a continuous joint with a level axis, and a cylinder along it, a "
                     "sphere, or a mesh that is round about it",
                     "it has no wheels on the ground: rut drives vehicles on wheels");
    return RUT_ERR_MODEL;
  }
  orient(&f, out);
  robot->ground = out->ground;
  return reporter->errors == before ? RUT_OK : reporter->first.status;
}
