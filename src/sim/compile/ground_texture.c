// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/ground_texture.h"

#include <string.h>

#include "sim/compile/build.h"
#include "sim/compile/texture.h"
#include "sim/spec/context.h"

// Where an image lies: its right and its upper side in a frame of the ground, seen from above.
typedef struct Lie {
  double corner[2];  // x y of the lower left one in that frame [m]
  double size[2];    // along the image's right and up [m]
  bool along_y;      // its right is y and its down x, else right x and up y
  int quarters;      // turns of the image about its middle, counter-clockwise
} Lie;

// u or v from those of the image as it would lie without its turn.
typedef struct Affine {
  double a[3];
} Affine;

// The turned image shows at a place what the image has at the place turned back.
static void turn(Affine* u, Affine* v, int quarters) {
  for (int i = 0; i < (quarters + 4) % 4; i++) {
    const Affine old = *u;
    *u = *v;
    for (int k = 0; k < 3; k++) v->a[k] = -old.a[k];
    v->a[0] += 1;
  }
}

// The numbers of a texture from where it lies in a frame at `origin`, turned by a yaw.
static rutGroundTexture lay(const Lie* lie, const double origin[2], double cosine, double sine) {
  // x and y of the frame, of those of the world
  const Affine x = {{-(cosine * origin[0] + sine * origin[1]), cosine, sine}};
  const Affine y = {{sine * origin[0] - cosine * origin[1], -sine, cosine}};
  Affine u = lie->along_y ? y : x, v = lie->along_y ? x : y;
  u.a[0] -= lie->corner[lie->along_y ? 1 : 0];
  v.a[0] -= lie->corner[lie->along_y ? 0 : 1];
  for (int k = 0; k < 3; k++) {
    u.a[k] /= lie->size[0];
    v.a[k] /= lie->along_y ? -lie->size[1] : lie->size[1];
  }
  if (lie->along_y) v.a[0] += 1;
  turn(&u, &v, lie->quarters);
  rutGroundTexture out = {.density = 1 / rut_sqrt(lie->size[0] * lie->size[1])};
  memcpy(out.u, u.a, sizeof out.u);
  memcpy(out.v, v.a, sizeof out.v);
  return out;
}

// Lengths along x and y after which the image of an element repeats; 0 stands for that of `whole`.
// False, with an error, if they are none.
static bool read_size(rutDraft* draft, rutNode node, const double whole[2], double size[2]) {
  const double shortest = 1e-6, longest = 1e9;  // [m]
  int n = 0;
  const double* given = rut_node_numbers(draft->spec, node, "texture_size", &n);
  for (int k = 0; k < 2; k++) {
    size[k] = n == 2 ? given[k] : 0;
    if (size[k] == 0 && whole) size[k] = whole[k];
    if (size[k] >= shortest && size[k] <= longest) continue;
    rut_node_error(draft->spec, node, "texture_size", RUT_ERR_MODEL, "",
                   "both lengths of 'texture_size' must be from %g to %g m", shortest, longest);
    return false;
  }
  return true;
}

// Index of the element's image, -1 if it has none or nothing sees it.
static int image_of(rutDraft* draft, rutNode node) {
  const bool asked = rut_node_text(draft->spec, node, "texture")[0] != '\0';
  if (!asked || !(draft->context->shows_ground || rut_draft_is_watched(draft))) return -1;
  return rut_draft_texture_file(draft, node, "texture");
}

static void keep(rutDraft* draft, const rutGroundTexture* texture, rutDraftTextured carrier) {
  rutGroundTexture* kept = rut_draft_push(draft, &draft->ground_texture);
  rutDraftTextured* of = kept ? rut_draft_push(draft, &draft->textured) : NULL;
  if (!of) return;
  *kept = *texture;
  *of = carrier;
}

void rut_draft_texture_map(rutDraft* draft, rutNode node, bool north_up) {
  const int source = draft->source.n - 1;
  const rutHeightField* field = &((rutDraftSource*)rut_list_at(&draft->source, source))->field;
  const double rotation = rut_node_number(draft->spec, node, "texture_rotation");
  const int quarters = (int)rotation / 90;
  if (rotation != 90 * quarters) {
    rut_node_error(draft->spec, node, "texture_rotation", RUT_ERR_MODEL, "",
                   "'texture_rotation' must be 0, 90, -90 or 180");
    return;
  }
  const int image = image_of(draft, node);
  const double extent[2] = {(field->nx - 1) * field->spacing, (field->ny - 1) * field->spacing};
  double size[2];
  if (image < 0 || !read_size(draft, node, extent, size)) return;
  const Lie lie = {.corner = {field->origin[0], field->origin[1]},
                   .size = {size[north_up ? 0 : 1], size[north_up ? 1 : 0]},
                   .along_y = !north_up,
                   .quarters = quarters};
  rutGroundTexture texture = lay(&lie, (const double[2]){0, 0}, 1, 0);
  texture.texture = image;
  keep(draft, &texture, (rutDraftTextured){source, -1});
}

void rut_draft_texture_plane(rutDraft* draft, rutNode node) {
  const int source = draft->source.n - 1;
  const rutGroundSource* s = &((rutDraftSource*)rut_list_at(&draft->source, source))->source;
  const int image = image_of(draft, node);
  double size[2];
  if (image < 0 || !read_size(draft, node, NULL, size)) return;
  const Lie lie = {.corner = {s->x_min, s->y_min}, .size = {size[0], size[1]}};
  rutGroundTexture texture = lay(&lie, (const double[2]){s->x, s->y}, s->cos_yaw, s->sin_yaw);
  texture.texture = image;
  keep(draft, &texture, (rutDraftTextured){source, -1});
}

void rut_draft_texture_material(rutDraft* draft, rutNode node, int material) {
  const int image = image_of(draft, node);
  double size[2];
  if (image < 0 || !read_size(draft, node, NULL, size)) return;
  const Lie lie = {.size = {size[0], size[1]}};
  rutGroundTexture texture = lay(&lie, (const double[2]){0, 0}, 1, 0);
  texture.texture = image;
  keep(draft, &texture, (rutDraftTextured){-1, material});
}

bool rut_draft_shows_image(const rutDraft* draft, int material) {
  for (int i = 0; i < draft->textured.n; i++) {
    if (((const rutDraftTextured*)rut_list_at(&draft->textured, i))->material == material) {
      return true;
    }
  }
  return false;
}

// ---- layout ----

void rut_build_ground_textures(const rutDraft* draft, rutArena* arena, rutModel* model) {
  const int n = draft->ground_texture.n;
  if (n == 0) return;
  const rutGroundTexture* texture =
      RUT_COPY(arena, (const rutGroundTexture*)draft->ground_texture.item, n);
  int* of_source = RUT_TAKE(arena, int, draft->source.n);
  int* of_material = RUT_TAKE(arena, int, draft->material.n);
  if (!model) return;
  for (int i = 0; i < draft->source.n; i++) of_source[i] = -1;
  for (int i = 0; i < draft->material.n; i++) of_material[i] = -1;
  for (int i = 0; i < n; i++) {
    const rutDraftTextured* of = rut_list_at(&draft->textured, i);
    if (of->source >= 0) of_source[of->source] = i;
    if (of->material >= 0) of_material[of->material] = i;
  }
  model->seen.ground_textures = n;
  model->seen.ground_texture = texture;
  model->seen.source_texture = of_source;
  model->seen.material_texture = of_material;
}
