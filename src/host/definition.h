// SPDX-License-Identifier: BSD-3-Clause
//
// Definitions of messages of our own, in ros2msg.
#ifndef RUT_HOST_DEFINITION_H
#define RUT_HOST_DEFINITION_H

#include "host/bytes.h"
#include "host/signals.h"

// A line of a definition: "float64[3] name  # [unit] doc"; one number if count is 0.
void rut_define_field(rutBytes* text, const char* type, int count, const char* name,
                      const char* unit, const char* doc);
// Name of a type of messages: letters and digits, as ROS demands. steering_angle is SteeringAngle.
void rut_define_type(const char* word, char name[RUT_WORD_SIZE]);

#endif  // RUT_HOST_DEFINITION_H
