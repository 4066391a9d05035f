// SPDX-License-Identifier: BSD-3-Clause
#include "bench_skid.h"

#include <string.h>

// A rover of 36 kg on four wheels, that of worlds/vehicles/rover.xml, in a circle.
static const char text[] =
    "<world timestep='5 ms'><vehicle name='rover'>"
    "<chassis mass='30' outline='-0.40 -0.22, 0.40 -0.22, 0.40 0.22, -0.40 0.22'/>"
    "<wheel place='rear_left' position='-0.25 0.28' mass='1.5' radius='0.13' width='0.08'/>"
    "<wheel place='rear_right' position='-0.25 -0.28' mass='1.5' radius='0.13' width='0.08'/>"
    "<wheel place='front_left' position='0.25 0.28' mass='1.5' radius='0.13' width='0.08'/>"
    "<wheel place='front_right' position='0.25 -0.28' mass='1.5' radius='0.13' width='0.08'/>"
    "<tyre type='coulomb' friction='0.7' bearing_damping='0.05' rolling_resistance='0.01'/>"
    "<drive type='direct'/><controller type='twist_pid' proportional_gain='40' "
    "integral_gain='60' max_torque='30' speed='1' yaw_rate='0.3'/></vehicle></world>";

int cli_skid_scene_build(const cliScene* scene, cliWorld* world) {
  rutError err = {0};
  const rutStatus status =
      rut_spec_parse(world->context, text, strlen(text), scene->name, &world->spec, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}
