// SPDX-License-Identifier: BSD-3-Clause
//
// Scenery: where it stands, what it keeps away from, and what it is to vehicles.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/mesh_builder.h"
#include "rut/scenery.h"
#include "scratch_files.h"
#include "sim/compile/scatter.h"
#include "world_fixture.h"

enum { TEXT = 16384, MOST = 4000 };
#define SQUARE "area='-50 -50, 50 -50, 50 50, -50 50'"

// A world with these elements.
static bool load(World* w, const char* elements) {
  static const rutComponent* const none[] = {NULL};
  char text[TEXT];
  snprintf(text, sizeof text, "<world timestep='5 ms'>%s</world>", elements);
  return load_world(w, text, 0, none);
}
static World open_world(const char* elements) {
  World w;
  if (!load(&w, elements)) fail_msg("%s", w.message);
  return w;
}
static void refuse(const char* elements, const char* says) {
  World w;
  assert_false(load(&w, elements));
  if (!strstr(w.message, says)) fail_msg("'%s' lacks '%s'", w.message, says);
  close_world(&w);
}

// Individuals of a world.
static rutSceneryInfo individual[MOST];
static int look(const World* w) {
  const int n = rut_scenery_count(w->model);
  assert_in_range(n, 0, MOST);
  for (int i = 0; i < n; i++) assert_true(rut_scenery_info(w->model, i, &individual[i]));
  return n;
}
static double least_distance(int n) {
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) {
      const double *a = individual[i].position, *b = individual[k].position;
      least = fmin(least, hypot(a[0] - b[0], a[1] - b[1]));
    }
  }
  return least;
}

// ---- random places ----

static bool anywhere(void* user, const double place[2], double draw, int64_t* cost) {
  (void)user, (void)place, (void)draw, (void)cost;
  return true;
}

// Places are -50 + 100 u with u of Philox4x32-10, computed from its paper by another program.
static void test_numbers(void** state) {
  static const double expected[3][2] = {{28.357560310133692, -35.19762129603624},
                                        {1.580608708225192, -18.05521022652471},
                                        {20.521744223359846, 39.71732998971359}};
  rutContext* context;
  const rutContextDef def = rut_default_context();
  (void)state;
  assert_int_equal(rut_context_create(&def, &context, NULL), RUT_OK);
  rutStanding* standing = rut_standing_create(context);
  int64_t work = 0;
  const rutScatter scatter = {.seed = 7,
                              .stream = 99,
                              .box = {-50, -50, 50, 50},
                              .seats = 3,
                              .insist = true,
                              .spacing = 1,
                              .suits = anywhere,
                              .work = &work};
  rutScatterPlace place[3];
  int n;
  assert_int_equal(rut_scatter(context, &scatter, standing, place, &n), RUT_SCATTER_DONE);
  assert_int_equal(n, 3);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) assert_near(place[i].at[k], expected[i][k], 1e-13);
  }
  rut_standing_destroy(context, standing);
  rut_context_destroy(context);
}

static void test_number_and_spacing(void** state) {
  (void)state;
  World w =
      open_world("<scenery type='rock' number='700' spacing='2 m' size='0.2 0.4' " SQUARE "/>");
  const int n = look(&w);
  assert_int_equal(n, 700);
  assert_true(least_distance(n) >= 2);
  for (int i = 0; i < n; i++) {
    assert_true(fabs(individual[i].position[0]) <= 50 && fabs(individual[i].position[1]) <= 50);
    assert_in_range(individual[i].variant, 0, 11);
    assert_true(individual[i].size >= 0.2 && individual[i].size <= 0.4);
  }
  close_world(&w);
  // the densest packing of discs leaves room for at most area / (sqrt(3)/2 d^2) = 1.15 n
  w = open_world("<scenery type='rock' number='3000' spacing='4 m' " SQUARE "/>");
  assert_true(look(&w) <= 1.16 * 104 * 104 / 16);
  assert_true(least_distance(rut_scenery_count(w.model)) >= 4);
  close_world(&w);
}

// In the triangle of 5000 m2 a density of 0.1 has a mean of 500 and a standard deviation
// below 22.4.
static void test_density(void** state) {
  (void)state;
  double sum = 0;
  for (int seed = 1; seed <= 16; seed++) {
    char text[300];
    snprintf(text, sizeof text,
             "<scenery type='grass' density='0.1' spacing='0.2 m' seed='%d' "
             "area='-50 -50, 50 -50, -50 50'/>",
             seed);
    World w = open_world(text);
    const int n = look(&w);
    assert_true(fabs(n - 500.0) < 4 * 22.4);
    sum += n;
    for (int i = 0; i < n; i++) {
      assert_true(individual[i].position[0] + individual[i].position[1] <= 0);
    }
    close_world(&w);
  }
  assert_true(fabs(sum / 16 - 500) < 4 * 22.4 / 4);
}

// Half as probable in the west as in the east, and impossible in the north.
static void test_map(void** state) {
  (void)state;
  write_file("chance.txt", "0 0\n0.5 1\n");
  char text[600];
  snprintf(text, sizeof text,
           "<scenery type='grass' number='1500' spacing='0.1 m' map='%s' " SQUARE "/>",
           at("chance.txt"));
  World w = {0};
  char world[TEXT];
  snprintf(world, sizeof world, "<world>%s</world>", text);
  rutError err = {0};
  rutSpec* spec = NULL;
  rutContextDef def = rut_default_context();
  assert_int_equal(rut_context_create(&def, &w.context, &err), RUT_OK);
  assert_int_equal(rut_context_allow_dir(w.context, folder, &err), RUT_OK);
  assert_int_equal(rut_spec_parse(w.context, world, strlen(world), "world.xml", &spec, &err),
                   RUT_OK);
  if (rut_compile(spec, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  const int n = look(&w);
  int west = 0;
  assert_int_equal(n, 1500);
  for (int i = 0; i < n; i++) {
    assert_true(individual[i].position[1] <= 0);
    west += individual[i].position[0] < 0;
  }
  // binomial: 500 expected, standard deviation 18.3
  assert_true(abs(west - 500) < 4 * 18.3);
  close_world(&w);
}

static void test_same_places(void** state) {
  (void)state;
  static const char trees[] = "<scenery name='t' type='tree' number='200' " SQUARE "/>";
  World w = open_world(trees);
  const uint64_t hash = rut_model_hash(w.model);
  look(&w);
  const rutSceneryInfo first = individual[0];
  close_world(&w);
  w = open_world(trees);
  assert_true(rut_model_hash(w.model) == hash);
  close_world(&w);
  w = open_world("<scenery name='t' type='tree' seed='2' number='200' " SQUARE "/>");
  look(&w);
  assert_true(first.position[0] != individual[0].position[0]);
  close_world(&w);
}

// Fields that make no difference to it leave every seat where it was.
static void test_seats_keep_their_places(void** state) {
  static rutSceneryInfo before[MOST];
  (void)state;
  World w = open_world("<scenery name='b' type='bush' number='100' spacing='0.1 m' " SQUARE "/>");
  const int n = look(&w);
  memcpy(before, individual, sizeof before);
  close_world(&w);
  w = open_world(
      "<scenery type='rock' places='0 0'/>"
      "<scenery name='b' type='bush' number='100' spacing='0.1 m' " SQUARE "/>");
  assert_int_equal(look(&w), n + 1);
  int same = 0;
  for (int i = 0; i < n; i++) {
    same += before[i].position[0] == individual[i + 1].position[0] &&
            before[i].position[1] == individual[i + 1].position[1];
  }
  assert_in_range(same, n - 3, n);
  close_world(&w);
}

// ---- what it keeps away from ----

static const char vehicle[] =
    "<vehicle name='v' position='%g %g' %s>"
    "<chassis mass='1000' outline='-1 -0.5, 1 -0.5, 1 0.5, -1 0.5' z_min='0.2' z_max='1.5' "
    "restitution='0' friction='0'/>"
    "<wheel place='left' position='0 0.4' mass='0.01' radius='0.3'/>"
    "<wheel place='right' position='0 -0.4' mass='0.01' radius='0.3'/>"
    "<tyre type='coulomb' friction='0'/><drive type='direct'/>%s</vehicle>";

static void test_keeps_away(void** state) {
  char text[TEXT], car[1000];
  (void)state;
  snprintf(car, sizeof car, vehicle, -40.0, 0.0, "",
           "<controller type='waypoints' points='-40 0, 40 0'/>");
  snprintf(text, sizeof text,
           "%s<scenery type='bush' width='1 m' number='900' spacing='0.1 m' start_distance='10 m' "
           "path_distance='3 m' " SQUARE "/>",
           car);
  World w = open_world(text);
  const int n = look(&w);
  assert_int_equal(n, 900);
  for (int i = 0; i < n; i++) {
    const double* p = individual[i].position;
    assert_true(hypot(p[0] + 40, p[1]) >= 10.4);
    assert_true(hypot(p[0] - fmin(fmax(p[0], -40), 40), p[1]) >= 3.4);
  }
  close_world(&w);
}

// A ramp of 20 degrees for x > 0.
static void test_slope(void** state) {
  (void)state;
  World w = open_world(
      "<terrain type='ramp' length='40 m' height='14.56 m' top='100 m'/>"
      "<scenery type='stump' number='300' spacing='0.5 m' max_slope='10 deg' " SQUARE "/>");
  const int n = look(&w);
  assert_int_equal(n, 300);
  for (int i = 0; i < n; i++) {
    const double x = individual[i].position[0];
    assert_true(x < 0.5 || x > 39);
  }
  close_world(&w);
}

// ---- places that are given ----

static void test_places_and_line(void** state) {
  (void)state;
  World w = open_world(
      "<scenery type='cone' places='1 2, 3 4'><place position='5 6' yaw='90 deg' size='2'/>"
      "</scenery>"
      "<scenery name='f' type='fence' length='2 m' along='0 0, 7 0, 7 5' offset='1 m'/>");
  assert_int_equal(look(&w), 3 + 6);
  static const double x[] = {1, 3, 5, 1, 3, 5, 7, 6, 6}, y[] = {2, 4, 6, 1, 1, 1, 1, 2, 4};
  static const double right = 1.5707963267948966;
  static const double yaw[] = {0, 0, right, 0, 0, 0, 0, right, right};
  for (int i = 0; i < 9; i++) {
    assert_near(individual[i].position[0], x[i], 1e-12);
    assert_near(individual[i].position[1], y[i], 1e-12);
    assert_near(individual[i].yaw, yaw[i], 1e-12);
  }
  assert_near(individual[2].size, 2, 0);
  // the upper edge of a cone of 0.75 m, twice as large
  rutSceneryPrism prism = {0}, next;
  for (int k = 0; rut_scenery_prism(w.model, 2, k, &next); k++) prism = next;
  assert_near(prism.z_max, 1.5, 1e-12);
  close_world(&w);
}

// ---- what it is to vehicles and sensors ----

// A vehicle at 5 m/s without friction against something in its way.
static void drive_against(const char* scenery, double* speed, double* impulse) {
  char text[TEXT], car[1000];
  snprintf(car, sizeof car, vehicle, -5.0, 0.0, "velocity='5 0'", "<controller type='raw'/>");
  snprintf(text, sizeof text, "%s%s", car, scenery);
  World w = open_world(text);
  *impulse = 0;
  for (int i = 0; i < 400; i++) {
    int n;
    run(&w, 1);
    const rutContact* contact = rut_contacts(w.model, w.data, &n);
    for (int k = 0; k < n; k++) *impulse += contact[k].impulse;
  }
  *speed = rut_vehicle_state(w.model, w.data, 0).velocity[0];
  close_world(&w);
}

// All of its momentum, 1000.02 kg x 5 m/s, goes into the tree.
static void test_collision(void** state) {
  double speed, impulse;
  (void)state;
  drive_against("<scenery type='tree' height='8 m' restitution='0' places='3 0'/>", &speed,
                &impulse);
  assert_near(speed, 0, 1e-6);
  assert_near(impulse, 1000.02 * 5, 0.01);
  drive_against("<scenery type='bush' places='3 0'/>", &speed, &impulse);
  assert_near(speed, 5, 1e-9);
  assert_near(impulse, 0, 0);
  drive_against("<scenery type='bush' solid='yes' restitution='0' places='3 0'/>", &speed,
                &impulse);
  assert_near(impulse, 1000.02 * 5, 0.01);
  drive_against("<scenery type='tree' solid='no' places='3 0'/>", &speed, &impulse);
  assert_near(speed, 5, 1e-9);
  // the crown begins above the vehicle
  drive_against("<scenery type='tree' height='12 m' places='3 1.5'/>", &speed, &impulse);
  assert_near(speed, 5, 1e-9);
}

static void test_instances_and_classes(void** state) {
  (void)state;
  World w = open_world(
      "<scenery name='oaks' type='tree' places='5 0, 9 0'/>"
      "<scenery type='rock' places='5 5'><material class='boulder'/></scenery>");
  assert_int_equal(look(&w), 3);
  rutInstanceInfo info;
  assert_true(individual[0].instance != individual[1].instance);
  assert_true(rut_instance_info(w.model, individual[1].instance, &info));
  assert_string_equal(info.kind, "scenery");
  assert_string_equal(info.name, "oaks");
  bool tree = false, boulder = false, rock = false;
  for (int i = 0; i < rut_class_count(w.model); i++) {
    tree |= strcmp(rut_class_name(w.model, i), "tree") == 0;
    boulder |= strcmp(rut_class_name(w.model, i), "boulder") == 0;
    rock |= strcmp(rut_class_name(w.model, i), "rock") == 0;
  }
  assert_true(tree && boulder && !rock);
  close_world(&w);
}

// ---- actors ----

static void where(const World* w, double pose[6], double velocity[3]) {
  rut_block_state(w->model, w->data, 0, pose, velocity);
}

// 10 m at 2 m/s, 1 s of rest, a quarter of a turn at 90 deg/s, 10 m at 4 m/s: after 5, 6, 7, 9.5 s.
static void test_actor(void** state) {
  double p[6], v[3];
  (void)state;
  World w = open_world(
      "<actor name='a' path='0 0, 10 0, 10 10' speed='2 m/s' turn_rate='90 deg/s' end='stop'>"
      "<waypoint point='1' pause='1 s'/><waypoint point='2' speed='4 m/s'/>"
      "<scenery type='person'/></actor>");
  run(&w, 500);  // 2.5 s
  where(&w, p, v);
  assert_near(p[0], 5, 1e-9);
  assert_near(v[0], 2, 1e-9);
  run(&w, 600);  // 5.5 s
  where(&w, p, v);
  assert_near(p[0], 10, 1e-9);
  assert_near(v[0], 0, 1e-9);
  assert_near(p[5], 0, 1e-9);
  run(&w, 200);  // 6.5 s
  where(&w, p, v);
  assert_near(p[5], 0.25 * 3.14159265358979, 1e-9);
  assert_near(v[2], 0.5 * 3.14159265358979, 1e-9);
  run(&w, 300);  // 8 s
  where(&w, p, v);
  assert_near(p[1], 4, 1e-9);
  assert_near(v[1], 4, 1e-9);
  run(&w, 2000);
  where(&w, p, v);
  assert_near(p[0], 10, 1e-9);
  assert_near(p[1], 10, 1e-9);
  assert_near(v[1], 0, 1e-9);
  close_world(&w);
}

// A curve of radius 2 m between legs of 10 m: 2 m of each leg make way for an arc of pi m.
static void test_actor_curves(void** state) {
  double p[6], v[3];
  (void)state;
  World w = open_world(
      "<actor path='0 0, 10 0, 10 10' speed='1 m/s' corner_radius='2 m' delay='1 s' end='return'>"
      "<scenery type='car'/></actor>");
  run(&w, 200);
  where(&w, p, v);
  assert_near(p[0], 0, 1e-9);
  // half the arc: the middle of it is at 8 + 2 sin 45, 2 - 2 cos 45; chords are 2 (1 - cos 5 deg)
  // off
  run(&w, (int)(200 * (8 + 0.5 * 3.14159265358979)));
  where(&w, p, v);
  assert_near(hypot(p[0] - 8, p[1] - 2), 2, 0.009);
  assert_near(p[5], 0.25 * 3.14159265358979, 0.01);
  run(&w, (int)(200 * (0.5 * 3.14159265358979 + 8)));
  where(&w, p, v);
  assert_near(p[0], 10, 1e-6);
  assert_near(p[1], 10, 0.02);
  close_world(&w);
}

// Infinite mass: it takes a vehicle without friction along at its own speed.
static void test_actor_pushes(void** state) {
  char text[TEXT], car[1000];
  (void)state;
  snprintf(car, sizeof car, vehicle, 0.0, 0.0, "", "<controller type='raw'/>");
  snprintf(
      text, sizeof text,
      "%s<actor path='-10 0, 100 0' speed='3 m/s' restitution='0'><scenery type='car'/></actor>",
      car);
  World w = open_world(text);
  run(&w, 1000);
  double p[6], v[3];
  where(&w, p, v);
  assert_near(p[0], 5, 1e-9);
  assert_near(rut_vehicle_state(w.model, w.data, 0).velocity[0], 3, 1e-6);
  close_world(&w);
}

static void test_actors_refused(void** state) {
  (void)state;
  refuse("<actor path='0 0, 1 1'/>", "needs a <scenery>");
  refuse("<actor path='0 0'><scenery type='person'/></actor>", "2 to 10000 points");
  refuse("<actor path='1 1, 1 1'><scenery type='person'/></actor>", "all points");
  refuse("<actor path='0 0, 1 1'><waypoint point='2'/><scenery type='person'/></actor>", "0 to 1");
  refuse("<actor><scenery type='person'/></actor>", "path");
}

// ---- roads ----

// Across the plane z = 0.1 x a road along y is level but for its crown, blends over the shoulder by
// 3 u^2 - 2 u^3, and leaves what is beyond; along x it is the plane.
static void test_road(void** state) {
  char text[TEXT], *to = text;
  (void)state;
  to += sprintf(to, "<elevation_map resolution='0.5 m' matrix='[");
  for (int i = 0; i < 81; i++) {
    if (i) to += sprintf(to, ";");
    for (int k = 0; k < 13; k++) to += sprintf(to, " %g", 0.05 * i);
  }
  sprintf(to, "]' corner='-20 -13'/>");
  World flat = open_world(text);
  assert_near(rut_terrain_height(flat.model, flat.data, 0, -9.8, 1e3), 2, 1e-9);
  close_world(&flat);
  to = text + strlen(text);
  sprintf(to, "<road points='0 -30, 0 30' width='6 m' crown='0.02' shoulder='4 m'/>");
  World w = open_world(text);
  static const double x[] = {0, 3, -3, 5, 7, 9}, z[] = {2, 1.94, 1.94, 2.22, 2.7, 2.9};
  for (int i = 0; i < 6; i++) {
    // half way over the shoulder: between 1.94 and 2.5
    assert_near(rut_terrain_height(w.model, w.data, x[i], -9.8, 1e3), z[i], 1e-6);
  }
  close_world(&w);
}

// Pavements of 12 cm beside a road on level ground, and its friction.
static void test_road_on_level_ground(void** state) {
  (void)state;
  World w = open_world(
      "<plane x_min='-50' x_max='50' y_min='-50' y_max='50'/>"
      "<road points='-40 0, 40 0' width='7 m' pavement='2 m' friction='0.4' crossings='30'/>"
      "<sensor name='s' type='camera' z='5 m' pitch='90 deg' period='1 s'/>");
  static const double y[] = {0, 3.4, 3.6, 5.4, 5.6, -4}, z[] = {0, 0, 0.12, 0.12, 0, 0.12};
  for (int i = 0; i < 6; i++) {
    assert_near(rut_terrain_height(w.model, w.data, 0, y[i], 1), z[i], 1e-12);
  }
  int marking = 0;
  for (int i = 0; i < rut_class_count(w.model); i++) {
    marking += strcmp(rut_class_name(w.model, i), "road marking") == 0;
  }
  assert_int_equal(marking, 1);
  close_world(&w);
  refuse("<road points='0 0'/>", "2 to 10000 points");
  refuse("<road points='0 0, 1e6 1e6'/>", "long");
  refuse("<road points='3 3, 3 3'/>", "long");
}

// ---- a type of one's own ----

#define FIELDS(X) X(side, "m", 1, 0.1, 10, "of the cube")
typedef struct Param {
  rutSceneryHead head;
  FIELDS(RUT_PARAM)
} Param;
static const rutField cube_fields[] = {RUT_SCENERY_ROWS FIELDS(RUT_ROW)};
static double cube_radius(const void* param) { return ((const Param*)param)->side; }
static int cube_parts(const void* param, int variant, rutSceneryPart* out) {
  const double s = 0.5 * ((const Param*)param)->side;
  (void)variant;
  out[0] = (rutSceneryPart){4, {-s, -s, s, -s, s, s, -s, s}, 0, 2 * s, "brick", true};
  return 1;
}
static const rutSceneryType cube = {
    .base = {RUT_HEAD(rutSceneryType, "scenery", "cube", "world", "A cube.", cube_fields)},
    .semantic_class = "cube",
    .variants = 1,
    .radius = cube_radius,
    .parts = cube_parts};

static void test_own_type(void** state) {
  static const rutComponent* const types[] = {&cube.base, NULL};
  (void)state;
  World w =
      open_world_with("<world><scenery type='cube' side='3 m' places='2 0'/></world>", 0, types);
  rutSceneryPrism prism;
  assert_true(rut_scenery_prism(w.model, 0, 0, &prism));
  assert_near(prism.xy[0], 0.5, 1e-12);
  assert_near(prism.z_max, 3, 1e-12);
  assert_false(rut_scenery_prism(w.model, 0, 1, &prism));
  assert_false(rut_scenery_prism(w.model, 1, 0, &prism));
  close_world(&w);
}

// ---- meshes ----

static rutSpec* parse_elements(rutContext* context, const char* elements) {
  char text[TEXT];
  rutError err = {0};
  rutSpec* spec = NULL;
  snprintf(text, sizeof text, "<world timestep='5 ms'>%s</world>", elements);
  if (rut_spec_parse(context, text, strlen(text), "world.xml", &spec, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  return spec;
}

// A cube as its faces, a cone as high as it says, of its own material where it has one.
static void test_mesh(void** state) {
  (void)state;
  rutContext* context;
  rutError err = {0};
  const rutContextDef def = rut_default_context();
  assert_int_equal(rut_context_create(&def, &context, &err), RUT_OK);
  assert_int_equal(rut_register(context, &cube.base, &err), RUT_OK);
  rutSpec* spec = parse_elements(
      context,
      "<scenery type='cube' side='3 m' places='2 0' size='2 2'><material class='crate'/></scenery>"
      "<scenery type='cone' places='0 0'><material colour='0.1 0.2 0.3'/></scenery>");
  const rutNode first = rut_node_first(spec, rut_spec_root(spec), "scenery");
  rutMeshModel mesh;
  assert_int_equal(rut_scenery_mesh(spec, first, 0, &mesh, &err), RUT_OK);
  assert_int_equal(mesh.points, 8);
  assert_int_equal(mesh.triangles, 12);
  for (int i = 0; i < mesh.points; i++) {
    assert_near(fabs(mesh.point[i][0]), 1.5, 1e-12);
    assert_near(fabs(mesh.point[i][1]), 1.5, 1e-12);
    assert_near(fabs(mesh.point[i][2] - 1.5), 1.5, 1e-12);
  }
  // of brick: only its class is its own
  assert_near(mesh.surface[mesh.material[0]].colour[0], 0.19, 1e-12);
  rut_mesh_model_free(&mesh);
  const rutNode second = rut_node_next(spec, first, "scenery");
  // counting begins anew after the last variant
  assert_int_equal(rut_scenery_mesh(spec, second, 1000, &mesh, &err), RUT_OK);
  double top = 0;
  for (int i = 0; i < mesh.points; i++) top = fmax(top, mesh.point[i][2]);
  assert_near(top, 0.75, 1e-12);
  for (int i = 0; i < mesh.materials; i++) assert_near(mesh.surface[i].colour[2], 0.3, 1e-12);
  rut_mesh_model_free(&mesh);
  assert_int_equal(rut_scenery_mesh(spec, second, -1, &mesh, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_scenery_mesh(spec, rut_spec_root(spec), 0, &mesh, &err), RUT_ERR_ARGUMENT);
  assert_null(mesh.point);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
}

// Individuals know their element, also where several have no name.
static void test_element(void** state) {
  (void)state;
  World w = open_world(
      "<scenery type='cone' places='0 0, 1 0'/><scenery type='cone'/>"
      "<road points='-20 9, 20 9' width='4 m'/>"
      "<scenery type='stump' places='0 5'/>");
  int n = look(&w), of_element[3] = {0}, of_roads = 0;
  for (int i = 0; i < n; i++) {
    const int element = individual[i].element;
    assert_in_range(element + 1, 0, 3);
    if (element < 0) of_roads++;
    if (element >= 0) of_element[element]++;
    assert_true((element == 2) == (strcmp(individual[i].type, "stump") == 0));
  }
  assert_int_equal(of_element[0], 2);
  assert_int_equal(of_element[1], 0);
  assert_int_equal(of_element[2], 1);
  assert_true(of_roads > 0);
  close_world(&w);
}

// ---- attacks ----

static void test_refused(void** state) {
  (void)state;
  refuse("<scenery type='tree' number='1000000000' " SQUARE "/>", "'number' must be at most");
  refuse("<scenery type='tree' density='1000' " SQUARE "/>", "at most 200000 are allowed");
  refuse("<scenery type='tree' number='5'/>", "need an 'area'");
  refuse("<scenery type='tree' number='5' area='0 0, 1 1'/>", "at least 3 points");
  refuse("<scenery type='tree' number='5' density='0.1' " SQUARE "/>", "not both");
  refuse("<scenery type='tree' number='5' map='absent.png' " SQUARE "/>", "absent.png");
  refuse("<scenery type='tree' places='1 1' size='2 1'/>", "least size comes first");
  refuse("<scenery type='tree' places='1 1' size='1'/>", "size");
  refuse("<scenery type='tree' places='1e300 1'/>", "places");
  refuse("<scenery type='tre' places='1 1'/>", "tre");
  refuse("<scenery type='fence' along='0 0, 9e6 0' interval='1 cm'/>", "more than 200000");
}

static void count_finding(const rutDiagnostic* finding, void* user) {
  (void)finding;
  ++*(int*)user;
}

// No places are looked for in a world that is full.
static void test_full(void** state) {
  (void)state;
  static const char world[] =
      "<world><scenery type='fence' along='0 0, 9e6 0' interval='1 cm'/>"
      "<scenery type='grass' number='200000' " SQUARE
      "/>"
      "<scenery type='tree' places='1 1'/></world>";
  int findings = 0;
  rutContextDef def = rut_default_context();
  def.report = count_finding;
  def.user = &findings;
  rutContext* context;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(&def, &context, NULL), RUT_OK);
  assert_int_equal(rut_spec_parse(context, world, sizeof world - 1, "world.xml", &spec, NULL), 0);
  assert_int_equal(rut_compile(spec, &model, &err), RUT_ERR_CAPACITY);
  assert_non_null(strstr(err.message, "more than 200000"));
  assert_int_equal(findings, 1);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
}

// Worlds that have no room, or ask for too much, end soon.
static void test_no_room(void** state) {
  (void)state;
  World w = open_world("<scenery type='rock' number='200000' spacing='10 km' " SQUARE "/>");
  assert_int_equal(look(&w), 1);
  close_world(&w);
  w = open_world("<scenery type='building' number='200000' " SQUARE "/>");
  assert_true(look(&w) < 100);
  close_world(&w);
}

// ---- what is seen is what collides ----

extern const rutSceneryType rut_scenery_rock, rut_scenery_stump, rut_scenery_building,
    rut_scenery_tree;

// Distance of a point from the section of a mesh at its height.
static double distance_from_section(const rutMeshModel* m, const double at[3]) {
  double least = INFINITY;
  for (int i = 0; i < m->triangles; i++) {
    double end[3][2];
    int ends = 0;
    for (int k = 0; k < 3; k++) {
      const double *a = m->point[m->triangle[i][k]], *b = m->point[m->triangle[i][(k + 1) % 3]];
      if ((a[2] < at[2]) == (b[2] < at[2])) continue;
      const double share = (at[2] - a[2]) / (b[2] - a[2]);
      for (int n = 0; n < 2; n++) end[ends][n] = a[n] + share * (b[n] - a[n]);
      ends++;
    }
    if (ends < 2) continue;
    const double dx = end[1][0] - end[0][0], dy = end[1][1] - end[0][1];
    const double x = at[0] - end[0][0], y = at[1] - end[0][1], square = dx * dx + dy * dy;
    const double t = square > 0 ? fmin(fmax((x * dx + y * dy) / square, 0), 1) : 0;
    least = fmin(least, hypot(x - t * dx, y - t * dy));
  }
  return least;
}

// All corners of the solid prisms of every variant that rise above the ground lie on the mesh, half
// way up where that is above the ground.
static void check_sections(const rutSceneryType* type, const double* param) {
  for (int variant = 0; variant < type->variants; variant++) {
    rutSceneryPart part[RUT_SCENERY_MAX_PARTS];
    rutMeshModel mesh;
    rutMeshBuilder* builder = rut_mesh_builder_new();
    const int parts = type->parts(param, variant, part);
    type->mesh(param, variant, builder);
    assert_int_equal(rut_mesh_builder_finish(builder, &mesh, NULL), RUT_OK);
    int corners = 0;
    for (int i = 0; i < parts; i++) {
      const rutSceneryPart* p = &part[i];
      for (int k = 0; k < p->corners && p->solid; k++, corners++) {
        const double z = 0.5 * (fmax(p->z_min, 0) + p->z_max);
        const double away =
            distance_from_section(&mesh, (const double[]){p->xy[2 * k], p->xy[2 * k + 1], z});
        if (!(away < 1e-6))
          fail_msg("%s %d: corner %d of part %d is %g m off", type->base.name, variant, k, i, away);
      }
    }
    assert_true(corners >= 4);
    rut_mesh_model_free(&mesh);
    rut_mesh_builder_free(builder);
  }
}

// Own fields of the types follow those that all have.
static void test_seen_as_touched(void** state) {
  enum { OWN = sizeof(rutSceneryHead) / sizeof(double) };
  double rock[OWN + 2] = {0}, stump[OWN + 2] = {0}, tree[OWN + 4] = {0}, building[OWN + 6] = {0};
  (void)state;
  rock[OWN] = 1.7;
  rock[OWN + 1] = 1.1;
  check_sections(&rut_scenery_rock, rock);
  stump[OWN] = 0.5;
  stump[OWN + 1] = 0.6;
  check_sections(&rut_scenery_stump, stump);
  static const double flat[] = {12, 9, 3, 2.8, 0, 1};
  memcpy(building + OWN, flat, sizeof flat);
  check_sections(&rut_scenery_building, building);
  for (int kind = 0; kind < 4; kind++) {
    const double own[] = {kind, 9, NAN, 0.4};
    memcpy(tree + OWN, own, sizeof own);
    check_sections(&rut_scenery_tree, tree);
  }
}

// Rocks are closed: each edge belongs to two triangles, which run along it in opposite directions.
static void test_rocks_are_closed(void** state) {
  enum { OWN = sizeof(rutSceneryHead) / sizeof(double) };
  double rock[OWN + 2] = {0};
  (void)state;
  rock[OWN] = 1;
  rock[OWN + 1] = 0.6;
  for (int variant = 0; variant < rut_scenery_rock.variants; variant++) {
    rutMeshModel m;
    rutMeshBuilder* builder = rut_mesh_builder_new();
    rut_scenery_rock.mesh(rock, variant, builder);
    assert_int_equal(rut_mesh_builder_finish(builder, &m, NULL), RUT_OK);
    for (int i = 0; i < 3 * m.triangles; i++) {
      const int a = m.triangle[i / 3][i % 3], b = m.triangle[i / 3][(i + 1) % 3];
      int back = 0, same = 0;
      for (int k = 0; k < 3 * m.triangles; k++) {
        const int c = m.triangle[k / 3][k % 3], d = m.triangle[k / 3][(k + 1) % 3];
        back += c == b && d == a;
        same += c == a && d == b;
      }
      assert_int_equal(back, 1);
      assert_int_equal(same, 1);
    }
    rut_mesh_model_free(&m);
    rut_mesh_builder_free(builder);
  }
}

static int make_folder(void** state) {
  (void)state;
  make_scratch_folder(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                     cmocka_unit_test(test_number_and_spacing),
                                     cmocka_unit_test(test_density),
                                     cmocka_unit_test(test_map),
                                     cmocka_unit_test(test_same_places),
                                     cmocka_unit_test(test_seats_keep_their_places),
                                     cmocka_unit_test(test_keeps_away),
                                     cmocka_unit_test(test_slope),
                                     cmocka_unit_test(test_places_and_line),
                                     cmocka_unit_test(test_collision),
                                     cmocka_unit_test(test_instances_and_classes),
                                     cmocka_unit_test(test_actor),
                                     cmocka_unit_test(test_actor_curves),
                                     cmocka_unit_test(test_actor_pushes),
                                     cmocka_unit_test(test_actors_refused),
                                     cmocka_unit_test(test_road),
                                     cmocka_unit_test(test_road_on_level_ground),
                                     cmocka_unit_test(test_own_type),
                                     cmocka_unit_test(test_mesh),
                                     cmocka_unit_test(test_element),
                                     cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_full),
                                     cmocka_unit_test(test_no_room),
                                     cmocka_unit_test(test_seen_as_touched),
                                     cmocka_unit_test(test_rocks_are_closed)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
