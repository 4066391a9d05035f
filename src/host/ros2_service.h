// SPDX-License-Identifier: BSD-3-Clause
//
// The services of simulation_interfaces, as rmw_cyclonedds has them on the wire: in front of the
// fields of a request stand 16 bytes that name the caller and the call, and the same in front of
// those of its reply.
#ifndef RUT_HOST_ROS2_SERVICE_H
#define RUT_HOST_ROS2_SERVICE_H

#include "host/bytes.h"
#include "rut/ros2.h"

typedef enum rutRos2Call {
  RUT_CALL_GET_FEATURES,
  RUT_CALL_GET_STATE,
  RUT_CALL_SET_STATE,
  RUT_CALL_RESET,
  RUT_CALL_STEP,
  RUT_CALL_GET_ENTITIES,
  RUT_CALL_GET_ENTITY_STATE,
  RUT_CALL_GET_ENTITIES_STATES,
  RUT_CALLS
} rutRos2Call;

// Name of a service, "reset_simulation", of its type, "ResetSimulation", and the definitions of
// request and reply in ros2msg.
typedef struct rutRos2CallInfo {
  const char *name, *type, *request, *reply;
} rutRos2CallInfo;
rutRos2CallInfo rut_ros2_call_info(rutRos2Call call);

// What a call is about.
typedef struct rutRos2Asking {
  const rutRos2Control* control;
  const rutModel* model;
  const rutData* data;
} rutRos2Asking;

typedef enum rutRos2Outcome {
  RUT_CALL_ANSWERED,
  RUT_CALL_LATER,   // the reply holds once no steps are left to do
  RUT_CALL_DAMAGED  // the bytes are no request: there is no reply
} rutRos2Outcome;
// Do what a request asks, and put the reply.
rutRos2Outcome rut_ros2_answer(const rutRos2Asking* asking, rutRos2Call call, const void* request,
                               size_t size, rutBytes* reply);

#endif  // RUT_HOST_ROS2_SERVICE_H
