// SPDX-License-Identifier: BSD-3-Clause
//
// Joints of vehicles and mechanisms, as sensor_msgs/msg/JointState tells them.
#ifndef RUT_HOST_JOINTS_H
#define RUT_HOST_JOINTS_H

#include "rut/rut.h"

enum { RUT_JOINT_NUMBERS = 3 };  // of a joint: position, velocity, effort

// Joints of a vehicle or mechanism.
typedef struct rutJoints {
  rutKind kind;
  int index, count;
  char* names;           // owned, each with its zero
  rutJointState* state;  // [count] scratch, owned
} rutJoints;

// Joints of an element; their count is 0 of mechanisms with free bodies, whose coordinates are no
// joints'. To be freed in any case. Errors: MEMORY.
rutStatus rut_joints_find(const rutModel* model, rutKind kind, int index, rutJoints* out,
                          rutError* err);
void rut_joints_free(rutJoints* joints);
// Present positions, velocities and efforts, [3][count]. Efforts are those of vehicles alone.
void rut_joints_read(const rutJoints* joints, const rutModel* model, const rutData* data,
                     double* number);

#endif  // RUT_HOST_JOINTS_H
