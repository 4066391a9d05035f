// SPDX-License-Identifier: BSD-3-Clause
//
// Casts rays of sensors at the present world: the ground with its ruts, prisms of fixed and moving
// bodies, occupancy grids, meshes and solids.
#include "sim/cast.h"

#include <string.h>

#include "contact/contact.h"
#include "geom/texture.h"
#include "sim/past.h"
#include "sim/scene.h"
#include "terrain/ground_cast.h"

static size_t align_up(size_t size) {
  return (size + RUT_ARENA_ALIGN - 1) & ~(size_t)(RUT_ARENA_ALIGN - 1);
}

// Memory of a cast: what each ray hits.
typedef struct Parts {
  int *index, *triangle;
  double* weight[2];  // only where something has textures
  unsigned char* target;
} Parts;

static Parts parts_of(const rutModel* model, void* memory, int rays) {
  const size_t size = align_up((size_t)rays * sizeof(int));
  const size_t weights = model->seen.textures > 0 ? align_up((size_t)rays * sizeof(double)) : 0;
  unsigned char* at = memory;
  double* weight = (double*)(void*)(at + 2 * size);
  return (Parts){memory,
                 (int*)(void*)(at + size),
                 {weight, weight + weights / sizeof *weight},
                 at + 2 * (size + weights)};
}

size_t rut_cast_scratch(const rutModel* model, int rays) {
  const size_t ints = align_up((size_t)rays * sizeof(int));
  const size_t weights = model->seen.textures > 0 ? align_up((size_t)rays * sizeof(double)) : 0;
  return 2 * (ints + weights) + align_up((size_t)rays);
}

// Material of ground that a ray has hit: that of the soil there, if it has one.
static int ground_material(const rutModel* model, const rutData* data, const double at[2],
                           const rutSurface* surface) {
  if (!model->seen.soil) return surface->material;
  int soil;
  rut_terrain_soils(model, data, &(rutGroundPoints){1, &at[0], &at[1]}, &soil);
  return soil >= 0 && model->seen.soil[soil] >= 0 ? model->seen.soil[soil] : surface->material;
}

// Instance and material of a mesh or solid where a ray has hit it.
static rutSurface visual_surface(const rutVisual* visual, int triangle) {
  const bool painted = visual->mesh && visual->surface.material < 0 && triangle >= 0;
  return (rutSurface){
      visual->surface.instance,
      painted ? visual->paint[visual->triangle_paint[triangle]] : visual->surface.material};
}

// Instance and material of what ray i has hit.
static rutSurface surface_at(const rutModel* model, const rutData* data, const rutRays* rays,
                             const Parts* parts, const double* range, int i) {
  const rutSeen* seen = &model->seen;
  const int index = parts->index[i];
  switch ((rutRayTarget)parts->target[i]) {
    case RUT_RAY_GROUND: {
      rutSurface surface = index >= 0 ? seen->source[index] : seen->ground;
      const double at[2] = {rays->x[i] + range[i] * rays->dx[i],
                            rays->y[i] + range[i] * rays->dy[i]};
      surface.material = ground_material(model, data, at, &surface);
      return surface;
    }
    case RUT_RAY_PRISM:
      return seen->prism[index];
    case RUT_RAY_GRID:
      return seen->grid[index];
    case RUT_RAY_BODY:
      return visual_surface(&model->scene.visual[index], parts->triangle[i]);
    case RUT_RAY_NOTHING:
      break;
  }
  return (rutSurface){-1, -1};
}

// The body that moves it, -1 for none.
static int body_at(const rutModel* model, const Parts* parts, int i) {
  const int index = parts->index[i];
  switch ((rutRayTarget)parts->target[i]) {
    case RUT_RAY_GROUND:
      return rut_past_body_of_ground(model, index);
    case RUT_RAY_PRISM:
      return rut_past_body_of_prism(model, index);
    case RUT_RAY_BODY:
      return rut_past_body_of_visual(model, index);
    case RUT_RAY_GRID:
    case RUT_RAY_NOTHING:
      break;
  }
  return -1;
}

// What is asked of what the rays have hit.
static void tell_surfaces(const rutModel* model, const rutData* data, const rutRays* rays,
                          const Parts* parts, const rutRayHits* hits) {
  for (int i = 0; i < rays->n && (hits->instance || hits->material); i++) {
    const rutSurface surface = surface_at(model, data, rays, parts, hits->range, i);
    if (hits->instance) hits->instance[i] = surface.instance;
    if (hits->material) hits->material[i] = surface.material;
  }
  for (int i = 0; i < rays->n && hits->body; i++) hits->body[i] = body_at(model, parts, i);
}

// ---- colours ----

// Reflectance that a mesh shows where a ray has hit it. False if that is its material's.
static bool texture_at(const rutModel* model, const rutVisual* visual, const Parts* parts, int ray,
                       double footprint, double colour[3]) {
  const rutMeshTexture* t = visual->texture;
  const int triangle = parts->triangle[ray];
  if (!t || visual->surface.material >= 0 || triangle < 0) return false;
  const int own = visual->triangle_paint[triangle], image = t->texture[own];
  const float(*corner)[2] = t->coordinate[triangle];
  if (image < 0 || !(t->density[triangle] >= 0)) return false;
  const double b = parts->weight[0][ray], c = parts->weight[1][ray], a = 1 - b - c;
  double uv[2];
  for (int k = 0; k < 2; k++) {
    uv[k] = a * (double)corner[0][k] + b * (double)corner[1][k] + c * (double)corner[2][k];
  }
  const double size = (double)t->density[triangle] * footprint / visual->scale;
  rut_texture_sample(&model->seen.texture[image], uv, size, colour);
  for (int k = 0; k < 3; k++) colour[k] *= t->factor[own][k];
  return true;
}

// The image that the ground shows where a ray has hit it, NULL for none. Soils of regions, maps and
// roads lie upon that of an element.
static const rutGroundTexture* image_on_ground(const rutSeen* seen, int source, int material) {
  if (seen->ground_textures == 0 || material < 0) return NULL;
  const int own = source >= 0 ? seen->source_texture[source] : -1;
  const bool bare =
      own >= 0 && (material == seen->source[source].material || material == seen->ground_material);
  const int index = bare ? own : seen->material_texture[material];
  return index >= 0 ? &seen->ground_texture[index] : NULL;
}

static void image_colour(const rutModel* model, const rutGroundTexture* t, const double at[2],
                         double across, double colour[3]) {
  const double x = at[0], y = at[1];
  const double uv[2] = {t->u[0] + t->u[1] * x + t->u[2] * y, t->v[0] + t->v[1] * x + t->v[2] * y};
  rut_texture_sample(&model->seen.texture[t->texture], uv, t->density * across, colour);
}

// A ray covers a circle of its range times its spread, which a surface at an angle stretches: the
// side of a square of that area.
static void tell_colours(const rutModel* model, const rutRays* rays, const Parts* parts,
                         const rutRayHits* hits) {
  for (int i = 0; i < rays->n; i++) {
    double colour[3] = {0, 0, 0};
    const int m = hits->material[i];
    if (m >= 0) memcpy(colour, model->seen.material[m].colour, sizeof colour);
    const rutRayTarget target = (rutRayTarget)parts->target[i];
    const double cosine =
        rut_abs(rays->dx[i] * hits->normal[0][i] + rays->dy[i] * hits->normal[1][i] +
                rays->dz[i] * hits->normal[2][i]);
    const double across = hits->range[i] * rays->spread / rut_sqrt(rut_max(cosine, 1e-3));
    const int index = parts->index[i];
    if (target == RUT_RAY_BODY) {
      texture_at(model, &model->scene.visual[index], parts, i, across, colour);
    } else if (target == RUT_RAY_GROUND) {
      const rutGroundTexture* image = image_on_ground(&model->seen, index, m);
      const double at[2] = {rays->x[i] + hits->range[i] * rays->dx[i],
                            rays->y[i] + hits->range[i] * rays->dy[i]};
      if (image) image_colour(model, image, at, across, colour);
    }
    for (int k = 0; k < 3; k++) hits->colour[k][i] = colour[k];
  }
}

void rut_cast_rays(const rutModel* model, const rutData* data, const rutRays* rays,
                   const rutRayHits* hits, unsigned char* grid, void* memory) {
  const Parts parts = parts_of(model, memory, rays->n);
  const bool coloured = hits->colour[0] && hits->material && hits->normal[0];
  const bool told = hits->instance || hits->material || hits->body;
  const bool any = rays->any && !told && !hits->normal[0] && !grid;
  const rutRayBatch batch = {.n = rays->n,
                             .origin = {rays->x, rays->y, rays->z},
                             .direction = {rays->dx, rays->dy, rays->dz},
                             .max_range = rays->max_range,
                             .any = any,
                             .columns = rays->columns};
  const rutRayResult result = {
      .range = hits->range,
      .normal = {hits->normal[0], hits->normal[1], hits->normal[2]},
      .target = told || grid ? parts.target : NULL,
      .index = parts.index,
      .triangle = told ? parts.triangle : NULL,
      .weight = {coloured && model->seen.textures > 0 ? parts.weight[0] : NULL, parts.weight[1]}};
  const bool carried = rays->skip_vehicle >= 0 && rays->skip_vehicle < model->vehicles;
  const rutCastScene scene = rut_contact_scene(model->contact, data->contact, &data->bodies);
  const rutGroundScene ground = {model->ground, data->lift, data->soft};
  rut_rays_begin(&batch, &result);
  if (rays->ground) rut_ground_cast(&ground, &batch, &result);
  rut_contact_cast(&scene, rays->bodies, carried ? model->vehicle[rays->skip_vehicle].body : -1,
                   &batch, &result);
  rut_scene_cast(model, data, rays->bodies, carried ? rays->skip_vehicle : -1, &batch, &result);
  if (told) tell_surfaces(model, data, rays, &parts, hits);
  if (coloured) tell_colours(model, rays, &parts, hits);
  for (int i = 0; i < rays->n; i++) {
    const double range = hits->range[i];
    hits->range[i] = range < RUT_INFINITY ? (any ? 0 : range) : -1;
  }
  for (int i = 0; grid && i < rays->n; i++) grid[i] = parts.target[i] == RUT_RAY_GRID;
}

// ---- what is fixed, from above ----

enum { PLACES = 64 };

// Ranges of vertical rays to what is fixed but for the ground.
static void cast_upright(const rutData* data, const rutGroundPoints* at, const double* z, double up,
                         double most, double* range) {
  double level[PLACES], along[PLACES];
  for (int i = 0; i < at->n; i++) {
    level[i] = 0;
    along[i] = up;
  }
  const rutRayBatch rays = {.n = at->n,
                            .origin = {at->x, at->y, z},
                            .direction = {level, level, along},
                            .max_range = most};
  const rutRayResult out = {.range = range};
  // boxes of moving bodies are not looked at
  const rutCastScene scene = {data->model->contact, data->contact, &data->bodies, {0}};
  rut_rays_begin(&rays, &out);
  rut_contact_cast(&scene, false, -1, &rays, &out);
  rut_scene_cast(data->model, data, false, -1, &rays, &out);
}

void rut_cast_fixed(const rutData* data, const rutGroundPoints* at, double above, double* ground,
                    double* top) {
  // a ray does not see a prism that it begins in: what is higher is found from below
  static const double SKY = 1e6, DEEP = 1e3;
  for (int first = 0; first < at->n; first += PLACES) {
    const int left = at->n - first, n = left < PLACES ? left : PLACES;
    const rutGroundPoints part = {n, at->x + first, at->y + first};
    double below[PLACES], slope[2][PLACES], high[PLACES], deep[PLACES], down[PLACES], up[PLACES];
    for (int i = 0; i < n; i++) below[i] = SKY;
    rut_terrain_surface(data->model, data, &part, below,
                        &(rutGroundSurface){ground + first, slope[0], slope[1]});
    for (int i = 0; i < n; i++) {
      const double z = ground[first + i];
      high[i] = rut_is_finite(z) ? z + above : SKY;
      deep[i] = rut_is_finite(z) ? z - DEEP : SKY;
    }
    cast_upright(data, &part, high, -1, DEEP, down);
    cast_upright(data, &part, deep, 1, DEEP + above, up);
    for (int i = 0; i < n; i++) {
      const double z = ground[first + i];
      // what is met only below the ground lies under it
      const bool hit = down[i] <= above;
      const bool filled = !(down[i] < RUT_INFINITY) && up[i] < RUT_INFINITY;
      top[first + i] = hit ? high[i] - down[i] : filled ? z + above : z;
      if (!rut_is_finite(z)) top[first + i] = z;
    }
  }
}

// ---- images on the ground, from above ----

enum { POINTS = 64 };

// The ground at points, by rays that begin just above it. Rays without any ground hit nothing.
static void cast_down(const rutModel* model, const rutData* data, const rutGroundPoints* at,
                      const rutRayResult* out) {
  static const double SKY = 1e6, ABOVE = 0.1;
  double z[POINTS], slope[2][POINTS], below[POINTS], level[POINTS], down[POINTS];
  for (int i = 0; i < at->n; i++) {
    below[i] = SKY;
    level[i] = 0;
    down[i] = -1;
  }
  rut_terrain_surface(model, data, at, below, &(rutGroundSurface){z, slope[0], slope[1]});
  for (int i = 0; i < at->n; i++) z[i] = rut_is_finite(z[i]) ? z[i] + ABOVE : -SKY;
  const rutRayBatch rays = {.n = at->n,
                            .origin = {at->x, at->y, z},
                            .direction = {level, level, down},
                            .max_range = 2 * ABOVE};
  rut_rays_begin(&rays, out);
  rut_ground_cast(&(rutGroundScene){model->ground, data->lift, data->soft}, &rays, out);
}

void rut_cast_ground_images(const rutModel* model, const rutData* data, const rutGroundPoints* at,
                            double across, double (*colour)[3]) {
  const rutSeen* seen = &model->seen;
  for (int first = 0; first < at->n; first += POINTS) {
    const int left = at->n - first, n = left < POINTS ? left : POINTS;
    double range[POINTS];
    unsigned char target[POINTS];
    int index[POINTS];
    cast_down(model, data, &(rutGroundPoints){n, at->x + first, at->y + first},
              &(rutRayResult){.range = range, .target = target, .index = index});
    for (int i = 0; i < n; i++) {
      const double place[2] = {at->x[first + i], at->y[first + i]};
      double* out = colour[first + i];
      for (int k = 0; k < 3; k++) out[k] = RUT_NAN;
      if ((rutRayTarget)target[i] != RUT_RAY_GROUND) continue;
      const rutSurface* surface = index[i] >= 0 ? &seen->source[index[i]] : &seen->ground;
      const int material = ground_material(model, data, place, surface);
      const rutGroundTexture* image = image_on_ground(seen, index[i], material);
      if (image) image_colour(model, image, place, across, out);
    }
  }
}
