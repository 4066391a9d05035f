// SPDX-License-Identifier: BSD-3-Clause
//
// What every built-in tyre, drive and controller must hold, whatever its law: a sound description,
// finite results, the same bits in one lane as in eight, friction limits, and no energy from
// nothing.
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/units.h"
#include "rut/component.h"
#include "sim/spec/variables.h"

#define RUT_TYRE(x)       extern const rutTyreType rut_tyre_##x;
#define RUT_DRIVE(x)      extern const rutDriveType rut_drive_##x;
#define RUT_CONTROLLER(x) extern const rutControllerType rut_controller_##x;
#define RUT_SUSPENSION(x) extern const rutSuspensionType rut_suspension_##x;
#define RUT_SOIL(x)
#define RUT_TERRAIN(x)
#define RUT_SENSOR(x)
#define RUT_FORMAT(x)
#define RUT_APPEARANCE(x)
#define RUT_SCENERY(x)
#include "sim/spec/builtin.def"
#undef RUT_TYRE
#undef RUT_DRIVE
#undef RUT_CONTROLLER
#undef RUT_SUSPENSION

#define RUT_SUSPENSION(x)
static const rutTyreType* const tyres[] = {
#define RUT_TYRE(x) &rut_tyre_##x,
#define RUT_DRIVE(x)
#define RUT_CONTROLLER(x)
#include "sim/spec/builtin.def"
#undef RUT_TYRE
#undef RUT_DRIVE
#undef RUT_CONTROLLER
};
static const rutDriveType* const drives[] = {
#define RUT_TYRE(x)
#define RUT_DRIVE(x) &rut_drive_##x,
#define RUT_CONTROLLER(x)
#include "sim/spec/builtin.def"
#undef RUT_TYRE
#undef RUT_DRIVE
#undef RUT_CONTROLLER
};
static const rutControllerType* const controllers[] = {
#define RUT_TYRE(x)
#define RUT_DRIVE(x)
#define RUT_CONTROLLER(x) &rut_controller_##x,
#include "sim/spec/builtin.def"
#undef RUT_TYRE
#undef RUT_DRIVE
#undef RUT_CONTROLLER
#undef RUT_SUSPENSION
};
static const rutSuspensionType* const suspensions[] = {
#define RUT_TYRE(x)
#define RUT_DRIVE(x)
#define RUT_CONTROLLER(x)
#define RUT_SUSPENSION(x) &rut_suspension_##x,
#include "sim/spec/builtin.def"
};

enum { MAX_FIELDS = 256, MAX_STATES = 320, LANES = 8, WHEELS = 4, TYRE_INPUTS = 11, ROUNDS = 300 };

// Numbers of state of a component.
static int state_numbers(const rutComponent* base) {
  const rutShapeCounts counts = {WHEELS, WHEELS};
  return rut_variables_count(base, NULL, counts, base->states, base->state);
}

// --- Random numbers ---------------------------------------------------------------------------

static uint64_t seed = 1;
static double uniform(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}
// Numbers of all sizes and both signs, now and then exactly 0.
static double spread(double size) {
  const double sign = uniform(-1, 1) < 0 ? -1.0 : 1.0;
  return uniform(0, 1) < 0.1 ? 0.0 : sign * size * pow(10.0, uniform(-6, 0));
}

static void draw_scalar(const rutField* f, double* value) {
  if (uniform(0, 1) < 0.5) return;
  if (f->type == RUT_REAL) {
    // without a default of its own: something of the size of the demands
    const double near = isnan(f->def) ? uniform(0, 10) : f->def * uniform(0.5, 2.0);
    const double moved = f->def == 0.0 ? uniform(0, 1) : near;
    *value = fmin(fmax(moved, f->min), f->max);
  } else if (f->type != RUT_TEXT) {
    *value = floor(uniform(f->min, f->max + 1.0));
  }
}
// Default numbers of a list behind those that stand there, after their count.
static int put_list(const char* text, double* param, int used) {
  const int count = used++;
  for (char* end; *text; text = end) {
    const double number = strtod(text, &end);
    if (end == text) break;
    assert_true(used < MAX_FIELDS);
    param[used++] = number;
  }
  param[count] = used - count - 1;
  return used;
}
// Defaults, with each scalar moved to somewhere near its default within its range at times, such
// that the rules across fields hold.
static void draw_parameters(const rutComponent* base, double* param) {
  do {
    int used = base->fields;
    for (int i = 0; i < base->fields; i++) {
      const rutField* f = &base->field[i];
      if (f->type == RUT_VECTOR || f->type == RUT_POINTS) {
        param[i] = used;
        used = put_list(f->text, param, used);
      } else {
        param[i] = f->def;
        draw_scalar(f, &param[i]);
      }
    }
  } while (base->check && base->check(param, NULL) != RUT_OK);
}
static void set(const rutComponent* base, double* param, const char* field, double value) {
  for (int i = 0; i < base->fields; i++) {
    if (strcmp(base->field[i].name, field) == 0) param[i] = value;
  }
}
static double get(const rutComponent* base, const double* param, const char* field, double other) {
  for (int i = 0; i < base->fields; i++) {
    if (strcmp(base->field[i].name, field) == 0) return param[i];
  }
  return other;
}

// --- Descriptions -----------------------------------------------------------------------------

static void check_field(const rutComponent* base, int index) {
  const rutField* f = &base->field[index];
  const char* end;
  char message[160];
  double value;
  for (const char* c = f->name; *c; c++) {
    assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
  }
  for (int i = 0; i < index; i++) assert_string_not_equal(f->name, base->field[i].name);
  // the unit of a text says what it is: a file
  if (f->type == RUT_TEXT) return;
  assert_true(rut_parse_quantity("1", f->unit, &value, &end, message));
  assert_true(isnan(f->def) || (f->min <= f->def && f->def <= f->max));
  if (f->type == RUT_CHOICE) {
    int words = 1;
    for (const char* c = f->text; *c; c++) words += *c == '|';
    assert_int_equal((int)f->max, words - 1);
  }
  assert_true(f->doc[0] && f->doc[strlen(f->doc) - 1] == '.');
}
static void check_base(const rutComponent* base, const char* kind, size_t size) {
  assert_int_equal(base->abi, RUT_ABI);
  assert_int_equal(base->struct_size, size);
  assert_string_equal(base->kind, kind);
  assert_int_equal(strncmp(base->parents, "vehicle", 7), 0);
  assert_true(base->name[0] && base->doc[0]);
  assert_true(base->fields <= MAX_FIELDS);
  for (int i = 0; i < base->fields; i++) check_field(base, i);
}
static void test_descriptions(void** state) {
  (void)state;
  for (int i = 0; i < RUT_COUNT_OF(tyres); i++) {
    check_base(&tyres[i]->base, "tyre", sizeof(rutTyreType));
    assert_true(state_numbers(&tyres[i]->base) <= MAX_STATES);
  }
  for (int i = 0; i < RUT_COUNT_OF(drives); i++) {
    check_base(&drives[i]->base, "drive", sizeof(rutDriveType));
    assert_true(state_numbers(&drives[i]->base) <= MAX_STATES);
  }
  for (int i = 0; i < RUT_COUNT_OF(controllers); i++) {
    check_base(&controllers[i]->base, "controller", sizeof(rutControllerType));
    assert_true(controllers[i]->commands > 0 || controllers[i]->observes);
    assert_true(controllers[i]->scratch || state_numbers(&controllers[i]->base) <= MAX_STATES);
  }
}

// --- Tyres ------------------------------------------------------------------------------------

enum { VX, VY, GX, GY, SPEED, TORQUE, LOAD, RADIUS, INERTIA, FRICTION, ROLLING };
enum { FX, FY, DRAG, SPIN, ROLL, LIMIT, TYRE_OUTPUTS };

// Wheels as rows: input[row][n] -> output[row][n].
static void run_tyre(const rutTyreType* type, const double* param, int n, double dt,
                     const double* input, double* output) {
  const double* row[TYRE_INPUTS];
  double states[MAX_STATES * LANES] = {0};
  for (int i = 0; i < TYRE_INPUTS; i++) row[i] = input + i * n;
  double mass[LANES], scrub[LANES] = {0};
  for (int i = 0; i < n; i++) mass[i] = row[LOAD][i] / 9.81;
  const rutTyreIn in = {.dt = dt,
                        .gravity = 9.81,
                        .vx = row[VX],
                        .vy = row[VY],
                        .gx = row[GX],
                        .gy = row[GY],
                        .speed = row[SPEED],
                        .torque = row[TORQUE],
                        .load = row[LOAD],
                        .mass = mass,
                        .radius = row[RADIUS],
                        .inertia = row[INERTIA],
                        .friction = row[FRICTION],
                        .rolling = row[ROLLING],
                        .scrub = scrub};
  const rutTyreOut out = {.fx = output + FX * n,
                          .fy = output + FY * n,
                          .drag = output + DRAG * n,
                          .spin = output + SPIN * n,
                          .roll = output + ROLL * n,
                          .limit = output + LIMIT * n};
  type->force(param, n, &in, states, &out);
}

static void draw_wheel(double* wheel, double load) {
  wheel[VX] = spread(30.0);
  wheel[VY] = spread(10.0);
  wheel[GX] = uniform(-3, 3);
  wheel[GY] = uniform(-3, 3);
  wheel[SPEED] = spread(100.0);
  wheel[TORQUE] = spread(1e4);
  wheel[LOAD] = load;
  wheel[RADIUS] = uniform(0.05, 0.6);
  wheel[INERTIA] = uniform(0.001, 5.0);
  wheel[FRICTION] = uniform(0, 1) < 0.5 ? (double)NAN : uniform(0, 1.2);
  wheel[ROLLING] = uniform(0, 1) < 0.5 ? (double)NAN : uniform(0, 0.1);
}

// Eight wheels at once give the bits of each alone, and finite numbers.
static void test_tyre_lanes(void** state) {
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(tyres); t++) {
    for (int round = 0; round < ROUNDS; round++) {
      double param[MAX_FIELDS], wheel[LANES][TYRE_INPUTS], all[TYRE_INPUTS * LANES];
      double together[TYRE_OUTPUTS * LANES], alone[TYRE_OUTPUTS];
      if (!tyres[t]->force) break;
      draw_parameters(&tyres[t]->base, param);
      for (int l = 0; l < LANES; l++) {
        draw_wheel(wheel[l], fabs(spread(1e4)));
        for (int i = 0; i < TYRE_INPUTS; i++) all[i * LANES + l] = wheel[l][i];
      }
      run_tyre(tyres[t], param, LANES, 0.005, all, together);
      for (int l = 0; l < LANES; l++) {
        run_tyre(tyres[t], param, 1, 0.005, wheel[l], alone);
        for (int i = 0; i < TYRE_OUTPUTS; i++) {
          assert_true(isfinite(alone[i]));
          assert_memory_equal(&alone[i], &together[i * LANES + l], sizeof(double));
        }
      }
    }
  }
}

// No load, no force; a mirrored motion, mirrored forces.
static void test_tyre_symmetry(void** state) {
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(tyres); t++) {
    for (int round = 0; round < ROUNDS; round++) {
      double param[MAX_FIELDS], wheel[TYRE_INPUTS], out[TYRE_OUTPUTS], back[TYRE_OUTPUTS];
      if (!tyres[t]->force) break;
      draw_parameters(&tyres[t]->base, param);
      set(&tyres[t]->base, param, "variant", 0);
      draw_wheel(wheel, 0.0);
      run_tyre(tyres[t], param, 1, 0.005, wheel, out);
      assert_true(out[FX] == 0.0 && out[FY] == 0.0 && out[DRAG] == 0.0);
      wheel[LOAD] = uniform(1, 1e4);
      run_tyre(tyres[t], param, 1, 0.005, wheel, out);
      for (int i = VX; i <= TORQUE; i++) wheel[i] = -wheel[i];
      run_tyre(tyres[t], param, 1, 0.005, wheel, back);
      for (int i = 0; i < LIMIT; i++) assert_true(out[i] == -back[i]);
      assert_true(out[LIMIT] == back[LIMIT]);
    }
  }
}

// Without gravity along the ground: the force opposes the slip that is left at the end of the step,
// drag and bearing oppose the motion, and friction stays within its limit.
static void test_tyre_limits(void** state) {
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(tyres); t++) {
    if (!tyres[t]->force) continue;
    const rutComponent* base = &tyres[t]->base;
    for (int round = 0; round < 10 * ROUNDS; round++) {
      double param[MAX_FIELDS], w[TYRE_INPUTS], out[TYRE_OUTPUTS];
      draw_parameters(base, param);
      set(base, param, "variant", 0);
      draw_wheel(w, uniform(1, 1e4));
      w[GX] = w[GY] = 0.0;
      run_tyre(tyres[t], param, 1, 0.005, w, out);

      const double spin =
          w[SPEED] + 0.005 * (w[TORQUE] + out[SPIN] - w[RADIUS] * out[FX]) / w[INERTIA];
      const double slip = w[VX] - w[RADIUS] * spin;
      assert_true(out[FX] * slip <=
                  1e-9 * fabs(out[FX]) * (fabs(w[VX]) + fabs(w[RADIUS] * w[SPEED]) + 1.0));
      assert_true(out[FY] * w[VY] <= 0.0 && out[DRAG] * w[VX] <= 0.0 &&
                  out[SPIN] * w[SPEED] <= 0.0);
      // The lateral force takes no more than the momentum the wheel carries.
      assert_true(fabs(out[FY]) <= w[LOAD] / 9.81 * fabs(w[VY]) / 0.005 * (1.0 + 1e-12));

      // the force along the wheel is the rolling one within its limit
      const double rolling = fmax(-out[LIMIT], fmin(out[ROLL], out[LIMIT]));
      assert_true(out[LIMIT] >= 0.0 && fabs(out[FX] - rolling) <= 1e-9 * fabs(rolling));

      const double own = get(base, param, "friction", 1e3);
      const double limit = (isnan(w[FRICTION]) ? own : w[FRICTION]) * w[LOAD] * (1.0 + 1e-12);
      assert_true(fabs(out[FX]) <= limit && fabs(out[FY]) <= limit);
      if (get(base, param, "combined", 0.0) != 0.0) assert_true(hypot(out[FX], out[FY]) <= limit);
    }
  }
}

// --- Vehicles for drives and controllers --------------------------------------------------------

static const double radius[WHEELS] = {0.3, 0.3, 0.3, 0.3}, yaw[WHEELS] = {0};
static const double inertia[WHEELS] = {0.3, 0.4, 0.5, 0.6};
static const double wheel_x[WHEELS] = {0, 0, 1.8, 1.8}, wheel_y[WHEELS] = {0.8, -0.8, 0.8, -0.8};
static const int front_steered[WHEELS] = {0, 0, 1, 1}, unsteered[WHEELS] = {0};
static const int all_driven[WHEELS] = {1, 1, 1, 1};

static rutVehicleLayout steered_vehicle(void) {
  return (rutVehicleLayout){.wheels = WHEELS,
                            .x = wheel_x,
                            .y = wheel_y,
                            .radius = radius,
                            .mount_yaw = yaw,
                            .inertia = inertia,
                            .steered = front_steered,
                            .driven = all_driven,
                            .left = 0,
                            .right = 1,
                            .front_left = 2,
                            .front_right = 3,
                            .rear_left = 0,
                            .rear_right = 1,
                            .wheelbase = 1.8,
                            .track = 1.6,
                            .max_steer = 0.6,
                            .mass = 300.0,
                            .gravity = 9.81,
                            .torque_gain = 2.0};
}
static rutVehicleLayout skid_vehicle(void) {
  rutVehicleLayout layout = steered_vehicle();
  layout.steered = unsteered;
  layout.wheelbase = layout.track = 0.0;
  return layout;
}
static rutVehicleLayout two_wheeler(void) {
  rutVehicleLayout layout = skid_vehicle();
  layout.wheels = 2;
  layout.front_left = layout.front_right = layout.rear_left = layout.rear_right = -1;
  return layout;
}

// --- Carcasses and suspensions ----------------------------------------------------------------

enum { FORCE, STIFFNESS, DAMPING, ENERGY, RESPONSE = 8 };
typedef void Response(const void* type, const double* param, double x, double rate,
                      double out[RESPONSE]);

static void carcass_response(const void* type, const double* param, double x, double rate,
                             double out[RESPONSE]) {
  const double free_radius = 0.4;
  const rutCarcassOut to = {&out[0], &out[1], &out[2], &out[3], &out[4], &out[5], &out[6], &out[7]};
  ((const rutTyreType*)type)->carcass(param, 1, &x, &rate, &free_radius, &to);
}
static void suspension_response(const void* type, const double* param, double x, double rate,
                                double out[RESPONSE]) {
  const double preload = 300;
  const rutSuspensionOut to = {&out[0], &out[1], &out[2], &out[3]};
  ((const rutSuspensionType*)type)->force(param, 1, &x, &rate, &preload, &to);
}

// Slopes are those of the force, by central differences where it has no kink, and never negative;
// at rest the force is the slope of the energy.
static void check_response(Response* respond, const void* type, const double* param, double x,
                           double rate) {
  const double step = 1e-6;
  double out[RESPONSE] = {0}, high[RESPONSE] = {0}, low[RESPONSE] = {0};
  respond(type, param, x, rate, out);
  for (int i = 0; i <= ENERGY; i++) assert_true(isfinite(out[i]));
  assert_true(out[STIFFNESS] >= 0 && out[DAMPING] >= 0);
  respond(type, param, x + step, rate, high);
  respond(type, param, x - step, rate, low);
  const double k = (high[FORCE] - low[FORCE]) / (2 * step);
  // a kink within the step shows as other slopes at its ends
  if (high[STIFFNESS] == low[STIFFNESS]) {
    assert_true(fabs(k - out[STIFFNESS]) <= 1e-3 * (out[STIFFNESS] + 1));
  }
  respond(type, param, x, rate + step, high);
  respond(type, param, x, rate - step, low);
  const double c = (high[FORCE] - low[FORCE]) / (2 * step);
  if (high[DAMPING] == low[DAMPING]) {
    assert_true(fabs(c - out[DAMPING]) <= 1e-3 * (out[DAMPING] + 1));
  }
  respond(type, param, x, 0, out);
  respond(type, param, x + step, 0, high);
  respond(type, param, x - step, 0, low);
  const double slope = (high[ENERGY] - low[ENERGY]) / (2 * step);
  if (high[STIFFNESS] == low[STIFFNESS]) {
    assert_true(fabs(slope - out[FORCE]) <= 1e-3 * (fabs(out[FORCE]) + 1));
  }
}

static void test_carcass(void** state) {
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(tyres); t++) {
    assert_true(tyres[t]->force || tyres[t]->carcass);
    for (int round = 0; round < ROUNDS && tyres[t]->carcass; round++) {
      double param[MAX_FIELDS], out[RESPONSE] = {0};
      draw_parameters(&tyres[t]->base, param);
      check_response(carcass_response, tyres[t], param, uniform(1e-3, 0.35), uniform(-0.5, 0.5));
      // no ground, no load; and the ground never pulls
      carcass_response(tyres[t], param, uniform(-1, 0), uniform(-5, 5), out);
      assert_true(out[FORCE] == 0);
      carcass_response(tyres[t], param, uniform(0, 0.4), uniform(-50, 5), out);
      assert_true(out[FORCE] >= 0);
      for (int i = 4; i < 6; i++) assert_true(out[i] > 0);
    }
  }
}

// Rows of a mechanism's corner at q and its rate, four times the same.
static void corner_rows(const rutSuspensionType* type, const double* constant, double q,
                        double rate, double row[RUT_CORNER_ROW_COUNT]) {
  enum { N = RUT_CORNER_WIDTH };
  double number[3][N], all[RUT_CORNER_ROW_COUNT * N];
  for (int i = 0; i < N; i++) {
    number[0][i] = q;
    number[1][i] = rate;
    number[2][i] = 0;
  }
  const double* zero = number[2];
  const rutCornerIn in = {constant, number[0], number[1], zero, zero, zero,
                          zero,     zero,      zero,      zero, zero, false};
  type->corner(&in, all, N);
  for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) row[r] = all[r * N];
}

// Vehicles in lanes, each at a motion of its own, get the rows that they get by themselves.
static void check_lanes(const rutSuspensionType* type, const double* constant,
                        const double range[2]) {
  enum { N = RUT_CORNER_LANES, IN = 10 };
  double number[IN][N], all[RUT_CORNER_ROW_COUNT * N], alone[RUT_CORNER_ROW_COUNT * N];
  for (int l = 0; l < N; l++) {
    number[0][l] = uniform(range[0], range[1]);
    for (int k = 1; k < IN; k++) number[k][l] = uniform(-0.4, 0.4);
  }
  const rutCornerIn in = {constant,  number[0], number[1], number[2], number[3], number[4],
                          number[5], number[6], number[7], number[8], number[9], true};
  type->corner(&in, all, N);
  for (int l = 0; l < N; l++) {
    double one[IN][RUT_CORNER_WIDTH];
    for (int k = 0; k < IN; k++) {
      for (int i = 0; i < RUT_CORNER_WIDTH; i++) one[k][i] = number[k][l];
    }
    const rutCornerIn own = {constant, one[0], one[1], one[2], one[3], one[4],
                             one[5],   one[6], one[7], one[8], one[9], false};
    type->corner(&own, alone, RUT_CORNER_WIDTH);
    for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) {
      const double *lane = &all[r * N + l], *single = &alone[r * RUT_CORNER_WIDTH];
      assert_memory_equal(lane, single, sizeof *lane);
    }
  }
}

// A mechanism puts together at its default numbers; its hub moves as it says; the force at rest is
// the slope of its energy; nothing pushes when it moves that does not take power.
static void check_mechanism(const rutSuspensionType* type) {
  enum { N = RUT_CORNER_WIDTH, CONSTANTS = 2000 };
  static double constant[CONSTANTS * N];
  const rutCornerPlace place = {.side = 1, .hub = {1.6, 0.9, -0.02}, .steer_range = 0.5};
  double param[MAX_FIELDS], range[2], now[RUT_CORNER_ROW_COUNT];
  double low[RUT_CORNER_ROW_COUNT], high[RUT_CORNER_ROW_COUNT];
  rutError err = {0};
  assert_true(type->constants > 0 && type->constants <= CONSTANTS && type->bodies != NULL);
  for (int round = 0; round < ROUNDS; round++) {
    int used = type->base.fields;
    for (int i = 0; i < type->base.fields; i++) {
      const rutField* f = &type->base.field[i];
      const bool list = f->type == RUT_VECTOR || f->type == RUT_POINTS;
      param[i] = list ? used : f->def;
      if (list) used = put_list(f->text, param, used);
    }
    for (int i = 0; i < N; i++) {
      assert_int_equal(type->derive(param, &place, constant + i, range, &err), RUT_OK);
    }
    assert_true(range[0] < 0 && range[1] > 0);
    const double step = 1e-6, q = uniform(range[0], range[1]), rate = uniform(-2, 2);
    corner_rows(type, constant, q, 0, now);
    corner_rows(type, constant, q - step, 0, low);
    corner_rows(type, constant, q + step, 0, high);
    for (int k = 0; k < 3; k++) {
      const double v = (high[RUT_CORNER_hub_x + k] - low[RUT_CORNER_hub_x + k]) / (2 * step);
      assert_true(fabs(v - now[RUT_CORNER_hub_v_x + k]) < 1e-6);
    }
    const double force = (low[RUT_CORNER_energy] - high[RUT_CORNER_energy]) / (2 * step);
    assert_true(fabs(force - now[RUT_CORNER_force]) < 1e-3 * (1 + fabs(force)));
    assert_true(now[RUT_CORNER_stiffness] >= 0 && now[RUT_CORNER_damping] >= 0);
    corner_rows(type, constant, q, rate, high);
    assert_true((high[RUT_CORNER_force] - now[RUT_CORNER_force]) * rate <= 0);
    check_lanes(type, constant, range);
  }
}

static void test_suspensions(void** state) {
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(suspensions); t++) {
    if (suspensions[t]->corner) check_mechanism(suspensions[t]);
    for (int round = 0; suspensions[t]->force && round < ROUNDS; round++) {
      double param[MAX_FIELDS], low, high;
      draw_parameters(&suspensions[t]->base, param);
      suspensions[t]->range(param, &low, &high);
      assert_true(low <= 0 && high >= 0);
      check_response(suspension_response, suspensions[t], param, uniform(-0.3, 0.3),
                     uniform(-1, 1));
    }
  }
}

// --- Drives -----------------------------------------------------------------------------------

// Several steps with eight lanes, and each lane alone: same bits, also in the state.
static void drive_lanes(const rutDriveType* type, const rutVehicleLayout* layout) {
  double param[MAX_FIELDS], state[MAX_STATES * LANES] = {0}, own[LANES][MAX_STATES] = {{0}};
  draw_parameters(&type->base, param);
  const int inputs = type->inputs(param, layout);
  assert_true(inputs >= 1 && inputs <= WHEELS);
  for (int step = 0; step < 5; step++) {
    double demand[WHEELS * LANES], speed[WHEELS * LANES], torque[WHEELS * LANES];
    for (int i = 0; i < WHEELS * LANES; i++) demand[i] = spread(500.0);
    for (int i = 0; i < WHEELS * LANES; i++) speed[i] = spread(80.0);
    for (int i = 0; i < WHEELS * LANES; i++) torque[i] = NAN;
    type->torque(param, layout, &(rutDriveIn){LANES, 0.005, demand, speed, NULL}, state, torque);
    for (int l = 0; l < LANES; l++) {
      double one_demand[WHEELS], one_speed[WHEELS], one_torque[WHEELS];
      for (int i = 0; i < inputs; i++) one_demand[i] = demand[i * LANES + l];
      for (int i = 0; i < layout->wheels; i++) one_speed[i] = speed[i * LANES + l];
      type->torque(param, layout, &(rutDriveIn){1, 0.005, one_demand, one_speed, NULL}, own[l],
                   one_torque);
      for (int i = 0; i < layout->wheels; i++) {
        assert_true(isfinite(one_torque[i]));
        assert_memory_equal(&one_torque[i], &torque[i * LANES + l], sizeof(double));
      }
      for (int i = 0; i < state_numbers(&type->base); i++) {
        assert_memory_equal(&own[l][i], &state[i * LANES + l], sizeof(double));
      }
      if (type->gain && inputs <= 2) {
        double gain[2 * WHEELS * LANES] = {0}, one_gain[2 * WHEELS] = {0};
        type->gain(param, layout, &(rutDriveIn){LANES, 0.005, demand, speed, NULL}, state, gain);
        type->gain(param, layout, &(rutDriveIn){1, 0.005, one_demand, one_speed, NULL}, own[l],
                   one_gain);
        for (int i = 0; i < inputs * layout->wheels; i++) {
          assert_true(one_gain[i] >= 0.0 && one_gain[i] <= 1.0);
          assert_memory_equal(&one_gain[i], &gain[i * LANES + l], sizeof(double));
        }
      }
      if (!type->power) continue;
      double power[LANES], one_power = NAN;
      type->power(param, layout, LANES, speed, state, power);
      type->power(param, layout, 1, one_speed, own[l], &one_power);
      assert_true(isfinite(one_power));
      assert_memory_equal(&one_power, &power[l], sizeof(double));
    }
  }
}
static void test_drive_lanes(void** state) {
  const rutVehicleLayout layouts[] = {steered_vehicle(), skid_vehicle(), two_wheeler()};
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(drives); t++) {
    for (int round = 0; round < ROUNDS; round++) drive_lanes(drives[t], &layouts[round % 3]);
  }
}

// A drive that gives what a program sets, whatever is asked.
static bool holds_torque(const rutDriveType* type) {
  return type->base.states > 0 && strcmp(type->base.state[0].name, RUT_HELD_TORQUE) == 0;
}

// No demand on a fresh drive of wheels at equal speeds, no torque, or one that brakes. The wheel
// torques of an ideal engine, one that draws no power, add up to what is asked.
static void test_drive_sum(void** state) {
  const rutVehicleLayout layout = steered_vehicle();
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(drives); t++) {
    for (int round = 0; round < ROUNDS; round++) {
      double param[MAX_FIELDS], states[MAX_STATES] = {0}, torque[WHEELS], sum = 0.0, size = 1.0;
      double demand[WHEELS] = {0}, speed[WHEELS] = {9.0, 9.0, 9.0, 9.0};
      const bool ideal = !drives[t]->power;
      draw_parameters(&drives[t]->base, param);
      drives[t]->torque(param, &layout, &(rutDriveIn){1, 0.005, demand, speed, NULL}, states,
                        torque);
      for (int i = 0; i < WHEELS; i++) assert_true(ideal ? torque[i] == 0.0 : torque[i] <= 0.0);
      if (!ideal || holds_torque(drives[t]) || drives[t]->inputs(param, &layout) != 1) continue;
      demand[0] = spread(500.0);
      for (int i = 0; i < WHEELS; i++) speed[i] = spread(80.0);
      drives[t]->torque(param, &layout, &(rutDriveIn){1, 0.005, demand, speed, NULL}, states,
                        torque);
      for (int i = 0; i < WHEELS; i++) {
        sum += torque[i];
        size += fabs(torque[i]);
      }
      assert_true(fabs(sum - demand[0]) <= 1e-12 * size);
    }
  }
}

// The gain is what a small change of a demand changes. Drives whose gears rub pass a part of it to
// other wheels; all in all it is the same.
static void test_drive_gain(void** state) {
  const rutVehicleLayout layout = steered_vehicle();
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(drives); t++) {
    if (!drives[t]->gain) continue;
    const int rubs = strcmp(drives[t]->base.name, "torque_biasing") == 0;
    for (int round = 0; round < ROUNDS; round++) {
      double param[MAX_FIELDS], gain[2 * WHEELS] = {0}, torque[2][WHEELS], speed[WHEELS];
      draw_parameters(&drives[t]->base, param);
      set(&drives[t]->base, param, "efficiency", 1.0);
      // a battery that does not limit
      set(&drives[t]->base, param, "battery_voltage", 1e6);
      set(&drives[t]->base, param, "battery_current", 1e6);
      set(&drives[t]->base, param, "battery_resistance", 0.0);
      const int inputs = drives[t]->inputs(param, &layout), input = round % inputs;
      if (inputs > 2) continue;
      const double demand[2] = {uniform(1, 5), uniform(1, 5)};
      for (int i = 0; i < WHEELS; i++) speed[i] = uniform(1, 2);
      for (int k = 0; k < 2; k++) {
        double states[MAX_STATES] = {0}, changed[2] = {demand[0], demand[1]};
        changed[input] += k * 1e-3;
        drives[t]->torque(param, &layout, &(rutDriveIn){1, 0.005, changed, speed, NULL}, states,
                          torque[k]);
        if (k == 0)
          drives[t]->gain(param, &layout, &(rutDriveIn){1, 0.005, demand, speed, NULL}, states,
                          gain);
      }
      double sum = 0;
      for (int i = 0; i < WHEELS; i++) {
        const double miss = (torque[1][i] - torque[0][i]) / 1e-3 - gain[input * WHEELS + i];
        assert_true(rubs || fabs(miss) < 1e-6);
        sum += miss;
      }
      assert_true(fabs(sum) < 1e-6);
    }
  }
}

// --- Controllers ------------------------------------------------------------------------------

enum { MAX_COMMANDS = 4, MEASURES = 11, CONTACTS = 5, MAX_CONTROLLER_OUTPUTS = 16 };
enum { MAX_INPUTS = 8, INPUT_NUMBERS = 3 };

static int commands_of(const rutControllerType* type) { return type->commands; }

// What one controller reads and writes, each row of `lanes` numbers.
typedef struct Signals {
  double command[MAX_COMMANDS * LANES], measure[MEASURES * LANES], speed[WHEELS * LANES];
  double steer[WHEELS * LANES], demand[2 * LANES], angle[LANES], twist[3 * LANES];
  double contact[CONTACTS * WHEELS * LANES], brake[LANES];  // load, grip, slope, places
  double output[MAX_CONTROLLER_OUTPUTS * LANES];
  double input[MAX_INPUTS * INPUT_NUMBERS * LANES], stamp;  // readings, and their time
  // what others ask for: torques, steering and brake of each
  double asked[RUT_MAX_BLENDS][4 * LANES];
  const rutDemandLine* line;
} Signals;

static void run_controller(const rutControllerType* type, const double* param,
                           const rutVehicleLayout* layout, int lanes, int inputs, Signals* s,
                           double* state) {
  const double* m = s->measure;
  rutControlReading reading[MAX_INPUTS * LANES];
  for (int i = 0; i < type->inputs * lanes; i++) {
    const double* first = s->input + (i / lanes) * INPUT_NUMBERS * lanes + i % lanes;
    reading[i] = (rutControlReading){first, RUT_F64, INPUT_NUMBERS, lanes, s->stamp};
  }
  rutControlAsked asked[RUT_MAX_BLENDS];
  for (int i = 0; i < RUT_MAX_BLENDS; i++) {
    const double* row = s->asked[i];
    asked[i] = (rutControlAsked){row, row + 2 * lanes, row + 3 * lanes};
  }
  double time[LANES];
  for (int l = 0; l < lanes; l++) time[l] = s->stamp;
  const rutControlIn in = {.lanes = lanes,
                           .demands = inputs,
                           .asked = asked,
                           .time = time,
                           .dt = 0.01,
                           .command = s->command,
                           .reading = reading,
                           .vx = m,
                           .vy = m + lanes,
                           .yaw_rate = m + 2 * lanes,
                           .odo_speed = m + 3 * lanes,
                           .odo_rate = m + 4 * lanes,
                           .pitch = m + 5 * lanes,
                           .speed = s->speed,
                           .steer = s->steer,
                           .position = m + 6 * lanes,
                           .yaw = m + 9 * lanes,
                           .roll = m + 10 * lanes,
                           .load = s->contact,
                           .grip = s->contact + WHEELS * lanes,
                           .slope = s->contact + 2 * WHEELS * lanes,
                           .arm_x = s->contact + 3 * WHEELS * lanes,
                           .arm_z = s->contact + 4 * WHEELS * lanes};
  const rutControlOut out = {.output = s->output,
                             .demand = s->demand,
                             .steer = s->angle,
                             .twist = s->twist,
                             .brake = s->brake,
                             .line = s->line};
  type->update(param, layout, &in, state, &out);
}

static void take_lane(const double* rows, int count, int lane, double* one) {
  for (int i = 0; i < count; i++) one[i] = rows[i * LANES + lane];
}
static void same_lane(const double* rows, int count, int lane, const double* one) {
  for (int i = 0; i < count; i++) {
    assert_true(isfinite(one[i]));
    assert_memory_equal(&one[i], &rows[i * LANES + lane], sizeof(double));
  }
}

static void controller_lanes(const rutControllerType* type, const rutVehicleLayout* layout,
                             int inputs) {
  double param[MAX_FIELDS], state[MAX_STATES * LANES] = {0}, own[LANES][MAX_STATES] = {{0}};
  const int commands = commands_of(type);
  Signals all = {0};
  draw_parameters(&type->base, param);
  assert_true(commands <= MAX_COMMANDS && type->outputs <= MAX_CONTROLLER_OUTPUTS);
  assert_true(type->inputs <= MAX_INPUTS);
  for (int step = 0; step < 5; step++) {
    for (int i = 0; i < commands * LANES; i++) all.command[i] = spread(2.0);
    for (int i = 0; i < MEASURES * LANES; i++) all.measure[i] = spread(1.0);
    for (int i = 0; i < WHEELS * LANES; i++) all.speed[i] = spread(20.0);
    for (int i = 0; i < WHEELS * LANES; i++) all.steer[i] = spread(0.5);
    for (int i = 0; i < CONTACTS * WHEELS * LANES; i++) all.contact[i] = spread(0.5);
    for (int i = 0; i < 2 * WHEELS * LANES; i++) all.contact[i] = fabs(all.contact[i]);
    for (int i = 0; i < MAX_INPUTS * INPUT_NUMBERS * LANES; i++) all.input[i] = spread(1.0);
    for (int i = 0; i < 4 * LANES; i++) {
      for (int k = 0; k < RUT_MAX_BLENDS; k++) all.asked[k][i] = spread(0.5);
    }
    all.stamp = 0.01 * step;
    run_controller(type, param, layout, LANES, inputs, &all, state);
    for (int l = 0; l < LANES; l++) {
      Signals one = {0};
      take_lane(all.command, commands, l, one.command);
      take_lane(all.measure, MEASURES, l, one.measure);
      take_lane(all.speed, WHEELS, l, one.speed);
      take_lane(all.steer, WHEELS, l, one.steer);
      take_lane(all.contact, CONTACTS * WHEELS, l, one.contact);
      take_lane(all.input, type->inputs * INPUT_NUMBERS, l, one.input);
      for (int k = 0; k < RUT_MAX_BLENDS; k++) take_lane(all.asked[k], 4, l, one.asked[k]);
      one.stamp = all.stamp;
      run_controller(type, param, layout, 1, inputs, &one, own[l]);
      same_lane(all.demand, inputs, l, one.demand);
      same_lane(all.angle, 1, l, one.angle);
      same_lane(all.output, type->outputs, l, one.output);
      same_lane(state, state_numbers(&type->base), l, own[l]);
      if (type->imposes_twist) same_lane(all.twist, 3, l, one.twist);

      const double limit = get(&type->base, param, "max_torque", 0.0);
      for (int i = 0; i < inputs && limit > 0.0; i++) assert_true(fabs(one.demand[i]) <= limit);
    }
  }
}
static void test_controller_lanes(void** state) {
  const rutVehicleLayout layouts[] = {steered_vehicle(), skid_vehicle(), two_wheeler()};
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(controllers); t++) {
    // of those that keep maps test_registry compares lanes, in worlds
    for (int round = 0; round < ROUNDS && !controllers[t]->scratch; round++) {
      controller_lanes(controllers[t], &layouts[round % 3], 1 + round % 2);
    }
  }
}

// The line that a controller gives meets the demand that it gives next, at whatever speed the
// wheels then have: those of both sides change alike, as odometry sees it.
static void test_controller_line(void** state) {
  const rutVehicleLayout layout = skid_vehicle();
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(controllers); t++) {
    const rutControllerType* type = controllers[t];
    if (!type->gives_line) continue;
    for (int round = 0; round < 10 * ROUNDS; round++) {
      const int inputs = 1 + round % 2;
      double param[MAX_FIELDS], states[MAX_STATES] = {0}, line[4][2] = {{0}};
      Signals s = {0};
      draw_parameters(&type->base, param);
      set(&type->base, param, "set_point_time", 0.0);
      set(&type->base, param, "anti_windup", 0.0);
      for (int i = 0; i < MAX_COMMANDS; i++) s.command[i] = uniform(0.5, 1.0);
      double* speed = s.measure + 3;  // as odometry tells it
      *speed = uniform(0.5, 1.0);
      run_controller(type, param, &layout, 1, inputs, &s, states);
      *speed += spread(0.1);
      s.line = &(rutDemandLine){line[0], line[1], line[2], line[3]};
      run_controller(type, param, &layout, 1, inputs, &s, states);
      const double change = spread(0.1);
      *speed += change;
      s.line = NULL;
      run_controller(type, param, &layout, 1, inputs, &s, states);
      for (int i = 0; i < inputs; i++) {
        const double moved = line[0][i] - line[1][i] * change / radius[0];
        const double expected = fmax(line[2][i], fmin(moved, line[3][i]));
        assert_true(line[1][i] >= 0.0 && line[2][i] <= line[3][i]);
        assert_true(fabs(s.demand[i] - expected) <= 1e-9 * (fabs(line[0][i]) + fabs(moved) + 1.0));
      }
    }
  }
}

// Set points begin at parameters, which are zero by default; zero set points at rest ask for
// nothing.
static void test_controller_rest(void** state) {
  const rutVehicleLayout layout = steered_vehicle();
  (void)state;
  for (int t = 0; t < RUT_COUNT_OF(controllers); t++) {
    double param[MAX_FIELDS], states[MAX_STATES] = {0};
    Signals s = {0};
    for (int i = 0; i < controllers[t]->base.fields; i++) {
      param[i] = controllers[t]->base.field[i].def;
    }
    // some cannot do without what has no default: a list of points
    rutError err;
    if (controllers[t]->base.check && controllers[t]->base.check(param, &err) != RUT_OK) continue;
    for (int i = 0; i < controllers[t]->commands; i++) {
      assert_true(get(&controllers[t]->base, param, controllers[t]->command[i].name, NAN) == 0.0);
    }
    // there is no scratch here
    if (controllers[t]->scratch) continue;
    run_controller(controllers[t], param, &layout, 1, 2, &s, states);
    assert_true(s.demand[0] == 0.0 && s.demand[1] == 0.0 && s.angle[0] == 0.0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_descriptions),    cmocka_unit_test(test_tyre_lanes),
      cmocka_unit_test(test_tyre_symmetry),   cmocka_unit_test(test_tyre_limits),
      cmocka_unit_test(test_carcass),         cmocka_unit_test(test_suspensions),
      cmocka_unit_test(test_drive_lanes),     cmocka_unit_test(test_drive_sum),
      cmocka_unit_test(test_drive_gain),      cmocka_unit_test(test_controller_lanes),
      cmocka_unit_test(test_controller_line), cmocka_unit_test(test_controller_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
