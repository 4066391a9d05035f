// SPDX-License-Identifier: BSD-3-Clause
//
// rut validate --seed: every number, table and figure of the four documents whose laws rut began
// with (MAVS, MVSim, ROAMS, VirtualBotz 3D), beside what rut has, or why it cannot be had. Rows
// stand in seed_*.def, which tools/seed_numbers.py writes: it evaluates the equations as they are
// printed.
#ifndef RUT_CLI_VALIDATE_SEED_H
#define RUT_CLI_VALIDATE_SEED_H

#include "law.h"

// What rows share, so that a run of which several numbers are printed happens once.
enum { CLI_SEED_RUNS = 8, CLI_SEED_NUMBERS = 24 };
typedef struct cliSeed {
  cliLab lab;
  bool known[CLI_SEED_RUNS];
  double number[CLI_SEED_RUNS][CLI_SEED_NUMBERS];
} cliSeed;

// Build, run, and return rut's number; `argument` tells which of several. NaN where it fails.
typedef double cliSeedFunction(cliSeed* seed, double argument);

// An equation as printed, at the inputs of its rows, in its printed constants.
typedef struct cliSeedFormula {
  int constants;
  const double* printed;
  double (*value)(const double* constant);
} cliSeedFormula;

typedef struct cliSeedRow {
  const char *place, *quantity, *unit;
  double theirs;
  const char* words;  // in place of a number; NULL
  // Relative, or absolute where theirs is 0: both must agree. 0: shown only.
  double tolerance;
  // One of: a law on a bench, whose `gives` is the name of an output; a run; nothing. With a
  // formula the number is the constant with which the formula gives that output.
  cliLawRow law;
  const cliSeedFormula* formula;
  int constant;
  cliSeedFunction* run;
  double argument;
  const char* note;
} cliSeedRow;

typedef struct cliSeedDocument {
  const char *name, *title;
  const cliSeedRow* row;
  int rows;
} cliSeedDocument;

// All documents; *n gets their number. Static.
const cliSeedDocument* cli_seed_documents(int* n);

// Print all rows. Returns an exit code: CLI_SHORT if a number does not agree that should.
int cli_seed_print(bool json);

extern const cliSeedFormula cli_seed_magic_dry, cli_seed_magic_wet, cli_seed_magic_snow,
    cli_seed_magic_ice, cli_seed_sand, cli_seed_clay, cli_seed_crolla, cli_seed_torsen;

// Vehicles and wheels of MAVS and MVSim.
cliSeedFunction cli_seed_deflection, cli_seed_hub_height, cli_seed_rolling_radius,
    cli_seed_slip_angle, cli_seed_wheel_angle, cli_seed_spin, cli_seed_force_heading,
    cli_seed_self_propelled, cli_seed_planar_load, cli_seed_ackermann, cli_seed_odometry,
    cli_seed_curvature;
// ROAMS.
cliSeedFunction cli_seed_lane_change, cli_seed_formulation;
// VirtualBotz 3D.
cliSeedFunction cli_seed_ground, cli_seed_slices, cli_seed_slope, cli_seed_timestep, cli_seed_jump,
    cli_seed_torque, cli_seed_pitch, cli_seed_controllers;

#endif  // RUT_CLI_VALIDATE_SEED_H
