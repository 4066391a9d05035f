// SPDX-License-Identifier: BSD-3-Clause
//
// A path as rut plan finds it, and its files.
#ifndef RUT_CLI_PLAN_FILE_H
#define RUT_CLI_PLAN_FILE_H

#include <stdio.h>

#include "rut/plan.h"

typedef struct cliPlan {
  const rutPlanGround* ground;
  rutPlanCar car;
  rutPlanPose from, to;
  bool drives;           // a manoeuvre of the car; else a way of a disc over cells
  rutPlanAnswer answer;  // FOUND, NO_WAY, ...
  int closed;            // poses, or cells, that were looked at
  double length;         // [m]
  double cost;           // of a manoeuvre [m]
  int gear_changes;
  double duration;  // of a manoeuvre [s]
  int points;       // of the path, owned as the arrays
  rutPlanPoint* point;
  double *speed, *time;  // of a manoeuvre
} cliPlan;

// Its answer in words of JSON, and in a sentence.
const char* cli_plan_word(rutPlanAnswer answer);
const char* cli_plan_sentence(rutPlanAnswer answer);

// Print it as one JSON object, or as text.
void cli_plan_print_json(const cliPlan* plan);
void cli_plan_print(const cliPlan* plan);
// Write its points as CSV. Returns an exit code or CLI_GO_ON.
int cli_plan_save(const cliPlan* plan, const char* path);
// Draw it into .png, .svg or .pdf. Returns an exit code.
int cli_plan_draw(const cliPlan* plan, const char* path);

#endif  // RUT_CLI_PLAN_FILE_H
