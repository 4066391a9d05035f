// SPDX-License-Identifier: BSD-3-Clause
#include "map_picture.h"

#include <math.h>
#include <stdlib.h>

#include "cli.h"
#include "gnuplot.h"
#include "map_colours.h"
#include "report.h"

enum { MOST_PIXELS = 420 };

typedef struct Picture {
  const rutMap* map;
  const rutMapRoute* route;
  rutMapWay way;
  double probability;
  double most;  // of the colours of speed [m/s]
  rutMapStatistics statistics[RUT_MAP_WAYS][3];
} Picture;

// Light from the north-west, 45 degrees high.
static double shade_of(const rutMap* map, int row, int col) {
  double gradient[2], curvature[3];
  rut_map_slope(map, row, col, gradient, curvature);
  const double normal = 1 / sqrt(1 + gradient[0] * gradient[0] + gradient[1] * gradient[1]);
  const double light = normal * (0.5 * gradient[0] - 0.5 * gradient[1] + 0.7071);
  return isnan(light) ? 1 : fmin(1.15, fmax(0.35, 0.45 + 0.75 * light));
}

static cliColour of_reason(const rutMapLimit limit[RUT_MAP_HEADINGS]) {
  static const cliColour white = {255, 255, 255};
  int worst = 0;
  for (int k = 0; k < RUT_MAP_HEADINGS; k++) {
    const bool same = limit[k].speed == limit[worst].speed;
    if (limit[k].speed < limit[worst].speed || (same && limit[k].reason < limit[worst].reason)) {
      worst = k;
    }
  }
  const cliColour full = cli_map_reasons[limit[worst].reason];
  return limit[worst].speed > 0 ? cli_colour_mix(full, white, 0.55) : full;
}

// ---- gnuplot ----

static int every(const rutMapInfo* info) {
  const int side = info->rows > info->cols ? info->rows : info->cols;
  return (side + MOST_PIXELS - 1) / MOST_PIXELS;
}

static void put_pixels(FILE* out, const Picture* p, const char* name, rutMapWay way, bool why) {
  const rutMapInfo info = rut_map_info(p->map);
  const int step = every(&info);
  fprintf(out, "$%s << EOD\n", name);
  for (int row = 0; row < info.rows; row += step) {
    for (int col = 0; col < info.cols; col += step) {
      rutMapLimit limit[RUT_MAP_HEADINGS];
      rut_map_cell(p->map, way, p->probability, row, col, limit);
      const bool none = limit[0].reason == RUT_MAP_NO_DATA;
      const cliColour c = why && !none ? of_reason(limit) : cli_map_colour(limit, p->most);
      const double part = none ? 1 : shade_of(p->map, row, col);
      fprintf(out, "%.10g %.10g %.0f %.0f %.0f\n", info.corner[0] + col * info.step,
              info.corner[1] + (info.rows - 1 - row) * info.step, fmin(255, part * c.red),
              fmin(255, part * c.green), fmin(255, part * c.blue));
    }
  }
  fputs("EOD\n", out);
}

// Distance of marks on an axis of this length: 1, 2 or 5 times a power of ten.
static double mark_of(double length) {
  const double power = pow(10, floor(log10(length / 3)));
  const double part = length / 3 / power;
  return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

static void put_axes(FILE* out, const Picture* p) {
  const rutMapInfo info = rut_map_info(p->map);
  const double half = 0.5 * info.step;
  const bool metres = info.step == info.spacing;
  fprintf(out,
          "set size ratio -1\nunset grid\nset xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n"
          "set xlabel \"east%s\\n \" offset 0,0.6\nset ylabel 'north%s'\nset format '%s'\n"
          "set xtics %g\nset ytics %g\n",
          info.corner[0] - half, info.corner[0] + (info.cols - 0.5) * info.step,
          info.corner[1] - half, info.corner[1] + (info.rows - 0.5) * info.step,
          metres ? " [m]" : "", metres ? " [m]" : "", metres ? "%.0f" : "%g",
          mark_of(info.cols * info.step), mark_of(info.rows * info.step));
}

static void put_palette(FILE* out, const Picture* p) {
  fputs("set palette defined (", out);
  for (int i = 0; i < CLI_MAP_ANCHORS; i++) {
    fprintf(out, "%s%d '#%02x%02x%02x'", i ? ", " : "", i, (int)cli_map_anchor[i].red,
            (int)cli_map_anchor[i].green, (int)cli_map_anchor[i].blue);
  }
  fprintf(out, ")\nset cbrange [0:%g]\nset cblabel 'm/s' offset 1,0\nset cbtics scale 0.5\n",
          p->most);
}

static void put_speed_plot(FILE* out, const char* name) {
  fprintf(out,
          "plot $%s using 1:2:3:4:5 with rgbimage, NaN with points palette, "
          "NaN with points pt 5 ps 1.4 lc rgb '#%02x%02x%02x' title 'NO-GO in all headings'",
          name, (int)cli_map_no_go.red, (int)cli_map_no_go.green, (int)cli_map_no_go.blue);
}

static bool occurs(const Picture* p, int reason) {
  const rutMapStatistics* s = &p->statistics[RUT_MAP_SIMULATION][1];
  return reason != RUT_MAP_NO_DATA && s->stopped[reason] + s->limited[reason] > 0;
}

static void put_reason_plot(FILE* out, const Picture* p) {
  fputs("plot $why using 1:2:3:4:5 with rgbimage", out);
  for (int r = 0; r < RUT_MAP_REASONS; r++) {
    if (!occurs(p, r)) continue;
    fprintf(out, ", NaN with points pt 5 ps 1.4 lc rgb '#%02x%02x%02x' title ",
            (int)cli_map_reasons[r].red, (int)cli_map_reasons[r].green,
            (int)cli_map_reasons[r].blue);
    cli_gnuplot_quoted(out, rut_map_reason_name((rutMapReason)r));
  }
  fputc('\n', out);
}

static void put_profiles(FILE* out, const Picture* p) {
  for (int way = 0; way < RUT_MAP_WAYS; way++) {
    for (int q = 0; q < 3; q++) {
      fprintf(out, "$p%d%d << EOD\n", way, q);
      for (int i = 1; i < RUT_MAP_CURVE; i++) {
        const double v = p->statistics[way][q].profile[i];
        if (v > 0) fprintf(out, "%d %g\n", i, v);
      }
      // nothing is left to draw where no cell is free in all headings
      if (!(p->statistics[way][q].profile[1] > 0)) fputs("0 0\n", out);
      fputs("EOD\n", out);
    }
  }
  fputs(
      "set size noratio\nset grid\nset xrange [0:100]\nset yrange [0:*]\nset xtics 20\n"
      "set ytics autofreq\nset format '%g'\n"
      "set xlabel 'best share of the area [%]'\nset ylabel 'speed made good [m/s]'\n"
      "set title 'speed profile, 8 headings equally likely'\nset key inside bottom left\nplot ",
      out);
  static const char* const percent[] = {"10th", "50th", "90th"};
  for (int way = 0; way < RUT_MAP_WAYS; way++) {
    for (int q = 0; q < 3; q++) {
      fprintf(out, "%s$p%d%d with lines lw %g dt %d lc rgb '%s'", way || q ? ", " : "", way, q,
              q == 1 ? 2.0 : 1.0,
              q == 1   ? 1
              : q == 0 ? 3
                       : 2,
              cli_gnuplot_color[way]);
      fprintf(out, " title '%s, %s percentile'", rut_map_way_name((rutMapWay)way), percent[q]);
    }
  }
  fputc('\n', out);
}

static void put_map(FILE* out, const void* user) {
  const Picture* p = user;
  put_pixels(out, p, "simulation", RUT_MAP_SIMULATION, false);
  put_pixels(out, p, "formula", RUT_MAP_FORMULA, false);
  put_pixels(out, p, "why", RUT_MAP_SIMULATION, true);
  fputs("set multiplot layout 2,2\n", out);
  put_axes(out, p);
  put_palette(out, p);
  fputs("set key outside bottom center horizontal samplen 1\n", out);
  fputs("set title 'speed by simulation, mean over headings'\n", out);
  put_speed_plot(out, "simulation");
  fputs("\nset title 'speed by formula, mean over headings'\n", out);
  put_speed_plot(out, "formula");
  fputs("\nset title 'what stops it (pale: limits it) in the worst heading'\nunset colorbox\n",
        out);
  put_reason_plot(out, p);
  put_profiles(out, p);
  fputs("unset multiplot\n", out);
}

static void put_route(FILE* out, const void* user) {
  const Picture* p = user;
  put_pixels(out, p, "speed", p->way, false);
  fputs("$route << EOD\n", out);
  for (int i = 0; i < p->route->steps; i++) {
    fprintf(out, "%.10g %.10g\n", p->route->step[i].x, p->route->step[i].y);
  }
  fputs("EOD\n", out);
  put_axes(out, p);
  put_palette(out, p);
  fputs("set key outside bottom center horizontal samplen 2\n", out);
  fprintf(out, "set title 'speed by %s, and the route of least time'\n", rut_map_way_name(p->way));
  put_speed_plot(out, "speed");
  if (p->route->steps > 0) {
    fprintf(out,
            ", $route with lines lw 4 lc rgb '#ffffff', $route with lines lw 2 lc rgb '#d00000' "
            "title '%.0f m in %.0f s', $route every %d with points pt 7 ps 0.8 lc rgb '#d00000'",
            p->route->distance, p->route->time, p->route->steps > 1 ? p->route->steps - 1 : 1);
  }
  fputc('\n', out);
}

int cli_map_draw(const rutMap* map, const char* path, const rutMapRoute* route, rutMapWay way,
                 double probability) {
  static const double quantile[] = {0.1, 0.5, 0.9};
  Picture* p = calloc(1, sizeof *p);
  if (!p) return CLI_IO;
  *p = (Picture){.map = map, .route = route, .way = way, .probability = probability};
  rutError err = {0};
  rutStatus status = RUT_OK;
  for (int w = 0; w < RUT_MAP_WAYS; w++) {
    for (int q = 0; q < 3 && status == RUT_OK; q++) {
      status = rut_map_statistics(map, (rutMapWay)w, quantile[q], &p->statistics[w][q], &err);
    }
  }
  if (status == RUT_OK) status = cli_map_fastest(map, &p->most, &err);
  int code = status == RUT_OK ? CLI_GO_ON : cli_tell_failure(status, &err);
  if (code == CLI_GO_ON) {
    code = route ? cli_gnuplot_draw(path, 720, 620, put_route, p)
                 : cli_gnuplot_draw(path, 1000, 860, put_map, p);
  }
  free(p);
  return code;
}
