// SPDX-License-Identifier: BSD-3-Clause
//
// Commands in messages of ROS 2, of strangers.
#ifndef RUT_HOST_ROS2_DECODE_H
#define RUT_HOST_ROS2_DECODE_H

#include "host/cdr_read.h"

enum { RUT_ROS2_SET_POINTS = 16 };

typedef enum rutRos2Form {
  RUT_ROS2_TWIST,          // geometry_msgs/Twist
  RUT_ROS2_TWIST_STAMPED,  // geometry_msgs/TwistStamped
  RUT_ROS2_ACKERMANN,      // ackermann_msgs/AckermannDriveStamped
  RUT_ROS2_VALUES,         // std_msgs/Float64MultiArray, the set points in their order
  RUT_ROS2_FORMS
} rutRos2Form;

typedef struct rutRos2Command {
  rutRos2Form form;
  bool stamped;
  int64_t stamp;           // [ns]
  double speed, sideways;  // [m/s]
  double yaw_rate;         // [rad/s], of a twist
  double steer;            // [rad], of Ackermann
  int values;
  double value[RUT_ROS2_SET_POINTS];  // NaN leaves a set point
} rutRos2Command;

// False if the bytes are none of the form, or hold numbers that are not finite (but for NaN in
// values).
bool rut_ros2_decode(rutRos2Form form, const void* bytes, size_t size, rutRos2Command* out);

#endif  // RUT_HOST_ROS2_DECODE_H
