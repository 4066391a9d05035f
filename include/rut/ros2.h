// SPDX-License-Identifier: BSD-3-Clause
//
// A run as a node of ROS 2, without an installation of ROS: topics over DDS of time, poses, sensors
// and joints; commands to vehicles; and the services of simulation_interfaces
// (docs/manual/ros2.md). Needs Cyclone DDS, which is loaded when a node is opened.
#ifndef RUT_ROS2_H
#define RUT_ROS2_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rutRos2 rutRos2;

// Whether the program makes steps.
typedef struct rutRos2State {
  bool paused;
  int64_t steps_left;  // to do although it is paused
} rutRos2State;

// What the program that makes the steps does when somebody asks. Called from rut_ros2_step and
// rut_ros2_idle. Functions are nullable: it cannot do that.
typedef struct rutRos2Control {
  void* user;
  rutRos2State (*state)(void* user);
  void (*pause)(void* user, bool paused);
  void (*step)(void* user, int64_t steps);     // make so many steps, then pause again
  void (*reset)(void* user);                   // back to the start
  void (*speed)(void* user, double realtime);  // times as fast as the clock > 0; 0: as it goes
  void (*quit)(void* user);
} rutRos2Control;

typedef struct rutRos2Def {
  size_t struct_size;      // set by rut_default_ros2
  int domain;              // of DDS; -1: ROS_DOMAIN_ID, or 0
  const char* name_space;  // of all names, "" for none
  double period;           // of time, poses and joints, a whole number of steps [s]
  // A vehicle that was commanded stops after so much simulated time without a command [s]. 0:
  // never.
  double timeout;
  bool lockstep;  // wait at the beginning of each period for a command to each driven vehicle
  int vehicles;   // that are driven, by name; 0: all that can be
  const char* const* vehicle;
  bool localisation;  // tell where odometry begins in the map, in place of a localisation
  bool reliable;      // sensors are sent again when they get lost
  bool long_ids;      // identities of 24 bytes, of ROS 2 Humble and before
  rutRos2Control control;
  // Asked at least every 50 ms of waiting, as after an interrupt: true ends it, and the step goes
  // on without the command. Nullable.
  bool (*stop)(void);
  // In a lockstep: how long a vehicle waits for a node that could command it, once there was one
  // and it has left [s] by the clock. 0: for ever.
  double wait;
} rutRos2Def;
// 20 ms; a vehicle stops after 1 s; a lockstep waits 5 s.
RUT_API rutRos2Def rut_default_ros2(void);

// Join, and make the topics of all vehicles and sensors. The names in def may go. The caller owns
// *out. Errors: ARGUMENT (no such vehicle, a period that is none, a name that is none), IO (no
// Cyclone DDS, no network), MEMORY. Nullable: err.
RUT_API rutStatus rut_ros2_open(const rutModel* model, const rutData* data, const rutRos2Def* def,
                                rutRos2** out, rutError* err);
// Before each step, and after the last one: publish what is new, and take commands. Nothing of it
// changes the run but the commands. Errors: MEMORY; IO (a lockstep whose node has left, and none
// came back). Nullable: err.
RUT_API rutStatus rut_ros2_step(rutRos2* ros2, const rutModel* model, rutData* data, rutError* err);
// While the program makes no steps: wait at most so many seconds for somebody to ask, and answer.
// Errors: as above.
RUT_API rutStatus rut_ros2_idle(rutRos2* ros2, const rutModel* model, rutData* data, double seconds,
                                rutError* err);

// Name of a topic at an index, "/odom", and its type; empty beyond the last. Borrowed.
typedef struct rutRos2Topic {
  const char *name, *type;
  bool received;  // it is a command
} rutRos2Topic;
RUT_API rutRos2Topic rut_ros2_topic(const rutRos2* ros2, int index);

typedef struct rutRos2Report {
  int64_t messages;  // published
  int64_t commands;  // that were taken
  int64_t damaged;   // received, and not what their types say
  int64_t requests;  // of services
  int refused;       // topics that some reader does not get, since it demands a better service
} rutRos2Report;
RUT_API rutRos2Report rut_ros2_report(rutRos2* ros2);

// Leave. Nullable: ros2.
RUT_API void rut_ros2_close(rutRos2* ros2);

#ifdef __cplusplus
}
#endif

#endif  // RUT_ROS2_H
