// SPDX-License-Identifier: BSD-3-Clause
//
// ROS 2 messages of samples, by their form (rutSensorForm). A message is one file, which defines a
// rutSensorMessage, and a line in sensor_message.c.
#ifndef RUT_HOST_SENSOR_MESSAGE_H
#define RUT_HOST_SENSOR_MESSAGE_H

#include "base/sensor_form.h"
#include "host/bytes.h"

enum {
  RUT_MESSAGE_PARAMETERS = 8,  // of a sensor that a message tells, at most
  RUT_FORM_MESSAGES = 8        // of a form, at most
};

// What a message is made of. Outputs are in the order of the form (base/sensor_form.h).
typedef struct rutSensorMessageIn {
  const void* output[RUT_FORM_OUTPUTS];  // NULL if the sensor has none
  int count[RUT_FORM_OUTPUTS];           // numbers in each
  double parameter[RUT_MESSAGE_PARAMETERS];
  double period;  // between two samples [s]
  bool exact;     // it gives the truth
  rutScanGeometry geometry;
  rutCameraGeometry camera;
  // Wheels of its vehicle, only of RUT_FORM_JOINTS: names, each ended by 0, and 1 for those that
  // steer.
  const char* wheel_names;
  const unsigned char* steers;
  int wheels;
} rutSensorMessageIn;

typedef struct rutSensorMessage rutSensorMessage;
struct rutSensorMessage {
  const char *schema, *definition;                // "sensor_msgs/msg/Imu", and its text in ros2msg
  const char* parameter[RUT_MESSAGE_PARAMETERS];  // fields of the sensor that it tells, NULL ends;
                                                  // of the form's first message, for all of them
  const char *tail, *frame;  // after the sensor's name, of topic and frame. Nullable: nothing
  // Tail of the topic over DDS, and that of sensors which lack optional outputs. Nullable: tail.
  const char *live_tail, *partial_tail;
  // Whether a sensor is logged by it. Outputs are not known. Nullable: yes.
  bool (*wanted)(const rutSensorMessageIn* in);
  // Put the fields after the header, which every message begins with.
  void (*put)(rutBytes* bytes, size_t start, const rutSensorMessageIn* in);
  const rutSensorMessage* next;  // of the same form. Nullable
};

// Variance of white noise and of rounding to steps, which is evenly spread (Widrow, 1956): s^2 +
// q^2/12; 0 of a sensor that gives the truth. Parameters that a sensor lacks are NaN and count as
// 0.
double rut_message_variance(const rutSensorMessageIn* in, double deviation, double resolution);
// A diagonal covariance of three axes; all 0 means unknown.
void rut_message_put_covariance(rutBytes* bytes, size_t start, double variance);

// First message of a form, NULL if it has none.
const rutSensorMessage* rut_sensor_message(rutSensorForm form);

#endif  // RUT_HOST_SENSOR_MESSAGE_H
