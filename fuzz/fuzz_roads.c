// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes as a road network (OpenDRIVE) and as a road surface (OpenCRG): worlds, surfaces, paths.
#include <stdint.h>
#include <stdlib.h>

#include "format/crg.h"
#include "format/xodr_path.h"
#include "format/xodr_surface.h"
#include "geom/road_surface.h"
#include "read_as.h"

extern const rutFormatType rut_format_opendrive, rut_format_opencrg;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static volatile double sink;

static void look_at_roads(const rutXodr* file, rutReporter* reporter) {
  const rutXodrSurface def = {.roads = "", .margin = 1};
  rutRoadPlan* plan = NULL;
  if (rut_xodr_surface(file, &def, reporter, &plan) != RUT_OK) return;
  for (int i = 0; i < 50; i++) {
    const rutRoadSpan* span = rut_road_span(plan, (int)((long long)i * plan->spans / 50));
    const double x = span->box[0] + 0.02 * i * (span->box[1] - span->box[0]);
    const double y = 0.5 * (span->box[2] + span->box[3]);
    rutRoadFound found;
    rutTerrainBounds bounds;
    rut_road_plan_at(plan, x, y, &found);
    const double box[4] = {x - 5, x + 5, y - 5, y + 5};
    sink = found.z + rut_road_plan_bounds(plan, box, &bounds);
  }
  free(plan);
}

static void look_at_surface(const rutCrg* crg) {
  const rutCrgParts parts = {.nu = crg->nu,
                             .nv = crg->nv,
                             .vertex = crg->vertex,
                             .v = crg->v,
                             .z = crg->z,
                             .border = {crg->border[0], crg->border[1]},
                             .beyond = 2,
                             .margin = 1};
  rutCrgPlan* plan = NULL;
  if (rut_crg_plan_make(&parts, &plan, NULL) != RUT_OK) return;
  for (int i = 0; i < 50; i++) {
    double xy[2];
    rutCrgFound found = {0};
    rut_crg_point(plan, 0.02 * i * plan->nu,
                  crg->v[0] + 0.02 * i * (crg->v[crg->nv - 1] - crg->v[0]), xy);
    rut_crg_at(plan, xy[0], xy[1], &found);
    sink = found.z;
  }
  free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const char* text = (const char*)data;
  rutReporter reporter = {0};
  if (rut_crg_recognise(text, size)) {
    rutCrg crg;
    if (rut_crg_read(text, size, "fuzz.crg", &reporter, &crg) == RUT_OK) look_at_surface(&crg);
    rut_crg_free(&crg);
    fuzz_read_as(&rut_format_opencrg, "fuzz", data, size);
    return 0;
  }
  rutXodr file;
  if (rut_xodr_read(text, size, "fuzz.xodr", &reporter, &file) == RUT_OK) {
    const rutPathRoute route = {.roads = "", .lane = -1, .most = 20};
    rutPathPoints points = {0};
    look_at_roads(&file, &reporter);
    rut_xodr_path(&file, &route, &points, &reporter);
    rut_path_points_free(&points);
  }
  rut_xodr_free(&file);
  fuzz_read_as(&rut_format_opendrive, "fuzz", data, size);
  return 0;
}
