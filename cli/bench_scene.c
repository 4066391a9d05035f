// SPDX-License-Identifier: BSD-3-Clause
#include "bench_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_hmmwv.h"
#include "bench_skid.h"
#include "bench_terrain.h"

static const cliScene scenes[] = {
    {"circle_1", CLI_CIRCLES, 1, .laser = false},
    {"circle_10", CLI_CIRCLES, 10, .laser = false},
    {"circle_100", CLI_CIRCLES, 100, .laser = false},
    {"circle_1000", CLI_CIRCLES, 1000, .laser = false},
    {"circle_1_laser181", CLI_CIRCLES, 1, .laser = true},
    {"circle_10_laser181", CLI_CIRCLES, 10, .laser = true},
    {"circle_100_laser181", CLI_CIRCLES, 100, .laser = true},
    {"circle_1000_laser181", CLI_CIRCLES, 1000, .laser = true},
    {"grid_laser", CLI_CIRCLES, 1, .laser = true, .grid = true},
    {"slider4_flat", CLI_SLIDERS, 1, .axles = 2},
    {"slider4_flat_8", CLI_SLIDERS, 8, .axles = 2},
    {"slider4_flat_64", CLI_SLIDERS, 64, .axles = 2},
    {"slider4_flat_512", CLI_SLIDERS, 512, .axles = 2},
    {"slider6_flat", CLI_SLIDERS, 1, .axles = 3},
    {"slider8_flat", CLI_SLIDERS, 1, .axles = 4},
    {"slider16_flat", CLI_SLIDERS, 1, .axles = 8},
    {"slider4_rough", CLI_SLIDERS, 1, .axles = 2, .rough = true},
    {"slider4_rough_64", CLI_SLIDERS, 64, .axles = 2, .rough = true},
    {"slices_20", CLI_SLIDERS, 1, .axles = 2, .rough = true, .slices = 20},
    {"slices_200", CLI_SLIDERS, 1, .axles = 2, .rough = true, .slices = 200},
    {"slices_2000", CLI_SLIDERS, 1, .axles = 2, .rough = true, .slices = 2000},
    {"hmmwv_flat", CLI_HMMWV, 1, .soft = false},
    {"hmmwv_soft", CLI_HMMWV, 1, .soft = true},
    {"hmmwv_8", CLI_HMMWV, 8, .soft = false},
    {"hmmwv_64", CLI_HMMWV, 64, .soft = false},
    {"hmmwv_512", CLI_HMMWV, 512, .soft = false},
    {"hmmwv_soft_64", CLI_HMMWV, 64, .soft = true},
    {"hmmwv_ideal", CLI_HMMWV, 1, .ideal = true},
    {"hmmwv_ideal_64", CLI_HMMWV, 64, .ideal = true},
    {"slider4_rough_ideal", CLI_SLIDERS, 1, .axles = 2, .rough = true, .ideal = true},
    {"vivi_cdta", CLI_ROVERS, 1, .laser = false},
    {"batch_circle", CLI_CIRCLES, 1, .copies = 1024},
    {"batch_hmmwv", CLI_HMMWV, 1, .copies = 512},
    {"batch_rover", CLI_SKID, 1, .copies = 1024},
    {"rays_field", CLI_RAYS, 1, .rough = true},
    {"rays_prisms", CLI_RAYS, 1, .prisms = 1000},
    {"rays_shapes", CLI_RAYS, 1, .shapes = true},
    {"rays_all", CLI_RAYS, 1, .rough = true, .prisms = 1000, .shapes = true},
    {"lidar_vlp16", CLI_RAYS, 1, .rough = true, .eye = CLI_VLP16},
    {"lidar64", CLI_RAYS, 1, .rough = true, .eye = CLI_LIDAR64},
    {"camera_depth", CLI_RAYS, 1, .rough = true, .eye = CLI_CAMERA_DEPTH},
    {"camera_colour", CLI_RAYS, 1, .rough = true, .eye = CLI_CAMERA_COLOUR},
    {"lidar64_forest", CLI_RAYS, 1, .rough = true, .trees = 300, .eye = CLI_LIDAR64},
    {"camera_forest", CLI_RAYS, 1, .rough = true, .trees = 300, .eye = CLI_CAMERA_COLOUR},
};

int cli_scene_rays(const cliScene* scene) {
  static const int of_eye[] = {[CLI_LASERS] = CLI_SCENE_FANS * CLI_FAN_RAYS,
                               [CLI_VLP16] = 16 * 1808,
                               [CLI_LIDAR64] = 64 * 1600,
                               [CLI_CAMERA_DEPTH] = 640 * 480,
                               [CLI_CAMERA_COLOUR] = 640 * 480};
  if (scene->kind == CLI_RAYS) return scene->vehicles * of_eye[scene->eye];
  return scene->laser ? scene->vehicles * CLI_SCENE_RAYS : 0;
}

const cliScene* cli_scenes(int* n) {
  *n = CLI_COUNT(scenes);
  return scenes;
}

// Builds a spec node by node; after the first failure it does nothing more.
typedef struct Builder {
  rutSpec* spec;
  rutError err;
} Builder;

typedef struct Value {
  const char *field, *text;
} Value;

typedef struct Element {
  const char *kind, *type, *name;
  int n;
  const Value* value;  // [n] of its fields
} Element;

static rutNode add(Builder* builder, rutNode parent, Element element) {
  rutNode node = {0};
  if (builder->err.status != RUT_OK) return node;
  node =
      rut_spec_add(builder->spec, parent, element.kind, element.type, element.name, &builder->err);
  if (rut_node_is_null(node) && builder->err.status == RUT_OK) {
    builder->err.status = RUT_ERR_MEMORY;
  }
  for (int i = 0; i < element.n && builder->err.status == RUT_OK; i++) {
    rut_node_set(builder->spec, node, element.value[i].field, element.value[i].text, &builder->err);
  }
  return node;
}

static void set_numbers(Builder* builder, rutNode node, const char* field, int n,
                        const double* value) {
  if (builder->err.status != RUT_OK) return;
  rut_node_set_numbers(builder->spec, node, field, n, value, &builder->err);
}

// A differential robot that drives a circle of 2 m radius at 1 m/s.
static void add_robot(Builder* builder, const cliScene* scene, int index, double x, double y) {
  static const Value chassis[] = {
      {"mass", "15"},
      {"outline", "-0.4 -0.5 -0.4 0.5 0.4 0.5 0.6 0.3 0.6 -0.3 0.4 -0.5"},
  };
  static const Value left[] = {
      {"position", "0 0.5"}, {"place", "left"}, {"mass", "4"}, {"radius", "0.2"}, {"width", "0.2"}};
  static const Value right[] = {{"position", "0 -0.5"},
                                {"place", "right"},
                                {"mass", "4"},
                                {"radius", "0.2"},
                                {"width", "0.2"}};
  static const Value tyre[] = {{"friction", "0.8"}, {"bearing_damping", "0.01"}};
  static const Value controller[] = {
      {"proportional_gain", "4.15"}, {"integral_gain", "1.91"},
      {"max_torque", "14.4"},        {"speed", "1"},
      {"yaw_rate", "0.5"},
  };
  static const Value laser[] = {{"period", "0.1"}, {"z", "0.3"}};
  char name[32];
  snprintf(name, sizeof name, "r%d", index);
  rutNode root = rut_spec_root(builder->spec);
  rutNode vehicle = add(builder, root, (Element){"vehicle", "", name, 0, NULL});
  double place[2] = {x, y};
  set_numbers(builder, vehicle, "position", 2, place);
  add(builder, vehicle, (Element){"chassis", "", "", CLI_COUNT(chassis), chassis});
  add(builder, vehicle, (Element){"wheel", "", "l", CLI_COUNT(left), left});
  add(builder, vehicle, (Element){"wheel", "", "r", CLI_COUNT(right), right});
  add(builder, vehicle, (Element){"tyre", "coulomb", "", CLI_COUNT(tyre), tyre});
  add(builder, vehicle, (Element){"drive", "direct", "", 0, NULL});
  add(builder, vehicle,
      (Element){"controller", "twist_pid", "", CLI_COUNT(controller), controller});
  if (scene->laser)
    add(builder, vehicle, (Element){"sensor", "laser", "laser", CLI_COUNT(laser), laser});
}

FILE* cli_scene_file(const char* name, char path[CLI_SCENE_PATH]) {
  const char* parent = getenv("TMPDIR");
  char folder[CLI_SCENE_PATH - 64];
  const int n =
      snprintf(folder, sizeof folder, "%s/rut_bench_XXXXXX", parent && parent[0] ? parent : "/tmp");
  if (n < 0 || (size_t)n >= sizeof folder || !mkdtemp(folder)) return NULL;
  snprintf(path, CLI_SCENE_PATH, "%s/%.60s", folder, name);
  FILE* file = fopen(path, "wb");
  if (!file) rmdir(folder);
  return file;
}

void cli_scene_file_remove(char path[CLI_SCENE_PATH]) {
  unlink(path);
  *strrchr(path, '/') = '\0';
  rmdir(path);
}

// A map of 200 x 200 cells of 0.1 m: walls around, and pillars every 2.5 m. A binary PGM file.
static bool write_map(FILE* file) {
  enum { CELLS = 200, PILLAR = 25 };
  fprintf(file, "P5\n%d %d\n255\n", CELLS, CELLS);
  for (int row = 0; row < CELLS; row++) {
    for (int column = 0; column < CELLS; column++) {
      bool wall = row < 2 || column < 2 || row >= CELLS - 2 || column >= CELLS - 2;
      // the middle stays free for the robot's circle
      bool near = abs(row - CELLS / 2) < 50 && abs(column - CELLS / 2) < 50;
      bool pillar = row % PILLAR < 3 && column % PILLAR < 3 && !near;
      putc(wall || pillar ? 0 : 255, file);
    }
  }
  return !ferror(file);
}

static int build_circles(const cliScene* scene, cliWorld* world) {
  Builder builder = {0};
  char path[CLI_SCENE_PATH];
  FILE* file = NULL;
  rutStatus status = rut_spec_create(world->context, &builder.spec, &builder.err);
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &builder.err);
  world->spec = builder.spec;
  double step = 0.005;
  set_numbers(&builder, rut_spec_root(builder.spec), "timestep", 1, &step);
  if (scene->grid) {
    file = cli_scene_file("map.pgm", path);
    bool written = file && write_map(file);
    if (file && fclose(file) != 0) written = false;
    if (written) {
      const Value value[] = {{"file", path}, {"resolution", "0.1"}};
      add(&builder, rut_spec_root(builder.spec),
          (Element){"occupancy_grid", "", "", CLI_COUNT(value), value});
    } else {
      builder.err.status = RUT_ERR_IO;
      snprintf(builder.err.message, sizeof builder.err.message,
               "cannot write a map in a temporary folder");
    }
  }
  int side = (int)ceil(sqrt((double)scene->vehicles) - 1e-9);
  for (int i = 0; i < scene->vehicles; i++) {
    // 6 m apart; the circle's centre is 2 m to the left of the start
    add_robot(&builder, scene, i, 6.0 * (i % side), 6.0 * (i / side) - 2);
  }
  int code = CLI_GO_ON;
  if (builder.err.status != RUT_OK) {
    code = cli_report_failure(&world->report, builder.err.status, &builder.err);
  }
  if (code == CLI_GO_ON) code = cli_world_compile(world);
  if (file) cli_scene_file_remove(path);
  return code;
}

int cli_scene_build(const cliScene* scene, cliWorld* world) {
  if (scene->kind == CLI_HMMWV) return cli_hmmwv_scene_build(scene, world);
  if (scene->kind == CLI_SKID) return cli_skid_scene_build(scene, world);
  return scene->kind == CLI_CIRCLES ? build_circles(scene, world)
                                    : cli_terrain_scene_build(scene, world);
}
