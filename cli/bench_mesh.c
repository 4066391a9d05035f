// SPDX-License-Identifier: BSD-3-Clause
#include "bench_mesh.h"

#include <math.h>
#include <stdio.h>

#include "cli.h"

#ifdef RUT_HAVE_FORMULATIONS
#include "json.h"
#include "rays/measure.h"
#include "table.h"

enum { RUNS = 15 };

static void print_json(const raysFigures* figures) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_array(&json, NULL);
  for (int i = 0; i < RAYS_CASES; i++) {
    const raysFigures* f = &figures[i];
    cli_json_object(&json, NULL);
    cli_json_text(&json, "scene", f->scene);
    cli_json_text(&json, "rays", f->rays);
    cli_json_number(&json, "hits", f->hits);
    cli_json_number(&json, "build_ms", f->build);
    if (!isnan(f->move)) cli_json_number(&json, "move_ms", f->move);
    cli_json_number(&json, "mrays_per_s", f->speed);
    if (!isnan(f->embree)) cli_json_number(&json, "embree_mrays_per_s", f->embree);
    cli_json_end(&json);
  }
  cli_json_end(&json);
}

static void add_number(cliTable* table, double value) {
  if (isnan(value))
    cli_table_add(table, "%s", "");
  else
    cli_table_add(table, "%.3g", value);
}

static void print_table(const raysFigures* figures) {
  static const char* const header[] = {"scene",   "rays",    "hits %",         "build ms",
                                       "move ms", "Mrays/s", "Embree Mrays/s", "ratio"};
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header));
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 0; i < RAYS_CASES; i++) {
    const raysFigures* f = &figures[i];
    cli_table_add(&table, "%s", f->scene);
    cli_table_add(&table, "%s", f->rays);
    add_number(&table, 100 * f->hits);
    add_number(&table, f->build);
    add_number(&table, f->move);
    add_number(&table, f->speed);
    add_number(&table, f->embree);
    add_number(&table, f->speed / f->embree);
  }
  cli_table_print(&table, "llrrrrrr", stdout);
  cli_table_free(&table);
  printf("\nOne thread, its processor time. Embree: single rays, robust, against triangles.\n");
  if (isnan(figures[0].embree))
    printf("Left out: apt-get install libembree-dev, and build again.\n");
}

int cli_bench_mesh(bool json) {
  raysFigures figures[RAYS_CASES];
  if (!rays_measure(RUNS, figures)) {
    fprintf(stderr, "rut: error: out of memory\n");
    return CLI_IO;
  }
  if (json)
    print_json(figures);
  else
    print_table(figures);
  return CLI_DONE;
}

#else

int cli_bench_mesh(bool json) {
  (void)json;
  fprintf(stderr, "rut: error: 'rays_mesh' needs a command with a static librut\n");
  return CLI_MISSING;
}
#endif
