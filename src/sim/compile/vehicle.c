// SPDX-License-Identifier: BSD-3-Clause
//
// From <vehicle> to a tree of bodies: a planar root that carries the chassis, a rotor hinge for
// every wheel, and a prescribed hinge above it where the wheel steers.
#include "sim/compile/vehicle.h"

#include "geom/polygon.h"
#include "math/rut_math.h"
#include "sim/spec/variables.h"

#include <stdio.h>
#include <string.h>
#include "sim/compile/axles.h"
#include "sim/compile/control.h"
#include "sim/compile/fmu_elements.h"
#include "sim/compile/groups.h"
#include "sim/compile/plausible.h"
#include "sim/compile/read.h"
#include "sim/compile/side_forces.h"
#include "sim/spec/repeat.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// Outline for vehicles that give none: a little longer than wide, cut at the front.
static const double default_outline[] = {-0.4, -0.5, 0.4, -0.5, 0.6,  -0.3,
                                         0.6,  0.3,  0.4, 0.5,  -0.4, 0.5};

static void read_wheel(rutDraft* draft, rutNode node, rutDraftClass* c) {
  const rutSpec* spec = draft->spec;
  if (c->wheels == RUT_MAX_WHEELS) {
    rut_node_error(spec, node, NULL, RUT_ERR_CAPACITY, "", "a vehicle has at most %d wheels",
                   RUT_MAX_WHEELS);
    return;
  }
  int w = c->wheels++;
  int n = 0;
  const double* position = rut_node_numbers(spec, node, "position", &n);
  c->x[w] = n > 0 ? position[0] : 0;
  c->y[w] = n > 1 ? position[1] : 0;
  c->mount_yaw[w] = rut_node_number(spec, node, "yaw");
  c->wheel_mass[w] = rut_node_number(spec, node, "mass");
  c->radius[w] = rut_node_number(spec, node, "radius");
  c->width[w] = rut_node_number(spec, node, "width");
  c->inertia[w] = rut_node_number(spec, node, "inertia");
  c->steered[w] = rut_node_number(spec, node, "steered") != 0;
  c->place[w] = (int)rut_node_number(spec, node, "place");
  c->driven[w] = c->place[w] != CASTER && rut_node_number(spec, node, "driven") != 0;
  double r = c->radius[w], m = c->wheel_mass[w];
  if (!(c->inertia[w] > 0)) c->inertia[w] = 0.5 * m * r * r;
  if (!(c->inertia[w] > 0)) {
    rut_node_error(spec, node, NULL, RUT_ERR_MODEL, "give it a mass or an inertia",
                   "a wheel without inertia cannot spin");
  }
}

// Moment of inertia of a wheel about the vertical: that of a solid cylinder unless given.
static double wheel_transverse_inertia(const rutSpec* spec, rutNode node, double mass,
                                       double radius, double width) {
  double given = rut_node_number(spec, node, "transverse_inertia");
  return given > 0 ? given : mass * (3 * radius * radius + width * width) / 12;
}

static rutMbdBody* add_body(rutDraftClass* c, int parent, rutJointType joint) {
  rutMbdBody* b = &c->body[c->bodies++];
  b->parent = parent;
  b->joint = (int32_t)joint;
  b->position = c->positions;
  b->speed = c->speeds;
  memcpy(b->mount_rotation, identity, sizeof identity);
  b->axis[2] = 1;
  c->positions += rut_mbd_joint_positions(joint);
  c->speeds += rut_mbd_joint_speeds(joint);
  return b;
}

static void set_yaw_rotation(double yaw, double rotation[9]) {
  double s, k;
  rut_sincos(yaw, &s, &k);
  double r[9] = {k, -s, 0, s, k, 0, 0, 0, 1};
  memcpy(rotation, r, sizeof r);
}

// Masses of the parts of a planar vehicle.
typedef struct PlanarMass {
  double mass, com[2], yaw_inertia;          // of the chassis
  double wheel_yaw_inertia[RUT_MAX_WHEELS];  // of each wheel about its own middle
} PlanarMass;

// Those of the parts, then mass, centre of mass and yaw inertia of the whole vehicle.
static void composite_mass(const rutSpec* spec, rutNode vehicle, rutNode chassis, rutDraftClass* c,
                           PlanarMass* own) {
  *own =
      (PlanarMass){.mass = rut_node_is_null(chassis) ? 15 : rut_node_number(spec, chassis, "mass")};
  rut_polygon_mass(c->outline.n, c->outline.xy, own->mass, own->com, &own->yaw_inertia);
  if (!rut_node_is_null(chassis)) {
    int n = 0;
    const double* com = rut_node_numbers(spec, chassis, "com", &n);
    if (n >= 2 && rut_node_has(spec, chassis, "com")) {
      own->com[0] = com[0];
      own->com[1] = com[1];
    }
    double inertia = rut_node_number(spec, chassis, "yaw_inertia");
    if (inertia > 0) own->yaw_inertia = inertia;
  }

  c->mass = own->mass;
  double sx = own->mass * own->com[0], sy = own->mass * own->com[1];
  int w = 0;
  for (rutNode node = rut_node_first(spec, vehicle, "wheel"); !rut_node_is_null(node);
       node = rut_node_next(spec, node, "wheel"), w++) {
    if (w == c->wheels) break;
    double m = c->wheel_mass[w];
    own->wheel_yaw_inertia[w] = wheel_transverse_inertia(spec, node, m, c->radius[w], c->width[w]);
    c->mass += m;
    sx += m * c->x[w];
    sy += m * c->y[w];
  }
  c->com[0] = sx / c->mass;
  c->com[1] = sy / c->mass;

  double dx = own->com[0] - c->com[0], dy = own->com[1] - c->com[1];
  c->yaw_inertia = own->yaw_inertia + own->mass * (dx * dx + dy * dy);
  for (int i = 0; i < c->wheels; i++) {
    dx = c->x[i] - c->com[0];
    dy = c->y[i] - c->com[1];
    c->yaw_inertia += own->wheel_yaw_inertia[i] + c->wheel_mass[i] * (dx * dx + dy * dy);
  }
}

static void build_tree(rutDraftClass* c, const PlanarMass* own) {
  // the root's origin is the vehicle's centre of mass: a planar joint there integrates free motion
  // exactly
  rutMbdBody* root = add_body(c, -1, RUT_JOINT_PLANAR);
  root->mass = own->mass;
  root->com[0] = own->com[0] - c->com[0];
  root->com[1] = own->com[1] - c->com[1];
  root->inertia[0] = root->inertia[1] = 0.5 * own->yaw_inertia;
  root->inertia[2] = own->yaw_inertia;

  for (int w = 0; w < c->wheels; w++) {
    int parent = 0;
    c->steer_position[w] = -1;
    double mount[3] = {c->x[w] - c->com[0], c->y[w] - c->com[1], c->radius[w]};
    if (c->steered[w]) {
      rutMbdBody* steer = add_body(c, 0, RUT_JOINT_HINGE);
      steer->prescribed = 1;
      memcpy(steer->mount_position, mount, sizeof mount);
      memset(mount, 0, sizeof mount);
      c->steer_position[w] = steer->position;
      parent = c->bodies - 1;
    }
    rutMbdBody* wheel = add_body(c, parent, RUT_JOINT_HINGE);
    wheel->rotor = 1;
    memcpy(wheel->mount_position, mount, sizeof mount);
    if (c->mount_yaw[w] != 0) set_yaw_rotation(c->mount_yaw[w], wheel->mount_rotation);
    wheel->axis[1] = 1;
    wheel->axis[2] = 0;
    wheel->mass = c->wheel_mass[w];
    wheel->inertia[0] = wheel->inertia[2] = own->wheel_yaw_inertia[w];
    wheel->inertia[1] = c->inertia[w];
    c->wheel_body[w] = c->bodies - 1;
    c->wheel_position[w] = wheel->position;
    c->wheel_speed[w] = wheel->speed;
  }
}

// Points that rest on the ground: the wheels, and where those do not span a plane (two wheels, a
// single row), the front and rear ends of the outline, which a castor would hold up.
static void find_feet(rutDraftClass* c) {
  double box[4], span = 0;
  rut_polygon_bounds(c->outline.n, c->outline.xy, box);
  for (int w = 0; w < c->wheels; w++) {
    c->foot[2 * w] = c->x[w];
    c->foot[2 * w + 1] = c->y[w];
    span = rut_max(span, rut_abs(c->x[w] - c->x[0]));
  }
  c->feet = c->wheels;
  if (span > 0.05 * (box[2] - box[0]) && c->wheels >= 3) return;
  double x = c->wheels ? c->x[0] : 0.5 * (box[0] + box[2]);
  double reach = rut_max(box[2] - x, x - box[0]);
  for (int end = -1; end <= 1; end += 2) {
    c->foot[2 * c->feet] = x + end * reach;
    c->foot[2 * c->feet + 1] = 0.5 * (box[1] + box[3]);
    c->feet++;
  }
}

static void read_chassis(rutDraft* draft, rutNode vehicle, rutNode chassis, rutDraftClass* c) {
  const rutSpec* spec = draft->spec;
  bool given = !rut_node_is_null(chassis) && rut_node_has(spec, chassis, "outline");
  if (!given || !rut_draft_outline(draft, chassis, "outline", &c->outline)) {
    c->outline.n = RUT_COUNT_OF(default_outline) / 2;
    memcpy(c->outline.xy, default_outline, sizeof default_outline);
  }
  rutNode source = chassis;
  c->z_min = 0.05;
  c->z_max = 0.6;
  c->friction = 0.3;
  c->restitution = 0.01;
  if (rut_node_is_null(chassis)) {
    rut_node_warning(spec, vehicle, NULL, "has no <chassis>: a default one of 15 kg is taken");
    return;
  }
  rut_draft_check_count(draft, chassis, "com", 2, 3);
  c->z_min = rut_node_number(spec, source, "z_min");
  c->z_max = rut_node_number(spec, source, "z_max");
  c->friction = rut_node_number(spec, source, "friction");
  c->restitution = rut_node_number(spec, source, "restitution");
  c->linear_damping = rut_node_number(spec, source, "linear_damping");
  c->angular_damping = rut_node_number(spec, source, "angular_damping");
  if (c->z_max <= c->z_min) {
    rut_node_error(spec, chassis, "z_max", RUT_ERR_MODEL, "", "z_max must be above z_min");
  }
}

static bool has_place(const rutDraftClass* c, int place) {
  for (int w = 0; w < c->wheels; w++) {
    if (c->place[w] == place) return true;
  }
  return false;
}

// Drives and controllers find wheels by their places.
static void check_places(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  bool rear = has_place(c, REAR_LEFT) && has_place(c, REAR_RIGHT);
  bool front = has_place(c, FRONT_LEFT) && has_place(c, FRONT_RIGHT);
  bool pair = has_place(c, LEFT) && has_place(c, RIGHT);
  if (!pair && !rear && (c->drive.type || c->controller.type)) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL,
                   "give its wheels place=\"left\" and \"right\", or \"rear_left\" and so on",
                   "drive and controller need to know which wheels are left and right");
    return;
  }
  bool steers = false;
  double x_front = 0, x_rear = 0;
  for (int w = 0; w < c->wheels; w++) {
    steers = steers || c->steered[w];
    if (c->place[w] == FRONT_LEFT) x_front = c->x[w];
    if (c->place[w] == REAR_LEFT) x_rear = c->x[w];
  }
  if (steers && !(front && rear && x_front > x_rear)) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL,
                   "give them the places front_left, front_right, rear_left and rear_right",
                   "steering needs four wheels, the front ones ahead of the rear ones");
  }
}

// Vehicles on axles may have no wheels left and right.
static void check_spatial_control(rutDraft* draft, rutNode controller, const rutDraftClass* c) {
  const char* name = c->controller.type->name;
  const bool pair = has_place(c, LEFT) && has_place(c, RIGHT);
  const bool rear = has_place(c, REAR_LEFT) && has_place(c, REAR_RIGHT);
  if (((const rutControllerType*)c->controller.type)->needs_sides && !pair && !rear) {
    rut_node_error(draft->spec, controller, NULL, RUT_ERR_MODEL,
                   "give the rear axle a track, or take p_gravity",
                   "%s needs a left and a right wheel at the rear", name);
  }
}

// Where a controller gives fewer torques than the drive takes, wheels would stand idle.
static void check_demands(rutDraft* draft, rutNode controller, const rutDraftClass* c) {
  const rutDriveType* drive = (const rutDriveType*)c->drive.type;
  const rutControllerType* type = (const rutControllerType*)c->controller.type;
  if (!drive || !type) return;
  const rutVehicleLayout layout = {.wheels = c->wheels,
                                   .x = c->x,
                                   .y = c->y,
                                   .radius = c->radius,
                                   .mount_yaw = c->mount_yaw,
                                   .inertia = c->inertia,
                                   .steered = c->steered,
                                   .driven = c->driven,
                                   .left = -1,
                                   .right = -1,
                                   .front_left = -1,
                                   .front_right = -1,
                                   .rear_left = -1,
                                   .rear_right = -1};
  const int inputs = drive->inputs(c->drive.param, &layout);
  rutError error;
  if (type->fits && type->fits(c->controller.param, &layout, inputs, &error) != RUT_OK) {
    rut_node_error(draft->spec, controller, NULL, RUT_ERR_MODEL, "", "%s", error.message);
  }
  if (type->demands == 0 || inputs <= type->demands) return;
  rut_node_error(draft->spec, controller, NULL, RUT_ERR_MODEL,
                 "give the drive command=\"side\", or take p_gravity",
                 "%s gives two torques, for left and right, and the drive takes %d",
                 type->base.name, inputs);
}

// The outputs of a drive must fit into the space for them.
static void check_told(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  const rutDriveType* drive = (const rutDriveType*)c->drive.type;
  if (!drive || !drive->outputs) return;
  const rutShapeCounts most = {RUT_MAX_WHEELS, RUT_MAX_WHEELS};
  const int n =
      rut_variables_count(&drive->base, c->drive.param, most, drive->outputs, drive->output);
  if (n <= RUT_MAX_OUTPUT_NUMBERS) return;
  rut_node_error(draft->spec, rut_node_first(draft->spec, node, "drive"), NULL, RUT_ERR_CAPACITY,
                 NULL, "the outputs of the drive '%s' have %d numbers, at most %d can be had",
                 drive->base.name, n, RUT_MAX_OUTPUT_NUMBERS);
}

// A drive needs something to drive.
static void check_driven(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  if (!c->drive.type || c->wheels == 0) return;
  for (int w = 0; w < c->wheels; w++) {
    if (c->driven[w]) return;
  }
  rut_node_error(draft->spec, rut_node_first(draft->spec, node, "drive"), NULL, RUT_ERR_MODEL,
                 "leave driven=\"false\" out at a wheel or axle, or leave the drive out",
                 "the drive has no wheel to drive");
}

// Fields that have no meaning for a vehicle of this kind.
static void warn_of_unused(rutDraft* draft, rutNode node, bool spatial) {
  static const char* const of_axles[] = {"steer_rate",     "steer_response", "steer_stiffness",
                                         "steer_damping",  "steer_inertia",  "contact",
                                         "contact_slices", "contact_refine", "width_slices",
                                         "cam_length",     "cam_height",     "cam_order",
                                         "cam_distance",   "side_stiffness", "side_damping",
                                         "side_friction",  "seat",           NULL};
  static const char* const of_wheels[] = {"wheel_coupling", NULL};
  static const char* const body_of_axles[] = {"inertia", "drag_area", "flooding", "water_drag",
                                              NULL};
  static const char* const body_of_wheels[] = {"yaw_inertia", "linear_damping", "angular_damping",
                                               NULL};
  const rutNode chassis = rut_node_first(draft->spec, node, "chassis");
  const rutNode place[2] = {node, chassis};
  const char* const* list[2] = {spatial ? of_wheels : of_axles,
                                spatial ? body_of_wheels : body_of_axles};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; !rut_node_is_null(place[k]) && list[k][i]; i++) {
      if (!rut_node_has(draft->spec, place[k], list[k][i])) continue;
      rut_node_warning(draft->spec, place[k], list[k][i],
                       spatial ? "'%s' is for planar vehicles and does nothing here"
                               : "'%s' is for vehicles on <axle> elements and does nothing here",
                       list[k][i]);
    }
  }
}

// A controller's demands go through a drive, and one made for steering needs something to steer.
static void check_control(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  const rutSpec* spec = draft->spec;
  if (!c->controller.type) return;
  const rutNode controller = rut_node_first(spec, node, "controller");
  const char* name = c->controller.type->name;
  if (((const rutControllerType*)c->controller.type)->suspensions && !c->spatial.axles) {
    rut_node_error(spec, controller, NULL, RUT_ERR_MODEL,
                   "give the vehicle <axle> elements in place of <wheel>",
                   "the controller '%s' needs a vehicle with suspensions", name);
  }
  if (!c->drive.type && !((const rutControllerType*)c->controller.type)->imposes_twist) {
    rut_node_error(spec, controller, NULL, RUT_ERR_MODEL, "add <drive type=\"direct\"/>",
                   "the vehicle has a controller but no drive that takes its torque to the wheels");
  }
  bool steers = false;
  for (int w = 0; w < c->wheels; w++) steers = steers || c->steered[w];
  if (((const rutControllerType*)c->controller.type)->needs_steering && !steers) {
    rut_node_error(spec, controller, NULL, RUT_ERR_MODEL,
                   c->spatial.axles ? "give the front axle a max_steer, or take twist_pid"
                                    : "give the front wheels steered=\"true\", or take twist_pid",
                   "%s needs wheels that steer, and the vehicle has none", name);
  }
  if (c->spatial.axles) check_spatial_control(draft, controller, c);
  check_demands(draft, controller, c);
}

// A drive may name an axle only if the vehicle has it.
static void check_axle(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  const rutNode drive = rut_node_first(draft->spec, node, "drive");
  if (!c->drive.type || !rut_node_has(draft->spec, drive, "driven")) return;
  const char* axle = rut_node_text(draft->spec, drive, "driven");
  const bool front = has_place(c, FRONT_LEFT) && has_place(c, FRONT_RIGHT);
  if (strcmp(axle, "front") == 0 && !front) {
    rut_node_error(draft->spec, drive, "driven", RUT_ERR_MODEL,
                   "give two wheels the places front_left and front_right, or leave 'driven' out",
                   "the vehicle has no front axle to drive");
  }
}

// Shafts couple the wheels in the dynamics of vehicles with suspensions only.
static void check_shafts(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  const rutDriveType* drive = (const rutDriveType*)c->drive.type;
  if (!drive || !drive->shafts) return;
  rut_node_error(draft->spec, rut_node_first(draft->spec, node, "drive"), NULL, RUT_ERR_MODEL,
                 "give the vehicle <axle> elements in place of <wheel>, or take <drive "
                 "type=\"engine\">",
                 "the drive '%s' couples wheels by shafts, which a planar vehicle does not have",
                 drive->base.name);
}

// Inertia of the drive at a driven wheel (see rutDriveType).
// A vehicle that follows the ground, its wheels carrying fixed shares of its weight.
static void read_planar(rutDraft* draft, rutNode node, rutDraftClass* c) {
  const rutSpec* spec = draft->spec;
  for (rutNode w = rut_node_first(spec, node, "wheel"); !rut_node_is_null(w);
       w = rut_node_next(spec, w, "wheel")) {
    read_wheel(draft, w, c);
  }
  // a planar vehicle does not feel what turns about the axes of its wheels
  for (int w = 0; w < c->wheels; w++) {
    double momentum;
    if (c->driven[w]) c->inertia[w] += rut_draft_drive_inertia(c, &momentum);
  }
  rutNode chassis = rut_node_first(spec, node, "chassis");
  read_chassis(draft, node, chassis, c);
  c->max_steer = rut_node_number(spec, node, "max_steer");
  c->coupled = rut_node_number(spec, node, "wheel_coupling") == 0;

  PlanarMass own;
  composite_mass(spec, node, chassis, c, &own);
  const rutNode suspension = rut_node_first(spec, node, "suspension");
  if (!rut_node_is_null(suspension)) {
    rut_node_error(spec, suspension, NULL, RUT_ERR_MODEL,
                   "give the vehicle <axle> elements in place of <wheel>",
                   "a planar vehicle has no suspensions");
  }
  const rutNode hitch = rut_node_first(spec, node, "hitch");
  if (!rut_node_is_null(hitch)) {
    rut_node_error(spec, hitch, NULL, RUT_ERR_MODEL,
                   "give the vehicle <axle> elements in place of <wheel>",
                   "a planar vehicle has no hitch");
  }
  const rutNode inflation = rut_node_first(spec, node, "inflation");
  if (!rut_node_is_null(inflation)) {
    rut_node_error(spec, inflation, NULL, RUT_ERR_MODEL,
                   "give the vehicle <axle> elements in place of <wheel>",
                   "the wheels of a planar vehicle are rigid: there is nothing to inflate");
  }
  const rutNode stability = rut_node_first(spec, node, "stability");
  if (!rut_node_is_null(stability)) {
    rut_node_error(spec, stability, NULL, RUT_ERR_MODEL,
                   "give the vehicle <axle> elements in place of <wheel>",
                   "a planar vehicle has no brakes and does not roll");
  }
  for (int w = 0; w < c->wheels; w++) c->share[w] = own.mass / c->wheels + c->wheel_mass[w];
  rut_draft_share_side_forces(c);
  build_tree(c, &own);
  find_feet(c);
  rut_draft_component(draft, node, "tyre", &c->tyre);
  if (c->tyre.type && !((const rutTyreType*)c->tyre.type)->force) {
    rut_node_error(spec, rut_node_first(spec, node, "tyre"), NULL, RUT_ERR_MODEL,
                   "give the vehicle <axle> elements in place of <wheel>",
                   "the tyre '%s' is made for vehicles with suspensions", c->tyre.type->name);
  }
}

static void read_spatial(rutDraft* draft, rutNode node, rutDraftClass* c) {
  const rutNode wheel = rut_node_first(draft->spec, node, "wheel");
  if (!rut_node_is_null(wheel)) {
    rut_node_error(draft->spec, wheel, NULL, RUT_ERR_MODEL, "describe it by an <axle> as well",
                   "a vehicle has either <wheel> or <axle> elements");
  }
  read_chassis(draft, node, rut_node_first(draft->spec, node, "chassis"), c);
  rut_draft_axles(draft, node, c);
}

// Everything that the group shares, into c, which is zeroed.
static void read_class(rutDraft* draft, rutNode node, rutDraftClass* c) {
  const rutSpec* spec = draft->spec;
  rut_draft_component(draft, node, "drive", &c->drive);
  rut_draft_check_single(draft, node, "appearance");
  const bool spatial = !rut_node_is_null(rut_node_first(spec, node, "axle"));
  if (spatial) {
    read_spatial(draft, node, c);
  } else {
    read_planar(draft, node, c);
  }
  for (int w = 0; w < c->wheels; w++) c->turning[w] = c->inertia[w] + c->spatial.wheel.geared[w];
  rut_draft_controllers(draft, node, c);
  rut_draft_actuators(draft, node, c);
  if (!spatial) check_places(draft, node, c);
  if (!spatial) check_shafts(draft, node, c);
  check_control(draft, node, c);
  check_axle(draft, node, c);
  check_driven(draft, node, c);
  check_told(draft, node, c);
  rut_draft_check_fmu_drive(draft, node, c);
  warn_of_unused(draft, node, spatial);
}

// What vehicles of one class share in the draft.
typedef struct Kind {
  rutNode node;  // one of them
  int group;
  double sag, tilt;
} Kind;

// Kinds that came last: vehicles that are like one of them are not read again.
typedef struct Kinds {
  Kind kind[16];
  int n, next;
} Kinds;

static const Kind* find_kind(const rutDraft* draft, const Kinds* kinds, rutNode node) {
  // where a vehicle begins, and how
  static const char* const start[] = {"position", "roll",      "pitch",         "yaw", "velocity",
                                      "yaw_rate", "on_ground", "rolling_start", NULL};
  for (int i = kinds->n - 1; i >= 0; i--) {
    if (rut_node_is_alike(draft->spec, kinds->kind[i].node, node, start)) return &kinds->kind[i];
  }
  return NULL;
}

static void add_vehicle(rutDraft* draft, rutNode node, const Kind* kind) {
  const rutSpec* spec = draft->spec;
  rut_draft_check_count(draft, node, "velocity", 2, 3);
  rutDraftVehicle* v = rut_draft_push(draft, &draft->vehicle);
  if (!v) return;
  v->node = node;
  v->group = kind->group;
  rutVehicleRecord* r = &v->record;
  rut_draft_pose(draft, node, r->start, NULL);
  int n = 0;
  const double* velocity = rut_node_numbers(spec, node, "velocity", &n);
  for (int i = 0; i < n && i < 3; i++) r->velocity[i == 2 ? 3 : i] = velocity[i];
  r->velocity[2] = rut_node_number(spec, node, "yaw_rate");
  r->on_ground = rut_node_number(spec, node, "on_ground") != 0;
  r->rolling = rut_node_number(spec, node, "rolling_start") != 0;
  r->sag = kind->sag;
  r->tilt = kind->tilt;
  r->body = draft->bodies++;
  rutNode odometry = rut_node_first(spec, node, "odometry");
  const char* scale[3] = {"x_scale", "y_scale", "yaw_scale"};
  for (int i = 0; i < 3; i++) {
    r->odometry_scale[i] =
        rut_node_is_null(odometry) ? 1 : rut_node_number(spec, odometry, scale[i]);
  }
}

static void read_vehicle(rutDraft* draft, rutNode node, Kinds* kinds) {
  const Kind* like = find_kind(draft, kinds, node);
  if (like) {
    add_vehicle(draft, node, like);
    return;
  }
  rutDraftClass* c = rut_context_alloc(draft->context, sizeof *c, 64);
  if (!c) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    return;
  }
  memset(c, 0, sizeof *c);
  const int found = draft->reporter->errors + draft->reporter->warnings;
  const int groups = draft->group.n;
  read_class(draft, node, c);
  Kind kind = {node, rut_draft_group(draft, node, c), c->spatial.sag, c->spatial.tilt};
  if (draft->group.n > groups) rut_draft_look_at_vehicle(draft, node, c);
  rut_context_free(draft->context, c);
  add_vehicle(draft, node, &kind);
  // what was said about one is said about each
  if (found != draft->reporter->errors + draft->reporter->warnings) return;
  kinds->kind[kinds->next] = kind;
  kinds->next = (kinds->next + 1) % RUT_COUNT_OF(kinds->kind);
  if (kinds->n < RUT_COUNT_OF(kinds->kind)) kinds->n++;
}

void rut_draft_vehicles(rutDraft* draft) {
  Kinds kinds = {0};
  for (rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), "vehicle");
       !rut_node_is_null(node); node = rut_node_next(draft->spec, node, "vehicle")) {
    if (draft->vehicle.n == RUT_MAX_VEHICLES) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "", "more than %d vehicles",
                     RUT_MAX_VEHICLES);
      return;
    }
    read_vehicle(draft, node, &kinds);
  }
}
