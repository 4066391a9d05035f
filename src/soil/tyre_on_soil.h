// SPDX-License-Identifier: BSD-3-Clause
//
// How a tyre and the soil under it share the depth of the wheel: sinkage z and deflection
// depth - z at which both carry the same load.
//
// The soil's load F(z) rises like a power of the penetration on firm ground, where that is a
// millionth of the depth, and the tyre's T(z) falls straight and steep where the wheel is rigid.
// Newton's method in that power of the penetration, in which both are nearly straight, within an
// interval that holds the root: F - T is below 0 at no penetration, above 0 at no deflection.
#ifndef RUT_SOIL_TYRE_ON_SOIL_H
#define RUT_SOIL_TYRE_ON_SOIL_H

#include "rut/component.h"
#include "soil/sinkage_curve.h"
#include "soil/soil_place.h"

// From this stiffness on a wheel is rigid: its flat part is that of no deflection [N/m].
#define RUT_RIGID    1e10
#define RUT_STEEPEST 1e30  // bound of slopes [N/m]
// Prints less deep than this are none [m].
#define RUT_LEAST_FOOTPRINT 1e-9
// Largest slip that counts: its square stays finite; its inverse, the least speed over the rim's.
#define RUT_STRESS_MOST_SLIP 1e6
enum { RUT_MOST_SPLITS = 100 };
// Step of the difference that gives the slope, a part of the penetration: with the exact
// quadrature.
#define RUT_SPLIT_STEP 0x1p-12

typedef struct rutSplit {
  rutStressRow lowest, range;   // sinkage at which contact begins, and how far it can go on [m]
  rutStressRow depth, before;   // [m], and sinkage of the last step [m]
  rutStressRow carried;         // by the tyre at that [N]
  rutStressRow tyre_k, tyre_c;  // stiffness and damping of the tyre
  rutStressRow steep;           // what the tyre loses per sinkage: stiffness, and damping over step
  rutStressRow sinks;           // damping of the soil over area and step
  rutStressRow flattens;        // 0 for rigid wheels
  rutStressRow low, high, through;  // interval, and present penetration [m]
  rutStressRow last, last_force;    // penetration before that, and its load
  rutStressRow tyre;                // load of the tyre there [N]
  rutStressRow settled, touches;
  rutStressRow load, sinkage;  // found
  rutStressRow slope;          // of the soil's load by sinkage, the depth held [N/m]
  rutStressRow softens;        // of the soil's load by deflection [N/m]
} rutSplit;

// Wheels of n, from `first` on, that are worked through together: 4 or 8 lanes, all of them wheels
// if `whole`.
typedef struct rutStressBlock {
  int first, n, lanes, whole;
} rutStressBlock;

// Wheel of a lane; those past the end repeat the last.
RUT_INLINE int rut_split_wheel(rutStressBlock b, int i) {
  return b.whole || b.first + i < b.n ? b.first + i : b.n - 1;
}

// Slip of wheels in the terms of the stresses. A wheel that stands has no front: what its direction
// would change fades out.
RUT_INLINE void rut_split_slip(const rutStressLaw* law, const rutSinkIn* from, rutStressBlock block,
                               rutStressIn* in) {
  const int lanes = block.lanes;
  rutStressRow x, y, direction;
  RUT_FOR_LANES(i, lanes) {
    const int w = rut_split_wheel(block, i);
    x[i] = from->slip_x[w];
    y[i] = from->slip_y[w];
    direction[i] = from->direction[w];
    in->radius[i] = from->radius[w];
    in->width[i] = from->width[w];
  }
  RUT_FOR_LANES(i, lanes) {
    const double moving = rut_min(rut_abs(direction[i]), 1.0);
    const double slip = rut_clamp(direction[i] < 0.0 ? -x[i] : x[i], -1.0, 2.0);
    const double across = rut_clamp(y[i], -RUT_STRESS_MOST_SLIP, RUT_STRESS_MOST_SLIP);
    const double drives = moving * rut_clamp(slip, 0.0, 1.0);
    const double swift = rut_max(1.0 + moving * rut_min(slip, 0.0), 1.0 / RUT_STRESS_MOST_SLIP),
                 inverse = 1.0 / swift;
    const double softened = (1.0 - 0.5 * drives) / (1.0 + drives);
    in->sense[i] = direction[i] < 0.0 ? -1.0 : 1.0;
    in->moving[i] = moving;
    in->along[i] = slip * inverse;
    in->across[i] = across * inverse;
    in->swift[i] = swift;
    in->at[i] = law->peak + law->peak_slip * moving * rut_min(slip, 1.0);
    in->exponent[i] = law->exponent + law->exponent_slip * drives;
    in->softened[i] = 1.0 - law->softens * (1.0 - softened);
    in->inverse_x[i] = 1.0 / law->shear_x;
    in->inverse_y[i] = 1.0 / law->shear_y;
  }
  RUT_FOR_LANES(i, lanes) {
    const double slip_x = rut_clamp(x[i], -RUT_STRESS_MOST_SLIP, RUT_STRESS_MOST_SLIP),
                 slip_y = rut_clamp(y[i], -RUT_STRESS_MOST_SLIP, RUT_STRESS_MOST_SLIP);
    in->normalised_slip[i] = law->full * rut_hypot(slip_x / law->shear_x, slip_y / law->shear_y);
  }
  if (law->shear_x_angle <= 0.0 && law->shear_y_angle <= 0.0) return;
  RUT_FOR_LANES(i, lanes) {
    const double slip = rut_clamp(direction[i] < 0.0 ? -x[i] : x[i], 0.0, 1.0);
    const double turn = rut_atan2(rut_min(rut_abs(y[i]), RUT_STRESS_MOST_SLIP), 1.0 - slip);
    in->inverse_x[i] = 1.0 / (law->shear_x + law->shear_x_angle * turn);
    in->inverse_y[i] = 1.0 / (law->shear_y + law->shear_y_angle * turn);
  }
}

// Soil that earlier passes have pressed: its surface, and the line on which it is loaded again.
RUT_INLINE void rut_split_pressed(const rutStressLaw* law, int i, rutStressIn* in) {
  const double pressed = in->pressed[i], k = in->k_side[i] / in->width[i] + in->k_plate[i];
  const double springs = rut_rebound_again(law, k, pressed);
  const double pressure = rut_power(in->softened[i] * pressed, in->exponent[i]);
  in->surface[i] = pressed - springs;
  in->line[i] = pressed > 0.0 ? pressure / rut_max(springs, RUT_LEAST_DIVISOR) : 0.0;
}

// Prints that wheels roll out of: within the length in which what they lift goes into resistance,
// but no more than that of the contact.
RUT_INLINE void rut_split_prints(const rutStressLaw* law, const rutSinkIn* from,
                                 rutStressBlock block, rutStressIn* in) {
  const int lanes = block.lanes;
  static const double LEAST_SQUARE = 1e-12;  // of half the contact's length [m2]
  rutStressRow distance, resistance, depth;
  RUT_FOR_LANES(i, lanes) {
    const int w = rut_split_wheel(block, i);
    distance[i] = from->distance[w];
    // that of the soil alone
    const double tyre = from->tyre_stiffness[w] < RUT_RIGID ? law->carcass : 0.0;
    resistance[i] = rut_max(from->resistance[w] - tyre, 0.0);
    depth[i] = from->depth[w];
  }
  RUT_FOR_LANES(i, lanes) {
    const double footprint = in->footprint[i], k = in->k_side[i] / in->width[i] + in->k_plate[i];
    const double rebound = footprint > 0.0 ? rut_rebound_again(law, k, footprint) : 1.0;
    const double drop = rut_clamp(rut_max(depth[i], footprint), 0.0, in->radius[i]);
    const double contact = rut_sqrt(rut_max(drop * (2.0 * in->radius[i] - drop), LEAST_SQUARE));
    in->footprint_rebound[i] = rebound;
    in->lasts[i] = 1.0 / (1.0 + distance[i] * rut_max(resistance[i] / rebound, 1.0 / contact));
  }
}

// Passes make soil firmer: X = X_0 (1 + (1 - e^(-s/k_1)) k_2 + k_3 n) for cohesion and weight,
// after n passes with the slip s (Senatore and Sandu, J. Terramechanics 48 (2011), after Harnisch).
RUT_INLINE void rut_split_passes(const rutStressLaw* law, const rutSinkIn* from,
                                 rutStressBlock block, rutStressIn* in) {
  const int lanes = block.lanes;
  for (int i = 0; i < lanes; i++) {
    const int w = rut_split_wheel(block, i);
    const double slip = rut_clamp(from->pass_slip[w], 0.0, 1.0);
    const double slipped = law->pass_slip_gain * (1.0 - rut_exp(-slip * law->per_pass_slip));
    in->firmer[i] = 1.0 + slipped + law->pass_gain * rut_max(from->passes[w], 0.0);
  }
}

// Bulldozing of soil made firmer: its weight by passes, its cohesion by place as well.
RUT_INLINE void rut_split_bulldozing(const rutStressLaw* law, int lanes, rutStressIn* in) {
  RUT_FOR_LANES(i, lanes) {
    const double firmer = in->firmer[i], cohesion = firmer * in->stiffer[i];
    in->side_a[i] = cohesion * law->side_cohesion;
    in->side_b[i] = firmer * law->side_weight;
    in->front_a[i] = cohesion * law->front_cohesion;
    in->front_b[i] = firmer * law->front_weight;
    in->firmer[i] = cohesion;
  }
}

// Soil of the places.
RUT_INLINE void rut_split_places(const rutStressLaw* law, const rutSoilPlaces* places,
                                 rutStressBlock block, rutStressIn* in) {
  const int lanes = block.lanes;
  for (int i = 0; i < lanes; i++) {
    const int w = rut_split_wheel(block, i);
    const double stiffer = rut_place_stiffens(law, places, w);
    in->stiffer[i] = stiffer;
    in->k_side[i] *= stiffer;
    in->k_plate[i] *= stiffer;
    in->soft_depth[i] = rut_place_soft_depth(law, places, w);
  }
}

// The soil that wheels meet.
RUT_INLINE void rut_split_soil(const rutStressLaw* law, const rutSinkIn* from, rutStressBlock block,
                               rutStressIn* in) {
  const int lanes = block.lanes;
  rutStressRow earlier = {0};
  double used = 0.0, deepest_footprint = 0.0;
  if (from->footprint) {
    const double* given = from->footprint;
    RUT_FOR_LANES(i, lanes) { earlier[i] = given[rut_split_wheel(block, i)]; }
  }
#pragma omp simd reduction(max : used, deepest_footprint)
  for (int i = 0; i < lanes; i++) {
    const double pressed = from->pressed[rut_split_wheel(block, i)], footprint = earlier[i];
    in->pressed[i] = pressed;
    // on soil that others have pressed as deep, the line is that of its own
    const double own = footprint > rut_max(pressed, RUT_LEAST_FOOTPRINT) ? footprint : 0.0;
    in->footprint[i] = own;
    in->k_side[i] = law->k_c;
    in->k_plate[i] = law->k_phi;
    in->surface[i] = in->line[i] = 0.0;
    in->footprint_rebound[i] = in->lasts[i] = in->firmer[i] = in->stiffer[i] = 1.0;
    in->soft_depth[i] = law->soft_depth;
    used = rut_max(used, pressed);
    deepest_footprint = rut_max(deepest_footprint, own);
  }
  if (from->passes && (law->pass_gain > 0.0 || law->pass_slip_gain > 0.0)) {
    rut_split_passes(law, from, block, in);
  }
  if (law->reece > 0.0 || law->reece_width > 0.0) {
    RUT_FOR_LANES(i, lanes) {
      const double scale = rut_power(in->width[i], -in->exponent[i]);
      in->k_side[i] = 0.0;
      in->k_plate[i] = in->firmer[i] * (law->reece + law->reece_width * in->width[i]) * scale;
    }
  }
  if (from->places) rut_split_places(law, from->places, block, in);
  rut_split_bulldozing(law, lanes, in);
  if (used > 0.0) {
    RUT_FOR_LANES(i, lanes) { rut_split_pressed(law, i, in); }
  }
  if (deepest_footprint > 0.0) rut_split_prints(law, from, block, in);
}

// Where the search begins: where it is expected, at the last step's sinkage, else half way.
RUT_INLINE void rut_split_start(const rutStressLaw* law, const rutSinkIn* from,
                                rutStressBlock block, const rutStressIn* in, rutSplit* s) {
  const int lanes = block.lanes;
  static const double LOW = 1e-25;        // lowest penetration of the search, part of its range
  static const double MOST_CHANGE = 0.1;  // of the penetration in a step
  const double* expected = from->expected ? from->expected : from->sinkage;
  const double steps = from->dt > 0.0 ? 1.0 / from->dt : 0.0, damps = from->dt > 0.0 ? 1.0 : 0.0;
  RUT_FOR_LANES(i, lanes) {
    const int w = rut_split_wheel(block, i);
    const double depth = from->depth[w], before = rut_min(from->sinkage[w], depth);
    const double damping = damps * from->tyre_damping[w], stiffness = from->tyre_stiffness[w];
    const double lifts = in->footprint_rebound[i] / in->lasts[i];
    const double footprint = in->footprint[i], left = footprint - lifts;
    const double own = footprint > 0.0 ? left : 0.0;
    const double lowest = rut_max(in->surface[i], own), range = rut_max(depth - lowest, 0.0);
    const double carried = from->tyre_load[w] + damping * from->rate[w];
    const double steep = stiffness + damping * steps, low = LOW * range, known = before - lowest;
    const int touches = (range > 0.0) & (carried + steep * known > 0.0);
    const int inside = (known > low) & (known <= range);
    s->lowest[i] = lowest;
    s->range[i] = range;
    s->depth[i] = depth;
    s->before[i] = before;
    s->carried[i] = carried;
    s->tyre_k[i] = stiffness;
    s->tyre_c[i] = damping;
    s->steep[i] = steep;
    s->sinks[i] = law->damping * steps;
    s->flattens[i] = stiffness < RUT_RIGID ? 1.0 : 0.0;
    s->low[i] = low;
    s->high[i] = range;
    // the last change goes on, as far as it is a small part of the penetration
    const double change =
        rut_clamp(expected[w] - from->sinkage[w], -MOST_CHANGE * known, MOST_CHANGE * known);
    s->through[i] = inside ? rut_min(known + change, range) : 0.5 * range;
    s->last[i] = s->last_force[i] = s->load[i] = s->sinkage[i] = s->slope[i] = s->softens[i] = 0.0;
    s->settled[i] = touches ? 0.0 : 1.0;
    s->touches[i] = touches ? 1.0 : 0.0;
  }
}

// Judges the present penetration. Within `error` of the load the rest of the way is taken as
// straight. Slopes come from the last two places where there are two.
RUT_INLINE void rut_split_judge(const rutStressOut* out, double error, int pass, int i,
                                rutSplit* s) {
  static const double APART = 1e-5;  // places whose difference tells a slope, over the penetration
  static const double NARROW = 1e-12;  // range that is settled, likewise
  const double y = s->through[i], z = s->lowest[i] + y, before = s->before[i], steep = s->steep[i];
  const double sinking = z > before ? s->sinks[i] * out->area[i] : 0.0;
  const double force = out->load[i] + sinking * (z - before);
  const double softens = s->flattens[i] * out->by_deflection[i], moved = y - s->last[i];
  const double known = out->by_sinkage[i] + sinking - softens;
  const int apart = pass > 0 && rut_abs(moved) > APART * y;
  const double chord = (force - s->last_force[i]) / (apart ? moved : 1.0);
  const double slope = rut_clamp(apart ? chord : known, -RUT_STEEPEST, RUT_STEEPEST);
  const double tyre = rut_max(s->carried[i] + steep * (before - z), 0.0), excess = force - tyre;
  const double low = excess < 0.0 ? y : s->low[i], high = excess < 0.0 ? s->high[i] : y;
  const double range = s->range[i];

  const int close = rut_abs(excess) <= error * tyre, narrow = high - low <= NARROW * high;
  const int beyond = excess < 0.0 && y >= range, already = s->settled[i] > 0.0;
  const double total = slope + steep, straight = -excess / (total > 0.0 ? total : 1.0);
  const double rest = total > 0.0 ? rut_clamp(straight, -0.5 * y, range - y) : 0.0;
  const double kept = s->slope[i], kept_z = s->sinkage[i], kept_load = s->load[i];
  const double found = z + rest, load = rut_max(force + slope * rest, 0.0);
  s->softens[i] = softens;
  s->slope[i] = already ? kept : slope;
  s->sinkage[i] = already ? kept_z : found;
  s->load[i] = already ? kept_load : load;
  s->low[i] = low;
  s->high[i] = high;
  s->last[i] = y;
  s->last_force[i] = force;
  s->tyre[i] = tyre;
  s->settled[i] = already || close || narrow || beyond ? 1.0 : 0.0;
}

// The next penetration of those that have not settled.
RUT_INLINE void rut_split_advance(int i, rutSplit* s) {
  static const double LEAST_FORCE = 1e-3;                         // over the tyre's
  static const double LEAST_POWER = 0.05, MOST_POWER = 4.0;       // of force by penetration
  static const double LARGEST_CUT = -0.9, LARGEST_GROWTH = 20.0;  // of what is raised to 1/power
  const double y = s->through[i], low = s->low[i], high = s->high[i], range = s->range[i];
  const double force = s->last_force[i], tyre = s->tyre[i];
  const double positive = rut_max(rut_max(force, LEAST_FORCE * tyre), RUT_LEAST_DIVISOR);
  const double power = rut_clamp(s->slope[i] * y / positive, LEAST_POWER, MOST_POWER);
  const double part = (tyre - force) / (positive + s->steep[i] * y / power);
  const double newton =
      y * rut_power(1.0 + rut_clamp(part, LARGEST_CUT, LARGEST_GROWTH), 1.0 / power);
  const double root = rut_sqrt(low * high), mean = 0.5 * (low + high);
  const double middle = high > 4.0 * low ? root : mean;
  const int inside = newton > low && newton < high;
  const int end = newton >= high && high >= range && y < range;
  const double bound = end ? range : middle, next = inside ? newton : bound;
  s->through[i] = s->settled[i] > 0.0 ? y : next;
}

// Stresses of a block of wheels.
typedef void rutStressAnswer(const rutStressLaw* law, int lanes, const rutStressIn* in,
                             rutStressOut* out);

// Numbers of the curve at the present sinkage. A function of its own: few soils have a curve that
// is no power, and in each place it would double the time that the kernels take to compile.
static __attribute__((noinline)) void rut_split_other_curve(const rutStressLaw* law, int lanes,
                                                            rutStressIn* in) {
  for (int i = 0; i < lanes; i++) {
    rut_curve_power(law, i, in);
    if (in->pressed[i] > 0.0) rut_split_pressed(law, i, in);
  }
}
RUT_INLINE void rut_split_curve(const rutStressLaw* law, int lanes, rutStressIn* in) {
  if (law->curve > 0.0) rut_split_other_curve(law, lanes, in);
}

// The slope from a small step instead of the estimate.
RUT_INLINE void rut_split_slope(const rutStressLaw* law, rutStressAnswer* answer, int lanes,
                                rutStressIn* in, rutSplit* s, const rutStressOut* out) {
  rutStressOut other;
  RUT_FOR_LANES(i, lanes) { in->sinkage[i] += RUT_SPLIT_STEP * s->through[i]; }
  rut_split_curve(law, lanes, in);
  answer(law, lanes, in, &other);
  RUT_FOR_LANES(i, lanes) {
    const double z = s->lowest[i] + s->through[i];
    const double sinking = z > s->before[i] ? s->sinks[i] * out->area[i] : 0.0;
    const double step = rut_max(RUT_SPLIT_STEP * s->through[i], RUT_LEAST_DIVISOR);
    const double slope = (other.load[i] - out->load[i]) / step + sinking - s->softens[i];
    s->slope[i] = rut_clamp(slope, -RUT_STEEPEST, RUT_STEEPEST);
  }
}

RUT_INLINE void rut_split(const rutStressLaw* law, rutStressAnswer* answer, int lanes,
                          rutStressIn* in, rutSplit* s, rutStressOut* out) {
  static const double EXACT = 1e-8, FAST = 1e-7;  // error of the load that is left, over the load
  const double error = law->nodes > RUT_STRESS_FAST ? EXACT : FAST;
  for (int pass = 0; pass < RUT_MOST_SPLITS; pass++) {
    RUT_FOR_LANES(i, lanes) {
      const double z = s->lowest[i] + s->through[i];
      in->sinkage[i] = z;
      in->deflection[i] = s->flattens[i] * (s->depth[i] - z);
    }
    rut_split_curve(law, lanes, in);
    answer(law, lanes, in, out);
    RUT_FOR_LANES(i, lanes) { rut_split_judge(out, error, pass, i, s); }
    double open = 0.0;
    for (int i = 0; i < lanes; i++) open += 1.0 - s->settled[i];
    if (open == 0.0) break;
    RUT_FOR_LANES(i, lanes) { rut_split_advance(i, s); }
  }
  if (law->nodes > RUT_STRESS_FAST || law->curve > 0.0) {
    rut_split_slope(law, answer, lanes, in, s, out);
  }
}

#endif  // RUT_SOIL_TYRE_ON_SOIL_H
