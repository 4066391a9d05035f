// SPDX-License-Identifier: BSD-3-Clause
//
// Driving from afar: a constant latency is a shift, losses and jitter have the statistics of their
// closed forms, frames come at their rate, and what is overtaken is dropped; a channel that does
// nothing changes no bit.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../repetitions.h"
#include "assert_near.h"
#include "control/channel.h"
#include "world_fixture.h"

enum { LANES = 2, ROWS = 3 };
static const double DT = 1e-3;
static const uint64_t keys[LANES] = {11, 12};

// ---- the channel alone ----

typedef struct Bench {
  rutChannel channel;
  double *state, row[ROWS * LANES];
  int64_t step;
} Bench;

static Bench bench_of(double latency, double jitter, double loss, double rate) {
  const rutChannelParam p = {latency, jitter, loss, rate};
  Bench b = {.channel = rut_channel(&p, 5, ROWS, DT)};
  const size_t n = (size_t)rut_channel_states(&b.channel) * LANES;
  b.state = calloc(n ? n : 1, sizeof *b.state);
  return b;
}

// Send numbers that tell their step, row and lane.
static double tag(int64_t step, int row, int lane) {
  return (double)step + 0.1 * row + 0.01 * lane;
}
static void pass(Bench* b, bool first) {
  for (int i = 0; i < ROWS; i++) {
    for (int l = 0; l < LANES; l++) b->row[i * LANES + l] = tag(b->step, i, l);
  }
  const rutChannelStep at = {b->step, DT, LANES, keys};
  rut_channel_pass(&b->channel, &at, first, b->state, b->row);
  b->step++;
}

// Step of the packet that holds in a lane, -1: none has come.
static int64_t held(const Bench* b, int lane) {
  const double at = b->row[lane];
  const int64_t step = (int64_t)at;
  if (at == 0) return -1;
  for (int i = 0; i < ROWS; i++) assert_near(b->row[i * LANES + lane], tag(step, i, lane), 0);
  return step;
}

static void test_shift(void** state) {
  (void)state;
  for (int first = 0; first < 2; first++) {
    Bench b = bench_of(0.0374, 0, 0, 0);
    assert_int_equal(b.channel.places, 38);
    for (int i = 0; i < 500; i++) {
      pass(&b, first);
      for (int l = 0; l < LANES; l++) {
        const double early = first ? tag(0, 1, l) : 0;
        assert_near(b.row[LANES + l], i < 37 ? early : tag(i - 37, 1, l), 0);
      }
    }
    free(b.state);
  }
}

// The first step at or after each period sends; what was sent last holds.
static void test_rate(void** state) {
  (void)state;
  const double rates[] = {30, 25, 7.3, 1000, 5000};
  for (int k = 0; k < RUT_COUNT_OF(rates); k++) {
    Bench b = bench_of(0, 0, 0, rates[k]);
    int64_t frames = 0;
    for (int i = 0; i < 3000; i++) {
      pass(&b, true);
      int64_t newest = i;
      if (rates[k] < 1000) {
        const int64_t frame = (int64_t)floor(i * DT * rates[k] + 1e-9);
        newest = (int64_t)ceil((double)frame / (DT * rates[k]) - 1e-6);
      }
      assert_near(b.row[1], tag(newest, 0, 1), 0);
      frames += newest == i;
    }
    const double expected = fmin(3 * rates[k], 3000);
    assert_near((double)frames, expected, 1);
    free(b.state);
  }
}

// A share p of n packets is lost, within 4.5 deviations sqrt(p (1 - p)/n); holes between packets
// that come are geometric: the mean age of what holds is p/(1 - p) steps.
static void test_loss(void** state) {
  (void)state;
  const double p = 0.2;
  const int n = repetitions(100000, 10000);
  Bench b = bench_of(0, 0, p, 0);
  int lost[LANES] = {0};
  double age = 0;
  for (int i = 0; i < n; i++) {
    pass(&b, true);
    for (int l = 0; l < LANES; l++) lost[l] += held(&b, l) != i && i > 0;
    age += (double)(i - (i > 0 ? held(&b, 0) : 0));
  }
  for (int l = 0; l < LANES; l++) {
    assert_near((double)lost[l] / n, p, 4.5 * sqrt(p * (1 - p) / n));
  }
  // the variance of a geometric number is p/(1 - p)^2; neighbours are correlated over 1/(1 - p)
  assert_near(age / n, p / (1 - p), 4.5 * sqrt(p * (1 + p) / (1 - p)) / (1 - p) / sqrt(n));
  free(b.state);
}

// Delays of packets are uniform in [L, L + J]: mean L + J/2, variance J^2/12 and that of rounding
// to steps, h^2/12. Lanes are independent.
static void test_jitter(void** state) {
  (void)state;
  const double L = 0.05, J = 0.1;
  const int n = repetitions(100000, 10000);
  const Bench b = bench_of(L, J, 0, 0);
  double sum = 0, square = 0, product = 0;
  for (int i = 0; i < n; i++) {
    const double late = DT * rut_channel_delay(&b.channel, keys[0], i, DT) - L - J / 2;
    const double other = DT * rut_channel_delay(&b.channel, keys[1], i, DT) - L - J / 2;
    assert_true(fabs(late) <= J / 2 + 1e-9);
    sum += late;
    square += late * late;
    product += late * other;
  }
  const double variance = (J * J + DT * DT) / 12;
  assert_near(sum / n, 0, 4.5 * sqrt(variance / n));
  assert_near(product / n, 0, 4.5 * variance / sqrt(n));
  // of a uniform number the variance of the square is (1/80 - 1/144) J^4
  assert_near(square / n, variance, 4.5 * J * J * sqrt((1.0 / 80 - 1.0 / 144) / n));
  free(b.state);
}

// What holds is the newest packet that has come by then, found anew from all that were sent: it
// never goes back.
static void test_order(void** state) {
  (void)state;
  Bench b = bench_of(0.02, 0.08, 0.1, 200);
  int64_t last = -1;
  for (int i = 0; i < repetitions(5000, 1000); i++) {
    pass(&b, false);
    int64_t newest = -1;
    for (int64_t q = i > 200 ? i - 200 : 0; q <= i; q++) {
      const int delay = rut_channel_delay(&b.channel, keys[1], q, DT);
      const bool sent = rut_channel_sends(&b.channel.param, q, DT);
      if (sent && delay >= 0 && q + delay <= i) newest = q;
    }
    // packet 0 has a tag of 0.01 in that lane
    const double at = b.row[1];
    assert_near(at, newest < 0 ? 0 : tag(newest, 0, 1), 0);
    assert_true(newest >= last);
    last = newest;
  }
  free(b.state);
}

// ---- in worlds ----

static World world_with(const char* attributes, const char* inside, int workers) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "<world timestep='5 ms'><vehicle name='v' velocity='10 0'>"
      "<chassis mass='1500' com='0 0 0.6' outline='2 1,2 -1,-2 -1,-2 1' z_max='1.2'/>"
      "<axle x='1.5' track='1.6' radius='0.4' wheel_mass='25' max_steer='30 deg' brake='2000'>"
      "<suspension type='slider' stiffness='30000' damping='3000'/></axle>"
      "<axle x='-1.5' track='1.6' radius='0.4' wheel_mass='25' brake='2000'>"
      "<suspension type='slider' stiffness='30000' damping='3000'/></axle>"
      "<tyre type='linear'/><drive type='direct'/>"
      "<controller type='human' speed='10' course='sine' start_distance='5' wavelength='60' %s>"
      "%s</controller></vehicle></world>",
      attributes, inside);
  const rutComponent* const none[] = {NULL};
  World w;
  if (!load_world(&w, text, workers, none)) fail_msg("%s", w.message);
  return w;
}

typedef struct Pose {
  double x, y, yaw, speed;
} Pose;

static Pose drive(const char* attributes, const char* inside, int steps) {
  World w = world_with(attributes, inside, 1);
  run(&w, steps);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  close_world(&w);
  return (Pose){s.position[0], s.position[1], s.yaw, s.velocity[0]};
}

static void assert_same(Pose a, Pose b) { assert_memory_equal(&a, &b, sizeof a); }

// Pictures for one who watches: the same closed forms, at a rate, other numbers for each vehicle,
// and the same ones again whenever they are asked for.
static void test_watched(void** state) {
  (void)state;
  World w = world_with("", "", 1);
  const double dt = 5e-3, p = 0.2, L = 0.1, J = 0.2;
  const rutPackets packets = {L, J, p, 50};
  const int n = repetitions(40000, 10000);
  int sent = 0, come = 0, apart = 0;
  double sum = 0;
  for (int i = 0; i < 4 * n; i++) {
    const int64_t at = rut_packet_arrival(w.model, w.data, 0, &packets, i);
    // every fourth of 5 ms is one of 50 a second
    if (i % 4 != 0) assert_int_equal(at, -1);
    sent += i % 4 == 0;
    if (at < 0) continue;
    const double late = dt * (double)(at - i) - L - J / 2;
    assert_true(fabs(late) <= J / 2 + 1e-9);
    sum += late;
    come++;
    apart += rut_packet_arrival(w.model, w.data, 1, &packets, i) != at;
    assert_int_equal(rut_packet_arrival(w.model, w.data, 0, &packets, i), at);
  }
  assert_int_equal(sent, n);
  assert_near((double)come / n, 1 - p, 4.5 * sqrt(p * (1 - p) / n));
  assert_near(sum / come, 0, 4.5 * sqrt((J * J + dt * dt) / 12 / come));
  // lost, or at one of 40 other steps
  assert_near((double)apart / come, 1 - (1 - p) / 40, 4.5 * sqrt((1 - p) / 40 / come));
  const rutPackets never[] = {{-1, 0, 0, 0}, {1e30, 0, 0, 0}, {0, (double)NAN, 0, 0}};
  for (int k = 0; k < RUT_COUNT_OF(never); k++) {
    assert_int_equal(rut_packet_arrival(w.model, w.data, 0, &never[k], 0), -1);
  }
  close_world(&w);
}

// Channels without latency, jitter and loss: the same bits as without them, also where packets
// really pass. A constant latency is that of input_delay and output_delay.
static void test_bits(void** state) {
  (void)state;
  const int steps = 1200;
  const Pose plain = drive("", "", steps);
  assert_true(fabs(plain.y) > 0.5);
  assert_same(drive("", "<teleoperation/>", steps), plain);
  assert_same(drive("", "<teleoperation frame_rate='200 Hz' command_rate='200 Hz'/>", steps),
              plain);
  assert_same(drive("", "<teleoperation video_latency='0.2 s'/>", steps),
              drive("input_delay='0.2 s'", "", steps));
  assert_same(drive("", "<teleoperation command_latency='0.25 s'/>", steps),
              drive("output_delay='0.25 s'", "", steps));
  const Pose late =
      drive("", "<teleoperation video_latency='0.2 s' command_latency='0.1 s'/>", steps);
  assert_true(late.y != plain.y);
}

// With jitter and losses: any number of workers, and a saved state that goes on.
static void test_state(void** state) {
  (void)state;
  static const char link[] =
      "<teleoperation video_latency='0.1' video_jitter='0.1' video_loss='0.1' frame_rate='30' "
      "command_latency='0.05' command_jitter='0.02' command_loss='0.05'/>";
  World a = world_with("", link, 1), b = world_with("", link, 2);
  run(&a, 400);
  run(&b, 400);
  assert_true(rut_state_hash(a.model, a.data) == rut_state_hash(b.model, b.data));
  const size_t size = rut_state_size(a.model, a.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(a.model, a.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&a, 300);
  run(&b, 100);
  assert_int_equal(rut_state_set(b.model, b.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&b, 300);
  assert_true(rut_state_hash(a.model, a.data) == rut_state_hash(b.model, b.data));
  rut_data_reset(b.model, b.data, 1);
  run(&b, 700);
  assert_true(rut_state_hash(a.model, a.data) != rut_state_hash(b.model, b.data));
  free(saved);
  close_world(&a);
  close_world(&b);
}

static void refuse(const char* inside, const char* message) {
  char text[1024];
  const rutComponent* const none[] = {NULL};
  snprintf(text, sizeof text,
           "<world timestep='5 ms'><vehicle name='v'><wheel place='left' position='0 0.2'/>"
           "<wheel place='right' position='0 -0.2'/><tyre type='coulomb'/><drive type='direct'/>"
           "%s</vehicle></world>",
           inside);
  World w;
  assert_false(load_world(&w, text, 1, none));
  if (!strstr(w.message, message)) fail_msg("%s", w.message);
  close_world(&w);
}

static void test_errors(void** state) {
  (void)state;
  refuse(
      "<controller type='trajectory' commands='d' points='0 0 1 0' times='0 1'><teleoperation/>"
      "</controller><controller type='twist_pid' name='d'/>",
      "does not drive");
  refuse("<controller type='twist_pid'><teleoperation/><teleoperation/></controller>", "at most");
  refuse("<controller type='twist_pid'><teleoperation video_loss='2'/></controller>", "video_loss");
  refuse(
      "<controller type='twist_pid'><teleoperation video_latency='500' video_jitter='500'/>"
      "</controller>",
      "steps long");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shift),  cmocka_unit_test(test_rate),  cmocka_unit_test(test_loss),
      cmocka_unit_test(test_jitter), cmocka_unit_test(test_order), cmocka_unit_test(test_watched),
      cmocka_unit_test(test_bits),   cmocka_unit_test(test_state), cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
