// SPDX-License-Identifier: BSD-3-Clause
//
// Local maps and planned paths of controllers.
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "rut/navigation.h"
#include "sim/query.h"

struct rutNavigation {
  int vehicle;
  rutNavigationInfo info;
  rutNavigationView view;  // arrays are owned
  double* scratch;
};

// The outermost controller of a vehicle that tells something; NULL if none does.
static const rutController* find_controller(const rutModel* model, int vehicle) {
  if (vehicle < 0 || vehicle >= model->vehicles) return NULL;
  const rutControlStack* stack = &model->group[model->vehicle[vehicle].group].control;
  for (int i = 0; i < stack->n; i++) {
    if (stack->controller[i].type->navigation) return &stack->controller[i];
  }
  return NULL;
}

rutNavigationInfo rut_navigation_info(const rutModel* model, int vehicle) {
  rutNavigationInfo info = {.controller = ""};
  const rutController* c = find_controller(model, vehicle);
  if (!c) return info;
  c->type->navigation_info(c->param, &info);
  info.controller = c->type->base.name;
  return info;
}

static bool has_memory(const rutNavigation* n) {
  const bool map = n->info.columns == 0 || (n->view.cost && n->view.height);
  return map && (n->info.poses == 0 || n->view.path) && n->scratch;
}

rutStatus rut_navigation_create(const rutModel* model, int vehicle, rutNavigation** out,
                                rutError* err) {
  *out = NULL;
  const rutController* c = find_controller(model, vehicle);
  if (!c) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no controller of vehicle %d tells a map or a path",
                         vehicle);
  }
  rutNavigation* n = calloc(1, sizeof *n);
  if (!n) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a map");
  n->vehicle = vehicle;
  n->info = rut_navigation_info(model, vehicle);
  const size_t cells = (size_t)n->info.columns * (size_t)n->info.rows;
  const size_t poses = (size_t)n->info.poses;
  if (cells > 0) n->view.cost = calloc(cells, sizeof *n->view.cost);
  if (cells > 0) n->view.height = calloc(cells, sizeof *n->view.height);
  if (poses > 0) n->view.path = calloc(poses, sizeof *n->view.path);
  n->scratch = calloc((size_t)c->scratch_numbers + 1, sizeof *n->scratch);
  if (!has_memory(n)) {
    rut_navigation_destroy(n);
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a map");
  }
  *out = n;
  return RUT_OK;
}

static bool is_same(const rutNavigationInfo* a, const rutNavigationInfo* b) {
  return strcmp(a->controller, b->controller) == 0 && a->columns == b->columns &&
         a->rows == b->rows && a->resolution == b->resolution && a->poses == b->poses;
}

const rutNavigationView* rut_navigation_read(rutNavigation* n, const rutModel* model,
                                             const rutData* data, unsigned what) {
  const rutController* c = find_controller(model, n->vehicle);
  const rutNavigationInfo info = rut_navigation_info(model, n->vehicle);
  if (!c || !is_same(&info, &n->info) || !rut_data_is_of(data, model)) return NULL;
  const rutVehicleRecord* r = &model->vehicle[n->vehicle];
  const rutGroup* g = &model->group[r->group];
  const double* row = rut_batch(data, g, r->slot / g->lanes) + r->slot % g->lanes;
  const bool map = what & (RUT_NAVIGATION_COST | RUT_NAVIGATION_LAYERS);
  const bool path = what & RUT_NAVIGATION_PATH;
  // what is not asked for stays
  rutNavigationView told = n->view;
  told.map_stamp = told.path_stamp = -1;
  if (!map) told.cost = told.height = NULL;
  if (!path) told.path = NULL;
  c->type->navigation(c->param, &g->layout, row + (ptrdiff_t)c->state * g->lanes, g->lanes,
                      n->scratch, &told);
  told.cost = n->view.cost;
  told.height = n->view.height;
  told.path = n->view.path;
  n->view = told;
  return &n->view;
}

void rut_navigation_destroy(rutNavigation* n) {
  if (!n) return;
  free(n->view.cost);
  free(n->view.height);
  free(n->view.path);
  free(n->scratch);
  free(n);
}
