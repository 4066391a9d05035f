// SPDX-License-Identifier: BSD-3-Clause
//
// Reads a map file, its rasters and its vehicle, and lays out the table.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/bytes.h"
#include "host/map_vehicle.h"
#include "host/track.h"
#include "math/rut_math.h"

static const double LOW = 0.1, HIGH = 0.9;  // quantiles between which strengths are simulated

rutStatus rut_map_wrong(const rutMap* map, rutNode node, const char* field, rutError* err,
                        const char* format, ...) {
  if (!err) return RUT_ERR_MODEL;
  rutPlace place = rut_node_place_of(map->spec, node, field);
  if (place.line == 0) place = rut_node_place_of(map->spec, node, NULL);
  *err = (rutError){.status = RUT_ERR_MODEL, .line = place.line, .column = place.column};
  if (place.file) snprintf(err->file, sizeof err->file, "%.250s", place.file);
  const char* type = rut_node_type(map->spec, node);
  snprintf(err->element, sizeof err->element, type[0] ? "<%.24s type=\"%.50s\">" : "<%.24s>",
           rut_node_kind(map->spec, node), type);
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  return RUT_ERR_MODEL;
}

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a map");
}

static char* copy_text(const char* text, size_t length) {
  char* copy = malloc(length + 1);
  if (copy) memcpy(copy, text, length);
  if (copy) copy[length] = '\0';
  return copy;
}

// ---- rasters ----

static rutStatus read_dem(rutMap* map, rutError* err) {
  rutGeoGrid* g = &map->dem;
  const rutNode root = map->root;
  rutStatus status = rut_geo_grid_read(map->spec, root, "dem", g, err);
  if (status != RUT_OK) return status;
  const double given = rut_node_number(map->spec, root, "resolution");
  map->spacing = isnan(given) ? g->spacing : given;
  if (!isnan(given)) {
    if (!g->placed) g->corner[0] = g->corner[1] = 0.5 * given;
    if (!g->placed) g->spacing = given;
  } else if (!g->placed) {
    return rut_map_wrong(map, root, "dem", err,
                         "the elevation model does not tell how far apart its values are: give "
                         "resolution=\"10 m\"");
  } else if (!g->metric) {
    return rut_map_wrong(map, root, "dem", err,
                         "the elevation model counts in degrees or feet: bring it into a system "
                         "in metres (gdalwarp -t_srs EPSG:326xx)");
  }
  if (g->rows < 3 || g->cols < 3) {
    return rut_map_wrong(map, root, "dem", err,
                         "slopes need an elevation model of 3 x 3 values or more, not %d x %d",
                         g->rows, g->cols);
  }
  for (size_t i = 0; i < (size_t)g->rows * (size_t)g->cols; i++) {
    if (!isnan(g->value[i])) return RUT_OK;
  }
  return rut_map_wrong(map, root, "dem", err, "the elevation model has no data anywhere");
}

// ---- soil ----

// "a=1; b=2" into its parts.
static rutStatus split_settings(rutMap* map, rutError* err) {
  const char* text = rut_node_text(map->spec, map->root, "settings");
  size_t n = 1;
  for (const char* p = text; *p; p++) n += *p == ';';
  map->setting = calloc(n, sizeof *map->setting);
  if (!map->setting) return no_memory(err);
  while (*text) {
    text += strspn(text, " ;\t\n\r");
    const size_t length = strcspn(text, ";");
    if (length == 0) break;
    char* copy = copy_text(text, length);
    if (!copy) return no_memory(err);
    map->setting[map->settings++] = copy;
    text += length;
  }
  return RUT_OK;
}

static rutMapGrain grain_of(const rutMap* map, const char* type) {
  const int given = (int)rut_node_number(map->spec, map->root, "grain");
  if (!map->soil[0]) return RUT_MAP_HARD;
  if (given > 0) return given == 1 ? RUT_MAP_FINE : RUT_MAP_COARSE;
  return strcmp(type, "sand") == 0 ? RUT_MAP_COARSE : RUT_MAP_FINE;
}

// Lay the soil once, which tells whether it is right.
static rutStatus check_soil(rutMap* map, const rutSpec* world, rutError* err) {
  rutTrack t;
  rutStatus status = rut_track_open(world, map->vehicle_name, &t, err);
  if (status != RUT_OK) return status;
  map->own_strength = map->friction;
  map->grain = RUT_MAP_HARD;
  const bool layer = !rut_node_is_null(map->strength.node);
  const char* field = layer ? rut_node_text(map->spec, map->strength.node, "field") : "";
  map->field = field[0] ? field : "cone_index";
  rutError cause = {0};
  if (map->soil[0]) {
    status = rut_track_soil(&t, map->soil, map->settings, (const char* const*)map->setting, &cause);
    if (status != RUT_OK) {
      status = rut_map_wrong(map, map->root, "soil", err, "%.400s", cause.message);
    } else {
      map->own_strength = rut_node_number(t.spec, t.ground, "cone_index");
      map->grain = grain_of(map, rut_node_type(t.spec, t.ground));
      if (layer && isnan(rut_node_number(t.spec, t.ground, map->field))) {
        status = rut_map_wrong(map, map->strength.node, field[0] ? "field" : NULL, err,
                               "soil '%.60s' has no number '%.60s': name the field that is its "
                               "strength (rut doc %.60s)",
                               map->soil, map->field, rut_node_type(t.spec, t.ground));
      }
    }
  } else if (field[0] && strcmp(field, "friction") != 0) {
    status = rut_map_wrong(map, map->strength.node, "field", err,
                           "hard ground has friction only; give the map a soil=\"...\"");
  }
  rut_track_close(&t);
  return status;
}

// ---- the table ----

static bool make_axis(rutMapAxis* axis, int n) {
  axis->value = calloc((size_t)n, sizeof *axis->value);
  axis->n = axis->value ? n : 0;
  return axis->value != NULL;
}

static bool make_linear(rutMapAxis* axis, int n, double from, double to) {
  if (!make_axis(axis, n)) return false;
  for (int i = 0; i < n; i++) axis->value[i] = from + (to - from) * i / (n - 1);
  return true;
}

static rutStatus make_strengths(rutMap* map, rutError* err) {
  const rutMapLayer* s = &map->strength;
  double least = RUT_INFINITY, most = 0;
  if (rut_node_is_null(s->node)) {
    if (!make_axis(&map->strengths, 1)) return no_memory(err);
    map->strengths.value[0] = RUT_NAN;
    return RUT_OK;
  }
  for (int row = 0; row < map->dem.rows; row++) {
    for (int col = 0; col < map->dem.cols; col++) {
      const double mean = rut_map_layer_at(map, s, row, col);
      if (isnan(mean)) continue;
      if (!(mean > 0 && mean < 1e12)) {
        return rut_map_wrong(map, s->node, NULL, err,
                             "strength is above 0 and below 1e12, not %g in row %d, column %d",
                             mean, row + 1, col + 1);
      }
      least = rut_min(least, rut_map_quantile(mean, s->variation, LOW));
      most = rut_max(most, rut_map_quantile(mean, s->variation, HIGH));
      most = rut_max(most, mean);
    }
  }
  if (!(most > 0)) return rut_map_wrong(map, s->node, NULL, err, "no cell has a strength");
  const bool same = most - least <= 1e-9 * most;
  const int n = same ? 1 : (int)rut_node_number(map->spec, map->root, "strengths");
  if (!make_axis(&map->strengths, n)) return no_memory(err);
  map->strengths.value[0] = least;
  for (int i = 1; i < n; i++) {
    map->strengths.value[i] = least * rut_exp(rut_log(most / least) * i / (n - 1));
  }
  return RUT_OK;
}

static const double INCH = 0.0254;
static const double roughnesses[] = {0.3, 0.6, 1, 1.5, 2, 3}, radii[] = {4, 6, 8, 10, 12};
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static rutStatus lay_table(rutMap* map, rutError* err) {
  const rutNode root = map->root;
  const double steepest = rut_node_number(map->spec, root, "steepest");
  const int grades = (int)rut_node_number(map->spec, root, "grades");
  const int sides = (int)rut_node_number(map->spec, root, "sides");
  if (grades % 2 == 0) {
    return rut_map_wrong(map, root, "grades", err, "grades is an odd number, not %d", grades);
  }
  bool ok = make_linear(&map->grades, grades, -steepest, steepest) &&
            make_linear(&map->sides, sides, 0, steepest);
  rutStatus status = ok ? make_strengths(map, err) : no_memory(err);
  if (status != RUT_OK) return status;
  if (!rut_node_is_null(map->roughness.node)) ok = make_axis(&map->rides, COUNT(roughnesses));
  if (!rut_node_is_null(map->obstacle.node)) ok = make_axis(&map->rounds, COUNT(radii)) && ok;
  if (!ok) return no_memory(err);
  for (int i = 0; i < map->rides.n; i++) map->rides.value[i] = INCH * roughnesses[i];
  for (int i = 0; i < map->rounds.n; i++) map->rounds.value[i] = INCH * radii[i];
  map->planes = grades * sides * map->strengths.n;
  map->points = map->planes + map->rides.n + map->rounds.n + (map->rounds.n > 0);
  map->point = calloc((size_t)map->points, sizeof *map->point);
  if (!map->point) return no_memory(err);
  for (int i = 0; i < map->points; i++) {
    map->point[i] = (rutMapPoint){RUT_NAN, RUT_NAN, RUT_NAN, RUT_NAN};
  }
  return RUT_OK;
}

rutMapTask rut_map_task(const rutMap* map, int point) {
  if (point < map->planes) {
    const int of_grade = point % map->grades.n, rest = point / map->grades.n;
    return (rutMapTask){.kind = RUT_MAP_OF_PLANE,
                        .grade = map->grades.value[of_grade],
                        .side = map->sides.value[rest % map->sides.n],
                        .strength = map->strengths.value[rest / map->sides.n]};
  }
  int i = point - map->planes;
  if (i < map->rides.n)
    return (rutMapTask){.kind = RUT_MAP_OF_RIDE, .parameter = map->rides.value[i]};
  i -= map->rides.n;
  if (i < map->rounds.n) {
    return (rutMapTask){.kind = RUT_MAP_OF_HALF_ROUND, .parameter = map->rounds.value[i]};
  }
  return (rutMapTask){.kind = RUT_MAP_OF_STEP, .parameter = RUT_NAN};
}

static void put(rutBytes* out, const char* format, ...) RUT_PRINTF(2, 3);
static void put(rutBytes* out, const char* format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  rut_bytes_put(out, line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

// All that points of the table depend on.
static rutStatus sign(rutMap* map, uint64_t hash, rutError* err) {
  rutBytes out = {0};
  put(&out, "rut %s\nvehicle %016" PRIx64 "\nsoil %s\nfield %s\nfriction %.17g\nseed %d\n",
      RUT_VERSION_STRING, hash, map->soil, map->field, map->friction, map->seed);
  for (int i = 0; i < map->settings; i++) put(&out, "setting %s\n", map->setting[i]);
  const rutMapAxis* const axis[] = {&map->grades, &map->sides, &map->strengths, &map->rides,
                                    &map->rounds};
  for (int k = 0; k < COUNT(axis); k++) {
    put(&out, "axis");
    for (int i = 0; i < axis[k]->n; i++) put(&out, " %.17g", axis[k]->value[i]);
    put(&out, "\n");
  }
  rut_bytes_u8(&out, 0);
  map->signature = (char*)out.data;
  return out.failed ? no_memory(err) : RUT_OK;
}

// ---- all of it ----

static rutStatus open_plain(rutContext** out, void* user, rutError* err) {
  (void)user;
  const rutContextDef def = rut_default_context();
  return rut_context_create(&def, out, err);
}

static rutStatus read_root(rutMap* map, const char* path, rutError* err) {
  const rutSpec* spec = map->spec;
  const rutNode root = map->root = rut_spec_root(spec);
  const char* slash = strrchr(path, '/');
  const char* base = slash ? slash + 1 : path;
  const char* world = rut_node_text(spec, root, "vehicle");
  map->name = copy_text(base, strcspn(base, "."));
  map->world = copy_text(world, strlen(world));
  if (!map->name || !map->world) return no_memory(err);
  map->vehicle_name = rut_node_text(spec, root, "vehicle_name");
  map->soil = rut_node_text(spec, root, "soil");
  map->friction = rut_node_number(spec, root, "friction");
  map->remoulding = rut_node_number(spec, root, "remoulding");
  map->seed = (int)rut_node_number(spec, root, "seed");
  map->driver = (rutMapDriver){.deceleration = rut_node_number(spec, root, "deceleration"),
                               .acceleration = rut_node_number(spec, root, "acceleration"),
                               .reaction = rut_node_number(spec, root, "reaction")};
  if (!world[0]) return rut_map_wrong(map, root, NULL, err, "<map> needs vehicle=\"...\", a file");
  if (!rut_node_text(spec, root, "dem")[0]) {
    return rut_map_wrong(map, root, NULL, err, "<map> needs dem=\"...\", an elevation model");
  }
  return split_settings(map, err);
}

static rutStatus read_all(rutMap* map, const char* path, rutError* err) {
  rutSpec* world = NULL;
  uint64_t hash = 0;
  rutStatus status = read_root(map, path, err);
  if (status == RUT_OK) status = read_dem(map, err);
  if (status == RUT_OK) status = rut_map_read_layer(map, "strength", &map->strength, err);
  if (status == RUT_OK) status = rut_map_read_layer(map, "roughness", &map->roughness, err);
  if (status == RUT_OK) status = rut_map_read_layer(map, "obstacle", &map->obstacle, err);
  if (status == RUT_OK) status = rut_map_read_layer(map, "sight", &map->sight, err);
  if (status != RUT_OK) return status;
  if (!rut_node_is_null(map->strength.node)) {
    map->strength.variation = rut_node_number(map->spec, map->strength.node, "variation");
  }
  if (!rut_node_is_null(map->obstacle.node)) {
    map->obstacle_spacing = rut_node_number(map->spec, map->obstacle.node, "spacing");
  }
  status = rut_map_world(map, map->context, &world, err);
  if (status == RUT_OK) status = check_soil(map, world, err);
  if (status == RUT_OK) status = rut_map_look(map, world, &hash, err);
  rut_spec_destroy(world);
  if (status == RUT_OK) status = lay_table(map, err);
  return status == RUT_OK ? sign(map, hash, err) : status;
}

rutStatus rut_map_load(rutContext* context, const char* path, const rutMapHost* host, rutMap** out,
                       rutError* err) {
  *out = NULL;
  rutMap* map = calloc(1, sizeof *map);
  if (!map) return no_memory(err);
  map->context = context;
  map->host = host ? *host : (rutMapHost){open_plain, NULL};
  rutStatus status = rut_spec_load_as(context, "map", path, &map->spec, err);
  if (status == RUT_OK) status = read_all(map, path, err);
  if (status != RUT_OK) {
    rut_map_destroy(map);
    return status;
  }
  *out = map;
  return RUT_OK;
}

void rut_map_destroy(rutMap* map) {
  if (!map) return;
  for (int i = 0; i < map->settings; i++) free(map->setting[i]);
  rutMapLayer* const layer[] = {&map->strength, &map->roughness, &map->obstacle, &map->sight};
  for (int i = 0; i < COUNT(layer); i++) rut_geo_grid_free(&layer[i]->grid);
  rutMapAxis* const axis[] = {&map->grades, &map->sides, &map->strengths, &map->rides,
                              &map->rounds};
  for (int i = 0; i < COUNT(axis); i++) free(axis[i]->value);
  rut_geo_grid_free(&map->dem);
  free(map->setting);
  free(map->name);
  free(map->signature);
  free(map->world);
  free(map->point);
  rut_spec_destroy(map->spec);
  free(map);
}

rutMapLayerInfo rut_map_layer(const rutMap* map, int layer) {
  const rutMapLayer* const of[RUT_MAP_LAYERS] = {&map->strength, &map->roughness, &map->obstacle,
                                                 &map->sight};
  if (layer < 0 || layer >= RUT_MAP_LAYERS) return (rutMapLayerInfo){.type = ""};
  const rutMapLayer* l = of[layer];
  const bool there = !rut_node_is_null(l->node);
  return (rutMapLayerInfo){.type = there ? rut_node_type(map->spec, l->node) : "",
                           .rows = l->rows,
                           .cols = l->cols,
                           .spacing = l->spacing,
                           .outside = l->outside,
                           .missing = l->missing};
}

rutMapInfo rut_map_info(const rutMap* map) {
  int done = 0;
  for (int i = 0; i < map->points; i++) done += !isnan(map->point[i].speed);
  const rutMapAxis* s = &map->strengths;
  return (rutMapInfo){.name = map->name,
                      .description = rut_node_text(map->spec, map->root, "description"),
                      .soil = map->soil,
                      .crs = map->dem.crs,
                      .rows = map->dem.rows,
                      .cols = map->dem.cols,
                      .spacing = map->spacing,
                      .step = map->dem.spacing,
                      .corner = {map->dem.corner[0], map->dem.corner[1]},
                      .points = map->points,
                      .planes = map->planes,
                      .done = done,
                      .grades = map->grades.n,
                      .sides = map->sides.n,
                      .strengths = s->n,
                      .least = s->value[0],
                      .most = s->value[s->n - 1]};
}

const rutMapVehicle* rut_map_vehicle(const rutMap* map) { return &map->vehicle; }
