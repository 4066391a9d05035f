// SPDX-License-Identifier: BSD-3-Clause
#include "plan_file.h"

#include <math.h>
#include <string.h>

#include "cli.h"
#include "gnuplot.h"
#include "json.h"
#include "report.h"
#include "rut/host.h"
#include "save_file.h"

static const double DEGREE = 3.14159265358979323846 / 180;

const char* cli_plan_word(rutPlanAnswer answer) {
  static const char* const words[] = {"found", "no_way", "no_start", "no_goal", "too_long"};
  return words[answer];
}

const char* cli_plan_sentence(rutPlanAnswer answer) {
  static const char* const sentences[] = {"", "no way leads there", "the start is not free",
                                          "the goal is not free",
                                          "the search needs more poses: --nodes"};
  return sentences[answer];
}

// ---- text ----

static void put_json_point(cliJson* json, const cliPlan* p, int i) {
  const rutPlanPoint* at = &p->point[i];
  cli_json_object(json, NULL);
  cli_json_number(json, "x", at->pose.x);
  cli_json_number(json, "y", at->pose.y);
  cli_json_number(json, "yaw", at->pose.yaw / DEGREE);
  cli_json_number(json, "distance", at->distance);
  if (p->drives) {
    cli_json_number(json, "curvature", at->curvature);
    cli_json_integer(json, "gear", at->gear);
    cli_json_number(json, "speed", p->speed[i]);
    cli_json_number(json, "time", p->time[i]);
  }
  cli_json_end(json);
}

void cli_plan_print_json(const cliPlan* p) {
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "answer", cli_plan_word(p->answer));
  cli_json_integer(&json, "closed", p->closed);
  if (p->answer == RUT_PLAN_FOUND) {
    cli_json_number(&json, "length", p->length);
    if (p->drives) {
      cli_json_number(&json, "cost", p->cost);
      cli_json_integer(&json, "gear_changes", p->gear_changes);
      cli_json_number(&json, "time", p->duration);
    }
    cli_json_array(&json, "points");
    for (int i = 0; i < p->points; i++) put_json_point(&json, p, i);
    cli_json_end(&json);
  }
  cli_json_end(&json);
}

void cli_plan_print(const cliPlan* p) {
  if (p->answer == RUT_PLAN_NO_START || p->answer == RUT_PLAN_NO_GOAL) {
    printf("%s\n", cli_plan_sentence(p->answer));
  } else if (p->answer != RUT_PLAN_FOUND) {
    printf("%s; %d %s were looked at\n", cli_plan_sentence(p->answer), p->closed,
           p->drives ? "poses" : "cells");
  } else if (p->drives) {
    printf("%.2f m in %.1f s, gear changes: %d; %d poses were looked at\n", p->length, p->duration,
           p->gear_changes, p->closed);
  } else {
    printf("%.2f m in %d straight lines; %d cells were looked at\n", p->length, p->points - 1,
           p->closed);
  }
}

static void put_csv(FILE* out, const void* what) {
  const cliPlan* p = what;
  fputs(p->drives ? "x,y,yaw,distance,curvature,gear,speed,time\n" : "x,y,yaw,distance\n", out);
  for (int i = 0; i < p->points; i++) {
    const rutPlanPoint* at = &p->point[i];
    fprintf(out, "%.10g,%.10g,%.10g,%.10g", at->pose.x, at->pose.y, at->pose.yaw / DEGREE,
            at->distance);
    if (p->drives) {
      fprintf(out, ",%.10g,%d,%.10g,%.10g", at->curvature, at->gear, p->speed[i], p->time[i]);
    }
    fputc('\n', out);
  }
}

int cli_plan_save(const cliPlan* plan, const char* path) {
  return cli_save_file(path, put_csv, plan);
}

// ---- picture ----

enum { MOST_PIXELS = 600 };

static void put_ground(FILE* out, const rutPlanGround* g) {
  const int side = g->grid.width > g->grid.height ? g->grid.width : g->grid.height;
  const int step = (side + MOST_PIXELS - 1) / MOST_PIXELS;
  fputs("$ground << EOD\n", out);
  for (int y = 0; y < g->grid.height; y += step) {
    for (int x = 0; x < g->grid.width; x += step) {
      const int grey = g->grid.cost[y * g->grid.width + x] ? 245 : 90;
      fprintf(out, "%.10g %.10g %d\n", g->origin[0] + (x + 0.5 * step) * g->resolution,
              g->origin[1] + (y + 0.5 * step) * g->resolution, grey);
    }
  }
  fputs("EOD\n", out);
}

static void put_outline(FILE* out, const rutPlanFootprint* f, const rutPlanPose* p) {
  const double corner[5][2] = {
      {f->front, .5}, {f->front, -.5}, {-f->rear, -.5}, {-f->rear, .5}, {f->front, .5}};
  const double c = cos(p->yaw), s = sin(p->yaw);
  for (int i = 0; i < 5; i++) {
    const double x = corner[i][0], y = corner[i][1] * f->width;
    fprintf(out, "%.10g %.10g\n", p->x + c * x - s * y, p->y + s * x + c * y);
  }
  fputs("\n", out);
}

// Outlines of the car at both ends, where the gear changes, and every few metres.
static void put_outlines(FILE* out, const cliPlan* p) {
  static const double EVERY = 2;  // [m]
  double next = 0;
  fputs("$car << EOD\n", out);
  if (p->drives) put_outline(out, &p->car.footprint, &p->from);
  if (p->drives) put_outline(out, &p->car.footprint, &p->to);
  for (int i = 0; i < p->points && p->drives; i++) {
    const bool turns = i + 1 < p->points && p->point[i].gear != p->point[i + 1].gear;
    if (!turns && p->point[i].distance < next) continue;
    put_outline(out, &p->car.footprint, &p->point[i].pose);
    next = p->point[i].distance + EVERY;
  }
  if (!p->drives) fprintf(out, "%.10g %.10g\n", p->from.x, p->from.y);
  fputs("EOD\n", out);
}

// Parts of the path in a gear, with the point before each, so that they join.
static void put_gear(FILE* out, const cliPlan* p, int gear, const char* name) {
  fprintf(out, "$%s << EOD\n", name);
  for (int i = 1; i < p->points; i++) {
    if (p->point[i].gear != gear) continue;
    for (int k = i - 1; k <= i; k++) {
      fprintf(out, "%.10g %.10g\n", p->point[k].pose.x, p->point[k].pose.y);
    }
    fputs("\n", out);
  }
  // nothing is no data
  fprintf(out, "%.10g %.10g\nEOD\n", p->from.x, p->from.y);
}

static void put_plan(FILE* out, const void* user) {
  const cliPlan* p = user;
  const rutPlanGround* g = p->ground;
  put_ground(out, g);
  put_outlines(out, p);
  put_gear(out, p, 1, "forward");
  put_gear(out, p, -1, "reverse");
  fprintf(out,
          "set size ratio -1\nunset grid\nset xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n"
          "set xlabel 'x [m]'\nset ylabel 'y [m]'\nset key outside bottom center horizontal\n",
          g->origin[0], g->origin[0] + g->grid.width * g->resolution, g->origin[1],
          g->origin[1] + g->grid.height * g->resolution);
  fprintf(out,
          "plot $ground using 1:2:3:3:3 with rgbimage notitle, "
          "$car with lines lw 0.8 lc rgb '#777777' notitle, "
          "$forward with lines lw 2 lc rgb '%s' title '%s'",
          cli_gnuplot_color[0], p->drives ? "forward" : "way");
  if (p->drives) {
    fprintf(out, ", $reverse with lines lw 2 lc rgb '%s' title 'reverse'", cli_gnuplot_color[1]);
  }
  fputc('\n', out);
}

int cli_plan_draw(const cliPlan* plan, const char* path) {
  return cli_gnuplot_draw(path, 720, 620, put_plan, plan);
}
