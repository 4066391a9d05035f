// SPDX-License-Identifier: BSD-3-Clause
//
// Which pairs touch, what is reported about them, and what is saved. The physics of contact is in
// test/physics/test_contact.c.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "contact_fixture.h"

static void test_empty_worlds(void** state) {
  (void)state;
  world w = world_new(1, 1);
  w.body[0] = (rutBodyDef){1, 1, 0, 0};
  world_box(&w, 0, 0, 0, 1, 1);
  world_build(&w);
  assert_true(rut_contact_is_empty(w.model));
  world_step(&w);
  int n;
  rut_contact_list(w.state, &n);
  assert_int_equal(n, 0);
  world_free(&w);

  w = world_new(0, 0);
  world_build(&w);
  assert_true(rut_contact_is_empty(w.model));
  world_step(&w);
  world_free(&w);

  // a wall makes it possible to touch, and so does ground friction need a step
  for (int k = 0; k < 2; k++) {
    w = world_new(1, 2);
    w.body[0] = (rutBodyDef){1, 1, k ? 0.5 : 0, 0.1};
    world_box(&w, 0, 0, 0, 1, 1);
    if (!k) world_box(&w, -1, 9, 0, 1, 1);
    world_build(&w);
    assert_false(rut_contact_is_empty(w.model));
    world_free(&w);
  }
}

// Touching means nearer than the margin: exactly so for faces and for corners.
static void test_margin(void** state) {
  (void)state;
  world w = world_new(2, 2);
  for (int i = 0; i < 2; i++) {
    w.body[i] = (rutBodyDef){1, 1, 0, 0};
    world_box(&w, i, 0, 0, 1, 1);
  }
  world_build(&w);
  const double dx[] = {1.029, 1.031, 1.0177, 1.0183}, dy[] = {0.2, 0.2, 1.024, 1.0245};
  for (int k = 0; k < 4; k++) {
    w.at.x[1] = dx[k];
    w.at.y[1] = dy[k];
    world_solve(&w);
    bool touching = k % 2 == 0;
    assert_int_equal(rut_contact_touching(w.state, 0), touching);
    assert_int_equal(rut_contact_touching(w.state, 1), touching);
    int n;
    rut_contact_list(w.state, &n);
    assert_int_equal(n, touching);
  }
  world_free(&w);
}

// One entry per pair of things, with what they are, and the time since which they touch.
static void test_contact_list_and_since(void** state) {
  (void)state;
  world w = world_new(2, 4);
  w.body[0] = (rutBodyDef){20, 2, 0, 0};
  w.body[1] = (rutBodyDef){5, 1, 0, 0};
  rutPrismDef* p = world_box(&w, 0, 0, 0, 1, 1);
  p->kind = RUT_VEHICLE;
  p->index = 4;
  p = world_box(&w, 0, 0.1, 0, 0.8, 1.2);  // a second prism that also reaches the wall
  p->kind = RUT_VEHICLE;
  p->index = 4;
  p = world_box(&w, 1, 0, 0, 0.4, 0.4);
  p->kind = RUT_BLOCK;
  p->index = 2;
  p = world_box(&w, -1, 3, 0, 1, 10);
  p->kind = RUT_BLOCK;
  p->index = 1;
  world_build(&w);
  w.at.x[1] = -3;
  w.at.vx[0] = 1;
  // the face at 0.5 comes within 0.03 of the wall at 2.5 after 1.97 s
  while (w.time < 2.5) {
    w.at.vx[0] = 1;
    world_step(&w);
  }
  int n;
  const rutContact* c = rut_contact_list(w.state, &n);
  assert_int_equal(n, 1);
  assert_int_equal(c->kind_a, RUT_VEHICLE);
  assert_int_equal(c->index_a, 4);
  assert_int_equal(c->kind_b, RUT_BLOCK);
  assert_int_equal(c->index_b, 1);
  assert_near(c->since, 1.97, 0.0051);
  assert_near(c->normal[0], 1, 1e-12);
  assert_near(c->position[0], 2.5, 5e-3);
  assert_near(c->impulse, 20 * 1, 1e-6);
  assert_true(rut_contact_touching(w.state, 0));
  assert_false(rut_contact_touching(w.state, 1));
  // away and back: a new contact
  w.at.x[0] -= 0.5;
  world_solve(&w);
  rut_contact_list(w.state, &n);
  assert_int_equal(n, 0);
  w.at.x[0] += 0.5;
  w.time = 7;
  world_solve(&w);
  c = rut_contact_list(w.state, &n);
  assert_int_equal(n, 1);
  assert_near(c->since, 7, 0);
  world_free(&w);
}

static void test_heights_must_overlap(void** state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    world w = world_new(2, 3);
    for (int i = 0; i < 2; i++) {
      w.body[i] = (rutBodyDef){1, 1, 0, 0};
      world_box(&w, i, 0, 0, 1, 1);
    }
    rutPrismDef* bar = world_box(&w, -1, 0, 0, 4, 0.2);
    bar->z_min = 2;
    bar->z_max = 3;
    world_build(&w);
    w.at.x[1] = 0.5;
    // 1 m high bodies: on one level, one just on the other, one inside the other's height
    const double z[] = {0, 1, 0.99};
    w.at.z[1] = z[k];
    world_solve(&w);
    int n;
    rut_contact_list(w.state, &n);
    assert_int_equal(n, k != 1);
    w.at.z[1] = 1.5;  // now reaches the bar, and no longer the other body
    world_solve(&w);
    const rutContact* c = rut_contact_list(w.state, &n);
    assert_int_equal(n, 1);
    assert_int_equal(c->kind_b, -1);
    world_free(&w);
  }
}

static void test_jointed_bodies_do_not_collide(void** state) {
  (void)state;
  world w = world_new(3, 3);
  for (int i = 0; i < 3; i++) {
    w.body[i] = (rutBodyDef){1, 1, 0, 0};
    world_box(&w, i, 0, 0, 1, 1);
  }
  w.joint[0] = (rutPlanarJointDef){.distance = 1, .body_a = 2, .body_b = 0, .max_length = 9};
  w.def.joints = 1;
  world_build(&w);
  world_solve(&w);
  int n;
  rut_contact_list(w.state, &n);
  assert_int_equal(n, 2);
  world_free(&w);
}

// Bodies driven by the caller push others and are not pushed.
static void test_keyframed_body_pushes(void** state) {
  (void)state;
  world w = world_new(2, 2);
  w.body[0] = (rutBodyDef){0, 0, 0, 0};
  w.body[1] = (rutBodyDef){50, 5, 0, 0};
  world_box(&w, 0, 0, 0, 1, 1);
  world_box(&w, 1, 0, 0, 1, 1);
  world_build(&w);
  w.at.x[1] = 1.1;
  for (int i = 0; i < 400; i++) {
    w.at.vx[0] = 0.5;
    world_step(&w);
    assert_true(w.at.vx[0] == 0.5);
  }
  assert_near(w.at.x[0], 1, 1e-12);
  assert_near(w.at.vx[1], 0.5, 1e-9);
  assert_near(w.at.x[1], 2, 1e-2);
  world_free(&w);
}

// A ring of small boxes all around one: more contacts than are kept, always the same ones.
static void test_contact_capacity_is_deterministic(void** state) {
  (void)state;
  enum { N = 25 };
  double first[3] = {0, 0, 0};
  for (int run = 0; run < 2; run++) {
    world w = world_new(N, N);
    w.body[0] = (rutBodyDef){100, 50, 0, 0};
    double disc[32];
    for (int i = 0; i < 16; i++) {
      disc[2 * i] = 2 * cos(i * acos(-1) / 8);
      disc[2 * i + 1] = 2 * sin(i * acos(-1) / 8);
    }
    world_prism(&w, 0, 16, disc);
    for (int i = 1; i < N; i++) {
      w.body[i] = (rutBodyDef){1, 0.1, 0, 0};
      world_box(&w, i, 0, 0, 0.3, 0.3);
    }
    world_build(&w);
    for (int i = 1; i < N; i++) {
      w.at.x[i] = 2.1 * cos(0.26 * i);
      w.at.y[i] = 2.1 * sin(0.26 * i);
      w.at.vx[i] = -w.at.x[i];
      w.at.vy[i] = -w.at.y[i];
    }
    for (int k = 0; k < 100; k++) world_step(&w);
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < N; i++) {
      sum[0] += w.at.x[i];
      sum[1] += w.at.vy[i];
      sum[2] += w.at.yaw[i];
      assert_true(isfinite(w.at.x[i]) && fabs(w.at.x[i]) < 10);
    }
    if (run) assert_memory_equal(first, sum, sizeof sum);
    memcpy(first, sum, sizeof sum);
    world_free(&w);
  }
}

static void fill_grid(rutOccupancy* grid, int nx, int ny, double resolution,
                      const double origin[2]) {
  void* block = calloc(1, rut_occupancy_bytes(nx, ny));
  rut_occupancy_init(grid, nx, ny, resolution, origin, block);
}

static const rutOccupancy* grids[1];
static const double grid_friction[1] = {0}, grid_restitution[1] = {0};
static const unsigned char solid[1] = {1};

static void add_grid(world* w, rutOccupancy* grid) {
  rut_occupancy_build(grid);
  grids[0] = grid;
  w->def.grids = 1;
  w->def.grid = grids;
  w->def.grid_friction = grid_friction;
  w->def.grid_restitution = grid_restitution;
  w->def.grid_solid = solid;
}

// Pressed against a wall of cells, a box slides along it without a bump, straight and askew, along
// x and along y, also where the wall's thickness changes behind its face.
static void slide_along_cells(int along, double speed, double yaw) {
  const double origin[2] = {-2.013, -3.007}, resolution = 0.05;
  rutOccupancy grid;
  fill_grid(&grid, 400, 400, resolution, origin);
  for (int i = 0; i < 400; i++) {
    for (int layer = 0; layer < 3; layer++) {
      bool full = layer == 0 || (layer == 1 ? i % 7 < 3 : i % 11 < 5);
      int row = 49 - layer;
      grid.cell[along ? i * 400 + row : row * 400 + i] = full         ? RUT_CELL_OCCUPIED
                                                         : layer == 2 ? RUT_CELL_UNKNOWN
                                                                      : RUT_CELL_FREE;
    }
  }
  double face = origin[!along] + 50 * resolution, quarter = acos(-1) / 2;
  world w = world_new(1, 1);
  w.body[0] = (rutBodyDef){10, 1, 0, 0};
  world_box(&w, 0, 0, 0, 0.6, 0.4);
  add_grid(&w, &grid);
  world_build(&w);
  double *x = along ? w.at.y : w.at.x, *y = along ? w.at.x : w.at.y;
  double *vx = along ? w.at.vy : w.at.vx, *vy = along ? w.at.vx : w.at.vy;
  y[0] = face + 0.25 + 0.1 * (yaw != 0);
  vx[0] = speed;
  w.at.yaw[0] = yaw + (along ? quarter : 0);
  while (x[0] < 10) {
    vy[0] -= w.dt * 5;
    world_step(&w);
    if (yaw == 0) assert_near(vx[0], speed, 1e-9);
    if (yaw == 0) assert_near(w.at.rate[0], 0, 1e-9);
  }
  assert_near(vx[0], speed, 1e-2 * speed);
  assert_near(y[0], face + 0.2, 0.006);
  assert_true(rut_contact_touching(w.state, 0));
  world_free(&w);
  free(grid.cell);
}

static void test_slides_along_cells(void** state) {
  (void)state;
  for (int along = 0; along < 2; along++) {
    slide_along_cells(along, 2, 0);
    slide_along_cells(along, 20, 0);
    slide_along_cells(along, 2, 0.2);
  }
}

// Cells stop a body like a wall does, in a corner too, and nothing tunnels through one cell.
static void test_stopped_by_cells(void** state) {
  (void)state;
  const double origin[2] = {0, 0};
  rutOccupancy grid;
  fill_grid(&grid, 200, 200, 0.05, origin);
  for (int i = 0; i < 200; i++) {
    grid.cell[i * 200 + 150] = RUT_CELL_OCCUPIED;
    grid.cell[150 * 200 + i] = RUT_CELL_OCCUPIED;
  }
  world w = world_new(1, 1);
  w.body[0] = (rutBodyDef){10, 1, 0, 0};
  world_box(&w, 0, 0, 0, 0.6, 0.4);
  add_grid(&w, &grid);
  world_build(&w);
  w.at.x[0] = 5;
  w.at.y[0] = 6;
  w.at.vx[0] = 18;
  w.at.vy[0] = 12;
  for (int i = 0; i < 200; i++) world_step(&w);
  assert_near(w.at.x[0], 7.5 - 0.3, 1e-3);
  assert_near(w.at.y[0], 7.5 - 0.2, 1e-3);
  assert_near(w.at.vx[0], 0, 1e-9);
  assert_near(w.at.vy[0], 0, 1e-9);
  int n;
  const rutContact* c = rut_contact_list(w.state, &n);
  assert_int_equal(n, 1);
  assert_int_equal(c->kind_b, -1);
  world_free(&w);
  free(grid.cell);
}

// Saved and restored in the middle of a pile-up, the run goes on bit for bit.
static void test_restored_state_continues_exactly(void** state) {
  (void)state;
  enum { N = 12 };
  world w = world_new(N, N + 4);
  for (int i = 0; i < N; i++) {
    w.body[i] = (rutBodyDef){2 + i, 0.3, i % 3 ? 0 : 0.4, 0.3};
    rutPrismDef* p = world_box(&w, i, 0, 0, 0.7, 0.5);
    p->friction = 0.6;
    p->restitution = 0.2;
  }
  for (int i = 0; i < 4; i++) {
    world_box(&w, -1, i < 2 ? 6.0 * i - 1 : 2, i < 2 ? 2 : 6.0 * i - 13, i < 2 ? 1 : 7,
              i < 2 ? 7 : 1);
  }
  w.joint[0] = (rutPlanarJointDef){.body_a = 3,
                                   .body_b = 4,
                                   .anchor_a = {0.5, 0},
                                   .anchor_b = {-0.5, 0},
                                   .limited = 1,
                                   .lower = -1,
                                   .upper = 1};
  w.joint[1] = (rutPlanarJointDef){.distance = 1,
                                   .body_a = 5,
                                   .body_b = 9,
                                   .max_length = 2,
                                   .stiffness = 30,
                                   .damping = 3,
                                   .rest_length = 1};
  w.def.joints = 2;
  world_build(&w);
  for (int i = 0; i < N; i++) {
    w.at.x[i] = i % 4 + 0.2;
    w.at.y[i] = i / 4 + 0.5;
    w.at.vx[i] = 3 * sin(i);
    w.at.vy[i] = 3 * cos(3 * i);
    w.at.rate[i] = sin(7 * i);
  }
  for (int k = 0; k < 60; k++) world_step(&w);
  int contacts;
  rut_contact_list(w.state, &contacts);
  assert_true(contacts > 3);

  size_t size = rut_contact_state_size(w.model), motion = 7 * N * sizeof(double);
  unsigned char *saved = malloc(size), *again = malloc(size);
  double before[7 * N], after[7 * N], time = w.time;
  rut_contact_state_get(w.model, w.state, saved);
  memcpy(before, w.motion, motion);
  uint64_t hash = rut_contact_state_hash(w.model, w.state, 1);
  for (int k = 0; k < 60; k++) world_step(&w);
  memcpy(after, w.motion, motion);
  uint64_t end = rut_contact_state_hash(w.model, w.state, 1);
  assert_true(end != hash);

  memcpy(w.motion, before, motion);
  w.time = time;
  rut_contact_reset(w.model, w.state);
  rut_contact_state_set(w.model, w.state, saved);
  rut_contact_state_get(w.model, w.state, again);
  assert_memory_equal(saved, again, size);
  assert_true(rut_contact_state_hash(w.model, w.state, 1) == hash);
  for (int k = 0; k < 60; k++) world_step(&w);
  assert_memory_equal(w.motion, after, motion);
  assert_true(rut_contact_state_hash(w.model, w.state, 1) == end);

  // a blob of noise is not trusted
  memset(saved, 0x5a, size);
  rut_contact_state_set(w.model, w.state, saved);
  world_step(&w);
  free(saved);
  free(again);
  world_free(&w);
}

// Bodies on one spot, far away, tiny, without extent or with numbers that are not finite.
static void test_hostile_poses(void** state) {
  (void)state;
  world w = world_new(8, 8);
  double point[6] = {0, 0, 0, 0, 0, 0}, sliver[6] = {0, 0, 1e-7, 0, 0, 1e-7};
  for (int i = 0; i < 8; i++) {
    w.body[i] = (rutBodyDef){1, i == 7 ? 0 : 1, 0.1, 0};
    if (i == 3) {
      world_prism(&w, i, 3, point);
    } else if (i == 4) {
      world_prism(&w, i, 3, sliver);
    } else {
      world_box(&w, i, 0, 0, 1, 1);
    }
  }
  world_build(&w);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 8; i++) {
      w.at.x[i] = k == 1 ? 1e6 : 0;
      w.at.y[i] = k == 1 ? -1e6 + 0.9 * i : 0;
      w.at.vx[i] = w.at.vy[i] = w.at.rate[i] = 0;
    }
    if (k == 2) {
      w.at.x[1] = NAN;
      w.at.y[2] = HUGE_VAL;
      w.at.x[5] = 1e300;
      w.at.vx[6] = 1e300;
      w.at.yaw[0] = NAN;
    }
    for (int n = 0; n < 20; n++) world_step(&w);
    for (int i = 0; i < 8 && k < 2; i++) assert_true(isfinite(w.at.x[i]) && isfinite(w.at.vy[i]));
  }
  world_free(&w);
}

// Far from the origin the same impact has the same outcome.
static void test_far_away_is_like_here(void** state) {
  (void)state;
  double outcome[2][2];
  for (int k = 0; k < 2; k++) {
    world w = world_new(2, 2);
    for (int i = 0; i < 2; i++) {
      w.body[i] = (rutBodyDef){2, 0.3, 0, 0};
      world_box(&w, i, 0, 0, 1, 1)->restitution = 0.5;
    }
    world_build(&w);
    for (int i = 0; i < 2; i++) w.at.x[i] = w.at.y[i] = k ? 1e6 : 0;
    w.at.x[1] += 1.5;
    w.at.y[1] += 0.4;
    w.at.yaw[1] = 0.3;
    w.at.vx[0] = 3;
    for (int i = 0; i < 200; i++) world_step(&w);
    outcome[k][0] = w.at.vx[1];
    outcome[k][1] = w.at.rate[1];
    world_free(&w);
  }
  assert_near(outcome[0][0], outcome[1][0], 1e-6);
  assert_near(outcome[0][1], outcome[1][1], 1e-6);
  assert_true(outcome[0][0] > 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empty_worlds),
      cmocka_unit_test(test_margin),
      cmocka_unit_test(test_contact_list_and_since),
      cmocka_unit_test(test_heights_must_overlap),
      cmocka_unit_test(test_jointed_bodies_do_not_collide),
      cmocka_unit_test(test_keyframed_body_pushes),
      cmocka_unit_test(test_contact_capacity_is_deterministic),
      cmocka_unit_test(test_slides_along_cells),
      cmocka_unit_test(test_stopped_by_cells),
      cmocka_unit_test(test_restored_state_continues_exactly),
      cmocka_unit_test(test_hostile_poses),
      cmocka_unit_test(test_far_away_is_like_here),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
