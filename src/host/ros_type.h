// SPDX-License-Identifier: BSD-3-Clause
//
// Types of ROS 2 messages, as DDS and ROS name them.
#ifndef RUT_HOST_ROS_TYPE_H
#define RUT_HOST_ROS_TYPE_H

#include "rut/rut.h"

enum { RUT_ROS_HASH_SIZE = 72, RUT_ROS_TYPE_SIZE = 160, RUT_ROS_NAME_SIZE = 256 };

// "RIHS01_" and the SHA-256 of the description of a type (REP 2016), from its definition in
// ros2msg, with all types that it is made of. The name is "package/msg/Name". Errors: PARSE (a line
// that is no field, a type that is not defined), MEMORY.
rutStatus rut_ros_type_hash(const char* name, const char* definition, char hash[RUT_ROS_HASH_SIZE],
                            rutError* err);
// Name of the type in DDS, "package::msg::dds_::Name_". False if that does not fit.
bool rut_ros_dds_type(const char* name, char out[RUT_ROS_TYPE_SIZE]);
// Put a part of the name of a topic or frame: letters, digits and underscores, of which the first
// is no digit. Others become underscores, and so do slashes unless they are kept.
void rut_ros_name(const char* from, bool slashes, char out[RUT_ROS_NAME_SIZE]);

#endif  // RUT_HOST_ROS_TYPE_H
