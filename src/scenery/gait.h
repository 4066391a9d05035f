// SPDX-License-Identifier: BSD-3-Clause
//
// How people walk and run.
#ifndef RUT_SCENERY_GAIT_H
#define RUT_SCENERY_GAIT_H

#include "rut/scenery.h"

// Lengths of a body as parts of its height (Winter, Biomechanics and Motor Control of Human
// Movement, 4th edition, figure 4.1).
#define RUT_HIP_HEIGHT   0.53
#define RUT_THIGH        0.245
#define RUT_SHANK        0.246
#define RUT_ANKLE_HEIGHT 0.039
#define RUT_UPPER_ARM    0.186
#define RUT_FOREARM      0.146
#define RUT_SHOULDER     0.285  // above the hips
#define RUT_HIP_SIDE     0.05   // of a leg from the middle
// Where a foot touches the ground first and last, from the ankle.
#define RUT_HEEL (-0.035)
#define RUT_BALL 0.1

// Angles of limbs are from hanging straight down, forwards positive; of the foot from level, toes
// up positive; of the trunk from upright, forwards positive [rad].
typedef struct rutGaitSide {
  double knee[2], ankle[2];  // x from the hips, z from the ground [m]
  double thigh, shank, foot, upper_arm, forearm;
} rutGaitSide;
typedef struct rutGait {
  double hip, lean;     // height [m], angle of the trunk
  rutGaitSide side[2];  // left, right
} rutGait;

// The pose of a person of this height [m]. Feet on the ground stay where they are while the body
// goes straight ahead; a stretch begins and ends with both feet under the body.
void rut_gait(double height, const rutActorMotion* motion, rutGait* out);

#endif  // RUT_SCENERY_GAIT_H
