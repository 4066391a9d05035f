// SPDX-License-Identifier: BSD-3-Clause
//
// Casts rays of sensors at the present world: the ground with its ruts, fixed and moving bodies,
// occupancy grids.
#include "sim/cast.h"

#include "contact/contact.h"
#include "terrain/ground_cast.h"

static size_t align_up(size_t size) {
  return (size + RUT_ARENA_ALIGN - 1) & ~(size_t)(RUT_ARENA_ALIGN - 1);
}

// Memory of a cast: what each ray hits.
typedef struct Parts {
  int* index;
  unsigned char* target;
} Parts;

size_t rut_cast_scratch(const rutModel* model, int rays) {
  (void)model;
  return align_up((size_t)rays * sizeof(int)) + align_up((size_t)rays);
}

// Material of ground that a ray has hit: that of the soil there, if it has one.
static int ground_material(const rutModel* model, const rutData* data, const double at[2],
                           const rutSurface* surface) {
  if (!model->seen.soil) return surface->material;
  int soil;
  rut_terrain_soils(model, data, &(rutGroundPoints){1, &at[0], &at[1]}, &soil);
  return soil >= 0 && model->seen.soil[soil] >= 0 ? model->seen.soil[soil] : surface->material;
}

// Instances and materials of what the rays have hit.
static void tell_surfaces(const rutModel* model, const rutData* data, const rutRays* rays,
                          const Parts* parts, const rutRayHits* hits) {
  const rutSeen* seen = &model->seen;
  for (int i = 0; i < rays->n; i++) {
    const int index = parts->index[i];
    rutSurface surface = {-1, -1};
    if (parts->target[i] == RUT_RAY_GROUND) {
      surface = index >= 0 ? seen->source[index] : seen->ground;
      const double at[2] = {rays->x[i] + hits->range[i] * rays->dx[i],
                            rays->y[i] + hits->range[i] * rays->dy[i]};
      if (hits->material) surface.material = ground_material(model, data, at, &surface);
    } else if (parts->target[i] == RUT_RAY_PRISM) {
      surface = seen->prism[index];
    } else if (parts->target[i] == RUT_RAY_GRID) {
      surface = seen->grid[index];
    }
    if (hits->instance) hits->instance[i] = surface.instance;
    if (hits->material) hits->material[i] = surface.material;
  }
}

void rut_cast_rays(const rutModel* model, const rutData* data, const rutRays* rays,
                   const rutRayHits* hits, unsigned char* grid, void* memory) {
  const Parts parts = {memory, (unsigned char*)memory + align_up((size_t)rays->n * sizeof(int))};
  const rutRayBatch batch = {.n = rays->n,
                             .origin = {rays->x, rays->y, rays->z},
                             .direction = {rays->dx, rays->dy, rays->dz},
                             .max_range = rays->max_range};
  const rutRayResult result = {.range = hits->range,
                               .normal = {hits->normal[0], hits->normal[1], hits->normal[2]},
                               .target = parts.target,
                               .index = parts.index};
  const bool carried = rays->skip_vehicle >= 0 && rays->skip_vehicle < model->vehicles;
  const rutCastScene scene = rut_contact_scene(model->contact, data->contact, &data->bodies);
  const rutGroundScene ground = {model->ground, data->lift, data->soft};
  rut_rays_begin(&batch, &result);
  if (rays->ground) rut_ground_cast(&ground, &batch, &result);
  rut_contact_cast(&scene, rays->bodies, carried ? model->vehicle[rays->skip_vehicle].body : -1,
                   &batch, &result);
  if (hits->instance || hits->material) tell_surfaces(model, data, rays, &parts, hits);
  for (int i = 0; i < rays->n; i++) {
    if (!(hits->range[i] < RUT_INFINITY)) hits->range[i] = -1;
    if (grid) grid[i] = parts.target[i] == RUT_RAY_GRID;
  }
}
