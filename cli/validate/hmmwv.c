// SPDX-License-Identifier: BSD-3-Clause
//
// A HMMWV on double wishbones, as worlds/vehicles/hmmwv.xml has it.
#include <math.h>
#include <stdio.h>

#include "spatial.h"

// Without dampers; the front one has the defaults' points.
static const char front_suspension[] =
    "<suspension type='double_wishbone' steering_arm='0.122334 0 -0.040932 m' "
    "steering_axis='-0.317305 0 -0.948324' free_length='0.339 m' bump_length='0.15 m' "
    "rebound_length='0.30 m' spring='-0.06 -17818.2 -0.04 -8991.95 -0.02 -3629.92 0 0 0.02 "
    "3629.92 0.04 8991.95 0.06 17818.2 0.08 31840.7 0.10 52791.6 0.12 82403 0.14 122407 "
    "0.16 174535.7 0.18 240521.2 0.20 322095.5' stop='0 0 0.002 200 0.01 1000 0.02 2500 "
    "0.03 4500 0.04 7500 0.05 12500 0.06 125000' ";
static const char rear_suspension[] =
    "<suspension type='double_wishbone' upper_front='0.3135503 0.4622571 0.2275942 m' "
    "upper_rear='0.0415417 0.4620489 0.2237638 m' upper_ball='0 0.7155180 0.2159000 m' "
    "upper_com='0.0887730 0.5888482 0.2207768 m' lower_front='0.1877060 0.3070860 0 m' "
    "lower_rear='-0.2588260 0.3070860 0 m' lower_ball='0 0.7865110 -0.1181100 m' "
    "lower_com='-0.0355600 0.5467858 -0.0590550 m' upright_com='0 0.7510145 -0.0262890 m' "
    "tie_rod_inner='0.1877060 0.4160520 0.0586740 m' tie_rod_outer='0.1347216 0.8211058 "
    "-0.0092710 m' spring_top='-0.1395730 0.5015738 0.2564892 m' spring_foot='-0.1327658 "
    "0.5431790 -0.0466090 m' damper_top='-0.1395730 0.4977892 0.3231388 m' "
    "damper_foot='-0.1327658 0.5439410 -0.0383794 m' free_length='0.382 m' "
    "bump_length='0.15 m' rebound_length='0.35 m' spring='-0.06 -39372 -0.04 -19869.1 -0.02 "
    "-8020.87 0 0 0.02 8020.87 0.04 19869.1 0.06 39372 0.08 70356.8 0.10 116651.1 0.12 "
    "182082 0.14 270476.9 0.16 385663.3 0.18 531468.2 0.20 711719.3' stop='0 0 0.002 200 "
    "0.01 1000 0.02 2500 0.03 4500 0.04 7500 0.05 12500 0.06 125000' ";

static const char* const dampers[2] = {
    " compression_damping='12521.6 N s/m' rebound_damping='22460 N s/m' zone_short='0.324104 m' "
    "zone_long='0.418592 m' zone_compression_damping='5896.52 N s/m' "
    "zone_rebound_damping='60068.5 N s/m'",
    " compression_damping='14535.5 N s/m' rebound_damping='35025.4 N s/m' zone_short='0.324104 m' "
    "zone_long='0.418592 m' zone_compression_damping='8537.43 N s/m' "
    "zone_rebound_damping='63921.3 N s/m'"};
static const char none[] = " compression_damping='0' rebound_damping='0'";
static const char light[] =
    " upper_mass='0' lower_mass='0' upright_mass='0' upper_inertia='0 0 0' lower_inertia='0 0 0' "
    "upright_inertia='0 0 0'";

static const char* or_nothing(const char* text) { return text ? text : ""; }

void cli_hmmwv_build(cliLab* lab, const cliHmmwv* h) {
  char suspension[2][1600], wheels[300];
  (void)snprintf(
      wheels, sizeof wheels,
      "z='-0.026289' track='1.819402' radius='0.47' width='0.318' section_height='0.26' "
      "wheel_mass='71.105' wheel_inertia='7.38782' transverse_inertia='4.34457' brake='4000' "
      "anti_roll='%.17g'",
      h->bars);
  for (int i = 0; i < 2; i++) {
    (void)snprintf(suspension[i], sizeof suspension[i], "%s%s%s/>",
                   i ? rear_suspension : front_suspension, h->undamped ? none : dampers[i],
                   h->light ? light : "");
  }
  cli_lab_build(
      lab,
      "<world %s>%s%s"
      "<vehicle name='hmmwv' %s>"
      "<chassis mass='2091.806' com='0.059266 %.17g 0.212631' inertia='1078.9 2964.6 3579.3' "
      "outline='2.35 1 2.35 -1 -2.35 -1 -2.35 1' z_min='-0.12' z_max='1.25' %s/><tyre type='%s'/>"
      "<axle x='1.648579' %s max_steer='0.5236'>%s</axle><axle x='-1.653405' %s>%s</axle>%s"
      "%s%s%s%s</vehicle></world>",
      h->world ? h->world : "timestep='0.001'",
      h->road ? h->road : "<soil name='road' type='magic_formula' surface='user' d='0.8'/>",
      or_nothing(h->ground), or_nothing(h->start), h->aside > 0 ? h->aside : 0.000191,
      or_nothing(h->chassis), h->tyre ? h->tyre : "fiala", wheels, suspension[0], wheels,
      suspension[1], or_nothing(h->inside), h->drive ? h->drive : "<drive type='powertrain'/>",
      h->controller ? h->controller : "<controller type='throttle' ",
      h->controller ? "" : or_nothing(h->pedals), h->controller ? "" : "/>");
}

// Of each axle of a vehicle at rest with its weight to one side: the difference of the wheel loads
// over that of the travels. On ice, since tyres that stick hold the axles against each other
// sideways.
static void lean(cliLab* lab, double bars, double rate[2]) {
  const cliHmmwv hmmwv = {
      .road = "<soil name='ice' type='magic_formula' surface='user' d='0.0001'/>",
      .aside = 0.05,
      .bars = bars,
      .pedals = "brake='1'"};
  cli_hmmwv_build(lab, &hmmwv);
  cli_lab_run_to(lab, 8);
  for (int axle = 0; axle < 2; axle++) {
    const rutWheelState l = cli_lab_wheel(lab, 2 * axle), r = cli_lab_wheel(lab, 2 * axle + 1);
    rate[axle] = (l.load - r.load) / (l.travel - r.travel);
  }
}

// A bar of a N/m pushes one wheel with a times the difference of travel and pulls the other one:
// the loads differ by 2 a times it more.
void cli_case_hmmwv_bars(cliLab* lab, double* value, double* reference) {
  static const double BARS = 4000;
  double without[2], with[2];
  lean(lab, 0, without);
  lean(lab, BARS, with);
  *value = *reference = (double)NAN;
  for (int axle = 0; axle < 2; axle++) {
    cli_worst_relative(with[axle] - without[axle], 2 * BARS, value, reference);
  }
}
