// SPDX-License-Identifier: BSD-3-Clause
//
// A thousand random vehicles on random ground under random commands: no step fails, no number is
// lost, no wheel pulls on the ground, nothing that can only take energy gives any, the balance
// closes, and a run that is repeated or restored in its middle has the same bits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>
#include <unistd.h>
#include <cmocka.h>

#include "rut/rut.h"

enum { WORLDS = 1000, SANITIZED_WORLDS = 200, LOOK_EVERY = 10, REPEAT_EVERY = 25 };

// ---- random numbers ----

// SplitMix64 (Steele, Lea and Flood 2014).
typedef struct Dice {
  uint64_t state;
} Dice;

static uint64_t roll(Dice* d) {
  uint64_t z = (d->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double between(Dice* d, double low, double high) {
  return low + (high - low) * ((double)(roll(d) >> 11) * 0x1p-53);
}

// Between positive numbers of different size.
static double scaled(Dice* d, double low, double high) {
  return low * pow(high / low, between(d, 0, 1));
}

static int one_of(Dice* d, int n) { return (int)(roll(d) % (uint64_t)n); }
static bool chance(Dice* d, double part) { return between(d, 0, 1) < part; }

#define COUNT(list)   ((int)(sizeof(list) / sizeof *(list)))
#define PICK(d, list) ((list)[one_of(d, COUNT(list))])

// What must hold for the test to make sense; its threads cannot fail a cmocka test.
#define require(condition)                                    \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      abort();                                                \
    }                                                         \
  } while (0)

// ---- text ----

typedef struct Text {
  char* at;
  size_t length, capacity;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text* t, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(t->at + t->length, t->capacity - t->length, format, arguments);
  va_end(arguments);
  require(n >= 0 && t->length + (size_t)n < t->capacity);
  t->length += (size_t)n;
}

// ---- ground ----

static const char* const presets[] = {
    "dry_sand",       "sandy_loam_15",     "sandy_loam_22",      "sandy_loam_michigan",
    "clayey_soil_38", "clayey_soil_55",    "heavy_clay",         "lean_clay",
    "lete_sand",      "upland_sandy_loam", "rubicon_sandy_loam", "north_gower_clayey_loam",
    "grenville_loam", "snow_harrison",     "snow_sweden",        "scm_default",
    "scm_soft",       "scm_hard",          "lunar_nominal",      "lunar_simulant",
    "mars_soft",      "mars_dune"};

// Every other world lies on deformable soil, all presets in turn.
static void add_soil(Text* t, Dice* d, int index, double width) {
  static const char* const surfaces[] = {"dry", "wet", "snow", "ice", "gravel"};
  static const char* const cone[] = {"clay", "sand", "brixius"};
  static const char* const shear[] = {"isotropic", "projected", "separate"};
  static const char* const push[] = {"none", "side", "front", "both"};
  if (index % 2 == 0) {
    add(t, "<soil name='s' type='bekker' preset='%s'", presets[(index / 2) % COUNT(presets)]);
    add(t, " shear='%s'", PICK(d, shear));
    add(t, " bulldozing='%s'", PICK(d, push));
    add(t, " quadrature='%s'/>", chance(d, 0.1) ? "exact" : "fast");
    if (chance(d, 0.6)) add(t, "<deformable cell='%.17g'/>", fmin(0.05, 0.45 * width));
  } else if (chance(d, 0.5)) {
    add(t, "<soil name='s' type='magic_formula' surface='%s'/>", PICK(d, surfaces));
  } else {
    add(t, "<soil name='s' type='%s'", PICK(d, cone));
    add(t, " cone_index='%.17g'/>", scaled(d, 1e5, 3e6));
  }
}

// Returns whether it is smooth over the length of a wheel.
static bool add_terrain(Text* t, Dice* d) {
  static const char* const road[] = {"A", "B", "C", "D", "E"};
  const double ahead = between(d, 3, 8);
  switch (one_of(d, 9)) {
    case 0:
      add(t, "<terrain type='plane' slope_x='%.17g'", between(d, -0.5, 0.5));
      add(t, " slope_y='%.17g'/>", between(d, -0.4, 0.4));
      return true;
    case 1:
      add(t, "<terrain type='sine' amplitude='%.17g'", between(d, 0, 0.2));
      add(t, " wavelength='%.17g'", between(d, 1, 8));
      add(t, " yaw='%.17g'/>", between(d, -1, 1));
      break;
    case 2:
      add(t, "<terrain type='iso8608' class='%s'", PICK(d, road));
      add(t, " wavelength_max='16' seed='%d'/>", one_of(d, 1000));
      break;
    case 3:
      add(t, "<terrain type='fractal' hurst='%.17g'", between(d, 0.5, 0.95));
      add(t, " rms='%.17g'", between(d, 0, 0.2));
      add(t, " wavelength_max='16' seed='%d'/>", one_of(d, 1000));
      break;
    case 4:
      add(t, "<terrain type='step' position='%.17g 0' height='%.17g'/>", ahead,
          between(d, -0.5, 0.3));
      break;
    case 5:
      add(t, "<terrain type='half_round' position='%.17g 0' radius='%.17g' blend='max'/>", ahead,
          between(d, 0.02, 0.3));
      break;
    case 6:
      add(t, "<terrain type='ditch' position='%.17g", ahead);
      add(t, " 0' depth='%.17g'", between(d, 0.1, 1));
      add(t, " bank='%.17g'/>", between(d, 0, 1));
      break;
    default:
      return true;
  }
  return false;
}

// ---- vehicles ----

typedef struct Plan {
  int axles;
  bool mechanism, massless, rk4;
  double mass, radius, width, length, track, load, gravity;
  const char *tyre, *drive;
  bool powertrain;
} Plan;

typedef struct Point {
  const char* name;
  double at[3];
} Point;

// Hardpoints of the HMMWV.
static const Point front_points[] = {{"upper_front", {-0.0075286, 0.4459605, 0.2446223}},
                                     {"upper_rear", {-0.2278278, 0.4777359, 0.1955597}},
                                     {"upper_ball", {-0.0126492, 0.7155180, 0.2154936}},
                                     {"lower_front", {0.2636520, 0.3070860, 0}},
                                     {"lower_rear", {-0.1828800, 0.3070860, 0}},
                                     {"lower_ball", {0.0048260, 0.7865110, -0.1181100}},
                                     {"tie_rod_inner", {-0.2099310, 0.4484370, 0.0542290}},
                                     {"tie_rod_outer", {-0.1354328, 0.8211058, -0.0163322}},
                                     {"spring_top", {0.1443990, 0.5097780, 0.1974850}},
                                     {"spring_foot", {0.1375918, 0.5431790, -0.0466090}},
                                     {"damper_top", {0.1443990, 0.4977892, 0.3231388}},
                                     {"damper_foot", {0.1375918, 0.5431790, -0.0466090}}};
enum { ENDS = 8 };  // index of the first end of a spring
static const Point rear_points[] = {{"upper_front", {0.3135503, 0.4622571, 0.2275942}},
                                    {"upper_rear", {0.0415417, 0.4620489, 0.2237638}},
                                    {"upper_ball", {0, 0.7155180, 0.2159000}},
                                    {"lower_front", {0.1877060, 0.3070860, 0}},
                                    {"lower_rear", {-0.2588260, 0.3070860, 0}},
                                    {"lower_ball", {0, 0.7865110, -0.1181100}},
                                    {"tie_rod_inner", {0.1877060, 0.4160520, 0.0586740}},
                                    {"tie_rod_outer", {0.1347216, 0.8211058, -0.0092710}},
                                    {"spring_top", {-0.1395730, 0.5015738, 0.2564892}},
                                    {"spring_foot", {-0.1327658, 0.5431790, -0.0466090}},
                                    {"damper_top", {-0.1395730, 0.4977892, 0.3231388}},
                                    {"damper_foot", {-0.1327658, 0.5439410, -0.0383794}}};

// Springs that carry the load near the length that they have in the HMMWV at rest.
static void add_wishbones(Text* t, Dice* d, bool steered, double spread, double load) {
  const double pressed = between(d, 0.025, 0.06), rest = steered ? 0.294 : 0.357;
  const Point* points = steered ? front_points : rear_points;
  add(t, "<suspension type='double_wishbone'");
  for (int i = 0; i < COUNT(front_points); i++) {
    add(t, " %s='", points[i].name);
    // the ends of spring and damper stay where the spring carries the load
    const double part = i < ENDS ? 1 : 0.2;
    for (int k = 0; k < 3; k++) {
      add(t, "%.17g ", points[i].at[k] + part * spread * between(d, -1, 1));
    }
    add(t, "'");
  }
  if (steered) {
    add(t, " steering_arm='0.122334 0 -0.040932' steering_axis='-0.317305 0 -0.948324'");
  }
  add(t, " free_length='%.17g'", rest + pressed);
  add(t, " spring_rate='%.17g'", between(d, 1.5, 2) * load / pressed);
  add(t, " rebound_length='%.17g'", rest + between(d, 0, 0.02));
  add(t, " compression_damping='%.17g'", scaled(d, 3e3, 2e4));
  add(t, " rebound_damping='%.17g'", scaled(d, 6e3, 5e4));
  add(t, " camber='%.17g'", between(d, -0.05, 0.05));
  add(t, " toe='%.17g'", between(d, -0.02, 0.02));
  if (chance(d, 0.5)) {
    add(t, " zone_short='0.32' zone_long='0.42' zone_compression_damping='%.17g'",
        scaled(d, 5e3, 2e4));
    add(t, " zone_rebound_damping='%.17g'", scaled(d, 2e4, 7e4));
  }
  add(t, "/>");
}

static void add_slides(Text* t, Dice* d, const Plan* p) {
  const double sag = between(d, 0.04, 0.25) * p->radius / 0.5, rate = p->load / sag;
  const double critical = 2 * sqrt(rate * p->load / 9.81);
  if (p->massless) {
    add(t, "<suspension type='massless' stiffness='%.17g' damping='%.17g' travel='%.17g'/>", rate,
        critical * between(d, 0.1, 0.8), 2.5 * sag);
    return;
  }
  add(t, "<suspension type='slider' stiffness='%.17g'", rate);
  add(t, " damping='%.17g'", critical * between(d, 0.1, 0.8));
  add(t, " rebound_damping='%.17g'", critical * between(d, 0.1, 1));
  add(t, " bump_travel='%.17g'", between(d, 0.5, 1) * sag);
  add(t, " rebound_travel='%.17g'/>", between(d, 0.5, 1) * sag);
}

static void add_tyre(Text* t, Dice* d, const Plan* p) {
  if (strcmp(p->tyre, "linear") != 0) {
    add(t, "<tyre type='%s'/>", p->tyre);
    return;
  }
  const double rate = p->load / (between(d, 0.01, 0.1) * p->radius);
  add(t, "<tyre type='linear' stiffness='%.17g'", rate);
  add(t, " damping='%.17g'", between(d, 0, 0.01) * rate);
  add(t, " bearing='%.17g'", chance(d, 0.5) ? 0.0 : 0.05 * p->load * p->radius / 100);
  add(t, " relaxation_length='%.17g'/>", between(d, 0.1, 1) * p->radius);
}

static void add_axles(Text* t, Dice* d, const Plan* p) {
  const double spread = p->mechanism ? between(d, 0, 0.015) : 0;
  const double wheel = p->mechanism ? between(d, 40, 90) : p->mass * between(d, 0.01, 0.04);
  const bool all_steer = p->axles == 2 && chance(d, 0.1);
  for (int i = 0; i < p->axles; i++) {
    const double x = p->length * (0.5 - (double)i / (p->axles - 1));
    const bool steered = i == 0 || all_steer;
    add(t, "<axle x='%.17g'", x);
    add(t, " track='%.17g'", p->track);
    add(t, " radius='%.17g'", p->radius);
    add(t, " width='%.17g'", p->width);
    add(t, " wheel_mass='%.17g'", wheel);
    add(t, " brake='%.17g'", between(d, 0.5, 2) * p->load * p->radius);
    add(t, " driven='%s'", i > 0 || chance(d, 0.7) ? "true" : "false");
    if (p->mechanism) add(t, " z='-0.026'");
    if (steered) add(t, " max_steer='%.17g'", between(d, 0.3, 0.6));
    if (!p->mechanism && chance(d, 0.3)) {
      add(t, " anti_roll='%.17g'", p->load * between(d, 1, 10));
    }
    add(t, ">");
    if (p->mechanism) {
      add_wishbones(t, d, steered, spread, p->load);
    } else {
      add_slides(t, d, p);
    }
    add(t, "</axle>");
  }
}

// Torque that spins the wheels on grippy ground, or half of it.
static void add_drive(Text* t, Dice* d, const Plan* p) {
  static const char* const driven[] = {"front", "rear", "all"};
  static const char* const couplings[] = {"converter", "clutch", "rigid"};
  static const char* const differentials[] = {"open", "torque_biasing", "locked"};
  const double most = between(d, 0.2, 1) * 2 * p->axles * p->load * p->radius;
  if (p->powertrain) {
    add(t, "<drive type='powertrain' coupling='%s'", PICK(d, couplings));
    add(t, " lockup='%s'", chance(d, 0.5) ? "on" : "off");
    add(t, " idle_speed='%d'", chance(d, 0.5) ? 73 : 0);
    add(t, " centre_differential='%s'", PICK(d, differentials));
    add(t, " front_differential='%s'", PICK(d, differentials));
    add(t, " rear_differential='%s'", PICK(d, differentials));
    add(t, " driven='%s'/>", PICK(d, driven));
  } else if (strcmp(p->drive, "engine") == 0) {
    add(t,
        "<drive type='engine' max_torque='%.17g' final_drive='4' gears='3 2 1' drag='%.17g' "
        "shaft_inertia='%.17g'/>",
        most / 12, most / 200, between(d, 0, 0.02) * p->load * p->radius * p->radius);
  } else if (strcmp(p->drive, "dc_motor") == 0) {
    add(t,
        "<drive type='dc_motor' gear='20' torque_constant='%.17g' resistance='0.02' "
        "battery_voltage='300' max_current='400' battery_current='1000'/>",
        most / (2 * p->axles * 20 * 400));
  } else {
    add(t, "<drive type='%s' driven='%s'/>", p->drive, PICK(d, driven));
  }
  add(t, "<controller type='throttle' max_torque='%.17g'/>", most);
}

// sinks: on deformable soil.
static Plan plan_of(Dice* d, bool sinks) {
  static const char* const tyres[] = {"linear", "fiala", "tmeasy", "pac2002"};
  static const char* const drives[] = {"direct", "open",   "torsen",  "torque_biasing",
                                       "locked", "engine", "dc_motor"};
  Plan p = {.axles = 2 + one_of(d, 3)};
  p.mechanism = chance(d, 0.4);
  p.massless = !p.mechanism && chance(d, 0.25) && !sinks;
  p.tyre = PICK(d, tyres);
  p.powertrain = chance(d, 0.3);
  p.drive = PICK(d, drives);
  // tyres and engines with numbers of their own belong to trucks
  const bool truck = p.mechanism || p.powertrain || strcmp(p.tyre, "linear") != 0;
  p.mass = truck ? between(d, 700, 1300) * p.axles : scaled(d, 20, 8000);
  p.radius = truck ? between(d, 0.42, 0.52) : 0.5 * cbrt(p.mass / 2000) * between(d, 0.7, 1.2);
  p.width = p.radius * between(d, 0.3, 0.8);
  p.length = p.radius * between(d, 5, 8) * (p.axles - 1) / 1.5;
  p.track = p.mechanism ? 1.819402 : p.radius * between(d, 3, 4.5);
  p.load = p.mass * 9.81 / (2 * p.axles);
  p.rk4 = chance(d, 0.05);
  return p;
}

enum { ROOF, DROP, FAST, WEIGHTLESS, LOCKED_WHEELS, SITUATIONS = 20 };

static void add_chassis(Text* t, Dice* d, const Plan* p) {
  const double half = 0.55 * p->length + 0.4 * p->radius, side = 0.45 * p->track;
  // frames of mechanisms lie at their lower arms
  const double floor = p->mechanism ? 0 : p->radius * between(d, 0.8, 1.4);
  const double top = floor + p->radius * between(d, 1, 2.5);
  const double height = floor + between(d, 0.2, 0.5) * (top - floor);
  add(t, "<chassis mass='%.17g'", p->mass);
  add(t, " com='%.17g", between(d, -0.05, 0.05) * p->length);
  add(t, " %.17g", between(d, -0.03, 0.03) * p->track);
  add(t, " %.17g'", height);
  add(t, " drag_area='%.17g'", chance(d, 0.5) ? 4 * p->radius * p->radius : 0.0);
  add(t, " z_min='%.17g'", floor);
  add(t, " z_max='%.17g'", top);
  add(t, " outline='%.17g", half);
  add(t, " %.17g", side);
  add(t, ", %.17g", half);
  add(t, " %.17g", -side);
  add(t, ", %.17g", -half);
  add(t, " %.17g", -side);
  add(t, ", %.17g", -half);
  add(t, " %.17g'/>", side);
}

// World number `index`. rk4: with that integrator if the plan has it.
static void write_world(Text* t, int index, bool rk4) {
  Dice d = {.state = 0x1234567u + (uint64_t)index};
  const int situation = one_of(&d, SITUATIONS);
  const Plan p = plan_of(&d, index % 2 == 0);
  const double step = p.rk4 && rk4 ? 0.25e-3 : scaled(&d, 1e-3, 2e-3);
  t->length = 0;
  add(t, "<world timestep='%.17g' integrator='%s' gravity='%g'>", step,
      p.rk4 && rk4 ? "rk4" : "semi_implicit", situation == WEIGHTLESS ? 0 : 9.81);
  add_soil(t, &d, index, p.width);
  const bool smooth = add_terrain(t, &d);
  add(t, "<vehicle name='v' contact='%s'", smooth && chance(&d, 0.5) ? "point" : "arc");
  add(t, " width_slices='%d'", chance(&d, 0.2) ? 3 : 1);
  const double steer_rate = scaled(&d, 0.3, 100);
  add(t, " steer_rate='%.17g'", steer_rate);
  // a rigid linkage is for rates of drivers; faster ones follow
  if (p.mechanism && steer_rate > 3) add(t, " steer_response='100'");
  if (p.mechanism && index % 7 == 0) {
    add(t, " steer_stiffness='%.17g'", exp2(6 + index % 13));
    add(t, " steer_damping='%g' steer_inertia='%g'", (double)(index % 5) * 100, 1.0 + index % 40);
  }
  add(t, " yaw='%.17g'", between(&d, -0.5, 0.5));
  const double speed = situation == FAST ? 40 : between(&d, 0, 15);
  const double lean = situation == ROOF ? 3.14 : between(&d, -0.6, 0.6);
  add(t, " velocity='%.17g 0 0' rolling_start='%s'", chance(&d, 0.3) ? 0 : speed,
      situation == LOCKED_WHEELS ? "false" : "true");
  if (situation == ROOF || situation == DROP) {
    add(t, " on_ground='false' position='0 0 %.17g' roll='%.17g' pitch='%.17g'", 3 + 4 * p.radius,
        lean, between(&d, -0.6, 0.6));
  }
  add(t, ">");
  add_chassis(t, &d, &p);
  add_tyre(t, &d, &p);
  add_axles(t, &d, &p);
  add_drive(t, &d, &p);
  add(t, "</vehicle></world>");
}

// ---- runs ----

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
  int warnings;
  char refusal[600];
} World;

static void note(const rutDiagnostic* finding, void* user) {
  World* w = user;
  w->warnings += finding->level == RUT_WARNING;
}

static void destroy(World* w) {
  if (w->data) rut_data_destroy(w->data);
  if (w->model) rut_model_destroy(w->model);
  rut_context_destroy(w->context);
}

// False if the model is refused.
static bool build(const char* text, World* w) {
  rutError err = {0};
  rutSpec* spec = NULL;
  rutContextDef def = rut_default_context();
  *w = (World){0};
  def.report = note;
  def.user = w;
  require(rut_context_create(&def, &w->context, &err) == RUT_OK);
  if (rut_spec_parse(w->context, text, strlen(text), "random.xml", &spec, &err) != RUT_OK) {
    fprintf(stderr, "%s\n", err.message);
    abort();
  }
  const rutStatus status = rut_compile(spec, &w->model, &err);
  rut_spec_destroy(spec);
  if (status != RUT_OK) {
    snprintf(w->refusal, sizeof w->refusal, "%s", err.message);
    return false;
  }
  w->data = rut_data_create(w->model);
  require(w->data);
  return true;
}

// What is looked at in the course of a run, energies as parts of the throughput.
typedef struct Course {
  const char* failure;  // NULL: none
  double time;          // of it
  double least_load;
  double residual;  // largest
  double given;     // largest that springs, dampers and ground have given since the start
  double dropped;   // largest fall of what they have taken
  double heat;      // largest fall of what can only rise
  double most, throughput;
  double load;  // largest of a wheel
  double only[4];
  double taken;  // at the start
} Course;

static bool is_finite(const World* w) {
  const rutVehicleState s = rut_vehicle_state(w->model, w->data, 0);
  bool good = isfinite(s.roll) && isfinite(s.pitch) && isfinite(s.yaw);
  for (int i = 0; i < 3; i++) {
    good = good && isfinite(s.position[i]) && isfinite(s.velocity[i]) && isfinite(s.rate[i]);
  }
  return good;
}

static void look_at_energy(const World* w, Course* c) {
  rutEnergy e;
  require(rut_vehicle_energy(w->model, w->data, 0, &e));
  const double passed = fmax(e.throughput, 1e-9 * e.kinetic + 1e-9);
  // springs and tyres give what they hold, and no more
  const double taken = e.damper + e.tyre + e.slip + e.rolling + e.hull - e.elastic + c->taken;
  const double only[] = {e.brake, e.bearing, e.air, e.consumed};
  c->throughput = fmax(c->throughput, passed);
  c->residual = fmax(c->residual, fabs(e.residual));
  c->most = fmax(c->most, taken);
  c->given = fmax(c->given, -taken);
  c->dropped = fmax(c->dropped, c->most - taken);
  for (int i = 0; i < COUNT(only); i++) {
    c->heat = fmax(c->heat, c->only[i] - only[i]);
    c->only[i] = only[i];
  }
}

static void look(const World* w, Course* c) {
  const int wheels = rut_count(w->model, RUT_WHEEL);
  for (int i = 0; i < wheels; i++) {
    const rutWheelState s = rut_wheel_state(w->model, w->data, i);
    c->least_load = fmin(c->least_load, s.load);
    c->load = fmax(c->load, s.load);
    if (!isfinite(s.load) || !isfinite(s.speed) || !isfinite(s.travel)) c->failure = "wheel";
  }
  if (!is_finite(w)) c->failure = "state";
  look_at_energy(w, c);
}

// Throttle, brake and steering, new every 0.2 s.
static void command(const World* w, int index, int part) {
  Dice d = {.state = 0xabcdefu + 1000003u * (uint64_t)index + (uint64_t)part};
  const double lock = between(&d, -1.5, 1.5);
  const double set[3] = {between(&d, -1, 1), chance(&d, 0.3) ? between(&d, 0, 1) : 0,
                         fmax(-1, fmin(1, lock))};
  require(rut_command(w->model, w->data, 0, 3, set) == RUT_OK);
}

static int steps_of(const World* w, int index) {
  const double seconds = index % 20 ? 0.5 : 1;
  return (int)(seconds / rut_model_timestep(w->model));
}

// Steps from..to of world `index`. Nullable: c.
static void drive(const World* w, int index, int from, int to, Course* c) {
  const int every = (int)(0.2 / rut_model_timestep(w->model));
  rutError err = {0};
  for (int i = from; i < to; i++) {
    if (i % every == 0) command(w, index, i / every);
    const rutStatus status = rut_step(w->model, w->data, &err);
    if (!c && status != RUT_OK) return;
    if (!c) continue;
    if (status != RUT_OK) c->failure = rut_status_text(status);
    if (i % LOOK_EVERY == 0) look(w, c);
    c->time = rut_time(w->data);
    if (c->failure) return;
  }
}

static Course run(const World* w, int index) {
  Course c = {0};
  // tyres are known to be pressed from the first step on
  drive(w, index, 0, 1, &c);
  rutEnergy e;
  require(rut_vehicle_energy(w->model, w->data, 0, &e));
  c = (Course){.taken = e.elastic - e.damper - e.tyre - e.slip - e.rolling - e.hull};
  drive(w, index, 1, steps_of(w, index), &c);
  return c;
}

// The same again, with a save and restore in mid-run.
static bool repeats(const World* w, int index) {
  const int steps = steps_of(w, index);
  const uint64_t once = rut_state_hash(w->model, w->data);
  rut_data_reset(w->model, w->data, 0);
  drive(w, index, 0, steps / 2, NULL);
  const size_t size = rut_state_size(w->model, w->data, RUT_STATE_ALL);
  void* saved = malloc(size);
  require(saved);
  require(rut_state_get(w->model, w->data, RUT_STATE_ALL, saved, size) == RUT_OK);
  drive(w, index, steps / 2, steps, NULL);
  const uint64_t twice = rut_state_hash(w->model, w->data);
  rut_data_reset(w->model, w->data, 0);
  require(rut_state_set(w->model, w->data, RUT_STATE_ALL, saved, size) == RUT_OK);
  drive(w, index, steps / 2, steps, NULL);
  free(saved);
  return once == twice && once == rut_state_hash(w->model, w->data);
}

// ---- the test ----

// Energies that do not add up, as parts of the throughput. What the slip of tyres builds up on the
// way to its peak pushes on when the slip turns round. Massless wheels jump from bump to bump, and
// their springs with them.
// A brake that stops a wheel at the end of a step may have to push for the last joules.
static const double STOPS = 3;
static const double RESIDUAL = 0.05, GIVEN = 0.02, JUMPS = 0.05, PATCH = 1, HEAT = 1e-4;

static const char* fault_of(const Course* c, bool massless) {
  const double given = massless ? JUMPS : GIVEN;
  if (c->failure) return c->failure;
  if (c->least_load < 0) return "a wheel pulls on the ground";
  if (c->residual > RESIDUAL * c->throughput) return "the balance of energy does not close";
  if (c->given > given * c->throughput) return "springs, tyres and ground give energy";
  if (c->dropped > given * c->throughput + PATCH * c->load) return "the ground gives energy back";
  if (c->heat > HEAT * c->throughput + STOPS) return "brakes, bearings, air or fuel give energy";
  return NULL;
}

// Where Runge-Kutta steps would be too long, and said to be, the default integrator takes over.
static bool build_world(Text* text, int index, World* w) {
  write_world(text, index, true);
  if (!build(text->at, w)) return false;
  if (w->warnings == 0 || !strstr(text->at, "'rk4'")) return true;
  destroy(w);
  write_world(text, index, false);
  return build(text->at, w);
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// One of `workers` threads: every so many worlds.
typedef struct Worker {
  pthread_t thread;
  int first, workers, worlds, refused, faults, ran;
  double residual[WORLDS];
} Worker;

// Message about a world; the worlds can be looked at with `rut run`.
static void tell(int index, const char* fault, const Course* c) {
  fprintf(stderr,
          "world %d after %g s: %s (of %g J missing %.2g, given %.2g, given back %.2g, heat lost "
          "%.2g); RUT_RANDOM_WORLD=%d writes it to random.xml\n",
          index, c->time, fault, c->throughput, c->residual / c->throughput,
          c->given / c->throughput, c->dropped / c->throughput, c->heat / c->throughput, index);
}

static void try_world(Worker* k, Text* text, int index) {
  World w;
  if (!build_world(text, index, &w)) {
    k->refused++;
    destroy(&w);
    return;
  }
  const Course c = run(&w, index);
  const char* fault = fault_of(&c, strstr(text->at, "'massless'") != NULL);
  if (!fault && index % REPEAT_EVERY == 0 && !repeats(&w, index)) fault = "a repeated run differs";
  if (fault) tell(index, fault, &c);
  k->faults += fault != NULL;
  k->residual[k->ran++] = c.residual / c.throughput;
  destroy(&w);
}

static void* work(void* data) {
  Worker* k = data;
  enum { CAPACITY = 20000 };
  Text text = {malloc(CAPACITY), 0, CAPACITY};
  require(text.at);
  for (int i = k->first; i < k->worlds; i += k->workers) try_world(k, &text, i);
  free(text.at);
  return NULL;
}

static void write_one(int index) {
  char buffer[20000];
  Text text = {buffer, 0, sizeof buffer};
  World w;
  build_world(&text, index, &w);
  destroy(&w);
  FILE* file = fopen("random.xml", "w");
  require(file);
  fputs(text.at, file);
  fclose(file);
}

static void test_random_vehicles(void** state) {
  enum { MOST = 8 };
  static Worker worker[MOST];
  static double residual[WORLDS];
  const char *sanitize = getenv("RUT_SANITIZE"), *only = getenv("RUT_RANDOM_WORLD");
  const int worlds = sanitize && *sanitize ? SANITIZED_WORLDS : WORLDS;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  const int workers = cores > MOST ? MOST : (cores > 1 ? (int)cores : 1);
  int refused = 0, faults = 0, ran = 0;
  (void)state;
  if (only) write_one(atoi(only));
  for (int i = 0; i < workers; i++) {
    worker[i] = (Worker){.first = i, .workers = workers, .worlds = worlds};
    assert_int_equal(pthread_create(&worker[i].thread, NULL, work, &worker[i]), 0);
  }
  for (int i = 0; i < workers; i++) {
    assert_int_equal(pthread_join(worker[i].thread, NULL), 0);
    refused += worker[i].refused;
    faults += worker[i].faults;
    for (int r = 0; r < worker[i].ran; r++) residual[ran++] = worker[i].residual[r];
  }
  assert_int_equal(faults, 0);
  assert_true(3 * refused < worlds);
  // most balances close far better than the worst may
  qsort(residual, (size_t)ran, sizeof *residual, by_size);
  assert_true(residual[ran / 2] < 1e-3);
  assert_true(residual[ran * 95 / 100] < 0.01);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_vehicles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
