// SPDX-License-Identifier: BSD-3-Clause
#include "host/ros2_decode.h"

static bool is_finite(double x) { return x - x == 0; }

// std_msgs/Header.
static void read_header(rutCdr* cdr, rutRos2Command* c) {
  c->stamped = true;
  c->stamp = rut_cdr_get_time(cdr);
  rut_cdr_skip_text(cdr);
}

static void read_twist(rutCdr* cdr, rutRos2Command* c) {
  double number[6];
  for (int i = 0; i < 6; i++) number[i] = rut_cdr_get_f64(cdr);
  c->speed = number[0];
  c->sideways = number[1];
  c->yaw_rate = number[5];
}

// Steering angle, its rate, speed, acceleration, jerk, of which vehicles follow the first and
// third.
static void read_ackermann(rutCdr* cdr, rutRos2Command* c) {
  double number[5];
  for (int i = 0; i < 5; i++) number[i] = rut_cdr_get_f32(cdr);
  c->steer = number[0];
  c->speed = number[2];
}

// Their layout has dimensions, each a name and two numbers.
static void read_values(rutCdr* cdr, rutRos2Command* c) {
  const uint32_t dimensions = rut_cdr_get_count(cdr, 12);
  for (uint32_t i = 0; i < dimensions && !cdr->failed; i++) {
    rut_cdr_skip_text(cdr);
    (void)rut_cdr_get_u32(cdr);
    (void)rut_cdr_get_u32(cdr);
  }
  (void)rut_cdr_get_u32(cdr);
  const uint32_t n = rut_cdr_get_count(cdr, 8);
  if (n > RUT_ROS2_SET_POINTS) cdr->failed = true;
  for (uint32_t i = 0; i < n && !cdr->failed; i++) c->value[c->values++] = rut_cdr_get_f64(cdr);
}

bool rut_ros2_decode(rutRos2Form form, const void* bytes, size_t size, rutRos2Command* out) {
  rutCdr cdr = rut_cdr_of(bytes, size);
  *out = (rutRos2Command){.form = form};
  if (form == RUT_ROS2_TWIST_STAMPED || form == RUT_ROS2_ACKERMANN) read_header(&cdr, out);
  if (form == RUT_ROS2_TWIST || form == RUT_ROS2_TWIST_STAMPED) read_twist(&cdr, out);
  if (form == RUT_ROS2_ACKERMANN) read_ackermann(&cdr, out);
  if (form == RUT_ROS2_VALUES) read_values(&cdr, out);
  bool fine = !cdr.failed && is_finite(out->speed) && is_finite(out->sideways) &&
              is_finite(out->yaw_rate) && is_finite(out->steer);
  for (int i = 0; i < out->values; i++) {
    fine = fine && (is_finite(out->value[i]) || out->value[i] != out->value[i]);
  }
  return fine;
}
