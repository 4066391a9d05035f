// SPDX-License-Identifier: BSD-3-Clause
#include "map_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map_colours.h"
#include "report.h"
#include "rut/host.h"
#include "text.h"

enum { PIXELS = 1024, MOST_SIDE = 8192, NO_HEIGHT = -9999, NAME = 4096 };

typedef struct Site {
  const rutMap* map;
  const rutMapRoute* route;
  rutMapWay way;
  double probability, most;
  rutMapInfo info;
  int each;  // pixels from one cell to the next
  rutPicture picture;
} Site;

int cli_map_check_world(const cliVerb* verb, const char* path) {
  const char* end = path ? strrchr(path, '.') : NULL;
  if (!path || (end && strcmp(end, ".xml") == 0)) return CLI_GO_ON;
  return cli_usage_error(verb, "--world ends in .xml, not '%s'", path);
}

// ---- colours ----

static void put_pixel(const Site* site, int x, int y, cliColour c) {
  const rutPicture* p = &site->picture;
  if (x < 0 || y < 0 || x >= p->width || y >= p->height) return;
  unsigned char* pixel = (unsigned char*)p->pixel + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
  pixel[0] = (unsigned char)c.red;
  pixel[1] = (unsigned char)c.green;
  pixel[2] = (unsigned char)c.blue;
}

// Heights stand in the middle of cells, and the ground reaches from the first to the last.
static void draw_cells(const Site* site) {
  const int each = site->each;
  for (int row = 0; row < site->info.rows; row++) {
    for (int col = 0; col < site->info.cols; col++) {
      rutMapLimit limit[RUT_MAP_HEADINGS];
      rut_map_cell(site->map, site->way, site->probability, row, col, limit);
      const cliColour c = cli_map_colour(limit, site->most);
      const int x = col * each - each / 2, y = row * each - each / 2;
      for (int k = 0; k < each * each; k++) put_pixel(site, x + k % each, y + k / each, c);
    }
  }
}

static void draw_disc(const Site* site, double x, double y, double radius, cliColour c) {
  for (int j = (int)(y - radius); j <= y + radius; j++) {
    for (int i = (int)(x - radius); i <= x + radius; i++) {
      if (hypot(i - x, j - y) <= radius) put_pixel(site, i, j, c);
    }
  }
}

// A red line with a white edge.
static void draw_route(const Site* site) {
  static const cliColour edge = {255, 255, 255}, line = {208, 0, 0};
  const rutMapRoute* r = site->route;
  const double wide = fmax(2, site->picture.width / 300.0);
  for (int pass = 0; r && pass < 2; pass++) {
    for (int i = 0; i + 1 < r->steps; i++) {
      const rutMapStep *a = &r->step[i], *b = &r->step[i + 1];
      for (int k = 0; k <= site->each; k++) {
        const double at = (double)k / site->each;
        const double x = a->col + at * (b->col - a->col), y = a->row + at * (b->row - a->row);
        draw_disc(site, x * site->each, y * site->each, pass ? wide : 1.8 * wide,
                  pass ? line : edge);
      }
    }
  }
}

static rutStatus save_picture(Site* site, const char* path, rutError* err) {
  const int cols = site->info.cols - 1, rows = site->info.rows - 1;
  const int side = cols > rows ? cols : rows;
  if (side > MOST_SIDE || cols < 1 || rows < 1) {
    err->status = RUT_ERR_CAPACITY;
    snprintf(err->message, sizeof err->message, "a world has from 2 to %d cells along each side",
             MOST_SIDE + 1);
    return err->status;
  }
  site->each = (PIXELS + side - 1) / side;
  rutPicture* p = &site->picture;
  *p = (rutPicture){.width = cols * site->each, .height = rows * site->each};
  p->pixel = malloc(3 * (size_t)p->width * (size_t)p->height);
  if (!p->pixel) return RUT_ERR_MEMORY;
  draw_cells(site);
  draw_route(site);
  const rutStatus status = rut_picture_save(NULL, p, path, err);
  free(p->pixel);
  return status;
}

// ---- texts ----

static void put_heights(FILE* out, const Site* site) {
  const rutMapInfo* info = &site->info;
  // a world counts in metres
  const double unit = info->spacing / info->step;
  fprintf(out, "ncols %d\nnrows %d\nxllcenter %.17g\nyllcenter %.17g\ncellsize %.17g\n", info->cols,
          info->rows, unit * info->corner[0], unit * info->corner[1], info->spacing);
  fprintf(out, "NODATA_value %d\n", NO_HEIGHT);
  for (int row = 0; row < info->rows; row++) {
    for (int col = 0; col < info->cols; col++) {
      const double z = rut_map_height(site->map, row, col);
      fprintf(out, "%s%.7g", col ? " " : "", isnan(z) ? NO_HEIGHT : z);
    }
    fputc('\n', out);
  }
}

// Names of files beside the world need no folder.
static void put_world(FILE* out, const Site* site, const char* name) {
  const int length = (int)(strrchr(name, '.') - name);
  fputs("<world description=\"", out);
  cli_put_attribute(site->info.name, out);
  fputs(": speed of ", out);
  cli_put_attribute(rut_map_vehicle(site->map)->name, out);
  fprintf(out, ", %.3g %% quantile by %s, from 0 (violet) to %.0f m/s (yellow); grey: NO-GO\">\n",
          100 * site->probability, rut_map_way_name(site->way), site->most);
  fputs("  <elevation_map file=\"", out);
  char file[NAME];
  snprintf(file, sizeof file, "%.*s", length, name);
  cli_put_attribute(file, out);
  fputs(".asc\" texture=\"", out);
  cli_put_attribute(file, out);
  fputs(".png\" rows=\"north_up\"/>\n", out);
  // from the south, far enough for all of it
  const double far = 1.1 * site->info.spacing * hypot(site->info.rows, site->info.cols);
  fprintf(out, "  <gui distance=\"%.0f m\" azimuth=\"-100 deg\" elevation=\"50 deg\"/>\n", far);
  fputs("</world>\n", out);
}

// ---- files ----

// NAME.xml with another ending.
static void beside(const char* path, const char* ending, char out[NAME]) {
  snprintf(out, NAME, "%.*s%s", (int)(strrchr(path, '.') - path), path, ending);
}

// None of the files may be one that the map was read from.
static rutStatus check_inputs(const rutContext* context, const char* const file[3], rutError* err) {
  for (int i = 0; i < 3; i++) {
    if (!rut_context_has_read(context, file[i])) continue;
    err->status = RUT_ERR_IO;
    snprintf(err->message, sizeof err->message,
             "'%.300s' cannot be written: it was read as an input, and would be lost", file[i]);
    return err->status;
  }
  return RUT_OK;
}

static rutStatus save_text(const Site* site, const char* path, bool heights, rutError* err) {
  rutOutput* output = NULL;
  rutStatus status = rut_output_create(path, &output, err);
  if (status != RUT_OK) return status;
  FILE* out = fopen(rut_output_part(output), "w");
  if (out && heights) put_heights(out, site);
  const char* slash = strrchr(path, '/');
  if (out && !heights) put_world(out, site, slash ? slash + 1 : path);
  bool ok = out && !ferror(out);
  if (out) ok = fclose(out) == 0 && ok;
  status = rut_output_close(output, ok, err);
  if (status == RUT_OK && !ok) {
    snprintf(err->message, sizeof err->message, "cannot write '%.300s'", path);
    return RUT_ERR_IO;
  }
  return status;
}

int cli_map_write_world(const cliMap* map, const char* path, const rutMapRoute* route,
                        rutMapWay way, double probability) {
  char heights[NAME], picture[NAME];
  Site site = {.map = map->map,
               .route = route,
               .way = way,
               .probability = probability,
               .info = rut_map_info(map->map)};
  rutError err = {0};
  beside(path, ".asc", heights);
  beside(path, ".png", picture);
  rutStatus status =
      check_inputs(map->world.context, (const char* const[]){path, heights, picture}, &err);
  if (status == RUT_OK) status = cli_map_fastest(map->map, &site.most, &err);
  if (status == RUT_OK) status = save_picture(&site, picture, &err);
  if (status == RUT_OK) status = save_text(&site, heights, true, &err);
  if (status == RUT_OK) status = save_text(&site, path, false, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_tell_failure(status, &err);
}
