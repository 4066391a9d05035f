// SPDX-License-Identifier: BSD-3-Clause
//
// From <deformable> to ground that keeps ruts.
#include "sim/compile/ruts.h"

#include "math/rut_math.h"
#include "sim/compile/soil.h"

// Cells must be neither coarser than the wheels nor so fine that footprints do not fit.
static void check_cell(rutDraft* draft, rutNode node, double cell) {
  double least = RUT_INFINITY, most = 0;
  for (int i = 0; i < draft->group.n; i++) {
    const rutDraftClass* c = rut_list_at(&draft->group, i);
    for (int w = 0; c->spatial.axles && w < c->wheels; w++) {
      least = rut_min(c->width[w], least);
      most = rut_max(rut_max(c->width[w], c->radius[w]), most);
    }
  }
  if (most > (RUT_SOFT_REACH - 4) * cell) {
    rut_node_error(draft->spec, node, "cell", RUT_ERR_MODEL, "",
                   "cells of %g m are too fine for a wheel of %g m: at least %.3g m", cell, most,
                   most / (RUT_SOFT_REACH - 4));
  } else if (cell > 0.5 * least) {
    char element[RUT_ELEMENT_TEXT];
    rut_node_element(draft->spec, node, element);
    rut_report_warning(draft->reporter, rut_node_place_of(draft->spec, node, "cell"), element,
                       "cells of %g m are more than half the width %g m of a wheel: its rut "
                       "is seen as wide as a cell or two",
                       cell, least);
  }
}

void rut_draft_deformable(rutDraft* draft, rutNode node) {
  const rutSpec* spec = draft->spec;
  if (draft->soft.cell > 0) {
    rut_node_error(spec, node, NULL, RUT_ERR_MODEL, "", "a world has one <deformable> at most");
    return;
  }
  const double cell = rut_node_number(spec, node, "cell");
  double sine, cosine;
  const int counts = rut_draft_some_soil_counts_passes(draft);
  rut_sincos(rut_node_number(spec, node, "repose_angle"), &sine, &cosine);
  draft->soft = (rutSoftDef){.cell = cell,
                             .displaced = rut_node_number(spec, node, "displaced"),
                             .border = rut_node_number(spec, node, "border"),
                             .repose = sine / cosine,
                             .tiles = rut_soft_tiles(rut_node_number(spec, node, "memory"), counts),
                             .counts = counts};
  check_cell(draft, node, cell);
  if (rut_draft_some_soil_sinks(draft)) return;
  char element[RUT_ELEMENT_TEXT];
  rut_node_element(spec, node, element);
  rut_report_warning(draft->reporter, rut_node_place_of(spec, node, NULL), element,
                     "no <soil> of this world is deformable: there will be no ruts");
}
