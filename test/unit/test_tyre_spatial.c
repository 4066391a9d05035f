// SPDX-License-Identifier: BSD-3-Clause
//
// Tyres of vehicles with suspensions: published numbers, closed forms, the printed formulas worked
// out elsewhere, and what holds for any of them.
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
#include "rut/component.h"

extern const rutTyreType rut_tyre_fiala, rut_tyre_tmeasy, rut_tyre_pac2002;
static const rutTyreType* const types[] = {&rut_tyre_fiala, &rut_tyre_tmeasy, &rut_tyre_pac2002};

// a is b, as precisely as b is printed.
#define assert_printed(a, b, digit) assert_near(a, b, 0.5000001 * (digit))

static const double pi = 3.14159265358979323846;
static double degrees(double x) { return x * pi / 180; }

enum { MAX_NUMBERS = 256, LANES = 8, ROUNDS = 4000 };

static uint64_t seed = 1;
static double uniform(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

// --- A tyre and one wheel -----------------------------------------------------------------------

typedef struct Tyre {
  const rutTyreType* type;
  double param[MAX_NUMBERS];
  int used;
} Tyre;

static int field_of(const Tyre* tyre, const char* name) {
  const rutComponent* base = &tyre->type->base;
  for (int i = 0; i < base->fields; i++) {
    if (strcmp(base->field[i].name, name) == 0) return i;
  }
  fail_msg("no field %s", name);
  return 0;
}
static void set(Tyre* tyre, const char* name, double value) {
  tyre->param[field_of(tyre, name)] = value;
}
static double get(const Tyre* tyre, const char* name) { return tyre->param[field_of(tyre, name)]; }
static void set_list(Tyre* tyre, const char* name, int n, const double* number) {
  assert_true(tyre->used + n < MAX_NUMBERS);
  tyre->param[field_of(tyre, name)] = tyre->used;
  tyre->param[tyre->used++] = n;
  for (int i = 0; i < n; i++) tyre->param[tyre->used++] = number[i];
}
static Tyre tyre_of(const rutTyreType* type) {
  Tyre tyre = {.type = type, .used = type->base.fields};
  for (int i = 0; i < type->base.fields; i++) {
    const rutField* f = &type->base.field[i];
    tyre.param[i] = f->type == RUT_TEXT ? NAN : f->def;
    if (f->type == RUT_POINTS) set_list(&tyre, f->name, 0, NULL);
  }
  return tyre;
}
static rutStatus check(const Tyre* tyre) { return tyre->type->base.check(tyre->param, NULL); }

// The numbers of rutTyreGripIn and rutTyreGripOut in order.
typedef struct Wheel {
  double slip_x, slip_y, direction, load, deflection, radius, inclination, speed, friction, side;
} Wheel;
typedef struct Grip {
  double mu_x, mu_y, secant_x, secant_y, normalised_slip, resistance, peak, overturning, aligning;
} Grip;

static Grip grip(const Tyre* t, Wheel w) {
  Grip g = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  const rutTyreGripIn in = {&w.slip_x, &w.slip_y,      &w.direction, &w.load,     &w.deflection,
                            &w.radius, &w.inclination, &w.speed,     &w.friction, &w.side};
  const rutTyreGripOut out = {
      &g.mu_x,       &g.mu_y, &g.secant_x,    &g.secant_y, &g.normalised_slip,
      &g.resistance, &g.peak, &g.overturning, &g.aligning};
  t->type->grip(t->param, 1, &in, &out);
  return g;
}

// A wheel that rolls forward, on the road on which its tyre was measured.
static Wheel rolling(double load) {
  return (Wheel){.direction = 1,
                 .load = load,
                 .deflection = 0.03,
                 .radius = 0.47,
                 .speed = 10,
                 .friction = NAN,
                 .side = 1};
}
// With slips over the speed of the hub: kappa = (r w - v)/|v| and tan = v_y/|v|.
static Wheel slipping(Wheel w, double kappa, double tangent) {
  const double hub = kappa > 0 ? 1 / (1 + kappa) : 1;
  w.slip_x = kappa * hub * w.direction;
  w.slip_y = tangent * hub;
  return w;
}

typedef struct Carcass {
  double load, stiffness, damping, energy, relaxation_x, relaxation_y, crossover, bearing;
} Carcass;
static Carcass carcass(const Tyre* t, double deflection, double rate, double radius) {
  Carcass c = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  const rutCarcassOut out = {&c.load,         &c.stiffness,    &c.damping,   &c.energy,
                             &c.relaxation_x, &c.relaxation_y, &c.crossover, &c.bearing};
  t->type->carcass(t->param, 1, &deflection, &rate, &radius, &out);
  return c;
}

// --- Fiala --------------------------------------------------------------------------------------

// Forces without the limit of both together, at 6500 N, as recorded in the reference notes; the
// last digit says how precisely.
static void test_fiala_numbers(void** state) {
  (void)state;
  static const struct {
    double kappa, degrees, x, y, z, digit_x, digit_y, digit_z;
  } rows[] = {{.005, 0, 969.645, 0, 0, 1e-3, 0, 0},
              {.02, 0, 3748.63, 0, 0, 1e-2, 0, 0},
              {.1, 0, 5633.28, 0, 0, 1e-2, 0, 0},
              {1, 0, 3602.31, 0, 0, 1e-2, 0, 0},
              {0, 1, 0, -833.345, 80.3602, 0, 1e-3, 1e-4},
              {0, 4, 0, -2880.18, 198.413, 0, 1e-2, 1e-3},
              {0, 10, 0, -5155.89, 118.375, 0, 1e-2, 1e-3},
              {0, 45, 0, -3619.20, 0, 0, 1e-2, 1e-6},
              {.05, 5, 5149.72, -3413.99, 204.739, 1e-2, 1e-2, 1e-3}};
  const Tyre t = tyre_of(&rut_tyre_fiala);
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) {
    const double tangent = tan(degrees(rows[i].degrees)), load = 6500;
    // both forces together stay within mu N
    const double slip = fmin(hypot(rows[i].kappa, tangent), 1);
    const double mu = 0.9835 - (0.9835 - 0.5568) * slip;
    const double cut = fmin(1, mu * load / hypot(rows[i].x, rows[i].y));
    for (int sign = -1; sign <= 1; sign += 2) {
      // braking and driving differ only in how the slip was made bounded
      const Grip g = grip(&t, slipping(rolling(load), sign * rows[i].kappa, sign * tangent));
      assert_near(g.mu_x * load, sign * cut * rows[i].x, 0.6 * rows[i].digit_x + 1e-4);
      assert_near(g.mu_y * load, sign * cut * rows[i].y, 0.6 * rows[i].digit_y + 1e-4);
      assert_near(g.aligning, sign * cut * rows[i].z, 0.501 * rows[i].digit_z + 1e-4);
      assert_true(g.overturning == 0);
    }
  }
  assert_near(grip(&t, rolling(6500)).resistance, 0.015 / 0.47, 1e-15);
}

// At S* both branches give half of mu N with the slope C_s; at small slip F_y = -C_a tan a with the
// trail W/3; where H is 0 the lateral force is mu N with no moment and no slope.
static void test_fiala_branches(void** state) {
  (void)state;
  Tyre t = tyre_of(&rut_tyre_fiala);
  set(&t, "friction_max", 0.8);
  set(&t, "friction_min", 0.8);
  const double load = 6500, c = 193929, limit = 0.8 * load, critical = limit / (2 * c), d = 1e-6;
  for (int side = -1; side <= 1; side++) {
    const Grip g = grip(&t, slipping(rolling(load), critical * (1 + side * 1e-9), 0));
    assert_near(g.mu_x * load, limit / 2, 1e-4);
  }
  for (int side = -1; side <= 1; side += 2) {
    const double a = critical + side * 2 * d;
    const double high = grip(&t, slipping(rolling(load), a + d, 0)).mu_x;
    const double low = grip(&t, slipping(rolling(load), a - d, 0)).mu_x;
    assert_near((high - low) / (2 * d) * load / c, 1, 1e-3);
  }
  const Grip small = grip(&t, slipping(rolling(load), 0, 1e-6));
  assert_near(small.mu_y * load / -1e-6, 50000, 0.2);
  assert_near(small.aligning / (-small.mu_y * load), 0.318 / 3, 1e-4);
  const double slides = 3 * limit / 50000;
  for (int side = -1; side <= 1; side += 2) {
    const Grip g = grip(&t, slipping(rolling(load), 0, slides * (1 + side * 1e-4)));
    assert_near(g.mu_y * load, -limit, 1e-6);
    assert_near(g.aligning, 0, 1e-6);
  }
  // with constant friction these are the slips of the largest forces
  assert_near(grip(&t, slipping(rolling(load), 0, slides)).normalised_slip, 1, 1e-9);
  assert_near(grip(&t, rolling(load)).peak * load, limit - limit * limit / (4 * c), 1e-9);
}

// A place of half the friction of the road of the measurements is a tyre of half the friction: the
// slopes stay, and nothing jumps at S*.
static void test_fiala_road(void** state) {
  (void)state;
  const Tyre t = tyre_of(&rut_tyre_fiala);
  Tyre half = t;
  set(&half, "friction_max", 0.9835 / 2);
  set(&half, "friction_min", 0.5568 / 2);
  for (int i = 0; i < 100; i++) {
    Wheel w = slipping(rolling(uniform(100, 20000)), uniform(-0.9, 2), uniform(-0.5, 0.5));
    const Grip a = grip(&half, w);
    w.friction = 0.4;
    const Grip b = grip(&t, w);
    assert_near(a.mu_x, b.mu_x, 1e-12);
    assert_near(a.mu_y, b.mu_y, 1e-12);
    assert_near(a.aligning, b.aligning, 1e-9);
    assert_near(a.peak, b.peak, 1e-12);
  }
  double last = 0;
  for (int i = 0; i <= 4000; i++) {
    Wheel w = slipping(rolling(6500), i * 1e-5, 0);
    w.friction = 0.3;
    const double mu = grip(&t, w).mu_x;
    assert_true(fabs(mu - last) < 1.01 * 193929.0 / 6500 * 1e-5);
    last = mu;
  }
}

// --- TMeasy -------------------------------------------------------------------------------------

// With slips over the speed of the tread: (r w - v)/|r w| and -v_y/|r w|.
static Wheel treading(Wheel w, double sx, double sy) {
  const double tread = sx < 0 ? 1 / (1 - sx) : 1;
  w.slip_x = sx * tread * w.direction;
  w.slip_y = -sy * tread;
  return w;
}

// The printed formulas worked out by a program of their own: load, slips, deflection, friction;
// F_x, F_y, M_z, slip over that of the largest force.
static void test_tmeasy_numbers(void** state) {
  (void)state;
  static const double rows[][9] = {
      {8562.82661, 0.05, 0, 0.03, 0.8, 5960.48950663, 0, 0, 0.462491906392},
      {8562.82661, 0.2, 0, 0.03, 0.8, 6677.55082814, 0, 0, 1.84996762557},
      {8562.82661, 0, 0.1, 0.03, 0.8, 0, 4330.90942887, -138.71556962, 0.301504507492},
      {8562.82661, 0, 0.5, 0.03, 0.8, 0, 6250.66016065, 40.1095243017, 1.50752253746},
      {6500, 0.03, 0.08, 0.02, 0.8, 1193.72828383, 3183.27542355, -88.0491399269, 0.273325222153},
      {6500, -0.3, -0.25, 0.02, 0.9, -4520.35785777, -3766.96488148, 47.608640695, 1.53000331986},
      {17125.65322, 0.06, 0.2, 0.05, 0.5, 2245.94988981, 7486.4996327, -41.5074989017,
       1.04358358709},
      {12000, 0.9, 1.5, 0.04, 0.8, 3824.40951602, 6374.01586003, 0, 6.01954343643},
      {35000, 0.1, 0.1, 0.08, 1, 13838.6951376, 13838.6951376, -910.501867105, 0.43939956992}};
  const Tyre t = tyre_of(&rut_tyre_tmeasy);
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) {
    const double* r = rows[i];
    for (int sign = -1; sign <= 1; sign += 2) {
      Wheel w = treading(rolling(r[0]), sign * r[1], sign * r[2]);
      w.radius = 0.4699;
      w.deflection = r[3];
      w.friction = r[4];
      const Grip g = grip(&t, w);
      assert_near(g.mu_x * r[0], sign * r[5], 1e-9 * (1 + fabs(r[5])));
      assert_near(g.mu_y * r[0], sign * r[6], 1e-9 * (1 + fabs(r[6])));
      assert_near(g.aligning, sign * r[7], 1e-8 * (1 + fabs(r[7])));
      assert_near(g.normalised_slip, r[8], 1e-10 * r[8]);
    }
  }
}

// What the numbers of the tyre mean: at the nominal load and at twice that each is met.
static void test_tmeasy_meaning(void** state) {
  (void)state;
  const Tyre t = tyre_of(&rut_tyre_tmeasy);
  static const char* const end[2] = {"", "_double"};
  for (int two = 0; two < 2; two++) {
    for (int axis = 0; axis < 2; axis++) {
      const double load = (1 + two) * get(&t, "nominal_load");
      double number[5];
      static const char* const names[5] = {"slope", "largest", "sliding", "slip_largest",
                                           "slip_sliding"};
      for (int i = 0; i < 5; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%c%s", names[i], "xy"[axis], end[two]);
        number[i] = get(&t, name);
      }
      const double small = 1e-7;
      const double slip[5] = {small, number[3], number[4], 1.5 * number[4], 0.5 * number[3]};
      double force[5];
      for (int i = 0; i < 5; i++) {
        const Wheel w = treading(rolling(load), axis ? 0 : slip[i], axis ? slip[i] : 0);
        const Grip g = grip(&t, w);
        force[i] = (axis ? g.mu_y : g.mu_x) * load;
      }
      assert_near(force[0] / small, number[0], 1e-4 * number[0]);
      assert_near(force[1], number[1], 1e-9 * number[1]);
      assert_near(force[2], number[2], 1e-9 * number[2]);
      assert_near(force[3], number[2], 1e-9 * number[2]);
      // half way to the largest: x = 1/2 in df0 s_m x/(1 + x (x + p))
      const double p = number[0] * number[3] / number[1] - 2;
      assert_near(force[4], number[0] * number[3] * 0.5 / (1 + 0.5 * (0.5 + p)), 1e-9 * number[1]);
      if (axis == 0) assert_near(grip(&t, rolling(load)).peak * load, number[1], 1e-9 * number[1]);
    }
  }
  // trail: that without slip, none at its two ends
  const double length = 2 * sqrt(0.47 * 0.03), load = get(&t, "nominal_load");
  const Grip start = grip(&t, treading(rolling(load), 0, 1e-7));
  assert_near(start.aligning / (-start.mu_y * load) / length, 0.178, 1e-6);
  assert_near(grip(&t, treading(rolling(load), 0, 0.36484)).aligning, 0, 1e-9);
  assert_near(grip(&t, treading(rolling(load), 0, 1.0296)).aligning, 0, 1e-9);
}

// Neither force nor slope jumps along the curve, nor between parabolas and cubic.
static void test_tmeasy_smooth(void** state) {
  (void)state;
  for (int round = 0; round < 20; round++) {
    Tyre t = tyre_of(&rut_tyre_tmeasy);
    // a slope as small as can be makes the parabolas fit no more
    if (round % 2) set(&t, "slip_sliding_x", 0.2);
    if (round % 2) set(&t, "slip_sliding_x_double", 0.2);
    assert_int_equal(check(&t), RUT_OK);
    const double load = uniform(2000, 20000), angle = round < 4 ? 0 : uniform(0, pi / 2);
    double last = 0, before = 0;
    const double step = 1e-5;
    for (int i = 1; i < 130000; i += i < 20000 ? 1 : 5) {
      const double s = i * step, width = (i < 20000 ? 1 : 5) * step;
      if (i == 20000) break;
      const Grip g = grip(&t, treading(rolling(load), s * cos(angle), s * sin(angle)));
      const double f = hypot(g.mu_x, g.mu_y), slope = (f - last) / width;
      assert_true(f > last - 40 * width && f < last + 40 * width);
      if (i > 2) assert_near(slope, before, 0.02);
      before = slope;
      last = f;
    }
  }
}

// --- PAC2002 ------------------------------------------------------------------------------------

// Numbers of the reference notes for the default set: kappa, angle, load; F_x, F_y, M_z.
static void test_pac_numbers(void** state) {
  (void)state;
  static const double rows[][9] = {{.05, 0, 8500, 6274.3, 0, 0, .1, 1, 1},
                                   {0, 3, 8500, 0, -3917.0, 196.98, 1, .1, .01},
                                   {0, 10, 8500, 0, -7154.3, 132.01, 1, .1, .01},
                                   {.05, 3, 8500, 5469.7, -3556.9, 114.37, .1, .1, .01},
                                   {.1, 6, 4250, 2939.3, -2733.8, 19.807, .1, .1, .001},
                                   {-.2, -8, 12000, -7651.3, 5339.5, 6.3985, .1, .1, .0001}};
  const Tyre t = tyre_of(&rut_tyre_pac2002);
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) {
    const double* r = rows[i];
    const Grip g = grip(&t, slipping(rolling(r[2]), r[0], tan(degrees(r[1]))));
    assert_printed(g.mu_x * r[2], r[3], r[6]);
    assert_printed(g.mu_y * r[2], r[4], r[7]);
    assert_printed(g.aligning, r[5], r[8]);
    assert_near(g.resistance, 0.015, 1e-15);
  }
  // slopes at no slip and largest forces
  const Grip none = grip(&t, rolling(8500));
  assert_near(none.secant_x * 8500, 170000, 1e-3);
  assert_near(none.secant_y * 8500, 81600, 1e-3);
  double most_x = 0, most_y = 0, at_x = 0, at_y = 0;
  for (int i = 0; i < 4000; i++) {
    const double x = i * 1e-4;
    const double fx = grip(&t, slipping(rolling(8500), x, 0)).mu_x * 8500;
    const double fy = -grip(&t, slipping(rolling(8500), 0, tan(x))).mu_y * 8500;
    if (fx > most_x) at_x = x;
    if (fy > most_y) at_y = x;
    most_x = fmax(most_x, fx);
    most_y = fmax(most_y, fy);
  }
  assert_near(most_x, 7650, 1e-2);
  assert_near(most_y, 7225, 1e-2);
  assert_printed(at_x, 0.112, 1e-3);
  assert_printed(at_y * 180 / pi, 12.3, 0.1);
  assert_near(none.peak * 8500, 7650, 1e-9);
  assert_near(grip(&t, slipping(rolling(8500), at_x, 0)).normalised_slip, 1, 1e-3);
  assert_near(grip(&t, slipping(rolling(8500), 0, tan(at_y))).normalised_slip, 1, 1e-3);
}

// A set in which every coefficient and scale counts.
static Tyre crowded(void) {
  static const struct {
    const char* name;
    double value;
  } rows[] = {
#define ROW(name, value) {#name, value},
#include "pac2002_crowded.def"
#undef ROW
  };
  Tyre t = tyre_of(&rut_tyre_pac2002);
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) set(&t, rows[i].name, rows[i].value);
  assert_int_equal(check(&t), RUT_OK);
  return t;
}

// The printed formulas of that set worked out by a program of their own: kappa, alpha, camber,
// load, speed, pressure over the nominal one less 1, friction over that of the measurements; F_x,
// F_y, M_x, M_y, M_z, relaxation lengths.
static const double crowded_rows[][14] = {
    {0.03, 0.02, 0.03, 9000, 12, 0, 1, 5122.05130504, -2344.85741944, -170.523765918, 81.5880046921,
     19.0020611842, 0.815307391419, 0.379974749963},
    {-0.06, 0.08, -0.05, 7000, 20, 0.1, 1, -4297.02263462, -4394.84638493, -47.0905398844,
     31.6195123198, 171.892254196, 0.637197286437, 0.312651268583},
    {0.12, -0.15, 0.1, 15000, 8, -0.15, 0.75, 5238.69810641, 5750.89432896, -14.6573847949,
     215.30224284, 2.99247702165, 1.31463295275, 0.508120033996},
    {-0.4, -0.3, -0.02, 5000, 30, 0.05, 1.1, -2846.74715066, 2625.08556189, 111.579662142,
     26.1276716032, 29.4194752473, 0.455634373694, 0.233462717878},
    {0.002, 0.001, 0, 9350, 15, 0, 1, 756.908580764, -385.868267976, -3.54209503192, 70.9194797467,
     -0.974276329419, 0.846, 0.390461538462}};

static Wheel crowded_wheel(Tyre* t, const double* r) {
  Wheel w = slipping(rolling(r[3]), r[0], tan(r[1]));
  set(t, "ip", 300000 * (1 + r[5]));
  w.inclination = r[2];
  w.speed = r[4];
  w.friction = 0.8 * r[6];
  return w;
}

static void test_pac_crowded(void** state) {
  (void)state;
  Tyre t = crowded();
  for (int i = 0; i < RUT_COUNT_OF(crowded_rows); i++) {
    const double* r = crowded_rows[i];
    const Grip g = grip(&t, crowded_wheel(&t, r));
    assert_near(g.mu_x * r[3], r[7], 1e-9 * fabs(r[7]));
    assert_near(g.mu_y * r[3], r[8], 1e-9 * fabs(r[8]));
    assert_near(g.overturning, r[9], 1e-9 * fabs(r[9]));
    assert_near(g.resistance * r[3] * 0.47, r[10], 1e-9 * fabs(r[10]));
    assert_near(g.aligning, r[11], 1e-9 * (1 + fabs(r[11])));
    const double deflection = r[3] / (450e3 * get(&t, "lcz"));
    const Carcass c = carcass(&t, deflection, 0, 0.47);
    assert_near(c.load, r[3], 1e-9 * r[3]);
    assert_near(c.relaxation_x, r[12], 1e-9);
    assert_near(c.relaxation_y, r[13], 1e-9);
  }
}

// The wheel of the other side is the mirror image, one that rolls backward is turned by half a
// turn: both give what the measured one gives, with these signs.
static void test_pac_mirror(void** state) {
  (void)state;
  Tyre t = crowded();
  for (int i = 0; i < RUT_COUNT_OF(crowded_rows); i++) {
    const Wheel w = crowded_wheel(&t, crowded_rows[i]);
    const Grip g = grip(&t, w);
    for (int k = 1; k < 6; k++) {
      const int back = k & 1, mirror = k == 2 || k == 3 || k == 4;
      Wheel v = w;
      Tyre u = t;
      // a tyre rolling backward shows its other side
      double other = (mirror ? -1 : 1) * (back ? -1 : 1), turned = back ? -1 : 1;
      if (k == 4 || k == 5) set(&u, "tyreside", 1);
      if (k == 4 || k == 5) other = -other;
      // measured on the left: side 1 is as measured
      v.side = k == 4 || k == 5 ? -w.side : w.side;
      v.side *= mirror ? -1 : 1;
      v.direction = back ? -1 : 1;
      const double side = other * (k == 4 || k == 5 ? -1 : 1);
      v.slip_x = turned * w.slip_x;
      v.slip_y = turned * side * w.slip_y;
      v.inclination = turned * side * w.inclination;
      const Grip h = grip(&u, v);
      assert_near(h.mu_x, turned * g.mu_x, 1e-12);
      assert_near(h.mu_y, turned * side * g.mu_y, 1e-12);
      assert_near(h.aligning, side * g.aligning, 1e-9);
      assert_near(h.overturning, turned * side * g.overturning, 1e-9);
    }
    // symmetric: no side counts
    Tyre u = t;
    set(&u, "tyreside", 2);
    Wheel v = w;
    v.side = -1;
    assert_near(grip(&u, v).mu_y, g.mu_y, 1e-15);
  }
}

// A standing wheel without slip has neither force nor moment, whatever the set; one that rolls has.
static void test_pac_rest(void** state) {
  (void)state;
  Tyre t = crowded();
  Wheel w = rolling(8000);
  w.speed = 0;
  const Grip rest = grip(&t, w);
  assert_true(rest.mu_x == 0 && rest.mu_y == 0 && rest.aligning == 0);
  w.speed = 5;
  const Grip rolls = grip(&t, w);
  assert_true(rolls.mu_x != 0 && rolls.mu_y != 0 && rolls.aligning != 0);
}

// use_mode says which forces there are; sets without numbers for combined slip stay in the ellipse.
static void test_pac_modes(void** state) {
  (void)state;
  Tyre t = tyre_of(&rut_tyre_pac2002);
  const Wheel w = slipping(rolling(8500), 0.05, tan(degrees(3)));
  const double x = 6274.269957488077, y = -3916.954183801057;
  for (int mode = 0; mode < 4; mode++) {
    set(&t, "use_mode", 10 + mode);
    const Grip g = grip(&t, w);
    assert_near(g.mu_x * 8500, mode == 1 || mode == 3 ? x : 0, 1e-6);
    assert_near(g.mu_y * 8500, mode >= 2 ? y : 0, 1e-6);
    assert_true((g.aligning != 0) == (mode >= 2));
  }
  set(&t, "use_mode", 4);
  set(&t, "rbx1", 0);
  set(&t, "rby1", 0);
  const double over = hypot(x / 7650, y / 7225), scale = 1 / fmax(over, 1);
  const Grip g = grip(&t, w);
  assert_near(g.mu_x * 8500, scale * x, 1e-6);
  assert_near(g.mu_y * 8500, scale * y, 1e-6);
  for (int i = 0; i < 200; i++) {
    const Grip h = grip(&t, slipping(rolling(8500), uniform(-1, 3), uniform(-2, 2)));
    assert_true(hypot(h.mu_x / 0.9, h.mu_y / 0.85) <= 1 + 1e-12);
  }
}

// --- Carcasses ----------------------------------------------------------------------------------

static void test_carcass_numbers(void** state) {
  (void)state;
  const Tyre fiala = tyre_of(&rut_tyre_fiala), tmeasy = tyre_of(&rut_tyre_tmeasy);
  assert_near(carcass(&fiala, 0.05, 0, 0.47).load, 29000, 1e-8);
  assert_near(carcass(&fiala, 0.25, 0, 0.47).load, 145000, 1e-7);
  assert_near(carcass(&fiala, 0.30, 0, 0.47).load, 145000 + 0.05 * 1.16e6, 1e-7);
  assert_near(carcass(&fiala, 0.05, 0.1, 0.47).load, 29007.5, 1e-8);
  assert_near(carcass(&fiala, 0.05, 0, 0.47).relaxation_x, 193929.0 / 185004, 1e-12);
  assert_near(carcass(&fiala, 0.05, 0, 0.47).relaxation_y, 50000.0 / 164448, 1e-12);
  // at the nominal load the slopes are those of the set
  const double k = 411120.9242, nominal = 8562.82661;
  const Carcass c = carcass(&tmeasy, nominal / k, 0, 0.4699);
  assert_near(c.load, nominal, 1e-9);
  assert_near(c.relaxation_x, 152216.2309 / 185004, 1e-9);
  assert_near(c.relaxation_y, 63376.0486 / 164448, 1e-9);
  const double reach = 0.4699 - 0.21955;
  assert_near(carcass(&tmeasy, reach + 0.01, 0, 0.4699).load, k * (reach + 0.01) + 20556.04621,
              1e-6);
  // critical damping, as the set was made: 2 x 0.5 sqrt(k m)
  assert_near(carcass(&tmeasy, 0.03, 0, 0.47).damping, sqrt(k * 37.6), 1e-4);
}

// A table through the points of a line is that line, with or without its first point; one that
// bends has its load, slope and area.
static void test_carcass_table(void** state) {
  (void)state;
  static const double line[] = {0, 0, 0.05, 29000, 0.1, 58000, 0.25, 145000};
  static const double bent[] = {0.02, 4000, 0.05, 16000};
  for (int i = 0; i < RUT_COUNT_OF(types); i++) {
    const char* name = types[i] == &rut_tyre_pac2002 ? "deflection_load_curve" : "load_curve";
    for (int first = 0; first < 2; first++) {
      Tyre t = tyre_of(types[i]);
      set_list(&t, name, 8 - 2 * first, line + 2 * first);
      assert_int_equal(check(&t), RUT_OK);
      for (double d = 0.013; d < 0.2; d += 0.017) {
        const Carcass c = carcass(&t, d, 0, 0.47);
        assert_near(c.load, 580000 * d, 1e-7);
        assert_near(c.stiffness, 580000, 1e-6);
        assert_near(c.energy, 290000 * d * d, 1e-7);
      }
    }
    Tyre t = tyre_of(types[i]);
    set_list(&t, name, 4, bent);
    const Carcass at[3] = {carcass(&t, 0.01, 0, 0.47), carcass(&t, 0.03, 0, 0.47),
                           carcass(&t, 0.07, 0, 0.47)};
    assert_near(at[0].load, 2000, 1e-9);
    assert_near(at[1].load, 8000, 1e-9);
    assert_near(at[2].load, 24000, 1e-9);
    assert_near(at[1].stiffness, 400000, 1e-6);
    assert_near(at[2].energy, 40 + 300 + 0.5 * 0.02 * 40000, 1e-9);
  }
  Tyre t = tyre_of(&rut_tyre_pac2002);
  set_list(&t, "bottoming_curve", 4, (const double[]){0.1, 0, 0.12, 30000});
  assert_near(carcass(&t, 0.11, 0, 0.47).load, 450e3 * 0.11 + 15000, 1e-6);
}

// --- What holds for all of them -----------------------------------------------------------------

static double friction_limit(const rutTyreType* type, Wheel w) {
  // largest coefficient of the set at any load and direction; the weighting functions of the set of
  // pac2002 pass their ellipse by 3.2 %
  const double road = w.friction == w.friction ? w.friction / 0.8 : 1;
  return road * (type == &rut_tyre_fiala    ? 0.9835
                 : type == &rut_tyre_tmeasy ? 1.0219
                                            : 0.98 * 1.032);
}
static Wheel any_wheel(void) {
  Wheel w = {.slip_x = uniform(-1, 1),
             .slip_y = uniform(-1, 1),
             .direction = uniform(-1, 1) < 0 ? -1 : 1,
             .load = uniform(0, 1) < 0.2 ? uniform(0, 50) : uniform(0, 40000),
             .deflection = uniform(0, 0.15),
             .radius = uniform(0.2, 0.7),
             .inclination = uniform(-0.2, 0.2),
             .speed = uniform(0, 1) < 0.3 ? uniform(0, 0.2) : uniform(0, 40),
             .friction = uniform(0, 1) < 0.5 ? NAN : uniform(0, 1.2),
             .side = floor(uniform(-1, 2))};
  const double size = pow(10, uniform(-4, 0));
  w.slip_x *= uniform(0, 1) < 0.1 ? 0 : size;
  w.slip_y *= uniform(0, 1) < 0.1 ? 0 : size;
  w.speed *= w.direction;
  return w;
}

// Sets without shifts: forces drive or brake as the slip says, oppose sliding, stay within the
// friction, and are what secants and slips give.
static void test_forces(void** state) {
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(types); k++) {
    const Tyre t = tyre_of(types[k]);
    for (int round = 0; round < ROUNDS; round++) {
      const Wheel w = any_wheel();
      const Grip g = grip(&t, w);
      const double all[] = {g.mu_x, g.mu_y,       g.secant_x,    g.secant_y, g.normalised_slip,
                            g.peak, g.resistance, g.overturning, g.aligning};
      for (int i = 0; i < RUT_COUNT_OF(all); i++) assert_true(isfinite(all[i]));
      assert_true(g.mu_x * w.slip_x >= 0 && g.mu_y * w.slip_y <= 0);
      assert_true(g.secant_x >= 0 && g.secant_y >= 0 && g.normalised_slip >= 0 && g.peak >= 0);
      assert_true(g.resistance >= 0);
      assert_true(hypot(g.mu_x, g.mu_y) <= friction_limit(types[k], w) + 1e-5);
      assert_near(g.secant_x * fabs(w.slip_x), fabs(g.mu_x), 1e-12 + 1e-9 * fabs(g.mu_x));
      assert_near(g.secant_y * fabs(w.slip_y), fabs(g.mu_y), 1e-12 + 1e-9 * fabs(g.mu_y));
    }
  }
}

// Turned by half a turn and mirrored, and both slips reversed with no camber.
static void test_symmetry(void** state) {
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(types); k++) {
    const Tyre t = tyre_of(types[k]);
    for (int round = 0; round < ROUNDS; round++) {
      const Wheel w = any_wheel();
      const Grip g = grip(&t, w);
      Wheel turned = w, mirrored = w;
      turned.slip_x = -w.slip_x;
      turned.slip_y = -w.slip_y;
      turned.direction = -w.direction;
      turned.speed = -w.speed;
      turned.inclination = -w.inclination;
      const Grip a = grip(&t, turned);
      assert_true(a.mu_x == -g.mu_x && a.mu_y == -g.mu_y && a.aligning == g.aligning);
      assert_true(a.overturning == -g.overturning && a.normalised_slip == g.normalised_slip &&
                  a.secant_x == g.secant_x);
      mirrored.slip_y = -w.slip_y;
      mirrored.inclination = -w.inclination;
      mirrored.side = -w.side;
      const Grip b = grip(&t, mirrored);
      assert_true(b.mu_x == g.mu_x && b.mu_y == -g.mu_y && b.aligning == -g.aligning);
      assert_true(b.overturning == -g.overturning && b.normalised_slip == g.normalised_slip);
    }
  }
}

// No load, no force; and forces go to 0 with it.
static void test_no_load(void** state) {
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(types); k++) {
    const Tyre t = types[k] == &rut_tyre_pac2002 ? crowded() : tyre_of(types[k]);
    for (int round = 0; round < 300; round++) {
      Wheel w = any_wheel();
      w.load = 0;
      const Grip g = grip(&t, w);
      assert_true(g.mu_x == 0 && g.mu_y == 0 && g.secant_x == 0 && g.secant_y == 0 &&
                  g.normalised_slip == 0);
      assert_true(g.overturning == 0 && g.aligning == 0);
      assert_true(isfinite(g.peak) && isfinite(g.resistance));
      w.load = 1e-6;
      const Grip h = grip(&t, w);
      assert_true(fabs(h.mu_x) < 10 && fabs(h.mu_y) < 10 && fabs(h.aligning) < 1e-5);
      assert_true(fabs(h.overturning) < 1e-5);
    }
  }
}

// Small changes of what a wheel meets change its forces little: also where it stops and turns
// round, where driving becomes braking, and where it locks or spins on the spot.
static void assert_continuous(const Tyre* t, Wheel a, Wheel b, double most) {
  const Grip x = grip(t, a), y = grip(t, b);
  assert_near(x.mu_x, y.mu_x, most);
  assert_near(x.mu_y, y.mu_y, most);
  assert_near(x.aligning, y.aligning, most * 1e4);
  assert_near(x.overturning, y.overturning, most * 1e4);
  assert_near(x.resistance, y.resistance, most);
}
static void test_continuity(void** state) {
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(types); k++) {
    for (int set_of = 0; set_of < 2; set_of++) {
      if (set_of && types[k] != &rut_tyre_pac2002) continue;
      const Tyre t = set_of ? crowded() : tyre_of(types[k]);
      for (int round = 0; round < ROUNDS; round++) {
        Wheel a = any_wheel();
        a.load = uniform(500, 30000);
        a.friction = a.friction == a.friction ? fmax(a.friction, 0.1) : a.friction;
        Wheel b = a;
        const double tiny = 1e-9;
        b.slip_x += tiny;
        b.slip_y -= tiny;
        b.load *= 1 + tiny;
        b.speed += tiny;
        b.inclination += tiny;
        assert_continuous(&t, a, b, 1e-3);
        // stops and turns round, slips or deflections staying
        a.speed = 1e-9;
        a.direction = 1;
        b = a;
        b.speed = -1e-9;
        b.direction = -1;
        assert_continuous(&t, a, b, 1e-6);
        // from driving to braking
        a.speed = 10;
        a.slip_x = 1e-10;
        b = a;
        b.slip_x = -1e-10;
        assert_continuous(&t, a, b, 1e-5);
        // spinning on the spot, locked
        for (int sign = -1; sign <= 1; sign += 2) {
          a.slip_x = sign * (1 - 1e-9);
          b = a;
          b.slip_x = sign * (1 + 1e-9);
          assert_continuous(&t, a, b, 1e-5);
        }
      }
    }
  }
}

// Slopes at no slip are the secants there, in each direction alone.
static void test_secants(void** state) {
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(types); k++) {
    const Tyre t = tyre_of(types[k]);
    for (int round = 0; round < 200; round++) {
      Wheel w = rolling(uniform(500, 25000));
      const Grip none = grip(&t, w);
      assert_true(none.mu_x == 0 && none.mu_y == 0);
      for (int sign = -1; sign <= 1; sign += 2) {
        w.slip_x = sign * 1e-7;
        w.slip_y = 0;
        assert_near(grip(&t, w).mu_x / w.slip_x, none.secant_x, 1e-3 * none.secant_x);
        w.slip_x = 0;
        w.slip_y = sign * 1e-7;
        assert_near(-grip(&t, w).mu_y / w.slip_y, none.secant_y, 1e-3 * none.secant_y);
      }
    }
  }
}

// Driven or braked harder and harder, the force rises to the peak and nowhere passes it; `use`
// tells where that is.
static void test_peak(void** state) {
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(types); k++) {
    const Tyre t = tyre_of(types[k]);
    for (int round = 0; round < 40; round++) {
      Wheel w = rolling(uniform(1000, 25000));
      if (round % 2) w.friction = uniform(0.2, 1.1);
      double most = 0, normalised_slip = 0, last = 0;
      int falls = 0;
      for (int i = 1; i <= 3000; i++) {
        w.slip_x = -i / 3000.0;
        const Grip g = grip(&t, w);
        if (-g.mu_x > most) normalised_slip = g.normalised_slip;
        most = fmax(most, -g.mu_x);
        falls += -g.mu_x < last - 1e-12;
        // no second rise
        assert_true(falls == 0 || -g.mu_x <= last + 1e-12);
        last = -g.mu_x;
      }
      const double peak = grip(&t, w).peak;
      assert_near(most, peak, 2e-3 * peak);
      assert_true(most <= peak * (1 + 1e-12));
      assert_near(normalised_slip, 1, 0.03);
    }
  }
}

// Lateral force likewise.
static void test_peak_across(void** state) {
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(types); k++) {
    const Tyre t = tyre_of(types[k]);
    for (int round = 0; round < 40; round++) {
      Wheel w = rolling(uniform(1000, 15000));
      double most = 0, normalised_slip = 0;
      for (int i = 1; i <= 3000; i++) {
        w.slip_y = -i / 3000.0;
        const Grip g = grip(&t, w);
        if (g.mu_y > most) normalised_slip = g.normalised_slip;
        most = fmax(most, g.mu_y);
      }
      assert_near(normalised_slip, 1, 0.03);
    }
  }
}

// One wheel alone and eight at once, same bits.
static void test_lanes(void** state) {
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(types); k++) {
    const Tyre t = types[k] == &rut_tyre_pac2002 ? crowded() : tyre_of(types[k]);
    for (int round = 0; round < 200; round++) {
      double from[10][LANES], to[9][LANES];
      Wheel wheel[LANES];
      for (int l = 0; l < LANES; l++) {
        wheel[l] = any_wheel();
        for (int i = 0; i < 10; i++) from[i][l] = ((const double*)(const void*)&wheel[l])[i];
      }
      const rutTyreGripIn in = {from[0], from[1], from[2], from[3], from[4],
                                from[5], from[6], from[7], from[8], from[9]};
      const rutTyreGripOut out = {to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7], to[8]};
      t.type->grip(t.param, LANES, &in, &out);
      for (int l = 0; l < LANES; l++) {
        const Grip g = grip(&t, wheel[l]);
        for (int i = 0; i < 9; i++) {
          assert_memory_equal(&((const double*)(const void*)&g)[i], &to[i][l], sizeof(double));
        }
      }
    }
  }
}

// --- What is refused ----------------------------------------------------------------------------

static void test_refused(void** state) {
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(types); k++) {
    const Tyre t = tyre_of(types[k]);
    const char* name = types[k] == &rut_tyre_pac2002 ? "deflection_load_curve" : "load_curve";
    assert_int_equal(check(&t), RUT_OK);
    static const double wrong[][4] = {
        {0.05, 1000, 0.04, 2000}, {0.05, 1000, 0.06, 900}, {0, 100, 0.05, 1000}};
    for (int i = 0; i < RUT_COUNT_OF(wrong); i++) {
      Tyre u = t;
      set_list(&u, name, 4, wrong[i]);
      assert_int_equal(check(&u), RUT_ERR_MODEL);
    }
  }
  static const struct {
    const rutTyreType* type;
    const char* name;
    double value;
  } rows[] = {{&rut_tyre_fiala, "friction_min", 0.99},
              {&rut_tyre_tmeasy, "sliding_x", 8000},
              {&rut_tyre_tmeasy, "slip_sliding_y", 0.3},
              {&rut_tyre_tmeasy, "largest_y_double", 7000},
              {&rut_tyre_tmeasy, "slip_largest_x_double", 0.3},
              {&rut_tyre_tmeasy, "slip_trail_ends", 1.1},
              {&rut_tyre_pac2002, "fzmin", 30000},
              {&rut_tyre_pac2002, "pdx1", 0},
              {&rut_tyre_pac2002, "pkx1", -20}};
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) {
    Tyre t = tyre_of(rows[i].type);
    set(&t, rows[i].name, rows[i].value);
    if (check(&t) != RUT_ERR_MODEL) fail_msg("%s", rows[i].name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fiala_numbers),  cmocka_unit_test(test_fiala_branches),
      cmocka_unit_test(test_fiala_road),     cmocka_unit_test(test_tmeasy_numbers),
      cmocka_unit_test(test_tmeasy_meaning), cmocka_unit_test(test_tmeasy_smooth),
      cmocka_unit_test(test_pac_numbers),    cmocka_unit_test(test_pac_crowded),
      cmocka_unit_test(test_pac_mirror),     cmocka_unit_test(test_pac_rest),
      cmocka_unit_test(test_pac_modes),      cmocka_unit_test(test_carcass_numbers),
      cmocka_unit_test(test_carcass_table),  cmocka_unit_test(test_forces),
      cmocka_unit_test(test_symmetry),       cmocka_unit_test(test_no_load),
      cmocka_unit_test(test_continuity),     cmocka_unit_test(test_secants),
      cmocka_unit_test(test_peak),           cmocka_unit_test(test_peak_across),
      cmocka_unit_test(test_lanes),          cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
