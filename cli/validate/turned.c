// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds that are turned by a right angle, or mirrored: what happens in them is turned or mirrored
// too, whatever the laws are. And the balance of work in the same worlds.
#include <math.h>
#include <stdio.h>

#include "spatial.h"
#include "touching.h"

static const double PI = 3.14159265358979323846;

// A view of a world: turned by a right angle if `turned`, mirrored at the x axis if `side` is -1.
typedef struct View {
  bool turned;
  double side;
  bool massless;  // wheels without mass
} View;

// "position='x y z' yaw='a'" of what is at x, y in the plain view.
typedef struct Text {
  char text[200];
} Text;
static Text place(View v, double x, double y, double z, double yaw) {
  Text t;
  const double left = v.side * y, angle = v.side * yaw + (v.turned ? 0.5 * PI : 0);
  snprintf(t.text, sizeof t.text, "position='%.17g %.17g %.17g' yaw='%.17g'", v.turned ? -left : x,
           v.turned ? x : left, z, angle);
  return t;
}

typedef struct Scene {
  void (*build)(cliLab* lab, View v);
  double time;
  bool bodies;  // block 0 is compared as well
} Scene;

typedef struct Truck {
  const char *world, *vehicle, *drive;  // elements of the world, attributes, elements
  double speed, aside;                  // [m/s]
} Truck;

// A truck of 2.4 t on slides, its middle at (x, y).
static void build_driven(cliLab* lab, View v, const Truck* t) {
  char text[3000];
  snprintf(text, sizeof text,
           "<vehicle name='truck' velocity='%.17g %.17g' %s>"
           "<chassis mass='2100' com='0.1 0 0.75' inertia='700 2500 3000' z_min='0.45' z_max='1.6' "
           "outline='-2.2 -0.8 2.2 -0.8 2.2 0.8 -2.2 0.8'/>"
           "<suspension type='%s' stiffness='7e4' damping='6e3'/><tyre type='fiala'/>"
           "<axle x='1.5' track='1.8' radius='0.47' width='0.3' wheel_mass='70' max_steer='0.5'/>"
           "<axle x='-1.5' track='1.8' radius='0.47' width='0.3' wheel_mass='70'/>"
           "%s</vehicle>",
           t->speed, v.side * t->aside, t->vehicle, v.massless ? "massless" : "slider", t->drive);
  cli_lab_build(lab, "<world timestep='0.001'>%s%s</world>", t->world, text);
}

static void build_truck(cliLab* lab, View v, const char* world, const char* vehicle, double speed,
                        double aside) {
  char drive[200];
  snprintf(drive, sizeof drive,
           "<drive type='open'/><controller type='pedals' torque='500' steer='%.17g'/>",
           0.2 * v.side);
  build_driven(lab, v, &(Truck){world, vehicle, drive, speed, aside});
}

// ---- scenes ----

static void build_cleats(cliLab* lab, View v) {
  char ground[900], start[300];
  snprintf(ground, sizeof ground,
           "<terrain type='step' %s height='0.07'/><terrain type='half_round' %s radius='0.09'/>"
           "<terrain type='sine' %s amplitude='0.05' wavelength='2.3'/>",
           place(v, 2.6, 0, 0, 0.35).text, place(v, 3.8, 0, 0, -0.2).text,
           place(v, 0, 0, 0, 0.5).text);
  snprintf(start, sizeof start, "velocity='5 0' contact='arc' %s", place(v, 0, 0, 0, 0).text);
  cli_hmmwv_build(lab, &(cliHmmwv){.ground = ground,
                                   .start = start,
                                   .pedals = v.side > 0 ? "throttle='0.3' steering='0.3'"
                                                        : "throttle='0.3' steering='-0.3'"});
}

static void build_cams(cliLab* lab, View v) {
  char world[900], vehicle[300];
  snprintf(world, sizeof world,
           "<terrain type='step' %s height='0.06'/><terrain type='half_round' %s radius='0.05'/>",
           place(v, 2.6, 0, 0, 0.4).text, place(v, 3.6, 0, 0, -0.25).text);
  snprintf(vehicle, sizeof vehicle, "contact='cams' %s", place(v, 0, 0, 0, 0).text);
  build_truck(lab, v, world, vehicle, 4, 0);
}

// Without digging, which the ground follows by steps whose moment rounding can shift.
static void build_soft(cliLab* lab, View v) {
  char world[900];
  snprintf(
      world, sizeof world,
      "<soil name='s' type='bekker' preset='lete_sand' dig_in='none'/><deformable cell='0.05'/>"
      "<terrain type='sine' %s amplitude='0.08' wavelength='3'/>",
      place(v, 0.3, 0, 0, 0).text);
  build_truck(lab, v, world, place(v, 0.013, 0.017, 0, 0).text, 3, 0);
}

static void build_soil(cliLab* lab, View v) {
  char world[900];
  snprintf(world, sizeof world,
           "<soil name='s' type='bekker' preset='dry_sand'/>"
           "<terrain type='plane' slope_x='%.17g' slope_y='%.17g'/>",
           v.turned ? -0.05 * v.side : 0.1, v.turned ? 0.1 : 0.05 * v.side);
  build_truck(lab, v, world, place(v, 0, 0, 0, 0).text, 3, 0);
}

static void build_kerb(cliLab* lab, View v) {
  char world[900];
  snprintf(world, sizeof world, "<terrain type='step' %s height='0.25'/>",
           place(v, 0.5, 1.6, 0, 1.2).text);
  build_truck(lab, v, world, place(v, 0, 0, 0, 0).text, 3, 1.5);
}

static void build_crate(cliLab* lab, View v) {
  char world[900];
  snprintf(world, sizeof world,
           "<block name='crate' motion='space' shape='box' size='0.8 0.6 0.7' mass='300' "
           "friction='0.3' restitution='0.2' %s/>",
           place(v, 3.2, 0.5, 0, 0.4).text);
  build_truck(lab, v, world, place(v, 0, 0, 0, 0).text, 4, 0);
}

static void build_belly(cliLab* lab, View v) {
  char world[900];
  snprintf(world, sizeof world, "<terrain type='half_round' %s radius='0.55'/>",
           place(v, 0.4, 0, 0, 0.3).text);
  build_truck(lab, v, world, place(v, -3, 0, 0, 0).text, 4, 0);
}

// Wide wheels as discs side by side.
static void build_discs(cliLab* lab, View v) {
  char world[900], vehicle[300];
  snprintf(world, sizeof world,
           "<terrain type='step' %s height='0.08' run='0.1'/>"
           "<terrain type='sine' %s amplitude='0.06' wavelength='2.1'/>",
           place(v, 2.4, 0, 0, 0.5).text, place(v, 0, 0, 0, 0.9).text);
  snprintf(vehicle, sizeof vehicle, "contact='arc' width_slices='4' %s", place(v, 0, 0, 0, 0).text);
  build_truck(lab, v, world, vehicle, 4, 0);
}

// Wheels without mass.
static void build_light(cliLab* lab, View v) {
  char world[900];
  snprintf(world, sizeof world,
           "<terrain type='step' %s height='0.06' run='0.2'/>"
           "<terrain type='sine' %s amplitude='0.06' wavelength='2.1'/>",
           place(v, 2.4, 0, 0, 0.5).text, place(v, 0, 0, 0, 0.9).text);
  v.massless = true;
  build_truck(lab, v, world, place(v, 0, 0, 0, 0).text, 4, 0);
}

// As it is told, over a ridge.
static void build_ideal(cliLab* lab, View v) {
  char world[900], drive[200];
  snprintf(world, sizeof world,
           "<terrain type='ramp' %s length='2' height='0.4' top='1' down='3'/>"
           "<terrain type='sine' %s amplitude='0.05' wavelength='2.7'/>",
           place(v, 1.8, 0, 0, 0.4).text, place(v, 0, 0, 0, -0.6).text);
  snprintf(drive, sizeof drive, "<controller type='twist_ideal' speed='3' yaw_rate='%.17g'/>",
           0.4 * v.side);
  const Text start = place(v, 0, 0, 0, 0);
  build_driven(lab, v, &(Truck){world, start.text, drive, 3, 0});
}

// As it is told, on waves.
static void build_waves(cliLab* lab, View v) {
  char drive[200];
  snprintf(drive, sizeof drive, "<controller type='twist_ideal' speed='3' yaw_rate='0.4'/>");
  const Text start = place(v, 0, 0, 0, 0);
  build_driven(lab, v,
               &(Truck){"<terrain type='sine' amplitude='0.2' wavelength='9' yaw='0.4'/>",
                        start.text, drive, 3, 0});
}

// Through water that is deeper than its hubs.
static void build_ford(cliLab* lab, View v) {
  char world[900];
  snprintf(world, sizeof world,
           "<plane x_min='-100' x_max='100' y_min='-100' y_max='100'/>"
           "<scenery type='water' length='200' width='200' depth='0.8'><place position='0 0'/>"
           "</scenery><terrain type='sine' %s amplitude='0.05' wavelength='4'/>",
           place(v, 0, 0, 0, 0.6).text);
  build_truck(lab, v, world, place(v, 0, 0, 0, 0).text, 3, 0.5);
}

// Steered by an elastic column, it hauls a load that is hitched aside, through air, on three axles
// of unlike tracks with anti-roll bars, on a slope.
static void build_haul(cliLab* lab, View v) {
  char text[3000], ground[300];
  snprintf(ground, sizeof ground, "<terrain type='plane' slope_x='%.17g' slope_y='%.17g'/>",
           v.turned ? -0.08 * v.side : 0.15, v.turned ? 0.15 : 0.08 * v.side);
  snprintf(
      text, sizeof text,
      "<vehicle name='truck' velocity='6 %.17g' steer_stiffness='2e4' steer_damping='300' "
      "steer_inertia='20' %s><chassis mass='2100' com='0.1 %.17g 0.75' "
      "inertia='700 2500 3000 %.17g 60 %.17g' z_min='0.45' z_max='1.6' drag_area='9' "
      "outline='-2.2 -0.8 2.2 -0.8 2.2 0.8 -2.2 0.8'/>"
      "<suspension type='slider' stiffness='7e4' damping='6e3'/><tyre type='fiala'/>"
      "<axle x='1.5' track='1.8' radius='0.47' width='0.3' wheel_mass='70' max_steer='0.5' "
      "anti_roll='2e4'/>"
      "<axle x='-1.1' track='1.7' radius='0.47' width='0.3' wheel_mass='70' wheel_inertia='9'/>"
      "<axle x='-1.9' track='1.6' radius='0.45' width='0.2' wheel_mass='70'/><hitch position='-2.5 "
      "%.17g 0.3' force='5000'/>"
      "<drive type='open'/><controller type='pedals' torque='500' steer='%.17g'/></vehicle>",
      0.3 * v.side, place(v, 0, 0, 0, 0).text, 0.1 * v.side, 40 * v.side, -30 * v.side,
      0.4 * v.side, 0.25 * v.side);
  cli_lab_build(lab, "<world timestep='0.001'>%s%s</world>", ground, text);
}

static const Scene cleats = {build_cleats, 1.2, false}, cams = {build_cams, 1.2, false},
                   soft = {build_soft, 1, false}, soil = {build_soil, 1, false},
                   kerb = {build_kerb, 0.6, false}, crate = {build_crate, 0.7, true},
                   belly = {build_belly, 0.8, false}, discs = {build_discs, 1, false},
                   light = {build_light, 1, false}, ideal = {build_ideal, 1.5, false},
                   ford = {build_ford, 1, false}, haul = {build_haul, 1.2, false},
                   waves = {build_waves, 1.5, false};

double cli_case_scene(cliLab* lab, cliCaseScene which) {
  static const Scene* const scene[] = {
#define X(name) &name,
      CLI_SCENES(X)
#undef X
  };
  scene[which]->build(lab, (View){false, 1, false});
  return scene[which]->time;
}

// ---- comparisons ----

static void compare(cliLab* lab, const Scene* s, View v, double* value, double* reference) {
  s->build(lab, (View){false, 1, false});
  cli_lab_run_to(lab, s->time);
  const rutVehicleState a = cli_lab_vehicle(lab, 0);
  double load[4];
  rutBlockMotion block = {0}, other = {0};
  for (int w = 0; w < 4; w++) load[w] = cli_lab_wheel(lab, w).load;
  if (s->bodies && !lab->failed) rut_block_motion(lab->world.model, lab->world.data, 0, &block);
  s->build(lab, v);
  cli_lab_run_to(lab, s->time);
  const rutVehicleState b = cli_lab_vehicle(lab, 0);
  if (s->bodies && !lab->failed) rut_block_motion(lab->world.model, lab->world.data, 0, &other);
  const double turn = v.turned ? 0.5 * PI : 0, c = cos(turn), n = sin(turn), m = v.side;
  const double* from[] = {a.position, a.com_velocity, block.position, block.velocity};
  const double* to[] = {b.position, b.com_velocity, other.position, other.velocity};
  for (int k = 0; k < (s->bodies ? 4 : 2); k++) {
    const double x = from[k][0], y = m * from[k][1];
    cli_worst_absolute(to[k][0], c * x - n * y, value, reference);
    cli_worst_absolute(to[k][1], n * x + c * y, value, reference);
    cli_worst_absolute(to[k][2], from[k][2], value, reference);
  }
  cli_worst_absolute(b.roll, m * a.roll, value, reference);
  cli_worst_absolute(b.pitch, a.pitch, value, reference);
  cli_worst_absolute(b.yaw, m * a.yaw + turn, value, reference);
  for (int w = 0; w < 4; w++) {
    const double l = cli_lab_wheel(lab, m > 0 ? w : w ^ 1).load;
    cli_worst_absolute(1e-5 * l, 1e-5 * load[w], value, reference);
  }
}

static const View QUARTER = {true, 1, false}, MIRRORED = {false, -1, false};

#define TURNED(scene)                                                           \
  void cli_case_turned_##scene(cliLab* lab, double* value, double* reference) { \
    compare(lab, &scene, QUARTER, value, reference);                            \
  }
#define MIRROR(scene)                                                             \
  void cli_case_mirrored_##scene(cliLab* lab, double* value, double* reference) { \
    compare(lab, &scene, MIRRORED, value, reference);                             \
  }
#define BALANCE(scene)                                                           \
  void cli_case_balance_##scene(cliLab* lab, double* value, double* reference) { \
    balance(lab, &scene, value, reference);                                      \
  }

static void balance(cliLab* lab, const Scene* s, double* value, double* reference) {
  s->build(lab, (View){false, 1, false});
  cli_lab_run_to(lab, s->time);
  const rutEnergy e = cli_lab_energy(lab);
  *value = e.residual / e.throughput;
  *reference = 0;
}

TURNED(cleats)
TURNED(cams)
TURNED(soft)
TURNED(soil)
TURNED(kerb)
TURNED(crate)
TURNED(belly)
TURNED(discs)
TURNED(light)
TURNED(ideal)
TURNED(ford)
TURNED(haul)
MIRROR(discs)
MIRROR(light)
MIRROR(ideal)
MIRROR(ford)
MIRROR(haul)
MIRROR(cams)
MIRROR(soft)
MIRROR(soil)
MIRROR(kerb)
MIRROR(belly)
BALANCE(discs)
BALANCE(light)
BALANCE(ford)
BALANCE(haul)
BALANCE(cleats)
BALANCE(cams)
BALANCE(soft)
BALANCE(soil)
BALANCE(kerb)
BALANCE(belly)
