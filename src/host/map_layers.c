// SPDX-License-Identifier: BSD-3-Clause
//
// Layers of a map: numbers that are the same everywhere, or rasters of any cells, which are sampled
// in the middles of those of the elevation model.
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/units.h"
#include "host/map.h"
#include "math/rut_math.h"

// What a class in a raster stands for.
typedef struct Class {
  double class, number;
} Class;

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a layer");
}

// ---- classes ----

static bool read_class(const char** text, Class* out) {
  const char* p = *text;
  if (!rut_parse_number(p, &out->class, &p)) return false;
  p += strspn(p, " \t");
  if (*p++ != '=') return false;
  if (!rut_parse_number(p, &out->number, &p)) return false;
  p += strspn(p, " \t\r\n");
  if (*p && *p != ';') return false;
  *text = p;
  return true;
}

static const Class* find(const Class* class, int classes, double value) {
  for (int i = 0; i < classes; i++) {
    if (class[i].class == value) return &class[i];
  }
  return NULL;
}

// "1=300; 2=80". The caller frees *out.
static rutStatus read_classes(const rutMap* map, rutNode node, Class** out, int* classes,
                              rutError* err) {
  const char* text = rut_node_text(map->spec, node, "classes");
  const bool given = *text != '\0';
  size_t most = 1;
  for (const char* p = text; *p; p++) most += *p == ';';
  *classes = 0;
  *out = calloc(most, sizeof **out);
  if (!*out) return no_memory(err);
  for (;;) {
    text += strspn(text, " ;\t\r\n");
    if (!*text && (*classes > 0 || !given)) return RUT_OK;
    Class one;
    if (!read_class(&text, &one)) {
      return rut_map_wrong(map, node, "classes", err,
                           "classes are numbers, \"1=300; 2=80\", not '%.40s'", text);
    }
    if (find(*out, *classes, one.class)) {
      return rut_map_wrong(map, node, "classes", err, "class %g is there twice", one.class);
    }
    (*out)[(*classes)++] = one;
  }
}

// ---- sampling ----

// Middle of a cell in the coordinates of the elevation model.
static void middle_of(const rutMap* map, int row, int col, double place[2]) {
  const rutGeoGrid* g = &map->dem;
  place[0] = g->corner[0] + col * g->spacing;
  place[1] = g->corner[1] + (g->rows - 1 - row) * g->spacing;
}

// Whether both tell where they lie, so that places can be compared.
static bool are_placed(const rutMap* map, const rutGeoGrid* raster) {
  return map->dem.placed && raster->placed;
}

static rutStatus check_place(const rutMap* map, rutNode node, const rutGeoGrid* raster,
                             rutError* err) {
  if (!are_placed(map, raster)) {
    if (raster->rows == map->dem.rows && raster->cols == map->dem.cols) return RUT_OK;
    return rut_map_wrong(map, node, "file", err,
                         "the raster has %d x %d values, the elevation model %d x %d, and %s does "
                         "not tell where it lies: take a GeoTIFF or an ASCII grid",
                         raster->rows, raster->cols, map->dem.rows, map->dem.cols,
                         raster->placed ? "that" : "this");
  }
  if (!rut_geo_grid_same_crs(raster, &map->dem)) {
    char of_raster[RUT_GEO_CRS_NAME], of_dem[RUT_GEO_CRS_NAME];
    rut_geo_grid_crs_name(raster, of_raster);
    rut_geo_grid_crs_name(&map->dem, of_dem);
    return rut_map_wrong(map, node, "file", err,
                         "the raster lies in %s, the elevation model in %s: bring it into the same "
                         "coordinate system (gdalwarp -t_srs ...)",
                         of_raster, of_dem);
  }
  return RUT_OK;
}

// How a raster becomes the numbers of cells.
typedef struct Plan {
  const rutGeoGrid* raster;
  rutGeoSampling sampling;
  const Class* class;
  int classes;
} Plan;

// The number of a cell; *outside tells whether the raster does not reach there.
static double sample(const rutMap* map, const Plan* plan, int row, int col, bool* outside) {
  double value;
  *outside = false;
  if (are_placed(map, plan->raster)) {
    double at[2];
    middle_of(map, row, col, at);
    *outside = !rut_geo_grid_covers(plan->raster, at[0], at[1]);
    value = rut_geo_grid_at(plan->raster, plan->sampling, at[0], at[1]);
  } else {
    value = plan->raster->value[(size_t)row * (size_t)map->dem.cols + (size_t)col];
  }
  if (plan->classes == 0) return value;
  const Class* class = find(plan->class, plan->classes, value);
  return class ? class->number : RUT_NAN;
}

// A raster that covers no cell.
static rutStatus lies_elsewhere(const rutMap* map, const Plan* plan, const rutMapLayer* layer,
                                rutError* err) {
  const rutGeoGrid *r = plan->raster, *d = &map->dem;
  const double half = 0.5 * r->spacing, half_dem = 0.5 * d->spacing;
  return rut_map_wrong(
      map, layer->node, "file", err,
      "the raster lies elsewhere: x %.10g to %.10g, y %.10g to %.10g; the elevation model x %.10g "
      "to %.10g, y %.10g to %.10g",
      r->corner[0] - half, r->corner[0] + r->cols * r->spacing - half, r->corner[1] - half,
      r->corner[1] + r->rows * r->spacing - half, d->corner[0] - half_dem,
      d->corner[0] + d->cols * d->spacing - half_dem, d->corner[1] - half_dem,
      d->corner[1] + d->rows * d->spacing - half_dem);
}

// A number below 0 is mostly one that stands for missing data in a file that does not tell so.
static rutStatus check_number(const rutMap* map, const rutMapLayer* layer, double value, int row,
                              int col, rutError* err) {
  const double number = layer->scale * value;
  const char* type = rut_node_type(map->spec, layer->node);
  if (isnan(number) || (number >= 0 && number <= 1e12)) return RUT_OK;
  return rut_map_wrong(map, layer->node, "file", err,
                       "%s is 0 to 1e12, not %g in row %d, column %d of the map; if this stands "
                       "for missing data: gdal_translate -a_nodata %.9g",
                       type, number, row + 1, col + 1, value);
}

static rutStatus sample_all(const rutMap* map, const Plan* plan, rutMapLayer* layer,
                            rutError* err) {
  const int rows = map->dem.rows, cols = map->dem.cols;
  int64_t covered = 0, numbers = 0;
  layer->grid = (rutGeoGrid){.rows = rows, .cols = cols};
  layer->grid.value = malloc((size_t)rows * (size_t)cols * sizeof(double));
  if (!layer->grid.value) return no_memory(err);
  for (int row = 0; row < rows; row++) {
    for (int col = 0; col < cols; col++) {
      bool outside;
      const double value = sample(map, plan, row, col, &outside);
      const bool counts = !isnan(rut_map_height(map, row, col));
      layer->grid.value[(size_t)row * (size_t)cols + (size_t)col] = value;
      layer->outside += counts && outside;
      layer->missing += counts && !outside && isnan(value);
      covered += !outside;
      numbers += counts && !isnan(value);
      if (counts && check_number(map, layer, value, row, col, err) != RUT_OK) return RUT_ERR_MODEL;
    }
  }
  if (covered == 0) return lies_elsewhere(map, plan, layer, err);
  if (numbers > 0) return RUT_OK;
  return rut_map_wrong(map, layer->node, "file", err, "no cell has a %s%s",
                       rut_node_type(map->spec, layer->node),
                       plan->classes > 0 ? ": the raster has none of the classes there" : "");
}

static rutStatus read_raster(const rutMap* map, rutMapLayer* layer, rutError* err) {
  enum { AUTO, NEAREST, BILINEAR };
  rutGeoGrid raster = {0};
  Class* class = NULL;
  int classes = 0;
  const rutNode node = layer->node;
  const int wanted = (int)rut_node_number(map->spec, node, "sampling");
  rutStatus status = read_classes(map, node, &class, &classes, err);
  if (status == RUT_OK && classes > 0 && wanted == BILINEAR) {
    status = rut_map_wrong(map, node, "sampling", err, "between classes there are no others");
  }
  if (status == RUT_OK) status = rut_geo_grid_read(map->spec, node, "file", &raster, err);
  if (status == RUT_OK) status = check_place(map, node, &raster, err);
  if (status == RUT_OK) {
    const bool nearest = wanted == NEAREST || classes > 0;
    const Plan plan = {&raster, nearest ? RUT_GEO_NEAREST : RUT_GEO_BILINEAR, class, classes};
    layer->rows = raster.rows;
    layer->cols = raster.cols;
    layer->spacing = raster.spacing;
    status = sample_all(map, &plan, layer, err);
  }
  rut_geo_grid_free(&raster);
  free(class);
  return status;
}

// ---- layers ----

rutStatus rut_map_read_layer(rutMap* map, const char* type, rutMapLayer* layer, rutError* err) {
  *layer = (rutMapLayer){.value = RUT_NAN, .scale = 1};
  for (rutNode node = rut_node_first(map->spec, map->root, "layer"); !rut_node_is_null(node);
       node = rut_node_next(map->spec, node, "layer")) {
    if (strcmp(rut_node_type(map->spec, node), type) != 0) continue;
    if (!rut_node_is_null(layer->node)) {
      return rut_map_wrong(map, node, NULL, err, "there is a layer of this type already");
    }
    layer->node = node;
  }
  if (rut_node_is_null(layer->node)) return RUT_OK;
  const rutNode node = layer->node;
  const bool file = rut_node_text(map->spec, node, "file")[0] != '\0';
  layer->value = rut_node_number(map->spec, node, "value");
  layer->scale = rut_node_number(map->spec, node, "scale");
  if (file != isnan(layer->value)) {
    return rut_map_wrong(map, node, NULL, err, "a layer needs file=\"...\" or value=\"...\"%s",
                         file ? ", not both" : "");
  }
  if (!file && rut_node_text(map->spec, node, "classes")[0]) {
    return rut_map_wrong(map, node, "classes", err, "classes are those of a file=\"...\"");
  }
  return file ? read_raster(map, layer, err) : RUT_OK;
}

double rut_map_layer_at(const rutMap* map, const rutMapLayer* layer, int row, int col) {
  if (layer->grid.rows == 0) return layer->value;
  return layer->scale * layer->grid.value[(size_t)row * (size_t)map->dem.cols + (size_t)col];
}
