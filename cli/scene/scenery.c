// SPDX-License-Identifier: BSD-3-Clause
#include "scene/scenery.h"

#include <math.h>
#include <stdlib.h>

#include "rut/scenery.h"
#include "scene/glb.h"
#include "scene/little_endian.h"

enum {
  MAX_PRISMS = 40000,
  MAX_INDIVIDUALS = 40000,  // of very many only the first ones are shown
  PLACE = 5                 // numbers of a place: x y z yaw size
};

// A variant of an element.
typedef struct Form {
  const char *name, *type;
  int variant, asset, count;
} Form;

struct viewScenery {
  const viewSceneDef* def;
  int individuals, forms, drawn;
  Form* form;    // [individuals + 1], those of one element stand together
  int* form_of;  // [individuals] -1: not drawn by a mesh
};

int view_scenery_mesh(const viewSceneDef* def, rutNode node, int variant, int part) {
  rutMeshModel mesh;
  const rutStatus status = part < 0
                               ? rut_scenery_mesh(def->spec, node, variant, &mesh, NULL)
                               : rut_scenery_part_mesh(def->spec, node, variant, part, &mesh, NULL);
  if (status != RUT_OK) return -1;
  viewBytes* bytes = view_glb_write(&mesh);
  rut_mesh_model_free(&mesh);
  return view_assets_glb(def->assets, bytes);
}

// ---- forms ----

static rutNode element_at(const rutSpec* spec, int index) {
  rutNode node = rut_node_first(spec, rut_spec_root(spec), "scenery");
  for (int i = 0; i < index && !rut_node_is_null(node); i++) {
    node = rut_node_next(spec, node, "scenery");
  }
  return node;
}

// The form of an individual, among those from `first` on, which are of its element.
static int form_of(viewScenery* s, const rutSceneryInfo* info, int first) {
  for (int i = first; i < s->forms; i++) {
    if (s->form[i].variant == info->variant) return i;
  }
  const rutNode node = element_at(s->def->spec, info->element);
  const int asset =
      rut_node_is_null(node) ? -1 : view_scenery_mesh(s->def, node, info->variant, -1);
  s->form[s->forms] = (Form){info->name, info->type, info->variant, asset, 0};
  return s->forms++;
}

static void list_forms(viewScenery* s) {
  rutSceneryInfo info;
  int element = -1, first = 0;
  for (int i = 0; i < s->individuals && rut_scenery_info(s->def->model, i, &info); i++) {
    s->form_of[i] = -1;
    if (info.element < 0) continue;
    if (info.element != element) first = s->forms;
    element = info.element;
    const int form = form_of(s, &info, first);
    if (s->form[form].asset < 0) continue;
    s->form_of[i] = form;
    s->form[form].count++;
    s->drawn++;
  }
}

viewScenery* view_scenery_create(const viewSceneDef* def) {
  viewScenery* s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->def = def;
  const int all = rut_scenery_count(def->model);
  s->individuals = all < MAX_INDIVIDUALS ? all : MAX_INDIVIDUALS;
  s->form = calloc((size_t)s->individuals + 1, sizeof *s->form);
  s->form_of = calloc((size_t)s->individuals + 1, sizeof *s->form_of);
  if (!s->form || !s->form_of) {
    view_scenery_destroy(s);
    return NULL;
  }
  list_forms(s);
  return s;
}

void view_scenery_destroy(viewScenery* scenery) {
  if (!scenery) return;
  free(scenery->form);
  free(scenery->form_of);
  free(scenery);
}

// ---- places ----

// Places of all individuals, those of each form together. NULL if out of memory.
static viewBytes* places_of(const viewScenery* s, double extent[4]) {
  viewBytes* bytes = view_bytes_create((size_t)s->drawn * PLACE * 4);
  int* next = calloc((size_t)s->forms + 1, sizeof *next);
  for (int i = 0; next && i < s->forms; i++) next[i + 1] = next[i] + s->form[i].count;
  rutSceneryInfo info;
  for (int i = 0; bytes && next && i < s->individuals; i++) {
    if (s->form_of[i] < 0 || !rut_scenery_info(s->def->model, i, &info)) continue;
    const double* p = info.position;
    const double place[PLACE] = {p[0], p[1], p[2], info.yaw, info.size};
    unsigned char* at = bytes->data + (size_t)next[s->form_of[i]]++ * PLACE * 4;
    for (int k = 0; k < PLACE; k++) view_put_f32(at + (size_t)k * 4, (float)place[k]);
    for (int k = 0; k < 2; k++) {
      extent[k] = fmin(extent[k], p[k]);
      extent[2 + k] = fmax(extent[2 + k], p[k]);
    }
  }
  if (!next) {
    view_bytes_drop(bytes);
    bytes = NULL;
  }
  free(next);
  return bytes;
}

static void put_forms(const viewScenery* s, cliJson* json) {
  cli_json_array(json, "forms");
  for (int i = 0; i < s->forms; i++) {
    const Form* form = &s->form[i];
    if (form->count == 0) continue;
    cli_json_object(json, NULL);
    cli_json_text(json, "name", form->name);
    cli_json_text(json, "type", form->type);
    cli_json_integer(json, "variant", form->variant);
    cli_json_integer(json, "asset", form->asset);
    cli_json_integer(json, "count", form->count);
    cli_json_end(json);
  }
  cli_json_end(json);
}

void view_scenery_put(viewScenery* scenery, cliJson* json) {
  if (scenery->drawn == 0) return;
  double extent[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  const int asset = view_assets_places(scenery->def->assets, places_of(scenery, extent));
  if (asset < 0) {
    for (int i = 0; i < scenery->individuals; i++) scenery->form_of[i] = -1;
    return;
  }
  cli_json_object(json, "scenery");
  cli_json_integer(json, "places", asset);
  view_json_numbers(json, "extent", 4, extent);
  put_forms(scenery, json);
  cli_json_end(json);
}

// ---- prisms ----

void view_scenery_put_prisms(const viewScenery* scenery, cliJson* json) {
  const rutModel* model = scenery->def->model;
  int written = 0;
  rutSceneryInfo info;
  rutSceneryPrism prism;
  for (int i = 0; i < scenery->individuals && written < MAX_PRISMS; i++) {
    rut_scenery_info(model, i, &info);
    if (scenery->form_of[i] >= 0 || info.element < 0) continue;
    for (int k = 0; rut_scenery_prism(model, i, k, &prism); k++, written++) {
      cli_json_object(json, NULL);
      view_json_outline(json, prism.corners, prism.xy);
      view_json_heights(json, prism.z_min, prism.z_max);
      view_json_reflectance(json, prism.colour);
      cli_json_end(json);
    }
  }
}
