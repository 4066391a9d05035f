// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of a MAVS vehicle to a <vehicle> with axles. Where MAVS's code does something that no
// vehicle does, the numbers are used as their names say, and a finding reports it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/element_name.h"
#include "format/mavs.h"
#include "format/reader.h"
#include "math/rut_math.h"

// A gear before the final drive that MAVS's code has and its files do not.
static const double GEAR = 2;
// Part of its length by which MAVS lets a spring move either way.
static const double REACH = 0.95;
// Speed at which MAVS turns its wheels, 45 degrees a second [rad/s].
static const double STEER_RATE = 0.785;
static const double LEAST_BUMP = 0.02;     // [m]
static const double CLEARANCE = 0.6;       // of the underside, in wheel radii
static const double BOX_DRAG = 1;          // drag coefficient of a block
static const double PLAUSIBLE_DRAG = 2;    // above it the coefficient limits speed
static const double LEAST_SHARE = 0.01;    // of the weight, that an axle must be able to carry
static const double GOVERNOR_BAND = 0.02;  // of the greatest engine speed
static const double DEGREE = 0.017453292519943295, RPM = 0.10471975511965977;

// The vehicle at rest on level ground.
typedef struct Stance {
  int axles;  // that carry it
  const rutMavsAxle* axle[RUT_MAVS_MAX_AXLES];
  double load[RUT_MAVS_MAX_AXLES];    // of the chassis on each of their springs [N]
  double squash[RUT_MAVS_MAX_AXLES];  // of each tyre [m]
  double mean_squash;
  double height;  // of the chassis's centre of mass above the reference point [m]
  double mass;    // of the whole vehicle [kg]
  int driven;     // wheels
} Stance;

typedef struct Maker {
  const rutMavsVehicle* in;
  Stance stance;
  rutSpec* spec;
  rutReporter* reporter;
  rutNode vehicle;
} Maker;

// ---- nodes ----

static void check(Maker* m, rutStatus status, rutPlace place, const rutError* err) {
  if (status == RUT_OK) return;
  rut_report_error(m->reporter, status, place, err->element, "", "%s", err->message);
}

static rutNode add(Maker* m, rutNode parent, const char* kind, const char* type, const char* name,
                   rutPlace place) {
  rutError err = {0};
  const rutNode node = rut_spec_add(m->spec, parent, kind, type, name, &err);
  if (rut_node_is_null(node)) {
    rut_report_error(m->reporter, err.status, place, "", "", "%s", err.message);
  } else {
    rut_node_place(m->spec, node, NULL, place);
  }
  return node;
}

static void set_list(Maker* m, rutNode node, const char* field, int n, const double* value,
                     rutPlace place) {
  rutError err = {0};
  rut_node_place(m->spec, node, field, place);
  check(m, rut_node_set_numbers(m->spec, node, field, n, value, &err), place, &err);
}

static void set(Maker* m, rutNode node, const char* field, double value, rutPlace place) {
  set_list(m, node, field, 1, &value, place);
}

static void set_text(Maker* m, rutNode node, const char* field, const char* text, rutPlace place) {
  rutError err = {0};
  rut_node_place(m->spec, node, field, place);
  check(m, rut_node_set(m->spec, node, field, text, &err), place, &err);
}

static void take(Maker* m, rutNode node, const char* field, const rutMavsNumber* number) {
  set(m, node, field, number->value, number->place);
}

// ---- at rest ----

// Hub to centre of mass while the spring is free, as MAVS's code has it. Its manual calls "CG
// Offset" the height above the axles, its code that above the upper ends of the springs.
static double free_height(const rutMavsVehicle* v, const rutMavsAxle* axle) {
  return axle->length.value + v->cg_height.value;
}

// MAVS's trucks have axles of some grams on springs of 10 N/m, to draw wheels that do not touch the
// vehicle. They would take a share of the torque of open differentials, and spin away.
static void choose_axles(Maker* m) {
  const rutMavsVehicle* v = m->in;
  Stance* s = &m->stance;
  const double weight = 9.81 * v->mass.value;
  for (int i = 0; i < v->axles; i++) {
    const rutMavsAxle* axle = &v->axle[i];
    const double k = axle->spring.value, t = axle->tyre.value;
    const double most = 2 * k * t / (k + t) * rut_max(free_height(v, axle), 0.1);
    if (most >= LEAST_SHARE * weight) {
      s->axle[s->axles++] = axle;
      continue;
    }
    rut_report_warning(m->reporter, axle->place, "Axles",
                       "this axle is left out: its springs (%g N/m) and tyres (%g N/m) carry at "
                       "most %.2g N of the vehicle's %.3g N",
                       k, t, most, weight);
  }
}

// Loads of springs that hold the chassis level: on two axles those that balance it about its
// centre of mass, from which the axles are placed; on more, those of equal stiffness.
static bool share_load(Maker* m, double gravity) {
  const rutMavsVehicle* v = m->in;
  Stance* s = &m->stance;
  double x = 0, xx = 0;
  const double n = s->axles;
  for (int i = 0; i < s->axles; i++) {
    x += s->axle[i]->x.value;
    xx += s->axle[i]->x.value * s->axle[i]->x.value;
  }
  const double spread = n * xx - x * x;
  if (s->axles < 2 || spread < 1e-6) {
    rut_report_error(m->reporter, RUT_ERR_MODEL, v->place, "Axles", "",
                     "needs two axles in different places that can carry it");
    return false;
  }
  const double half = 0.5 * v->mass.value * gravity, a = half * xx / spread, b = -half * x / spread;
  for (int i = 0; i < s->axles; i++) {
    s->load[i] = a + b * s->axle[i]->x.value;
    if (s->load[i] > 0) continue;
    rut_report_error(m->reporter, RUT_ERR_MODEL, s->axle[i]->x.place, "Axles", "",
                     "the centre of mass, from which 'Longitudinal Offset' counts, is not between "
                     "the axles");
    return false;
  }
  return true;
}

static bool find_stance(Maker* m, double gravity) {
  const rutMavsVehicle* v = m->in;
  Stance* s = &m->stance;
  choose_axles(m);
  if (!share_load(m, gravity)) return false;
  double total = 0, height = 0;
  s->mass = v->mass.value;
  for (int i = 0; i < s->axles; i++) {
    const rutMavsAxle* axle = s->axle[i];
    s->squash[i] = (s->load[i] + axle->wheel_mass.value * gravity) / axle->tyre.value;
    s->mean_squash += s->squash[i] / s->axles;
    s->mass += 2 * axle->wheel_mass.value;
    s->driven += axle->powered ? 2 : 0;
    total += s->load[i];
  }
  for (int i = 0; i < s->axles; i++) {
    const rutMavsAxle* axle = s->axle[i];
    const double hub = axle->radius.value - s->squash[i] + s->mean_squash;
    const double above = free_height(v, axle) - s->load[i] / axle->spring.value;
    height += s->load[i] / total * (hub + above);
  }
  s->height = height;
  return true;
}

// ---- chassis ----

static void set_drag(Maker* m, rutNode chassis) {
  const rutMavsVehicle* v = m->in;
  double coefficient = v->drag.value;
  if (coefficient > PLAUSIBLE_DRAG) {
    rut_report_warning(m->reporter, v->drag.place, "Chassis",
                       "a 'Drag Coefficient' of %g is not that of a vehicle, but limits its speed "
                       "in MAVS: %g is taken, that of a box",
                       coefficient, BOX_DRAG);
    coefficient = BOX_DRAG;
  }
  set(m, chassis, "drag_area", coefficient * v->size[1] * v->size[2], v->drag.place);
}

static void make_chassis(Maker* m) {
  const rutMavsVehicle* v = m->in;
  const Stance* s = &m->stance;
  const double lx = v->size[0], ly = v->size[1], lz = v->size[2], y = v->cg_left.value;
  const double outline[8] = {-lx / 2, y - ly / 2, lx / 2,  y - ly / 2,
                             lx / 2,  y + ly / 2, -lx / 2, y + ly / 2};
  const double com[3] = {0, y, s->height}, part = v->mass.value / 12;
  const double inertia[3] = {part * (ly * ly + lz * lz), part * (lx * lx + lz * lz),
                             part * (lx * lx + ly * ly)};
  double least = s->axle[0]->radius.value;
  for (int i = 1; i < s->axles; i++) least = rut_min(least, s->axle[i]->radius.value);
  const double under = s->height - lz / 2, lowest = CLEARANCE * least;

  const rutNode chassis = add(m, m->vehicle, "chassis", "", "", v->chassis);
  take(m, chassis, "mass", &v->mass);
  set_list(m, chassis, "outline", 8, outline, v->size_place);
  set_list(m, chassis, "com", 3, com, v->cg_height.place);
  set_list(m, chassis, "inertia", 3, inertia, v->size_place);
  rut_report_note(m->reporter, v->size_place, "Chassis",
                  "the moments of inertia are those of a uniform box of these dimensions; MAVS "
                  "leaves them at 1 kg m2");
  if (under < lowest) {
    rut_report_warning(
        m->reporter, v->size_place, "Chassis",
        "the bottom of a box of these dimensions is %.2g m above the ground: %.2g m is taken "
        "(MAVS never lets it touch the ground)",
        under, lowest);
  }
  set(m, chassis, "z_min", rut_max(under, lowest), v->size_place);
  set(m, chassis, "z_max", rut_max(s->height + lz / 2, lowest + 0.01), v->size_place);
  set_drag(m, chassis);
}

// ---- axles ----

static void make_suspension(Maker* m, rutNode node, const rutMavsAxle* axle, double load) {
  const double reach = REACH * rut_max(free_height(m->in, axle), 0);
  const double sag = load / axle->spring.value;
  const rutNode suspension = add(m, node, "suspension", "slider", "", axle->spring.place);
  take(m, suspension, "stiffness", &axle->spring);
  take(m, suspension, "damping", &axle->damping);
  if (reach - sag < LEAST_BUMP) {
    rut_report_warning(m->reporter, axle->length.place, "Axles",
                       "its springs deflect by %.3g m under the load, of %.3g m in all: %g m up to "
                       "the stop are taken",
                       sag, reach, LEAST_BUMP);
  }
  set(m, suspension, "bump_travel", rut_max(reach - sag, LEAST_BUMP), axle->length.place);
  set(m, suspension, "rebound_travel", rut_max(reach + sag, LEAST_BUMP), axle->length.place);
}

// The tyre's damping is used up to the critical damping of the wheel on it, which MAVS takes
// whatever the file says.
static void make_tyre(Maker* m, rutNode node, const rutMavsAxle* axle) {
  const double critical = 2 * rut_sqrt(axle->tyre.value * axle->wheel_mass.value);
  const rutNode tyre = add(m, node, "tyre", "linear", "", axle->tyre.place);
  double damping = axle->tyre_damping.given ? axle->tyre_damping.value : critical;
  if (damping > critical) {
    rut_report_warning(m->reporter, axle->tyre_damping.place, "Tire",
                       "a 'Damping Constant' of %g N s/m is %.3g times critical: %.4g N s/m is "
                       "taken",
                       damping, damping / critical, critical);
    damping = critical;
  }
  take(m, tyre, "stiffness", &axle->tyre);
  set(m, tyre, "damping", damping, axle->tyre_damping.place);
  take(m, tyre, "bottoming_deflection", &axle->section);
  set(m, tyre, "crossover", axle->crossover.value * DEGREE, axle->crossover.place);
  // MAVS's code takes it times 10 m r^2; its description is what is done here
  take(m, tyre, "bearing", &axle->friction);
}

static void make_axle(Maker* m, int i) {
  const rutMavsVehicle* v = m->in;
  const Stance* s = &m->stance;
  const rutMavsAxle* axle = s->axle[i];
  const rutNode node = add(m, m->vehicle, "axle", "", "", axle->place);
  const bool steers = axle->steered && !v->skid_steered;
  take(m, node, "x", &axle->x);
  // with this the chassis is level at rest, whatever its tyres give
  set(m, node, "z", axle->radius.value - s->squash[i] + s->mean_squash, axle->radius.place);
  take(m, node, "track", &axle->track);
  take(m, node, "radius", &axle->radius);
  take(m, node, "width", &axle->width);
  take(m, node, "section_height", &axle->section);
  take(m, node, "wheel_mass", &axle->wheel_mass);
  if (steers) set(m, node, "max_steer", axle->steer.value * DEGREE, axle->steer.place);
  set(m, node, "driven", axle->powered, axle->place);
  take(m, node, "brake", &v->brake);
  if (steers && !axle->steer.given) {
    rut_report_warning(m->reporter, axle->place, "Axles",
                       "'Max Steer Angle' is missing: %g degrees are taken, as MAVS does",
                       axle->steer.value);
  }
  make_suspension(m, node, axle, s->load[i]);
  make_tyre(m, node, axle);
}

// ---- drive and controller ----

// Greatest speed of the engine [rad/s], by itself or by the governor on the vehicle's speed.
static double governed_speed(const Maker* m) {
  const rutMavsVehicle* v = m->in;
  double radius = m->stance.axle[0]->radius.value;
  for (int i = m->stance.axles - 1; i >= 0; i--) {
    if (m->stance.axle[i]->powered) radius = m->stance.axle[i]->radius.value;
  }
  const double most = RPM * v->rpm.value;
  if (!v->governor.given) return most;
  return rut_min(most, v->governor.value / radius * GEAR * v->ratio.value);
}

static void make_engine(Maker* m) {
  const rutMavsVehicle* v = m->in;
  const double most = RPM * v->rpm.value, governed = rut_max(governed_speed(m), 1);
  const rutNode drive = add(m, m->vehicle, "drive", "engine", "", v->powertrain);
  take(m, drive, "final_drive", &v->ratio);
  set_list(m, drive, "gears", 1, &GEAR, v->ratio.place);
  take(m, drive, "max_torque", &v->torque);
  set(m, drive, "max_speed", governed, v->governor.given ? v->governor.place : v->rpm.place);
  set(m, drive, "governor_band", GOVERNOR_BAND * governed, v->rpm.place);
  set(m, drive, "idle_speed", rut_min(RPM * v->idle.value, 0.99 * governed), v->idle.place);
  if (governed < most) {
    const double speed[2] = {0, most}, torque[2] = {v->torque.value, 0};
    set_list(m, drive, "curve_speed", 2, speed, v->rpm.place);
    set_list(m, drive, "curve_torque", 2, torque, v->torque.place);
  }
}

// MAVS's torque line, T (1 - w/w0) on each wheel, is that of an ideal direct current motor.
static void make_motors(Maker* m) {
  const rutMavsVehicle* v = m->in;
  const double most = RPM * v->rpm.value, governed = governed_speed(m);
  const rutNode drive = add(m, m->vehicle, "drive", "dc_motor", "", v->powertrain);
  set_text(m, drive, "command", "side", v->powertrain);
  set(m, drive, "gear", GEAR * v->ratio.value, v->ratio.place);
  set(m, drive, "torque_constant", 1, v->torque.place);
  set(m, drive, "max_current", v->torque.value, v->torque.place);
  set(m, drive, "battery_voltage", governed, v->rpm.place);
  // the full line, or full torque up to the last tenth below the governor's speed
  const double resistance = (governed < most ? 0.1 * governed : most) / v->torque.value;
  set(m, drive, "resistance", resistance, v->torque.place);
  set(m, drive, "battery_current", 1e6, v->powertrain);
  set(m, drive, "rotor_inertia", 0, v->powertrain);
  set(m, drive, "coulomb_friction", 1e-9, v->powertrain);
  set(m, drive, "static_friction", 1e-9, v->powertrain);
}

// Speed and steering angle, within what engine and brakes can do.
static void make_steered_controller(Maker* m, double torque) {
  static const double RATE = 2;  // of the speed loop [1/s]
  const rutMavsVehicle* v = m->in;
  const Stance* s = &m->stance;
  const rutPlace place = v->powertrain;
  double brake_force = 0;
  for (int i = 0; i < s->axles; i++) brake_force += 2 * v->brake.value / s->axle[i]->radius.value;
  const rutNode controller = add(m, m->vehicle, "controller", "p_gravity", "", place);
  set(m, controller, "speed_gain", RATE, place);
  set(m, controller, "max_force", torque / s->axle[0]->radius.value, place);
  set(m, controller, "brake_force", brake_force, v->brake.place);
  set(m, controller, "drive_brakes", 0, place);
}

// Speed and yaw rate by the speeds of the wheels on both sides, which the motors also brake.
static void make_skid_controller(Maker* m, double wheel_torque) {
  static const double RATE = 8;  // of the speed loops [1/s]
  const Stance* s = &m->stance;
  const rutPlace place = m->in->powertrain;
  const double gain = RATE * s->mass * s->axle[0]->radius.value / s->driven;
  const rutNode controller = add(m, m->vehicle, "controller", "twist_pid", "", place);
  set(m, controller, "proportional_gain", gain, place);
  set(m, controller, "integral_gain", 0.5 * RATE * gain, place);
  set(m, controller, "max_torque", wheel_torque, place);
  set(m, controller, "anti_windup", 1, place);
}

static void make_drive(Maker* m) {
  const rutMavsVehicle* v = m->in;
  const Stance* s = &m->stance;
  if (s->driven == 0) return;
  bool steers = false;
  for (int i = 0; i < s->axles; i++) steers = steers || s->axle[i]->steered;
  const double wheel_torque = GEAR * v->ratio.value * v->torque.value;
  if (v->skid_steered || !steers) {
    make_motors(m);
    make_skid_controller(m, wheel_torque);
    rut_report_note(
        m->reporter, v->powertrain, "Powertrain",
        "each of the %d driven wheels has a motor of this torque, behind the gear ratio of "
        "%g that MAVS has before the final drive",
        s->driven, GEAR);
    return;
  }
  make_engine(m);
  make_steered_controller(m, wheel_torque);
  rut_report_note(
      m->reporter, v->powertrain, "Powertrain",
      "the %d driven wheels share the engine's torque, where MAVS gives all of it to each "
      "of them, behind the gear ratio of %g that MAVS has before the final drive",
      s->driven, GEAR);
}

// ---- the rest ----

// MAVS's meshes stand in data/scenes/meshes, its vehicles in data/vehicles/rp3d_vehicles.
static void make_visual(Maker* m) {
  const rutMavsMesh* mesh = &m->in->mesh;
  if (!mesh->file || !mesh->file[0]) return;
  char name[600];
  snprintf(name, sizeof name, "%s%.500s", mesh->file[0] == '/' ? "" : "../../scenes/meshes/",
           mesh->file);
  const rutNode visual = add(m, m->vehicle, "visual", "", "", mesh->place);
  set_text(m, visual, "model", name, mesh->place);
  set(m, visual, "scale", mesh->scale[0], mesh->place);
  if (mesh->scale[1] != mesh->scale[0] || mesh->scale[2] != mesh->scale[0]) {
    rut_report_warning(m->reporter, mesh->place, "Mesh",
                       "meshes are scaled equally in all directions: this one by %g",
                       mesh->scale[0]);
  }
  // of the centre of mass
  const double offset[3] = {mesh->offset[0], mesh->offset[1] + m->in->cg_left.value,
                            mesh->offset[2] + m->stance.height};
  set_list(m, visual, "offset", 3, offset, mesh->place);
  const double yaw = (mesh->x_to_y ? 0.5 : 0) - (mesh->y_to_x ? 0.5 : 0);
  if (yaw != 0) set(m, visual, "yaw", yaw * RUT_PI, mesh->place);
  if (mesh->y_to_z) set(m, visual, "roll", 0.5 * RUT_PI, mesh->place);
}

// MAVS puts a vehicle on the ground wherever its file says it is.
static void set_pose(Maker* m) {
  const rutMavsVehicle* v = m->in;
  const double *q = v->orientation, *p = v->position;
  const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (rut_abs(norm - 1) > 1e-3) {
    rut_report_error(m->reporter, RUT_ERR_MODEL, v->pose, "Initial Pose", "",
                     "'Orientation' must be a quaternion w x y z of length 1");
    return;
  }
  const double yaw = rut_atan2(2 * (q[0] * q[3] + q[1] * q[2]),
                               q[0] * q[0] + q[1] * q[1] - q[2] * q[2] - q[3] * q[3]);
  if (p[0] != 0 || p[1] != 0) set_list(m, m->vehicle, "position", 2, p, v->pose);
  if (yaw != 0) set(m, m->vehicle, "yaw", yaw, v->pose);
  if (p[2] == 0 && rut_abs(q[1]) < 1e-6 && rut_abs(q[2]) < 1e-6) return;
  rut_report_warning(m->reporter, v->pose, "Initial Pose",
                     "rut does not use height, roll and pitch: the vehicle stands on the ground");
}

static void make_vehicle(Maker* m, rutNode world, const char* name) {
  const rutMavsVehicle* v = m->in;
  m->vehicle = add(m, world, "vehicle", "", name, v->place);
  if (rut_node_is_null(m->vehicle)) return;
  set_pose(m);
  set(m, m->vehicle, "steer_rate", STEER_RATE, v->place);
  if (v->discs > 0) set(m, m->vehicle, "width_slices", v->discs, v->discs_place);
  make_chassis(m);
  for (int i = 0; i < m->stance.axles; i++) make_axle(m, i);
  make_drive(m);
  make_visual(m);
}

rutStatus rut_mavs_add_vehicle(rutContext* context, const char* text, size_t size, const char* file,
                               const rutVehiclePlace* to, rutNode* out) {
  rutReporter* reporter = rut_context_reporter(context);
  const int before = reporter->errors;
  rutJson* json;
  const rutStatus status = rut_json_parse(text, size, file, reporter, &json);
  if (status != RUT_OK) return status;
  rutMavsVehicle* vehicle = malloc(sizeof *vehicle);
  if (!vehicle) {
    rut_json_destroy(json);
    const rutPlace place = {file, 0, 0};
    return rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
  }
  rut_mavs_read(rut_json_root(json), file, reporter, vehicle);
  Maker maker = {.in = vehicle, .spec = to->spec, .reporter = reporter};
  char name[64];
  rut_element_name_of_file(file, name);
  const double gravity = rut_node_number(to->spec, rut_spec_root(to->spec), "gravity");
  if (reporter->errors == before && find_stance(&maker, gravity)) {
    make_vehicle(&maker, to->world, to->name ? to->name : name);
  }
  if (out) *out = maker.vehicle;
  free(vehicle);
  rut_json_destroy(json);
  return reporter->errors == before ? RUT_OK : reporter->first.status;
}

// ---- the format ----

// A world with this vehicle alone, on level ground, at MAVS's step.
static rutStatus mavs_read(rutContext* context, const char* text, size_t size, const char* name,
                           rutSpec* spec, rutError* err) {
  static const double STEP = 1e-3;
  const rutNode world = rut_spec_root(spec);
  const rutPlace start = {name, 1, 1};
  rut_node_place(spec, world, NULL, start);
  rutStatus status = rut_node_set_number(spec, world, "timestep", STEP, err);
  if (status != RUT_OK) return status;
  const rutVehiclePlace to = {.spec = spec, .world = world};
  status = rut_mavs_add_vehicle(context, text, size, name, &to, NULL);
  if (status != RUT_OK && err) *err = rut_context_reporter(context)->first;
  return status;
}

const rutFormatType rut_format_mavs = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutFormatType),
             .kind = "format",
             .name = "mavs",
             .parents = "",
             .doc = "Vehicle files of MAVS (JSON): a world with this vehicle on level ground."},
    .recognise = rut_mavs_recognise,
    .read = mavs_read};
