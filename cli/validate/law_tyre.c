// SPDX-License-Identifier: BSD-3-Clause
//
// Benches of tyres: on hard ground by a law of their own, carcass, and wheel of a planar vehicle.
#include <math.h>

#include "law.h"

static const double DEGREE = 3.14159265358979323846 / 180;

// ---- hard ground ----

// kappa = (r w - v)/|v| and alpha as tyre laws have them; the hub moves at `speed`, < 0: backward.
#define IN(X)   \
  X(load, 6500) \
  X(kappa, 0)   \
  X(alpha, 0)   \
  X(camber, 0) X(mu, (double)NAN) X(speed, 20) X(radius, 0.47) X(deflection, 0.02) X(side, 1)
#define OUT(X) X(fx) X(fy) X(mz) X(mx) X(resistance) X(peak) X(secant_x) X(secant_y) X(rho)

typedef struct GripIn {
  IN(CLI_BENCH_IN)
} GripIn;
typedef struct GripOut {
  OUT(CLI_BENCH_OUT)
} GripOut;

static void run_tyre(cliLab* lab, const cliLaw* law, const double* numbers, double* result) {
  const rutTyreType* type = (const rutTyreType*)(const void*)law->type;
  const GripIn* in = (const GripIn*)(const void*)numbers;
  GripOut* out = (GripOut*)(void*)result;
  const double v = in->speed, rim = v * (1 + in->kappa), across = fabs(v) * tan(in->alpha * DEGREE);
  const double most = fmax(fabs(rim), fabs(v));
  const double slip_x = (rim - v) / most, slip_y = across / most, direction = v < 0 ? -1 : 1;
  const double inclination = in->camber * DEGREE;
  const rutTyreGripIn from = {&slip_x,     &slip_y,      &direction, &in->load, &in->deflection,
                              &in->radius, &inclination, &in->speed, &in->mu,   &in->side};
  const rutTyreGripOut to = {&out->fx,       &out->fy,  &out->secant_x,
                             &out->secant_y, &out->rho, &out->resistance,
                             &out->peak,     &out->mx,  &out->mz};
  if (!type->grip) {
    lab->failed = true;
    return;
  }
  type->grip(law->param, 1, &from, &to);
  out->fx *= in->load;
  out->fy *= in->load;
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_tyre = {.name = "tyre", .kind = "tyre", CLI_BENCH_NAMES, .run = run_tyre};
#undef IN
#undef OUT
