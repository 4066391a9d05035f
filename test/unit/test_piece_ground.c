// SPDX-License-Identifier: BSD-3-Clause
//
// Overlap of convex pieces with the ground: depths and normals that geometry tells, on
// level ground, at posts, ridges and fences, and forces that have a potential.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "terrain/ground_edges.h"
#include "terrain/piece_ground.h"

#define SPACING 0.05

extern const rutTerrainType rut_terrain_step, rut_terrain_ditch, rut_terrain_sine;

static uint32_t seed = 5;
static double between(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((seed >> 8) + 0.5) / 16777216.0;
}

// ---- pieces ----

static rutPolyhedron box_piece(double x, double y, double low, double high) {
  rutPolyhedron p;
  const double ring[] = {-x, -y, x, -y, x, y, -x, y};
  assert_true(rut_polyhedron_prism(4, ring, low, high, &p));
  return p;
}

// ---- the ground ----

static rutGroundShape shape_of(const rutTerrainType* type, const double* param, double x, double y,
                               const double extent[4]) {
  rutGroundShape s = {.type = type,
                      .param = param,
                      .x = x,
                      .y = y,
                      .cos_yaw = 1,
                      .x_min = extent[0],
                      .x_max = extent[1],
                      .y_min = extent[2],
                      .y_max = extent[3]};
  rut_ground_shape_box(&s);
  return s;
}

static const double everywhere[4] = {-INFINITY, INFINITY, -INFINITY, INFINITY};

typedef struct Sums {
  int n;
  double area, deepest;
  rutVec3 push, at;        // sum of area depth normal; mean place by area and depth
  double energy;           // sum of area depth^2/2
  rutVec3 torque, middle;  // of the push about a point
  rutVec3 normal;          // where it is deepest
} Sums;

static void add_up(void* to, int n, const rutOverlap* o) {
  Sums* s = to;
  for (int i = 0; i < n; i++) {
    const double force = o[i].area * o[i].depth;
    const rutVec3 push = rut_vec3_scale(o[i].normal, force);
    s->n++;
    s->area += o[i].area;
    if (o[i].depth > s->deepest) s->normal = o[i].normal;
    s->deepest = fmax(o[i].depth, s->deepest);
    s->push = rut_vec3_add(s->push, push);
    s->torque = rut_vec3_add(s->torque, rut_vec3_cross(rut_vec3_sub(o[i].at, s->middle), push));
    s->at = rut_vec3_add_scaled(s->at, force, o[i].at);
    s->energy += 0.5 * force * o[i].depth;
    assert_near(rut_vec3_norm(o[i].normal), 1, 1e-12);
  }
}

static Sums meet(const rutGround* ground, const rutPolyhedron* piece, rutVec3 at, rutVec3 rpy) {
  const rutColumns columns = rut_ground_columns(ground, NULL, SPACING);
  const rutMat3 axes = rut_mat3_of_rpy(rpy.x, rpy.y, rpy.z);
  rutPlacedPiece placed;
  Sums s = {.middle = at};
  rut_piece_place(piece, &axes, at, &placed);
  rut_piece_meet_ground(&columns, &placed, add_up, &s);
  if (s.n) s.at = rut_vec3_scale(s.at, 1 / rut_vec3_norm(s.push));
  return s;
}

static const rutVec3 UPRIGHT = {0, 0, 0};

static void test_level(void** state) {
  (void)state;
  const rutGround ground = {.level = true};
  const rutPolyhedron p = box_piece(2, 1, 0, 1);
  assert_int_equal(meet(&ground, &p, rut_vec3(0.01, 0.02, 1e-9), UPRIGHT).n, 0);
  const Sums s = meet(&ground, &p, rut_vec3(0.01, 0.02, -0.004), UPRIGHT);
  // columns, and four corners that stand for the area of four columns each
  assert_near(s.area, 4 * 2 + 16 * SPACING * SPACING, 1e-9);
  assert_near(s.deepest, 0.004, 1e-15);
  assert_near(s.push.z, s.area * 0.004, 1e-12);
  assert_near(s.push.x, 0, 1e-15);
  // on its roof
  const Sums roof = meet(&ground, &p, rut_vec3(0, 0, 0.996), rut_vec3(3.14159265358979, 0, 0));
  assert_near(roof.deepest, 0.004, 1e-12);
  assert_near(roof.push.z, roof.area * 0.004, 1e-9);
}

// A post of 3 m, 30 cm wide, 2 cm inside the front of a box that stands over the ground.
static void test_post(void** state) {
  (void)state;
  const double param[10] = {[8] = 3};
  const double extent[4] = {-INFINITY, 0.3, 0.2, 0.5};
  const rutGroundShape post = shape_of(&rut_terrain_step, param, 10.013, 0, extent);
  const rutGround ground = {.level = true, .shapes = 1, .shape = &post};
  const rutPolyhedron p = box_piece(2, 1, 0.4, 1.8);
  assert_int_equal(meet(&ground, &p, rut_vec3(8.0129, 0, 0), UPRIGHT).n, 0);
  Sums s = meet(&ground, &p, rut_vec3(8.033, 0, 0), UPRIGHT);
  assert_near(s.deepest, 0.02, 1e-9);
  assert_near(s.normal.x, -1, 1e-12);
  assert_true(s.push.x < 0);
  assert_near(s.push.y, 0, 1e-12);
  assert_near(s.push.z, 0, 1e-12);
  // the face is 0.3 m wide and met between 0.4 and 1.8 m; two centimetres of the post's sides, and
  // columns in it, count besides
  const double face = 0.3 * 1.4 * 0.02;
  assert_true(-s.push.x > face && -s.push.x < 1.5 * face);
  assert_near(s.at.z, 1.1, 1e-9);
  assert_near(s.at.y, 0.35, 1e-9);
  // the same from the side, past a corner, and from 12 cm under the top
  s = meet(&ground, &p, rut_vec3(10.1, -0.79, 0), UPRIGHT);
  assert_near(s.deepest, 0.01, 1e-9);
  assert_near(s.normal.y, -1, 1e-12);
  s = meet(&ground, &p, rut_vec3(10.1, 0.35, 2.595), UPRIGHT);
  assert_near(s.deepest, 0.005, 1e-12);
  assert_near(s.normal.z, 1, 1e-12);
  // pitched nose up its lower front edge is ahead, at 8.04 + 2 cos(0.02) - 0.4 sin(0.02)
  s = meet(&ground, &p, rut_vec3(8.04, 0, 0), rut_vec3(0, -0.02, 0));
  assert_true(s.deepest > 0.016 && s.deepest < 0.0187 && s.normal.x < -0.99);
  assert_true(s.at.z < 1);
}

// A corner of a tilted box digs in between columns; a fence of 3 mm stands between them.
static void test_corners_and_fences(void** state) {
  (void)state;
  const rutGround level = {.level = true};
  const rutPolyhedron p = box_piece(0.5, 0.5, -0.5, 0.5);
  // a cube on its corner: its diagonal is upright
  const rutVec3 rpy = rut_vec3(0.78539816339744831, 0.61547970867038734, 0.3);
  const double half = sqrt(3) / 2;
  for (int i = 0; i < 20; i++) {
    const rutVec3 at = rut_vec3(between(-1, 1), between(-1, 1), half - 0.003);
    const Sums s = meet(&level, &p, at, rpy);
    assert_near(s.deepest, 0.003, 1e-9);
    assert_true(s.normal.z > 0.57);
  }
  const double param[10] = {[8] = 1};
  const double extent[4] = {-INFINITY, 0.003, -INFINITY, INFINITY};
  const rutGroundShape fence = shape_of(&rut_terrain_step, param, 3.0222, 0, extent);
  const rutGround ground = {.level = true, .shapes = 1, .shape = &fence};
  Sums s = meet(&ground, &p, rut_vec3(3.03, 0.2, 1.498), UPRIGHT);
  assert_near(s.deepest, 0.002, 1e-12);
  assert_near(s.normal.z, 1, 1e-12);
  s = meet(&ground, &p, rut_vec3(2.5302, 0.2, 0.6), UPRIGHT);
  assert_near(s.deepest, 0.008, 1e-12);
  assert_near(s.normal.x, -1, 1e-12);
}

// A ridge of 45 degrees with its crest between columns, across a belly; the crest is as deep as it
// is high.
static void test_ridge(void** state) {
  (void)state;
  const double param[11] = {[8] = -0.7, [9] = 0, [10] = 0.7};
  const rutGroundShape ridge = shape_of(&rut_terrain_ditch, param, 1.017, 0, everywhere);
  const rutGround ground = {.level = true, .shapes = 1, .shape = &ridge};
  const rutPolyhedron p = box_piece(2, 1, 0, 1);
  const Sums s = meet(&ground, &p, rut_vec3(1, 0, 0.69), UPRIGHT);
  assert_near(s.deepest, 0.01, 2e-6);
  assert_near(s.normal.z, 1, 1e-12);
  assert_near(s.push.x, 0, 1e-12);
}

// What pushes is the derivative of a potential, sum of area depth^2/2, by place and attitude:
// forces that follow from depths neither give nor take energy on a closed path.
static void test_potential(void** state) {
  (void)state;
  const double waves[11] = {[8] = 0.12, [9] = 1.3};
  const rutGroundShape shape = shape_of(&rut_terrain_sine, waves, 0, 0, everywhere);
  const rutGround ground = {.level = true, .shapes = 1, .shape = &shape};
  const rutPolyhedron p = box_piece(0.8, 0.5, -0.3, 0.3);
  int tried = 0;
  for (int i = 0; i < 2000; i++) {
    const rutVec3 at = rut_vec3(between(-2, 2), between(-2, 2), between(0.4, 0.9));
    const double yaw = between(-3, 3);
    const rutVec3 rpy = rut_vec3(between(-0.4, 0.4), between(-0.4, 0.4), yaw);
    const rutVec3 way = rut_vec3_unit(rut_vec3(between(-1, 1), between(-1, 1), between(-1, 1)));
    const Sums s = meet(&ground, &p, at, rpy);
    if (s.deepest < 0.002 || s.deepest > 0.02) continue;
    const double h = 1e-6;
    const Sums on = meet(&ground, &p, rut_vec3_add_scaled(at, h, way), rpy);
    const Sums back = meet(&ground, &p, rut_vec3_add_scaled(at, -h, way), rpy);
    const double push = rut_vec3_dot(s.push, way);
    assert_near(push, -(on.energy - back.energy) / (2 * h), 0.03 * rut_vec3_norm(s.push));
    // and about the upright axis
    const Sums left = meet(&ground, &p, at, rut_vec3(rpy.x, rpy.y, yaw + h));
    const Sums right = meet(&ground, &p, at, rut_vec3(rpy.x, rpy.y, yaw - h));
    assert_near(s.torque.z, -(left.energy - right.energy) / (2 * h), 0.03 * rut_vec3_norm(s.push));
    tried++;
  }
  assert_true(tried > 20);
}

// The push of a cap of ground converges with the lattice: crests of earth under a plate.
static void test_lattice(void** state) {
  (void)state;
  const double waves[11] = {[8] = 0.1, [9] = 2};
  const rutGroundShape shape = shape_of(&rut_terrain_sine, waves, 0, 0, everywhere);
  const rutGround ground = {.level = true, .shapes = 1, .shape = &shape};
  const rutPolyhedron p = box_piece(3, 10, 0, 1);
  // volume of two crests above z, per width: sine of amplitude 0.1 m and length 2 m, three crests
  const double z = 0.06, edge = acos(z / 0.1), k = 3.14159265358979323846;
  const double section = 2 * (0.1 * sin(edge) - z * edge) / k;
  const double spacing[] = {0.1, 0.05, 0.025};
  double error[3];
  for (int i = 0; i < 3; i++) {
    const rutColumns columns = rut_ground_columns(&ground, NULL, spacing[i]);
    const rutMat3 axes = rut_mat3_identity();
    rutPlacedPiece placed;
    Sums s = {0};
    rut_piece_place(&p, &axes, rut_vec3(0.0133, 0.0051, z), &placed);
    rut_piece_meet_ground(&columns, &placed, add_up, &s);
    error[i] = fabs(s.push.z / (20 * 3 * section) - 1);
  }
  assert_true(error[0] < 0.02);
  assert_true(error[1] < 0.01);
  assert_true(error[2] < 0.01);
}

// ---- is any ground above a plane ----

static rutGroundLid some_lid(double low, double high) {
  const double x = between(-5, 5), y = between(-5, 5);
  const double slope_x = between(-0.3, 0.3), slope_y = between(-0.3, 0.3);
  return (rutGroundLid){.box = {x, x + between(0.1, 3), y, y + between(0.1, 3)},
                        .z = between(low, high) - slope_x * x - slope_y * y,
                        .slope_x = slope_x,
                        .slope_y = slope_y};
}

// How far the surface is above the plane at most, at places on a raster that has the borders.
static double most_above(const rutGround* ground, const rutGroundLid* lid) {
  enum { SIDE = 61 };
  double most = -INFINITY;
  for (int j = 0; j < SIDE; j++) {
    double x[SIDE], y[SIDE], z[SIDE], slope_x[SIDE], slope_y[SIDE];
    for (int i = 0; i < SIDE; i++) {
      x[i] = lid->box[0] + (lid->box[1] - lid->box[0]) * i / (SIDE - 1);
      y[i] = lid->box[2] + (lid->box[3] - lid->box[2]) * j / (SIDE - 1);
    }
    rut_ground_source_surface(ground, ground->sources ? 0 : -1, 0, &(rutGroundPoints){SIDE, x, y},
                              &(rutGroundSurface){z, slope_x, slope_y});
    for (int i = 0; i < SIDE; i++) {
      const double above = z[i] - (lid->z + lid->slope_x * x[i] + lid->slope_y * y[i]);
      most = above > most ? above : most;
    }
  }
  return most;
}

// Nothing that is above is missed; what is far below is told from it.
static void check_lids(const rutGround* ground, double low, double high, double far) {
  const rutColumns columns = {.ground = ground};
  int above = 0, below = 0;
  for (int i = 0; i < 3000; i++) {
    const rutGroundLid lid = some_lid(low, high);
    const double most = most_above(ground, &lid);
    const bool may = rut_ground_is_above(&columns, &lid);
    if (most > 0) assert_true(may);
    if (most < -far) assert_false(may);
    above += most > 0;
    below += most < -far;
  }
  assert_true(above > 300 && below > 300);
}

static void test_plane_below(void** state) {
  (void)state;
  enum { NODES = 45 };
  // waves 0.1 m high: steepest 0.31; places at most 0.53 m from one of those looked at
  const double waves[11] = {[8] = 0.1, [9] = 2};
  const rutGroundShape shape = shape_of(&rut_terrain_sine, waves, 0, 0, everywhere);
  check_lids(&(rutGround){.level = true, .shapes = 1, .shape = &shape}, -0.5, 1.5, 0.53 * 0.74 * 2);
  // a field whose nodes stand as they like, on 11 m x 11 m: blocks of 8 cells are 2 m wide
  double height[NODES * NODES], top[200];
  for (int i = 0; i < NODES * NODES; i++) height[i] = between(0, 0.2);
  rutHeightField field;
  rutHeightPyramid pyramid;
  assert_true(rut_height_pyramid_size(NODES, NODES) <= 200);
  rut_height_field_init(&field, NODES, NODES, 0.25, (double[2]){-5.5, -5.5}, height);
  rutGroundSource source = {.kind = RUT_GROUND_FIELD, .field = &field, .cos_yaw = 1};
  rut_ground_source_box(&source);
  const rutGround rough = {.sources = 1, .source = &source};
  check_lids(&rough, -1, 2, 0.2);
  rut_height_pyramid_build(&field, top, &pyramid);
  check_lids(&rough, -1, 2, 0.2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_level),
      cmocka_unit_test(test_post),
      cmocka_unit_test(test_corners_and_fences),
      cmocka_unit_test(test_ridge),
      cmocka_unit_test(test_potential),
      cmocka_unit_test(test_lattice),
      cmocka_unit_test(test_plane_below),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
