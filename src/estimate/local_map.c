// SPDX-License-Identifier: BSD-3-Clause
//
// A scan is taken in rounds, each of which looks at all points, so that their order does not
// matter: heights of all cells, then which of them have an obstacle, then the cells that beams
// passed, then the log-odds. Marks are whole numbers in a double, so that cells are plain numbers.
#include "rut/local_map.h"

#include <string.h>

#include "base/report.h"
#include "math/rut_math.h"
#include "math/solve3.h"
#include "rut/descriptor.h"

// Marks of a cell in a scan, which add up.
enum { SEEN = 1, HIT = 2, PASSED = 4 };
enum { MOST_POINTS = 256 };                 // that the mean height of a cell counts as
enum { REACH = 2, LEAST_CELLS = 6 };        // of the fit of a plane
static const double HEIGHT_UNIT = 1024;     // heights are whole multiples of its inverse [1/m]
static const double MOST_HEIGHT = 3e4;      // [m]
static const double MOST_NUMBER = 1 << 30;  // of a cell
static const double MOST_CELLS = 1e4;       // that a beam passes
static const double ROOT2 = 1.4142135623730951;

rutLocalMapDef rut_default_local_map(void) {
  return (rutLocalMapDef){.struct_size = sizeof(rutLocalMapDef),
                          .side = 128,
                          .resolution = 0.25,
                          .hit = 868 / 1024.0,    // ln(0.7/0.3) = 0.8473
                          .miss = -415 / 1024.0,  // ln(0.4/0.6) = -0.4055
                          .least = -2,
                          .most = 3.5,
                          .occupied = 0.85,
                          .step = 0.2,
                          .slope = RUT_PI / 6,
                          .overhead = 2.5,
                          .range = 50};
}

rutLocalLimits rut_default_local_limits(void) {
  return (rutLocalLimits){.struct_size = sizeof(rutLocalLimits),
                          .slope = RUT_PI / 6,
                          .step = 0.2,
                          .roughness = 0.15,
                          .clearance = 0.4,
                          .slope_weight = 10,
                          .step_weight = 10,
                          .roughness_weight = 10,
                          .clearance_weight = 10,
                          .free_part = 0.3,
                          .unknown = 2};
}

static bool is_positive(double x) { return x > 0 && rut_is_finite(x); }

// What is wrong with a map, or NULL.
static const char* fault_of(const rutLocalMapDef* d) {
  if (d->side < 8 || d->side > RUT_LOCAL_MAP_MOST_SIDE) return "its side is 8 to 1024 cells";
  if (!is_positive(d->resolution)) return "its cells have no size";
  if (!is_positive(d->hit) || !(d->miss < 0) || !rut_is_finite(d->miss)) {
    return "a hit adds to log-odds, and a miss takes from them";
  }
  if (!(d->least < 0) || !(d->most > 0) || !rut_is_finite(d->least) || !rut_is_finite(d->most)) {
    return "the limits of log-odds are on both sides of 0";
  }
  if (!(d->occupied >= d->least && d->occupied < d->most)) {
    return "no log-odds within the limits are those of an occupied cell";
  }
  if (!is_positive(d->step) || !is_positive(d->overhead) || !(d->overhead > d->step)) {
    return "an obstacle is higher than a step above 0, and lower than overhead";
  }
  if (!(d->slope > 0 && d->slope < 0.5 * RUT_PI)) return "its slope is between 0 and 90 degrees";
  if (!is_positive(d->range) || !(d->range <= MOST_CELLS * d->resolution)) {
    return "its range is above 0, and at most 10000 cells";
  }
  return NULL;
}

rutStatus rut_local_map_check(const rutLocalMapDef* def, rutError* err) {
  if (def->struct_size != sizeof(rutLocalMapDef)) {
    return rut_error_set(err, RUT_ERR_VERSION, "a rutLocalMapDef of another version of librut");
  }
  const char* fault = fault_of(def);
  return fault ? rut_error_set(err, RUT_ERR_ARGUMENT, "local map: %s", fault) : RUT_OK;
}

rutStatus rut_local_map_begin(rutLocalMap* map, const rutLocalMapDef* def, rutLocalCell* cell,
                              rutError* err) {
  const rutLocalMapDef own = def ? *def : rut_default_local_map();
  const rutStatus status = rut_local_map_check(&own, err);
  if (status != RUT_OK) return status;
  *map = (rutLocalMap){.def = own, .cell = cell};
  memset(cell, 0, (size_t)own.side * (size_t)own.side * sizeof *cell);
  return RUT_OK;
}

// ---- cells ----

static int remainder_of(int number, int side) {
  const int r = number % side;
  return r < 0 ? r + side : r;
}

// Of a cell in the window: rows and columns go on at 0 behind the last one.
static rutLocalCell* cell_of(const rutLocalMap* map, int i, int j) {
  const int side = map->def.side;
  const int x = map->start[0] + i - map->corner[0], y = map->start[1] + j - map->corner[1];
  return &map->cell[(y < side ? y : y - side) * side + (x < side ? x : x - side)];
}

static bool is_inside(const rutLocalMap* map, int i, int j) {
  const int side = map->def.side;
  return map->placed && i >= map->corner[0] && i < map->corner[0] + side && j >= map->corner[1] &&
         j < map->corner[1] + side;
}

// Number of the cell at a coordinate; false where there is none.
static bool number_of(const rutLocalMap* map, double x, int* out) {
  const double number = rut_floor(x / map->def.resolution);
  if (!(rut_abs(number) < MOST_NUMBER)) return false;
  *out = (int)number;
  return true;
}

static rutLocalCell* find(const rutLocalMap* map, double x, double y, int at[2]) {
  if (!number_of(map, x, &at[0]) || !number_of(map, y, &at[1])) return NULL;
  return is_inside(map, at[0], at[1]) ? cell_of(map, at[0], at[1]) : NULL;
}

// ---- the window ----

// Forget a row or a column of the window, by its place in memory.
static void clear_line(rutLocalMap* map, int axis, int place) {
  const int side = map->def.side;
  for (int k = 0; k < side; k++) {
    memset(&map->cell[axis == 0 ? k * side + place : place * side + k], 0, sizeof(rutLocalCell));
  }
}

void rut_local_map_move(rutLocalMap* map, double x, double y) {
  const int side = map->def.side;
  int to[2];
  if (!number_of(map, x, &to[0]) || !number_of(map, y, &to[1])) return;
  for (int axis = 0; axis < 2; axis++) {
    const int next = to[axis] - side / 2, by = map->placed ? next - map->corner[axis] : side;
    const int lines = by >= side || by <= -side ? side : by < 0 ? -by : by;
    // a line that enters stands in memory where the one that leaves stood
    const int first = by > 0 ? next + side - lines : next;
    for (int k = 0; k < lines; k++) clear_line(map, axis, remainder_of(first + k, side));
    map->corner[axis] = next;
    map->start[axis] = remainder_of(next, side);
  }
  map->placed = true;
}

// ---- heights ----

// Of one scan.
typedef struct Scan {
  rutLocalMap* map;
  const rutLocalScan* points;
  double rise;  // tangent of the slope
} Scan;

// Cell of a point that counts, NULL if it does not; *height gets its height.
static rutLocalCell* cell_of_point(const Scan* s, int k, int at[2], double* height) {
  const rutLocalScan* p = s->points;
  const rutLocalMapDef* def = &s->map->def;
  const double x = p->x[k], y = p->y[k], z = p->z[k];
  if (!rut_is_finite(x) || !rut_is_finite(y) || !(rut_abs(z) < MOST_HEIGHT)) return NULL;
  const double away = rut_hypot(x - p->at[0], y - p->at[1]);
  const double rises = def->level ? 0 : s->rise * away;
  if (!(away <= def->range) || z - p->ground > def->overhead + rises) return NULL;
  *height = rut_floor(z * HEIGHT_UNIT + 0.5) / HEIGHT_UNIT;
  return find(s->map, x, y, at);
}

// Occupied without a point: somebody says so, not a scan.
static bool is_claimed(const rutLocalMap* map, const rutLocalCell* c) {
  return !(c->points > 0) && c->log_odds > map->def.occupied && !map->def.level;
}

static void see(const Scan* s) {
  for (int k = 0; k < s->points->n; k++) {
    int at[2];
    double z;
    rutLocalCell* c = cell_of_point(s, k, at, &z);
    if (!c) continue;
    const bool first = c->mark == 0;
    if (is_claimed(s->map, c)) c->log_odds = 0;
    c->scan_lowest = first ? z : rut_min(c->scan_lowest, z);
    c->scan_highest = first ? z : rut_max(c->scan_highest, z);
    c->lowest = c->points > 0 ? rut_min(c->lowest, z) : z;
    c->highest = c->points > 0 ? rut_max(c->highest, z) : z;
    c->points += 1;
    c->sum += z;
    c->mark = SEEN;
  }
}

// ---- obstacles ----

// Whether a height on a cell stands out of what is low around it. rise: tangent of the slope.
static bool stands_out(const rutLocalMap* map, double rise, int i, int j, double height) {
  const rutLocalMapDef* def = &map->def;
  for (int b = -1; b <= 1; b++) {
    for (int a = -1; a <= 1; a++) {
      if (!is_inside(map, i + a, j + b)) continue;
      const rutLocalCell* other = cell_of(map, i + a, j + b);
      const double apart = def->resolution * (a != 0 && b != 0 ? ROOT2 : a != 0 || b != 0);
      const double least = rut_max(def->step, rise * apart);
      if (other->points > 0 && height - other->lowest > least) return true;
    }
  }
  return false;
}

// Whether a cell has an obstacle in this scan.
static bool is_hit(const Scan* s, int i, int j, const rutLocalCell* c) {
  if (s->map->def.level) return c->scan_highest - s->points->ground > s->map->def.step;
  return stands_out(s->map, s->rise, i, j, c->scan_highest);
}

static void find_obstacles(const Scan* s) {
  const rutLocalMap* map = s->map;
  for (int j = map->corner[1]; j < map->corner[1] + map->def.side; j++) {
    for (int i = map->corner[0]; i < map->corner[0] + map->def.side; i++) {
      rutLocalCell* c = cell_of(map, i, j);
      if (c->mark != 0 && is_hit(s, i, j, c)) c->mark = SEEN + HIT;
    }
  }
}

// ---- beams ----

// A beam over the cells: along each axis the way at which it next comes into another one, as a
// share of all of it.
typedef struct Beam {
  int cell[2], end[2], step[2];
  double next[2], apart[2];
  double low, rise;  // its height at the start, and what it rises to its end
} Beam;

static bool begin_beam(const Scan* s, int k, Beam* b) {
  const rutLocalScan* p = s->points;
  const double from[2] = {p->from_x[k], p->from_y[k]}, to[2] = {p->x[k], p->y[k]};
  const double size = s->map->def.resolution;
  for (int axis = 0; axis < 2; axis++) {
    if (!number_of(s->map, from[axis], &b->cell[axis])) return false;
    if (!number_of(s->map, to[axis], &b->end[axis])) return false;
    const double way = to[axis] - from[axis];
    const int forward = b->end[axis] > b->cell[axis];
    b->step[axis] = forward ? 1 : b->end[axis] < b->cell[axis] ? -1 : 0;
    b->next[axis] = b->apart[axis] = RUT_INFINITY;
    if (b->step[axis] == 0) continue;
    b->next[axis] = (size * (b->cell[axis] + forward) - from[axis]) / way;
    b->apart[axis] = size / rut_abs(way);
  }
  b->low = p->from_z[k];
  b->rise = p->z[k] - p->from_z[k];
  return rut_is_finite(b->low) && rut_is_finite(b->rise);
}

// Mark the cells before that of the point, which the beam passes where an obstacle would be.
static void pass(const Scan* s, Beam* b) {
  const double most = s->points->ground + s->map->def.overhead;
  double at = 0;
  while (b->cell[0] != b->end[0] || b->cell[1] != b->end[1]) {
    const int axis = b->next[0] <= b->next[1] ? 0 : 1;
    const double to = rut_min(b->next[axis], 1);
    const double height = b->low + b->rise * (b->rise > 0 ? to : at);
    if (is_inside(s->map, b->cell[0], b->cell[1])) {
      rutLocalCell* c = cell_of(s->map, b->cell[0], b->cell[1]);
      const bool meets = height <= (c->points > 0 ? c->highest : most);
      if (meets && c->mark < PASSED) c->mark += PASSED;
    }
    // rounding must not carry it past the end of an axis
    if (b->cell[axis] == b->end[axis]) return;
    b->cell[axis] += b->step[axis];
    b->next[axis] = b->cell[axis] == b->end[axis] ? RUT_INFINITY : b->next[axis] + b->apart[axis];
    at = to;
  }
}

static void find_passed(const Scan* s) {
  for (int k = 0; k < s->points->n; k++) {
    const rutLocalScan* p = s->points;
    if (!rut_is_finite(p->x[k]) || !rut_is_finite(p->y[k]) || !rut_is_finite(p->z[k])) continue;
    // beams from or to further away would take as long as they are
    const double range = s->map->def.range;
    if (!(rut_hypot(p->x[k] - p->at[0], p->y[k] - p->at[1]) <= range)) continue;
    if (!(rut_hypot(p->from_x[k] - p->at[0], p->from_y[k] - p->at[1]) <= range)) continue;
    Beam b;
    if (begin_beam(s, k, &b)) pass(s, &b);
  }
}

// ---- log-odds ----

static void forget_heights(rutLocalCell* c, bool seen) {
  c->points = seen ? 2 : 0;
  c->lowest = seen ? c->scan_lowest : 0;
  c->highest = seen ? c->scan_highest : 0;
  c->sum = seen ? c->scan_lowest + c->scan_highest : 0;
}

// Whether beams have shown that nothing is where its heights say that something stands: on a cell
// that is as free as can be, though it was hit before. What is thin is missed by some scans.
static bool is_refuted(const Scan* s, int i, int j, const rutLocalCell* c) {
  const int mark = (int)c->mark;
  const bool free = c->log_odds <= s->map->def.least;
  if ((mark & HIT) != 0 || mark < PASSED || !free || !(c->points > 0)) return false;
  return !s->map->def.level && stands_out(s->map, s->rise, i, j, c->highest);
}

static void decide_one(const Scan* s, int i, int j, rutLocalCell* c) {
  const rutLocalMapDef* def = &s->map->def;
  const int mark = (int)c->mark;
  const bool before = c->log_odds > def->occupied;
  if (is_claimed(s->map, c)) {
    c->mark = 0;
    return;
  }
  const double sum = c->log_odds + ((mark & HIT) != 0 ? def->hit : def->miss);
  c->log_odds = rut_clamp(sum, def->least, def->most);
  const bool freed = before && c->log_odds <= def->occupied;
  if (freed || is_refuted(s, i, j, c)) forget_heights(c, (mark & SEEN) != 0);
  if (c->points > MOST_POINTS) {
    const double mean = c->sum / c->points;
    c->sum = rut_floor(mean * MOST_POINTS * HEIGHT_UNIT + 0.5) / HEIGHT_UNIT;
    c->points = MOST_POINTS;
  }
  c->mark = c->scan_lowest = c->scan_highest = 0;
}

static void decide(const Scan* s) {
  const rutLocalMap* map = s->map;
  for (int j = map->corner[1]; j < map->corner[1] + map->def.side; j++) {
    for (int i = map->corner[0]; i < map->corner[0] + map->def.side; i++) {
      rutLocalCell* c = cell_of(map, i, j);
      if (c->mark != 0) decide_one(s, i, j, c);
    }
  }
}

void rut_local_map_scan(rutLocalMap* map, const rutLocalScan* scan) {
  if (!map->placed || !rut_is_finite(scan->ground)) return;
  const Scan s = {map, scan, rut_tan(map->def.slope)};
  see(&s);
  find_obstacles(&s);
  find_passed(&s);
  decide(&s);
}

// ---- cells as two doubles ----
//
// The first one has, from its highest bits on, the sum of heights above the lowest, how many there
// are, and the log-odds; the second one the lowest and the highest height.

static const double ODDS = 1 << 14, COUNTS = 1 << 9, MOST_SUM = 1 << 28;  // values of each part
static const double HEIGHTS = 1 << 26, LEVEL = 1 << 25;

// Whole parts of a number, the lower one below `size`.
static double split(double* rest, double size) {
  const double high = rut_floor(*rest / size), low = *rest - high * size;
  *rest = high;
  return low;
}

void rut_local_map_pack(const rutLocalMap* map, int stride, double* packed) {
  const int cells = map->def.side * map->def.side;
  for (int k = 0; k < cells; k++) {
    const rutLocalCell* c = &map->cell[k];
    double* const to = packed + 2 * (ptrdiff_t)k * stride;
    const double odds = rut_floor(c->log_odds * HEIGHT_UNIT + 0.5);
    const double sum = rut_min((c->sum - c->lowest * c->points) * HEIGHT_UNIT, MOST_SUM - 1);
    to[0] = (sum * COUNTS + c->points) * ODDS + (odds < 0 ? odds + ODDS : odds);
    to[stride] = c->points > 0 ? (c->lowest * HEIGHT_UNIT + LEVEL) * HEIGHTS +
                                     c->highest * HEIGHT_UNIT + LEVEL
                               : 0;
  }
}

void rut_local_map_unpack(rutLocalMap* map, int stride, const double* packed) {
  const int cells = map->def.side * map->def.side;
  for (int k = 0; k < cells; k++) {
    const double* const from = packed + 2 * (ptrdiff_t)k * stride;
    rutLocalCell* c = &map->cell[k];
    *c = (rutLocalCell){0};
    if (from[0] == 0) continue;
    double rest = from[0], heights = from[stride];
    const double odds = split(&rest, ODDS);
    c->log_odds = (2 * odds < ODDS ? odds : odds - ODDS) / HEIGHT_UNIT;
    c->points = split(&rest, COUNTS);
    if (!(c->points > 0)) continue;
    c->highest = (split(&heights, HEIGHTS) - LEVEL) / HEIGHT_UNIT;
    c->lowest = (heights - LEVEL) / HEIGHT_UNIT;
    c->sum = rest / HEIGHT_UNIT + c->lowest * c->points;
  }
}

// ---- answers ----

const rutLocalCell* rut_local_map_at(const rutLocalMap* map, double x, double y) {
  int at[2];
  return find(map, x, y, at);
}

bool rut_local_map_occupied(const rutLocalMap* map, double x, double y) {
  const rutLocalCell* c = rut_local_map_at(map, x, y);
  return c && c->log_odds > map->def.occupied;
}

static double mean_of(const rutLocalCell* c) { return c->sum / c->points; }

// Ground of which a height is known. What stands on it is none: where it stands is no place to
// drive, but it tells nothing of the ground beside it.
static bool is_ground(const rutLocalMap* map, const rutLocalCell* c) {
  return c->points > 0 && !(c->log_odds > map->def.occupied);
}

// Ground about a cell, [cell]: places from it in cells, heights from its own or the first one.
typedef struct Around {
  int cells;
  double x[25], y[25], mean[25], highest[25], base;
} Around;

// Leave out what stands out of the ground about it, although it is not occupied: not yet, after one
// scan, or a point of a wall that fell on the free cell beside it.
static void leave_out(const rutLocalMap* map, int i, int j, Around* r) {
  const double rise = rut_tan(map->def.slope);
  int left = 0;
  for (int k = 0; k < r->cells; k++) {
    const int x = (int)r->x[k], y = (int)r->y[k];
    if (stands_out(map, rise, i + x, j + y, r->base + r->highest[k])) continue;
    r->x[left] = x;
    r->y[left] = y;
    r->mean[left] = r->mean[k];
    r->highest[left++] = r->highest[k];
  }
  r->cells = left;
}

static void look_around(const rutLocalMap* map, int i, int j, Around* out) {
  const bool within = is_inside(map, i - REACH, j - REACH) && is_inside(map, i + REACH, j + REACH);
  double low = RUT_INFINITY, high = -RUT_INFINITY;
  out->cells = 0;
  out->base = 0;
  for (int b = -REACH; b <= REACH; b++) {
    for (int a = -REACH; a <= REACH; a++) {
      if (!within && !is_inside(map, i + a, j + b)) continue;
      const rutLocalCell* c = cell_of(map, i + a, j + b);
      if (!(c->points > 0)) continue;
      low = rut_min(low, c->lowest);
      if (!is_ground(map, c)) continue;
      const int k = out->cells++;
      if (k == 0) out->base = c->lowest;
      high = rut_max(high, c->highest);
      out->x[k] = a;
      out->y[k] = b;
      out->mean[k] = mean_of(c) - out->base;
      out->highest[k] = c->highest - out->base;
    }
  }
  // on level ground nothing can
  if (high - low > map->def.step) leave_out(map, i, j, out);
}

// The plane z = plane[0] + plane[1] x + plane[2] y. False if the cells do not tell it.
static bool fit_plane(const Around* r, double plane[3]) {
  enum { ALL = (2 * REACH + 1) * (2 * REACH + 1) };
  static const double SQUARES = 50;  // sum of those of x over all cells
  double a[3][3] = {{0}}, b[3] = {0};
  if (r->cells < LEAST_CELLS) return false;
  if (r->cells == ALL) {
    // x and y are orthogonal
    for (int k = 0; k < ALL; k++) {
      b[0] += r->mean[k];
      b[1] += r->x[k] * r->mean[k];
      b[2] += r->y[k] * r->mean[k];
    }
    plane[0] = b[0] / ALL;
    plane[1] = b[1] / SQUARES;
    plane[2] = b[2] / SQUARES;
    return true;
  }
  for (int k = 0; k < r->cells; k++) {
    const double row[3] = {1, r->x[k], r->y[k]};
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) a[i][j] += row[i] * row[j];
      b[i] += row[i] * r->mean[k];
    }
  }
  // of the matrix of whole numbers the determinant is exact: 0 along a line
  const double det = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[1][2]) -
                     a[0][1] * (a[0][1] * a[2][2] - a[1][2] * a[0][2]) +
                     a[0][2] * (a[0][1] * a[1][2] - a[1][1] * a[0][2]);
  if (!(det > 0)) return false;
  rut_solve3(a, b, plane);
  return true;
}

// What stands out of a cell beside it takes no room there.
static double step_of(const rutLocalMap* map, int i, int j) {
  static const int to[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const rutLocalCell* c = cell_of(map, i, j);
  double step = 0;
  for (int k = 0; k < 4 && is_ground(map, c); k++) {
    if (!is_inside(map, i + to[k][0], j + to[k][1])) continue;
    const rutLocalCell* other = cell_of(map, i + to[k][0], j + to[k][1]);
    if (!is_ground(map, other)) continue;
    const double above = other->highest - c->lowest;
    const bool higher = above > map->def.step;
    if (higher && above > rut_tan(map->def.slope) * map->def.resolution) continue;
    step = rut_max(step, rut_abs(mean_of(c) - mean_of(other)));
  }
  return step;
}

// Height of what stands out on a cell above the lowest place about it, where it was hit more often
// than passed; 0 where nothing does.
static double standing_of(const rutLocalMap* map, int i, int j) {
  const rutLocalCell* c = cell_of(map, i, j);
  if (!is_ground(map, c) || !(c->log_odds > 0)) return 0;
  if (!stands_out(map, rut_tan(map->def.slope), i, j, c->highest)) return 0;
  double low = c->lowest;
  for (int k = 0; k < 9; k++) {
    const int x = i + k % 3 - 1, y = j + k / 3 - 1;
    if (!is_inside(map, x, y)) continue;
    const rutLocalCell* other = cell_of(map, x, y);
    if (other->points > 0) low = rut_min(low, other->lowest);
  }
  return c->highest - low;
}

static rutLocalTerrain terrain_of(const rutLocalMap* map, int i, int j) {
  Around r;
  double plane[3], square = 0, bulge = 0;
  look_around(map, i, j, &r);
  if (!fit_plane(&r, plane)) {
    return (rutLocalTerrain){.cells = r.cells, .bulge = standing_of(map, i, j)};
  }
  for (int k = 0; k < r.cells; k++) {
    const double z = plane[0] + plane[1] * r.x[k] + plane[2] * r.y[k];
    square += (r.mean[k] - z) * (r.mean[k] - z);
    bulge = rut_max(bulge, r.highest[k] - z);
  }
  const double height = r.base + plane[0];
  // what stands out on the cell itself is in its own way
  const rutLocalCell* c = cell_of(map, i, j);
  if (is_ground(map, c)) bulge = rut_max(bulge, c->highest - height);
  return (rutLocalTerrain){.cells = r.cells,
                           .height = height,
                           .slope = rut_atan(rut_hypot(plane[1], plane[2]) / map->def.resolution),
                           .step = step_of(map, i, j),
                           .roughness = rut_sqrt(square / r.cells),
                           .bulge = bulge};
}

rutLocalTerrain rut_local_map_terrain(const rutLocalMap* map, double x, double y) {
  int at[2];
  if (!find(map, x, y, at)) return (rutLocalTerrain){0};
  return terrain_of(map, at[0], at[1]);
}

// ---- costs ----

// What a measure adds to the cost; infinite at its limit.
static double dearer(const rutLocalLimits* l, double weight, double x, double limit) {
  if (x >= limit) return RUT_INFINITY;
  const double over = rut_max(x / limit - l->free_part, 0);
  return weight * over * over;
}

static double cost_of(const rutLocalMap* map, const rutLocalLimits* l, int i, int j) {
  const rutLocalCell* c = cell_of(map, i, j);
  if (c->log_odds > map->def.occupied) return RUT_INFINITY;
  if (l->level || !(c->points > 0)) return c->log_odds == 0 ? l->unknown : 1;
  const rutLocalTerrain t = terrain_of(map, i, j);
  return 1 + dearer(l, l->slope_weight, t.slope, l->slope) +
         dearer(l, l->step_weight, t.step, l->step) +
         dearer(l, l->roughness_weight, t.roughness, l->roughness) +
         dearer(l, l->clearance_weight, t.bulge, l->clearance);
}

void rut_local_map_costs(const rutLocalMap* map, const rutLocalLimits* limits, uint16_t* cost) {
  const int side = map->def.side;
  for (int j = 0; j < side; j++) {
    for (int i = 0; i < side; i++) {
      const double c = cost_of(map, limits, map->corner[0] + i, map->corner[1] + j);
      const double whole = rut_floor(rut_clamp(c, 1, UINT16_MAX) + 0.5);
      cost[j * side + i] = c == RUT_INFINITY ? 0 : (uint16_t)rut_min(whole, UINT16_MAX);
    }
  }
}
