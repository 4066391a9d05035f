// SPDX-License-Identifier: BSD-3-Clause
//
// Controllers of a vehicle, one above the other: each gives set points to another one, the
// innermost drives. Each runs at its own rate; delays and actuators stand between what they see and
// what the vehicle does. All that is kept from step to step stands in one block of rows of the
// batch.
#ifndef RUT_VEHICLE_CONTROL_STACK_H
#define RUT_VEHICLE_CONTROL_STACK_H

#include <stdint.h>

#include "control/actuator.h"
#include "control/channel.h"
#include "rut/component.h"
#include "vehicle/control_job.h"

enum { RUT_MAX_CONTROLLERS = 4, RUT_MAX_ACTUATORS = 3 };

// Where an input of a controller comes from: an output of a sensor, whose index differs from lane
// to lane, or of another controller of the vehicle.
typedef struct rutControlSource {
  int output;         // of the sensor
  const int* sensor;  // [slot] index in the world; NULL: another controller
  int row;            // of that controller's output
  int numbers;        // of it
} rutControlSource;

// One controller. Rows are those of the batch's table.
typedef struct rutController {
  const rutControllerType* type;
  const double* param;            // begins with a rutControllerHead
  int over;                       // index of the controller that it commands, -1: it drives
  int command, state, output;     // first rows
  int scratch;                    // first row of its scratch
  bool clocked;                   // it does not run at every step
  int due;                        // time until its next update [s]; -1 without a clock
  int input_delay, input_ring;    // steps by which what it measures is late, and their rows
  int output_delay, output_ring;  // the same of what it asks for
  // Of one that drives from afar: how it sees the vehicle and how what it asks for gets there, and
  // the first rows of their states.
  rutChannel video, uplink;
  int video_row, uplink_row;
  // Of one that another controller blends: its place among these, else -1; rows of what it asks
  // for, and of what has come of that.
  int blended, asked, given;
  // Its set points that are those of another one, too: the rows there, else -1.
  int same[RUT_MAX_COMMANDS];
  // Outputs that are set points of another controller: their rows there, -1 for the others.
  int set_point[RUT_MAX_OUTPUTS];
  int numbers[RUT_MAX_OUTPUTS];  // of each output
  int outputs;                   // numbers of all of them
  const rutControlSource* source;
  int states, scratch_numbers;
  // Of one that runs beside the steps: its place among those of the vehicle, else -1; steps until
  // its answer acts; row that counts them down, 0 without an update under way, and rows of the
  // answer.
  int job, latency, left, answer;
  size_t job_doubles;  // of its memory for a batch
} rutController;

typedef enum rutActuatorChannel {
  RUT_ACTUATES_DEMAND,
  RUT_ACTUATES_STEERING,
  RUT_ACTUATES_BRAKE
} rutActuatorChannel;

typedef struct rutActuator {
  rutActuatorChannel channel;
  rutActuatorParam param;
  int state;  // first row
} rutActuator;

// Rows that change seldom.
typedef struct rutKeptRows {
  int first, rows;
} rutKeptRows;

typedef struct rutControlStack {
  int n, actuators;
  // Rows that change only in updates that tell so, in the order of the table, and the row that is 1
  // where they have not changed in the last step.
  int kept, kept_row;
  rutKeptRows kept_rows[2 * RUT_MAX_CONTROLLERS];
  // What the innermost asks for, where delays or actuators stand before the vehicle: demands,
  // steering, brake, twist; -1 where they do not.
  int asked;
  bool follows;        // the `follow` of the innermost runs at every step
  bool imposes_twist;  // the innermost does, instead of driving
  unsigned uses;       // of all of them
  rutController controller[RUT_MAX_CONTROLLERS];  // the outermost first, the one that drives last
  rutActuator actuator[RUT_MAX_ACTUATORS];
} rutControlStack;

// What there is to be read from sensors: the sample that can be seen.
typedef struct rutControlHost {
  const void* user;
  void (*read)(const void* user, int sensor, int output, rutControlReading* out);
  // Begin an update beside the steps; see whether it is done, or wait for it.
  void (*start)(const void* user, rutControlJob* job);
  bool (*finish)(const void* user, rutControlJob* job, bool wait);
  // As rutControlIn.look, with `user`. Nullable.
  void (*look)(const void* user, int lane, const rutGroundPoints* at, double above, double* ground,
               double* top);
  // Seed of the run that a lane belongs to, and its time [s].
  uint64_t (*seed)(const void* user, int lane);
  double (*time)(const void* user, int lane);
  // Told before and after each decision for the vehicles of a batch, whose first one has the index
  // `vehicle`; place: that of the controller in its stack, -1: stability control. Nullable.
  void (*work)(const void* watcher, int vehicle, int place, const char* type, bool begins);
  const void* watcher;
} rutControlHost;

static inline void rut_control_tell(const rutControlHost* host, int vehicle, int place,
                                    const char* type, bool begins) {
  if (host && host->work) host->work(host->watcher, vehicle, place, type, begins);
}

// What one of the vehicles that share lanes has of its own: numbers of its controllers, and of its
// layout. How they are laid out is the same.
typedef struct rutControlOwn {
  const rutControlStack* stack;
  const rutVehicleLayout* layout;
} rutControlOwn;

// A batch at the beginning of a step.
typedef struct rutControlStep {
  const rutControlStack* stack;
  const rutVehicleLayout* layout;
  const rutControlOwn* own;  // [lane]; NULL: all have the same
  int lanes, inputs, first_slot;
  const int* vehicle;  // [lane] index in the world
  double dt;
  int64_t step;  // number of steps before this one
  double* table;
  const rutControlHost* host;
  rutControlJob* job;  // of the batch's controllers that run beside the steps
} rutControlStep;

// What there is to measure of a batch, as in rutControlIn; a controller sees what it uses.
typedef struct rutControlMeasured {
  const double *vx, *vy, *yaw_rate;                   // [lane]
  const double *odo_speed, *odo_rate;                 // [lane]
  const double *pitch, *yaw, *roll, *position;        // [lane], [3][lane]. Nullable
  const double *speed, *steer;                        // [wheel][lane]
  const double *load, *slope, *arm_x, *arm_z, *grip;  // [wheel][lane]. Nullable
} rutControlMeasured;

// What an update of a controller takes.
rutControlDuty rut_control_duty(const rutController* controller, const rutVehicleLayout* layout,
                                int lanes, int inputs);
// Does any controller look at its vehicle in this step, and use what the mask names?
bool rut_control_looks(const rutControlStep* step, unsigned uses);
// Value of the parameter that is called like a set point, 0 if there is none.
double rut_control_first(const rutController* controller, const char* name);
// Set points before the first command, of one lane.
void rut_control_start(const rutControlStack* stack, int lanes, double* lane);
// Do set points alone tell what the vehicle does, at once? Only then is there something to be told
// ahead.
bool rut_control_is_direct(const rutControlStack* stack);
// What such a controller asks for with other set points than the present ones, [command][lane].
// Nothing is written where set points alone do not tell it.
void rut_control_ahead(const rutControlStep* step, const rutControlMeasured* measured,
                       const double* command, const rutControlOut* out);
// Run the controllers that are due; out gets what the vehicle is to do. The row of the batch that
// out points to hold what was asked before.
void rut_control_run(const rutControlStep* step, const rutControlMeasured* measured,
                     const rutControlOut* out);

#endif  // RUT_VEHICLE_CONTROL_STACK_H
