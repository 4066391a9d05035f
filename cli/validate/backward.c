// SPDX-License-Identifier: BSD-3-Clause
//
// A vehicle that is alike in front and behind drives backward in a mirrored world as it drives
// forward: whatever the laws are, what happens is the mirror image.
#include <math.h>
#include <stdio.h>

#include "spatial.h"
#include "touching.h"

static const double PI = 3.14159265358979323846;

typedef struct Scene {
  const char* ground;    // elements that have no place
  const char* shape[2];  // attributes of terrain at place and heading below; NULL: none
  double x[2], yaw[2];
  const char *vehicle, *suspension;
  double speed, torque, time, slope;
} Scene;

// dir 1: forward; -1: mirrored at the y axis.
static void build(cliLab* lab, const Scene* s, double dir) {
  char ground[1500];
  int n = snprintf(ground, sizeof ground, "%s<terrain type='plane' slope_x='%.17g'/>", s->ground,
                   dir * s->slope);
  for (int k = 0; k < 2 && s->shape[k]; k++) {
    n += snprintf(ground + n, sizeof ground - (size_t)n,
                  "<terrain %s position='%.17g 0' yaw='%.17g'/>", s->shape[k], dir * s->x[k],
                  dir > 0 ? s->yaw[k] : PI - s->yaw[k]);
  }
  cli_lab_build(lab,
                "<world timestep='0.001'>%s<vehicle name='truck' position='%.17g 0.017 0' "
                "velocity='%.17g 0.2' %s><chassis mass='2100' com='0 0.1 0.75' "
                "inertia='700 2500 3000' z_min='0.45' z_max='1.6' drag_area='3' "
                "outline='-2.2 -0.8 2.2 -0.8 2.2 0.8 -2.2 0.8'/>"
                "<suspension type='%s' stiffness='7e4' damping='6e3'/><tyre type='fiala'/>"
                "<axle x='1.5' track='1.8' radius='0.47' width='0.3' wheel_mass='70' brake='500'/>"
                "<axle x='-1.5' track='1.8' radius='0.47' width='0.3' wheel_mass='70' "
                "brake='500'/><drive type='direct' driven='all' max_torque='0' no_load_speed='0'/>"
                "<controller type='raw' torque_left='%.17g' torque_right='%.17g'/></vehicle>"
                "</world>",
                ground, dir * 0.013, dir * s->speed, s->vehicle, s->suspension, dir * s->torque,
                dir * 0.6 * s->torque);
}

static void compare(cliLab* lab, const Scene* s, double* value, double* reference) {
  rutVehicleState end[2];
  double load[2][4], spin[2][4];
  for (int k = 0; k < 2; k++) {
    const double dir = k ? -1 : 1;
    build(lab, s, dir);
    cli_lab_run_to(lab, s->time);
    end[k] = cli_lab_vehicle(lab, 0);
    for (int w = 0; w < 4; w++) {
      // front and rear wheels change places
      const rutWheelState wheel = cli_lab_wheel(lab, k ? w ^ 2 : w);
      load[k][w] = wheel.load;
      spin[k][w] = dir * wheel.speed;
    }
  }
  const rutVehicleState *a = &end[0], *b = &end[1];
  for (int k = 0; k < 3; k++) {
    const double sign = k == 0 ? -1 : 1;
    cli_worst_absolute(b->position[k], sign * a->position[k], value, reference);
    cli_worst_absolute(b->com_velocity[k], sign * a->com_velocity[k], value, reference);
  }
  cli_worst_absolute(b->roll, a->roll, value, reference);
  cli_worst_absolute(b->pitch, -a->pitch, value, reference);
  cli_worst_absolute(b->yaw, -a->yaw, value, reference);
  for (int w = 0; w < 4; w++) {
    cli_worst_absolute(1e-5 * load[1][w], 1e-5 * load[0][w], value, reference);
    cli_worst_absolute(1e-2 * spin[1][w], 1e-2 * spin[0][w], value, reference);
  }
}

#define SINE "type='sine' amplitude='0.06' wavelength='2.1'"
#define ROAD "<soil type='magic_formula' name='road' surface='dry'/>"

static const Scene
    cams = {ROAD,
            {"type='step' height='0.06' run='0.1'", SINE},
            {2.6, 0},
            {0.4, 0.9},
            "contact='cams'",
            "slider",
            4,
            500,
            1,
            0},
    arc = {ROAD,
           {"type='half_round' radius='0.09'", SINE},
           {2.4, 0.1},
           {0.3, 0.9},
           "contact='arc' width_slices='3'",
           "slider",
           4,
           500,
           1,
           0},
    light = {ROAD,     {"type='step' height='0.06' run='0.2'", SINE},
             {2.4, 0}, {0.5, 0.9},
             "",       "massless",
             4,        500,
             1,        0},
    soft = {"<soil name='s' type='bekker' preset='lete_sand'/><deformable cell='0.05'/>",
            {SINE, NULL},
            {0.3, 0},
            {0, 0},
            "",
            "slider",
            3,
            900,
            0.8,
            0},
    soil = {"<soil name='s' type='bekker' preset='dry_sand'/>",
            {SINE, NULL},
            {0.3, 0},
            {0.4, 0},
            "",
            "slider",
            3,
            900,
            1,
            0.1},
    ford = {ROAD
            "<plane x_min='-100' x_max='100' y_min='-100' y_max='100'/><scenery type='water' "
            "length='200' width='200' depth='0.8'><place position='0 0'/></scenery>",
            {SINE, NULL},
            {0.3, 0},
            {0.4, 0},
            "",
            "slider",
            3,
            300,
            1,
            0},
    step = {
        ROAD, {"type='step' height='0.12'", NULL}, {2.3, 0}, {0.2, 0}, "", "slider", 3, 900, 0.8,
        0};

#define BACKWARD(kind, scene, tolerance)                                          \
  void cli_case_##kind##_##scene(cliLab* lab, double* value, double* reference) { \
    compare(lab, &scene, value, reference);                                       \
  }
CLI_BACKWARD(BACKWARD)
