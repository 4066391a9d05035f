// SPDX-License-Identifier: BSD-3-Clause
//
// Planar vehicles that nothing holds, vehicles that go as they are told, and links between bodies.
#include <math.h>

#include "spatial.h"
#include "touching.h"

static const double PI = 3.14159265358979323846;

// ---- planar vehicles without friction ----

// Wheels of unlike mass at the corners, front ones steered, centre of mass off the reference point.
static void build_glider(cliLab* lab, const char* ground, const char* vehicle, const char* drive) {
  cli_lab_build(
      lab,
      "<world timestep='0.001' integrator='rk4'>%s<vehicle name='v' velocity='3 1' "
      "yaw_rate='1.5' yaw='0.3' %s>"
      "<chassis mass='40' com='0.1 -0.05' yaw_inertia='6' "
      "outline='-0.6 -0.3 0.6 -0.3 0.6 0.3 -0.6 0.3'/>"
      "<wheel place='front_left' steered='true' position='0.5 0.3' mass='3' radius='0.15' "
      "width='0.05'/>"
      "<wheel place='front_right' steered='true' position='0.5 -0.3' mass='5' radius='0.15' "
      "width='0.05'/>"
      "<wheel place='rear_left' position='-0.5 0.3' yaw='0.4' mass='2' radius='0.15' "
      "width='0.05'/>"
      "<wheel place='rear_right' position='-0.5 -0.3' mass='4' radius='0.15' "
      "width='0.05'/>"
      "<tyre type='coulomb' friction='0' bearing_damping='0'/>%s</vehicle></world>",
      ground, vehicle, drive);
}

// A slope in both directions: the reference point goes as the centre of mass does, by g s/(1 + s^2)
// along the horizontal, and turns about it at a constant rate.
static void glide_with(cliLab* lab, const char* vehicle, const char* drive, double* value,
                       double* reference) {
  const double sx = 0.1, sy = -0.06, rate = 1.5, t = 2;
  build_glider(lab, "<terrain type='plane' slope_x='0.1' slope_y='-0.06'/>", vehicle, drive);
  const double mass = 54;
  const double com[2] = {(40 * 0.1 + 0.5 * 8 - 0.5 * 6) / mass,
                         (-40 * 0.05 + 0.3 * (3 - 5 + 2 - 4)) / mass};
  // the plane's axes: the world's turned by the shortest rotation to the normal
  const double nz = 1 / sqrt(1 + sx * sx + sy * sy), nx = -sx * nz, ny = -sy * nz;
  const double share = 1 / (1 + nz);
  const double e[2][3] = {{1 - nx * nx * share, -nx * ny * share, -nx},
                          {-nx * ny * share, 1 - ny * ny * share, -ny}};
  const double g[2] = {-CLI_GRAVITY * e[0][2], -CLI_GRAVITY * e[1][2]};
  const rutVehicleState s0 = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, t);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  // in the plane: start, velocity of the centre of mass, and of the reference point about it
  const double yaw = 0.3, c = cos(yaw), n = sin(yaw), c1 = cos(yaw + rate * t),
               n1 = sin(yaw + rate * t);
  const double r0[2] = {c * com[0] - n * com[1], n * com[0] + c * com[1]};
  const double r1[2] = {c1 * com[0] - n1 * com[1], n1 * com[0] + c1 * com[1]};
  const double v0[2] = {c * 3 - n * 1 - rate * r0[1], n * 3 + c * 1 + rate * r0[0]};
  double moved[2], world[2];
  for (int k = 0; k < 2; k++) moved[k] = r0[k] - r1[k] + v0[k] * t + 0.5 * g[k] * t * t;
  for (int k = 0; k < 2; k++) world[k] = e[0][k] * moved[0] + e[1][k] * moved[1];
  for (int k = 0; k < 2; k++) {
    cli_worst_relative(s.position[k] - s0.position[k], world[k], value, reference);
  }
  cli_worst_relative(s.rate[2], rate, value, reference);
}

static void glide(cliLab* lab, const char* drive, double* value, double* reference) {
  glide_with(lab, "", drive, value, reference);
}

void cli_case_glide(cliLab* lab, double* value, double* reference) {
  glide(lab, "<drive type='direct'/><controller type='raw'/>", value, reference);
}

// The same with wheels that are steered as it goes; their yaw takes part of the angular momentum,
// little of it.
void cli_case_glide_turned(cliLab* lab, double* value, double* reference) {
  glide(lab, "<drive type='open'/><controller type='raw' steer='0.3'/>", value, reference);
}

// Wheels that push with the speeds at the start of the step are bodies on steered frames.
void cli_case_glide_explicit(cliLab* lab, double* value, double* reference) {
  glide_with(lab, "wheel_coupling='explicit' ",
             "<drive type='open'/><controller type='raw' steer='0.3'/>", value, reference);
}

// ---- vehicles that go as they are told ----

static void build_ideal_steered(cliLab* lab, const char* ground, const char* com, const char* front,
                                const char* twist) {
  cli_lab_build(lab,
                "<world timestep='0.002'>%s<vehicle name='a'>"
                "<chassis mass='2000' com='%s 0.9' z_min='0.4' z_max='1.4' "
                "outline='-2 -0.9, 2 -0.9, 2 0.9, -2 0.9'/>"
                "<suspension type='slider' stiffness='60000' damping='6000'/>"
                "<tyre type='linear' stiffness='400000' damping='2000'/>"
                "<axle x='1.5' track='2' radius='0.5' width='0.3' wheel_mass='60' %s/>"
                "<axle x='-1.5' track='2' radius='0.5' width='0.3' wheel_mass='60'/>"
                "<controller type='twist_ideal' %s/></vehicle></world>",
                ground, com, front, twist);
}
static void build_ideal(cliLab* lab, const char* ground, const char* com, const char* twist) {
  build_ideal_steered(lab, ground, com, "", twist);
}

// All wheels roll about one point on the line of the rear axle, R = v/w to the left: atan(L/(R -+
// T/2)), and the middle moves sideways with w L/2.
void cli_case_ideal_steering(cliLab* lab, double* value, double* reference) {
  build_ideal_steered(lab, "", "0 0", "max_steer='0.6'", "speed='3' yaw_rate='0.5'");
  cli_lab_run_to(lab, 4);
  cli_worst_relative(cli_lab_wheel(lab, 0).steer, atan2(3, 6 - 1), value, reference);
  cli_worst_relative(cli_lab_wheel(lab, 1).steer, atan2(3, 6 + 1), value, reference);
  cli_worst_relative(cli_lab_vehicle(lab, 0).velocity[1], 0.5 * 1.5, value, reference);
  // to the right as tight as the inner wheel allows: R = L/tan(d) + T/2
  cli_lab_command(lab, 3, (const double[]){2, 0, -5});
  cli_lab_step(lab);
  cli_worst_relative(cli_lab_wheel(lab, 1).steer, -0.6, value, reference);
  cli_worst_relative(cli_lab_vehicle(lab, 0).rate[2], -2 / (3 / tan(0.6) + 1), value, reference);
}

// (v/w) (sin w t, 1 - cos w t), to the side as well.
void cli_case_ideal_circle(cliLab* lab, double* value, double* reference) {
  build_ideal(lab, "", "0 0", "speed='3' lateral_speed='0.5' yaw_rate='0.4'");
  cli_lab_run_to(lab, 5);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  const double a = 2, x = (3 * sin(a) - 0.5 * (1 - cos(a))) / 0.4;
  const double y = (3 * (1 - cos(a)) + 0.5 * sin(a)) / 0.4;
  cli_worst_relative(s.position[0], x, value, reference);
  cli_worst_relative(s.position[1], y, value, reference);
  cli_worst_relative(s.yaw, a, value, reference);
}

// Uphill: speed along the slope. All springs are alike, so that the moment m g h sin s about the
// axis through the wheels turns the body against them: the loads shift by m g (h + z) sin s/L.
void cli_case_ideal_slope(cliLab* lab, double* value, double* reference) {
  build_ideal(lab, "<terrain type='plane' slope_x='0.2'/>", "0 0", "speed='4'");
  cli_lab_run_to(lab, 3);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  const double angle = atan(0.2);
  cli_worst_relative(s.velocity[0], 4, value, reference);
  cli_worst_relative(s.position[0], 12 * cos(angle), value, reference);
}

// It stands as high above the slope under way as at the start.
void cli_case_ideal_stands(cliLab* lab, double* value, double* reference) {
  build_ideal(lab, "<terrain type='plane' slope_x='0.2'/>", "0 0", "speed='4'");
  const rutVehicleState from = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 1);
  const rutVehicleState to = cli_lab_vehicle(lab, 0);
  *value = to.position[2] - 0.2 * to.position[0];
  *reference = from.position[2] - 0.2 * from.position[0];
}

// Level, on four equal springs: m g (1/4 + x/2L + y/2T) of the chassis, and each wheel's own
// weight. As the body leans, its centre of mass goes on by a part of its offset, some 1e-4 of the
// loads.
void cli_case_ideal_loads(cliLab* lab, double* value, double* reference) {
  build_ideal(lab, "", "0.03 0.01", "speed='2'");
  cli_lab_run_to(lab, 2);
  for (int w = 0; w < 4; w++) {
    const double along = (w < 2 ? 0.03 : -0.03) / 6, across = (w % 2 ? -0.01 : 0.01) / 4;
    cli_worst_relative(cli_lab_wheel(lab, w).load,
                       CLI_GRAVITY * (2000 * (0.25 + along + across) + 60), value, reference);
  }
}

// While both wheels of an axle are over a gap the others carry the weight, across the body that
// leans.
void cli_case_ideal_gap(cliLab* lab, double* value, double* reference) {
  build_ideal(lab,
              "<plane x_min='-20' x_max='4' y_min='-5' y_max='5'/>"
              "<plane x_min='5.4' x_max='20' y_min='-5' y_max='5'/>",
              "0.1 0", "speed='2'");
  while (!lab->failed && cli_lab_time(lab) < 4) {
    cli_lab_step(lab);
    for (int axle = 0; axle < 2; axle++) {
      if (cli_axle_load(lab, axle) > 0) continue;
      const double lean = cos(cli_lab_vehicle(lab, 0).pitch);
      cli_worst_relative(cli_axle_load(lab, 1 - axle), 2240 * CLI_GRAVITY * lean, value, reference);
    }
  }
}

// Height of the common centre of mass over the contacts, tyres pressed in by a quarter of the
// weight each, and that weight.
static const double IDEAL_MASS = 2240;
static double ideal_height(void) {
  return (2000 * 0.9 + 240 * 0.5) / IDEAL_MASS - IDEAL_MASS * CLI_GRAVITY / 4 / 400e3;
}

// Stiffness against pitch of four springs in series with tyres; the body leans on by 1/(1 - m g
// h/K).
static double ideal_growth(void) {
  const double stiffness = 4 / (1 / 60e3 + 1 / 400e3) * 1.5 * 1.5;
  return 1 / (1 - IDEAL_MASS * CLI_GRAVITY * ideal_height() / stiffness);
}

// In a turn m v w h/T goes from the inner to the outer wheels.
void cli_case_ideal_turn(cliLab* lab, double* value, double* reference) {
  build_ideal(lab, "", "0 0", "speed='6' yaw_rate='0.5'");
  cli_lab_run_to(lab, 2);
  *value = cli_lab_wheel(lab, 1).load + cli_lab_wheel(lab, 3).load - cli_lab_wheel(lab, 0).load -
           cli_lab_wheel(lab, 2).load;
  *reference = 2 * IDEAL_MASS * 6 * 0.5 * ideal_height() / 2;
}

// Uphill m g h sin s/L goes from the front to the rear, from m g cos s/2 each, and more as it
// leans.
void cli_case_ideal_grade(cliLab* lab, double* value, double* reference) {
  const double s = atan(0.2), weight = IDEAL_MASS * CLI_GRAVITY;
  build_ideal(lab, "<terrain type='plane' slope_x='0.2'/>", "0 0", "speed='4'");
  cli_lab_run_to(lab, 2);
  const double shift = weight * ideal_height() * sin(s) / 3 * ideal_growth();
  cli_worst_relative(cli_axle_load(lab, 0), 0.5 * weight * cos(s) - shift, value, reference);
  cli_worst_relative(cli_axle_load(lab, 1), 0.5 * weight * cos(s) + shift, value, reference);
}

// Over long waves it lies on its four equal springs as on the mean of the ground under them.
void cli_case_ideal_waves(cliLab* lab, double* value, double* reference) {
  const double a = 0.1, length = 60, k = 2 * PI / length;
  build_ideal(lab, "<terrain type='sine' amplitude='0.1' wavelength='60'/>", "0 0", "speed='3'");
  cli_lab_run_to(lab, 0.002);
  const rutVehicleState s0 = cli_lab_vehicle(lab, 0);
  for (int i = 1; i <= 6; i++) {
    cli_lab_run_to(lab, 3 * i);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    const double x = s.position[0], front = a * sin(k * (x + 1.5)), rear = a * sin(k * (x - 1.5));
    cli_worst_absolute(s.position[2] - s0.position[2],
                       0.5 * (front + rear) - a * sin(k * s0.position[0]) * cos(1.5 * k), value,
                       reference);
    cli_worst_absolute(-s.pitch, (front - rear) / 3 * ideal_growth(), value, reference);
  }
}

// Rolling wheels: (v - w y)/r_e, a centre line of the free radius.
void cli_case_ideal_wheels(cliLab* lab, double* value, double* reference) {
  build_ideal(lab, "", "0 0", "speed='3' yaw_rate='0.6'");
  cli_lab_run_to(lab, 3);
  const double left = cli_lab_wheel(lab, 0).speed, right = cli_lab_wheel(lab, 1).speed;
  cli_worst_relative(left / right, (3 - 0.6) / (3 + 0.6), value, reference);
}

// ---- links ----

#define BLOCK(name, place, rest)                     \
  "<block name='" name "' position='" place          \
  "' outline='-0.1 -0.1 0.1 -0.1 0.1 0.1 -0.1 0.1' " \
  "ground_friction='0' " rest "/>"

static double block_at(const cliLab* lab, int block, int axis) {
  double pose[6] = {0}, velocity[3];
  if (!lab->failed) rut_block_state(lab->world.model, lab->world.data, block, pose, velocity);
  return pose[axis];
}

// Two blocks on a spring: they pass their first distance after half a period of sqrt(k/m),
// m = m1 m2/(m1 + m2); and so far do they go apart.
void cli_case_rod_spring(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.0001'>" BLOCK("a", "0 0", "mass='2' velocity='-1 0'")
                     BLOCK("b", "2 0", "mass='6' velocity='1 0'")
                     "<joint type='distance' body_a='a' body_b='b' stiffness='600' "
                     "max_length='10'/></world>");
  const double w = sqrt(600 / 1.5);
  double most = 0, last = 0, at = 0;
  while (!lab->failed && at == 0 && cli_lab_time(lab) < 2) {
    cli_lab_step(lab);
    const double apart = block_at(lab, 1, 0) - block_at(lab, 0, 0) - 2;
    most = fmax(most, apart);
    if (last > 0 && apart <= 0) at = cli_lab_time(lab) - 1e-4 * apart / (apart - last);
    last = apart;
  }
  cli_worst_relative(at, PI / w, value, reference);
  cli_worst_relative(most, 2 / w, value, reference);
}

// A spring with a damper beyond critical: the distance comes back as two exponentials.
void cli_case_rod_damper(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.0001'>" BLOCK("a", "0 0", "mass='2' velocity='-1 0'")
                     BLOCK("b", "2 0", "mass='6' velocity='1 0'")
                     "<joint type='distance' body_a='a' body_b='b' stiffness='600' damping='75' "
                     "max_length='10'/></world>");
  cli_lab_run_to(lab, 0.06);
  const double mass = 1.5, b = 75 / (2 * mass), root = sqrt(b * b - 600 / mass);
  const double p = -b + root, q = -b - root;
  *value = block_at(lab, 1, 0) - block_at(lab, 0, 0) - 2;
  *reference = 2 / (p - q) * (exp(p * 0.06) - exp(q * 0.06));
}

// Two blocks on a pin turn about their centre of mass, which goes straight on.
void cli_case_pin_whirl(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.0005'>" BLOCK("a", "0 0", "mass='1' velocity='0 3'")
                     BLOCK("b", "1 0", "mass='3' velocity='0 0'")
                     "<joint type='revolute' body_a='a' body_b='b' anchor_a='0.5 0' "
                     "anchor_b='-0.5 0'/></world>");
  cli_lab_run_to(lab, 1);
  cli_worst_absolute(0.25 * block_at(lab, 0, 0) + 0.75 * block_at(lab, 1, 0), 0.75, value,
                     reference);
  cli_worst_absolute(0.25 * block_at(lab, 0, 1) + 0.75 * block_at(lab, 1, 1), 0.75, value,
                     reference);
}

// A rope that comes taut: both go on with the common speed of an inelastic impact.
void cli_case_rope_stops(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.001'>" BLOCK("a", "0 0", "mass='2' velocity='0 0'")
                     BLOCK("b", "1 0", "mass='6' velocity='2 0'")
                     "<joint type='distance' body_a='a' body_b='b' max_length='1.5'/></world>");
  cli_lab_run_to(lab, 2);
  const double before = block_at(lab, 0, 0);
  cli_lab_run_to(lab, 3);
  cli_worst_relative(block_at(lab, 0, 0) - before, 1.5, value, reference);
  cli_worst_relative(block_at(lab, 1, 0) - block_at(lab, 0, 0), 1.5, value, reference);
}
