// SPDX-License-Identifier: BSD-3-Clause
//
// Results of VirtualBotz 3D (Silva et al., figures 10 to 12) for two controllers at 10 m/s: with
// proportional control and gravity compensation the rover spins its wheels and turns over on the
// ramp at the end, with CDTA it gets to the speed sooner, on less energy, and stays on its wheels.
// The source gives neither rover nor ground: those here are similar.
#include <math.h>

#include "spatial.h"

enum { PROPORTIONAL, CDTA, CONTROLLERS };

#define ROVER(name, y, com, controller)                                        \
  "<vehicle name='" name "' position='0 " y                                    \
  "'>"                                                                         \
  "<chassis mass='60' com='0 0 " com                                           \
  "' outline='-0.32 -0.19 0.32 -0.19 0.32 0.19 -0.32 0.19' "                   \
  "z_min='0.12' z_max='0.5'/>"                                                 \
  "<suspension type='massless' stiffness='20e3' damping='600' travel='0.08'/>" \
  "<tyre type='linear'/>"                                                      \
  "<axle x='0.25' track='0.5' radius='0.13' width='0.08' wheel_mass='2.5'/>"   \
  "<axle x='-0.25' track='0.5' radius='0.13' width='0.08' wheel_mass='2.5'/>"  \
  "<drive type='dc_motor' gear='8' command='wheel'/>"                          \
  "<controller type='" controller "' speed='10' speed_gain='100'/></vehicle>"
#define ROVERS(com) ROVER("a", "2", com, "p_gravity") ROVER("b", "-2", com, "cdta")

static void build_waves(cliLab* lab) {
  cli_lab_build(lab,
                "<world timestep='0.001'>"
                "<terrain type='sine' amplitude='0.2' wavelength='10' x_min='5' edge='2'/>" ROVERS(
                    "0.25") "</world>");
}

#define BEND(x) "<terrain type='plane' position='" x " 0' x_min='0' slope_x='0.08'/>"
// Level for 30 m, then a grade of 80 % that bends up in ten steps.
static void build_ramp(cliLab* lab) {
  cli_lab_build(lab, "<world timestep='0.001'>" BEND("30") BEND("30.5") BEND("31") BEND("31.5")
                         BEND("32") BEND("32.5") BEND("33") BEND("33.5") BEND("34") BEND("34.5")
                             ROVERS("0.34") "</world>");
}

typedef struct Record {
  double reached;  // time at which it has 95 % of the speed [s]
  double tilt;     // largest angle between its z axis and the vertical [rad]
  double energy;   // drawn from the battery [J]
} Record;

static void drive(cliLab* lab, double until, Record record[CONTROLLERS]) {
  for (int i = 0; i < CONTROLLERS; i++) record[i] = (Record){.reached = (double)NAN};
  while (!lab->failed && cli_lab_time(lab) < until - 1e-9) {
    cli_lab_step(lab);
    for (int i = 0; i < CONTROLLERS; i++) {
      const rutVehicleState s = cli_lab_vehicle(lab, i);
      const double* v = s.com_velocity;
      const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      if (isnan(record[i].reached) && speed > 9.5) record[i].reached = cli_lab_time(lab);
      record[i].tilt = fmax(record[i].tilt, acos(cos(s.roll) * cos(s.pitch)));
    }
  }
  for (int i = 0; i < CONTROLLERS && !lab->failed; i++) {
    rutEnergy energy;
    rut_vehicle_energy(lab->world.model, lab->world.data, i, &energy);
    record[i].energy = energy.consumed;
  }
}

// Vehicles that turn over on the ramp: the one with proportional control.
void cli_case_ramp_proportional(cliLab* lab, double* value, double* reference) {
  Record record[CONTROLLERS];
  build_ramp(lab);
  drive(lab, 9, record);
  *value = record[PROPORTIONAL].tilt > acos(0);
  *reference = 1;
}

void cli_case_ramp_cdta(cliLab* lab, double* value, double* reference) {
  Record record[CONTROLLERS];
  build_ramp(lab);
  drive(lab, 9, record);
  *value = record[CDTA].tilt > acos(0);
  *reference = 0;
}

// CDTA over proportional control; the reference says less than 1.
void cli_case_level_time(cliLab* lab, double* value, double* reference) {
  Record record[CONTROLLERS];
  build_ramp(lab);
  drive(lab, 4, record);
  *value = record[CDTA].reached / record[PROPORTIONAL].reached;
  *reference = 0;
}

void cli_case_level_energy(cliLab* lab, double* value, double* reference) {
  Record record[CONTROLLERS];
  build_ramp(lab);
  drive(lab, 4, record);
  *value = record[CDTA].energy / record[PROPORTIONAL].energy;
  *reference = 0;
}

void cli_case_waves_time(cliLab* lab, double* value, double* reference) {
  Record record[CONTROLLERS];
  build_waves(lab);
  drive(lab, 4, record);
  *value = record[CDTA].reached / record[PROPORTIONAL].reached;
  *reference = 0;
}

void cli_case_waves_energy(cliLab* lab, double* value, double* reference) {
  Record record[CONTROLLERS];
  build_waves(lab);
  drive(lab, 10, record);
  *value = record[CDTA].energy / record[PROPORTIONAL].energy;
  *reference = 0;
}
