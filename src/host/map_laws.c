// SPDX-License-Identifier: BSD-3-Clause
//
// Laws of speed made good that need neither map nor simulation.
#include <stdlib.h>

#include "math/normal.h"
#include "math/rut_math.h"
#include "rut/map.h"
#include "rut/plan.h"

const char* rut_map_reason_name(rutMapReason reason) {
#define X(name, word, doc) #word,
  static const char* const names[] = {RUT_MAP_REASON_LIST(X)};
#undef X
  return (int)reason >= 0 && reason < RUT_MAP_REASONS ? names[reason] : "";
}

const char* rut_map_reason_doc(rutMapReason reason) {
#define X(name, word, doc) doc,
  static const char* const docs[] = {RUT_MAP_REASON_LIST(X)};
#undef X
  return (int)reason >= 0 && reason < RUT_MAP_REASONS ? docs[reason] : "";
}

double rut_map_sight_speed(double sight, double a, double reaction) {
  return rut_plan_sight_speed(sight, a, reaction);
}

double rut_map_obstacle_speed(double crossing, double spacing, double most, double acceleration,
                              double deceleration) {
  if (crossing >= most || spacing == RUT_INFINITY) return most;
  if (!(crossing > 0)) return 0;
  if (!(spacing > 0) || !(acceleration > 0) || !(deceleration > 0)) return crossing;
  // up to the peak at one rate and down from it at the other, over the whole distance
  const double both = acceleration * deceleration / (acceleration + deceleration);
  const double peak = rut_min(most, rut_sqrt(crossing * crossing + 2 * spacing * both));
  const double changing = (peak - crossing) / both;
  const double way = 0.5 * (peak + crossing) * changing;
  return spacing / (changing + rut_max(0, spacing - way) / peak);
}

double rut_map_mean_speed(int n, const double* speed) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    if (!(speed[i] > 0)) return 0;
    sum += 1 / speed[i];
  }
  return n > 0 ? n / sum : 0;
}

static int faster_first(const void* a, const void* b) {
  const rutMapPatch *p = a, *q = b;
  if (p->speed != q->speed) return p->speed > q->speed ? -1 : 1;
  return p->area > q->area ? -1 : p->area < q->area;
}

double rut_map_percentile_speed(int n, rutMapPatch* patch, double percent) {
  // what is left of an area after sums of shares, over all of it
  static const double ROUNDING = 1e-12;
  double all = 0, sum = 0, time = 0;
  for (int i = 0; i < n; i++) all += patch[i].area;
  if (n > 0) qsort(patch, (size_t)n, sizeof *patch, faster_first);
  const double wanted = all * rut_clamp(percent / 100, 0, 1);
  for (int i = 0; i < n && wanted - sum > ROUNDING * all; i++) {
    const double area = rut_min(patch[i].area, wanted - sum);
    if (!(area > 0)) continue;
    if (!(patch[i].speed > 0)) return 0;
    sum += area;
    time += area / patch[i].speed;
  }
  return time > 0 ? sum / time : 0;
}

double rut_map_quantile(double mean, double variation, double probability) {
  if (!(variation > 0)) return mean;
  const double variance = rut_log(1 + variation * variation);
  const double score = rut_normal_quantile(rut_clamp(probability, 1e-9, 1 - 1e-9));
  return mean * rut_exp(rut_sqrt(variance) * score - 0.5 * variance);
}

static double at_end(const rutMapShape* s, double overhang, double curvature) {
  return s->clearance - 0.5 * curvature * overhang * (s->wheelbase + overhang);
}

double rut_map_clearance(const rutMapShape* s, double curvature) {
  if (curvature < 0) return s->clearance + curvature * s->wheelbase * s->wheelbase / 8;
  return rut_min(at_end(s, rut_max(0, s->front), curvature),
                 at_end(s, rut_max(0, s->rear), curvature));
}

// ---- the formula ----

// Gravity on a plane over its size: along the heading (down is negative), across, and normal.
typedef struct Weight {
  double along, across, normal;
} Weight;

static Weight weight_on(double grade, double side) {
  Weight w = {.normal = 1 / rut_sqrt(1 + grade * grade + side * side),
              .along = grade / rut_sqrt(1 + grade * grade)};
  w.across = rut_sqrt(rut_max(0, 1 - w.normal * w.normal - w.along * w.along));
  return w;
}

// Net pull and motion resistance over the weight.
typedef struct Pull {
  double net, resistance;
} Pull;

static Pull pull_on(const rutMapVehicle* v, rutMapGrain grain, double strength) {
  static const double ROLLING = 0.015, SLIP = 0.2;
  if (grain == RUT_MAP_HARD) return (Pull){strength - ROLLING, ROLLING};
  const char* law = grain == RUT_MAP_FINE ? "nrmm" : "wes_sand";
  const char* resistance = grain == RUT_MAP_FINE ? "nrmm" : "wismer_luth";
  const Pull p = {rut_mobility_pull(rut_mobility_law_find(law), &v->axles, strength, SLIP),
                  rut_mobility_resistance(rut_mobility_law_find(resistance), &v->axles, strength)};
  // below the range of a law there is no pull
  return isnan(p.net) || isnan(p.resistance) ? (Pull){0, 0} : p;
}

static double effort_at(const rutMapVehicle* v, int k) { return v->effort[k] / v->weight; }

// Net pull over the weight that drive and soil leave at a speed.
static double spare(const rutMapVehicle* v, Pull pull, Weight w, int k) {
  const double speed = k * v->spacing;
  const double drive =
      effort_at(v, k) - pull.resistance * w.normal - v->drag * speed * speed / v->weight;
  return rut_min(drive, pull.net * w.normal) - w.along;
}

static double fastest(const rutMapVehicle* v, Pull pull, Weight w) {
  double before = spare(v, pull, w, 0);
  if (!(before >= 0)) return 0;
  for (int k = 1; k < v->speeds; k++) {
    const double now = spare(v, pull, w, k);
    if (now < 0) return rut_min(v->top_speed, (k - 1 + before / (before - now)) * v->spacing);
    before = now;
  }
  return v->top_speed;
}

rutMapPace rut_map_formula(const rutMapVehicle* v, rutMapGrain grain, double strength, double grade,
                           double side) {
  rutMapPace out = {{0, RUT_MAP_NO_DATA}, 0};
  if (isnan(strength) || isnan(grade) || isnan(side) || v->speeds < 1) return out;
  const Pull pull = pull_on(v, grain, strength);
  const Weight w = weight_on(grade, side);
  const double gross = pull.net + pull.resistance;
  const double tip = 0.5 * v->track / v->height * w.normal;
  const double demand = rut_hypot(w.along, w.across);
  out.deceleration = v->gravity * (rut_min(gross * w.normal, v->brakes) + w.along);
  if (!(pull.net > 0)) {
    out.limit.reason = RUT_MAP_TRACTION;
  } else if (w.across > tip || (w.across > 0 && demand > gross * w.normal && w.along <= 0)) {
    out.limit.reason = RUT_MAP_SIDE_SLOPE;
  } else if (pull.net * w.normal < w.along) {
    out.limit.reason = RUT_MAP_SLOPE;
  } else if (w.across > 0 && demand > gross * w.normal) {
    out.limit.reason = RUT_MAP_SIDE_SLOPE;
  } else {
    out.limit.speed = fastest(v, pull, w);
    out.limit.reason = out.limit.speed > 0 ? RUT_MAP_POWER : RUT_MAP_SLOPE;
  }
  return out;
}

// ---- both ways ----

static void lower(rutMapLimit* limit, double speed, rutMapReason reason) {
  if (speed < limit->speed) *limit = (rutMapLimit){speed, reason};
}

rutMapLimit rut_map_limit(const rutMapPace* pace, const rutMapPlace* place,
                          const rutMapDriver* driver, const rutMapShape* shape, double gravity) {
  rutMapLimit limit = pace->limit;
  if (!(limit.speed > 0)) return (rutMapLimit){0, limit.reason};
  if (isnan(place->curvature) || isnan(place->ride) || isnan(place->crossing) ||
      isnan(place->spacing) || isnan(place->sight)) {
    return (rutMapLimit){0, RUT_MAP_NO_DATA};
  }
  const double along = place->grade / rut_sqrt(1 + place->grade * place->grade);
  const double demanded = driver->deceleration + gravity * along;
  const double braking = rut_min(pace->deceleration, demanded);
  if (!(braking > 0)) return (rutMapLimit){0, RUT_MAP_BRAKING};
  if (rut_map_clearance(shape, place->curvature) < 0) return (rutMapLimit){0, RUT_MAP_CLEARANCE};
  if (!(place->crossing > 0)) return (rutMapLimit){0, RUT_MAP_OBSTACLE};
  lower(&limit, place->ride, RUT_MAP_RIDE);
  lower(&limit, rut_map_sight_speed(place->sight, braking, driver->reaction),
        pace->deceleration < demanded ? RUT_MAP_BRAKING : RUT_MAP_VISIBILITY);
  lower(&limit,
        rut_map_obstacle_speed(place->crossing, place->spacing, limit.speed, driver->acceleration,
                               braking),
        RUT_MAP_OBSTACLE);
  return limit;
}
