// SPDX-License-Identifier: BSD-3-Clause
//
// Shared by the parts of a node of ROS 2: its topics (ros2_topics.c), what is published
// (ros2_publish.c), commands (ros2_drive.c), what is asked of the run (ros2_control.c,
// ros2_service.c).
#ifndef RUT_HOST_ROS2_PARTS_H
#define RUT_HOST_ROS2_PARTS_H

#include "base/report.h"
#include "host/dds.h"
#include "host/joints.h"
#include "host/navigation_message.h"
#include "host/navigation_watch.h"
#include "host/ros2_decode.h"
#include "host/ros_type.h"
#include "host/sample_messages.h"
#include "math/rut_math.h"
#include "rut/component.h"
#include "rut/ros2.h"

// How a topic is delivered.
typedef enum rutRos2Delivery {
  RUT_ROS2_CLOCK,
  RUT_ROS2_TRANSFORMS,
  RUT_ROS2_LATCHED,  // the newest reaches those who come later
  RUT_ROS2_STATE,
  RUT_ROS2_SENSOR,
  RUT_ROS2_NEWEST,  // received: the newest one, of any writer
  RUT_ROS2_EACH     // received: each one
} rutRos2Delivery;

typedef struct rutRos2Row {
  char *name, *type;  // owned; "/odom", "nav_msgs/msg/Odometry"
  bool received;
  int end;  // number of its writer or reader
} rutRos2Row;

typedef struct rutRos2Vehicle {
  char space[RUT_ROS_NAME_SIZE];                                // of its topics: "", or "rover/"
  int odometry, truth, tf, tf_static, collision, joint_states;  // writers
  rutJoints joints;
  double* joint;  // [3][joints] owned
  bool collided;  // since the last message
  rutNavigationWatch watch;
  bool watches;  // it publishes a map or a path
  int navigation[RUT_NAVIGATION_MESSAGES];
  // Commands. Readers are -1 where the vehicle cannot follow such.
  int reader[RUT_ROS2_FORMS];
  int set_points;
  rutMeaning role[RUT_MAX_COMMANDS];
  char controller[RUT_ROS_NAME_SIZE];  // whose set points these are
  double set[RUT_MAX_COMMANDS];        // as the last command left them
  double wheelbase;                    // of the steered wheels to the others, 0 if none steers [m]
  bool driven;
  bool answered;     // in this period of a lockstep
  bool met;          // some command was taken, and its node has not left since
  double left;       // when its node was first seen to be gone [s] by the clock, NaN: it is there
  double commanded;  // time of the last command, NaN before the first and after the vehicle stopped
} rutRos2Vehicle;

typedef struct rutRos2Sensor {
  rutSampleMessages of;
  int writer[RUT_FORM_MESSAGES];
  int rest;                                                   // writer, -1 if none
  char frame[RUT_ROS_NAME_SIZE], optical[RUT_ROS_NAME_SIZE];  // optical: "" if none
  int vehicle;                                                // -1: of the world
  double mount[3], attitude[4];                               // in its vehicle or the world
  double stamp;                                               // of the last sample [s]
  double next;                                                // no sample before [s]
} rutRos2Sensor;

struct rutRos2 {
  rutDds* dds;
  rutRos2Control control;
  bool (*stop)(void);
  char space[RUT_ROS_NAME_SIZE];  // "", or "team/"
  int64_t every;                  // steps of a period
  double timeout, wait, dt;
  bool lockstep, localisation, reliable, long_ids;
  rutRos2Row* row;  // owned
  int rows;
  int clock, tf_static, graph;  // writers
  rutRos2Vehicle* vehicle;      // [vehicles]
  int vehicles;
  rutRos2Sensor* sensor;  // [sensors]
  int sensors;
  struct rutRos2Asked* asked;  // readers of what is asked of the run
  rutBytes out, in;            // of the message that is written or was read
  int64_t published;           // steps of the last state that was, -1: none
  bool whole;                  // with all that is due at a period
  double last;                 // its time [s]
  bool met;                    // some command was taken
  rutRos2Report report;
};

static inline rutStatus rut_ros2_no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for topics of ROS 2");
}

static inline int64_t rut_ros2_nanoseconds(double time) {
  return (int64_t)rut_floor(time * 1e9 + 0.5);
}

// A topic, and its number of a writer or reader. Definitions are in ros2msg.
typedef struct rutRos2Offer {
  const char *space, *name;         // behind the node's own
  const char *schema, *definition;  // "nav_msgs/msg/Odometry"
  rutRos2Delivery delivery;
} rutRos2Offer;
rutStatus rut_ros2_offer(rutRos2* ros2, const rutRos2Offer* offer, int* end, rutError* err);
// A request or reply of a service, whose name and type are those of the wire; user_data as well.
rutStatus rut_ros2_offer_raw(rutRos2* ros2, const rutDdsTopic* topic, bool received, int* end,
                             rutError* err);
// Send ros2->out. False if out of memory.
bool rut_ros2_send(rutRos2* ros2, int writer);

// All topics of vehicles and sensors. Errors: as of rut_ros2_open.
rutStatus rut_ros2_make_topics(rutRos2* ros2, const rutModel* model, const rutData* data,
                               rutError* err);
void rut_ros2_free_topics(rutRos2* ros2);
// Say which topics are this node's, after they are made. Errors: IO, MEMORY.
rutStatus rut_ros2_tell_graph(rutRos2* ros2, rutError* err);
// What does not change: where sensors are mounted.
bool rut_ros2_tell_mounts(rutRos2* ros2, double time);

// Publish what is new in a state, and all that is due at a period. False if out of memory.
bool rut_ros2_publish(rutRos2* ros2, const rutModel* model, const rutData* data, bool due);

// Topics of commands of the vehicles that are driven. Errors: as of rut_ros2_open.
rutStatus rut_ros2_make_commands(rutRos2* ros2, const rutModel* model, const rutData* data,
                                 const rutRos2Def* def, rutError* err);
// Take commands that have come.
void rut_ros2_drive(rutRos2* ros2, const rutModel* model, rutData* data);
// Wait for a command to each driven vehicle. Errors: MEMORY, IO (the node that drove has left).
rutStatus rut_ros2_await(rutRos2* ros2, const rutModel* model, rutData* data, rutError* err);

// Topics and services that ask something of the run. Errors: as of rut_ros2_open.
rutStatus rut_ros2_make_control(rutRos2* ros2, rutError* err);
// Do what was asked. False if out of memory.
bool rut_ros2_obey(rutRos2* ros2, const rutModel* model, const rutData* data);
void rut_ros2_free_control(rutRos2* ros2);

#endif  // RUT_HOST_ROS2_PARTS_H
