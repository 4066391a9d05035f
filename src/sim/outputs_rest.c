// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs of blocks, mechanisms and the world.
#include "sim/output_set.h"

// ---- blocks ----

#define BLOCK_LIST(X)                                                     \
  X(x, "m", "world", pose[0], "east")                                     \
  X(y, "m", "world", pose[1], "north")                                    \
  X(z, "m", "world", pose[2], "height")                                   \
  X(roll, "rad", "world", pose[3], "roll")                                \
  X(pitch, "rad", "world", pose[4], "pitch, positive nose down")          \
  X(yaw, "rad", "world", pose[5], "heading, counter-clockwise from east") \
  X(velocity_x, "m/s", "world", velocity[0], "velocity east")             \
  X(velocity_y, "m/s", "world", velocity[1], "velocity north")            \
  X(yaw_rate, "rad/s", "world", velocity[2], "rate of turn")

static const rutVariable block_rows[] = {BLOCK_LIST(RUT_OUTPUT_ROW)};

static void read_block(const rutModel* model, const rutData* data, int block, double* out) {
  double pose[6], velocity[3];
  rut_block_state(model, data, block, pose, velocity);
  BLOCK_LIST(RUT_OUTPUT_PUT)
}

const rutOutputSet rut_block_outputs[] = {{.part = "",
                                           .where = "",
                                           .row = block_rows,
                                           .rows = RUT_COUNT_OF(block_rows),
                                           .applies = rut_block_moves,
                                           .read = read_block}};
const int rut_block_output_sets = RUT_COUNT_OF(rut_block_outputs);

// ---- mechanisms ----

// Joints slide or turn, so that units differ along an array.
static const rutVariable coordinate_rows[] = {
    {"q", "", "", "", "position of a joint, m or rad", RUT_F64, false, RUT_MEANS_NOTHING},
    {"v", "", "", "", "speed of a joint, m/s or rad/s", RUT_F64, false, RUT_MEANS_NOTHING}};
static const rutVariable energy_rows[] = {
    RUT_VARIABLE(energy, "J", "kinetic and potential energy")};

static int count_coordinates(const rutModel* model, int mechanism, int row) {
  int positions, speeds;
  rut_mechanism_size(model, mechanism, &positions, &speeds);
  return row == 0 ? positions : speeds;
}

static void read_coordinates(const rutModel* model, const rutData* data, int mechanism,
                             double* out) {
  int positions, speeds;
  rut_mechanism_size(model, mechanism, &positions, &speeds);
  rut_mechanism_state(model, data, mechanism, out, out + positions);
}

static void read_mechanism_energy(const rutModel* model, const rutData* data, int mechanism,
                                  double* out) {
  *out = rut_mechanism_energy(model, data, mechanism);
}

const rutOutputSet rut_mechanism_outputs[] = {
    {.part = "",
     .where = "",
     .row = coordinate_rows,
     .rows = RUT_COUNT_OF(coordinate_rows),
     .count = count_coordinates,
     .read = read_coordinates},
    {.part = "",
     .where = "",
     .row = energy_rows,
     .rows = RUT_COUNT_OF(energy_rows),
     .read = read_mechanism_energy},
};
const int rut_mechanism_output_sets = RUT_COUNT_OF(rut_mechanism_outputs);

// ---- the world ----

static const rutVariable time_rows[] = {RUT_VARIABLE(time, "s", "simulated time")};

static void read_time(const rutModel* model, const rutData* data, int world, double* out) {
  (void)model;
  (void)world;
  *out = rut_time(data);
}

#define RUTS_LIST(X)                                                              \
  X(area, "m2", "", r.area, "area in which the surface is below the initial one") \
  X(mean_depth, "m", "", r.mean_depth, "of the ruts")                             \
  X(max_depth, "m", "", r.max_depth, "of the ruts")                               \
  X(volume, "m3", "", r.volume, "by which wheels have lowered the surface")       \
  X(displaced, "m3", "", r.displaced, "part of that volume displaced to the borders of the ruts")

static const rutVariable ruts_rows[] = {RUTS_LIST(RUT_OUTPUT_ROW)};

static bool keeps_ruts(const rutModel* model, int world) {
  (void)world;
  return model->soft != NULL;
}

static void read_ruts(const rutModel* model, const rutData* data, int world, double* out) {
  rutRuts r;
  (void)world;
  rut_ruts(model, data, &r);
  RUTS_LIST(RUT_OUTPUT_PUT)
}

const rutOutputSet rut_world_outputs[] = {
    {.part = "", .where = "", .row = time_rows, .rows = RUT_COUNT_OF(time_rows), .read = read_time},
    // sums over all ground
    {.part = "ruts",
     .where = "with <deformable>",
     .row = ruts_rows,
     .rows = RUT_COUNT_OF(ruts_rows),
     .reading = RUT_READ_ON_REQUEST,
     .applies = keeps_ruts,
     .read = read_ruts},
};
const int rut_world_output_sets = RUT_COUNT_OF(rut_world_outputs);
