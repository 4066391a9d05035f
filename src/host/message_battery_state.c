// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/BatteryState: its current is negative while the battery is discharged.
#include "host/ros2_schema.h"
#include "host/sensor_message.h"
#include "math/rut_math.h"

enum { VOLTAGE, CURRENT, CHARGE };
enum { CAPACITY };
static const double SECONDS_PER_HOUR = 3600;
static const uint8_t CHARGING = 1, DISCHARGING = 2, NOT_CHARGING = 3, UNKNOWN = 0, PRESENT = 1;

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const double drawn = *(const double*)in->output[CURRENT];
  const double charge = *(const double*)in->output[CHARGE];
  const float capacity = (float)(in->parameter[CAPACITY] / SECONDS_PER_HOUR);
  const uint8_t* status = drawn > 0 ? &DISCHARGING : drawn < 0 ? &CHARGING : &NOT_CHARGING;
  rut_cdr_f32(b, start, (float)*(const double*)in->output[VOLTAGE]);
  rut_cdr_f32(b, start, (float)RUT_NAN);
  rut_cdr_f32(b, start, (float)-drawn);
  rut_cdr_f32(b, start, (float)charge * capacity);
  rut_cdr_f32(b, start, capacity);
  rut_cdr_f32(b, start, capacity);
  rut_cdr_f32(b, start, (float)charge);
  rut_cdr_numbers(b, start, 1, 1, status);
  rut_cdr_numbers(b, start, 1, 1, &UNKNOWN);
  rut_cdr_numbers(b, start, 1, 1, &UNKNOWN);
  rut_cdr_numbers(b, start, 1, 1, &PRESENT);
  // no cells, no place, no number
  for (int i = 0; i < 2; i++) rut_cdr_u32(b, start, 0);
  for (int i = 0; i < 2; i++) rut_cdr_text(b, start, "");
}

extern const rutSensorMessage rut_message_battery_state;
const rutSensorMessage rut_message_battery_state = {
    .schema = "sensor_msgs/msg/BatteryState",
    .definition = RUT_MSG_BATTERY,
    .parameter = {[CAPACITY] = "capacity"},
    .live_tail = "_state",
    .put = put,
};
