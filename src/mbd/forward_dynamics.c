// SPDX-License-Identifier: BSD-3-Clause
#include "mbd/forward_dynamics_lanes.h"
#include "mbd/planar_dynamics_lanes.h"

// Doubles that hold a plan, and the rows that either method needs per body and one more.
static size_t plan_doubles(const rutMbdTree* tree) {
  return (rut_mbd_plan_size(tree) + sizeof(double) - 1) / sizeof(double);
}

size_t rut_mbd_scratch(const rutMbdTree* tree, int lanes) {
  return plan_doubles(tree) + (size_t)ABA_ROWS * (size_t)lanes * (size_t)(tree->bodies + 1);
}

// lanes: those of `in`, a constant of the inlined calls.
RUT_INLINE void accelerate_lanes(const rutMbdTree* tree, const rutMbdPlan* plan, const rutMbdIn* in,
                                 int lanes, double* scratch, double* acceleration) {
  if (plan->planar) {
    planar_accelerate(tree, plan, in, lanes, scratch, acceleration);
  } else {
    aba_accelerate(tree, plan, in, lanes, scratch, acceleration);
  }
}

// Eight vehicles at a time, by the widest vector unit at hand.
RUT_CLONES static void accelerate_8(const rutMbdTree* tree, const rutMbdPlan* plan,
                                    const rutMbdIn* in, double* scratch, double* acceleration) {
  accelerate_lanes(tree, plan, in, RUT_MBD_LANES, scratch, acceleration);
}

void rut_mbd_accelerate(const rutMbdTree* tree, const rutMbdPlan* plan, const rutMbdIn* in,
                        double* scratch, double* acceleration) {
  if (in->lanes == 1) {
    accelerate_lanes(tree, plan, in, 1, scratch, acceleration);
  } else {
    accelerate_8(tree, plan, in, scratch, acceleration);
  }
}

void rut_mbd_forward_dynamics(const rutMbdTree* tree, const rutMbdIn* in, double* scratch,
                              double* acceleration) {
  rutMbdPlan* plan = (rutMbdPlan*)(void*)scratch;
  rut_mbd_plan(tree, plan);
  rut_mbd_accelerate(tree, plan, in, scratch + plan_doubles(tree), acceleration);
}
