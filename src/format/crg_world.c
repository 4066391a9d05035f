// SPDX-License-Identifier: BSD-3-Clause
//
// A road surface as a world: the surface on level ground, and a car that drives along its line.
#include <stdlib.h>

#include "format/crg.h"
#include "format/road_world.h"
#include "math/rut_math.h"

enum { MOST_POINTS = 100 };
static const double SPEED = 10;  // [m/s]

static void add_car(const rutRoadWorld* w, const rutCrg* crg) {
  double xy[2 * MOST_POINTS];
  const int n = crg->nu < MOST_POINTS ? crg->nu : MOST_POINTS;
  const double length = crg->increment * (crg->nu - 1);
  int kept = 0;
  for (int i = 0; i < n; i++) {
    const rutCrgVertex* at = &crg->vertex[(int)((double)i * (crg->nu - 1) / (n - 1))];
    if (kept && rut_hypot(at->x - xy[2 * kept - 2], at->y - xy[2 * kept - 1]) < 0.1) continue;
    xy[2 * kept] = at->x;
    xy[2 * kept++ + 1] = at->y;
  }
  if (kept < 2) return;
  rut_road_add_car(w, &(rutPathPoints){kept, xy}, SPEED);
  rut_road_set(w, rut_spec_root(w->spec), "duration", rut_floor(length / SPEED) + 15);
  rut_report_note(w->reporter, w->place, "vehicle",
                  "guessed: a car drives along the reference line at %g m/s", SPEED);
}

static rutStatus crg_read(rutContext* context, const char* text, size_t size, const char* name,
                          rutSpec* spec, rutError* err) {
  rutReporter* reporter = rut_context_reporter(context);
  const int before = reporter->errors;
  const rutRoadWorld w = {spec, reporter, {name, 1, 1}};
  rut_node_place(spec, rut_spec_root(spec), NULL, w.place);
  rutCrg crg;
  rutStatus status = rut_crg_read(text, size, name, reporter, &crg);
  if (status == RUT_OK) {
    rut_road_add_terrain(&w, "opencrg", name);
    rut_report_note(reporter, w.place, "ROAD_CRG",
                    "kept: %d rows of %d heights, %.6g m long, %.6g m wide", crg.nu, crg.nv,
                    crg.increment * (crg.nu - 1), crg.v[crg.nv - 1] - crg.v[0]);
    add_car(&w, &crg);
  }
  rut_crg_free(&crg);
  if (reporter->errors > before) status = reporter->first.status;
  if (status != RUT_OK && err) *err = reporter->first;
  return status;
}

const rutFormatType rut_format_opencrg = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutFormatType),
             .kind = "format",
             .name = "opencrg",
             .parents = "",
             .doc = "Road surfaces (OpenCRG): a world with the surface, and a car that drives "
                    "along it."},
    .recognise = rut_crg_recognise,
    .read = crg_read};
