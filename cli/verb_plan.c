// SPDX-License-Identifier: BSD-3-Clause
//
// rut plan: a path over an occupancy grid, of a car or of a disc.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gnuplot.h"
#include "plan_file.h"
#include "world.h"

typedef struct PlanOptions {
  bool json, unknown;
  double resolution, radius, width, front, rear, cell, speed;
  int64_t nodes;
  const char *from, *to, *output, *picture;
  cliAllowed allowed;
} PlanOptions;

static const double DEGREE = 3.14159265358979323846 / 180;
static const double SPACING = 0.25;  // of the points of a path [m]
enum { LARGE = 1000000 };

static const cliOption options[] = {
    {"from", 0, CLI_TEXT, "X,Y[,HEADING]", 0, 0, offsetof(PlanOptions, from),
     "where it starts [m]; heading in degrees, counter-clockwise from x"},
    {"to", 0, CLI_TEXT, "X,Y[,HEADING]", 0, 0, offsetof(PlanOptions, to), "where it leads"},
    {"turning-radius", 0, CLI_NUMBER, "R", 0.01, 1000, offsetof(PlanOptions, radius),
     "of the middle of the rear axle [m] (default 5.72)"},
    {"width", 0, CLI_NUMBER, "W", 0.01, 100, offsetof(PlanOptions, width),
     "of the car, or of the disc [m] (default 2.2)"},
    {"front", 0, CLI_NUMBER, "L", 0, 100, offsetof(PlanOptions, front),
     "how far the car reaches ahead of its rear axle [m] (default 3.8)"},
    {"rear", 0, CLI_NUMBER, "L", 0, 100, offsetof(PlanOptions, rear),
     "and behind it [m] (default 0.8)"},
    {"speed", 0, CLI_NUMBER, "V", 0.01, 100, offsetof(PlanOptions, speed),
     "the highest along the path [m/s] (default 5)"},
    {"cell", 0, CLI_NUMBER, "L", 0.001, 100, offsetof(PlanOptions, cell),
     "of the search [m]; smaller where it is narrow (default 0.5)"},
    {"nodes", 0, CLI_INTEGER, "N", 1, 1 << 26, offsetof(PlanOptions, nodes),
     "poses that the search may keep (default 1000000)"},
    {"resolution", 0, CLI_NUMBER, "L", 0.0001, 1000, offsetof(PlanOptions, resolution),
     "of an image that is no map, whose corner is at 0,0 [m] (default 0.1)"},
    {"unknown", 0, CLI_FLAG, "", 0, 0, offsetof(PlanOptions, unknown),
     "unknown cells are free, not blocked"},
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(PlanOptions, output),
     "write the path as .csv"},
    {"picture", 'p', CLI_TEXT, "FILE", 0, 0, offsetof(PlanOptions, picture),
     "draw it into .png, .svg or .pdf"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(PlanOptions, json),
     "print the path as one JSON object"},
    CLI_ALLOW_OPTIONS(PlanOptions, allowed),
};

// "x,y" or "x,y,heading". Returns CLI_GO_ON or an exit code.
static int read_pose(const char* option, const char* text, rutPlanPose* out, bool* heads) {
  if (!text) return cli_usage_error(&cli_verb_plan, "--%s X,Y[,HEADING] is missing", option);
  double x = 0, y = 0, heading = 0;
  int two = 0, three = 0;
  const int n = sscanf(text, "%lf,%lf%n,%lf%n", &x, &y, &two, &heading, &three);
  const bool whole = (n == 2 && !text[two]) || (n == 3 && !text[three]);
  if (!whole || !isfinite(x) || !isfinite(y) || !isfinite(heading)) {
    return cli_usage_error(&cli_verb_plan, "--%s is X,Y or X,Y,HEADING, not '%s'", option, text);
  }
  *out = (rutPlanPose){x, y, heading * DEGREE};
  *heads = n == 3;
  return CLI_GO_ON;
}

static int check_options(const PlanOptions* o, cliPlan* plan) {
  bool from, to;
  int code = read_pose("from", o->from, &plan->from, &from);
  if (code == CLI_GO_ON) code = read_pose("to", o->to, &plan->to, &to);
  if (code != CLI_GO_ON) return code;
  if (from != to)
    return cli_usage_error(&cli_verb_plan, "--from and --to both have a heading, or neither");
  plan->drives = from;
  const char* end = o->output ? strrchr(o->output, '.') : NULL;
  if (o->output && (!end || strcmp(end, ".csv") != 0)) {
    return cli_usage_error(&cli_verb_plan, "--output ends in .csv, not '%s'", o->output);
  }
  if (o->picture && !cli_gnuplot_format(o->picture)) {
    return cli_usage_error(&cli_verb_plan, "--picture ends in .png, .svg or .pdf, not '%s'",
                           o->picture);
  }
  return CLI_GO_ON;
}

static int no_memory(void) {
  fputs("rut: error: no memory for a path\n", stderr);
  return CLI_IO;
}

// ---- a disc ----

static int cell_of(const rutPlanGround* g, const rutPlanPose* p) {
  const double x = floor((p->x - g->origin[0]) / g->resolution);
  const double y = floor((p->y - g->origin[1]) / g->resolution);
  if (!(x >= 0 && y >= 0 && x < g->grid.width && y < g->grid.height)) return -1;
  return (int)y * g->grid.width + (int)x;
}

// Cells in which a disc is free wherever it is: blocked ones begin half a diagonal from their
// middle, and a place in a cell is half a diagonal from its own.
static void shrink(const rutPlanGround* g, double width, const int32_t* squared, uint16_t* cost) {
  static const double DIAGONAL = 1.4142135623730951;
  const double least = 0.5 * width / g->resolution + DIAGONAL;
  for (int i = 0; i < g->grid.width * g->grid.height; i++) {
    cost[i] = g->grid.cost[i] && squared[i] >= least * least ? g->grid.cost[i] : 0;
  }
}

static int keep_way(cliPlan* plan, const rutPlanWay* way) {
  const rutPlanGround* g = plan->ground;
  plan->answer = way->found ? RUT_PLAN_FOUND : RUT_PLAN_NO_WAY;
  plan->closed = way->closed;
  if (!way->found) return CLI_GO_ON;
  plan->point = calloc((size_t)way->cells, sizeof *plan->point);
  if (!plan->point) return no_memory();
  plan->points = way->cells;
  plan->length = way->length * g->resolution;
  for (int i = 0; i < way->cells; i++) {
    const int cell = way->cell[i];
    rutPlanPoint* at = &plan->point[i];
    at->gear = 1;
    at->pose.x = g->origin[0] + (cell % g->grid.width + 0.5) * g->resolution;
    at->pose.y = g->origin[1] + (cell / g->grid.width + 0.5) * g->resolution;
    if (i == 0) continue;
    const double dx = at->pose.x - at[-1].pose.x, dy = at->pose.y - at[-1].pose.y;
    at->distance = at[-1].distance + hypot(dx, dy);
    at->pose.yaw = atan2(dy, dx);
  }
  if (way->cells > 1) plan->point[0].pose.yaw = plan->point[1].pose.yaw;
  return CLI_GO_ON;
}

static int search_cells(cliPlan* plan, const rutPlanGrid* grid) {
  const int ends[] = {cell_of(plan->ground, &plan->from), cell_of(plan->ground, &plan->to)};
  for (int i = 0; i < 2; i++) {
    if (ends[i] >= 0 && grid->cost[ends[i]] > 0) continue;
    plan->answer = i == 0 ? RUT_PLAN_NO_START : RUT_PLAN_NO_GOAL;
    return CLI_GO_ON;
  }
  rutPlanSearch* search = NULL;
  rutPlanWay way;
  rutError err = {0};
  rutStatus status = rut_plan_search_create(grid->width * grid->height, &search, &err);
  if (status == RUT_OK) {
    status = rut_plan_search(search, grid, RUT_PLAN_THETA, ends, &way, &err);
  }
  const int code = status == RUT_OK ? keep_way(plan, &way) : cli_tell_failure(status, &err);
  rut_plan_search_destroy(search);
  return code;
}

static int plan_disc(const PlanOptions* o, cliPlan* plan) {
  const rutPlanGrid* grid = &plan->ground->grid;
  const size_t cells = (size_t)grid->width * (size_t)grid->height;
  int32_t* squared = calloc(cells + 3 * (size_t)grid->width, sizeof *squared);
  uint16_t* cost = calloc(cells, sizeof *cost);
  int code = CLI_GO_ON;
  if (squared && cost) {
    rut_plan_distances(grid, squared, squared + cells);
    shrink(plan->ground, o->width, squared, cost);
    const rutPlanGrid free_cells = {grid->width, grid->height, cost, false};
    code = search_cells(plan, &free_cells);
  } else {
    code = no_memory();
  }
  free(squared);
  free(cost);
  return code;
}

// ---- a car ----

static int keep_path(const PlanOptions* o, cliPlan* plan, const rutPlanPath* path) {
  plan->answer = path->answer;
  plan->closed = path->closed;
  if (path->answer != RUT_PLAN_FOUND) return CLI_GO_ON;
  plan->length = path->length;
  plan->cost = path->cost;
  plan->gear_changes = path->gear_changes;
  const rutPlanSampling sampling = {plan->from, path->pieces, path->piece, SPACING};
  const int n = rut_plan_sample(&sampling, 0, NULL);
  plan->point = calloc((size_t)n, sizeof *plan->point);
  plan->speed = calloc((size_t)n, sizeof *plan->speed);
  plan->time = calloc((size_t)n, sizeof *plan->time);
  double* work = calloc(3 * (size_t)n, sizeof *work);
  if (!plan->point || !plan->speed || !plan->time || !work) {
    free(work);
    return no_memory();
  }
  plan->points = n;
  rut_plan_sample(&sampling, n, plan->point);
  rutPlanLimits limits = rut_default_plan_limits();
  limits.speed = o->speed;
  plan->duration = rut_plan_point_speeds(n, plan->point, &limits, work, plan->speed, plan->time);
  free(work);
  return CLI_GO_ON;
}

static int plan_car(const PlanOptions* o, cliPlan* plan) {
  rutPlanHybrid* hybrid = NULL;
  rutPlanPath path;
  rutError err = {0};
  rutStatus status = rut_plan_hybrid_create(&plan->car, plan->ground, &hybrid, &err);
  if (status == RUT_OK) status = rut_plan_hybrid_ground(hybrid, plan->ground, &err);
  if (status == RUT_OK) {
    status = rut_plan_hybrid_find(hybrid, &plan->from, &plan->to, &path, &err);
  }
  const int code = status == RUT_OK ? keep_path(o, plan, &path) : cli_tell_failure(status, &err);
  rut_plan_hybrid_destroy(hybrid);
  return code;
}

// ---- all of it ----

static int put_out(const PlanOptions* o, const cliPlan* plan) {
  const bool found = plan->answer == RUT_PLAN_FOUND;
  int code = CLI_GO_ON;
  if (found && o->output) code = cli_plan_save(plan, o->output);
  if (code == CLI_GO_ON && o->picture) {
    code = cli_plan_draw(plan, o->picture);
    if (code == CLI_DONE) code = CLI_GO_ON;
  }
  if (code != CLI_GO_ON) return code;
  if (o->json) {
    cli_plan_print_json(plan);
  } else {
    cli_plan_print(plan);
  }
  return found ? CLI_DONE : CLI_SHORT;
}

static int open_ground(cliWorld* world, const PlanOptions* o, const char* path,
                       rutPlanGround* ground) {
  int code = cli_world_open(world, stderr, 1, 0);
  if (code == CLI_GO_ON) code = cli_world_allow(world, &o->allowed);
  if (code != CLI_GO_ON) return code;
  const rutPlanReading reading = {o->resolution, o->unknown ? 1 : 0};
  rutError err = {0};
  const rutStatus status = rut_plan_ground_read(world->context, path, &reading, ground, &err);
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  return CLI_GO_ON;
}

static int run_plan(int argc, char** argv) {
  static PlanOptions option;
  cliList arguments;
  const rutPlanCar car = rut_default_plan_car();
  option = (PlanOptions){.resolution = 0.1,
                         .radius = car.turning_radius,
                         .width = car.footprint.width,
                         .front = car.footprint.front,
                         .rear = car.footprint.rear,
                         .cell = car.cell,
                         .speed = 5,
                         .nodes = LARGE};
  cliPlan plan = {.car = car};
  int code = cli_parse(&cli_verb_plan, argc, argv, &option, &arguments);
  if (code == CLI_GO_ON) code = check_options(&option, &plan);
  if (code != CLI_GO_ON) return code;
  plan.car.footprint = (rutPlanFootprint){option.front, option.rear, option.width};
  plan.car.turning_radius = option.radius;
  plan.car.cell = option.cell;
  plan.car.nodes = (int)option.nodes;
  cliWorld world = {.context = NULL};
  rutPlanGround ground = {.resolution = 0};
  plan.ground = &ground;
  code = open_ground(&world, &option, arguments.item[0], &ground);
  if (code == CLI_GO_ON) code = plan.drives ? plan_car(&option, &plan) : plan_disc(&option, &plan);
  if (code == CLI_GO_ON) code = put_out(&option, &plan);
  free(plan.point);
  free(plan.speed);
  free(plan.time);
  rut_plan_ground_free(&ground);
  cli_world_close(&world);
  return code;
}

const cliVerb cli_verb_plan = {
    .name = "plan",
    .arguments = "MAP",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "find a path over an occupancy grid",
    .details =
        "MAP is a ROS map (.yaml), an MRPT .gridmap or an image. With headings at both ends the\n"
        "path is a manoeuvre of a car, forward and in reverse, of its rear axle; without, a way\n"
        "of a disc in straight lines. Exit code 1: no way leads there.",
    .examples =
        "  rut plan worlds/maps/warehouse.yaml --from -8,-6 --to 8,6 --width 0.6\n"
        "  rut plan map.yaml --from 0,0,90 --to 12,3,180 -p path.png -o path.csv\n"
        "  rut plan yard.pgm --resolution 0.05 --from 1,1 --to 9,9 --json",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_plan,
};
