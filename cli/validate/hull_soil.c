// SPDX-License-Identifier: BSD-3-Clause
//
// A chassis that lies in soil: a plate of 2.04 m x 1.2 m of which the wheels are in the air. What
// the soil carries, how it tilts, what drags as it slides, and what it leaves behind. Its places
// are 3 cm apart, and as many on each side of its middle; those of ground that keeps ruts are 5 cm
// apart.
#include <math.h>

#include "spatial.h"
#include "touching.h"

static const double PI = 3.14159265358979323846;
static const double LENGTH = 2.04, WIDTH = 1.2, KEPT_LENGTH = 2;

typedef struct Plate {
  const char *soil, *world;    // attributes of <soil>, elements of the world
  double mass, com[2], depth;  // [kg], of the centre of mass [m], of its underside [m]
  double pitch, roll;          // [rad]
  double speed[2];             // along and across [m/s]
  double spin;                 // about the vertical [rad/s]
  double inertia;              // [kg m2]
  double ahead;                // of its middle and the centre of mass, from the origin [m]
} Plate;

static void build_plate(cliLab* lab, const Plate* p) {
  const double half = 0.5 * (p->world ? KEPT_LENGTH : LENGTH);
  cli_lab_build(
      lab,
      "<world timestep='0.001'><soil name='s' type='bekker' %s/>%s"
      "<vehicle position='0 0 %.17g' pitch='%.17g' roll='%.17g' on_ground='false' "
      "velocity='%.17g %.17g 0' yaw_rate='%.17g'>"
      "<chassis mass='%.17g' com='%.17g %.17g 0.05' outline='-%.17g -0.6 %.17g -0.6 %.17g 0.6 "
      "-%.17g 0.6' "
      "z_min='0' z_max='1' inertia='%.17g %.17g %.17g' drag_area='0'/>"
      "<axle x='0.5' z='0.9' track='0.4' radius='0.05' width='0.02' wheel_mass='1e-3'/>"
      "<axle x='-0.5' z='0.9' track='0.4' radius='0.05' width='0.02' wheel_mass='1e-3'/>"
      "<suspension type='slider' stiffness='1e4' damping='100'/><tyre type='linear' "
      "stiffness='1e9'/>"
      "</vehicle></world>",
      p->soil, p->world ? p->world : "", -p->depth, p->pitch, p->roll, p->speed[0], p->speed[1],
      p->spin, p->mass, p->com[0] + p->ahead, p->com[1], half - p->ahead, half + p->ahead,
      half + p->ahead, half - p->ahead, p->inertia, p->inertia, p->inertia);
}

#define STRAIGHT "k_c='0' k_phi='200e3' exponent='1' cohesion='800' friction_angle='0.5'"
static const double k_straight = 200e3;  // of p = k z

// It stays where p A = m g: k z^n A.
void cli_case_hull_sinkage(cliLab* lab, double* value, double* reference) {
  const double z = 0.07, k = 700e3;
  build_plate(lab, &(Plate){.soil = "k_c='0' k_phi='700e3' exponent='0.5'",
                            .mass = k * sqrt(z) * LENGTH * WIDTH / CLI_GRAVITY,
                            .depth = z,
                            .inertia = 1e3});
  cli_lab_run_to(lab, 0.5);
  *value = -cli_lab_vehicle(lab, 0).position[2];
  *reference = z;
}

// b of k_c/b is the side of the plate: the mean of its oscillation.
void cli_case_hull_side(cliLab* lab, double* value, double* reference) {
  const double z = 0.05;
  build_plate(lab, &(Plate){.soil = "k_c='240e3' k_phi='0' exponent='1'",
                            .mass = 240e3 / WIDTH * z * LENGTH * WIDTH / CLI_GRAVITY,
                            .depth = z,
                            .inertia = 1e3});
  double sum = 0;
  int steps = 0;
  cli_lab_run_to(lab, 0.5);
  for (; steps < 1500 && !lab->failed; steps++) {
    cli_lab_step(lab);
    sum -= cli_lab_vehicle(lab, 0).position[2];
  }
  *value = steps ? sum / steps : 0;
  *reference = z;
}
// One that leans by a lies on a strip l = z/a of its end, whose side is l: m g = k_c/l W l z/2.
void cli_case_hull_side_edge(cliLab* lab, double* value, double* reference) {
  const double z = 0.06, lean = 0.1;
  build_plate(lab, &(Plate){.soil = "k_c='240e3' k_phi='0' exponent='1'",
                            .mass = 0.5 * 240e3 * WIDTH * z / CLI_GRAVITY,
                            .depth = z - 0.5 * LENGTH * sin(lean),
                            .pitch = lean,
                            .inertia = 1e12});
  double sum = 0;
  int steps = 0;
  for (; steps < 1500 && !lab->failed; steps++) {
    cli_lab_step(lab);
    sum += 0.5 * LENGTH * sin(lean) - cli_lab_vehicle(lab, 0).position[2];
  }
  *value = steps ? sum / steps : 0;
  *reference = z;
}

// With p = k z a centre of mass at e beside the middle tilts it by m g e/(k A b^2/12), b being its
// length or its width.
static void tilt(cliLab* lab, int axis, double* value, double* reference) {
  const double mass = 1500, e = 0.06, side = axis == 0 ? LENGTH : WIDTH, area = LENGTH * WIDTH;
  const double angle = mass * CLI_GRAVITY * e / (k_straight * area * side * side / 12);
  Plate p = {.soil = STRAIGHT,
             .mass = mass,
             .depth = mass * CLI_GRAVITY / (k_straight * area),
             .inertia = 200};
  p.com[axis] = e;
  if (axis == 0)
    p.pitch = angle;
  else
    p.roll = -angle;
  build_plate(lab, &p);
  cli_lab_run_to(lab, 0.5);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  *value = axis == 0 ? s.pitch : s.roll;
  *reference = axis == 0 ? angle : -angle;
}
void cli_case_hull_pitch(cliLab* lab, double* value, double* reference) {
  tilt(lab, 0, value, reference);
}
void cli_case_hull_roll(cliLab* lab, double* value, double* reference) {
  tilt(lab, 1, value, reference);
}

// A plate that slides is held by the lesser of c A + N tan(phi) and c_a A + N tan(delta), and by
// its front, of the width b across its way: b (k z^2/2 + 2 c z sqrt(K_p) + gamma z^2 K_p/2).
static double drag(cliLab* lab, const char* soil, int across) {
  const double mass = 1500, depth = mass * CLI_GRAVITY / (k_straight * LENGTH * WIDTH);
  Plate p = {.soil = soil, .mass = mass, .depth = depth, .inertia = 1e7};
  p.speed[across] = 3;
  build_plate(lab, &p);
  cli_lab_run_to(lab, 0.1);
  const double before = cli_lab_vehicle(lab, 0).com_velocity[across];
  cli_lab_run_to(lab, 0.3);
  return mass * (before - cli_lab_vehicle(lab, 0).com_velocity[across]) / 0.2;
}
static double front(double side, double bulldozing) {
  const double z = 1500 * CLI_GRAVITY / (k_straight * LENGTH * WIDTH),
               passive = tan(0.25 * PI + 0.25);
  const double wall = 2 * 800 * passive * z + 0.5 * 16e3 * passive * passive * z * z;
  return side * (0.5 * k_straight * z * z + bulldozing * wall);
}
void cli_case_hull_drag_soil(cliLab* lab, double* value, double* reference) {
  *value = drag(lab, STRAIGHT " adhesion_ratio='2' adhesion_angle_ratio='1.5'", 0);
  *reference = 800 * LENGTH * WIDTH + 1500 * CLI_GRAVITY * tan(0.5) + front(WIDTH, 0);
}
void cli_case_hull_drag_plate(cliLab* lab, double* value, double* reference) {
  *value = drag(lab,
                STRAIGHT
                " adhesion_ratio='0.5' adhesion_angle_ratio='0.6' unit_weight='16e3' "
                "bulldozing='front'",
                0);
  *reference = 400 * LENGTH * WIDTH + 1500 * CLI_GRAVITY * tan(0.3) + front(WIDTH, 1);
}
void cli_case_hull_drag_across(cliLab* lab, double* value, double* reference) {
  *value = drag(lab,
                STRAIGHT
                " adhesion_ratio='0.5' adhesion_angle_ratio='0.6' unit_weight='16e3' "
                "bulldozing='front'",
                1);
  *reference = 400 * LENGTH * WIDTH + 1500 * CLI_GRAVITY * tan(0.3) + front(LENGTH, 1);
}

// One that spins about the vertical is held by its friction at the radius of gyration of its
// pressure, sqrt((a^2 + b^2)/12): a patch rubs at one place with an arm.
static void spin(cliLab* lab, double ahead, double* value, double* reference) {
  const double mass = 1500, inertia = 700, arm = sqrt((LENGTH * LENGTH + WIDTH * WIDTH) / 12);
  build_plate(lab, &(Plate){.soil = STRAIGHT " adhesion_ratio='0.5' adhesion_angle_ratio='0.6'",
                            .mass = mass,
                            .depth = mass * CLI_GRAVITY / (k_straight * LENGTH * WIDTH),
                            .inertia = inertia,
                            .spin = 6,
                            .speed = {0, -6 * ahead},
                            .ahead = ahead});
  cli_lab_run_to(lab, 0.1);
  const double before = cli_lab_vehicle(lab, 0).rate[2];
  cli_lab_run_to(lab, 0.3);
  *value = inertia * (before - cli_lab_vehicle(lab, 0).rate[2]) / 0.2;
  *reference = arm * (400 * LENGTH * WIDTH + mass * CLI_GRAVITY * tan(0.3));
}
void cli_case_hull_spin(cliLab* lab, double* value, double* reference) {
  spin(lab, 0, value, reference);
}
void cli_case_hull_spin_ahead(cliLab* lab, double* value, double* reference) {
  spin(lab, 0.9, value, reference);
}

// Ground that keeps ruts: a fall by h presses until k A z^2/2 = m g (h + z); the plate comes up
// along the line of slope k_u to where it carries the weight.
static void fall(cliLab* lab, double* pressed, rutRuts* ruts, rutRutCell* cell) {
  const double mass = 1500, load = mass * CLI_GRAVITY, rate = k_straight * KEPT_LENGTH * WIDTH,
               h = 0.1;
  size_t cursor = 0;
  build_plate(lab, &(Plate){.soil = STRAIGHT " rebound_stiffness='5e6' largest_rebound='1'",
                            .world = "<deformable cell='0.05'/>",
                            .mass = mass,
                            .depth = -h,
                            .inertia = 1e3});
  cli_lab_run_to(lab, 0.8);
  *pressed = load / rate + sqrt(load / rate * (load / rate + 2 * h));
  if (lab->failed) return;
  rut_ruts(lab->world.model, lab->world.data, ruts);
  rut_ruts_next(lab->world.model, lab->world.data, &cursor, 1, cell);
}
void cli_case_hull_fall(cliLab* lab, double* value, double* reference) {
  rutRuts ruts = {0};
  rutRutCell cell = {0};
  fall(lab, reference, &ruts, &cell);
  *value = cell.pressed;
}
// What it leaves, of the depth that it was pressed to: z - k z/k_u, of the whole plate.
void cli_case_hull_print(cliLab* lab, double* value, double* reference) {
  double z;
  rutRuts ruts = {0};
  rutRutCell cell = {0};
  fall(lab, &z, &ruts, &cell);
  *value = ruts.volume;
  *reference = KEPT_LENGTH * WIDTH * cell.pressed * (1 - k_straight / 5e6);
}
void cli_case_hull_rebound(cliLab* lab, double* value, double* reference) {
  double z;
  rutRuts ruts = {0};
  rutRutCell cell = {0};
  fall(lab, &z, &ruts, &cell);
  const double pressure = 1500 * CLI_GRAVITY / (KEPT_LENGTH * WIDTH);
  *value = -cli_lab_vehicle(lab, 0).position[2];
  *reference = cell.pressed - (k_straight * cell.pressed - pressure) / 5e6;
}

// Work of a fall and a slide that end, tilted, in ground that keeps ruts.
void cli_case_hull_balance(cliLab* lab, double* value, double* reference) {
  build_plate(lab, &(Plate){.soil = STRAIGHT
                            " rebound_stiffness='5e6' largest_rebound='1' bulldozing='front'",
                            .world = "<deformable cell='0.05'/>",
                            .mass = 1500,
                            .com = {0.2, 0.1},
                            .depth = -0.15,
                            .pitch = 0.1,
                            .roll = 0.05,
                            .speed = {2, 0.5},
                            .inertia = 400});
  cli_lab_run_to(lab, 1);
  const rutEnergy e = cli_lab_energy(lab);
  *value = e.residual / (0.5 * 1500 * 4.25 + 1500 * CLI_GRAVITY * 0.15);
  *reference = 0;
}
