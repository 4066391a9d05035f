// SPDX-License-Identifier: BSD-3-Clause
#include "bench_terrain.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

// Growing text of a world.
typedef struct Text {
  char* at;
  size_t size, used;
  bool failed;
} Text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(Text* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = text->failed
                    ? -1
                    : vsnprintf(text->at + text->used, text->size - text->used, format, arguments);
  va_end(arguments);
  if (n < 0 || (size_t)n >= text->size - text->used) {
    text->failed = true;
  } else {
    text->used += (size_t)n;
  }
}

// side x side heights, 0.25 m apart: hills of some metres with ridges and stones of centimetres. A
// text matrix.
static bool write_heights(FILE* file, int side) {
  uint32_t noise = 1;
  for (int row = 0; row < side; row++) {
    for (int column = 0; column < side; column++) {
      const double x = 0.25 * column, y = 0.25 * row;
      noise = noise * 1664525u + 1013904223u;
      const double stone = 0.03 * ((double)(noise >> 8) / (1 << 24) - 0.5);
      const double hill = 0.8 * sin(0.09 * x) * cos(0.07 * y) + 0.1 * sin(0.9 * x + 0.4 * y);
      fprintf(file, "%.4f ", hill + stone);
    }
    putc('\n', file);
  }
  return !ferror(file);
}

// Two tons on wheels with sprung axles, in circles of some metres.
static void put_slider(Text* text, const cliScene* scene, int index, double x, double y) {
  put(text,
      "<vehicle name='v%d' position='%g %g' contact_slices='%d' contact_refine='%s'>"
      "<chassis mass='2000' com='0 0 0.8' outline='-2 -0.9, 2 -0.9, 2 0.9, -2 0.9' z_min='0.4' "
      "z_max='1.4'/>"
      "<suspension type='slider' stiffness='60000' damping='6000'/>"
      "<tyre type='linear' stiffness='400000' damping='2000'/>",
      index, x, y, scene->slices ? scene->slices : 12, scene->slices ? "false" : "true");
  const double first = scene->axles > 1 ? 1.6 : 0, apart = 3.2 / (scene->axles - 1.0 + 1e-9);
  for (int a = 0; a < scene->axles; a++) {
    put(text,
        "<axle x='%g' track='1.8' radius='0.45' width='0.3' wheel_mass='60' max_steer='%s' "
        "brake='3000'/>",
        scene->axles > 1 ? first - apart * a : 0, a == 0 && scene->axles > 1 ? "0.5" : "0");
  }
  put(text, "<drive type='open'/>%s</vehicle>",
      scene->ideal ? "<controller type='twist_ideal' speed='5' yaw_rate='0.7'/>"
                   : "<controller type='pedals' torque='800' steer='0.45'/>");
}

// A rover like VIVI of VirtualBotz 3D on a slope, its controller at 10 kHz.
static void put_rover(Text* text, int index, double x, double y) {
  put(text,
      "<vehicle name='v%d' position='%g %g'>"
      "<chassis mass='60' com='0 0 0.25' z_min='0.12' z_max='0.5' "
      "outline='-0.32 -0.19, 0.32 -0.19, 0.32 0.19, -0.32 0.19'/>"
      "<suspension type='massless' stiffness='20000' damping='600' travel='0.08'/>"
      "<tyre type='linear'/>"
      "<axle x='0.25' track='0.5' radius='0.13' width='0.08' wheel_mass='2.5'/>"
      "<axle x='-0.25' track='0.5' radius='0.13' width='0.08' wheel_mass='2.5'/>"
      "<drive type='dc_motor' gear='8' command='wheel'/>"
      "<controller type='cdta' speed='3' yaw_rate='0.5' speed_gain='100' yaw_gain='10'/></vehicle>",
      index, x, y);
}

// Sensors on a mast: lasers, each tilted by a degree more than the one before, or another one.
static void put_sensors(Text* text, cliEye eye) {
  static const char* const sensor[] = {
      [CLI_VLP16] = "type='lidar' preset='vlp16'",
      [CLI_LIDAR64] =
          "type='lidar' channels='64' columns='1600' elevation_first='-24.8 deg' "
          "elevation_last='2 deg' max_range='120' rated_range='120'",
      [CLI_CAMERA_DEPTH] =
          "type='camera' width='640' height='480' render='false' pitch='10 deg' "
          "max_range='200'",
      [CLI_CAMERA_COLOUR] =
          "type='camera' width='640' height='480' pitch='10 deg' "
          "max_range='200'"};
  put(text,
      "<vehicle name='mast'><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
      "<tyre type='coulomb'/><drive type='direct'/>");
  if (eye != CLI_LASERS) put(text, "<sensor name='eye' z='2' period='0.1' %s/>", sensor[eye]);
  for (int i = 0; i < CLI_SCENE_FANS && eye == CLI_LASERS; i++) {
    put(text,
        "<sensor type='laser' name='fan%d' z='2' pitch='%d deg' fov='360 deg' rays='%d' "
        "max_range='100' range_noise='0' angle_noise='0'/>",
        i, i + 1, CLI_FAN_RAYS);
  }
  put(text, "</vehicle>");
}

// Boxes of 0.5 to 2 m on a square of 200 m, none within 3 m of the mast.
static void put_prisms(Text* text, int count) {
  uint32_t noise = 7;
  for (int i = 0; i < count;) {
    double u[4];
    for (int k = 0; k < 4; k++) {
      noise = noise * 1664525u + 1013904223u;
      u[k] = (double)(noise >> 8) / (1 << 24);
    }
    const double x = 200 * u[0] - 100, y = 200 * u[1] - 100;
    if (fabs(x) < 3 && fabs(y) < 3) continue;
    put(text,
        "<block position='%.3f %.3f' yaw='%.3f' fixed='true' shape='box' size='%.3f 1 %.3f'/>", x,
        y, 3 * u[2], 0.5 + 1.5 * u[3], 0.5 + 2.5 * u[2]);
    i++;
  }
}

// Trees on a square of 120 m, parked cars among them.
static void put_scenery(Text* text, int trees) {
  const char* const area = "-60 -60, 60 -60, 60 60, -60 60";
  if (trees == 0) return;
  put(text, "<scenery type='tree' number='%d' area='%s' spacing='4 m'/>", trees, area);
  put(text, "<scenery type='car' number='%d' area='%s' spacing='6 m'/>", trees / 10, area);
}

static void put_rays(Text* text, const cliScene* scene, const char* heights) {
  put(text, "<world timestep='0.005'>");
  if (scene->rough) put(text, "<elevation_map resolution='0.25' file='%s'/>", heights);
  if (scene->shapes) {
    put(text,
        "<terrain type='iso8608' class='D' form='area' wavelength_max='10 m'/>"
        "<terrain type='step' position='20 0' height='15 cm' yaw='20 deg'/>");
  }
  put_prisms(text, scene->prisms);
  put_scenery(text, scene->trees);
  put_sensors(text, scene->eye);
  put(text, "</world>");
}

static void put_world(Text* text, const cliScene* scene, const char* heights) {
  const int side = (int)ceil(sqrt((double)scene->vehicles) - 1e-9);
  const double apart = 15, middle = 0.5 * apart * (side - 1);
  const bool rovers = scene->kind == CLI_ROVERS;
  put(text, "<world timestep='%s'>", rovers ? "0.0001" : "0.001");
  if (rovers) put(text, "<terrain type='sine' amplitude='0.1' wavelength='2'/>");
  if (scene->rough) put(text, "<elevation_map resolution='0.25' file='%s'/>", heights);
  for (int i = 0; i < scene->vehicles; i++) {
    const double x = apart * (i % side) - middle, y = apart * (i / side) - middle;
    if (rovers) {
      put_rover(text, i, x, y);
    } else {
      put_slider(text, scene, i, x, y);
    }
  }
  put(text, "</world>");
}

static int parse(const cliScene* scene, const char* heights, cliWorld* world) {
  Text text = {.size = 1u << 20};
  rutError err = {.status = RUT_ERR_MEMORY};
  text.at = malloc(text.size);
  text.failed = !text.at;
  if (scene->kind == CLI_RAYS)
    put_rays(&text, scene, heights);
  else
    put_world(&text, scene, heights);
  rutStatus status = RUT_ERR_MEMORY;
  if (!text.failed) {
    status = rut_spec_parse(world->context, text.at, text.used, scene->name, &world->spec, &err);
  }
  free(text.at);
  return status == RUT_OK ? cli_world_compile(world)
                          : cli_report_failure(&world->report, status, &err);
}

int cli_terrain_scene_build(const cliScene* scene, cliWorld* world) {
  if (!scene->rough) return parse(scene, "", world);
  char path[CLI_SCENE_PATH];
  FILE* file = cli_scene_file("heights.txt", path);
  bool written = file && write_heights(file, scene->kind == CLI_RAYS ? 1024 : 512);
  if (file && fclose(file) != 0) written = false;
  int code = CLI_IO;
  if (written) {
    char folder[CLI_SCENE_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    rutError err = {0};
    const rutStatus status = rut_context_allow_dir(world->context, folder, &err);
    code = status == RUT_OK ? parse(scene, path, world)
                            : cli_report_failure(&world->report, status, &err);
  } else {
    fprintf(stderr, "rut: error: cannot write heights in a temporary folder\n");
  }
  if (file) cli_scene_file_remove(path);
  return code;
}
