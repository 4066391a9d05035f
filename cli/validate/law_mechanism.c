// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of suspensions by a mechanism: one corner at a place of its coordinate and of the steering.
#include <math.h>

#include "law.h"

#define IN(X)         \
  X(side, 1)          \
  X(hub_x, 0)         \
  X(hub_y, 0.909701)  \
  X(hub_z, -0.026289) \
  X(q, 0) X(qd, 0) X(s, 0) X(sd, 0) X(wx, 0) X(wy, 0) X(wz, 0) X(gx, 0) X(gy, 0) X(gz, -9.81)
#define OUT(X) RUT_CORNER_ROWS(X)

typedef struct MechanismIn {
  IN(CLI_BENCH_IN)
} MechanismIn;

enum { FOUR = RUT_CORNER_WIDTH };

static void run_mechanism(cliLab* lab, const cliLaw* law, const double* numbers, double* out) {
  const rutSuspensionType* type = (const rutSuspensionType*)(const void*)law->type;
  const MechanismIn* in = (const MechanismIn*)(const void*)numbers;
  double constant[CLI_LAW_NUMBERS] = {0}, row[RUT_CORNER_ROW_COUNT * FOUR], range[2];
  const rutCornerPlace place = {
      .side = in->side, .hub = {in->hub_x, in->side * in->hub_y, in->hub_z}, .steer_range = 0.5};
  rutError err = {0};
  lab->failed = !type->corner || type->constants * FOUR > CLI_LAW_NUMBERS ||
                type->derive(law->param, &place, constant, range, &err) != RUT_OK;
  if (lab->failed) return;
  // the same corner four times
  for (int c = 0; c < type->constants; c++) {
    for (int i = 1; i < FOUR; i++) constant[c * FOUR + i] = constant[c * FOUR];
  }
  double four[11][FOUR];
  const double one[11] = {in->q,  in->qd, in->s,  in->sd, in->wx,
                          in->wy, in->wz, in->gx, in->gy, in->gz};
  for (int k = 0; k < 11; k++) {
    for (int i = 0; i < FOUR; i++) four[k][i] = one[k];
  }
  const rutCornerIn from = {constant, four[0], four[1], four[2], four[3], four[4],
                            four[5],  four[6], four[7], four[8], four[9], false};
  type->corner(&from, row, FOUR);
  for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) out[r] = row[r * FOUR];
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_mechanism = {
    .name = "mechanism", .kind = "suspension", CLI_BENCH_NAMES, .run = run_mechanism};
