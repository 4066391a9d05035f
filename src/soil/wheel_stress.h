// SPDX-License-Identifier: BSD-3-Clause
//
// Stresses under a wheel that sinks into soil, and what they add up to: pressure by sinkage after
// Bekker (Introduction to Terrain-Vehicle Systems, 1969) or Reece (Proc. IMechE 180, 1965), spread
// along the rim after Wong and Reece (J. Terramechanics 4, 1967), shear after Janosi and Hanamoto
// (Proc. 1st Int. Conf. Terrain-Vehicle Systems, 1961), bulldozing after Hegedus (1960).
//
// A soft tyre is a larger circle: it leaves the ground where the tyre's flat part ends and meets it
// where the free tyre would. X and Y being half the chords of the free tyre at the height of its
// flat part and of the soil's surface, the contact is X + Y long, and with the penetration p
//   tan(theta_f/2) = p/(X + Y), R_s = ((X + Y)^2 + p^2)/(2 p).
// Angles count from the circle's lowest point, forward, as parts t of the entry angle theta_f, and
// lengths as parts of the arc R_s theta_f, so that soil too hard to sink into is no special case.
//
// One set of nodes on [0, 1] from the angle of the largest pressure to the edges serves the front
// and the rear part. Towards the edge pressure falls like (1 - x)^n, a
// weight of the quadrature; cohesion has weights of its own at the same nodes.
//
// Soil that has been pressed gives hardly anything back. A wheel that comes up unloads its print,
// of depth z_p, over the height h that the soil springs back, and keeps 1 - (z_p - z)/h of the
// stresses; rolling on it leaves the print behind, which fades over the length h N/R: the wheel
// that rises all along by the slope u = z'/v keeps the part 1 - u N/R. Of a place of the rim at the
// angle theta the normal speed into the soil is v sin(theta) - z' cos(theta), so that the stresses
// do the work -z' N + v R on the soil, which then is v R (1 - u N/R)^2 and never negative.
#ifndef RUT_SOIL_WHEEL_STRESS_H
#define RUT_SOIL_WHEEL_STRESS_H

#include "math/lanes.h"
#include "math/quadrature.h"

enum { RUT_STRESS_LANES = 8 };  // most wheels at a time
enum { RUT_STRESS_FAST = 5, RUT_STRESS_EXACT = 12, RUT_POWER_TERMS = 11 };
enum { RUT_SHEAR_ISOTROPIC, RUT_SHEAR_PROJECTED, RUT_SHEAR_SEPARATE };

typedef double rutStressRow[RUT_STRESS_LANES];
typedef double rutStressNodes[RUT_STRESS_EXACT];

// A soil in the numbers that the law takes; doubles only.
typedef struct rutStressLaw {
  double exponent, exponent_slip;  // n, and what it gains at full driving slip
  double k_c, k_phi;               // k = k_c/b + k_phi [N/m^(n+2)] (Bekker)
  double reece, reece_width;       // k b^n = reece + reece_width b [Pa]; 0: Bekker
  double smaller;                  // 1: b is the smaller side of the patch, 0: the width
  double cohesion, tan_phi;        // [Pa], [1]
  double adhesion, tan_delta;      // the same of rubber on soil
  double rubber, rubber_share;     // friction of rubber; part of the contact under it
  double shear_x, shear_x_angle;   // K [m], and what it gains per slip angle [m/rad]
  double shear_y, shear_y_angle;
  double level, hump;      // shear (1 - E)(level + hump E), E = exp(-j/K)
  double full;             // K over the displacement that brings all of it, or 95 parts of 100
  double peak, peak_slip;  // theta_m = (a_0 + a_1 s) theta_f
  double exit_ratio;       // rebound over sinkage,
  double elastic;          // 1: by k_u = k_0 + A_u z instead
  double k_0, a_u;
  double most_rebound;  // over depth; 1/max(n, 1) where unloading is as steep as the curve
  double side_cohesion, side_weight;    // bulldozing a z + b z^2 per length [N/m]
  double front_cohesion, front_weight;  // likewise
  double wall_cohesion, wall_weight;    // what walls bear at their sides, likewise
  double softens;                       // 1: slip sinkage
  double curve;                         // RUT_CURVE_..., of other than a power its numbers:
  double layer_stiffness, second_stiffness, second_depth;  // [N/m3] twice, [m]
  double mat_stiffness, mat_strength, mat_limit;           // [N/m3] twice, [Pa]
  double soft_depth;                 // of the layer of these curves that a place may change [m]
  double cone_index;                 // at which these numbers hold [Pa]
  double moisture, moisture_power;   // likewise, 0: not known; -d ln(cone index)/d ln(moisture)
  double pass_gain, pass_slip_gain;  // growth of cohesion and weight per pass, and with its slip
  double per_pass_slip;              // over this slip
  double damping;                    // [N s/m3]
  double carcass;                    // rolling resistance of a tyre itself over load
  double approximate;                // 1: the larger circle as if it were flat
  double on_circle;                  // 1: leaves on the larger circle
  double kind;                       // RUT_SHEAR_...
  double nodes;                      // of each part
  rutStressNodes node;               // Gauss-Jacobi, weight (1 - x)^n
  rutStressNodes steep;              // its weights,
  rutStressNodes whole;              // the same over (1 - x)^n,
  rutStressNodes plain;              // and those for integrands without that factor
  rutStressNodes even_node, even;    // Gauss-Legendre
  double power[RUT_POWER_TERMS];     // of rut_power_near
} rutStressLaw;

// What the compiler knows of a law: number of nodes; RUT_SHEAR_...; 1 where it may have forms of
// the larger circle that were printed, bulldozing at the sides, a shear curve with a hump.
typedef struct rutStressForm {
  int nodes, kind, printed, sides, hump;
} rutStressForm;

// What a wheel is asked.
typedef struct rutStressIn {
  rutStressRow radius, width;  // [m]
  rutStressRow
      normalised_slip;    // both slips over their K, per displacement of the full shear [1/m]
  rutStressRow sense;     // of travel: 1 forward, -1 backward
  rutStressRow moving;    // 1 rolling, 0 standing: how much front and rear differ
  rutStressRow along;     // slip over the rim's speed, 1 - v/(r w)
  rutStressRow across;    // sideways velocity over the rim's speed
  rutStressRow swift;     // rim's speed over the larger of rim's and hub's
  rutStressRow at;        // theta_m over theta_f
  rutStressRow exponent;  // n at this slip
  rutStressRow softened;  // part of the depth that counts
  rutStressRow inverse_x, inverse_y;  // 1/K [1/m]
  rutStressRow stiffer;               // k over the soil's own, by place
  rutStressRow soft_depth;            // of the layer over a hard one [m]
  rutStressRow firmer;                // cohesion over that of the soil, by passes and place
  rutStressRow side_a, side_b, front_a, front_b;  // bulldozing a z + b z^2 [Pa], [Pa/m]
  rutStressRow surface, pressed;  // depth of the ground there, and to which it was pressed [m]
  rutStressRow k_side, k_plate;   // k = k_side/b + k_plate
  rutStressRow line;              // slope of the unloading line over k
  rutStressRow footprint,
      footprint_rebound;             // depth of the wheel's own footprint, and its rebound [m]
  rutStressRow lasts;                // part of it that the way of this step leaves
  rutStressRow sinkage, deflection;  // [m]
} rutStressIn;

// What it answers.
typedef struct rutStressOut {
  rutStressRow load;                   // [N]
  rutStressRow torque;                 // over the rim's radius [N]
  rutStressRow gain_x;                 // the part of it that slip brings, over slip [N]
  rutStressRow gain_y;                 // lateral force over sideways slip, negative [N]
  rutStressRow resistance;             // what the net force lacks from torque over radius [N]
  rutStressRow overturning, aligning;  // over sideways slip, about the contact [N m]
  rutStressRow peak;                   // largest torque over the rim's radius [N]
  rutStressRow pressure;               // the largest [Pa]
  rutStressRow area;                   // of contact [m2]
  rutStressRow arc;                    // its length before the lowest point [m]
  // Slopes of the load by sinkage at the same deflection, and the other way round [N/m], within
  // some per cent.
  rutStressRow by_sinkage, by_deflection;
} rutStressOut;

// Contact of a wheel.
typedef struct rutStressPatch {
  rutStressRow angle, square;      // theta_f [rad], and its square
  rutStressRow curve;              // 1/R_s [1/m]
  rutStressRow arc;                // R_s theta_f [m]
  rutStressRow half;               // R_s theta_f^2/2 [m]
  rutStressRow fore;               // half the chord at the surface [m]
  rutStressRow back;               // of the circle's lowest point from the hub [m]
  rutStressRow versed, lag;        // of theta_f
  rutStressRow deep;               // true over bounded penetration
  rutStressRow through;            // penetration [m]
  rutStressRow grows, flattens;    // d ln(length)/d penetration and d deflection [1/m]
  rutStressRow k;                  // of the pressure
  rutStressRow most;               // largest pressure of virgin soil, over k
  rutStressRow depth;              // below the surface there [m]
  rutStressRow climbs;             // rise behind the lowest point, true over the circle's
  rutStressRow rear, middle;       // t where it leaves, and of the largest pressure
  rutStressRow yield, rear_yield;  // t up to which the soil is on its virgin curve
  rutStressRow virgin;             // 1 where it is untouched
  rutStressRow top;                // largest pressure [Pa]
  rutStressRow held, unloads;      // part of the stresses left after unloading, and 1/rebound [1/m]
  rutStressRow steepens;           // d ln(pressure)/d sinkage [1/m]
  rutStressRow pushed;             // bulldozing in front [N]
} rutStressPatch;

// Sums over the rim.
typedef struct rutStressSums {
  rutStressRow load, pressure;  // both normal to the ground: of all stresses, of the normal one
  rutStressRow uneven, pushes;  // along the ground: of the normal stress, lost of the shear
  rutStressRow offset, gain_x, gain_y, over, align, strength;
} rutStressSums;

// x^y for x >= 0, y > 0.
RUT_INLINE double rut_power(double x, double y) {
  return rut_exp(y * rut_log(rut_max(x, RUT_LEAST_DIVISOR)));
}
#define RUT_POWER_MIDDLE 1.5
// x^n for x in [1, 2], relative error below 1e-6: binomial series about 1.5, its terms by Estrin.
RUT_INLINE double rut_power_near(const double* term, double x) {
  const double v = x - RUT_POWER_MIDDLE, v2 = v * v, v4 = v2 * v2;
  const double a = (term[0] + v * term[1]) + v2 * (term[2] + v * term[3]);
  const double b = (term[4] + v * term[5]) + v2 * (term[6] + v * term[7]);
  const double c = (term[8] + v * term[9]) + v2 * term[10];
  return a + v4 * (b + v4 * c);
}

// 2 (1 - cos a)/a^2 and (a - sin a)/a^3 of u = a^2 <= 2.47: Taylor, errors below 1e-10. They leave
// no difference of equal numbers when angles are small.
RUT_INLINE double rut_versed(double u) {
  const double low = 1.0 - u * (1.0 / 12), next = 1.0 / 360 - u * (1.0 / 20160), u2 = u * u;
  const double high = (1.0 / 1814400 - u * (1.0 / 239500800)) + u2 * (1.0 / 43589145600.0);
  return low + u2 * (next + u2 * high);
}
RUT_INLINE double rut_lag(double u) {
  const double low = 1.0 / 6 - u * (1.0 / 120), next = 1.0 / 5040 - u * (1.0 / 362880), u2 = u * u;
  const double high = (1.0 / 39916800 - u * (1.0 / 6227020800.0)) + u2 * (1.0 / 1307674368000.0);
  return low + u2 * (next + u2 * high);
}

// Depth by which the soil springs back once it has been pressed to `depth`, k being that of its
// pressure: a part of the depth, or pressure over k_u = k_0 + A_u z (Wong), but no more than a
// part of the depth, with a line at least as steep as the virgin curve.
RUT_INLINE double rut_rebound(const rutStressLaw* law, double k, double depth) {
  const double z = rut_max(depth, 0.0), n = law->exponent;
  const double elastic = k * rut_power(z, n) / rut_max(law->k_0 + law->a_u * z, RUT_LEAST_DIVISOR);
  const double most = z * law->most_rebound;
  return law->exit_ratio * z + law->elastic * rut_min(elastic, most);
}
// The same for soil that is loaded again, where a line without any slope would have no height.
#define RUT_LEAST_REBOUND 1e-3
RUT_INLINE double rut_rebound_again(const rutStressLaw* law, double k, double depth) {
  return rut_max(rut_rebound(law, k, depth), RUT_LEAST_REBOUND * rut_max(depth, 0.0));
}

// What the print of a wheel has beyond its sinkage, after the way of this step [m].
RUT_INLINE double rut_print_left(const rutStressIn* in, int i) {
  return in->lasts[i] * rut_max(in->footprint[i] - in->sinkage[i], 0.0);
}

// ---- contact ----

// The larger circle. Deeper than 0.9 of the radius the contact does not grow.
RUT_INLINE void rut_find_circle(const rutStressIn* in, int i, double in_soil, int approximate,
                                rutStressPatch* p) {
  const double radius = in->radius[i], diameter = 2.0 * radius;
  const double flat = rut_clamp(in->deflection[i], 0.0, radius);
  const double drop = rut_min(flat + in_soil, radius);
  const double x = rut_sqrt(flat * (diameter - flat)), y = rut_sqrt(drop * (diameter - drop));
  const double length = x + y, size = length * length + in_soil * in_soil;
  // of the circle's diameter, whose square root is that of the sine of half the angle
  const double part = rut_sqrt(1.0 + flat / in_soil) + rut_sqrt(flat / in_soil);
  const double rounds = in_soil / (diameter * part * part);
  const double bent = approximate ? rut_asin(rut_sqrt(rounds)) : rut_atan(in_soil / length);
  const double angle = 2.0 * bent, square = angle * angle;
  const double arc = approximate ? angle * radius * part * part : size * (bent / in_soil);
  p->angle[i] = angle;
  p->square[i] = square;
  p->curve[i] = approximate ? 2.0 * rounds / in_soil : 2.0 * in_soil / size;
  p->arc[i] = arc;
  p->half[i] = 0.5 * arc * angle;
  p->back[i] = x;
  p->versed[i] = rut_versed(square);
  p->lag[i] = rut_lag(square);
  p->fore[i] = y;
}

// Contact of one wheel. Pressed soil is met at its surface, and presses back along the unloading
// line up to the depth z_u where the virgin curve goes on. What is fresh of the penetration decides
// how far forward the largest pressure is: a wheel on soil that only springs is carried evenly. The
// wheel leaves where the free tyre is as far above its flat part as the soil springs back; the rear
// is steeper than the circle, so that soil that only springs gives back what it took.
//
// A wheel that is unloaded keeps the contact of its print; the stresses go down together, to zero
// where the soil has sprung back.
RUT_INLINE void rut_find_patch(const rutStressLaw* law, const rutStressIn* in, int i, int printed,
                               rutStressPatch* p) {
  const double radius = in->radius[i], width = in->width[i], sinkage = in->sinkage[i];
  const double surface = in->surface[i], pressed = in->pressed[i];
  const double left = rut_print_left(in, i), deepest = sinkage + left;
  static const double SHALLOWEST = 1e-30, DEEPEST = 0.9;  // penetration in radii
  static const double FOREMOST = 0.95;     // place of the largest pressure, part of the entry angle
  static const double LEAST_CHORD = 1e-9;  // in radii
  const double through = rut_max(deepest - surface, SHALLOWEST * radius);
  const double in_soil = rut_min(through, DEEPEST * radius);
  rut_find_circle(in, i, in_soil, printed && law->approximate > 0.0, p);

  const double k_wide = in->k_side[i] / width + in->k_plate[i];
  const double springs = rut_rebound(law, k_wide, rut_max(deepest, pressed));
  const double least = pressed > 0.0 ? RUT_LEAST_REBOUND * rut_max(deepest, pressed) : 0.0;
  const double rebound = rut_min(rut_max(springs, least), in_soil);
  const double unloads =
      1.0 / rut_max(rut_max(springs, RUT_LEAST_REBOUND * deepest), RUT_LEAST_DIVISOR);
  const double flat = rut_clamp(in->deflection[i], 0.0, radius);
  const double leave = rut_min(flat + rebound, radius), above = 2.0 * radius - leave;
  const double chord = rut_sqrt(leave * above);
  const double tail =
      (leave - flat) * (above - flat) / rut_max(chord + p->back[i], RUT_LEAST_DIVISOR);
  const double on_tyre = rut_asin(rut_min(tail * p->curve[i], 1.0));
  const double on_circle = 2.0 * rut_asin(rut_sqrt(0.5 * rebound * p->curve[i]));
  const double rear = -(printed && law->on_circle > 0.0 ? on_circle : on_tyre) / p->angle[i];
  const double behind = rear * rear * rut_versed(p->square[i] * rear * rear) * p->half[i];
  const double drop = rut_min(flat + in_soil, radius), whole = p->fore[i] + chord;
  const double lengthens = (radius - drop) / p->fore[i];
  p->grows[i] = lengthens / whole;
  p->flattens[i] = (lengthens + (radius - leave) / rut_max(chord, LEAST_CHORD * radius)) / whole;
  p->climbs[i] = rebound > 0.0 ? rebound / rut_max(behind, RUT_LEAST_DIVISOR) : 1.0;
  const double length = p->arc[i] * (1.0 - rear), fresh = (deepest - pressed) / through;
  const double newly = rut_clamp(fresh, 0.0, 1.0),
               middle = rut_clamp(in->at[i] * newly, 0.0, FOREMOST);
  const double side = width - law->smaller * rut_max(width - length, 0.0);
  p->deep[i] = through / in_soil;
  p->through[i] = through;
  p->k[i] = in->k_side[i] / side + in->k_plate[i];
  p->rear[i] = rear;
  p->middle[i] = middle;
  p->yield[i] = 1.0;
  p->rear_yield[i] = rear;
  p->virgin[i] = pressed > 0.0 ? 0.0 : 1.0;
  p->held[i] = rut_max(1.0 - left * unloads, 0.0);
  p->unloads[i] = unloads;
  const int fresh_soil = fresh > 0.0;
  p->steepens[i] =
      (fresh_soil ? in->exponent[i] : 1.0) / (fresh_soil ? rut_max(deepest, through) : through);
  p->pushed[i] = newly * width * through * (in->front_a[i] + in->front_b[i] * through);
}

// Depth below the surface at t. versed is that of the angle there.
RUT_INLINE double rut_depth_at(const rutStressPatch* p, int i, double t, double versed) {
  return p->half[i] * rut_max(p->versed[i] - t * t * versed, 0.0);
}

// The largest pressure of untouched soil.
RUT_INLINE void rut_find_most(const rutStressIn* in, int i, rutStressPatch* p) {
  const double t = p->middle[i];
  const double depth = rut_depth_at(p, i, t, rut_versed(p->square[i] * t * t));
  p->depth[i] = depth;
  p->most[i] = rut_power(in->softened[i] * depth * p->deep[i], in->exponent[i]);
  p->top[i] = p->k[i] * p->most[i];
}

// Where pressed soil yields: t of the depth z_u in front, and of its mirror image behind. What it
// bears at the deepest.
RUT_INLINE void rut_find_yield(const rutStressIn* in, int i, rutStressPatch* p) {
  const double deepest = in->sinkage[i] + rut_print_left(in, i);
  const double above = rut_max((deepest - in->pressed[i]) / p->deep[i], 0.0);
  const double part = 2.0 * rut_asin(rut_min(rut_sqrt(0.5 * above * p->curve[i]), 1.0));
  const double found = rut_clamp(part / p->angle[i], p->middle[i], 1.0);
  const double yield = p->virgin[i] > 0.0 ? 1.0 : found;
  const double front = 1.0 - p->middle[i], behind = p->middle[i] - p->rear[i];
  p->yield[i] = yield;
  const double mirror = p->middle[i] - behind * ((yield - p->middle[i]) / front);
  p->rear_yield[i] = p->virgin[i] > 0.0 ? p->rear[i] : mirror;
  const double depth = p->depth[i] * p->deep[i];
  const double curve = rut_power(in->softened[i] * (in->surface[i] + depth), in->exponent[i]);
  const double top = p->k[i] * (deepest > in->pressed[i] ? curve : in->line[i] * depth);
  p->top[i] = p->virgin[i] > 0.0 ? p->top[i] : top;
}

// ---- shear ----

// 1 - exp(-x) for x >= 0, relative error below 1e-9: Taylor on |r| <= 0.35.
RUT_INLINE double rut_decayed(double x) {
  static const double PER_LN2 = 0x1.71547652b82fep+0, LN2 = 0x1.62e42fefa39efp-1;
  static const double LARGEST = 60.0;  // beyond it all is decayed
  const double bounded = rut_min(x, LARGEST), n = rut_round_small(bounded * PER_LN2);
  const double r = bounded - n * LN2, r2 = r * r, scale = rut_power_of_two(-n);
  const double low = (1.0 - r * (1.0 / 2)) + r2 * (1.0 / 6 - r * (1.0 / 24));
  const double high = (1.0 / 120 - r * (1.0 / 720)) + r2 * (1.0 / 5040 - r * (1.0 / 40320));
  return (1.0 - scale) + scale * (r * (low + r2 * r2 * high));
}
// Part of the strength that a shear displacement j mobilises, over j.
RUT_INLINE double rut_mobilised(const rutStressLaw* law, int hump, double j, double inverse) {
  const double built = rut_decayed(j * inverse);
  return (hump ? built * (law->level + law->hump * (1.0 - built)) : built) / j;
}
// The same along and across; together no more than the strength, unless separate.
typedef struct rutShear {
  double x, y;
} rutShear;
RUT_INLINE rutShear rut_shear(const rutStressLaw* law, rutStressForm form, double jx, double jy,
                              double inverse_x, double inverse_y) {
  static const double NONE = 1e-15;  // displacement that counts as none [m]
  if (form.kind == RUT_SHEAR_ISOTROPIC) {
    const double g = rut_mobilised(law, form.hump, rut_hypot(jx, jy) + NONE, inverse_x);
    return (rutShear){g, g};
  }
  const double gx = rut_mobilised(law, form.hump, rut_abs(jx) + NONE, inverse_x);
  const double gy = rut_mobilised(law, form.hump, rut_abs(jy) + NONE, inverse_y);
  const double part = rut_hypot(gx * jx, gy * jy), most = rut_max(part, 1.0);
  const double scale = form.kind == RUT_SHEAR_PROJECTED ? 1.0 / most : 1.0;
  return (rutShear){gx * scale, gy * scale};
}

// Strength per area times a weight, of a pressure times that weight: of soil over soil between the
// lugs, and under them of the weakest of soil, rubber on soil, and rubber.
RUT_INLINE double rut_strength(const rutStressLaw* law, double pressure, double weight) {
  const double soil = law->cohesion * weight + law->tan_phi * pressure;
  const double stuck = law->adhesion * weight + law->tan_delta * pressure;
  const double lug = rut_min(soil, rut_min(stuck, law->rubber * pressure));
  return soil + law->rubber_share * (lug - soil);
}

// ---- sums ----

// What is summed over the rims.
typedef struct rutStressRim {
  const rutStressLaw* law;
  rutStressForm form;
  const rutStressIn* in;
  const rutStressPatch* patch;
  rutStressSums* sums;
} rutStressRim;

// Adds a place t of the rim: `pressure` and `plain` are the normal stress there and 1, times the
// weight of the place. Shear displacement, from where the rim met the soil,
//   j_x = R_s ((theta_f - theta) - (1 - s)(sin theta_f - sin theta)), j_y = v_y/w (theta_f - theta)
// with 1 - s = v/(r w). What tells front from rear does not act on a wheel that stands.
RUT_INLINE void rut_add_place(const rutStressRim* rim, int i, double t, double pressure,
                              double plain) {
  const rutStressLaw* law = rim->law;
  const rutStressIn* in = rim->in;
  const rutStressPatch* p = rim->patch;
  rutStressSums* sums = rim->sums;
  const double angle = p->angle[i] * t, u = angle * angle;
  const double versed = rut_versed(u), lag = rut_lag(u);
  const double rise = 0.5 * u * versed, cosine = 1.0 - rise, sine = angle * (1.0 - u * lag);
  const double arc = p->arc[i], rolled = arc * (1.0 - t), moving = in->moving[i];
  const double curled = arc * p->square[i] * (p->lag[i] - t * t * t * lag);
  const double slid = rolled - curled, turned = moving * curled;
  const double jx = turned + in->along[i] * slid, jy = in->across[i] * rolled;
  const rutShear g = rut_shear(law, rim->form, jx, jy, in->inverse_x[i], in->inverse_y[i]);
  const double firm = plain * in->firmer[i];
  const double strength = rut_strength(law, pressure, firm), gx = strength * g.x;
  const double tau = moving * (gx * jx), normal = pressure * cosine;
  double along_side = strength * in->width[i];
  if (rim->form.sides) {
    // soil at the side of the wheel is pushed as far as that under it shears
    const double depth = rut_depth_at(p, i, t, versed);
    const double wall = depth * (in->side_a[i] + in->side_b[i] * depth);
    along_side += plain * wall * (1.0 - depth * p->curve[i] * cosine);
  }
  const double gy = along_side * (g.y * rolled);
  sums->load[i] += normal + tau * sine;
  sums->pressure[i] += normal;
  sums->uneven[i] += pressure * (sine < 0.0 ? sine * p->climbs[i] : sine);
  sums->pushes[i] += tau * rise;
  sums->offset[i] += gx * turned;
  sums->gain_x[i] += gx * slid;
  sums->gain_y[i] += gy;
  sums->over[i] += gy * rise;
  sums->align[i] += gy * sine;
  sums->strength[i] += strength;
}

// Pressure over k at a place on the virgin curve, times its weight. Untouched soil has the factor
// (1 - x)^n in the weight; the rest of the power is near one of 1 to 2.
RUT_INLINE double rut_untouched(const rutStressLaw* law, int q, const rutStressPatch* p, int i,
                                double depth) {
  const double x = law->node[q], part = depth / (p->depth[i] * (1.0 - x));
  return law->steep[q] * (p->most[i] * rut_power_near(law->power, part));
}
RUT_INLINE double rut_any_virgin(const rutStressLaw* law, int q, const rutStressIn* in,
                                 const rutStressPatch* p, int i, double depth) {
  const double whole = law->whole[q], plain = law->plain[q];
  const double counts = in->softened[i] * (in->surface[i] + depth * p->deep[i]);
  return (p->virgin[i] > 0.0 ? whole : plain) * rut_power(counts, in->exponent[i]);
}

// Pressure behind the deepest place, at the mirror image of a place in front at `depth`, along the
// unloading line: the soil gives back half of pressure times rebound, whatever it bore in front.
// With a rebound ratio, as Wong and Reece have it, the pressure is that in front instead.
RUT_INLINE double rut_line_behind(const rutStressPatch* p, int i, double depth) {
  return p->top[i] * (depth / rut_max(p->depth[i], RUT_LEAST_DIVISOR));
}

// A place on the virgin curve in front and its mirror image behind. `mixed`: some wheels are on
// pressed soil, or have exponents of their own.
RUT_INLINE void rut_add_virgin(const rutStressRim* rim, int mixed, int own, int q, int i) {
  const rutStressLaw* law = rim->law;
  const rutStressPatch* p = rim->patch;
  const double x = law->node[q], plain = law->plain[q];
  const double front = p->yield[i] - p->middle[i], behind = p->middle[i] - p->rear_yield[i];
  const double t = p->middle[i] + front * x, angle = p->angle[i] * t;
  const double depth = rut_depth_at(p, i, t, rut_versed(angle * angle));
  double pressure = p->k[i] * rut_untouched(law, q, p, i, depth);
  if (mixed) {
    const double any = p->k[i] * rut_any_virgin(law, q, rim->in, p, i, depth);
    pressure = p->virgin[i] > (own ? 1.0 : 0.0) ? pressure : any;
  }
  const double rear = law->elastic > 0.0 ? plain * rut_line_behind(p, i, depth) : pressure;
  rut_add_place(rim, i, t, front * pressure, front * plain);
  rut_add_place(rim, i, p->middle[i] - behind * x, behind * rear, behind * plain);
}
// One on the unloading line.
RUT_INLINE void rut_add_springing(const rutStressRim* rim, int q, int i) {
  const rutStressLaw* law = rim->law;
  const rutStressPatch* p = rim->patch;
  const double x = law->even_node[q];
  const double before = 1.0 - p->yield[i], after = p->rear_yield[i] - p->rear[i];
  const double front = law->even[q] * before, behind = law->even[q] * after;
  const double t = p->yield[i] + before * x, angle = p->angle[i] * t;
  const double depth = rut_depth_at(p, i, t, rut_versed(angle * angle));
  const double pressure = p->k[i] * rim->in->line[i] * depth * p->deep[i];
  const double rear = law->elastic > 0.0 ? rut_line_behind(p, i, depth) : pressure;
  rut_add_place(rim, i, t, front * pressure, front);
  rut_add_place(rim, i, p->rear_yield[i] - after * x, behind * rear, behind);
}

// Forces and moments from the sums. Where hardly anything presses, cohesion over load has no bound;
// forces beyond so much of the load are cut.
#define RUT_MOST_GRIP 3.0
RUT_INLINE void rut_sum_up(const rutStressIn* in, const rutStressPatch* p,
                           const rutStressSums* sums, int i, rutStressOut* out) {
  const double arc = p->arc[i] * p->held[i], area = in->width[i] * arc;
  const double load = area * sums->load[i], strength = area * sums->strength[i];
  const double bound = RUT_MOST_GRIP * rut_max(load, 0.0) / rut_max(strength, RUT_LEAST_DIVISOR);
  const double grip = rut_min(bound, 1.0), slow = grip / in->swift[i];
  const double torque = sums->offset[i] + in->along[i] * sums->gain_x[i];
  const double side = -arc * slow, lever = p->arc[i] / p->angle[i];
  out->load[i] = load;
  out->torque[i] = grip * area * torque;
  out->gain_x[i] = area * slow * sums->gain_x[i];
  out->gain_y[i] = side * sums->gain_y[i];
  const double resisted = area * (sums->uneven[i] + grip * sums->pushes[i]) + p->pushed[i];
  out->resistance[i] = rut_clamp(resisted, 0.0, RUT_MOST_GRIP * rut_max(load, 0.0));
  out->overturning[i] = -side * lever * sums->over[i];
  out->aligning[i] = side * (lever * sums->align[i] - p->back[i] * sums->gain_y[i]);
  out->peak[i] = grip * strength;
  out->pressure[i] = p->held[i] * rut_max(p->top[i], 0.0);
  out->arc[i] = p->arc[i];
  out->area[i] = in->width[i] * p->arc[i] * (1.0 - p->rear[i]);

  // normal stress grows with pressure and length, what shear carries with pressure and slope
  const double normal = area * sums->pressure[i], sheared = load - normal;
  const double loading =
      normal * (p->steepens[i] + p->grows[i]) + sheared * (p->steepens[i] + 1.0 / p->through[i]);
  const double whole = in->width[i] * p->arc[i] * sums->load[i] * p->unloads[i];
  const double resting = in->footprint[i] > in->sinkage[i] ? in->lasts[i] : 0.0;
  out->by_sinkage[i] = loading + resting * (whole - loading);
  out->by_deflection[i] = normal * p->flattens[i];
}

// Of `lanes` wheels, 4 or 8.
RUT_INLINE void rut_wheel_stress(const rutStressLaw* law, rutStressForm form, int lanes,
                                 const rutStressIn* in, rutStressOut* out) {
  const int nodes = form.nodes, printed = form.printed;
  rutStressPatch patch;
  rutStressSums sums = {0};
  const rutStressRim rim = {law, form, in, &patch, &sums};
  RUT_FOR_LANES(i, lanes) { rut_find_patch(law, in, i, printed, &patch); }
  RUT_FOR_LANES(i, lanes) { rut_find_most(in, i, &patch); }
  // what only pressed soil has is left out where there is none: wheels beside it get the same
  double pressed = 0.0;
  for (int i = 0; i < lanes; i++) pressed = rut_max(pressed, in->pressed[i]);
  const int own = law->exponent_slip > 0.0 || law->curve > 0.0;
  if (pressed > 0.0) {
    RUT_FOR_LANES(i, lanes) { rut_find_yield(in, i, &patch); }
  }
  if (pressed > 0.0 || own) {
    for (int q = 0; q < nodes; q++) {
      RUT_FOR_LANES(i, lanes) { rut_add_virgin(&rim, 1, own, q, i); }
    }
  } else {
    for (int q = 0; q < nodes; q++) {
      RUT_FOR_LANES(i, lanes) { rut_add_virgin(&rim, 0, 0, q, i); }
    }
  }
  if (pressed > 0.0) {
    for (int q = 0; q < nodes; q++) {
      RUT_FOR_LANES(i, lanes) { rut_add_springing(&rim, q, i); }
    }
  }
  RUT_FOR_LANES(i, lanes) { rut_sum_up(in, &patch, &sums, i, out); }
}

#endif  // RUT_SOIL_WHEEL_STRESS_H
