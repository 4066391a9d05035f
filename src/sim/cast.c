// SPDX-License-Identifier: BSD-3-Clause
//
// Rays of sensors at the world as it stands: the ground as wheels have left it, fixed and moving
// bodies, occupancy grids.
#include "contact/contact.h"
#include "sim/sensor_host.h"

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

// Height of a ray's point above the ground, positive off all ground.
static double above_ground(const rutModel* model, const rutData* data, const rutRay* ray,
                           double t) {
  const double x = rut_ray_at(ray, 0, t), y = rut_ray_at(ray, 1, t), z = rut_ray_at(ray, 2, t);
  const double below = z + 0.5;
  double height, slope[2];
  rut_terrain_surface(model, data, 1, &x, &y, &below, &height, &slope[0], &slope[1]);
  return height == height ? z - height : 1.0;
}

// March until the ray is below the ground, then halve the last stride.
static void cast_ground(const rutModel* model, const rutData* data, const rutRayBatch* rays,
                        const rutRayResult* out) {
  static const double STRIDE = 0.05, EXACT = 1e-9;  // [m]
  for (int i = 0; i < rays->n; i++) {
    rutRay ray;
    if (!rut_ray_of(rays, out, i, &ray)) continue;
    double low = 0, high = 0;
    bool hit = false;
    for (double t = STRIDE; !hit && low < ray.limit; t += STRIDE) {
      low = high;
      high = rut_min(t, ray.limit);
      hit = above_ground(model, data, &ray, high) < 0;
      if (!hit && high >= ray.limit) break;
      if (ray.d[2] >= 0 && rut_ray_at(&ray, 2, high) > model->highest_ground + 1) break;
    }
    while (hit && high - low > EXACT) {
      const double middle = 0.5 * (low + high);
      if (above_ground(model, data, &ray, middle) < 0) {
        high = middle;
      } else {
        low = middle;
      }
    }
    static const double up[3] = {0, 0, 1};
    if (hit && low < ray.limit) rut_ray_put(out, i, low, up, RUT_RAY_GROUND, 0);
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
  rut_rays_begin(&batch, &result);
  rut_contact_cast(&scene, rays->bodies, carried ? model->vehicle[rays->skip_vehicle].body : -1,
                   &batch, &result);
  if (rays->ground) cast_ground(model, data, &batch, &result);
  for (int i = 0; i < rays->n; i++) {
    if (!(hits->range[i] < RUT_INFINITY)) hits->range[i] = -1;
    if (grid) grid[i] = parts.target[i] == RUT_RAY_GRID;
  }
}
