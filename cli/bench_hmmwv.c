// SPDX-License-Identifier: BSD-3-Clause
#include "bench_hmmwv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rates that front and rear share, and what differs behind; the rest of the front suspension, tyre
// and powertrain are the defaults, which are the HMMWV's.
#define WHEELS                                                                        \
  "z='-0.026289' track='1.819402' radius='0.47' width='0.318' section_height='0.26' " \
  "wheel_mass='71.105' wheel_inertia='7.38782' transverse_inertia='4.34457' brake='4000'"
#define SPRING(a, b, c, d, e, f, g, h, i)                                                    \
  "spring='-0.04 -" b " -0.02 -" a " 0 0 0.02 " a " 0.04 " b " 0.06 " c " 0.08 " d " 0.1 " e \
  " 0.12 " f " 0.14 " g " 0.16 " h " 0.18 " i                                                \
  "' "                                                                                       \
  "stop='0 0 0.002 200 0.01 1000 0.02 2500 0.03 4500 0.04 7500 0.05 12500 0.06 125000' "

static const char vehicle_text[] =
    "<chassis mass='2091.806' com='0.059266 0 0.212631' inertia='1078.9 2964.6 3579.3' "
    "outline='2.35 1 2.35 -1 -2.35 -1 -2.35 1' z_min='-0.12' z_max='1.25' drag_area='2.45'/>"
    "<tyre type='fiala'/>"
    "<axle x='1.648579' max_steer='30 deg' " WHEELS
    "><suspension type='double_wishbone' steering_arm='0.122334 0 -0.040932' "
    "steering_axis='-0.317305 0 -0.948324' " SPRING("3629.92", "8991.95", "17818.2", "31840.7",
                                                    "52791.6", "82403", "122407", "174536",
                                                    "240521")
    "zone_short='0.324104' zone_long='0.418592' zone_compression_damping='5896.52' "
    "zone_rebound_damping='60068.5'/></axle>"
    "<axle x='-1.653405' " WHEELS
    "><suspension type='double_wishbone' upper_front='0.3135503 0.4622571 0.2275942' "
    "upper_rear='0.0415417 0.4620489 0.2237638' upper_ball='0 0.715518 0.2159' "
    "upper_com='0.088773 0.5888482 0.2207768' lower_front='0.187706 0.307086 0' "
    "lower_rear='-0.258826 0.307086 0' lower_ball='0 0.786511 -0.11811' "
    "lower_com='-0.03556 0.5467858 -0.059055' upright_com='0 0.7510145 -0.026289' "
    "tie_rod_inner='0.187706 0.416052 0.058674' tie_rod_outer='0.1347216 0.8211058 -0.009271' "
    "spring_top='-0.139573 0.5015738 0.2564892' spring_foot='-0.1327658 0.543179 -0.046609' "
    "damper_top='-0.139573 0.4977892 0.3231388' damper_foot='-0.1327658 0.543941 -0.0383794' "
    "free_length='0.382' rebound_length='0.35' " SPRING("8020.87", "19869.1", "39372", "70356.8",
                                                        "116651", "182082", "270477", "385663",
                                                        "531468")
    "compression_damping='14535.5' rebound_damping='35025.4' zone_short='0.324104' "
    "zone_long='0.418592' zone_compression_damping='8537.43' zone_rebound_damping='63921.3'/></axle>"
    "<drive type='powertrain'/>";
static const char driven[] =
    "<controller type='throttle' throttle='0.3' steering='0.3'/></vehicle>";
static const char led[] = "<controller type='twist_ideal' speed='6' yaw_rate='0.4'/></vehicle>";

// In circles, 40 m apart.
int cli_hmmwv_scene_build(const cliScene* scene, cliWorld* world) {
  const int side = (int)ceil(sqrt((double)scene->vehicles) - 1e-9);
  const char* controller = scene->ideal ? led : driven;
  const size_t each = sizeof vehicle_text + strlen(controller) + 160;
  char* text = malloc((size_t)scene->vehicles * each + 600);
  rutError err = {0};
  if (!text) return cli_report_failure(&world->report, RUT_ERR_MEMORY, &err);
  char* to = text;
  to += sprintf(to, "<world timestep='1 ms'>");
  if (scene->soft) {
    // sand that springs back and is not dug away, as in earlier versions: the same work for the
    // same times
    to += sprintf(to,
                  "<soil type='bekker' name='sand' preset='lete_sand' rebound_stiffness='0' "
                  "rebound_gradient='503e6' largest_rebound='1' rubber_share='0' "
                  "slip_sinkage='none' rolling_resistance='0' dig_in='none'/>"
                  "<deformable cell='5 cm' memory='64 MB'/>");
  }
  for (int i = 0; i < scene->vehicles; i++) {
    to += sprintf(to, "<vehicle name='h%d' position='%d %d' velocity='6 0'>", i, 40 * (i % side),
                  40 * (i / side));
    memcpy(to, vehicle_text, sizeof vehicle_text - 1);
    to += sizeof vehicle_text - 1;
    to += sprintf(to, "%s", controller);
  }
  to += sprintf(to, "</world>");
  const rutStatus status =
      rut_spec_parse(world->context, text, (size_t)(to - text), "bench.xml", &world->spec, &err);
  free(text);
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  return cli_world_compile(world);
}
