// SPDX-License-Identifier: BSD-3-Clause
//
// One update of a controller that runs beside the steps (host="true"), of a batch: copies of all
// that it sees, and room for its answer.
#ifndef RUT_VEHICLE_CONTROL_JOB_H
#define RUT_VEHICLE_CONTROL_JOB_H

#include <stddef.h>

#include "base/task.h"
#include "mbd/tree.h"
#include "rut/component.h"

// What an update takes of its controller and vehicle. Numbers are those of a lane.
typedef struct rutControlDuty {
  const rutControllerType* type;
  const double* param;
  const rutVehicleLayout* layout;
  int lanes, inputs;  // vehicles, and demands of the drive
  int states, outputs, scratch;
  bool drives;  // it is not above another controller
  bool brakes;  // the vehicle takes a brake demand
} rutControlDuty;

typedef struct rutControlJob {
  rutTask task;  // first: who runs it knows no more of it
  rutControlDuty duty;
  rutControlIn in;
  rutControlReading reading[RUT_MAX_INPUTS * RUT_MBD_LANES];
  uint64_t random[RUT_MBD_LANES];
  // [rut_control_answer][lane]: states, outputs, and of one that drives demands, steering, brake
  // and twist. Filled with what holds before the update.
  double* answer;
  double* rows;    // of the batch that keep the answer until it acts
  double* memory;  // rut_control_job_doubles
  bool late;       // it was not there when it was due
} rutControlJob;

// What a controller that drives asks for besides torque demands: steering, brake and twist.
enum { RUT_ASKED_BESIDES = 1 + 1 + 3 };
// What a controller can measure of a vehicle (rutControlIn): numbers of it as a whole, rows of its
// wheels, and numbers per lane of both.
enum { RUT_MEASURED_LONE = 11, RUT_MEASURED_PER_WHEEL = 7 };
int rut_control_measured(int wheels);
// Numbers per lane of an answer.
int rut_control_answer(const rutControlDuty* duty);
// Doubles of a job's memory; readings: numbers of all readings of a lane.
size_t rut_control_job_doubles(const rutControlDuty* duty, int readings, int wheels);
// Copy what a controller sees; `in` has everything but what it does not use.
void rut_control_job_look(rutControlJob* job, const rutControlDuty* duty, const rutControlIn* in);
// The update: rutTask.run.
void rut_control_job_run(rutTask* task);

#endif  // RUT_VEHICLE_CONTROL_JOB_H
