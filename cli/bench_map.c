// SPDX-License-Identifier: BSD-3-Clause
#include "bench_map.h"

#include <stdio.h>

#include "cli.h"

#ifdef RUT_HAVE_FORMULATIONS
#include "json.h"
#include "rays/measure_map.h"
#include "table.h"

enum { RUNS = 5 };

static void print_json(const mapFigures* figures, const mapBuild* build) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_number(&json, "build_s", build->rut_time);
  cli_json_number(&json, "build_bytes", build->rut_bytes);
  if (figures[0].embree) cli_json_number(&json, "embree_build_s", build->embree_time);
  if (figures[0].embree) cli_json_number(&json, "embree_build_bytes", build->embree_bytes);
  cli_json_array(&json, "sets");
  for (int i = 0; i < MAP_SETS; i++) {
    const mapFigures* f = &figures[i];
    cli_json_object(&json, NULL);
    cli_json_text(&json, "name", f->name);
    cli_json_text(&json, "doc", f->doc);
    cli_json_integer(&json, "rays", f->rays);
    cli_json_number(&json, "hits", f->hits);
    cli_json_number(&json, "rays_per_second", f->rut);
    cli_json_number(&json, "single_rays_per_second", f->rut_single);
    if (f->embree) {
      cli_json_number(&json, "embree_packets_per_second", f->embree_packets);
      cli_json_number(&json, "embree_single_rays_per_second", f->embree_single);
      cli_json_number(&json, "differ", f->differ);
    }
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

static void print_table(const mapFigures* figures, const mapBuild* build) {
  static const char* const header[] = {"rays",        "hits",   "Mray/s",     "one by one",
                                       "Embree x 16", "single", "ratio x 16", "ratio single"};
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < MAP_SETS; i++) {
    const mapFigures* f = &figures[i];
    cli_table_add(&table, "%s", f->name);
    cli_table_add(&table, "%.2f", f->hits);
    cli_table_add(&table, "%.2f", 1e-6 * f->rut);
    cli_table_add(&table, "%.2f", 1e-6 * f->rut_single);
    for (int k = 0; k < 4 && !f->embree; k++) cli_table_add(&table, "%s", "-");
    if (!f->embree) continue;
    cli_table_add(&table, "%.2f", 1e-6 * f->embree_packets);
    cli_table_add(&table, "%.2f", 1e-6 * f->embree_single);
    cli_table_add(&table, "%.2f", f->rut / f->embree_packets);
    cli_table_add(&table, "%.2f", f->rut / f->embree_single);
  }
  cli_table_print(&table, "lrrrrrrr", stdout);
  cli_table_free(&table);
  printf("\nA map of 1024 x 1024 cells, 0.5 m wide, fractal with a relief of 12 m; one thread.\n");
  for (int i = 0; i < MAP_SETS; i++) printf("%s: %s\n", figures[i].name, figures[i].doc);
  printf("Built in %.1f ms, %.1f MB besides the heights", 1e3 * build->rut_time,
         1e-6 * build->rut_bytes);
  if (figures[0].embree) {
    printf("; by Embree in %.0f ms, %.0f MB.\n", 1e3 * build->embree_time,
           1e-6 * build->embree_bytes);
    printf("Ratios are those of Mray/s to Embree in packets of 16 and ray by ray.\n");
  } else {
    printf(".\nEmbree is left out: apt-get install libembree-dev, and build again.\n");
  }
}

int cli_bench_map(bool json) {
  mapFigures figures[MAP_SETS];
  mapBuild build = {0};
  if (!map_measure(RUNS, figures, &build)) {
    fprintf(stderr, "rut: error: out of memory\n");
    return CLI_IO;
  }
  if (json)
    print_json(figures, &build);
  else
    print_table(figures, &build);
  return CLI_DONE;
}

#else

int cli_bench_map(bool json) {
  (void)json;
  fprintf(stderr, "rut: error: 'rays_map' needs a command with a static librut\n");
  return CLI_MISSING;
}
#endif
