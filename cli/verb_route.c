// SPDX-License-Identifier: BSD-3-Clause
//
// rut route: the way of least time over a map.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "gnuplot.h"
#include "json.h"
#include "map_file.h"
#include "map_picture.h"
#include "map_world.h"
#include "save_file.h"
#include "shard.h"

typedef struct RouteOptions {
  bool json, quiet, formula, cells;
  double percentile;
  const char *output, *picture, *world, *table;
  cliAllowed allowed;
} RouteOptions;

static const cliOption options[] = {
    {"formula", 'f', CLI_FLAG, "", 0, 0, offsetof(RouteOptions, formula),
     "speeds by the formula instead of the simulation"},
    {"percentile", 0, CLI_NUMBER, "P", 0.1, 99.9, offsetof(RouteOptions, percentile),
     "of the speeds: 10 for weak soil (default 50)"},
    {"cells", 0, CLI_FLAG, "", 0, 0, offsetof(RouteOptions, cells),
     "A and B are row,column, counted from 0 in the north-west, not x,y"},
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(RouteOptions, output),
     "write the route as .csv or .geojson"},
    {"picture", 'p', CLI_TEXT, "FILE", 0, 0, offsetof(RouteOptions, picture),
     "draw it on the map into .png, .svg or .pdf"},
    {"world", 0, CLI_TEXT, "FILE.xml", 0, 0, offsetof(RouteOptions, world),
     "write a world for rut view: the route on the ground in the colours of the speeds"},
    {"table", 0, CLI_TEXT, "FILE.db", 0, 0, offsetof(RouteOptions, table),
     "database of the simulations (default: MAP.db)"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(RouteOptions, json),
     "print the route as one JSON object"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(RouteOptions, quiet), "no warnings"},
    CLI_ALLOW_OPTIONS(RouteOptions, allowed),
};

// "x,y" to a cell. Returns CLI_GO_ON or an exit code.
static int read_place(const rutMap* map, const char* text, bool cells, int cell[2]) {
  double a, b;
  int used = 0;
  if (sscanf(text, "%lf,%lf%n", &a, &b, &used) != 2 || text[used] || !isfinite(a) || !isfinite(b)) {
    return cli_usage_error(&cli_verb_route, "a place is %s, not '%s'", cells ? "ROW,COLUMN" : "X,Y",
                           text);
  }
  const rutMapInfo info = rut_map_info(map);
  if (cells && (a != floor(a) || b != floor(b))) {
    return cli_usage_error(&cli_verb_route, "ROW,COLUMN are whole numbers, not '%s'", text);
  }
  if (cells) {
    const bool in = a >= 0 && a < info.rows && b >= 0 && b < info.cols;
    cell[0] = in ? (int)a : -1;
    cell[1] = in ? (int)b : -1;
    if (in) return CLI_GO_ON;
  } else if (rut_map_find(map, a, b, cell)) {
    return CLI_GO_ON;
  }
  const double half = 0.5 * info.step;
  return cli_usage_error(&cli_verb_route,
                         "'%s' is outside of the map, which is %d rows, %d columns: x %.10g to "
                         "%.10g, y %.10g to %.10g",
                         text, info.rows, info.cols, info.corner[0] - half,
                         info.corner[0] + info.cols * info.step - half, info.corner[1] - half,
                         info.corner[1] + info.rows * info.step - half);
}

static void put_csv(FILE* out, const void* what) {
  const rutMapRoute* r = what;
  fputs("row,col,x,y,distance,time,speed,reason\n", out);
  for (int i = 0; i < r->steps; i++) {
    const rutMapStep* s = &r->step[i];
    fprintf(out, "%d,%d,%.10g,%.10g,%.10g,%.10g,", s->row, s->col, s->x, s->y, s->distance,
            s->time);
    if (i > 0) fprintf(out, "%.10g,%s\n", s->limit.speed, rut_map_reason_name(s->limit.reason));
    if (i == 0) fputs(",\n", out);
  }
}

static void put_geojson(FILE* out, const void* what) {
  const rutMapRoute* r = what;
  cliJson json;
  cli_json_init(&json, out);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "type", "Feature");
  cli_json_object(&json, "properties");
  cli_json_number(&json, "distance", r->distance);
  cli_json_number(&json, "time", r->time);
  cli_json_end(&json);
  cli_json_object(&json, "geometry");
  cli_json_text(&json, "type", "LineString");
  cli_json_array(&json, "coordinates");
  // a line has two places or more: that of a route to where it is has one twice
  const int places = r->steps > 1 ? r->steps : 2;
  for (int i = 0; i < places; i++) {
    const rutMapStep* s = &r->step[i < r->steps ? i : 0];
    cli_json_array(&json, NULL);
    cli_json_number(&json, NULL, s->x);
    cli_json_number(&json, NULL, s->y);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
  cli_json_end(&json);
}

static int save(const rutMapRoute* r, const char* path) {
  const bool geojson = strcmp(strrchr(path, '.'), ".geojson") == 0;
  return cli_save_file(path, geojson ? put_geojson : put_csv, r);
}

static void print_json(const rutMapRoute* r) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_bool(&json, "found", r->steps > 0);
  if (r->steps > 0) cli_json_number(&json, "distance", r->distance);
  if (r->steps > 0) cli_json_number(&json, "time", r->time);
  cli_json_array(&json, "steps");
  for (int i = 0; i < r->steps; i++) {
    const rutMapStep* s = &r->step[i];
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "row", s->row);
    cli_json_integer(&json, "col", s->col);
    cli_json_number(&json, "x", s->x);
    cli_json_number(&json, "y", s->y);
    cli_json_number(&json, "distance", s->distance);
    cli_json_number(&json, "time", s->time);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

// Why there is no way, if an end of it is NO-GO in all headings.
static void print_no_way(const rutMap* map, const rutMapTrip* trip) {
  fputs("no way leads there", stdout);
  for (int end = 0; end < 2; end++) {
    const int* cell = end ? trip->to : trip->from;
    rutMapLimit limit[RUT_MAP_HEADINGS];
    rut_map_cell(map, trip->way, trip->probability, cell[0], cell[1], limit);
    bool goes = false;
    for (int k = 0; k < RUT_MAP_HEADINGS; k++) goes = goes || limit[k].speed > 0;
    if (goes) continue;
    printf("; %s, row %d, column %d, is NO-GO: %s", end ? "B" : "A", cell[0], cell[1],
           rut_map_reason_name(limit[0].reason));
  }
  putchar('\n');
}

static int put_out(const cliMap* map, const RouteOptions* o, const rutMapRoute* r,
                   const rutMapTrip* trip) {
  const rutMapWay way = trip->way;
  int code = CLI_GO_ON;
  if (r->steps > 0 && o->output) code = save(r, o->output);
  if (code == CLI_GO_ON && o->picture) {
    code = cli_map_draw(map->map, o->picture, r, way, o->percentile / 100);
    if (code == CLI_DONE) code = CLI_GO_ON;
  }
  if (code == CLI_GO_ON && o->world) {
    code = cli_map_write_world(map, o->world, r, way, o->percentile / 100);
  }
  if (code != CLI_GO_ON) return code;
  if (o->json) {
    print_json(r);
  } else if (r->steps > 0) {
    printf("%.0f m in %.0f s, %.2f m/s on the mean, in %d steps\n", r->distance, r->time,
           r->time > 0 ? r->distance / r->time : 0, r->steps - 1);
  } else {
    print_no_way(map->map, trip);
  }
  return r->steps > 0 ? CLI_DONE : CLI_SHORT;
}

static int find(const cliMap* map, const RouteOptions* o, const cliList* arguments) {
  rutError err = {0};
  rutMapTrip trip = {.way = o->formula ? RUT_MAP_FORMULA : RUT_MAP_SIMULATION,
                     .probability = o->percentile / 100};
  int code = read_place(map->map, arguments->item[1], o->cells, trip.from);
  if (code == CLI_GO_ON) code = read_place(map->map, arguments->item[2], o->cells, trip.to);
  if (code != CLI_GO_ON) return code;
  rutMapRoute route = {0};
  const rutStatus status = rut_map_route(map->map, &trip, &route, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  code = put_out(map, o, &route, &trip);
  rut_map_route_free(&route);
  return code;
}

static int check_outputs(const RouteOptions* o) {
  const char* end = o->output ? strrchr(o->output, '.') : NULL;
  if (o->output && (!end || (strcmp(end, ".csv") != 0 && strcmp(end, ".geojson") != 0))) {
    return cli_usage_error(&cli_verb_route, "--output ends in .csv or .geojson, not '%s'",
                           o->output);
  }
  if (o->picture && !cli_gnuplot_format(o->picture)) {
    return cli_usage_error(&cli_verb_route, "--picture ends in .png, .svg or .pdf, not '%s'",
                           o->picture);
  }
  return cli_map_check_world(&cli_verb_route, o->world);
}

// The table, which must be complete: the speeds of ride and obstacles are in it, too.
static int open_table(rutMap* map, const char* path) {
  rutError err = {0};
  const rutStatus status = rut_map_open_table(map, path, &err);
  if (status != RUT_OK) {
    fputs("rut: note: 'rut map MAP' makes the table of a map\n", stderr);
    return cli_tell_failure(status, &err);
  }
  const rutMapInfo info = rut_map_info(map);
  if (info.done == info.points) return CLI_GO_ON;
  fprintf(stderr, "rut: error: '%.200s' has %d of %d points: rut map MAP --resume\n", path,
          info.done, info.points);
  return CLI_INVALID;
}

static int run_route(int argc, char** argv) {
  static RouteOptions option;
  cliList arguments;
  option = (RouteOptions){.percentile = 50};
  int code = cli_parse(&cli_verb_route, argc, argv, &option, &arguments);
  if (code == CLI_GO_ON) code = check_outputs(&option);
  if (code != CLI_GO_ON) return code;
  cliMap map = {.map = NULL};
  char table[CLI_MAP_PATH];
  code = cli_shard_path(&(cliShard){.shards = 1}, option.table, arguments.item[0], table,
                        sizeof table);
  if (code != CLI_GO_ON) return code;
  code = cli_map_open(&map, arguments.item[0], &option.allowed, option.quiet);
  if (code == CLI_GO_ON) code = open_table(map.map, table);
  if (code == CLI_GO_ON) code = find(&map, &option, &arguments);
  cli_map_close(&map);
  return code;
}

const cliVerb cli_verb_route = {
    .name = "route",
    .arguments = "MAP A B",
    .min_arguments = 3,
    .max_arguments = 3,
    .summary = "find the way of least time over a map",
    .details =
        "MAP is a map file whose table rut map has made; A and B are places x,y in the\n"
        "coordinates of its elevation model. Exit code 1: no way leads there.",
    .examples =
        "  rut route worlds/mobility/valley.xml 50,50 1150,1150\n"
        "  rut route worlds/mobility/valley.xml 50,50 1150,1150 -o way.geojson -p way.png\n"
        "  rut route map.xml --cells 0,0 99,99 --percentile 10 --json",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_route,
};
