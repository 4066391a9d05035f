// SPDX-License-Identifier: BSD-3-Clause
//
// Shortest paths forward and in reverse (Reeds and Shepp, Pacific J. Math. 145(2), 1990; formulas
// 8.1 to 8.11 of section 8). All from the origin, radius 1.
//
// Twelve words are each used four ways: as they are, driven the other way (gears change, the target
// is (-x, y, -yaw)), in a mirror (turns change, (x, -y, -yaw)), and both. Some of the twelve are
// others backwards: these lead to (x cos yaw + y sin yaw, x sin yaw - y cos yaw, yaw).
#include "plan/reeds_shepp.h"

#include "math/rut_math.h"
#include "plan/curve.h"

enum { LSL, LSR, LRL, LRLR, LRLR_MIDDLE, LRSL, LRSR, LRSLR };
enum { WORDS = 12, PLACES = 3 };
static const double ROUNDING = 1e-12;  // by which an angle may be on the wrong side of 0 [rad]

// Lengths of pieces: t, u, v of the formulas, the second one driven back, an arc of a right angle
// in reverse.
enum { T, U, V, U_BACK, BACK_BY_RIGHT_ANGLE };

typedef struct Word {
  int formula;
  bool backwards;
  int last_gear;  // sign of v: 1, -1, or 0 as the formula has it
  int pieces;
  int length[RUT_PLAN_PIECES], turn[RUT_PLAN_PIECES];
} Word;

static const Word word_list[WORDS] = {
    {LSL, false, 1, 3, {T, U, V}, {1, 0, 1}},
    {LSR, false, 1, 3, {T, U, V}, {1, 0, -1}},
    {LRL, false, 1, 3, {T, U, V}, {1, -1, 1}},   // C|C|C
    {LRL, false, -1, 3, {T, U, V}, {1, -1, 1}},  // C|CC
    {LRL, true, -1, 3, {V, U, T}, {1, -1, 1}},   // CC|C
    {LRLR, false, -1, 4, {T, U, U_BACK, V}, {1, -1, 1, -1}},
    {LRLR_MIDDLE, false, 1, 4, {T, U, U, V}, {1, -1, 1, -1}},
    {LRSL, false, -1, 4, {T, BACK_BY_RIGHT_ANGLE, U, V}, {1, -1, 0, 1}},
    {LRSR, false, -1, 4, {T, BACK_BY_RIGHT_ANGLE, U, V}, {1, -1, 0, -1}},
    {LRSL, true, -1, 4, {V, U, BACK_BY_RIGHT_ANGLE, T}, {1, 0, -1, 1}},
    {LRSR, true, -1, 4, {V, U, BACK_BY_RIGHT_ANGLE, T}, {-1, 0, -1, 1}},
    {LRSLR, false, 1, 5, {T, BACK_BY_RIGHT_ANGLE, U, BACK_BY_RIGHT_ANGLE, V}, {1, -1, 0, 1, -1}},
};

// From the centre of the first circle, a left one, to that of the last one.
typedef struct Centres {
  double x, y, d, heading;
} Centres;

// A pose as one of the four ways sees it, forwards or backwards.
typedef struct Target {
  double yaw;
  Centres left, right;  // of the last circle
} Target;

static Centres centres_of(const rutPlanPose* to, double sine, double cosine, bool right) {
  const double x = right ? to->x + sine : to->x - sine;
  const double y = right ? to->y - 1 - cosine : to->y - 1 + cosine;
  return (Centres){x, y, rut_hypot(x, y), rut_atan2(y, x)};
}

// First and last arc of words of four arcs, of which the middle ones are u and v (8.5, 8.6).
static void outer_arcs(double u, double v, const Centres* c, double yaw, double out[PLACES]) {
  const double delta = rut_plan_wrap(u - v);
  const double a = rut_sin(u) - rut_sin(delta), b = rut_cos(u) - rut_cos(delta) - 1;
  const double t = rut_atan2(c->y * a - c->x * b, c->x * a + c->y * b);
  const double side = 2 * (rut_cos(delta) - rut_cos(v) - rut_cos(u)) + 3;
  out[0] = rut_plan_wrap(side < 0 ? t + RUT_PI : t);
  out[1] = u;
  out[2] = rut_plan_wrap(out[0] - u + v - yaw);
}

static bool without_straight(int formula, const Centres* c, double yaw, double out[PLACES]) {
  if (formula == LRL) {  // 8.3, 8.4
    if (c->d > 4) return false;
    out[1] = -2 * rut_asin(0.25 * c->d);
    out[0] = rut_plan_wrap(c->heading + 0.5 * out[1] + RUT_PI);
    out[2] = rut_plan_wrap(yaw - out[0] + out[1]);
    return true;
  }
  if (formula == LRLR) {  // 8.7
    const double rho = 0.25 * (2 + c->d);
    if (rho > 1) return false;
    const double u = rut_acos(rho);
    outer_arcs(u, -u, c, yaw, out);
    return true;
  }
  const double rho = (20 - c->d * c->d) / 16;  // 8.8
  if (rho < 0 || rho > 1) return false;
  const double u = -rut_acos(rho);
  outer_arcs(u, u, c, yaw, out);
  return true;
}

static bool with_straight(int formula, const Centres* c, double yaw, double out[PLACES]) {
  if (formula == LSL) {  // 8.1
    out[0] = c->heading;
    out[1] = c->d;
    out[2] = rut_plan_wrap(yaw - out[0]);
    return true;
  }
  if (c->d < 2) return false;
  if (formula == LSR) {  // 8.2
    out[1] = rut_sqrt(c->d * c->d - 4);
    out[0] = rut_plan_wrap(c->heading + rut_atan2(2, out[1]));
    out[2] = rut_plan_wrap(out[0] - yaw);
    return true;
  }
  if (formula == LRSL) {  // 8.9
    const double r = rut_sqrt(c->d * c->d - 4);
    out[1] = 2 - r;
    out[0] = rut_plan_wrap(c->heading + rut_atan2(r, -2));
    out[2] = rut_plan_wrap(yaw - 0.5 * RUT_PI - out[0]);
    return out[1] <= 0;
  }
  if (formula == LRSR) {  // 8.10
    out[0] = rut_plan_wrap(c->heading + 0.5 * RUT_PI);
    out[1] = 2 - c->d;
    out[2] = rut_plan_wrap(out[0] + 0.5 * RUT_PI - yaw);
    return true;
  }
  out[1] = 4 - rut_sqrt(c->d * c->d - 4);  // 8.11
  if (out[1] > 0) return false;
  const double r = 4 - out[1];
  out[0] = rut_plan_wrap(rut_atan2(r * c->x - 2 * c->y, -2 * c->x - r * c->y));
  out[2] = rut_plan_wrap(out[0] - yaw);
  return true;
}

// Lengths t, u, v of a word. False if it does not lead there.
static bool solve(const Word* w, const Target* to, double out[PLACES]) {
  static const bool ends_right[] = {[LSR] = true,  [LRLR] = true,  [LRLR_MIDDLE] = true,
                                    [LRSR] = true, [LRSLR] = true, [LRSL] = false};
  const Centres* c = ends_right[w->formula] ? &to->right : &to->left;
  const bool arcs = w->formula == LRL || w->formula == LRLR || w->formula == LRLR_MIDDLE;
  const bool solved = arcs ? without_straight(w->formula, c, to->yaw, out)
                           : with_straight(w->formula, c, to->yaw, out);
  // the first piece goes forward, the last one as the word says
  return solved && out[0] >= -ROUNDING && w->last_gear * out[2] >= -ROUNDING;
}

enum { WAYS = 4 };
static double gear_of(int way) { return way % 2 != 0 ? -1 : 1; }
static double mirror_of(int way) { return way / 2 != 0 ? -1 : 1; }

// What words see of a pose: [backwards][way].
typedef struct Targets {
  Target of[2][WAYS];
} Targets;

static Targets targets_of(const rutPlanPose* to) {
  double sine, cosine;
  rut_sincos(to->yaw, &sine, &cosine);
  Targets out;
  for (int way = 0; way < WAYS; way++) {
    const double gear = gear_of(way), mirror = mirror_of(way), turned = gear * mirror * sine;
    const rutPlanPose p = {gear * to->x, mirror * to->y, gear * mirror * to->yaw};
    const rutPlanPose back = {p.x * cosine + p.y * turned, p.x * turned - p.y * cosine, p.yaw};
    const rutPlanPose* both[] = {&p, &back};
    for (int k = 0; k < 2; k++) {
      out.of[k][way] = (Target){p.yaw, centres_of(both[k], turned, cosine, false),
                                centres_of(both[k], turned, cosine, true)};
    }
  }
  return out;
}

// A word of the 48, which leads to a pose but for what its formula does not see.
static bool make_word(int word, const Targets* to, rutPlanCurve* out) {
  const Word* w = &word_list[word / WAYS];
  const int way = word % WAYS;
  double found[PLACES];
  *out = (rutPlanCurve){.pieces = 0};
  if (!solve(w, &to->of[w->backwards][way], found)) return false;
  const double length[] = {found[0], found[1], found[2], -found[1], -0.5 * RUT_PI};
  for (int i = 0; i < w->pieces; i++) {
    rut_plan_add_piece(out, gear_of(way) * length[w->length[i]], (int)mirror_of(way) * w->turn[i]);
  }
  return true;
}

bool rut_reeds_shepp_word(int word, const rutPlanPose* to, rutPlanCurve* out) {
  const Targets targets = targets_of(to);
  return make_word(word, &targets, out) && rut_plan_reaches(out, to);
}

rutPlanCurve rut_plan_reeds_shepp(const rutPlanPose* from, const rutPlanPose* to, double radius) {
  rutPlanCurve best = {.length = RUT_INFINITY}, curve;
  if (!(radius > 0) || !rut_is_finite(radius) || !rut_plan_pose_is_finite(from) ||
      !rut_plan_pose_is_finite(to)) {
    return best;
  }
  const rutPlanPose local = rut_plan_local(from, to, radius);
  const Targets targets = targets_of(&local);
  for (int word = 0; word < RUT_REEDS_SHEPP_WORDS; word++) {
    if (!make_word(word, &targets, &curve) || curve.length >= best.length) continue;
    if (rut_plan_reaches(&curve, &local)) best = curve;
  }
  rut_plan_scale(&best, radius);
  return best;
}

// ---- prices ----

static double price_of(const rutPlanPrice* price, const rutPlanPiece* before,
                       const rutPlanPiece* piece) {
  static const double SAME = 1e-9;  // [1/m]
  const double cost = piece->length < 0 ? -piece->length * price->reverse : piece->length;
  if (!before || before->length == 0) return cost;
  const bool gear = (before->length < 0) != (piece->length < 0);
  const bool steering = rut_abs(before->curvature - piece->curvature) > SAME;
  return cost + (gear ? price->gear_change : 0) + (steering ? price->steering_change : 0);
}

double rut_plan_price(const rutPlanPrice* price, const rutPlanPiece* before, int pieces,
                      const rutPlanPiece* piece) {
  double cost = 0;
  for (int i = 0; i < pieces; i++) {
    cost += price_of(price, i > 0 ? &piece[i - 1] : before, &piece[i]);
  }
  return cost;
}

int rut_reeds_shepp_all(const rutPlanPose* local, const rutPlanPrice* price,
                        const rutPlanPiece* before, double radius,
                        rutPricedCurve out[RUT_REEDS_SHEPP_WORDS]) {
  int n = 0;
  const Targets targets = targets_of(local);
  for (int word = 0; word < RUT_REEDS_SHEPP_WORDS; word++) {
    rutPricedCurve* c = &out[n];
    if (!make_word(word, &targets, &c->curve) || !rut_plan_reaches(&c->curve, local)) continue;
    rut_plan_scale(&c->curve, radius);
    c->cost = rut_plan_price(price, before, c->curve.pieces, c->curve.piece);
    n++;
  }
  return n;
}
