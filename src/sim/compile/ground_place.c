// SPDX-License-Identifier: BSD-3-Clause
//
// Soil and friction by place: <region>, <soil_map> and the world's own soil.
#include "sim/compile/ground_place.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "format/raster.h"
#include "math/rut_math.h"
#include "sim/compile/read.h"

enum { MAX_SOILS = RUT_NO_SOIL - 1, MAX_NAME = 256 };

// Index of a <soil> by name, counted from 1 in file order; -1, with an error, if there is none.
static int soil_of_name(rutDraft* draft, rutNode node, const char* name) {
  const char* known[MAX_SOILS];
  size_t n = 0;
  for (rutNode soil = rut_node_first(draft->spec, rut_spec_root(draft->spec), "soil");
       !rut_node_is_null(soil) && n < MAX_SOILS; soil = rut_node_next(draft->spec, soil, "soil")) {
    known[n] = rut_node_name(draft->spec, soil);
    if (strcmp(known[n++], name) == 0) return (int)n;
  }
  const char* nearest = rut_suggest(name, known, n);
  char hint[MAX_NAME + 32] = "";
  if (nearest)
    snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
  else
    snprintf(hint, sizeof hint, "add <soil name=\"%.200s\" type=\"clay\"/> or the like", name);
  rut_node_error(draft->spec, node, rut_node_has(draft->spec, node, "soil") ? "soil" : "soils",
                 RUT_ERR_MODEL, hint, "there is no <soil> named '%s'", name);
  return -1;
}

void rut_draft_default_soil(rutDraft* draft) {
  const rutNode root = rut_spec_root(draft->spec);
  const char* name = rut_node_text(draft->spec, root, "soil");
  const bool any = !rut_node_is_null(rut_node_first(draft->spec, root, "soil"));
  const int soil = name[0] ? soil_of_name(draft, root, name) : any;
  draft->ground_soil = soil > 0 ? soil : 0;
}

// The corners of a region's outline, borrowed from the spec, and the box around them.
static void read_outline(rutDraft* draft, rutNode node, rutRegion* r) {
  int n = 0;
  const double* xy = rut_node_numbers(draft->spec, node, "outline", &n);
  if (n == 0) return;
  if (n < 6) {
    rut_node_error(draft->spec, node, "outline", RUT_ERR_MODEL, "",
                   "an outline needs at least 3 points, not %d", n / 2);
    return;
  }
  r->corners = n / 2;
  r->xy = xy;
  for (int k = 0; k < 2; k++) {
    r->min[k] = r->max[k] = xy[k];
    for (int i = 1; i < r->corners; i++) {
      r->min[k] = rut_min(xy[2 * i + k], r->min[k]);
      r->max[k] = rut_max(xy[2 * i + k], r->max[k]);
    }
  }
}

void rut_draft_region(rutDraft* draft, rutNode node) {
  const char* low[3] = {"x_min", "y_min", "z_min"};
  const char* high[3] = {"x_max", "y_max", "z_max"};
  rutRegion* r = rut_draft_push(draft, &draft->region);
  if (!r) return;
  for (int i = 0; i < 3; i++) {
    rut_draft_extent(draft, node, low[i], high[i]);
    r->min[i] = rut_node_number(draft->spec, node, low[i]);
    r->max[i] = rut_node_number(draft->spec, node, high[i]);
  }
  read_outline(draft, node, r);
  r->friction = rut_node_number(draft->spec, node, "friction");
  r->rolling_resistance = rut_node_number(draft->spec, node, "rolling_resistance");
  r->strength = rut_node_number(draft->spec, node, "cone_index");
  r->moisture = rut_node_number(draft->spec, node, "moisture");
  r->soft_depth = rut_node_number(draft->spec, node, "soft_depth");
  r->no_gps = rut_node_number(draft->spec, node, "no_gps") != 0;
  const char* soil = rut_node_text(draft->spec, node, "soil");
  r->soil = soil[0] ? soil_of_name(draft, node, soil) : -1;
}

// ---- maps ----

// Soils of the values 1, 2, ... of a map; returns how many names there are, -1 after an error.
static int read_names(rutDraft* draft, rutNode node, int soil[MAX_SOILS]) {
  const char* text = rut_node_text(draft->spec, node, "soils");
  int n = 0;
  for (;;) {
    char name[MAX_NAME];
    text += strspn(text, " \t\n\r,");
    const size_t length = strcspn(text, " \t\n\r,");
    if (length == 0) return n;
    if (n == MAX_SOILS || length >= sizeof name) {
      rut_node_error(draft->spec, node, "soils", RUT_ERR_CAPACITY, "",
                     "at most %d names of less than %d characters", MAX_SOILS, MAX_NAME);
      return -1;
    }
    memcpy(name, text, length);
    name[length] = '\0';
    soil[n] = soil_of_name(draft, node, name);
    if (soil[n++] < 0) return -1;
    text += length;
  }
}

// Value of cell (ix, iy) of a raster.
static double cell_value(const rutRaster* r, bool north_up, int ix, int iy) {
  const int row = north_up ? r->values.rows - 1 - iy : ix, col = north_up ? ix : iy;
  return r->values.value[(size_t)row * (size_t)r->values.cols + (size_t)col];
}

static bool fill_soils(rutDraft* draft, rutNode node, const rutRaster* r, bool north_up,
                       const rutGroundMap* map, unsigned char* cell) {
  int soil[MAX_SOILS];
  const int names = read_names(draft, node, soil);
  if (names < 0) return false;
  for (int iy = 0; iy < map->ny; iy++) {
    for (int ix = 0; ix < map->nx; ix++) {
      const double value = cell_value(r, north_up, ix, iy);
      const bool given = value == value && value != 0;
      if (given && !(value >= 1 && value <= names && value == rut_floor(value))) {
        rut_node_error(draft->spec, node, "soils", RUT_ERR_MODEL, "",
                       "the map has the value %g, but %d soils are named", value, names);
        return false;
      }
      *cell++ = given ? (unsigned char)soil[(int)value - 1] : RUT_NO_SOIL;
    }
  }
  return true;
}

static bool fill_values(rutDraft* draft, rutNode node, const rutRaster* r, bool north_up,
                        const rutGroundMap* map, float* cell) {
  const double scale = rut_node_number(draft->spec, node, "scale");
  // bare ground has no snow
  const bool zeros = map->quantity == RUT_MAP_SOFT_DEPTH;
  for (int iy = 0; iy < map->ny; iy++) {
    for (int ix = 0; ix < map->nx; ix++) {
      const double value = scale * cell_value(r, north_up, ix, iy);
      if (value > 1e12) {
        rut_node_error(draft->spec, node, "scale", RUT_ERR_MODEL, "lower 'scale'",
                       "the map has the value %g after scaling; at most 1e+12 is allowed", value);
        return false;
      }
      *cell++ = value > 0 || (value == 0 && zeros) ? (float)value : (float)RUT_NAN;
    }
  }
  return true;
}

static bool fill_map(rutDraft* draft, rutNode node, const rutRaster* r, bool north_up,
                     rutDraftMap* m) {
  const bool soil = m->map.quantity == RUT_MAP_SOIL;
  const size_t cells = (size_t)m->map.nx * (size_t)m->map.ny;
  draft->properties += cells;
  if (draft->properties > RUT_MAX_HEIGHTS) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "",
                   "the soil maps of this world have more than %d cells", RUT_MAX_HEIGHTS);
    return false;
  }
  m->cells = rut_context_alloc(draft->context, cells * (soil ? 1 : sizeof(float)), 64);
  if (!m->cells) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    return false;
  }
  if (soil) m->map.soil = m->cells;
  if (!soil) m->map.value = m->cells;
  return soil ? fill_soils(draft, node, r, north_up, &m->map, m->cells)
              : fill_values(draft, node, r, north_up, &m->map, m->cells);
}

void rut_draft_soil_map(rutDraft* draft, rutNode node) {
  const rutSpec* spec = draft->spec;
  rutRaster r;
  // its absence was reported already
  if (!rut_node_text(spec, node, "file")[0]) return;
  rutStatus status = rut_raster_load(rut_node_text(spec, node, "file"),
                                     rut_node_place_of(spec, node, "file"), draft->reporter, &r);
  if (status != RUT_OK) {
    rut_draft_map_failed(draft, node, "file", status);
    return;
  }
  rutDraftMap* m = rut_draft_push(draft, &draft->ground_map);
  const int rows = (int)rut_node_number(spec, node, "rows");
  const bool north_up = rows == 0 ? r.placed : rows >= 2;
  if (rows == 3) rut_matrix_flip(&r.values);
  double spacing;
  if (m && rut_draft_raster_spacing(draft, node, &r, &spacing)) {
    const int nx = north_up ? r.values.cols : r.values.rows;
    const int ny = north_up ? r.values.rows : r.values.cols;
    m->map = (rutGroundMap){.quantity = (rutGroundQuantity)rut_node_number(spec, node, "quantity"),
                            .nx = nx,
                            .ny = ny,
                            .spacing = spacing,
                            .linear = rut_node_number(spec, node, "interpolation") != 0,
                            .corner = {-0.5 * spacing * (nx - 1), -0.5 * spacing * (ny - 1)}};
    int n = 0;
    const double* corner = rut_node_numbers(spec, node, "corner", &n);
    if (n == 2) memcpy(m->map.corner, corner, sizeof m->map.corner);
    if (m->map.linear && m->map.quantity == RUT_MAP_SOIL) {
      rut_node_error(spec, node, "interpolation", RUT_ERR_MODEL, "remove 'interpolation'",
                     "there is nothing between two soils");
    } else {
      fill_map(draft, node, &r, north_up, m);
    }
  }
  rut_raster_free(&r);
}
