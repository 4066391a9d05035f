// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/visual.h"

#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/model_path.h"
#include "format/mesh.h"
#include "math/vec.h"
#include "sim/compile/material.h"
#include "sim/compile/obstacles.h"
#include "sim/compile/scene.h"
#include "sim/compile/texture.h"
#include "sim/spec/material_read.h"

enum { MAX_FILES = 512 };  // different mesh files of a world

// Reads the files of a world.
typedef struct Reader {
  rutDraft* draft;
  rutMeshTime time;
  int files;
  struct {
    const char* name;  // borrowed from the spec
    int mesh;          // in the draft, -1: it cannot be had
    int colours;       // of its materials
    double (*colour)[4];
  } file[MAX_FILES];
} Reader;

// What a <visual> belongs to.
typedef struct Owner {
  rutNode node;  // whose children the visuals are
  rutCarrier carrier;
  int vehicle;  // -1: none
  int instance;
  int material;         // where the file says nothing
  const double* mount;  // of a sensor: x y z roll pitch yaw on the carrier; NULL for others
} Owner;

// ---- files ----

// A mesh of a file as one made by rule, which borrows its arrays but for the surfaces.
static int keep_mesh(rutDraft* draft, const rutMesh* mesh) {
  const int n = mesh->materials > 0 ? mesh->materials : 1;
  rutMaterial* surface = calloc((size_t)n, sizeof *surface);
  double* transmission = calloc((size_t)n, sizeof *transmission);
  int* none = calloc((size_t)mesh->triangles + 1, sizeof *none);
  int kept = -1;
  if (surface && transmission && none) {
    for (int i = 0; i < mesh->materials; i++) transmission[i] = 1 - mesh->colour[i][3];
    const rutMeshModel model = {.points = mesh->points,
                                .triangles = mesh->triangles,
                                .materials = n,
                                .point = (double(*)[3])mesh->point,
                                .triangle = (int(*)[3])mesh->triangle,
                                .material = mesh->material ? mesh->material : none,
                                .surface = surface,
                                .transmission = transmission};
    kept = rut_draft_mesh(draft, &model);
  }
  free(surface);
  free(transmission);
  free(none);
  return kept;
}

// Triangles whose corners are numbers.
static int count_sound(const rutMesh* mesh) {
  int sound = 0;
  for (int i = 0; i < mesh->triangles; i++) {
    bool fine = true;
    for (int k = 0; k < 9; k++) {
      fine = fine && rut_is_finite(mesh->point[3 * (size_t)mesh->triangle[3 * i + k / 3] + k % 3]);
    }
    sound += fine;
  }
  return sound;
}

// Read a file. A file that is not there, or that nothing here can read, leaves the element with
// its own shape; one that is broken is an error.
static void read_file(Reader* reader, rutNode visual, const char* name, int index) {
  rutDraft* draft = reader->draft;
  rutReporter quiet = {.access = rut_spec_access(draft->spec)};
  rutMesh mesh = {0};
  char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT] = "";
  const int fault = rut_mesh_read(quiet.access, name, &reader->time, &quiet, &mesh);
  if (fault) {
    rut_input_explain(fault, name, RUT_MESH_MAX_BYTES, message, hint);
    rut_node_note(draft->spec, visual, "model", "%s: sensors see the shape of the element",
                  message);
    return;
  }
  const rutStatus status = quiet.first.status;
  if (status == RUT_ERR_MISSING) {
    rut_node_warning(draft->spec, visual, "model", "%s: sensors see the shape of the element",
                     quiet.first.message);
  } else if (status != RUT_OK) {
    rut_node_error(draft->spec, visual, "model", status, "", "'%.300s': %s", name,
                   quiet.first.message);
  } else if (mesh.triangles > 0) {
    const int sound = count_sound(&mesh);
    if (sound < mesh.triangles) {
      rut_node_warning(draft->spec, visual, "model",
                       "'%.300s': corners of %d of %d triangles are no numbers: sensors see %s",
                       name, mesh.triangles - sound, mesh.triangles,
                       sound > 0 ? "the others" : "the shape of the element");
    }
    const int kept = sound > 0 ? keep_mesh(draft, &mesh) : -1;
    if (kept >= 0) rut_draft_textures(draft, visual, name, &mesh, kept);
    // where a texture cannot be had, the material is that of the element
    for (int i = 0; mesh.texture && i < mesh.materials; i++) {
      if (mesh.texture[i][0]) mesh.colour[i][0] = RUT_NAN;
    }
    reader->file[index].mesh = kept;
    reader->file[index].colours = mesh.materials;
    reader->file[index].colour = mesh.colour;
    mesh.colour = NULL;
  }
  rut_mesh_free(&mesh);
}

// Index of a file, which is read once; -1 if there are too many.
static int file_of(Reader* reader, rutNode visual) {
  const char* name = rut_node_text(reader->draft->spec, visual, "model");
  for (int i = 0; i < reader->files; i++) {
    if (strcmp(reader->file[i].name, name) == 0) return i;
  }
  if (reader->files == MAX_FILES) {
    rut_node_error(reader->draft->spec, visual, "model", RUT_ERR_CAPACITY, "",
                   "sensors of a world see at most %d mesh files", MAX_FILES);
    return -1;
  }
  const int index = reader->files++;
  reader->file[index].name = name;
  reader->file[index].mesh = -1;
  reader->file[index].colours = 0;
  reader->file[index].colour = NULL;
  if (name[0]) read_file(reader, visual, name, index);
  return index;
}

// ---- places and paint ----

// A mesh that is flattened has no inside and no outside.
static bool check_stretch(const rutDraft* draft, rutNode visual) {
  int n = 0;
  const double* stretch = rut_node_numbers(draft->spec, visual, "stretch", &n);
  for (int i = 0; i < n; i++) {
    if (rut_abs(stretch[i]) >= 1e-9 && rut_abs(stretch[i]) <= 1e9) continue;
    rut_node_error(draft->spec, visual, "stretch", RUT_ERR_MODEL, "",
                   "'stretch' has the factor %g; it may be 1e-9 to 1e9, or the same below 0",
                   stretch[i]);
    return false;
  }
  return true;
}

static void place_visual(const rutDraft* draft, rutNode visual, const Owner* owner,
                         double pose[12]) {
  const rutSpec* spec = draft->spec;
  int n = 0;
  const double* offset = rut_node_numbers(spec, visual, "offset", &n);
  const double at[3] = {n > 0 ? offset[0] : 0, n > 1 ? offset[1] : 0, n > 2 ? offset[2] : 0};
  const double angle[3] = {rut_node_number(spec, visual, "roll"),
                           rut_node_number(spec, visual, "pitch"),
                           rut_node_number(spec, visual, "yaw")};
  double own[12], mount[12];
  const double scale = rut_node_number(spec, visual, "scale");
  const double* stretch = rut_node_numbers(spec, visual, "stretch", &n);
  rut_affine_of(at, angle, own);
  for (int i = 0; i < 12; i++) own[i] *= i % 4 < 3 ? scale * (n == 3 ? stretch[i % 4] : 1) : 1;
  if (!owner->mount) {
    memcpy(pose, own, sizeof own);
    return;
  }
  rut_affine_of(owner->mount, owner->mount + 3, mount);
  rut_affine_mul(mount, own, pose);
}

// Materials of a file: that of the element in the colours of the file.
static int paint_file(Reader* reader, int file, int material) {
  rutDraft* draft = reader->draft;
  rutDraftMesh* mesh = rut_list_at(&draft->mesh, reader->file[file].mesh);
  if (mesh->painted_for == material) return mesh->paint;
  mesh->painted_for = material;
  mesh->paint = draft->paint.n;
  for (int i = 0; i < reader->file[file].colours; i++) {
    int* paint = rut_draft_push(draft, &draft->paint);
    if (paint) *paint = rut_draft_coloured(draft, material, reader->file[file].colour[i]);
  }
  return mesh->paint;
}

// Add the meshes of an element. True if there is one.
static bool see(Reader* reader, const Owner* owner) {
  rutDraft* draft = reader->draft;
  bool any = false;
  for (rutNode v = rut_node_first(draft->spec, owner->node, "visual"); !rut_node_is_null(v);
       v = rut_node_next(draft->spec, v, "visual")) {
    if (rut_node_number(draft->spec, v, "enabled") == 0 || !check_stretch(draft, v)) continue;
    const int file = file_of(reader, v);
    if (file < 0 || reader->file[file].mesh < 0) continue;
    rutDraftVisual visual = {.carrier = owner->carrier,
                             .vehicle = owner->vehicle,
                             .surface = {owner->instance, owner->material},
                             .mesh = reader->file[file].mesh,
                             .solid = -1,
                             .paint = -1};
    double colour[3];
    if (rut_linear_colour(rut_node_text(draft->spec, v, "color"), colour)) {
      visual.surface.material = rut_draft_coloured(draft, owner->material, colour);
    } else if (reader->file[file].colours > 0) {
      visual.surface.material = -1;
      visual.paint = paint_file(reader, file, owner->material);
    }
    place_visual(draft, v, owner, visual.pose);
    rut_draft_visual(draft, &visual);
    any = true;
  }
  return any;
}

// ---- elements ----

// Visuals of sensors are drawn where these are mounted.
static void see_sensors(Reader* reader, Owner owner) {
  const rutSpec* spec = reader->draft->spec;
  static const char* const row[6] = {"x", "y", "z", "roll", "pitch", "yaw"};
  for (rutNode s = rut_node_first(spec, owner.node, "sensor"); !rut_node_is_null(s);
       s = rut_node_next(spec, s, "sensor")) {
    double mount[6];
    for (int i = 0; i < 6; i++) mount[i] = rut_node_number(spec, s, row[i]);
    Owner sensor = owner;
    sensor.node = s;
    sensor.mount = mount;
    see(reader, &sensor);
  }
}

static void see_vehicle(Reader* reader, int index, int first_wheel) {
  rutDraft* draft = reader->draft;
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, index);
  const rutDraftClass* c = rut_list_at(&draft->group, v->group);
  const rutDraftPrism* chassis = rut_list_at(&draft->prism, v->first_prism);
  Owner owner = {.node = v->node,
                 .carrier = {RUT_CARRIER_VEHICLE, index, 0},
                 .vehicle = index,
                 .instance = v->instance,
                 .material = chassis->surface.material};
  if (see(reader, &owner)) rut_draft_hide(draft, index, -1);
  see_sensors(reader, owner);
  for (int w = 0; w < c->wheels; w++) {
    owner.node = rut_draft_wheel_node(draft, v, c, w);
    owner.carrier = (rutCarrier){RUT_CARRIER_WHEEL, first_wheel + w, 0};
    if (rut_node_count(draft->spec, owner.node, "visual") == 0) continue;
    owner.material = rut_draft_material(draft, owner.node, RUT_MATERIAL_TYRE);
    if (see(reader, &owner)) rut_draft_hide(draft, index, w);
  }
}

// Ramps and bumps are ground, and what is intangible is not seen: these have no prism.
static void see_block(Reader* reader, rutDraftPrism* p) {
  const rutDraftBlock* b = rut_list_at(&reader->draft->block, p->def.index);
  const Owner owner = {.node = b->node,
                       .carrier = {RUT_CARRIER_BLOCK, p->def.index, 0},
                       .vehicle = -1,
                       .instance = p->surface.instance,
                       .material = p->surface.material};
  if (see(reader, &owner)) p->def.look = RUT_LOOK_NOTHING;
}

static void see_world(Reader* reader) {
  rutDraft* draft = reader->draft;
  const rutNode root = rut_spec_root(draft->spec);
  const rutNode first = rut_node_first(draft->spec, root, "visual");
  if (rut_node_is_null(first)) return;
  see(reader, &(Owner){.node = root,
                       .carrier = {RUT_CARRIER_WORLD, 0, 0},
                       .vehicle = -1,
                       .instance = rut_draft_instance(draft, first),
                       .material = RUT_MATERIAL_OBSTACLE});
}

void rut_draft_visuals(rutDraft* draft) {
  if (draft->reporter->errors || !rut_draft_is_watched(draft)) return;
  Reader* reader = calloc(1, sizeof *reader);
  if (!reader) {
    rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
    return;
  }
  reader->draft = draft;
  reader->time.left = RUT_MESH_SECONDS;
  int first_wheel = 0;
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    see_vehicle(reader, i, first_wheel);
    first_wheel += ((const rutDraftClass*)rut_list_at(&draft->group, v->group))->wheels;
  }
  for (int i = 0; i < draft->prism.n; i++) {
    rutDraftPrism* p = rut_list_at(&draft->prism, i);
    if (p->def.kind == RUT_BLOCK) see_block(reader, p);
  }
  see_world(reader);
  for (int i = 0; i < reader->files; i++) free(reader->file[i].colour);
  free(reader);
}
