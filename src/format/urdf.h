// SPDX-License-Identifier: BSD-3-Clause
//
// Robot descriptions of ROS (URDF, http://wiki.ros.org/urdf/XML): links on joints, what Gazebo's
// plug-ins in them drive, and the planar vehicle that is made of them.
#ifndef RUT_FORMAT_URDF_H
#define RUT_FORMAT_URDF_H

#include "format/frames.h"
#include "format/reader.h"
#include "format/xml.h"
#include "rut/component.h"

enum {
  RUT_URDF_MAX_LINKS = 1024,
  RUT_URDF_MAX_SHAPES = 4096,
  RUT_URDF_MAX_WHEELS = 16,
  RUT_URDF_MAX_LISTED = 32,  // joints that plug-ins drive or steer
  RUT_URDF_MAX_SENSORS = 64,
};

typedef enum rutUrdfKind {
  RUT_URDF_BOX,
  RUT_URDF_CYLINDER,  // along its z axis
  RUT_URDF_SPHERE,
  RUT_URDF_MESH  // its bounding box, once it is read
} rutUrdfKind;

typedef struct rutUrdfShape {
  rutUrdfKind kind;
  int link;
  bool collision;     // else it is only seen
  bool known;         // false: a mesh that was not read
  double size[3];     // box: lengths; cylinder: radius, length; sphere: radius; mesh: factors, then
                      // lengths
  const char* file;   // of a mesh, else NULL
  rutFramePose pose;  // of its middle, in the link; in the vehicle once settled
  rutPlace place;
} rutUrdfShape;

typedef struct rutUrdfLink {
  const char* name;
  rutPlace place;
  rutBodyMass mass;   // in the link; in the vehicle once settled
  double friction;    // that Gazebo is told, below 0 if none
  int joint;          // that carries it, -1: the root
  int group;          // first link of those that fixed joints hold together
  rutFramePose pose;  // in the vehicle
} rutUrdfLink;

typedef enum rutUrdfMotion {
  RUT_URDF_FIXED,
  RUT_URDF_CONTINUOUS,
  RUT_URDF_REVOLUTE,
  RUT_URDF_PRISMATIC,
  RUT_URDF_FLOATING,
  RUT_URDF_PLANAR
} rutUrdfMotion;

typedef struct rutUrdfJoint {
  const char *name, *parent_name, *child_name;
  const char* mimics;  // joint that it follows, NULL: none
  rutPlace place;
  rutUrdfMotion motion;
  int parent, child;        // links
  rutFramePose pose;        // of the child in the parent
  rutVec3 axis;             // unit, in the child; in the vehicle once settled
  double lower, upper;      // [rad] or [m]
  double effort, velocity;  // [N m], [rad/s]; 0 if not limited
} rutUrdfJoint;

typedef enum rutUrdfDrive {
  RUT_URDF_NO_DRIVE,
  RUT_URDF_DIFFERENTIAL,
  RUT_URDF_SKID,
  RUT_URDF_ACKERMANN,
  RUT_URDF_ANY_WAY  // moved with the velocity that is asked for
} rutUrdfDrive;

// A plug-in that drives.
typedef struct rutUrdfPlugin {
  rutUrdfDrive drive;
  rutPlace place;
  int driven, steering;
  const char* driven_joint[RUT_URDF_MAX_LISTED];
  const char* steering_joint[RUT_URDF_MAX_LISTED];
  double separation, radius, torque, max_steer;  // 0: not given
} rutUrdfPlugin;

// A sensor of Gazebo. Angles in rad, lengths in m.
typedef struct rutUrdfSensor {
  const char* type;  // of rut: laser, lidar, imu, camera, gnss
  const char* name;
  const char* link;
  rutPlace place;
  rutFramePose pose;  // in the link
  double period;      // [s], 0: not given
  int columns, rows;  // rays, or pixels
  double from, to;    // horizontal angles of rays; fov of a camera is `to`
  double low, high;   // vertical angles
  double min_range, max_range, noise;
} rutUrdfSensor;

typedef struct rutUrdfText rutUrdfText;  // of a value after substitution

typedef struct rutUrdf {
  const char *name, *file;
  rutPlace place;
  int links, joints, shapes, sensors, root;
  int added;  // links that stand for none of the file
  rutUrdfLink* link;
  rutUrdfJoint* joint;
  rutUrdfShape* shape;
  rutUrdfSensor* sensor;
  rutUrdfPlugin plugin;
  double latitude, longitude;  // [rad], of the world, where a receiver is told
  bool geographic;
  int transmissions;
  double ground;  // height of the ground in the root's frame
  bool turned;    // so that its +y is forward
  rutUrdfText* text;
  size_t text_bytes;
  rutXml* xml;
} rutUrdf;

// True if the first element is <robot>.
bool rut_urdf_recognise(const char* text, size_t size);
// Room for what a document of so many elements can hold. `place`: of the robot. Errors, reported:
// MEMORY. The caller frees it whatever is returned.
rutStatus rut_urdf_begin(rutUrdf* robot, rutPlace place, int elements, rutReporter* reporter);
// A text that lives as long as the robot, NULL if there is no room.
const char* rut_urdf_keep(rutUrdf* robot, const char* text, size_t size);
// Read a document. Findings go to the reporter. The caller frees it whatever is returned.
// Errors: PARSE, MODEL, CAPACITY, MEMORY.
rutStatus rut_urdf_read(const char* text, size_t size, const char* file, rutReporter* reporter,
                        rutUrdf* out);
void rut_urdf_free(rutUrdf* robot);
// Plug-ins and sensors in a <gazebo> element. Attributes and texts are taken as they are.
void rut_urdf_gazebo(rutUrdf* robot, const rutXmlElement* gazebo, rutReporter* reporter);
// A plug-in, or a sensor that stands on a link, of Gazebo.
void rut_urdf_plugin(rutUrdf* robot, const rutXmlElement* plugin, rutReporter* reporter);
void rut_urdf_sensor(rutUrdf* robot, const rutXmlElement* sensor, const char* link,
                     rutReporter* reporter);
// Place all links in the root's frame, joints being at 0, and find the groups that fixed joints
// hold together. Errors, reported: MODEL (no tree).
rutStatus rut_urdf_settle(rutUrdf* robot, rutReporter* reporter);
// Mass of all links of a group, in the frame of the vehicle.
rutBodyMass rut_urdf_group_mass(const rutUrdf* robot, int group);
// Index of a joint or link by name, -1 if there is none.
int rut_urdf_joint(const rutUrdf* robot, const char* name);
int rut_urdf_link(const rutUrdf* robot, const char* name);
// True if a name has a part, which is in small letters, whatever the case of its own.
bool rut_urdf_contains(const char* name, const char* part);
// Numbers of a text, separated by blanks. False unless there are exactly n, finite, at most 1e9.
bool rut_urdf_numbers(const char* text, int n, double* out);
// Bounding boxes of meshes of collisions, and of looks where a link has no other shape.
void rut_urdf_meshes(rutUrdf* robot, rutReporter* reporter);
// Half of the extent of a shape along a direction of the vehicle.
double rut_urdf_reach(const rutUrdfShape* shape, rutVec3 along);

typedef struct rutUrdfWheel {
  int joint, group;
  rutVec3 at;            // middle [m]
  double radius, width;  // [m]
  double yaw;            // of its plane [rad]
  bool driven, steered;
  int steering;  // joint above it, -1: none
  int twin;      // 1, 2: left and right one of a pair that stands for one wheel
} rutUrdfWheel;

typedef struct rutUrdfWheels {
  int n, casters;
  rutUrdfWheel wheel[RUT_URDF_MAX_WHEELS];
  const char* caster[RUT_URDF_MAX_LISTED];  // links
  bool turned;                              // the robot's forward is +y of its root
  double ground;                            // height in the root's frame
} rutUrdfWheels;

// Find wheels of a settled robot by shape, and those that glide as casters. A robot whose wheels
// roll along y is turned so that they roll along x. Errors, reported: MODEL (none).
rutStatus rut_urdf_find_wheels(rutUrdf* robot, rutReporter* reporter, rutUrdfWheels* out);
// True if a link is one of the casters.
bool rut_urdf_is_caster(const rutUrdf* robot, const rutUrdfWheels* wheels, int link);

// Add a robot that was read, and is not settled yet, to a world as one more vehicle. The name, if
// `to` has none, is its own. Findings are reported; the first error is returned. Nullable: out.
rutStatus rut_urdf_add_robot(rutReporter* reporter, rutUrdf* robot, const rutVehiclePlace* to,
                             rutNode* out);
// Read a file into a world as one more vehicle. Findings are reported; the first error is returned.
// Nullable: out.
rutStatus rut_urdf_add_vehicle(rutContext* context, const char* text, size_t size, const char* file,
                               const rutVehiclePlace* to, rutNode* out);

#endif  // RUT_FORMAT_URDF_H
