// SPDX-License-Identifier: BSD-3-Clause
#include "crash_world.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "options.h"

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

// ---- a world that grows ----

typedef struct Draft {
  Dice dice;
  cliCrash* crash;
  size_t used;
  bool failed;
} Draft;

__attribute__((format(printf, 2, 3))) static void put(Draft* t, const char* format, ...) {
  va_list arguments;
  const size_t left = CLI_CRASH_TEXT - t->used;
  va_start(arguments, format);
  const int n = vsnprintf(t->crash->text + t->used, left, format, arguments);
  va_end(arguments);
  t->failed = t->failed || n < 0 || (size_t)n >= left;
  if (!t->failed) t->used += (size_t)n;
}

// ---- vehicles ----

#define SLIDER_AXLE(x, steer)                                                     \
  "<axle x='" x                                                                   \
  "' track='1.6' radius='0.47' width='0.3' section_height='0.2' wheel_mass='62' " \
  "max_steer='" steer "'/>"
#define SIX_AXLE(x)   "<axle x='" x "' track='1.1' radius='0.3' width='0.2' wheel_mass='20'/>"
#define ROVER_AXLE(x) "<axle x='" x "' track='0.5' radius='0.13' width='0.08' wheel_mass='2.5'/>"
#define WISHBONE_AXLE(x, steering)                                                            \
  "<axle x='" x                                                                               \
  "' z='-0.026289' track='1.819402' radius='0.47' width='0.318' section_height='0.26' "       \
  "wheel_mass='71.105' wheel_inertia='7.38782' transverse_inertia='4.34457'><suspension "     \
  "type='double_wishbone' " steering                                                          \
  " free_length='0.339' bump_length='0.15' rebound_length='0.30' spring='-0.06 -17818.2  "    \
  "-0.04 -8991.95  -0.02 -3629.92  0 0  0.02 3629.92  0.04 8991.95  0.06 17818.2  0.08 "      \
  "31840.7  0.10 52791.6  0.12 82403  0.14 122407  0.16 174535.7  0.18 240521.2  0.20 "       \
  "322095.5' stop='0 0  0.002 200  0.01 1000  0.02 2500  0.03 4500  0.04 7500  0.05 12500  "  \
  "0.06 125000' compression_damping='12521.6' rebound_damping='22460' zone_short='0.324104' " \
  "zone_long='0.418592' zone_compression_damping='5896.52' zone_rebound_damping='60068.5'/>"  \
  "</axle>"
#define TRUCK_CHASSIS                                                               \
  "<chassis mass='2090' com='0.12 0 0.85' z_min='0.4' z_max='1.7' drag_area='2.6' " \
  "outline='-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9'/>"
#define TRUCK_AXLES SLIDER_AXLE("1.53", "0.5") SLIDER_AXLE("-1.28", "0")
#define HMMWV(tyre)                                                                           \
  "<chassis mass='2091.806' com='0.059266 0.000191 0.212631' inertia='1078.9 2964.6 3579.3' " \
  "outline='2.35 1, 2.35 -1, -2.35 -1, -2.35 1' z_min='-0.12' z_max='1.25' "                  \
  "drag_area='2.45'/><tyre type='" tyre                                                       \
  "'/>" WISHBONE_AXLE("1.648579",                                                             \
                      "steering_arm='0.122334 0 -0.040932' "                                  \
                      "steering_axis='-0.317305 0 -0.948324'") WISHBONE_AXLE("-1.653405", "")

// A vehicle as of worlds/vehicles, without its drive.
typedef struct Kind {
  const char *name, *parts;
  double com[3], low[3], high[3];  // of its chassis
  double bottom, length, width;    // of its tyres below the reference point; of all
} Kind;

static const Kind kinds[] = {
    {"truck",
     TRUCK_CHASSIS "<suspension type='slider' stiffness='80e3' damping='8e3' bump_travel='0.18' "
                   "rebound_travel='0.15'/><tyre type='linear' stiffness='320e3' damping='1e3' "
                   "crossover='0.0873'/>" TRUCK_AXLES,
     {0.12, 0, 0.85},
     {-2.1, -0.9, 0.4},
     {2.3, 0.9, 1.7},
     0,
     4.6,
     1.9},
    {"hmmwv_tmeasy",
     HMMWV("tmeasy"),
     {0.059266, 0.000191, 0.212631},
     {-2.35, -1, -0.12},
     {2.35, 1, 1.25},
     0.5,
     4.7,
     2.2},
    {"hmmwv_fiala",
     HMMWV("fiala"),
     {0.059266, 0.000191, 0.212631},
     {-2.35, -1, -0.12},
     {2.35, 1, 1.25},
     0.5,
     4.7,
     2.2},
    {"hmmwv_pac2002",
     HMMWV("pac2002"),
     {0.059266, 0.000191, 0.212631},
     {-2.35, -1, -0.12},
     {2.35, 1, 1.25},
     0.5,
     4.7,
     2.2},
    {"six_wheeler",
     "<chassis mass='360' com='0 0 0.45' z_min='0.25' z_max='0.8' outline='-1 -0.4, 1 -0.4, 1 "
     "0.4, -1 0.4'/><suspension type='slider' stiffness='20e3' damping='1.5e3' "
     "bump_travel='0.1' rebound_travel='0.1'/><tyre type='linear' stiffness='80e3' "
     "damping='300'/>" SIX_AXLE("0.65") SIX_AXLE("0") SIX_AXLE("-0.65"),
     {0, 0, 0.45},
     {-1, -0.4, 0.25},
     {1, 0.4, 0.8},
     0,
     2,
     1.3},
    {"rigid_wheels",
     TRUCK_CHASSIS
     "<suspension type='slider' stiffness='80e3' damping='8e3' bump_travel='0.18' "
     "rebound_travel='0.15'/><tyre type='linear' stiffness='4e6' damping='4e3'/>" TRUCK_AXLES,
     {0.12, 0, 0.85},
     {-2.1, -0.9, 0.4},
     {2.3, 0.9, 1.7},
     0,
     4.6,
     1.9},
    {"rover",
     "<chassis mass='60' com='0 0 0.25' z_min='0.12' z_max='0.5' outline='-0.32 -0.19, 0.32 "
     "-0.19, 0.32 0.19, -0.32 0.19'/><suspension type='massless' stiffness='20e3' damping='600' "
     "travel='0.08'/><tyre type='linear'/>" ROVER_AXLE("0.25") ROVER_AXLE("-0.25"),
     {0, 0, 0.25},
     {-0.32, -0.19, 0.12},
     {0.32, 0.19, 0.5},
     0,
     0.75,
     0.6},
};

// Where a vehicle begins.
typedef struct Start {
  double x, y, z, roll, pitch, yaw, velocity[3], yaw_rate;
  bool flies;
} Start;

static void put_vehicle(Draft* t, const Kind* kind, const char* name, const Start* s) {
  Dice* d = &t->dice;
  put(t, "<vehicle name='%s' yaw='%.17g' yaw_rate='%.17g'", name, s->yaw, s->yaw_rate);
  put(t, " velocity='%.17g %.17g %.17g'", s->velocity[0], s->velocity[1], s->velocity[2]);
  if (s->flies) {
    put(t, " on_ground='false' position='%.17g %.17g %.17g'", s->x, s->y, s->z);
    put(t, " roll='%.17g' pitch='%.17g'", s->roll, s->pitch);
  } else {
    put(t, " position='%.17g %.17g'", s->x, s->y);
  }
  if (chance(d, 0.3)) put(t, " rolling_start='false'");
  if (chance(d, 0.2)) put(t, " contact='cams'");
  put(t, ">%s<drive type='direct'/><controller type='raw'/></vehicle>\n", kind->parts);
}

// Height of the reference point with which the lowest corner of all is at z.
static double height_over(const Kind* kind, const Start* s, double z) {
  double lowest = 0;
  for (int i = 0; i < 8; i++) {
    const double x = (i & 1 ? 0.5 : -0.5) * kind->length, y = (i & 2 ? 0.5 : -0.5) * kind->width;
    const double up = i & 4 ? kind->high[2] : -kind->bottom;
    const double at = -sin(s->pitch) * x + cos(s->pitch) * (sin(s->roll) * y + cos(s->roll) * up);
    lowest = at < lowest ? at : lowest;
  }
  return z - lowest;
}

// ---- ground ----

static const char* const presets[] = {
    "dry_sand",         "sandy_loam_15",     "sandy_loam_22",      "sandy_loam_michigan",
    "clayey_soil_38",   "clayey_soil_55",    "heavy_clay",         "lean_clay",
    "lete_sand",        "upland_sandy_loam", "rubicon_sandy_loam", "north_gower_clayey_loam",
    "grenville_loam",   "snow_harrison",     "snow_sweden",        "snow_greenland",
    "scm_default",      "scm_soft",          "scm_hard",           "lunar_nominal",
    "lunar_simulant",   "mars_soft",         "mars_dune",          "muskeg_petawawa_a",
    "muskeg_petawawa_b"};

static void put_soft(Draft* t, const char* name, const char* preset) {
  static const char* const shear[] = {"isotropic", "projected", "separate"};
  static const char* const push[] = {"none", "side", "front", "both"};
  put(t, "<soil name='%s' type='bekker' preset='%s' shear='%s' bulldozing='%s'/>\n", name, preset,
      shear[one_of(&t->dice, CLI_COUNT(shear))], push[one_of(&t->dice, CLI_COUNT(push))]);
  t->crash->soft = true;
}

// Soils: hard, by its cone index, one that yields, or two that lie side by side. All presets come
// in turn.
static void put_soils(Draft* t, uint64_t seed, bool massless) {
  const char* preset = presets[(seed / 2) % CLI_COUNT(presets)];
  Dice* d = &t->dice;
  t->crash->soil = "hard";
  // wheels on massless suspensions cannot sink in
  switch (massless ? 0 : one_of(d, 6)) {
    case 0:
    case 1:
      put(t, "<soil name='road' type='magic_formula' surface='user' d='%.17g'/>\n",
          between(d, 0.05, 1));
      return;
    case 2:
      put(t, "<soil name='cone' type='clay' cone_index='%.17g'/>\n", scaled(d, 1e5, 3e6));
      t->crash->soil = "cone";
      return;
    case 3:
    case 4:
      put_soft(t, "soft", preset);
      t->crash->soil = preset;
      break;
    default:
      put_soft(t, "soft", preset);
      put(t, "<soil name='road' type='magic_formula' surface='user' d='0.8'/>\n");
      put(t, "<region x_min='-100' x_max='100' y_min='%.17g' y_max='100' soil='road'/>\n",
          between(d, -1, 1));
      put(t, "<region x_min='-100' x_max='100' y_min='-100' y_max='-2' soil='soft'/>\n");
      t->crash->soil = "mixed";
  }
  if (chance(d, 0.6)) put(t, "<deformable cell='0.04'/>\n");
}

// Ground without upright faces. Returns the height of its top.
static double put_smooth(Draft* t) {
  static const char* const road[] = {"A", "B", "C", "D", "E"};
  Dice* d = &t->dice;
  switch (one_of(d, 6)) {
    case 0:
      put(t, "<terrain type='plane' slope_x='%.17g' slope_y='%.17g'/>\n", between(d, -0.4, 0.4),
          between(d, -0.4, 0.4));
      return 2;
    case 1:
      put(t, "<terrain type='iso8608' class='%s' wavelength_max='16' seed='%d'/>\n",
          road[one_of(d, CLI_COUNT(road))], one_of(d, 1000));
      return 0.3;
    case 2:
      put(t, "<terrain type='sine' amplitude='%.17g' wavelength='%.17g' yaw='%.17g'/>\n",
          between(d, 0, 0.3), between(d, 2, 8), between(d, -1, 1));
      return 0.3;
    default:
      return 0;
  }
}

// ---- things ----

static cliCrashThing* add_thing(Draft* t) {
  cliCrash* c = t->crash;
  if (c->things == CLI_CRASH_THINGS) t->failed = true;
  return &c->thing[t->failed ? 0 : c->things++];
}

// Whether a box that is turned by yaw comes within a distance of the origin.
static bool is_near(double x, double y, double yaw, const double half[2], double distance) {
  const double c = cos(yaw), s = sin(yaw), u = fabs(c * x + s * y), v = fabs(c * y - s * x);
  return hypot(fmax(u - half[0], 0), fmax(v - half[1], 0)) < distance;
}

// Clear of a vehicle of a size at the origin: one that begins in a wall has its energy from there.
static void put_wall(Draft* t, double x, double y, double clear) {
  Dice* d = &t->dice;
  const double thick = scaled(d, 0.02, 1), length = between(d, 1, 8), top = scaled(d, 0.2, 3);
  const double yaw = between(d, -0.8, 0.8);
  const double half[2] = {0.5 * thick, 0.5 * length};
  while (is_near(x, y, yaw, half, clear)) x += 0.1 * clear;
  *add_thing(t) = (cliCrashThing){
      .fixed = true, .x = x, .y = y, .yaw = yaw, .half = {half[0], half[1]}, .top = top};
  put(t,
      "<block shape='box' size='%.17g %.17g %.17g' fixed='true' position='%.17g %.17g' "
      "yaw='%.17g'/>\n",
      thick, length, top, x, y, yaw);
}

static void put_post(Draft* t, double x, double y) {
  Dice* d = &t->dice;
  const double radius = between(d, 0.05, 0.3), top = scaled(d, 0.2, 3);
  *add_thing(t) = (cliCrashThing){.fixed = true, .x = x, .y = y, .radius = radius, .top = top};
  put(t,
      "<block shape='cylinder' radius='%.17g' length='%.17g' fixed='true' position='%.17g "
      "%.17g'/>\n",
      radius, top, x, y);
}

static void put_crate(Draft* t, double x, double y, double size) {
  Dice* d = &t->dice;
  const double a = size * between(d, 0.3, 0.9), b = size * between(d, 0.3, 0.9);
  const double h = size * between(d, 0.3, 0.9), mass = 200 * a * b * h * scaled(d, 0.3, 5);
  *add_thing(t) =
      (cliCrashThing){.mass = mass,
                      .inertia = {mass * (b * b + h * h) / 12, mass * (a * a + h * h) / 12,
                                  mass * (a * a + b * b) / 12},
                      .middle = {0, 0, 0.5 * h}};
  put(t,
      "<block shape='box' size='%.17g %.17g %.17g' mass='%.17g' motion='space' position='%.17g "
      "%.17g' yaw='%.17g' restitution='%.17g'/>\n",
      a, b, h, mass, x, y, between(d, 0, 3), chance(d, 0.3) ? between(d, 0, 0.5) : 0.01);
}

static void put_barrel(Draft* t, double x, double y, double size) {
  Dice* d = &t->dice;
  const double r = size * between(d, 0.1, 0.3), h = size * between(d, 0.3, 0.9);
  const double mass = 200 * r * r * h * scaled(d, 0.3, 5);
  const double across = mass * (3 * r * r + h * h) / 12;
  *add_thing(t) = (cliCrashThing){
      .mass = mass, .inertia = {across, across, 0.5 * mass * r * r}, .middle = {0, 0, 0.5 * h}};
  put(t,
      "<block shape='cylinder' radius='%.17g' length='%.17g' mass='%.17g' motion='space' "
      "position='%.17g %.17g' roll='%s' yaw='%.17g'/>\n",
      r, h, mass, x, y, chance(d, 0.5) ? "1.5707963267948966" : "0", between(d, 0, 3));
}

// ---- crashes ----

typedef struct Scene {
  const Kind* kind;
  double size;  // of the vehicle, over a truck's
} Scene;

static void put_drop(Draft* t, Scene in, double top) {
  Dice* d = &t->dice;
  const double turned = chance(d, 0.4) ? 3.14 : 0.6;
  Start s = {.flies = true,
             .x = between(d, -1, 1),
             .y = between(d, -1, 1),
             .yaw = between(d, -3, 3),
             .roll = between(d, -turned, turned),
             .pitch = between(d, -0.5, 0.5) * turned,
             .yaw_rate = between(d, -1, 1)};
  for (int i = 0; i < 3; i++) s.velocity[i] = between(d, -3, 3);
  s.z = height_over(in.kind, &s, top + 0.05 + in.size * scaled(d, 0.1, 2));
  put_vehicle(t, in.kind, "v", &s);
}

static void crash_drop(Draft* t, Scene in) {
  t->crash->kind = "drop";
  put_drop(t, in, put_smooth(t));
}

// Onto edges: of kerbs, ditches and blocks of stone.
static void crash_edge(Draft* t, Scene in) {
  Dice* d = &t->dice;
  const double height = in.size * between(d, 0.05, 0.6);
  t->crash->kind = "edge";
  if (chance(d, 0.5)) {
    put(t, "<terrain type='step' position='%.17g 0' yaw='%.17g' height='%.17g'/>\n",
        between(d, -1.5, 1.5), between(d, -3, 3), height);
  } else {
    put(t, "<terrain type='ditch' position='%.17g 0' yaw='%.17g' depth='%.17g'",
        between(d, -1.5, 1.5), between(d, -3, 3), chance(d, 0.5) ? height : -height);
    put(t, " width='%.17g' bank='%.17g'/>\n", between(d, 0.2, 2), chance(d, 0.6) ? 0 : 0.3);
  }
  put_drop(t, in, height);
}

static void crash_roll(Draft* t, Scene in) {
  Dice* d = &t->dice;
  const double top = put_smooth(t);
  Start s = {.flies = true,
             .yaw = between(d, -3, 3),
             .roll = between(d, -2, 2),
             .pitch = between(d, -0.3, 0.3),
             .yaw_rate = between(d, -2, 2)};
  t->crash->kind = "roll";
  s.velocity[0] = between(d, -4, 8);
  s.velocity[1] = between(d, -8, 8);
  s.z = height_over(in.kind, &s, top + 0.05);
  put_vehicle(t, in.kind, "v", &s);
}

// A vehicle that stands on the ground, with a speed along the world's x axis.
static Start sliding(Dice* d, double speed, double most_yaw) {
  Start s = {.yaw = between(d, -most_yaw, most_yaw)};
  s.velocity[0] = speed * cos(s.yaw);
  s.velocity[1] = -speed * sin(s.yaw);
  return s;
}

static void crash_kerb(Draft* t, Scene in) {
  Dice* d = &t->dice;
  const Start s = sliding(d, between(d, 2, 12), 1.6);
  t->crash->kind = "kerb";
  put(t, "<terrain type='step' position='%.17g 0' yaw='%.17g' height='%.17g'/>\n",
      in.size * between(d, 2.6, 3.6), between(d, -0.3, 0.3), in.size * between(d, 0.05, 0.4));
  put_vehicle(t, in.kind, "v", &s);
}

static void crash_hole(Draft* t, Scene in) {
  Dice* d = &t->dice;
  const Start s = sliding(d, between(d, 2, 12), 0.5);
  t->crash->kind = "hole";
  put(t, "<terrain type='ditch' position='%.17g 0' depth='%.17g' yaw='%.17g'",
      in.size * between(d, 3.5, 4.5), in.size * between(d, 0.1, 1), between(d, -0.4, 0.4));
  put(t, " width='%.17g' bank='%.17g'/>\n", in.size * between(d, 0.3, 3),
      chance(d, 0.5) ? 0 : in.size * between(d, 0.1, 1));
  put_vehicle(t, in.kind, "v", &s);
}

static void crash_wall(Draft* t, Scene in) {
  Dice* d = &t->dice;
  const Start s = sliding(d, between(d, 2, 20), chance(d, 0.5) ? 0.3 : 1.6);
  const int posts = 1 + one_of(d, 2), walls = one_of(d, 2);
  const double clear = 0.5 * hypot(in.kind->length, in.kind->width);
  t->crash->kind = "wall";
  for (int i = 0; i < walls; i++) {
    put_wall(t, in.size * (3.6 + 3 * i), between(d, -0.5, 0.5), clear);
  }
  for (int i = 0; i < posts; i++) {
    put_post(t, in.size * (i + between(d, 4.6, 6)), in.size * between(d, -1, 1));
  }
  put_vehicle(t, in.kind, "v", &s);
}

static void crash_blocks(Draft* t, Scene in) {
  Dice* d = &t->dice;
  const Start s = sliding(d, between(d, 2, 15), 0.8);
  const int n = 1 + one_of(d, 4);
  t->crash->kind = "blocks";
  for (int i = 0; i < n; i++) {
    const double x = in.size * (3.8 + 1.4 * i), y = in.size * between(d, -0.8, 0.8);
    if (chance(d, 0.6))
      put_crate(t, x, y, in.size);
    else
      put_barrel(t, x, y, in.size);
  }
  put_vehicle(t, in.kind, "v", &s);
}

static void crash_rocks(Draft* t, Scene in) {
  Dice* d = &t->dice;
  const Start s = sliding(d, between(d, 2, 10), 0.5);
  const bool upright = chance(d, 0.5);
  t->crash->kind = "rocks";
  put(t, "<terrain type='rocks' form='%s' distribution='uniform' coverage='%.17g'",
      upright ? "block" : "dome", between(d, 0.03, 0.15));
  put(t, " diameter_min='%.17g' diameter_max='%.17g'", 0.4 * in.size, in.size * between(d, 0.5, 1));
  put(t, " height_ratio='%.17g' x_min='%.17g' x_max='%.17g' y_min='-6' y_max='6' seed='%d'/>\n",
      between(d, 0.1, 0.5), in.size * 3.2, in.size * 12, one_of(d, 1000));
  put_vehicle(t, in.kind, "v", &s);
}

static void crash_vehicles(Draft* t, Scene in) {
  Dice* d = &t->dice;
  const Start a = sliding(d, between(d, 1, 10), 0.4);
  Start b = sliding(d, -between(d, 0, 10), 1.6);
  t->crash->kind = "vehicles";
  b.x = in.size * between(d, 5.8, 6.5);
  b.y = in.size * between(d, -1, 1);
  put_vehicle(t, in.kind, "v", &a);
  put_vehicle(t, in.kind, "w", &b);
  t->crash->vehicles = 2;
}

bool cli_crash_write(uint64_t seed, int parts, cliCrash* out) {
  static void (*const crash[])(Draft*, Scene) = {crash_drop,   crash_edge,  crash_roll,
                                                 crash_kerb,   crash_hole,  crash_wall,
                                                 crash_blocks, crash_rocks, crash_vehicles};
  memset(out, 0, sizeof *out);
  Draft t = {.dice = {0x5eed + 1000003u * seed}, .crash = out};
  Dice* d = &t.dice;
  const Kind* kind = &kinds[one_of(d, CLI_COUNT(kinds))];
  const Scene in = {kind, kind->length / 4.6};
  out->vehicle = kind->name;
  out->vehicles = 1;
  out->rk4 = chance(d, 0.25);
  out->step = out->rk4 ? scaled(d, 1e-4, 4e-4) : scaled(d, 5e-4, 2e-3);
  out->duration = 0.8;
  memcpy(out->com, kind->com, sizeof out->com);
  memcpy(out->low, kind->low, sizeof out->low);
  memcpy(out->high, kind->high, sizeof out->high);
  put(&t, "<world timestep='%.17g' integrator='%s' duration='%g'>\n", out->step / parts,
      out->rk4 ? "rk4" : "semi_implicit", out->duration);
  put_soils(&t, seed, strstr(kind->parts, "massless") != NULL);
  crash[seed % CLI_COUNT(crash)](&t, in);
  put(&t, "</world>\n");
  return !t.failed;
}
