// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "format/image.h"
#include "math/vec.h"
#include "sim/compile/build.h"

enum { MAX_BYTES = 64 << 20, MAX_PATH = 4096, MAX_TEXTURES = 1000 };
static const int64_t MAX_TEXELS = 1 << 25;  // of all textures of a world

// What names images: a mesh of a file, or a field of an element.
typedef struct Source {
  rutDraft* draft;
  rutNode node;
  const char* field;    // of the mesh, or of the image itself
  const char* what;     // cameras see without an image that is not there
  const char* path;     // of a mesh
  const rutMesh* mesh;  // NULL for an image that stands alone
} Source;

// ---- images ----

// What an image is called in messages, and in the list. False for a file elsewhere than in the
// folder of the mesh or below.
static bool name_image(const Source* s, const char* texture, char out[MAX_PATH]) {
  const char* slash = strrchr(s->path, '/');
  const int folder = slash ? (int)(slash - s->path) + 1 : 0;
  int n;
  if (texture[0] == '*') {
    n = snprintf(out, MAX_PATH, "%s%s", s->path, texture);
  } else {
    if (texture[0] == '/' || strstr(texture, "..") || strchr(texture, ':')) return false;
    n = snprintf(out, MAX_PATH, "%.*s%s", folder, s->path, texture);
    for (char* c = out; n < MAX_PATH && *c; c++) *c = *c == '\\' ? '/' : *c;
  }
  return n < MAX_PATH;
}

static void report(const Source* s, const rutReporter* quiet, const char* name) {
  const rutStatus status = quiet->first.status;
  if (status == RUT_ERR_MISSING) {
    rut_node_warning(s->draft->spec, s->node, s->field, "'%.300s': %s", name, quiet->first.message);
  } else {
    rut_node_error(s->draft->spec, s->node, s->field, status, "", "texture '%.300s': %s", name,
                   quiet->first.message);
  }
}

// Decode an image that stands in the mesh, or in a file. False if there is none, which was
// reported.
static bool read_image(const Source* s, const char* texture, const char* name, rutImage* out) {
  rutReporter quiet = {.access = rut_spec_access(s->draft->spec)};
  if (s->mesh && texture[0] == '*') {
    const int index = texture[1] >= '0' && texture[1] <= '9' ? atoi(texture + 1) : -1;
    if (index < 0 || index >= s->mesh->images) return false;
    const size_t* end = s->mesh->image_end;
    const size_t first = index > 0 ? end[index - 1] : 0;
    rut_image_decode_colours(s->mesh->image + first, end[index] - first, name, &quiet, out);
  } else {
    char *bytes = NULL, message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT] = "";
    size_t size = 0;
    const int fault = rut_input_read(quiet.access, name, MAX_BYTES, &bytes, &size);
    if (fault) {
      rut_input_explain(fault, name, MAX_BYTES, message, hint);
      rut_node_note(s->draft->spec, s->node, s->field, "%s: cameras see the %s without it", message,
                    s->what);
      return false;
    }
    rut_image_decode_colours(bytes, size, name, &quiet, out);
    free(bytes);
  }
  if (quiet.first.status == RUT_OK) return true;
  report(s, &quiet, name);
  return false;
}

static bool fill_texture(const Source* s, const rutImage* image, rutTexture* out) {
  rutDraft* draft = s->draft;
  const size_t numbers = rut_texture_layout(out, image->width, image->height);
  draft->texels += (int64_t)image->width * image->height;
  if (draft->texels > MAX_TEXELS) {
    rut_node_error(draft->spec, s->node, s->field, RUT_ERR_CAPACITY, "use smaller images",
                   "textures of a world have at most %lld pixels", (long long)MAX_TEXELS);
    return false;
  }
  out->texel = rut_context_alloc(draft->context, numbers * sizeof *out->texel, 16);
  if (out->texel) {
    rut_texture_fill(out, image->colour);
    return true;
  }
  rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
  return false;
}

// Index of an image in the draft's list, -1 if it cannot be had. name: of its file.
static int listed(const Source* s, const char* texture, const char* name) {
  rutDraft* draft = s->draft;
  for (int i = 0; i < draft->texture.n; i++) {
    const rutDraftTexture* t = rut_list_at(&draft->texture, i);
    if (strcmp(t->name, name) == 0) return t->texture.texel ? i : -1;
  }
  if (draft->texture.n == MAX_TEXTURES) return -1;
  rutDraftTexture* added = rut_draft_push(draft, &draft->texture);
  if (!added) return -1;
  const int index = draft->texture.n - 1;
  char* kept = rut_context_alloc(draft->context, strlen(name) + 1, 1);
  *added = (rutDraftTexture){.name = kept ? kept : ""};
  if (!kept) return -1;
  memcpy(kept, name, strlen(name) + 1);
  rutImage image = {0};
  const bool usable =
      read_image(s, texture, name, &image) && fill_texture(s, &image, &added->texture);
  rut_image_free(&image);
  return usable ? index : -1;
}

static int texture_of(const Source* s, const char* texture) {
  char name[MAX_PATH];
  return texture[0] && name_image(s, texture, name) ? listed(s, texture, name) : -1;
}

int rut_draft_texture_file(rutDraft* draft, rutNode node, const char* field) {
  const char* name = rut_node_text(draft->spec, node, field);
  const Source source = {.draft = draft, .node = node, .field = field, .what = "ground"};
  return listed(&source, name, name);
}

// ---- coordinates ----

// Side of a square in the texture over that in space.
static double density_of(const rutMesh* mesh, const int corner[3]) {
  rutVec3 p[3];
  double uv[3][2];
  for (int k = 0; k < 3; k++) {
    p[k] = rut_vec3_of(mesh->point + 3 * (size_t)corner[k]);
    for (int i = 0; i < 2; i++) uv[k][i] = (double)mesh->coordinate[corner[k]][i];
  }
  const rutVec3 across = rut_vec3_cross(rut_vec3_sub(p[1], p[0]), rut_vec3_sub(p[2], p[0]));
  const double area = rut_vec3_norm(across);
  const double part = rut_abs((uv[1][0] - uv[0][0]) * (uv[2][1] - uv[0][1]) -
                              (uv[2][0] - uv[0][0]) * (uv[1][1] - uv[0][1]));
  if (!(part >= 0) || part > 1e12) return -1;  // no coordinates
  return area > 0 ? rut_sqrt(part / area) : 0;
}

static bool take_arrays(rutDraft* draft, const rutMesh* mesh, rutDraftMesh* out) {
  const size_t n = (size_t)mesh->triangles, m = (size_t)mesh->materials;
  out->coordinate = rut_context_alloc(draft->context, n * sizeof *out->coordinate, 16);
  out->density = rut_context_alloc(draft->context, n * sizeof *out->density, 16);
  out->texture = rut_context_alloc(draft->context, m * sizeof *out->texture, 16);
  out->factor = rut_context_alloc(draft->context, m * sizeof *out->factor, 16);
  if (out->coordinate && out->density && out->texture && out->factor) return true;
  rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
  return false;
}

// By which a texture is multiplied: the material's colour, if it has one that is not black.
static void factor_of(const double colour[4], double out[3]) {
  const bool none = !(colour[0] + colour[1] + colour[2] > 0);
  for (int k = 0; k < 3; k++) out[k] = none ? 1 : colour[k];
}

void rut_draft_textures(rutDraft* draft, rutNode visual, const char* path, const rutMesh* mesh,
                        int index) {
  const Source source = {draft, visual, "model", "mesh", path, mesh};
  if (!mesh->coordinate) return;
  int* texture = calloc((size_t)mesh->materials + 1, sizeof *texture);
  bool any = false;
  for (int i = 0; texture && i < mesh->materials; i++) {
    texture[i] = texture_of(&source, mesh->texture[i]);
    any = any || texture[i] >= 0;
  }
  rutDraftMesh* out = rut_list_at(&draft->mesh, index);
  if (any && take_arrays(draft, mesh, out)) {
    for (int i = 0; i < mesh->triangles; i++) {
      const int* corner = mesh->triangle + 3 * (size_t)i;
      for (int k = 0; k < 3; k++) {
        memcpy(out->coordinate[i][k], mesh->coordinate[corner[k]], sizeof out->coordinate[i][k]);
      }
      out->density[i] = (float)density_of(mesh, corner);
    }
    for (int i = 0; i < mesh->materials; i++) {
      out->texture[i] = texture[i];
      factor_of(mesh->colour[i], out->factor[i]);
    }
  }
  free(texture);
}

void rut_draft_textures_free(rutDraft* draft) {
  for (int i = 0; i < draft->texture.n; i++) {
    const rutDraftTexture* t = rut_list_at(&draft->texture, i);
    if (t->name[0]) rut_context_free(draft->context, (char*)(uintptr_t)t->name);
    rut_context_free(draft->context, t->texture.texel);
  }
  for (int i = 0; i < draft->mesh.n; i++) {
    const rutDraftMesh* mesh = rut_list_at(&draft->mesh, i);
    rut_context_free(draft->context, mesh->coordinate);
    rut_context_free(draft->context, mesh->density);
    rut_context_free(draft->context, mesh->texture);
    rut_context_free(draft->context, mesh->factor);
  }
}

// ---- layout ----

void rut_build_textures(const rutDraft* draft, rutArena* arena, rutModel* model) {
  rutTexture* texture = RUT_TAKE(arena, rutTexture, draft->texture.n);
  for (int i = 0; i < draft->texture.n; i++) {
    rutTexture t = ((const rutDraftTexture*)rut_list_at(&draft->texture, i))->texture;
    rutTexture sides;
    const size_t numbers = t.texel ? rut_texture_layout(&sides, t.width, t.height) : 0;
    t.texel = RUT_COPY(arena, t.texel, numbers);
    if (texture) texture[i] = t;
  }
  if (!model) return;
  model->seen.textures = draft->texture.n;
  model->seen.texture = texture;
}

bool rut_build_mesh_texture(const rutDraftMesh* mesh, rutArena* arena, rutMeshTexture* out) {
  if (!mesh->coordinate) return false;
  *out = (rutMeshTexture){
      .coordinate = RUT_COPY(arena, (const float(*)[3][2])mesh->coordinate, mesh->triangles),
      .density = RUT_COPY(arena, (const float*)mesh->density, mesh->triangles),
      .texture = RUT_COPY(arena, (const int*)mesh->texture, mesh->materials),
      .factor = RUT_COPY(arena, (const double(*)[3])mesh->factor, mesh->materials)};
  return true;
}
