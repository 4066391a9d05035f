// SPDX-License-Identifier: BSD-3-Clause
//
// Definitions of the ROS 2 messages of a log, in ros2msg: the message, then each type that it is
// made of.
#ifndef RUT_HOST_LOG_SCHEMA_H
#define RUT_HOST_LOG_SCHEMA_H

#define RUT_MSG_BEGIN(name)                                                                      \
  "================================================================================\nMSG: " name \
  "\n"
#define RUT_MSG_TIME RUT_MSG_BEGIN("builtin_interfaces/Time") "int32 sec\nuint32 nanosec\n"
#define RUT_MSG_HEADER \
  RUT_MSG_BEGIN("std_msgs/Header") "builtin_interfaces/Time stamp\nstring frame_id\n" RUT_MSG_TIME
#define RUT_MSG_VECTOR3 RUT_MSG_BEGIN("geometry_msgs/Vector3") "float64 x\nfloat64 y\nfloat64 z\n"
#define RUT_MSG_QUATERNION                  \
  RUT_MSG_BEGIN("geometry_msgs/Quaternion") \
  "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"

// Levels are 10 (debug) to 50 (fatal); 30 is a warning.
#define RUT_MSG_LOG                                                                    \
  "builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\nstring file\n" \
  "string function\nuint32 line\n" RUT_MSG_TIME

#define RUT_MSG_TF \
  "geometry_msgs/TransformStamped[] transforms\n" RUT_MSG_BEGIN(                            \
      "geometry_msgs/TransformStamped") "std_msgs/Header header\nstring child_frame_id\n"   \
                                        "geometry_msgs/Transform transform\n" RUT_MSG_BEGIN( \
                                            "geometry_msgs/Transform")                      \
                                            "geometry_msgs/Vector3 translation\n"           \
                                            "geometry_msgs/Quaternion rotation\n"           \
  RUT_MSG_VECTOR3 RUT_MSG_QUATERNION RUT_MSG_HEADER

#define RUT_MSG_ODOMETRY \
  "std_msgs/Header header\nstring child_frame_id\n"                                         \
  "geometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n"        \
  RUT_MSG_BEGIN("geometry_msgs/PoseWithCovariance")                                         \
  "geometry_msgs/Pose pose\nfloat64[36] covariance\n"                                       \
  RUT_MSG_BEGIN("geometry_msgs/Pose")                                                       \
  "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n"                    \
  RUT_MSG_BEGIN("geometry_msgs/Point") "float64 x  # [m]\nfloat64 y  # [m]\nfloat64 z  # [m]\n" \
  RUT_MSG_BEGIN("geometry_msgs/TwistWithCovariance")                                        \
  "geometry_msgs/Twist twist\nfloat64[36] covariance\n"                                     \
  RUT_MSG_BEGIN("geometry_msgs/Twist")                                                      \
  "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n"                           \
  RUT_MSG_VECTOR3 RUT_MSG_QUATERNION RUT_MSG_HEADER

#define RUT_MSG_JOINT_STATE                                                     \
  "std_msgs/Header header\nstring[] name\nfloat64[] position  # [rad] or [m]\n" \
  "float64[] velocity  # [rad/s] or [m/s]\nfloat64[] effort  # [N m] or [N]\n" RUT_MSG_HEADER

#define RUT_MSG_POSE                  \
  RUT_MSG_BEGIN("geometry_msgs/Pose") \
  "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n" RUT_MSG_BEGIN( \
      "geometry_msgs/Point") "float64 x  # [m]\nfloat64 y  # [m]\nfloat64 z  # [m]\n" RUT_MSG_QUATERNION

// Costs are 0 to 100, what is not known -1.
#define RUT_MSG_OCCUPANCY_GRID \
  "std_msgs/Header header\nnav_msgs/MapMetaData info\nint8[] data\n" RUT_MSG_BEGIN(        \
      "nav_msgs/MapMetaData") "builtin_interfaces/Time map_load_time\nfloat32 resolution\n" \
                              "uint32 width\nuint32 height\ngeometry_msgs/Pose origin\n"    \
  RUT_MSG_POSE RUT_MSG_HEADER

#define RUT_MSG_PATH \
  "std_msgs/Header header\ngeometry_msgs/PoseStamped[] poses\n" RUT_MSG_BEGIN(   \
      "geometry_msgs/PoseStamped") "std_msgs/Header header\ngeometry_msgs/Pose " \
                                   "pose\n" RUT_MSG_POSE RUT_MSG_HEADER

#define RUT_MSG_GRID_MAP \
  "std_msgs/Header header\ngrid_map_msgs/GridMapInfo info\nstring[] layers\n"                    \
  "string[] basic_layers\nstd_msgs/Float32MultiArray[] data\nuint16 outer_start_index\n"         \
  "uint16 inner_start_index\n" RUT_MSG_BEGIN("grid_map_msgs/GridMapInfo")                          \
  "float64 resolution\nfloat64 length_x\nfloat64 length_y\ngeometry_msgs/Pose pose\n"            \
  RUT_MSG_BEGIN("std_msgs/Float32MultiArray") "std_msgs/MultiArrayLayout layout\nfloat32[] data\n" \
  RUT_MSG_BEGIN("std_msgs/MultiArrayLayout") "std_msgs/MultiArrayDimension[] dim\nuint32 "         \
  "data_offset\n" RUT_MSG_BEGIN("std_msgs/MultiArrayDimension")                                    \
  "string label\nuint32 size\nuint32 stride\n" RUT_MSG_POSE RUT_MSG_HEADER

#endif  // RUT_HOST_LOG_SCHEMA_H
