// SPDX-License-Identifier: BSD-3-Clause
#include "map_summary.h"

#include <math.h>

#include "cli.h"
#include "json.h"
#include "table.h"
#include "text.h"
#include "world.h"

enum { QUANTILES = 3, SHOWN = 3 };
static const double quantile[QUANTILES] = {0.1, 0.5, 0.9};
static const int shown[SHOWN] = {50, 80, 90};
static const double PERCENT = 100;

typedef struct All {
  rutMapStatistics of[RUT_MAP_WAYS][QUANTILES];
} All;

static int work_out(const rutMap* map, All* all) {
  rutError err = {0};
  for (int way = 0; way < RUT_MAP_WAYS; way++) {
    for (int q = 0; q < QUANTILES; q++) {
      const rutStatus status =
          rut_map_statistics(map, (rutMapWay)way, quantile[q], &all->of[way][q], &err);
      if (status != RUT_OK) return cli_tell_failure(status, &err);
    }
  }
  return CLI_GO_ON;
}

// ---- tables ----

static void print_speeds(const All* all, FILE* out) {
  static const char* const header[] = {"",          "percentile", "NO-GO [%]", "mean [m/s]",
                                       "V50 [m/s]", "V80 [m/s]",  "V90 [m/s]"};
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int way = 0; way < RUT_MAP_WAYS; way++) {
    for (int q = 0; q < QUANTILES; q++) {
      const rutMapStatistics* s = &all->of[way][q];
      cli_table_add(&table, "%s", q == 0 ? rut_map_way_name((rutMapWay)way) : "");
      cli_table_add(&table, "%.0f", PERCENT * quantile[q]);
      // the formula knows nothing of soils without a cone index
      if (s->cells == 0) {
        for (int i = 0; i < 2 + SHOWN; i++) cli_table_add(&table, "-");
        continue;
      }
      cli_table_add(&table, "%.1f", PERCENT * s->no_go);
      cli_table_add(&table, "%.2f", s->mean);
      for (int i = 0; i < SHOWN; i++) cli_table_add(&table, "%.2f", s->profile[shown[i]]);
    }
  }
  cli_table_print(&table, "lrrrrrr", out);
  cli_table_free(&table);
}

static void print_reasons(const All* all, FILE* out) {
  static const char* const header[] = {
      "at the median [%]", "simulation: stops", "limits", "formula: stops", "limits", "by"};
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int r = 0; r < RUT_MAP_REASONS; r++) {
    double sum = 0;
    for (int way = 0; way < RUT_MAP_WAYS; way++) {
      sum += all->of[way][1].stopped[r] + all->of[way][1].limited[r];
    }
    if (!(sum > 0)) continue;
    cli_table_add(&table, "%s", rut_map_reason_name((rutMapReason)r));
    for (int way = 0; way < RUT_MAP_WAYS; way++) {
      cli_table_add(&table, "%.1f", PERCENT * all->of[way][1].stopped[r]);
      cli_table_add(&table, "%.1f", PERCENT * all->of[way][1].limited[r]);
    }
    cli_table_add(&table, "%s", rut_map_reason_doc((rutMapReason)r));
  }
  cli_table_print(&table, "lrrrrl", out);
  cli_table_free(&table);
}

// Rasters of other cells than the map's, and cells without data of any raster.
static void print_layers(const rutMap* map, FILE* out) {
  const rutMapInfo info = rut_map_info(map);
  for (int i = 0; i < RUT_MAP_LAYERS; i++) {
    const rutMapLayerInfo l = rut_map_layer(map, i);
    const bool other = l.rows != info.rows || l.cols != info.cols;
    if (l.rows == 0 || !(other || l.outside > 0 || l.missing > 0)) continue;
    fprintf(out, "%s: %d x %d values", l.type, l.rows, l.cols);
    if (l.spacing > 0) fprintf(out, " of %g%s", l.spacing, info.step == info.spacing ? " m" : "");
    if (l.outside > 0) fprintf(out, ", %lld cells outside", (long long)l.outside);
    if (l.missing > 0) fprintf(out, ", %lld cells without data", (long long)l.missing);
    fputc('\n', out);
  }
}

int cli_map_print(const rutMap* map, FILE* out) {
  static All all;
  const int code = work_out(map, &all);
  if (code != CLI_GO_ON) return code;
  const rutMapInfo info = rut_map_info(map);
  const rutMapVehicle* v = rut_map_vehicle(map);
  fprintf(out, "%s: %d x %d cells of %g m, %lld with data\n", CLI_CLEAN(info.name), info.rows,
          info.cols, info.spacing, (long long)all.of[0][1].cells);
  fprintf(out, "%s on %s: %.1f kN, %.1f m/s on hard level ground\n", CLI_CLEAN(v->name),
          info.soil[0] ? CLI_CLEAN(info.soil) : "hard ground", v->weight * 1e-3, v->top_speed);
  print_layers(map, out);
  fputc('\n', out);
  print_speeds(&all, out);
  fputc('\n', out);
  print_reasons(&all, out);
  return CLI_DONE;
}

// ---- JSON ----

static void put_reasons(cliJson* json, const char* key, const double share[RUT_MAP_REASONS]) {
  cli_json_object(json, key);
  for (int r = 0; r < RUT_MAP_REASONS; r++) {
    cli_json_number(json, rut_map_reason_name((rutMapReason)r), share[r]);
  }
  cli_json_end(json);
}

static void put_statistics(cliJson* json, double probability, const rutMapStatistics* s) {
  cli_json_object(json, NULL);
  cli_json_number(json, "percentile", PERCENT * probability);
  cli_json_integer(json, "cells", s->cells);
  cli_json_number(json, "no_go", s->no_go);
  cli_json_number(json, "blocked", s->blocked);
  cli_json_number(json, "mean", s->mean);
  for (int i = 0; i < SHOWN; i++) {
    char key[8];
    snprintf(key, sizeof key, "v%d", shown[i]);
    cli_json_number(json, key, s->profile[shown[i]]);
  }
  put_reasons(json, "stopped", s->stopped);
  put_reasons(json, "limited", s->limited);
  cli_json_array(json, "profile");
  for (int i = 0; i < RUT_MAP_CURVE; i++) cli_json_number(json, NULL, s->profile[i]);
  cli_json_end(json);
  cli_json_end(json);
}

static void put_layers(cliJson* json, const rutMap* map) {
  cli_json_array(json, "layers");
  for (int i = 0; i < RUT_MAP_LAYERS; i++) {
    const rutMapLayerInfo l = rut_map_layer(map, i);
    if (!l.type[0]) continue;
    cli_json_object(json, NULL);
    cli_json_text(json, "type", l.type);
    if (l.rows > 0) {
      cli_json_integer(json, "rows", l.rows);
      cli_json_integer(json, "cols", l.cols);
      cli_json_number(json, "spacing", l.spacing);
      cli_json_integer(json, "outside", l.outside);
      cli_json_integer(json, "missing", l.missing);
    }
    cli_json_end(json);
  }
  cli_json_end(json);
}

int cli_map_json(const rutMap* map, FILE* out) {
  static All all;
  const int code = work_out(map, &all);
  if (code != CLI_GO_ON) return code;
  const rutMapInfo info = rut_map_info(map);
  const rutMapVehicle* v = rut_map_vehicle(map);
  cliJson json;
  cli_json_init(&json, out);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "map", info.name);
  cli_json_text(&json, "vehicle", v->name);
  cli_json_text(&json, "soil", info.soil);
  cli_json_text(&json, "crs", info.crs);
  cli_json_integer(&json, "rows", info.rows);
  cli_json_integer(&json, "cols", info.cols);
  cli_json_number(&json, "spacing", info.spacing);
  cli_json_integer(&json, "points", info.points);
  cli_json_number(&json, "weight", v->weight);
  cli_json_number(&json, "top_speed", v->top_speed);
  cli_json_number(&json, "vci1", rut_vci1(&v->axles));
  put_layers(&json, map);
  for (int way = 0; way < RUT_MAP_WAYS; way++) {
    cli_json_array(&json, rut_map_way_name((rutMapWay)way));
    for (int q = 0; q < QUANTILES; q++) put_statistics(&json, quantile[q], &all.of[way][q]);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  return CLI_DONE;
}
