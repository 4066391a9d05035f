// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers that are allowed, but that hardly anyone means: a radius of 250 m, an angle of 90 rad, a
// step that is too long for the springs. Each is a warning; what cannot be simulated is an error.
#include "sim/compile/plausible.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "math/rut_math.h"
#include "sim/compile/axles.h"
#include "sim/compile/inflation.h"
#include "sim/spec/material_read.h"
#include "sim/spec/repeat.h"
#include "sim/spec/variables.h"

// ---------------------------------------------------------------------------------------------
// Single fields

// What a field is between in all vehicles and worlds that we know, with room to spare.
typedef struct Rule {
  const char *kind, *field;
  double least, most;  // [SI]
  const char* usual;
} Rule;

static const Rule rules[] = {
    {"world", "timestep", 1e-6, 0.05, "steps are mostly 1 to 10 ms"},
    {"world", "gravity", 0, 30, "it is 9.81 m/s2 on Earth, 1.62 on the Moon"},
    {"chassis", "mass", 1e-3, 1e6, "vehicles weigh grams to hundreds of tonnes"},
    {"chassis", "z_max", -10, 20, "it is a height above the vehicle's reference point"},
    {"wheel", "mass", 0, 1e4, "wheels weigh grams to tonnes"},
    {"wheel", "radius", 0.002, 3, "wheels are millimetres to metres high"},
    {"wheel", "width", 0, 3, "wheels are millimetres to metres wide"},
    {"axle", "radius", 0.01, 3, "wheels are centimetres to metres high"},
    {"axle", "width", 0, 3, "wheels are centimetres to metres wide"},
    {"axle", "track", 0, 15, "tracks are centimetres to metres wide"},
    {"axle", "wheel_mass", 0, 1e4, "wheels weigh grams to tonnes"},
    {"tyre", "friction", 0, 3, "rubber on a dry road has about 1"},
    {"region", "friction", 0, 3, "rubber on a dry road has about 1"},
    {"block", "mass", 0, 1e7, "even a house weighs hundreds of tonnes"},
    {"sensor", "max_range", 0.01, 1e5, "lasers see metres to kilometres"},
    {"vehicle", "velocity", -200, 200, "vehicles start with some m/s"},
    {"vehicle", "yaw_rate", -50, 50, "vehicles turn by some rad/s"},
};
enum { MAX_TOLD = 5 };  // largest number of warnings of one rule

// Angles without limits: those of rotation over time, or of assembly.
static bool may_turn(const char* kind) {
  return strcmp(kind, "keyframe") == 0 || strcmp(kind, "body") == 0 || strcmp(kind, "terrain") == 0;
}

typedef struct Looking {
  rutDraft* draft;
  const void* clean[256];  // what was given to nodes about which there is nothing to tell
  int told[RUT_COUNT_OF(rules)], angles, colours;
} Looking;

// "; did you mean 250 mm?", where that would be plausible.
static void guess(const Rule* rule, const char* unit, double value, char text[48]) {
  static const struct { const char *unit, *small; } smaller[] = {{"m", "mm"}, {"s", "ms"}};
  text[0] = '\0';
  for (int i = 0; i < RUT_COUNT_OF(smaller); i++) {
    if (strcmp(unit, smaller[i].unit) != 0) continue;
    const double thousandth = 1e-3 * value;
    if (thousandth < rule->least || thousandth > rule->most) continue;
    snprintf(text, 48, "; did you mean %g %s?", value, smaller[i].small);
  }
}

static void look_at_value(Looking* look, rutNode node, const rutField* field, double value) {
  const rutSpec* spec = look->draft->spec;
  const char* kind = rut_node_kind(spec, node);
  const double turn = 2 * RUT_PI + 1e-9;
  if (strcmp(field->unit, "rad") == 0 && rut_abs(value) > turn && !may_turn(kind) &&
      look->angles++ < MAX_TOLD) {
    rut_node_warning(spec, node, field->name,
                     "'%s' is %g rad, more than a whole turn; did you mean %g deg?", field->name,
                     value, value);
  }
  for (int i = 0; i < RUT_COUNT_OF(rules); i++) {
    const Rule* rule = &rules[i];
    if (strcmp(kind, rule->kind) != 0 || strcmp(field->name, rule->field) != 0) continue;
    // 0 mostly asks for a default
    if (value == 0 || (value >= rule->least && value <= rule->most)) continue;
    if (look->told[i]++ >= MAX_TOLD) continue;
    char meant[48];
    guess(rule, field->unit, value, meant);
    rut_node_warning(spec, node, field->name, "'%s' is %g %s: %s%s", field->name, value,
                     field->unit, rule->usual, meant);
  }
}

// Cameras know numbers only, pages words too.
static void look_at_colour(Looking* look, rutNode node, const rutField* field) {
  const rutSpec* spec = look->draft->spec;
  const char* kind = rut_node_kind(spec, node);
  if (strcmp(kind, "marker") == 0 || strcmp(kind, "ground_grid") == 0) return;  // only on pages
  const char* text = rut_node_text(spec, node, field->name);
  double colour[3];
  if (!text[0] || rut_linear_colour(text, colour) || look->colours++ >= MAX_TOLD) return;
  rut_node_warning(spec, node, field->name,
                   "'%s' is '%.60s', and cameras do not see it: write #rrggbb, as \"#c03020\"",
                   field->name, text);
}

// Nodes that share what was given to them are looked at once.
static void look_at_given(Looking* look, rutNode node) {
  const rutSpec* spec = look->draft->spec;
  const void* shared = rut_node_given(spec, node);
  const void** clean = &look->clean[((uintptr_t)shared >> 4) % RUT_COUNT_OF(look->clean)];
  if (!shared || *clean == shared) return;
  const int warnings = look->draft->reporter->warnings;
  const rutComponent* type = rut_node_component(spec, node);
  const rutSpecNode* given = rut_spec_node(spec, node);
  for (int i = 0; i < type->fields; i++) {
    const rutField* field = &type->field[i];
    if (!rut_spec_value(given, i)) continue;
    if (field->type == RUT_REAL) {
      look_at_value(look, node, field, rut_node_number(spec, node, field->name));
    } else if (field->type == RUT_VECTOR && !(field->flags & RUT_FIELD_MIXED)) {
      int n = 0;
      const double* number = rut_node_numbers(spec, node, field->name, &n);
      for (int k = 0; k < n; k++) look_at_value(look, node, field, number[k]);
    } else if (field->type == RUT_TEXT && strcmp(field->name, "color") == 0) {
      look_at_colour(look, node, field);
    }
  }
  if (look->draft->reporter->warnings == warnings) *clean = shared;
}

static void look_at_node(Looking* look, rutNode node) {
  const rutSpec* spec = look->draft->spec;
  look_at_given(look, node);
  for (rutNode child = rut_node_first(spec, node, NULL); !rut_node_is_null(child);
       child = rut_node_next(spec, child, NULL)) {
    look_at_node(look, child);
  }
}

// ---------------------------------------------------------------------------------------------
// A vehicle as a whole

// A fault of many vehicles is reported a few times only.
enum { NO_CONTROLLER, NO_TYRE, RADIUS, LOAD, STEP, TURN, SAMPLES, DOUBT, NO_PLACE, STEERING };
static bool tell(rutDraft* draft, int which) { return draft->hardly_meant[which]++ < MAX_TOLD; }

static void look_at_drive(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  int n = 0;
  const double* velocity = rut_node_numbers(draft->spec, node, "velocity", &n);
  bool coasts = false;
  for (int i = 0; i < n; i++) coasts = coasts || velocity[i] != 0;
  if (c->drive.type && !c->controller.type && !coasts && tell(draft, NO_CONTROLLER)) {
    rut_node_warning(draft->spec, node, NULL,
                     "has a drive but no <controller>: nothing will drive it");
  }
  if (!c->spatial.axles && c->wheels > 0 && !c->tyre.type && tell(draft, NO_TYRE)) {
    rut_node_warning(draft->spec, node, NULL,
                     "has wheels but no <tyre>: they slide without friction");
  }
}

// A tyre that was measured has a radius of its own, and its law is that of this radius.
static void look_at_radius(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  static const double TOLERANCE = 0.05;
  const rutDraftSpatial* s = &c->spatial;
  for (int w = 0; w < c->wheels; w++) {
    const rutDraftComponent* tyre = rut_tyre_of(s, w);
    double measured = 0;
    for (int i = 0; i < tyre->type->fields; i++) {
      if (strcmp(tyre->type->field[i].name, "unloaded_radius") == 0) measured = tyre->param[i];
    }
    if (!(measured > 0) || rut_abs(c->radius[w] / measured - 1) <= TOLERANCE) continue;
    if (!tell(draft, RADIUS)) return;
    rut_node_warning(
        draft->spec, node, NULL,
        "its tyre was measured with a radius of %g m, and its axle has %g m: forces are "
        "those of the tyre, levers those of the axle",
        measured, c->radius[w]);
    return;
  }
}

// What the weight does to the tyres. Beyond the section height the rim stands on the ground; beyond
// the radius the hub would start below it, and be thrown out.
static void look_at_load(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  const rutDraftSpatial* s = &c->spatial;
  if (draft->gravity == 0) return;
  for (int w = 0; w < c->wheels; w++) {
    const double pressed = s->wheel.deflection[w];
    if (s->massless[w] || !(pressed > s->wheel.section[w])) continue;
    const double load = c->share[w] * draft->gravity;
    if (pressed >= c->radius[w]) {
      rut_node_error(
          draft->spec, node, NULL, RUT_ERR_MODEL, "stiffer tyres, more of them, or less mass",
          "its tyres cannot carry it: %.3g N on a wheel press a tyre of %g m radius in by "
          "%.3g m",
          load, c->radius[w], pressed);
    } else if (tell(draft, LOAD)) {
      rut_node_warning(
          draft->spec, node, NULL,
          "its tyres hardly carry it: %.3g N on a wheel press a tyre in by %.3g m, more "
          "than its section height of %g m",
          load, pressed, s->wheel.section[w]);
    }
    return;
  }
}

// A linearly implicit step takes an oscillation of angular frequency w down by 1/sqrt(1 + (w h)^2):
// from w h = 1 on it loses half its energy in every step, and wheels no longer follow the ground.
// The fastest is that of a wheel between spring and tyre, or, of a vehicle on wheels without mass,
// that of the chassis on its springs.
static void look_at_step(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  const rutDraftSpatial* s = &c->spatial;
  double fastest = 0, springs = 0;
  // Runge-Kutta has a limit of its own, and kinematic vehicles stand on their springs at once
  const rutControllerType* driver = (const rutControllerType*)c->controller.type;
  if (draft->rk4 || (driver && driver->imposes_twist)) return;
  for (int w = 0; w < c->wheels; w++) {
    double spring = 0, tyre = 0;
    const double mass = rut_draft_unsprung(c, w, &spring, &tyre);
    if (s->massless[w]) {
      springs += spring;
    } else if (mass > 0) {
      fastest = rut_max(fastest, rut_sqrt((spring + tyre) / mass));
    }
  }
  fastest = rut_max(fastest, rut_sqrt(springs / rut_max(s->chassis_mass, 1e-9)));
  if (!(fastest * draft->dt > 1) || !tell(draft, STEP)) return;
  rut_node_warning(
      draft->spec, node, NULL,
      "it oscillates on its springs and tyres at %.3g Hz, which a step of %g ms does not "
      "resolve: take at most %.2g ms, and see the residual of the energy",
      fastest / (2 * RUT_PI), 1e3 * draft->dt, 1e3 / fastest);
}

// A rigid linkage that is asked to jump moves as fast as it may, with the inertia of its wheels.
static void look_at_linkage(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  static const double MOST = 0.02;  // in a step [rad]
  const rutDraftSpatial* s = &c->spatial;
  const bool rigid = s->mechanisms > 0 && s->steer_lock > 0 && !(s->steer_response > 0);
  if (!rigid || !(s->steer_rate * draft->dt > MOST) || !tell(draft, STEERING)) return;
  rut_node_warning(draft->spec, node, NULL,
                   "its rigid steering linkage may move by %.2g rad in a step of %g ms, which does "
                   "not resolve that: give it a steer_rate of at most %.2g rad/s, or a "
                   "steer_response",
                   s->steer_rate * draft->dt, 1e3 * draft->dt, MOST / draft->dt);
}

// ---- planar vehicles that cannot turn ----

// A tyre that its motor spins as fast as it can while it slides slowly across.
static const double SPIN = 100, SLIDE = 0.1;  // [m/s]
static const double PROBE = 1e-3;             // step in which both are beyond any friction [s]
enum { MOST_STATES = 64 };

// Forces along and across that the law gives at once. False if it has too many states to be asked.
static bool ask_tyre(const rutDraft* draft, const rutDraftClass* c, double* along, double* across) {
  enum { N = RUT_MAX_WHEELS };
  const rutTyreType* type = (const rutTyreType*)c->tyre.type;
  double none[N] = {0}, slide[N], speed[N], torque[N], load[N], nan[N], rest[4][N] = {{0}};
  double state[MOST_STATES * N] = {0};
  const rutShapeCounts counts = {c->wheels, 0};
  const int states =
      rut_variables_count(&type->base, c->tyre.param, counts, type->base.states, type->base.state);
  if (states > MOST_STATES) return false;
  for (int w = 0; w < c->wheels; w++) {
    load[w] = c->share[w] * draft->gravity;
    slide[w] = SLIDE;
    speed[w] = SPIN / c->radius[w];
    torque[w] = 1e3 * load[w] * c->radius[w];
    nan[w] = RUT_NAN;
  }
  const rutTyreIn in = {.dt = PROBE,
                        .gravity = draft->gravity,
                        .vx = none,
                        .vy = slide,
                        .gx = none,
                        .gy = none,
                        .speed = speed,
                        .torque = torque,
                        .load = load,
                        .mass = c->share,
                        .radius = c->radius,
                        .inertia = c->inertia,
                        .friction = nan,
                        .rolling = nan,
                        .scrub = none};
  const rutTyreOut out = {along, across, rest[0], rest[1], rest[2], rest[3]};
  double room[RUT_MAX_PARAMS];
  type->force(rut_draft_inflated(&c->tyre, room), c->wheels, &in, states > 0 ? state : NULL, &out);
  for (int w = 0; w < c->wheels; w++) {
    along[w] = rut_abs(along[w]);
    across[w] = rut_abs(across[w]);
  }
  return true;
}

// Most moment that forces of at most Y across hold against while their sum is zero: the least of
// the sum of Y |x - x0| over all x0, which lies at a wheel.
static double holding_moment(const rutDraftClass* c, const double* across) {
  double least = RUT_INFINITY;
  for (int i = 0; i < c->wheels; i++) {
    double sum = 0;
    for (int w = 0; w < c->wheels; w++) sum += across[w] * rut_abs(c->x[w] - c->x[i]);
    least = rut_min(least, sum);
  }
  return least;
}

// Wheels that do not steer are dragged across as the vehicle turns. Friction that acts against the
// slip (a circle) lets a wheel that spins slide across; a law that limits both directions apart
// holds on. The sides turn the vehicle with the sum of X |y| at most, and it starts to turn only
// where that is more than the wheels hold against.
static void look_at_turning(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  double along[RUT_MAX_WHEELS], across[RUT_MAX_WHEELS], turns = 0;
  const rutControllerType* controller = (const rutControllerType*)c->controller.type;
  if (!c->tyre.type || !c->drive.type || !controller || controller->imposes_twist) return;
  bool left = false, right = false;
  for (int w = 0; w < c->wheels; w++) {
    if (c->steered[w] || c->mount_yaw[w] != 0) return;
    left = left || (c->driven[w] && c->y[w] > c->com[1]);
    right = right || (c->driven[w] && c->y[w] < c->com[1]);
  }
  if (!left || !right || !ask_tyre(draft, c, along, across)) return;
  for (int w = 0; w < c->wheels; w++) {
    turns += c->driven[w] ? along[w] * rut_abs(c->y[w] - c->com[1]) : 0;
  }
  const double holds = holding_moment(c, across);
  if (!(turns < holds) || !tell(draft, TURN)) return;
  const rutComponent* tyre = c->tyre.type;
  bool circle = false;
  for (int i = 0; i < tyre->fields; i++) {
    circle = circle || strcmp(tyre->field[i].name, "combined") == 0;
  }
  rut_node_warning(draft->spec, rut_node_first(draft->spec, node, "tyre"), NULL,
                   "the vehicle cannot turn: its wheels do not steer, and hold across with "
                   "%.3g N m even as they spin, against %.3g N m of its sides; right would be %s",
                   holds, turns,
                   circle ? "combined=\"true\", with which wheels that spin slide across"
                          : "a shorter wheelbase or a wider track");
}

// ---- sensors ----

// A sensor gives one sample a step at most.
static void look_at_samples(rutDraft* draft) {
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    const double period = ((const rutSensorHead*)(const void*)s->component.param)->period;
    // a step of which the period is a multiple may be rounded
    if (!(period < draft->dt * (1 - 1e-9)) || !tell(draft, SAMPLES)) continue;
    rut_node_warning(draft->spec, s->node, "period",
                     "samples every %g ms, but steps of %g ms have one each: take a 'timestep' of "
                     "at most %g ms, or a period of at least %g ms",
                     1e3 * period, 1e3 * draft->dt, 1e3 * period, 1e3 * draft->dt);
  }
}

// Positions on earth from a world that is nowhere.
static void look_at_place(rutDraft* draft) {
  if (draft->origin[0] == draft->origin[0]) return;
  for (int i = 0; i < draft->sensor.n; i++) {
    const rutDraftSensor* s = rut_list_at(&draft->sensor, i);
    const rutSensorType* type = (const rutSensorType*)s->component.type;
    if (type->form != RUT_FORM_NAV_SAT_FIX || !tell(draft, NO_PLACE)) continue;
    rut_node_warning(draft->spec, s->node, NULL,
                     "the world has no place on earth, and counts as at 0 N 0 E: give it one, as "
                     "<world latitude=\"48.7 deg\" longitude=\"9.1 deg\" altitude=\"300 m\">");
  }
}

void rut_draft_look_at_fields(rutDraft* draft) {
  Looking look = {.draft = draft};
  look_at_node(&look, rut_spec_root(draft->spec));
  look_at_samples(draft);
  look_at_place(draft);
}

// What a controller doubts about itself.
static void look_at_control(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  const rutControllerType* type = (const rutControllerType*)c->controller.type;
  if (!type || !type->doubts || !c->drive.type) return;
  const rutVehicleLayout layout = {.wheels = c->wheels,
                                   .x = c->x,
                                   .y = c->y,
                                   .radius = c->radius,
                                   .mount_yaw = c->mount_yaw,
                                   .inertia = c->turning,
                                   .steered = c->steered,
                                   .driven = c->driven,
                                   .mass = c->mass,
                                   .gravity = draft->gravity};
  double dead = 0;
  for (int i = 0; i < c->actuators; i++) {
    const rutDraftActuator* a = &c->actuator[i];
    if (a->channel == RUT_ACTUATES_DEMAND) dead = a->param.dead_time;
  }
  rutError doubt;
  if (!type->doubts(c->controller.param, &layout, draft->dt, dead, &doubt)) return;
  if (!tell(draft, DOUBT)) return;
  rut_node_warning(draft->spec, rut_node_first(draft->spec, node, "controller"), NULL, "%s",
                   doubt.message);
}

void rut_draft_look_at_vehicle(rutDraft* draft, rutNode node, const rutDraftClass* c) {
  if (draft->reporter->errors) return;
  look_at_control(draft, node, c);
  look_at_drive(draft, node, c);
  if (!c->spatial.axles) {
    look_at_turning(draft, node, c);
    return;
  }
  look_at_radius(draft, node, c);
  look_at_load(draft, node, c);
  look_at_step(draft, node, c);
  look_at_linkage(draft, node, c);
}
