// SPDX-License-Identifier: BSD-3-Clause
//
// What clients of Foxglove's protocol say, by its specification and that of CDR (OMG, 1.0:
// alignment, order of bytes), and set points for what they ask, against the circle that wheels roll
// on.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef RUT_HAVE_VIEWER
#include "scene/driver.h"
#include "view/foxglove_message.h"

static viewFoxgloveMessage message;
static char error[400];

static bool reads(const char* text) {
  memset(&message, 0x55, sizeof message);
  error[0] = '\0';
  const bool fine = view_foxglove_read(text, strlen(text), &message, error, sizeof error);
  assert_true(fine == (error[0] == '\0'));
  return fine;
}

static void test_texts(void** state) {
  (void)state;
  assert_true(
      reads("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":0,\"channelId\":3},"
            "{\"id\":4294967295,\"channelId\":5}]}"));
  assert_int_equal(message.op, VIEW_FOXGLOVE_SUBSCRIBE);
  assert_int_equal(message.items, 2);
  assert_true(message.id[0] == 0 && message.channel[0] == 3);
  assert_true(message.id[1] == UINT32_MAX && message.channel[1] == 5);
  assert_true(reads("{\"op\":\"unsubscribe\",\"subscriptionIds\":[7,8,9]}"));
  assert_true(message.op == VIEW_FOXGLOVE_UNSUBSCRIBE && message.items == 3 && message.id[2] == 9);
  assert_true(
      reads("{\"op\":\"advertise\",\"channels\":[{\"id\":2,\"topic\":\"/a/cmd_vel\","
            "\"encoding\":\"cdr\",\"schemaName\":\"geometry_msgs/Twist\"}]}"));
  assert_true(message.op == VIEW_FOXGLOVE_ADVERTISE && message.items == 1);
  assert_int_equal(message.advert[0].id, 2);
  assert_string_equal(message.advert[0].topic, "/a/cmd_vel");
  assert_string_equal(message.advert[0].encoding, "cdr");
  assert_string_equal(message.advert[0].schema, "geometry_msgs/Twist");
  assert_true(reads("{\"op\":\"unadvertise\",\"channelIds\":[2]}"));
  assert_true(message.op == VIEW_FOXGLOVE_UNADVERTISE && message.id[0] == 2);
}

static void test_wrong_texts(void** state) {
  (void)state;
  assert_false(
      reads("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":4294967296,"
            "\"channelId\":1}]}"));
  assert_non_null(strstr(error, "'id' is a number from 0"));
  assert_false(reads("{\"op\":\"subscribe\",\"subscriptions\":[{\"id\":1}]}"));
  assert_non_null(strstr(error, "'channelId'"));
  assert_false(reads("{\"op\":\"getParameters\"}"));
  assert_non_null(strstr(error, "not among the capabilities"));
  assert_false(reads("{\"op\":\"subscribe\",\"op\":\"subscribe\"}"));
  assert_false(reads("{\"op\":\"unsubscribe\",\"subscriptionIds\":[1]} x"));
  // one item more than there may be
  enum { MOST = VIEW_FOXGLOVE_ITEMS };
  char* text = malloc(64 + 2 * (MOST + 1));
  for (int n = MOST; n <= MOST + 1; n++) {
    strcpy(text, "{\"op\":\"unsubscribe\",\"subscriptionIds\":[1");
    char* at = text + strlen(text);
    for (int i = 1; i < n; i++) at = memcpy(at, ",1", 2), at += 2;
    strcpy(at, "]}");
    assert_true(reads(text) == (n == MOST));
  }
  free(text);
}

static bool reads_twist(const char* encoding, const void* bytes, size_t size, viewTwist* twist) {
  const viewFoxglovePublished published = {0, bytes, size};
  error[0] = '\0';
  return view_foxglove_read_twist(encoding, &published, twist, error, sizeof error);
}

static void test_twists(void** state) {
  (void)state;
  // 0.5 and -2 as IEC 60559 has them: 3fe0.., c000..
  unsigned char cdr[52] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f};
  cdr[51] = 0xc0;
  viewTwist twist = {0};
  assert_true(reads_twist("cdr", cdr, sizeof cdr, &twist));
  assert_true(twist.speed == 0.5 && twist.lateral_speed == 0 && twist.yaw_rate == -2);
  unsigned char big[52] = {0, 0, 0, 0, 0x3f, 0xe0};
  big[44] = 0xc0;
  assert_true(reads_twist("cdr", big, sizeof big, &twist));
  assert_true(twist.speed == 0.5 && twist.yaw_rate == -2);
  for (size_t size = 0; size < sizeof cdr; size++) {
    assert_false(reads_twist("cdr", cdr, size, &twist));
  }
  cdr[10] = 0xf0;
  cdr[11] = 0x7f;  // infinite
  assert_false(reads_twist("cdr", cdr, sizeof cdr, &twist));
  static const char json[] = "{\"linear\":{\"x\":1.5,\"y\":-0.25},\"angular\":{\"z\":3}}";
  assert_true(reads_twist("json", json, strlen(json), &twist));
  assert_true(twist.speed == 1.5 && twist.lateral_speed == -0.25 && twist.yaw_rate == 3);
  assert_true(reads_twist("json", "{}", 2, &twist));
  assert_true(twist.speed == 0 && twist.yaw_rate == 0);
  assert_false(reads_twist("json", "[]", 2, &twist));
}

static void test_binary(void** state) {
  (void)state;
  const unsigned char bytes[] = {1, 0x78, 0x56, 0x34, 0x12, 'x', 'y'};
  viewFoxglovePublished p;
  assert_true(view_foxglove_read_binary(bytes, sizeof bytes, &p, error, sizeof error));
  assert_true(p.channel == 0x12345678 && p.size == 2 && p.bytes[0] == 'x');
  for (size_t size = 0; size < 5; size++) {
    assert_false(view_foxglove_read_binary(bytes, size, &p, error, sizeof error));
  }
  const unsigned char other[] = {2, 0, 0, 0, 0, 0};
  assert_false(view_foxglove_read_binary(other, sizeof other, &p, error, sizeof error));
}

// ---- set points ----

static void test_speeds(void** state) {
  (void)state;
  const viewDriver robot = {.commands = 3,
                            .role = {RUT_MEANS_SPEED, RUT_MEANS_LATERAL_SPEED, RUT_MEANS_YAW_RATE},
                            .speed = 2,
                            .yaw_rate = 1};
  double command[3];
  view_driver_follow(&robot, &(viewTwist){0.7, -0.2, 0.4}, 0, command);
  assert_true(command[0] == 0.7 && command[1] == -0.2 && command[2] == 0.4);
}

// The rear axle of a vehicle of wheelbase L on a circle of radius R = v/w: tan(d) = L/R.
static void test_circles(void** state) {
  (void)state;
  const viewDriver car = {.commands = 2,
                          .role = {RUT_MEANS_SPEED, RUT_MEANS_STEER_ANGLE},
                          .speed = 10,
                          .steer = 0.6,
                          .wheelbase = 2.5};
  double command[2];
  view_driver_follow(&car, &(viewTwist){5, 0, 1}, 0, command);
  assert_true(command[0] == 5);
  assert_true(fabs(tan(command[1]) - 2.5 / 5) < 1e-12);
  // backwards the wheels point to the other side for the same rate
  view_driver_follow(&car, &(viewTwist){-5, 0, 1}, 0, command);
  assert_true(fabs(tan(command[1]) + 2.5 / 5) < 1e-12);
  // no further than full lock, and straight where it stands
  view_driver_follow(&car, &(viewTwist){1, 0, -3}, 0, command);
  assert_true(command[1] == -0.6);
  view_driver_follow(&car, &(viewTwist){0, 0, 3}, 0, command);
  assert_true(command[0] == 0 && command[1] == 0);
}

static void test_pedals(void** state) {
  (void)state;
  const viewDriver truck = {.commands = 3,
                            .role = {RUT_MEANS_THROTTLE, RUT_MEANS_BRAKE, RUT_MEANS_STEERING},
                            .speed = 20,
                            .steer = 0.5,
                            .wheelbase = 3};
  double command[3];
  view_driver_follow(&truck, &(viewTwist){8, 0, 0}, 7.5, command);
  assert_true(command[0] == 0.5 && command[1] == 0 && command[2] == 0);
  view_driver_follow(&truck, &(viewTwist){8, 0, 0}, 3, command);
  assert_true(command[0] == 1 && command[1] == 0);
  view_driver_follow(&truck, &(viewTwist){8, 0, 0}, 8.25, command);
  assert_true(command[0] == 0 && command[1] == 0.25);
  // from forwards to backwards it brakes first
  view_driver_follow(&truck, &(viewTwist){-2, 0, 0}, 4, command);
  assert_true(command[0] == 0 && command[1] == 1);
  view_driver_follow(&truck, &(viewTwist){-2, 0, 0}, 0, command);
  assert_true(command[0] == -1 && command[1] == 0);
  view_driver_follow(&truck, &(viewTwist){0, 0, 0}, 0, command);
  assert_true(command[0] == 0 && command[1] == 1);
  // a part of full lock
  view_driver_follow(&truck, &(viewTwist){4, 0, 0.2}, 4, command);
  assert_true(fabs(command[2] - atan(3 * 0.2 / 4) / 0.5) < 1e-12);
}

// Torques of two sides: both forward by the lack of speed, and apart by the yaw rate.
static void test_tracks(void** state) {
  (void)state;
  const viewDriver tracked = {.commands = 2,
                              .role = {RUT_MEANS_TORQUE_LEFT, RUT_MEANS_TORQUE_RIGHT},
                              .speed = 2,
                              .yaw_rate = 1,
                              .torque = 100,
                              .wheels = 2};
  double straight[2], left[2];
  view_driver_follow(&tracked, &(viewTwist){1.5, 0, 0}, 1, straight);
  assert_true(straight[0] > 0 && straight[0] == straight[1]);
  view_driver_follow(&tracked, &(viewTwist){1.5, 0, 0.5}, 1, left);
  assert_true(left[1] > left[0]);
  view_driver_follow(&tracked, &(viewTwist){1.5, 0, 0}, 1.75, straight);
  assert_true(straight[0] < 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_texts),  cmocka_unit_test(test_wrong_texts),
      cmocka_unit_test(test_twists), cmocka_unit_test(test_binary),
      cmocka_unit_test(test_speeds), cmocka_unit_test(test_circles),
      cmocka_unit_test(test_pedals), cmocka_unit_test(test_tracks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return 77; }
#endif
