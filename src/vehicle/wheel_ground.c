// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/wheel_ground.h"

#include "vehicle/envelope.h"

enum { REFINEMENTS = 6, EDGE_HALVINGS = 16 };

// Height and slopes of the ground at n points.
static void look_below(const rutEnvironment* world, int n, const rutArcSamples* at) {
  rut_ground_surface(world->ground, world->lift, &(rutGroundPoints){n, at->x, at->y}, at->below,
                     &(rutGroundSurface){at->z, at->slope_x, at->slope_y});
}

// ---- under the hub ----

RUT_INLINE void plane_under_hub(rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.width; i++) {
    const double sx = W(gsx)[i], sy = W(gsy)[i], inverse = 1 / rut_sqrt(1 + sx * sx + sy * sy);
    const double z = W(gz)[i], distance = (W(disc_z)[i] - z) * inverse;
    W(distance)[i] = z == z ? distance : RUT_NO_GROUND;
    W(gnx)[i] = -sx * inverse;
    W(gny)[i] = -sy * inverse;
    W(gnz)[i] = inverse;
  }
}

// ---- along the arc ----

// Horizontal heading of each wheel, and places along it: those under equal angles of the wheel.
RUT_INLINE void lay_samples(const rutVehicleClass* vehicle, const rutArcSamples* samples,
                            rutWheels e) {
  static const double UPRIGHT = 1e-9;  // level part of a heading that points up or down
  const double* sine = vehicle->sine;
  const int at = e.first;
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double length = rut_sqrt(W(fx)[i] * W(fx)[i] + W(fy)[i] * W(fy)[i]);
    const double inverse = length > UPRIGHT ? 1 / length : 0;
    W(ex)[i] = W(fx)[i] * inverse;
    W(ey)[i] = W(fy)[i] * inverse;
  }
  for (int j = 0; j < vehicle->slices; j++) {
    double *x = samples->x + j * e.n, *y = samples->y + j * e.n, *below = samples->below + j * e.n;
#pragma omp simd
    for (int i = 0; i < e.n; i++) {
      const double u = vehicle->radius[at + i] * sine[j];
      x[i] = W(disc_x)[i] + u * W(ex)[i];
      y[i] = W(disc_y)[i] + u * W(ey)[i];
      below[i] = W(look_z)[i];
    }
  }
}

// Half the squared distance from the hub, and its slope along the heading.
RUT_INLINE double half_square(double u, double rise) { return 0.5 * (u * u + rise * rise); }

// How far the hub is above ground of height z that is met beside it. Ground higher than the hub has
// a face at the height of the hub: a wheel meets a wall there, just below the hub.
static const double LEAST_RISE = 0.05;  // of the radius
RUT_INLINE double rise_over(double hub, double z, double radius) {
  const double rise = hub - z, least = LEAST_RISE * radius;
  // no ground: NaN stays
  return rise < least ? least : rise;
}

// The nearest sample.
RUT_INLINE void pick_nearest(const rutVehicleClass* vehicle, const rutArcSamples* samples,
                             rutWheels e) {
  const double* sine = vehicle->sine;
  const int at = e.first;
  for (int i = 0; i < e.n; i++) {
    W(best_value)[i] = RUT_NO_LIMIT;
    W(nearest)[i] = 0;
  }
  for (int j = 0; j < vehicle->slices; j++) {
    const double* z = samples->z + j * e.n;
#pragma omp simd
    for (int i = 0; i < e.n; i++) {
      const double radius = vehicle->radius[at + i], u = radius * sine[j];
      const double value = half_square(u, rise_over(W(disc_z)[i], z[i], radius));
      const double best = W(best_value)[i], before = W(nearest)[i];
      const int nearer = value < best;
      W(best_value)[i] = nearer ? value : best;
      W(nearest)[i] = nearer ? (double)j : before;
    }
  }
}

// The nearest sample as the best place, and its neighbours as the bracket of the nearest place.
RUT_INLINE void bracket_nearest(const rutVehicleClass* vehicle, const rutArcSamples* samples,
                                rutWheels e) {
  const double* sine = vehicle->sine;
  const int at = e.first;
  const double *z = samples->z, *sx = samples->slope_x, *sy = samples->slope_y;
  const int last = vehicle->slices - 1;
  for (int i = 0; i < e.n; i++) {
    const int j = (int)W(nearest)[i], before = j > 0 ? j - 1 : 0, after = j < last ? j + 1 : last;
    const int best = j * e.n + i, low = before * e.n + i, high = after * e.n + i;
    const double r = vehicle->radius[at + i];
    W(best_u)[i] = r * sine[j];
    W(best_z)[i] = z[best];
    W(best_sx)[i] = sx[best];
    W(best_sy)[i] = sy[best];
    W(low)[i] = r * sine[before];
    W(high)[i] = r * sine[after];
    W(low_z)[i] = z[low];
    W(high_z)[i] = z[high];
    W(low_grade)[i] = sx[low] * W(ex)[i] + sy[low] * W(ey)[i];
    W(high_grade)[i] = sx[high] * W(ex)[i] + sy[high] * W(ey)[i];
  }
}

// The ground at both ends of a bracket, along the heading.
typedef struct Bracket {
  double low, high, low_z, high_z, low_grade, high_grade;
} Bracket;

RUT_INLINE Bracket bracket_of(rutWheels e, int i) {
  return (Bracket){W(low)[i],    W(high)[i],      W(low_z)[i],
                   W(high_z)[i], W(low_grade)[i], W(high_grade)[i]};
}

// Whether the ground in a bracket rises as two straight lines with a kink do, not as a curve does,
// whose rise its slopes at the ends tell. (A kink in the middle is one in the next bracket.)
RUT_INLINE int has_kink(Bracket b) {
  static const double BENT = 0.05;  // what the slopes leave of the rise, over the change of slope
  const double run = b.high - b.low, turn = run * (b.high_grade - b.low_grade);
  const double rest = b.high_z - b.low_z - 0.5 * run * (b.low_grade + b.high_grade);
  return rut_abs(rest) > BENT * rut_abs(turn);
}

RUT_INLINE double kink_of(Bracket b) {
  const double rise = b.high_z - b.low_z - b.high_grade * (b.high - b.low);
  return b.low + rise / (b.low_grade - b.high_grade);
}

// Nearest place of two straight lines to a hub at height z: on one of them, or at the kink.
RUT_INLINE double least_of_lines(Bracket b, double z) {
  const double kink = kink_of(b);
  const double low = b.low - (z - b.low_z) * b.low_grade;
  const double high = b.high - (z - b.high_z) * b.high_grade;
  const double on_low = b.low - low / (1 + b.low_grade * b.low_grade);
  const double on_high = b.high - high / (1 + b.high_grade * b.high_grade);
  return rut_max(rut_min(on_low, kink), on_high);
}

// Least of the cubic that has the values and slopes of half the squared distance from a hub at
// height z at both ends (Nocedal and Wright 2006, eq. 3.59).
RUT_INLINE double least_of_cubic(Bracket b, double z) {
  const double run = b.high - b.low, low_rise = z - b.low_z, high_rise = z - b.high_z;
  const double low = b.low - low_rise * b.low_grade, high = b.high - high_rise * b.high_grade;
  const double fall = half_square(b.low, low_rise) - half_square(b.high, high_rise);
  const double bend = low + high + 3 * fall / run;
  const double root = rut_sqrt(rut_max(bend * bend - low * high, 0));
  return b.high - run * (high + root - bend) / (high - low + 2 * root);
}

// Wheels whose best place is level as seen along the arc, so that the distance is exact to
// rounding, or at a kink, or closely bracketed. Returns whether all are.
RUT_INLINE bool mark_settled(const rutVehicleClass* vehicle, rutWheels e) {
  static const double LEVEL = 3e-8, NEAR = 1e-9, NARROW = 1e-7;
  const int at = e.first;
  double least = 1;
#pragma omp simd reduction(min : least)
  for (int i = 0; i < e.n; i++) {
    const double radius = vehicle->radius[at + i], u = W(best_u)[i];
    const double slope = W(best_sx)[i] * W(ex)[i] + W(best_sy)[i] * W(ey)[i];
    const double rate = u - (W(disc_z)[i] - W(best_z)[i]) * slope;
    const Bracket b = bracket_of(e, i);
    const double level = rut_abs(rate) < LEVEL * radius ? 1.0 : 0.0;
    const double there = rut_abs(least_of_lines(b, W(disc_z)[i]) - u) < NEAR * radius ? 1.0 : 0.0;
    const double narrow = b.high - b.low < NARROW * radius ? 1.0 : 0.0;
    const double settled = rut_max(rut_max(level, narrow), has_kink(b) ? there : 0);
    W(settled)[i] = settled;
    least = rut_min(least, settled);
  }
  return least > 0;
}

// Where to look next: in turn where two lines or a smooth curve between the ends of the bracket are
// nearest, and where the slope of the last two places says; in the middle where that leaves the
// bracket.
RUT_INLINE void choose_place(rutWheels e, int pass) {
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const Bracket b = bracket_of(e, i);
    const double bent = least_of_lines(b, W(disc_z)[i]), smooth = least_of_cubic(b, W(disc_z)[i]);
    const double model = has_kink(b) ? bent : smooth;
    const double best = W(best_u)[i], slope = W(best_sx)[i] * W(ex)[i] + W(best_sy)[i] * W(ey)[i];
    const double rate = best - (W(disc_z)[i] - W(best_z)[i]) * slope;
    const double secant = best - rate * (best - W(other_u)[i]) / (rate - W(other_rate)[i]);
    const double wanted = pass % 2 ? secant : model;
    const int inside = (wanted > b.low) & (wanted < b.high);
    const double u = inside ? wanted : 0.5 * (b.low + b.high);
    W(try_u)[i] = u;
    W(try_x)[i] = W(disc_x)[i] + u * W(ex)[i];
    W(try_y)[i] = W(disc_y)[i] + u * W(ey)[i];
  }
}

RUT_INLINE void take_place(const rutVehicleClass* vehicle, rutWheels e) {
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double u = W(try_u)[i], z = W(try_z)[i];
    const double rise = rise_over(W(disc_z)[i], z, vehicle->radius[e.first + i]);
    const double slope_x = W(try_sx)[i], slope_y = W(try_sy)[i];
    const double grade = slope_x * W(ex)[i] + slope_y * W(ey)[i], rate = u - rise * grade;
    // what has settled stays: its result does not depend on how long others take
    const double moves = 1 - W(settled)[i],
                 value = half_square(u, rise) + RUT_NO_LIMIT * W(settled)[i];
    const double best = W(best_value)[i], best_u = W(best_u)[i], best_z = W(best_z)[i];
    const double best_sx = W(best_sx)[i], best_sy = W(best_sy)[i];
    const Bracket b = bracket_of(e, i);
    // no ground there: NaN, and nothing changes
    const double turn = moves * rate;
    const int nearer = value < best, falling = turn<0, rising = turn> 0;
    const double best_grade = best_sx * W(ex)[i] + best_sy * W(ey)[i];
    const double best_rate = best_u - (W(disc_z)[i] - best_z) * best_grade;
    W(other_u)[i] = nearer ? best_u : u;
    W(other_rate)[i] = nearer ? best_rate : rate;
    W(best_value)[i] = nearer ? value : best;
    W(best_u)[i] = nearer ? u : best_u;
    W(best_z)[i] = nearer ? z : best_z;
    W(best_sx)[i] = nearer ? slope_x : best_sx;
    W(best_sy)[i] = nearer ? slope_y : best_sy;
    W(low)[i] = falling ? u : b.low;
    W(low_z)[i] = falling ? z : b.low_z;
    W(low_grade)[i] = falling ? grade : b.low_grade;
    W(high)[i] = rising ? u : b.high;
    W(high_z)[i] = rising ? z : b.high_z;
    W(high_grade)[i] = rising ? grade : b.high_grade;
  }
}

// The plane at the nearest place: its normal points to the hub in the wheel's plane and leans
// sideways with the ground. A hub below its ground keeps the plane under it.
RUT_INLINE void plane_at_nearest(const rutVehicleClass* vehicle, rutWheels e) {
  const int at = e.first;
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double radius = vehicle->radius[at + i], u = W(best_u)[i], value = W(best_value)[i];
    const double rise = rise_over(W(disc_z)[i], W(best_z)[i], radius),
                 over = W(disc_z)[i] - W(gz)[i];
    const double found = value < 0.1 * RUT_NO_LIMIT ? 1.0 : 0.0;
    const double buried = over <= LEAST_RISE * radius ? 1.0 : 0.0;
    const int usable = found * (1 - buried) > 0;
    const double far = usable ? rut_sqrt(2 * value) : 1, inverse = 1 / far;
    const double across = -W(best_sx)[i] * W(ey)[i] + W(best_sy)[i] * W(ex)[i];
    const double along = -u * inverse, up = rise * inverse, left = -across * up;
    const double length = rut_sqrt(1 + left * left), unit = 1 / length;
    const double nx = (along * W(ex)[i] - left * W(ey)[i]) * unit;
    const double ny = (along * W(ey)[i] + left * W(ex)[i]) * unit;
    const double away = far * unit, nz = up * unit;
    W(distance)[i] = usable ? away : W(distance)[i];
    W(gnx)[i] = usable ? nx : W(gnx)[i];
    W(gny)[i] = usable ? ny : W(gny)[i];
    W(gnz)[i] = usable ? nz : W(gnz)[i];
  }
}

// An upright edge between two samples: the interval that could hold the nearest place, if the
// ground between its ends rises by more than the slopes at them tell. True if some wheel has one.
RUT_INLINE bool pick_edge(const rutVehicleClass* vehicle, const rutArcSamples* samples,
                          rutWheels e) {
  const double* sine = vehicle->sine;
  static const double STEEP = 0.1;  // unexplained rise over the length of the interval
  const int at = e.first;
  double found = 0;
  for (int i = 0; i < e.n; i++) {
    W(edge_bound)[i] = W(best_value)[i];
    W(edge)[i] = -1;
  }
  for (int j = 0; j + 1 < vehicle->slices; j++) {
    const double *z0 = samples->z + j * e.n, *z1 = z0 + e.n;
    const double *x0 = samples->slope_x + j * e.n, *x1 = x0 + e.n;
    const double *y0 = samples->slope_y + j * e.n, *y1 = y0 + e.n;
#pragma omp simd reduction(max : found)
    for (int i = 0; i < e.n; i++) {
      const double a = vehicle->radius[at + i] * sine[j], b = vehicle->radius[at + i] * sine[j + 1];
      const double za = z0[i], zb = z1[i], top = rut_max(za, zb);
      const double inner = rut_max(rut_max(a, -b), 0);
      const double rise = rise_over(W(disc_z)[i], top, vehicle->radius[at + i]);
      const double bound = half_square(inner, rise);
      const double told = 0.5 * ((x0[i] + x1[i]) * W(ex)[i] + (y0[i] + y1[i]) * W(ey)[i]);
      const double jump = rut_abs(zb - za - told * (b - a)) - STEEP * (b - a);
      const double old = W(edge_bound)[i], before = W(edge)[i];
      const int nearer = (bound < old) & (jump > 0);
      W(edge_bound)[i] = nearer ? bound : old;
      W(edge)[i] = nearer ? (double)j : before;
      found = rut_max(found, nearer ? 1.0 : 0.0);
    }
  }
  return found > 0;
}

// The interval with the edge, from its lower to its upper end; none is where the best place is.
RUT_INLINE void bracket_edge(const rutVehicleClass* vehicle, const rutArcSamples* samples,
                             rutWheels e) {
  const double* sine = vehicle->sine;
  const int at = e.first;
  const double* z = samples->z;
  for (int i = 0; i < e.n; i++) {
    const int j = (int)W(edge)[i];
    W(edge_low)[i] = W(edge_high)[i] = W(best_u)[i];
    W(edge_z)[i] = W(edge_level)[i] = W(best_z)[i];
    if (j < 0) continue;
    const double r = vehicle->radius[at + i], a = r * sine[j], b = r * sine[j + 1];
    const double za = z[j * e.n + i], zb = z[(j + 1) * e.n + i];
    W(edge_low)[i] = zb > za ? a : b;
    W(edge_high)[i] = zb > za ? b : a;
    W(edge_z)[i] = rut_max(za, zb);
    W(edge_level)[i] = 0.5 * (za + zb);
  }
}

// Halve the interval until the edge is found, and take the edge's upper side if it is nearer.
RUT_INLINE void meet_edge(const rutEnvironment* world, const rutVehicleClass* vehicle,
                          rutWheels e) {
  const rutArcSamples try = {W(try_x), W(try_y), W(look_z), W(try_z), W(try_sx), W(try_sy)};
  for (int pass = 0; pass < EDGE_HALVINGS; pass++) {
    for (int i = 0; i < e.n; i++) {
      const double u = 0.5 * (W(edge_low)[i] + W(edge_high)[i]);
      W(try_u)[i] = u;
      W(try_x)[i] = W(disc_x)[i] + u * W(ex)[i];
      W(try_y)[i] = W(disc_y)[i] + u * W(ey)[i];
    }
    look_below(world, e.n, &try);
    for (int i = 0; i < e.n; i++) {
      if (W(try_z)[i] > W(edge_level)[i]) {
        W(edge_high)[i] = W(try_u)[i];
        W(edge_z)[i] = W(try_z)[i];
      } else {
        W(edge_low)[i] = W(try_u)[i];
      }
    }
  }
  for (int i = 0; i < e.n; i++) {
    const double u = W(edge_high)[i], z = W(edge_z)[i];
    const double rise = rise_over(W(disc_z)[i], z, vehicle->radius[e.first + i]);
    const double value = half_square(u, rise);
    if (W(edge_bound)[i] >= W(best_value)[i] || !(value < W(best_value)[i])) continue;
    W(best_value)[i] = value;
    W(best_u)[i] = u;
    W(best_z)[i] = z;
  }
}

RUT_INLINE void search_arc(const rutEnvironment* world, const rutVehicleClass* vehicle,
                           const rutArcSamples* samples, rutWheels e) {
  const rutArcSamples try = {W(try_x), W(try_y), W(look_z), W(try_z), W(try_sx), W(try_sy)};
  lay_samples(vehicle, samples, e);
  look_below(world, vehicle->slices * e.n, samples);
  pick_nearest(vehicle, samples, e);
  bracket_nearest(vehicle, samples, e);
  for (int pass = 0; pass < (vehicle->refine ? REFINEMENTS : 0); pass++) {
    if (mark_settled(vehicle, e)) break;
    choose_place(e, pass);
    look_below(world, e.n, &try);
    take_place(vehicle, e);
  }
  if (vehicle->refine && pick_edge(vehicle, samples, e)) {
    bracket_edge(vehicle, samples, e);
    meet_edge(world, vehicle, e);
  }
  plane_at_nearest(vehicle, e);
}

// ---- wheels that come from below ----

// How deep a wheel may be at once in ground that it did not touch in the last step, beside what it
// moves in a step: more where it moves into it than where it moves out, and most where it looks
// under its hub only, and meets an upright step at once. One that comes from below is deeper.
static const double FIRST_DEPTH = 0.1, HUB_DEPTH = 0.25, LEAVING_DEPTH = 0.02;  // of the radius

RUT_INLINE double step_of_hub(const rutEnvironment* world, rutWheels e, int i) {
  return world->dt * (rut_abs(W(vhx)[i]) + rut_abs(W(vhy)[i]) + rut_abs(W(vhz)[i]));
}

// Speed of a hub along the normal of its ground. Velocities are in the chassis's axes.
RUT_INLINE double speed_away(rutWheels e, int i) {
  const double gx = W(gnx)[i], gy = W(gny)[i], gz = W(gnz)[i];
  const double nx = V(r0, i) * gx + V(r3, i) * gy + V(r6, i) * gz;
  const double ny = V(r1, i) * gx + V(r4, i) * gy + V(r7, i) * gz;
  const double nz = V(r2, i) * gx + V(r5, i) * gy + V(r8, i) * gz;
  return W(vhx)[i] * nx + W(vhy)[i] * ny + W(vhz)[i] * nz;
}

// Level ground and no more, which a wheel cannot come under.
RUT_INLINE bool is_bare(const rutGround* ground) {
  return ground->sources == 0 && ground->shapes == 0;
}

// What vehicles are put on carries them, however deep they are in it, and kinematic ones always.
RUT_INLINE bool any_depth(const rutEnvironment* world, const rutVehicleBatch* batch) {
  return world->step == 0 || batch->vehicle->control.imposes_twist;
}

// 1 for wheels that were in the ground in the last step, those in their ruts without load included.
RUT_INLINE int was_in_ground(const rutVehicleBatch* batch, int i) {
  return (RUT_STATE(batch, load)[i] > 0) | (RUT_SPATIAL_STATE(batch, deflection)[i] > 0) |
         (RUT_SPATIAL_STATE(batch, sinkage)[i] > 0);
}

// Height below which ground is looked for, RUT_GROUND_STEP above it included: a wheel on its ground
// may be pressed in by more than its radius; one that touched none does not pass up through it. A
// kinematic one, which has hung over a gap, climbs what is up to a radius higher.
RUT_INLINE void look_down(const rutEnvironment* world, const rutVehicleBatch* batch, rutWheels e) {
  const double* radius = batch->vehicle->radius + e.first;
  const bool any = any_depth(world, batch);
  const double climb = batch->vehicle->control.imposes_twist ? 1 : 0;
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double reach = rut_min(step_of_hub(world, e, i), RUT_GROUND_STEP) - RUT_GROUND_STEP;
    const int near = any | was_in_ground(batch, e.first + i);
    W(look_z)[i] = W(disc_z)[i] + (near ? climb * radius[i] : reach);
  }
}

// Ground that a wheel cannot have come to from above is none.
RUT_INLINE void ignore_from_below(const rutEnvironment* world, const rutVehicleBatch* batch,
                                  rutWheels e) {
  const double* radius = batch->vehicle->radius + e.first;
  const double first = batch->vehicle->search == RUT_CONTACT_POINT ? HUB_DEPTH : FIRST_DEPTH;
  if (is_bare(world->ground) || any_depth(world, batch)) return;
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    const double away = speed_away(e, i);
    const double entering = rut_max(first * radius[i], step_of_hub(world, e, i));
    const double most = away > 0 ? LEAVING_DEPTH * radius[i] : entering;
    const double depth = radius[i] - W(distance)[i];
    const int carries = was_in_ground(batch, e.first + i) | (depth <= most);
    W(distance)[i] = carries ? W(distance)[i] : RUT_NO_GROUND;
  }
}

// ---- all wheels ----

RUT_INLINE void meet_disc(const rutEnvironment* world, const rutVehicleBatch* batch,
                          const rutArcSamples* samples, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const bool bare = is_bare(world->ground);
  const rutArcSamples under = {W(disc_x), W(disc_y), bare ? W(disc_z) : W(look_z),
                               W(gz),     W(gsx),    W(gsy)};
  if (!bare) look_down(world, batch, e);
  look_below(world, e.n, &under);
  for (int from = 0; from < e.n; from += e.width) plane_under_hub(rut_part(e, from));
  if (vehicle->search != RUT_CONTACT_POINT && !bare) search_arc(world, vehicle, samples, e);
}

// A wide wheel as discs side by side. Each carries in proportion to its depth; together they act
// like one disc on the plane that has their mean depth and direction.
RUT_INLINE void meet_discs(const rutEnvironment* world, const rutVehicleBatch* batch,
                           const rutArcSamples* samples, rutWheels e) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int at = e.first;
  const int discs = vehicle->width_slices;
  double* disc[3] = {W(disc_x), W(disc_y), W(disc_z)};
  const double* hub[3] = {W(hx), W(hy), W(hz)};
  const double* axis[3] = {W(wx), W(wy), W(wz)};
  double* sum[5] = {W(sum_depth), W(sum_x), W(sum_y), W(sum_z), W(sum_shift)};
  for (int c = 0; c < 5; c++) {
    for (int i = 0; i < e.n; i++) sum[c][i] = 0;
  }
  for (int k = 0; k < discs; k++) {
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < e.n; i++) {
        disc[c][i] = hub[c][i] + ((k + 0.5) / discs - 0.5) * vehicle->width[at + i] * axis[c][i];
      }
    }
    meet_disc(world, batch, samples, e);
    for (int i = 0; i < e.n; i++) {
      const double sine = W(gnx)[i] * axis[0][i] + W(gny)[i] * axis[1][i] + W(gnz)[i] * axis[2][i];
      const double in = rut_sqrt(rut_max(1 - sine * sine, 0));
      const double depth = rut_max(vehicle->radius[at + i] * in - W(distance)[i], 0);
      W(sum_depth)[i] += depth;
      W(sum_x)[i] += depth * W(gnx)[i];
      W(sum_y)[i] += depth * W(gny)[i];
      W(sum_z)[i] += depth * W(gnz)[i];
      W(sum_shift)[i] += depth * ((k + 0.5) / discs - 0.5) * vehicle->width[at + i];
    }
  }
  for (int i = 0; i < e.n; i++) {
    W(crown)[i] = 0;
    const double total = W(sum_depth)[i];
    // nothing touches: the last disc's plane is as good as any
    if (!(total > 0)) {
      W(shift)[i] = 0;
      continue;
    }
    const double length =
        rut_sqrt(W(sum_x)[i] * W(sum_x)[i] + W(sum_y)[i] * W(sum_y)[i] + W(sum_z)[i] * W(sum_z)[i]);
    W(gnx)[i] = W(sum_x)[i] / length;
    W(gny)[i] = W(sum_y)[i] / length;
    W(gnz)[i] = W(sum_z)[i] / length;
    const double sine = W(gnx)[i] * axis[0][i] + W(gny)[i] * axis[1][i] + W(gnz)[i] * axis[2][i];
    const double reach = vehicle->radius[at + i] * rut_sqrt(rut_max(1 - sine * sine, 0));
    W(distance)[i] = reach - total / discs;
    W(shift)[i] = W(sum_shift)[i] / total;
  }
}

RUT_INLINE void wheel_ground(const rutEnvironment* world, const rutVehicleBatch* batch,
                             const rutArcSamples* samples, rutWheels at, rutSizes of) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutWheels e = {at.row, of.n, of.width, at.first, of.lanes, at.chassis};
#pragma omp simd
  for (int i = 0; i < e.n; i++) {
    W(crown)[i] = vehicle->crown[e.first + i];
    W(shift)[i] = 0;
    W(gain)[i] = W(rate_gain)[i] = 1;
    W(side_depth)[i] = W(faced)[i] = W(unpaid_travel)[i] = 0;
  }
  if (vehicle->width_slices > 1) {
    meet_discs(world, batch, samples, e);
  } else {
#pragma omp simd
    for (int i = 0; i < e.n; i++) {
      W(disc_x)[i] = W(hx)[i];
      W(disc_y)[i] = W(hy)[i];
      W(disc_z)[i] = W(hz)[i];
    }
    meet_disc(world, batch, samples, e);
  }
  const bool envelops = vehicle->envelops && !vehicle->control.imposes_twist;
  if (envelops && !is_bare(world->ground)) rut_envelope(world, batch, e);
  ignore_from_below(world, batch, e);
}

RUT_WHEEL_SIZES(wheel_ground,
                (const rutEnvironment* world, const rutVehicleBatch* batch,
                 const rutArcSamples* samples, rutWheels at),
                world, batch, samples, at)

void rut_wheel_ground(const rutEnvironment* world, const rutVehicleBatch* batch,
                      const rutArcSamples* samples, rutWheels e) {
  wheel_ground_all(world, batch, samples, e);
}
