// SPDX-License-Identifier: BSD-3-Clause
//
// Definitions, in ros2msg, of messages that topics of ROS 2 have and logs do not.
#ifndef RUT_HOST_ROS2_SCHEMA_H
#define RUT_HOST_ROS2_SCHEMA_H

#include "host/log_schema.h"

#define RUT_MSG_CLOCK   "builtin_interfaces/Time clock\n" RUT_MSG_TIME
#define RUT_MSG_BOOL    "bool data\n"
#define RUT_MSG_FLOAT64 "float64 data\n"
#define RUT_MSG_UINT64  "uint64 data\n"
#define RUT_MSG_EMPTY   ""
#define RUT_MSG_TWIST \
  "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n" RUT_MSG_VECTOR3
#define RUT_MSG_TWIST_STAMPED \
  "std_msgs/Header header\ngeometry_msgs/Twist twist\n" RUT_MSG_BEGIN("geometry_msgs/Twist") \
  "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n" RUT_MSG_VECTOR3 RUT_MSG_HEADER
#define RUT_MSG_ACKERMANN_STAMPED \
  "std_msgs/Header header\nackermann_msgs/AckermannDrive drive\n" RUT_MSG_BEGIN(               \
      "ackermann_msgs/AckermannDrive")                                                         \
  "float32 steering_angle\nfloat32 steering_angle_velocity\nfloat32 speed\nfloat32 acceleration\n" \
  "float32 jerk\n" RUT_MSG_HEADER
#define RUT_MSG_SET_POINTS \
  "std_msgs/MultiArrayLayout layout\nfloat64[] data\n" RUT_MSG_BEGIN("std_msgs/MultiArrayLayout") \
  "std_msgs/MultiArrayDimension[] dim\nuint32 data_offset\n" RUT_MSG_BEGIN(                   \
      "std_msgs/MultiArrayDimension") "string label\nuint32 size\nuint32 stride\n"
#define RUT_MSG_BATTERY                                                                   \
  "std_msgs/Header header\nfloat32 voltage\nfloat32 temperature\nfloat32 current\n"       \
  "float32 charge\nfloat32 capacity\nfloat32 design_capacity\nfloat32 percentage\n"       \
  "uint8 power_supply_status\nuint8 power_supply_health\nuint8 power_supply_technology\n" \
  "bool present\nfloat32[] cell_voltage\nfloat32[] cell_temperature\nstring location\n"   \
  "string serial_number\n" RUT_MSG_HEADER
// The graph of nodes (rmw_dds_common), with identities of 16 bytes since Iron and of 24 before.
#define RUT_MSG_PARTICIPANT_OF(size) \
  "rmw_dds_common/Gid gid\nrmw_dds_common/NodeEntitiesInfo[] " \
  "node_entities_info_seq\n"         \
  RUT_MSG_BEGIN("rmw_dds_common/Gid") "char[" size "] data\n" RUT_MSG_BEGIN(                   \
      "rmw_dds_common/NodeEntitiesInfo") "string<=256 node_namespace\nstring<=256 node_name\n" \
  "rmw_dds_common/Gid[] reader_gid_seq\nrmw_dds_common/Gid[] writer_gid_seq\n"
#define RUT_MSG_PARTICIPANT RUT_MSG_PARTICIPANT_OF("16")

#endif  // RUT_HOST_ROS2_SCHEMA_H
