// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of ROS 2 messages about poses and joints, in CDR: of logs and of topics.
#ifndef RUT_HOST_POSE_MESSAGE_H
#define RUT_HOST_POSE_MESSAGE_H

#include "host/bytes.h"

// Pose of a frame in another.
typedef struct rutTransformMessage {
  int64_t stamp;       // [ns]
  const char* parent;  // name of the frame that it is told in
  const char* child;   // name of the frame
  const double* at;    // [3] its origin [m]
  const double* q;     // [4] its rotation, w x y z
} rutTransformMessage;

typedef struct rutOdometryMessage {
  int64_t stamp;          // [ns]
  const char* frame;      // that the pose is told in
  const char* child;      // frame that moves, in whose axes velocities are
  const double* at;       // [3] [m]
  const double* q;        // [4] w x y z
  const double* linear;   // [3] [m/s]
  const double* angular;  // [3] [rad/s]
} rutOdometryMessage;

typedef struct rutJointMessage {
  int64_t stamp;           // [ns]
  int n;                   // joints
  const char* names;       // of all, each with its zero
  const double* position;  // [n] [rad] or [m]
  const double* velocity;  // [n] [rad/s] or [m/s]
  const double* effort;    // [n] [N m] or [N]. Nullable: unknown
} rutJointMessage;

// geometry_msgs/TransformStamped.
void rut_put_transform(rutBytes* bytes, size_t start, const rutTransformMessage* transform);
// nav_msgs/Odometry, whose covariances are 0: unknown.
void rut_put_odometry(rutBytes* bytes, size_t start, const rutOdometryMessage* odometry);
// sensor_msgs/JointState, in no frame.
void rut_put_joint_state(rutBytes* bytes, size_t start, const rutJointMessage* joints);
// Quaternion w x y z of intrinsic z-y-x angles [rad].
void rut_quaternion_of_angles(double roll, double pitch, double yaw, double q[4]);
// From the axes of a body to those of images of a camera in them: x right, y down, z ahead.
void rut_optical_quaternion(const double q[4], double out[4]);

#endif  // RUT_HOST_POSE_MESSAGE_H
