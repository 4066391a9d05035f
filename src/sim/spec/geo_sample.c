// SPDX-License-Identifier: BSD-3-Clause
//
// Values of rasters at places that are not theirs.
#include <stdio.h>
#include <string.h>

#include "format/gdal_crs.h"
#include "math/rut_math.h"
#include "rut/geo_grid.h"

// Places within this share of a spacing are the same: files round their coordinates.
static const double SAME = 1e-6;

// Row, counted from south, and column of a place, in spacings from the south-western value.
static void place_in(const rutGeoGrid* g, double x, double y, double at[2]) {
  at[0] = (x - g->corner[0]) / g->spacing;
  at[1] = (y - g->corner[1]) / g->spacing;
}

static bool is_in(double at, int n) { return at >= -0.5 - SAME && at <= n - 0.5 + SAME; }

bool rut_geo_grid_covers(const rutGeoGrid* grid, double x, double y) {
  double at[2];
  place_in(grid, x, y, at);
  return is_in(at[0], grid->cols) && is_in(at[1], grid->rows);
}

static double value_at(const rutGeoGrid* g, int col, int up) {
  return g->value[(size_t)(g->rows - 1 - up) * (size_t)g->cols + (size_t)col];
}

// Value before a place within 0 to n - 1, and the share of the next one.
static int before(double at, int n, double* share) {
  const double inside = rut_clamp(at, 0, n - 1);
  int low = (int)inside;
  *share = inside - low;
  if (*share > 1 - SAME) {
    low++;
    *share = 0;
  }
  if (*share < SAME) *share = 0;
  return low;
}

double rut_geo_grid_at(const rutGeoGrid* grid, rutGeoSampling sampling, double x, double y) {
  double at[2], share[2];
  if (!rut_geo_grid_covers(grid, x, y)) return RUT_NAN;
  place_in(grid, x, y, at);
  const int col = before(at[0], grid->cols, &share[0]), up = before(at[1], grid->rows, &share[1]);
  // between two, the eastern or northern one, also where coordinates are rounded
  const double nearest =
      value_at(grid, col + (share[0] >= 0.5 - SAME), up + (share[1] >= 0.5 - SAME));
  if (sampling == RUT_GEO_NEAREST || isnan(nearest)) return nearest;
  double sum = 0, weights = 0;
  for (int corner = 0; corner < 4; corner++) {
    const int east = corner & 1, north = corner >> 1;
    const double weight = (east ? share[0] : 1 - share[0]) * (north ? share[1] : 1 - share[1]);
    if (!(weight > 0)) continue;
    const double value = value_at(grid, col + east, up + north);
    if (isnan(value)) continue;
    sum += weight * value;
    weights += weight;
  }
  return weights < 1 ? sum / weights : sum;
}

// ---- coordinate systems ----

static const char* crs_of(const rutGeoGrid* g) { return g->crs ? g->crs : ""; }

bool rut_geo_grid_same_crs(const rutGeoGrid* a, const rutGeoGrid* b) {
  const char *of_a = crs_of(a), *of_b = crs_of(b);
  bool same = false;
  if (!of_a[0] || !of_b[0] || strcmp(of_a, of_b) == 0) return true;
  return rut_gdal_same_crs(of_a, of_b, &same) && same;
}

// Length of a text up to a character that ends it, or is none that a terminal should get.
static int plain_length(const char* text) {
  int n = 0;
  while ((unsigned char)text[n] >= ' ' && text[n] != '"' && text[n] != 127) n++;
  return n;
}

void rut_geo_grid_crs_name(const rutGeoGrid* grid, char name[RUT_GEO_CRS_NAME]) {
  static const char key[] = "AUTHORITY[\"";
  enum { MOST_NAME = 90, MOST_WORD = 20 };
  const char* text = crs_of(grid);
  name[0] = '\0';
  if (!text[0]) return;
  const char* quote = strchr(text, '"');
  const char* title = quote ? quote + 1 : text;
  const int n = plain_length(title);
  const int used = snprintf(name, RUT_GEO_CRS_NAME, "%.*s", n < MOST_NAME ? n : MOST_NAME, title);
  // that of the whole system is the last one, if it has any
  const char* last = NULL;
  for (const char* p = text; (p = strstr(p, key)); p += sizeof key - 1) last = p;
  if (!last || strlen(last) > sizeof key + 2 * MOST_WORD) return;
  const char* word = last + sizeof key - 1;
  const int length = plain_length(word);
  if (strncmp(word + length, "\",\"", 3) != 0) return;
  const char* number = word + length + 3;
  // more brackets: that of a part, such as of a unit
  if (strcmp(number + plain_length(number), "\"]]") != 0) return;
  snprintf(name + used, (size_t)(RUT_GEO_CRS_NAME - used), " (%.*s:%.*s)", length, word,
           plain_length(number), number);
}
