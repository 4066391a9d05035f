// SPDX-License-Identifier: BSD-3-Clause
//
// Casts rays of sensors at the present world: the ground with its ruts, prisms of fixed and moving
// bodies, occupancy grids, meshes and solids.
#include "sim/cast.h"

#include "contact/contact.h"
#include "sim/past.h"
#include "sim/scene.h"
#include "terrain/ground_cast.h"

static size_t align_up(size_t size) {
  return (size + RUT_ARENA_ALIGN - 1) & ~(size_t)(RUT_ARENA_ALIGN - 1);
}

// Memory of a cast: what each ray hits.
typedef struct Parts {
  int *index, *triangle;
  unsigned char* target;
} Parts;

static Parts parts_of(void* memory, int rays) {
  const size_t size = align_up((size_t)rays * sizeof(int));
  unsigned char* at = memory;
  return (Parts){memory, (int*)(void*)(at + size), at + 2 * size};
}

size_t rut_cast_scratch(const rutModel* model, int rays) {
  (void)model;
  return 2 * align_up((size_t)rays * sizeof(int)) + align_up((size_t)rays);
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

// Instances and materials of what the rays have hit.
static void tell_surfaces(const rutModel* model, const rutData* data, const rutRays* rays,
                          const Parts* parts, const rutRayHits* hits) {
  const rutSeen* seen = &model->seen;
  for (int i = 0; i < rays->n; i++) {
    const int index = parts->index[i];
    rutSurface surface = {-1, -1};
    int body = -1;
    if (parts->target[i] == RUT_RAY_GROUND) {
      surface = index >= 0 ? seen->source[index] : seen->ground;
      const double at[2] = {rays->x[i] + hits->range[i] * rays->dx[i],
                            rays->y[i] + hits->range[i] * rays->dy[i]};
      if (hits->material) surface.material = ground_material(model, data, at, &surface);
      body = rut_past_body_of_ground(model, index);
    } else if (parts->target[i] == RUT_RAY_PRISM) {
      surface = seen->prism[index];
      body = rut_past_body_of_prism(model, index);
    } else if (parts->target[i] == RUT_RAY_GRID) {
      surface = seen->grid[index];
    } else if (parts->target[i] == RUT_RAY_BODY) {
      surface = visual_surface(&model->scene.visual[index], parts->triangle[i]);
      body = rut_past_body_of_visual(model, index);
    }
    if (hits->instance) hits->instance[i] = surface.instance;
    if (hits->material) hits->material[i] = surface.material;
    if (hits->body) hits->body[i] = body;
  }
}

void rut_cast_rays(const rutModel* model, const rutData* data, const rutRays* rays,
                   const rutRayHits* hits, unsigned char* grid, void* memory) {
  const Parts parts = parts_of(memory, rays->n);
  const bool told = hits->instance || hits->material || hits->body;
  const bool any = rays->any && !told && !hits->normal[0] && !grid;
  const rutRayBatch batch = {.n = rays->n,
                             .origin = {rays->x, rays->y, rays->z},
                             .direction = {rays->dx, rays->dy, rays->dz},
                             .max_range = rays->max_range,
                             .any = any,
                             .columns = rays->columns};
  const rutRayResult result = {.range = hits->range,
                               .normal = {hits->normal[0], hits->normal[1], hits->normal[2]},
                               .target = parts.target,
                               .index = parts.index,
                               .triangle = told ? parts.triangle : NULL};
  const bool carried = rays->skip_vehicle >= 0 && rays->skip_vehicle < model->vehicles;
  const rutCastScene scene = rut_contact_scene(model->contact, data->contact, &data->bodies);
  const rutGroundScene ground = {model->ground, data->lift, data->soft};
  rut_rays_begin(&batch, &result);
  if (rays->ground) rut_ground_cast(&ground, &batch, &result);
  rut_contact_cast(&scene, rays->bodies, carried ? model->vehicle[rays->skip_vehicle].body : -1,
                   &batch, &result);
  rut_scene_cast(model, data, rays->bodies, carried ? rays->skip_vehicle : -1, &batch, &result);
  if (told) tell_surfaces(model, data, rays, &parts, hits);
  for (int i = 0; i < rays->n; i++) {
    const bool hit = hits->range[i] < RUT_INFINITY;
    if (!hit || any) hits->range[i] = hit ? 0 : -1;
    if (grid) grid[i] = parts.target[i] == RUT_RAY_GRID;
  }
}
