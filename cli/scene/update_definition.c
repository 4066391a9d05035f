// SPDX-License-Identifier: BSD-3-Clause
//
// The definition of foxglove_msgs/msg/SceneUpdate, with all that it consists of.
#include "scene/update.h"

#define TYPE(name)                                                                               \
  "================================================================================\nMSG: " name \
  "\n"

const char view_update_definition[] =
    "foxglove_msgs/SceneEntityDeletion[] deletions\n"
    "foxglove_msgs/SceneEntity[] entities\n"  //
    TYPE("foxglove_msgs/SceneEntityDeletion")
    "uint8 MATCHING_ID=0\n"
    "uint8 ALL=1\n"
    "builtin_interfaces/Time timestamp\n"
    "uint8 type\n"
    "string id\n"  //
    TYPE("foxglove_msgs/SceneEntity")
    "builtin_interfaces/Time timestamp\n"
    "string frame_id\n"
    "string id\n"
    "builtin_interfaces/Duration lifetime\n"
    "bool frame_locked\n"
    "foxglove_msgs/KeyValuePair[] metadata\n"
    "foxglove_msgs/ArrowPrimitive[] arrows\n"
    "foxglove_msgs/CubePrimitive[] cubes\n"
    "foxglove_msgs/SpherePrimitive[] spheres\n"
    "foxglove_msgs/CylinderPrimitive[] cylinders\n"
    "foxglove_msgs/LinePrimitive[] lines\n"
    "foxglove_msgs/TriangleListPrimitive[] triangles\n"
    "foxglove_msgs/TextPrimitive[] texts\n"
    "foxglove_msgs/ModelPrimitive[] models\n"  //
    TYPE("foxglove_msgs/KeyValuePair")
    "string key\n"
    "string value\n"  //
    TYPE("foxglove_msgs/ArrowPrimitive")
    "geometry_msgs/Pose pose\n"
    "float64 shaft_length\n"
    "float64 shaft_diameter\n"
    "float64 head_length\n"
    "float64 head_diameter\n"
    "foxglove_msgs/Color color\n"  //
    TYPE("foxglove_msgs/CubePrimitive")
    "geometry_msgs/Pose pose\n"
    "geometry_msgs/Vector3 size\n"
    "foxglove_msgs/Color color\n"  //
    TYPE("foxglove_msgs/SpherePrimitive")
    "geometry_msgs/Pose pose\n"
    "geometry_msgs/Vector3 size\n"
    "foxglove_msgs/Color color\n"  //
    TYPE("foxglove_msgs/CylinderPrimitive")
    "geometry_msgs/Pose pose\n"
    "geometry_msgs/Vector3 size\n"
    "float64 bottom_scale\n"
    "float64 top_scale\n"
    "foxglove_msgs/Color color\n"  //
    TYPE("foxglove_msgs/LinePrimitive")
    "uint8 LINE_STRIP=0\n"
    "uint8 LINE_LOOP=1\n"
    "uint8 LINE_LIST=2\n"
    "uint8 type\n"
    "geometry_msgs/Pose pose\n"
    "float64 thickness\n"
    "bool scale_invariant\n"
    "geometry_msgs/Point[] points\n"
    "foxglove_msgs/Color color\n"
    "foxglove_msgs/Color[] colors\n"
    "uint32[] indices\n"  //
    TYPE("foxglove_msgs/TriangleListPrimitive")
    "geometry_msgs/Pose pose\n"
    "geometry_msgs/Point[] points\n"
    "foxglove_msgs/Color color\n"
    "foxglove_msgs/Color[] colors\n"
    "uint32[] indices\n"  //
    TYPE("foxglove_msgs/TextPrimitive")
    "geometry_msgs/Pose pose\n"
    "bool billboard\n"
    "float64 font_size\n"
    "bool scale_invariant\n"
    "foxglove_msgs/Color color\n"
    "string text\n"  //
    TYPE("foxglove_msgs/ModelPrimitive")
    "geometry_msgs/Pose pose\n"
    "geometry_msgs/Vector3 scale\n"
    "foxglove_msgs/Color color\n"
    "bool override_color\n"
    "string url\n"
    "string media_type\n"
    "uint8[] data\n"  //
    TYPE("foxglove_msgs/Color")
    "float64 r\n"
    "float64 g\n"
    "float64 b\n"
    "float64 a\n"  //
    TYPE("geometry_msgs/Pose")
    "geometry_msgs/Point position\n"
    "geometry_msgs/Quaternion orientation\n"  //
    TYPE("geometry_msgs/Point")
    "float64 x\n"
    "float64 y\n"
    "float64 z\n"  //
    TYPE("geometry_msgs/Vector3")
    "float64 x\n"
    "float64 y\n"
    "float64 z\n"  //
    TYPE("geometry_msgs/Quaternion")
    "float64 x\n"
    "float64 y\n"
    "float64 z\n"
    "float64 w\n"  //
    TYPE("builtin_interfaces/Time")
    "int32 sec\n"
    "uint32 nanosec\n"  //
    TYPE("builtin_interfaces/Duration")
    "int32 sec\n"
    "uint32 nanosec\n";
