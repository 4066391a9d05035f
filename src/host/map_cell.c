// SPDX-License-Identifier: BSD-3-Clause
//
// Cells of a map: gradients, the table between its points, and statistics over all cells.
#include <stdlib.h>

#include "base/report.h"
#include "host/map.h"
#include "math/rut_math.h"

static const double ANGLE = RUT_PI / 4;  // between headings

const char* rut_map_way_name(rutMapWay way) {
  return way == RUT_MAP_SIMULATION ? "simulation" : way == RUT_MAP_FORMULA ? "formula" : "";
}

const char* rut_map_heading_name(int heading) {
  static const char* const names[] = {"e", "ne", "n", "nw", "w", "sw", "s", "se"};
  return heading >= 0 && heading < RUT_MAP_HEADINGS ? names[heading] : "";
}

// ---- ground ----

double rut_map_height(const rutMap* map, int row, int col) {
  const rutGeoGrid* g = &map->dem;
  if (row < 0 || row >= g->rows || col < 0 || col >= g->cols) return RUT_NAN;
  return g->value[(size_t)row * (size_t)g->cols + (size_t)col];
}

// Rise per length between two neighbours, or from the middle to the one that is there.
static double slope_of(double low, double middle, double high, double spacing) {
  if (!isnan(low) && !isnan(high)) return (high - low) / (2 * spacing);
  return (isnan(high) ? middle - low : high - middle) / spacing;
}

// At borders the ground goes on with the slope that it has.
static double bend_of(double low, double middle, double high, double spacing) {
  return isnan(low) || isnan(high) ? 0 : (low - 2 * middle + high) / (spacing * spacing);
}

void rut_map_slope(const rutMap* map, int row, int col, double gradient[2], double curvature[3]) {
  const double d = map->spacing, z = rut_map_height(map, row, col);
  const double west = rut_map_height(map, row, col - 1), east = rut_map_height(map, row, col + 1);
  const double north = rut_map_height(map, row - 1, col);
  const double south = rut_map_height(map, row + 1, col);
  gradient[0] = isnan(z) ? RUT_NAN : slope_of(west, z, east, d);
  gradient[1] = isnan(z) ? RUT_NAN : slope_of(south, z, north, d);
  curvature[0] = bend_of(west, z, east, d);
  curvature[1] = bend_of(south, z, north, d);
  const double ne = rut_map_height(map, row - 1, col + 1),
               nw = rut_map_height(map, row - 1, col - 1);
  const double se = rut_map_height(map, row + 1, col + 1),
               sw = rut_map_height(map, row + 1, col - 1);
  const double mixed = (ne - nw - se + sw) / (4 * d * d);
  curvature[2] = isnan(mixed) ? 0 : mixed;
}

// ---- the table ----

// Place between points of an axis, within its ends: index and share of the next one.
static int between(const rutMapAxis* axis, double value, double* share) {
  int low = 0, high = axis->n - 1;
  *share = 0;
  if (axis->n < 2 || value <= axis->value[0]) return 0;
  if (value >= axis->value[high]) {
    *share = 1;
    return high - 1;
  }
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (axis->value[middle] <= value) {
      low = middle;
    } else {
      high = middle;
    }
  }
  *share = (value - axis->value[low]) / (axis->value[high] - axis->value[low]);
  return low;
}

static const rutMapPoint* point_at(const rutMap* map, int grade, int side, int strength) {
  return &map->point[grade + map->grades.n * (side + map->sides.n * strength)];
}

// Between the eight points around it.
static rutMapPoint look_up(const rutMap* map, double grade, double side, double strength) {
  double share[3];
  const int at[3] = {between(&map->grades, grade, &share[0]), between(&map->sides, side, &share[1]),
                     between(&map->strengths, strength, &share[2])};
  rutMapPoint sum = {0};
  for (int corner = 0; corner < 8; corner++) {
    double weight = 1;
    for (int k = 0; k < 3; k++) weight *= corner >> k & 1 ? share[k] : 1 - share[k];
    if (!(weight > 0)) continue;
    const rutMapPoint* p =
        point_at(map, at[0] + (corner & 1), at[1] + (corner >> 1 & 1), at[2] + (corner >> 2 & 1));
    sum.speed += weight * p->speed;
    sum.deceleration += weight * p->deceleration;
    sum.margin += weight * p->margin;
    sum.offset += weight * p->offset;
  }
  return sum;
}

// It goes if it does not slow down from walking pace, and stays in its lane.
static const double STEADY = -0.02, LANE = 0.5;  // [m/s2], [m]

static rutMapPace simulated(const rutMap* map, double grade, double side, double strength) {
  const double most = map->grades.value[map->grades.n - 1];
  rutMapPace pace = {{0, RUT_MAP_NO_DATA}, 0};
  if (map->strengths.n > 1 && isnan(strength)) return pace;
  const rutMapPoint p = look_up(map, grade, rut_abs(side), strength);
  if (isnan(p.speed)) return pace;
  pace.deceleration = p.deceleration;
  if (p.margin < STEADY || grade > most) {
    // what stays on level ground stays everywhere
    const rutMapPoint level = look_up(map, 0, 0, strength);
    pace.limit.reason = level.margin < STEADY ? RUT_MAP_TRACTION : RUT_MAP_SLOPE;
  } else if (p.offset > LANE || rut_abs(side) > most) {
    pace.limit.reason = RUT_MAP_SIDE_SLOPE;
  } else if (grade < -most) {
    pace.limit.reason = RUT_MAP_BRAKING;
  } else {
    pace.limit = (rutMapLimit){rut_max(p.speed, 0.1), RUT_MAP_POWER};
  }
  return pace;
}

// A trial's speed at a parameter, falling from `free` at 0.
static double over(const rutMap* map, const rutMapAxis* axis, int first, double parameter,
                   double free) {
  double share;
  if (isnan(parameter)) return RUT_NAN;
  if (!(parameter > 0)) return RUT_INFINITY;
  const int at = between(axis, parameter, &share);
  const double low = rut_min(free, map->point[first + at].speed);
  const double high = rut_min(free, map->point[first + at + 1].speed);
  if (parameter < axis->value[0]) return free + (low - free) * parameter / axis->value[0];
  return low + (high - low) * share;
}

// ---- a cell ----

// What its headings have in common.
typedef struct Cell {
  double gradient[2], curvature[3], strength;
  rutMapPlace place;
} Cell;

static Cell read_cell(const rutMap* map, rutMapWay way, double probability, int row, int col) {
  Cell c;
  const bool given = !rut_node_is_null(map->strength.node);
  const double top = map->vehicle.top_speed;
  rut_map_slope(map, row, col, c.gradient, c.curvature);
  c.strength = given ? rut_map_quantile(rut_map_layer_at(map, &map->strength, row, col),
                                        map->strength.variation, probability)
                     : map->own_strength;
  if (way == RUT_MAP_FORMULA && map->grain == RUT_MAP_FINE) c.strength *= map->remoulding;
  c.place = (rutMapPlace){.ride = RUT_INFINITY,
                          .crossing = RUT_INFINITY,
                          .spacing = RUT_INFINITY,
                          .sight = RUT_INFINITY};
  if (!rut_node_is_null(map->sight.node)) {
    c.place.sight = rut_map_layer_at(map, &map->sight, row, col);
  }
  if (map->rides.n > 0) {
    c.place.ride =
        over(map, &map->rides, map->planes, rut_map_layer_at(map, &map->roughness, row, col), top);
  }
  if (map->rounds.n > 0) {
    const int first = map->planes + map->rides.n;
    const double height = rut_map_layer_at(map, &map->obstacle, row, col);
    c.place.crossing = over(map, &map->rounds, first, height, top);
    if (height > map->point[first + map->rounds.n].speed) c.place.crossing = 0;
    c.place.spacing = map->obstacle_spacing;
  }
  return c;
}

void rut_map_cell(const rutMap* map, rutMapWay way, double probability, int row, int col,
                  rutMapLimit out[RUT_MAP_HEADINGS]) {
  for (int k = 0; k < RUT_MAP_HEADINGS; k++) out[k] = (rutMapLimit){0, RUT_MAP_NO_DATA};
  if (isnan(rut_map_height(map, row, col))) return;
  Cell c = read_cell(map, way, probability, row, col);
  if (isnan(c.gradient[0]) || isnan(c.gradient[1])) return;
  for (int k = 0; k < RUT_MAP_HEADINGS; k++) {
    double s, q;
    rut_sincos(k * ANGLE, &s, &q);
    const double grade = c.gradient[0] * q + c.gradient[1] * s;
    const double side = c.gradient[1] * q - c.gradient[0] * s;
    c.place.grade = grade;
    c.place.curvature =
        c.curvature[0] * q * q + c.curvature[1] * s * s + 2 * c.curvature[2] * q * s;
    const rutMapPace pace =
        way == RUT_MAP_FORMULA ? rut_map_formula(&map->vehicle, map->grain, c.strength, grade, side)
                               : simulated(map, grade, side, c.strength);
    out[k] =
        rut_map_limit(&pace, &c.place, &map->driver, &map->vehicle.shape, map->vehicle.gravity);
  }
}

// ---- all cells ----

static void count(rutMapStatistics* out, const rutMapLimit limit[RUT_MAP_HEADINGS]) {
  bool blocked = false;
  for (int k = 0; k < RUT_MAP_HEADINGS; k++) {
    if (limit[k].speed > 0) {
      out->limited[limit[k].reason]++;
      out->mean += limit[k].speed;
    } else {
      out->stopped[limit[k].reason]++;
      out->no_go++;
      blocked = true;
    }
  }
  out->cells++;
  out->blocked += blocked;
}

rutStatus rut_map_statistics(const rutMap* map, rutMapWay way, double probability,
                             rutMapStatistics* out, rutError* err) {
  *out = (rutMapStatistics){0};
  rutMapPatch* patch = calloc((size_t)map->dem.rows * (size_t)map->dem.cols, sizeof *patch);
  if (!patch) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for statistics");
  for (int row = 0; row < map->dem.rows; row++) {
    for (int col = 0; col < map->dem.cols; col++) {
      rutMapLimit limit[RUT_MAP_HEADINGS];
      double speed[RUT_MAP_HEADINGS];
      rut_map_cell(map, way, probability, row, col, limit);
      if (limit[0].reason == RUT_MAP_NO_DATA) continue;
      for (int k = 0; k < RUT_MAP_HEADINGS; k++) speed[k] = limit[k].speed;
      patch[out->cells] = (rutMapPatch){1, rut_map_mean_speed(RUT_MAP_HEADINGS, speed)};
      count(out, limit);
    }
  }
  const double headings = rut_max(1, (double)out->cells * RUT_MAP_HEADINGS);
  const double go = rut_max(1, headings - out->no_go);
  out->mean /= go;
  for (int r = 0; r < RUT_MAP_REASONS; r++) {
    out->limited[r] /= go;
    out->stopped[r] /= headings;
  }
  out->no_go /= headings;
  out->blocked /= rut_max(1, (double)out->cells);
  for (int p = 0; p < RUT_MAP_CURVE; p++) {
    // the best of all patches, where there is nothing of the area yet
    out->profile[p] = rut_map_percentile_speed((int)out->cells, patch, p > 0 ? p : 1e-6);
  }
  free(patch);
  return RUT_OK;
}
