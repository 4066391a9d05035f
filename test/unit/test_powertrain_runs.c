// SPDX-License-Identifier: BSD-3-Clause
//
// Powertrain of a moving vehicle: a rolling start, and a recorded run of Project Chrono's HMMWV,
// whose numbers are its defaults.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <cmocka.h>

#include "assert_near.h"
#include "powertrain_bench.h"

// --- Rolling start -------------------------------------------------------------------------------

// Speed at which a turned turbine and friction keep the engine, from the default curves.
static double overrun(double turbine) {
  double low = 0.85 * turbine, high = turbine;
  for (int i = 0; i < 60; i++) {
    const double w = 0.5 * (low + high), at = 2 - turbine / w;
    const double capacity = at < 0.9 ? 16 + 2 * (at - 0.75) / 0.15 : 18 + 17 * (at - 0.9) / 0.1;
    const double drag =
        w < 1000 * RPM ? 30 + 20 * (w / RPM - 50) / 950 : 50 + 0.02 * (w / RPM - 1000);
    if (w * w / (capacity * capacity) > drag) {
      low = w;
    } else {
      high = w;
    }
  }
  return low;
}
static void roll(Bench* b, double speed) {
  memset(b->state, 0, sizeof b->state);
  spin(b, speed);
  drive->start(b->param, &b->layout, 1, b->speed, b->state);
}

// The gear in which it comes to a speed, and an engine that turns with it: nothing shifts, and the
// torque is that of the engine's friction from the first step on.
static void test_rolling_start(void** state) {
  static const struct {
    double speed, gear;  // [m/s]; the shift up is at 261.8 rad/s, which is 4.81 and 9.61 m/s
  } rolls[] = {{1, 0}, {4.7, 0}, {4.9, 1}, {9.5, 1}, {9.7, 2}, {15, 2}, {40, 2}, {-3, -1}};
  Bench b;
  (void)state;
  start(&b);
  const double zero[MAX_STATES] = {0};
  roll(&b, 0);
  assert_memory_equal(b.state, zero, sizeof b.state);
  for (size_t i = 0; i < sizeof rolls / sizeof *rolls; i++) {
    roll(&b, rolls[i].speed / RADIUS);
    for (int n = 0; n < 3000; n++) {
      run(&b);
      assert_near(b.state[GEAR], rolls[i].gear, 0);
      assert_near(b.state[BLEND], 0, 0);
    }
  }
  // too slow for the engine to keep turning without throttle, it turns as yet
  roll(&b, 10 / RADIUS);
  assert_near(b.state[ENGINE], 6.25 * 10 / RADIUS, 1e-9);
  for (double v = 12; v < 20; v += 0.5) {
    const double turbine = 6.25 * v / RADIUS, w = overrun(turbine);
    roll(&b, v / RADIUS);
    assert_near(b.state[ENGINE], w, 1e-6 * w);
    run(&b);
    const double drag = 50 + 0.02 * (w / RPM - 1000), first = sum_of(b.torque);
    assert_near(first, -6.25 * drag, 1e-5 * 6.25 * drag);
    for (int n = 0; n < 2000; n++) run(&b);
    assert_near(sum_of(b.torque), first, 1e-5 * 6.25 * drag);
  }
}

// What joins the engine to the input shaft at this speed is closed.
static void test_rolling_start_joined(void** state) {
  const double w = 15 / RADIUS, turbine = 6.25 * w;
  const double drag = 50 + 0.02 * (turbine / RPM - 1000);
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    Bench b;
    start(&b);
    if (kind == 0) set(&b, "lockup", 1);
    if (kind > 0) set(&b, "coupling", kind == 1 ? CLUTCH : RIGID);
    roll(&b, w);
    assert_near(b.state[JOINED], 1, 0);
    assert_near(b.state[ENGINE], turbine, 1e-12 * turbine);
    run(&b);
    assert_near(b.state[JOINED], 1, 0);
    assert_near(sum_of(b.torque), -6.25 * drag, 1e-6);
    drive->couple(b.param, &b.layout, 1, b.state, b.shaft_ratio, b.inverse_inertia);
    double inertia = 0;
    for (int s = 0; s < 2; s++) {
      const double* shaft_ratio = b.shaft_ratio + s * WHEELS;
      inertia += pow(sum_of(shaft_ratio), 2) / b.inverse_inertia[s];
    }
    assert_near(inertia, 2 * AXLE + CENTRE + 6.25 * 6.25 * (5 * 5 / 25.0) * (0.3 + 0.5), 1e-9);
  }
  // an idling engine is not turned by a clutch that it has not closed
  Bench b;
  start(&b);
  set(&b, "coupling", CLUTCH);
  set(&b, "idle_speed", 80);
  roll(&b, 1);
  assert_near(b.state[JOINED], 0, 0);
  assert_near(b.state[ENGINE], 0, 0);
  // behind a converter the governor keeps one that the turbine would not
  set(&b, "coupling", CONVERTER);
  roll(&b, 1);
  assert_true(b.state[ENGINE] > -5 && b.state[ENGINE] < 0);
}

// --- Project Chrono ------------------------------------------------------------------------------

enum { LINE = 4096, COLUMNS = 64, MAX_ROWS = 1500 };
typedef struct Row {
  double t, throttle, speed[WHEELS], force[WHEELS], load[WHEELS], gear, rpm;
} Row;

static int column_of(char* header, const char* name) {
  char text[LINE];
  strcpy(text, header);
  int column = 0;
  for (char* at = strtok(text, ",\n"); at; at = strtok(NULL, ",\n"), column++) {
    if (strcmp(at, name) == 0) return column;
  }
  fail_msg("no column %s", name);
  return -1;
}

static int read_run(const char* path, Row* row) {
  static const char* const wheel[] = {"FL", "FR", "RL", "RR"};
  char line[LINE], name[16];
  double cell[COLUMNS];
  gzFile file = gzopen(path, "rb");
  if (!file) return 0;
  char header[LINE];
  assert_non_null(gzgets(file, header, LINE));
  int rows = 0;
  for (; rows < MAX_ROWS && gzgets(file, line, LINE); rows++) {
    int n = 0;
    for (char* at = line; n < COLUMNS; at++) {
      cell[n++] = strtod(at, &at);
      if (*at != ',') break;
    }
    row[rows].t = cell[column_of(header, "t")];
    row[rows].throttle = cell[column_of(header, "throttle")];
    row[rows].gear = cell[column_of(header, "gear")];
    row[rows].rpm = cell[column_of(header, "engine_rpm")];
    for (int w = 0; w < WHEELS; w++) {
      snprintf(name, sizeof name, "om%s", wheel[w]);
      row[rows].speed[w] = -cell[column_of(header, name)];  // recorded negative forwards
      snprintf(name, sizeof name, "Fx%s", wheel[w]);
      row[rows].force[w] = cell[column_of(header, name)];
      snprintf(name, sizeof name, "Fz%s", wheel[w]);
      row[rows].load[w] = cell[column_of(header, name)];
    }
  }
  gzclose(file);
  return rows;
}

// Chrono joins gearbox and driveline by the speed of a shaft of 0.5 kg m2 in the one and its torque
// in the other, once a step h. Gears thus turn faster than the wheels by h T/0.5, 7 % in the first
// gear at 1 ms. Speed of that shaft after a step in which the turbine gives `torque` and the
// driveline turns it at `line`.
static double shaft_of_chrono(double gear, double shaft, double line, double torque, double h) {
  const double inertia = gear * gear * 0.3;
  return (inertia * shaft + 0.5 * line + h * gear * torque) / (inertia + 0.5);
}

// Sums over a time in one gear, and when the gear came.
typedef struct Compared {
  double from, to;  // [s]
  double ours, theirs, came, recorded;
} Compared;

// Engine speed and gears for wheel speeds and throttle as recorded, and the impulse of the torque
// of all wheels. That is what comes of the drive less what its shafts take, and on the other side
// F r + rolling resistance + J w'. Returns mean error of the engine speed, the worst in *worst.
static double replay(const Row* row, int rows, bool as_chrono, Compared* gear, double* worst) {
  const double h = 1e-3;
  double sum = 0, shaft = 0;
  int compared = 0;
  Bench b;
  start(&b);
  *worst = 0;
  for (int i = 0; i + 1 < rows; i++) {
    double impulse = 0, growth = 0;
    for (int w = 0; w < WHEELS; w++) growth += 0.25 * (row[i + 1].speed[w] - row[i].speed[w]);
    for (int n = 0; n < 10; n++) {
      const int before = (int)b.state[GEAR];
      for (int w = 0; w < WHEELS; w++) {
        b.speed[w] = row[i].speed[w] + 0.1 * n * (row[i + 1].speed[w] - row[i].speed[w]);
      }
      const double line = 5 * mean_of(&b);
      for (int w = 0; w < WHEELS && as_chrono; w++) b.speed[w] += (shaft - line) / 5;
      press(&b, row[i].throttle);
      run(&b);
      const int now = (int)b.state[GEAR];
      const double in = sum_of(b.torque) / RATIO[now];
      if (now != before) gear[now].came = row[i].t + n * h;
      shaft = now == before ? shaft_of_chrono(RATIO[now] / 5, shaft, line, in, h) : line;
      const double taken = RATIO[now] * RATIO[now] * 0.3 * 0.1 * growth;
      impulse += as_chrono ? 5 * 0.5 * (shaft - line) : sum_of(b.torque) * h - taken;
    }
    if (row[i + 1].gear != row[i].gear) gear[(int)row[i + 1].gear - 1].recorded = row[i + 1].t;
    if (row[i].t > 2.5) {
      const double error = fabs(b.state[ENGINE] / RPM - row[i + 1].rpm);
      sum += error;
      compared++;
      *worst = fmax(*worst, error);
    }
    for (int g = 0; g < 3; g++) {
      if (row[i].t < gear[g].from || row[i].t >= gear[g].to) continue;
      gear[g].ours += impulse - (2 * AXLE + CENTRE) * growth;
      gear[g].theirs += 4 * WHEEL * growth;
      for (int w = 0; w < WHEELS; w++) {
        const double radius = 0.47 - row[i].load[w] / 580000;
        gear[g].theirs += 0.01 * (row[i].force[w] * radius + 0.015 * row[i].load[w]);
      }
    }
  }
  return sum / compared;
}

static void test_recorded_acceleration(void** state) {
  static Row row[MAX_ROWS];
  (void)state;
  const int rows =
      read_run(RUT_SHARED_DIR "/data/chrono/ref_lu_noclutch_fiala_accel_1e-3.csv.gz", row);
  if (!rows) {
    print_message("no shared data, skipped\n");
    skip();
  }
  for (int as_chrono = 0; as_chrono < 2; as_chrono++) {
    Compared gear[3] = {
        {.from = 2.5, .to = 3.3}, {.from = 4.6, .to = 5.9}, {.from = 6.6, .to = 11.9}};
    double worst;
    const double mean = replay(row, rows, as_chrono, gear, &worst);
    assert_true(mean < (as_chrono ? 0.5 : 1.5) && worst < (as_chrono ? 5 : 15));
    for (int g = 0; g < 3; g++) {
      // rows are 10 ms apart
      if (g) assert_near(gear[g].came, gear[g].recorded - 0.005, 0.006);
      if (as_chrono) assert_near(gear[g].ours / gear[g].theirs, 1, 0.02);
    }
    assert_near(gear[2].ours / gear[2].theirs, 1, 0.015);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rolling_start),
      cmocka_unit_test(test_rolling_start_joined),
      cmocka_unit_test(test_recorded_acceleration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
