// SPDX-License-Identifier: BSD-3-Clause
#include "scenery/gait.h"

#include "math/rut_math.h"

#define GRAVITY   9.80665
#define DEGREE    (RUT_PI / 180)
#define STRIKE    (20 * DEGREE)   // of the foot when the heel touches the ground
#define PUSH_OFF  (-60 * DEGREE)  // and when it leaves the ground
#define FLAT_FROM 0.15            // part of the stance after which the sole is on the ground
#define FLAT_TO   0.6             // and after which the heel rises

// A stretch in cycles of two steps. A foot is on the ground from `before` a footprint is below the
// hips until `after` that, in cycles.
typedef struct Cycle {
  double height, length;  // [m]
  double number;          // whole
  double now, before, after;
  bool runs;
} Cycle;

// An ankle: x along the stretch, z from the ground [m]; angle of the foot, toes up.
typedef struct Foot {
  double x, z, angle;
} Foot;

// Stride length L = 2.3 h Fr^0.3 of hip height h and the Froude number v^2/(g h), for walking and
// running alike: Alexander, Estimates of speeds of dinosaurs, Nature 261 (1976) 129, solved for L.
// Above a Froude number of about 0.5 people run, and a foot is on the ground for 0.36 instead of
// 0.62 of a cycle (Alexander, Optimization and gaits in the locomotion of vertebrates, Physiol.
// Rev. 69 (1989) 1199; Murray, Drought, Kory, Walking patterns of normal men, J. Bone Joint Surg.
// 46-A (1964) 335). A stretch has a whole number of cycles.
static Cycle cycle_of(double height, const rutActorMotion* m) {
  const double hip = RUT_HIP_HEIGHT * height, froude = m->speed * m->speed / (GRAVITY * hip);
  const double stride = 2.3 * hip * rut_pow(froude, 0.3);
  const double number = rut_max(1, rut_floor(m->stretch / stride + 0.5));
  const bool runs = froude > 0.5;
  const double duty = runs ? 0.36 : 0.62, length = m->stretch / number;
  return (Cycle){.height = height,
                 .length = length,
                 .number = number,
                 .now = rut_clamp(m->gone / length, 0, number),
                 .before = 0.42 * duty,
                 .after = 0.58 * duty,
                 .runs = runs};
}

// A foot that has been turned about its heel or its ball, from a level one whose ankle is at x.
static Foot turned_foot(double height, double x, double angle) {
  const double pivot = height * (angle > 0 ? RUT_HEEL : RUT_BALL);
  const double ankle = height * RUT_ANKLE_HEIGHT;
  double s, c;
  rut_sincos(angle, &s, &c);
  return (Foot){x + pivot - pivot * c - ankle * s, ankle * c - pivot * s, angle};
}

// In a part of the stance from 0 to 1.
static Foot stance(const Cycle* c, double print, double part) {
  double angle = 0;
  if (part < FLAT_FROM) angle = STRIKE * (1 - part / FLAT_FROM);
  if (part > FLAT_TO) {
    const double late = (part - FLAT_TO) / (1 - FLAT_TO);
    angle = PUSH_OFF * late * late;
  }
  return turned_foot(c->height, print * c->length, angle);
}

// In a part of the swing from 0 to 1, by minimum jerk (Flash, Hogan, J. Neurosci. 5 (1985) 1688).
static Foot swing(const Cycle* c, Foot from, Foot to, double part) {
  const double u = rut_clamp(part, 0, 1), ease = u * u * u * (10 - u * (15 - 6 * u));
  const double lift = c->height * (c->runs ? 0.1 : 0.035);
  double s, k;
  rut_sincos(RUT_PI * u, &s, &k);
  return (Foot){from.x + ease * (to.x - from.x), from.z + ease * (to.z - from.z) + lift * s * s,
                from.angle + ease * (to.angle - from.angle)};
}

// Footprints are at whole cycles after `first`, which is 0 for the left foot and 0.5 for the right
// one; this one stands below the hips at both ends of the stretch as well.
static Foot foot_at(const Cycle* c, double first) {
  const double print = first + rut_floor(c->now - first + c->before);
  const double next = print + 1, leaves = print + c->after, touches = next - c->before;
  if (print < 0) {
    const Foot start = turned_foot(c->height, 0, 0);
    return swing(c, start, stance(c, next, 0), c->now / touches);
  }
  if (c->now <= leaves) {
    return stance(c, print, (c->now - print + c->before) / (c->before + c->after));
  }
  if (next > c->number) {
    const Foot end = turned_foot(c->height, c->number * c->length, 0);
    return swing(c, stance(c, print, 1), end, (c->now - leaves) / (c->number - leaves));
  }
  return swing(c, stance(c, print, 1), stance(c, next, 0), (c->now - leaves) / (touches - leaves));
}

// Thigh and shank between hip and ankle; the knee points ahead.
static void bend_leg(double height, double hip, rutGaitSide* side) {
  const double thigh = RUT_THIGH * height, shank = RUT_SHANK * height;
  const double x = side->ankle[0], z = side->ankle[1] - hip;
  const double distance = rut_min(rut_hypot(x, z), thigh + shank);
  const double along = (thigh * thigh - shank * shank + distance * distance) / (2 * distance);
  const double across = rut_sqrt(rut_max(0, thigh * thigh - along * along));
  const double ux = x / distance, uz = z / distance;
  side->knee[0] = along * ux - across * uz;
  side->knee[1] = hip + along * uz + across * ux;
  side->thigh = rut_atan2(side->knee[0], hip - side->knee[1]);
  side->shank = rut_atan2(x - side->knee[0], side->knee[1] - side->ankle[1]);
}

// Arms swing against the leg of their side, by 20 deg as the foot touches the ground.
static void swing_arm(double height, bool runs, rutGaitSide* side) {
  const double reach = side->ankle[0] / ((RUT_THIGH + RUT_SHANK) * height);
  const double elbow = runs ? 80 * DEGREE : 10 * DEGREE;
  side->upper_arm = -0.8 * reach;
  side->forearm = side->upper_arm + elbow + rut_max(0, side->upper_arm);
}

void rut_gait(double height, const rutActorMotion* motion, rutGait* out) {
  const double straight = 0.999 * (RUT_THIGH + RUT_SHANK) * height;
  const bool goes = motion->speed > 0 && motion->stretch > 0;
  Cycle c = {.height = height};
  if (goes) c = cycle_of(height, motion);
  *out = (rutGait){.hip = RUT_HIP_HEIGHT * height * (c.runs ? 0.95 : 1),
                   .lean = c.runs ? 6 * DEGREE : 0};
  for (int i = 0; i < 2; i++) {
    const Foot foot = goes ? foot_at(&c, 0.5 * i) : turned_foot(height, 0, 0);
    rutGaitSide* side = &out->side[i];
    side->ankle[0] = foot.x - c.now * c.length;
    // as on level ground, and as high as the ground rises there
    const double left = (i ? -1 : 1) * RUT_HIP_SIDE * height;
    side->ankle[1] = foot.z + (motion->slope[0] * side->ankle[0] + motion->slope[1] * left);
    side->foot = foot.angle + rut_atan2(motion->slope[0], 1);
    // no leg is longer than straight
    const double x = rut_min(rut_abs(side->ankle[0]), straight);
    out->hip = rut_min(out->hip, side->ankle[1] + rut_sqrt(straight * straight - x * x));
  }
  for (int i = 0; i < 2; i++) {
    bend_leg(height, out->hip, &out->side[i]);
    swing_arm(height, c.runs, &out->side[i]);
  }
}
