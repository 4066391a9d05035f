// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/build_ground.h"

#include "math/rut_math.h"
#include "sim/compile/build.h"

// watched: sensors cast rays, which find cells that they hit in lanes by maxima of single cells.
// These have two thirds of the size of the heights.
static const rutHeightField* build_field(const rutDraftSource* s, bool watched, rutArena* arena) {
  if (s->source.kind != RUT_GROUND_FIELD) return NULL;
  rutHeightField* field = RUT_TAKE(arena, rutHeightField, 1);
  const double* height = RUT_COPY(arena, s->height, s->field.nx * s->field.ny);
  rutHeightPyramid* pyramid = RUT_TAKE(arena, rutHeightPyramid, 1);
  double* top = RUT_TAKE(arena, double, rut_height_pyramid_size(s->field.nx, s->field.ny));
  const size_t numbers = watched ? rut_height_maxima_size(s->field.nx, s->field.ny) : 0;
  rutHeightMaxima* maxima = RUT_TAKE(arena, rutHeightMaxima, 1);
  float* cells = RUT_TAKE(arena, float, numbers);
  if (top) {
    *field = s->field;
    field->height = height;
    rut_height_pyramid_build(field, top, pyramid);
    if (numbers) rut_height_maxima_build(field, cells, maxima);
  }
  return field;
}

static const rutGroundShape* build_shapes(const rutDraft* draft, rutArena* arena) {
  rutGroundShape* shape = RUT_TAKE(arena, rutGroundShape, draft->shape.n);
  for (int i = 0; i < draft->shape.n; i++) {
    const rutGroundShape* s = rut_list_at(&draft->shape, i);
    const double* param = RUT_COPY(arena, (const double*)s->param, RUT_MAX_PARAMS);
    const void* plan = rut_build_copy(arena, s->plan, s->plan_bytes, 1);
    if (!shape) continue;
    shape[i] = *s;
    shape[i].param = param;
    shape[i].plan = s->plan_bytes ? plan : NULL;
  }
  return shape;
}

static const rutGroundMap* build_ground_maps(const rutDraft* draft, rutArena* arena) {
  rutGroundMap* map = RUT_TAKE(arena, rutGroundMap, draft->ground_map.n);
  for (int i = 0; i < draft->ground_map.n; i++) {
    const rutGroundMap* m = &((const rutDraftMap*)rut_list_at(&draft->ground_map, i))->map;
    const size_t cells = (size_t)m->nx * (size_t)m->ny;
    const unsigned char* soil = m->soil ? rut_build_copy(arena, m->soil, cells, 1) : NULL;
    const float* value = m->value ? rut_build_copy(arena, m->value, cells, sizeof *m->value) : NULL;
    if (!map) continue;
    map[i] = *m;
    map[i].soil = soil;
    map[i].value = value;
  }
  return map;
}

static const rutRegion* build_regions(const rutDraft* draft, rutArena* arena) {
  rutRegion* region = RUT_COPY(arena, (const rutRegion*)draft->region.item, draft->region.n);
  for (int i = 0; i < draft->region.n; i++) {
    const rutRegion* r = rut_list_at(&draft->region, i);
    const double* xy = RUT_COPY(arena, r->xy, 2 * r->corners);
    if (region) region[i].xy = xy;
  }
  return region;
}

static bool has_local(const rutDraft* draft) {
  for (int i = 0; i < draft->ground_map.n; i++) {
    const rutDraftMap* m = rut_list_at(&draft->ground_map, i);
    if (m->map.quantity >= RUT_MAP_MOISTURE) return true;
  }
  for (int i = 0; i < draft->region.n; i++) {
    const rutRegion* r = rut_list_at(&draft->region, i);
    if (r->moisture == r->moisture || r->soft_depth == r->soft_depth) return true;
  }
  return false;
}

rutGround* rut_build_ground(const rutDraft* draft, rutArena* arena) {
  rutGround* ground = RUT_TAKE(arena, rutGround, 1);
  rutGroundSource* source = RUT_TAKE(arena, rutGroundSource, draft->source.n);
  bool level = true;
  for (int i = 0; i < draft->source.n; i++) {
    const rutDraftSource* s = rut_list_at(&draft->source, i);
    const rutHeightField* field = build_field(s, draft->watched > 0, arena);
    level = level && (s->source.kind == RUT_GROUND_RAMP || s->source.kind == RUT_GROUND_BUMP);
    if (!source) continue;
    source[i] = s->source;
    source[i].field = field;
    rut_ground_source_box(&source[i]);
  }
  const rutRegion* region = build_regions(draft, arena);
  const rutGroundShape* shape = build_shapes(draft, arena);
  const rutGroundMap* map = build_ground_maps(draft, arena);
  if (ground) {
    *ground = (rutGround){.sources = draft->source.n,
                          .regions = draft->region.n,
                          .source = source,
                          .region = region,
                          .shapes = draft->shape.n,
                          .maps = draft->ground_map.n,
                          .shape = shape,
                          .map = map,
                          .soil = draft->ground_soil,
                          .level = level};
    ground->local = has_local(draft);
    for (int i = 0; shape && i < draft->shape.n; i++) {
      ground->upright = ground->upright || shape[i].faces || shape[i].walls;
      ground->steep = ground->steep || shape[i].steep;
    }
  }
  return ground;
}

// Height that no ground at rest exceeds.
double rut_highest_ground(const rutGround* ground) {
  const bool bare = ground->sources == 0 && ground->shapes == 0;
  double top = ground->level || bare ? 0 : -1e300;
  for (int i = 0; i < ground->sources; i++) {
    const rutGroundSource* s = &ground->source[i];
    const double above = s->kind == RUT_GROUND_FIELD ? s->field->z_max : rut_max(s->height, 0);
    top = rut_max(top, s->z + above);
  }
  return ground->shapes ? 1e300 : top;
}

const rutGroundMotion* rut_build_ground_motions(const rutDraft* draft, rutArena* arena,
                                                int* count) {
  *count = 0;
  for (int i = 0; i < draft->source.n; i++) {
    *count += ((const rutDraftSource*)rut_list_at(&draft->source, i))->keyframe.n > 0;
  }
  rutGroundMotion* motion = RUT_TAKE(arena, rutGroundMotion, *count);
  int n = 0;
  for (int i = 0; i < draft->source.n; i++) {
    const rutDraftSource* s = rut_list_at(&draft->source, i);
    if (s->keyframe.n == 0) continue;
    const rutKeyframe* frame = RUT_COPY(arena, (const rutKeyframe*)s->keyframe.item, s->keyframe.n);
    if (motion) motion[n] = (rutGroundMotion){i, s->keyframe.n, frame};
    n++;
  }
  return motion;
}
