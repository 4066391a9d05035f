// SPDX-License-Identifier: BSD-3-Clause
//
// The 48 words of Reeds and Shepp, one by one.
#ifndef RUT_PLAN_REEDS_SHEPP_H
#define RUT_PLAN_REEDS_SHEPP_H

#include "rut/plan.h"

enum { RUT_REEDS_SHEPP_WORDS = 48 };

// A word from the origin to a pose, turning radius 1. False if it does not lead there.
bool rut_reeds_shepp_word(int word, const rutPlanPose* to, rutPlanCurve* out);

// What a path costs [m]: lengths, those in reverse times a factor, changes of gear, and of
// curvature.
typedef struct rutPlanPrice {
  double reverse, gear_change, steering_change;
} rutPlanPrice;
// Cost of pieces after one (Nullable: none before, or one of length 0).
double rut_plan_price(const rutPlanPrice* price, const rutPlanPiece* before, int pieces,
                      const rutPlanPiece* piece);
typedef struct rutPricedCurve {
  rutPlanCurve curve;
  double cost;
} rutPricedCurve;
// All words that lead to a pose after a piece (Nullable), and what they cost. local: in turning
// radii. Returns their number.
int rut_reeds_shepp_all(const rutPlanPose* local, const rutPlanPrice* price,
                        const rutPlanPiece* before, double radius,
                        rutPricedCurve out[RUT_REEDS_SHEPP_WORDS]);

#endif  // RUT_PLAN_REEDS_SHEPP_H
