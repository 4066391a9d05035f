// SPDX-License-Identifier: BSD-3-Clause
//
// One car in minimal coordinates (what rut steps with), as a spanning tree with cut joints, and
// with every body and joint by itself: three derivations of one motion, which must be the same.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "formulations/formulations.h"
#include "formulations/measure.h"

// ---- allocations ----

// With glibc and without sanitizers, which have their own, every allocation is counted.
#if defined(__GLIBC__) && !defined(RUT_SANITIZED)
#define COUNTS_ALLOCATIONS 1
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t n, size_t size);
extern void* __libc_realloc(void* old, size_t size);
static long allocations;
void* malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}
void* calloc(size_t n, size_t size) {
  allocations++;
  return __libc_calloc(n, size);
}
void* realloc(void* old, size_t size) {
  allocations++;
  return __libc_realloc(old, size);
}
#else
#define COUNTS_ALLOCATIONS 0
static const long allocations = 0;
#endif

// ---- formulations and states ----

static const formMethod* const methods[FORM_METHODS] = {&form_embedded, &form_augmented_by_corner,
                                                        &form_augmented_together,
                                                        &form_absolute_ldl, &form_absolute_klu};

// NULL, with a word, where SuiteSparse is missing.
static void* make(int i, const formVehicle* v) {
  void* self = methods[i]->make(v);
  if (!self) {
    assert_true(i >= 3);
    print_message("%s is left out: SuiteSparse is not there\n", methods[i]->name);
  }
  return self;
}

static double uniform(uint64_t* seed, double size) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return size * (2 * (double)(*seed >> 11) / 9007199254740992.0 - 1);
}
static rutVec3 random_vector(uint64_t* seed, double size) {
  const double x = uniform(seed, size), y = uniform(seed, size);
  return rut_vec3(x, y, uniform(seed, size));
}

typedef struct Case {
  formState state;
  formSteer steer;
  formForces forces;
} Case;

static void random_case(uint64_t* seed, Case* c) {
  formState* s = &c->state;
  const double turn[2] = {uniform(seed, 1), uniform(seed, 1)};
  const rutVec3 axis = random_vector(seed, 1);
  s->position = random_vector(seed, 10);
  s->velocity = random_vector(seed, 10);
  s->omega = random_vector(seed, 1);
  s->attitude = rut_quat_unit(rut_quat(turn[0] + turn[1], axis.x, axis.y, axis.z));
  c->steer = (formSteer){uniform(seed, 0.4), uniform(seed, 1), uniform(seed, 5)};
  c->forces.force = random_vector(seed, 5000);
  c->forces.moment = random_vector(seed, 5000);
  for (int i = 0; i < FORM_CORNERS; i++) {
    s->q[i] = uniform(seed, 0.2);
    s->rate[i] = uniform(seed, 1);
    s->spin[i] = uniform(seed, 30);
    c->forces.torque[i] = uniform(seed, 1000);
    c->forces.drive[i] = uniform(seed, 1000);
  }
  for (int k = 0; k < 3 * FORM_CORNERS; k++) {
    c->forces.hub_force[k] = uniform(seed, 8000);
    c->forces.hub_moment[k] = uniform(seed, 800);
  }
}

static formAcceleration accelerations(const formMethod* m, void* self, const Case* c) {
  formAcceleration out;
  m->set(self, &c->state, &c->steer);
  m->update(self, &c->steer);
  m->apply(self, &c->forces);
  m->accelerate(self);
  m->result(self, &out);
  return out;
}

// Largest difference of two results, over the largest number of the first.
static double difference(const formAcceleration* a, const formAcceleration* b) {
  enum { NUMBERS = sizeof *a / sizeof(double) };
  double x[NUMBERS], y[NUMBERS], largest = 0, worst = 0;
  memcpy(x, a, sizeof *a);
  memcpy(y, b, sizeof *b);
  for (int i = 0; i < NUMBERS; i++) {
    largest = fmax(largest, fabs(x[i]));
    // NaN counts
    if (!(fabs(x[i] - y[i]) <= worst)) worst = fabs(x[i] - y[i]);
  }
  return worst / largest;
}

// ---- tests ----

static void test_accelerations_agree(void** state) {
  enum { STATES = 1000 };
  formVehicle v;
  (void)state;
  form_hmmwv(&v);
  void* embedded = make(0, &v);
  assert_non_null(embedded);
  for (int i = 1; i < FORM_METHODS; i++) {
    void* self = make(i, &v);
    uint64_t seed = 15;
    double worst = 0;
    for (int k = 0; self && k < STATES; k++) {
      Case c;
      random_case(&seed, &c);
      const formAcceleration a = accelerations(&form_embedded, embedded, &c);
      const formAcceleration b = accelerations(methods[i], self, &c);
      const double d = difference(&a, &b);
      if (!(d <= worst)) worst = d;
      // joints close where the closed kinematics put the bodies
      assert_near(methods[i]->closure(self), 0, 1e-13);
    }
    if (self) print_message("%s: %.2g\n", methods[i]->name, worst);
    assert_near(worst, 0, 1e-9);
    if (self) methods[i]->destroy(self);
  }
  form_embedded.destroy(embedded);
}

// The comparison sees a rod that is heavier by a thousandth, and a steering acceleration.
static void test_differences_show(void** state) {
  formVehicle v, other;
  uint64_t seed = 3;
  Case c;
  (void)state;
  form_hmmwv(&v);
  other = v;
  other.rod_mass *= 1.001;
  random_case(&seed, &c);
  void* embedded = make(0, &v);
  for (int i = 1; i < FORM_METHODS; i++) {
    void *heavy = make(i, &other), *same = make(i, &v);
    if (heavy && same) {
      const formAcceleration a = accelerations(&form_embedded, embedded, &c);
      const formAcceleration b = accelerations(methods[i], heavy, &c);
      assert_true(difference(&a, &b) > 1e-7);
      Case steered = c;
      steered.steer.change += 1e-3;
      const formAcceleration d = accelerations(methods[i], same, &steered);
      assert_true(difference(&a, &d) > 1e-7);
    }
    if (heavy) methods[i]->destroy(heavy);
    if (same) methods[i]->destroy(same);
  }
  form_embedded.destroy(embedded);
}

// Coordinates less constraints are 14 in all; bodies and joints as they are counted by hand.
static void test_counts(void** state) {
  enum { BODIES = 1 + 4 * 5 };  // chassis; per corner two arms, upright, rod, wheel
  // per corner: hinges of wheel and arms 5 each, three ball joints of arms and rod at the upright,
  // the rod's inner one, and its spin
  enum { ROWS = 4 * (3 * 5 + 3 * 3 + 3 + 1) };
  (void)state;
  for (int i = 0; i < FORM_METHODS; i++) {
    assert_int_equal(methods[i]->coordinates - methods[i]->constraints, 14);
  }
  assert_int_equal(form_embedded.coordinates, 6 + 4 + 4);
  assert_int_equal(form_augmented_by_corner.coordinates, 6 + 4 * (1 + 1 + 3 + 2 + 1));
  assert_int_equal(form_augmented_by_corner.constraints, 4 * (3 + 3));
  assert_int_equal(form_absolute_ldl.coordinates, 6 * BODIES);
  assert_int_equal(form_absolute_ldl.constraints, ROWS);
  assert_int_equal(form_absolute_ldl.equations, 6 * BODIES + ROWS);
}

// Sylvester's law: as many negative pivots as independent joint rows, so none is said twice, and as
// many positive ones as coordinates.
static void test_joint_rows_are_independent(void** state) {
  formVehicle v;
  uint64_t seed = 21;
  (void)state;
  form_hmmwv(&v);
  void* self = make(3, &v);
  if (!self) skip();
  for (int k = 0; k < 50; k++) {
    int positive = 0, negative = 0;
    Case c;
    random_case(&seed, &c);
    accelerations(methods[3], self, &c);
    form_absolute_pivots(self, &positive, &negative);
    assert_int_equal(positive, 126);
    assert_int_equal(negative, 112);
  }
  methods[3]->destroy(self);
}

// What is set can be read back, and hubs are in one place with one speed.
static void test_states_are_one(void** state) {
  formVehicle v;
  uint64_t seed = 8;
  (void)state;
  form_hmmwv(&v);
  void* embedded = make(0, &v);
  for (int i = 1; i < FORM_METHODS; i++) {
    void* self = make(i, &v);
    for (int k = 0; self && k < 50; k++) {
      Case c;
      formState back;
      formHubs a, b;
      random_case(&seed, &c);
      accelerations(&form_embedded, embedded, &c);
      accelerations(methods[i], self, &c);
      form_embedded.hubs(embedded, &a);
      methods[i]->hubs(self, &b);
      methods[i]->get(self, &back);
      for (int w = 0; w < FORM_CORNERS; w++) {
        assert_near(back.q[w], c.state.q[w], 1e-13);
        assert_near(back.rate[w], c.state.rate[w], 1e-12);
        assert_near(back.spin[w], c.state.spin[w], 1e-12);
        assert_near(a.spin[w], b.spin[w], 1e-12);
      }
      for (int n = 0; n < 3 * FORM_CORNERS; n++) {
        assert_near(a.position[n], b.position[n], 1e-12);
        assert_near(a.velocity[n], b.velocity[n], 1e-11);
        assert_near(a.axis[n], b.axis[n], 1e-12);
      }
    }
    if (self) methods[i]->destroy(self);
  }
  form_embedded.destroy(embedded);
}

// Chrono's own HMMWV at rest: springs of 294.44 and 357.03 mm press with 11004 and 10264 N.
static void test_springs(void** state) {
  formVehicle v;
  (void)state;
  form_hmmwv(&v);
  assert_near(form_spring(&v, &v.corner[0], 0.29444), 11004, 5);
  assert_near(form_spring(&v, &v.corner[2], 0.35703), 10264, 5);
  // rates of the dampers: in the middle and in their zones
  assert_near(form_damper(&v, &v.corner[0], 0.37, -1), 12521.5641, 1e-3);
  assert_near(form_damper(&v, &v.corner[0], 0.37, 1), -22460.0083, 1e-3);
  assert_near(form_damper(&v, &v.corner[2], 0.43, -1), 8537.4300, 1e-3);
  assert_near(form_damper(&v, &v.corner[2], 0.43, 1), -63921.2710, 1e-3);
}

static void drive(const formMethod* m, void* self, const formVehicle* v, double h, int steps) {
  formForces f;
  formHubs hubs;
  const formState s = form_start();
  const formSteer begin = form_drive(0, &f);
  m->set(self, &s, &begin);
  for (int i = 0; i < steps; i++) {
    const formSteer steer = form_drive(i * h, &f);
    m->update(self, &steer);
    m->hubs(self, &hubs);
    form_road(v, &hubs, &f);
    m->apply(self, &f);
    m->accelerate(self);
    m->integrate(self, h);
  }
  const formSteer end = form_drive(steps * h, &f);
  m->update(self, &end);
}

// A drive over waves: joints stay closed, and the paths of all come together in the order of the
// integrator (1) as steps shrink.
static void test_paths_come_together(void** state) {
  static const double TIME = 2;
  formVehicle v;
  (void)state;
  form_hmmwv(&v);
  void* embedded = make(0, &v);
  for (int i = 1; i < FORM_METHODS; i++) {
    void* self = make(i, &v);
    double apart[2];
    for (int k = 0; self && k < 2; k++) {
      const int steps = k ? 4000 : 1000;
      formState a, b;
      drive(&form_embedded, embedded, &v, TIME / steps, steps);
      drive(methods[i], self, &v, TIME / steps, steps);
      form_embedded.get(embedded, &a);
      methods[i]->get(self, &b);
      apart[k] = rut_vec3_norm(rut_vec3_sub(a.position, b.position));
      assert_near(form_embedded.closure(embedded), 0, 1e-14);
      assert_near(methods[i]->closure(self), 0, k ? 5e-4 : 2e-3);
      // it went somewhere, upright
      assert_true(a.position.x > 15 && a.position.z > 0.4 && a.position.z < 1.2);
    }
    if (self) {
      print_message("%s: %.2g and %.2g m apart\n", methods[i]->name, apart[0], apart[1]);
      assert_true(apart[0] < 0.02);
      assert_true(apart[1] < 0.4 * apart[0]);
      methods[i]->destroy(self);
    }
  }
  form_embedded.destroy(embedded);
}

static void test_no_allocations(void** state) {
  formVehicle v;
  (void)state;
  if (!COUNTS_ALLOCATIONS) skip();
  form_hmmwv(&v);
  for (int i = 0; i < FORM_METHODS; i++) {
    void* self = make(i, &v);
    if (!self) continue;
    // the first steps may load a library and choose pivots
    drive(methods[i], self, &v, 1e-3, 2);
    const long before = allocations;
    drive(methods[i], self, &v, 1e-3, 200);
    assert_int_equal(allocations - before, 0);
    methods[i]->destroy(self);
  }
}

static void test_measure(void** state) {
  formFigures f[FORM_METHODS];
  (void)state;
  assert_true(form_measure(0.1, 1e-3, 1, f));
  for (int i = 0; i < FORM_METHODS; i++) {
    if (!f[i].available) continue;
    assert_true(f[i].mean > 0 && f[i].p99 >= 0.5 * f[i].mean && f[i].second > 0);
    assert_true(f[i].drift < 2e-3);
    assert_near(f[i].apart, 0, 0.01);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_accelerations_agree),
      cmocka_unit_test(test_differences_show),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_joint_rows_are_independent),
      cmocka_unit_test(test_states_are_one),
      cmocka_unit_test(test_springs),
      cmocka_unit_test(test_paths_come_together),
      cmocka_unit_test(test_no_allocations),
      cmocka_unit_test(test_measure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
