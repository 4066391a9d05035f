// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "embree.h"
#include "measure_map.h"
#include "terrain/ground_cast.h"

enum { CELLS = 1024, NODES = CELLS + 1, POSES = 3, BATCH = 4096 };
enum { BEAMS = 64, COLUMNS = 2048, PIXELS_X = 640, PIXELS_Y = 480, RANDOM = 300000 };
static const double SPACING = 0.5, RELIEF = 12, MAST = 2;  // [m]
static const double LIDAR_RANGE = 120, CAMERA_RANGE = 200;
static const double FALL = 0.52;  // of the relief from one octave to the next
static const double FOCAL_PIXELS = 400, CAMERA_TILT = 0.1;
static const double LOWEST_BEAM = -24.8, HIGHEST_BEAM = 2;  // [deg], as of an HDL-64E

static double uniform(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------------------------
// Map

// Mean of four neighbours, less those that are not on the map.
static double mean_of(const double* z, int x, int y, int apart, const int way[4][2]) {
  double sum = 0;
  int n = 0;
  for (int k = 0; k < 4; k++) {
    const int nx = x + apart * way[k][0], ny = y + apart * way[k][1];
    if (nx < 0 || ny < 0 || nx >= NODES || ny >= NODES) continue;
    sum += z[ny * NODES + nx];
    n++;
  }
  return sum / n;
}

// Midpoint displacement (Fournier, Fussell and Carpenter, Communications of the ACM 25, 1982).
static void fill_heights(double* z) {
  static const int corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
  static const int sides[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  uint64_t noise = 1;
  double size = 1 / FALL, low = 0, high = 0;
  memset(z, 0, sizeof *z * NODES * NODES);
  for (int step = CELLS; step > 1; step /= 2) {
    const int half = step / 2;
    size *= FALL;
    for (int y = half; y < NODES; y += step) {
      for (int x = half; x < NODES; x += step)
        z[y * NODES + x] = mean_of(z, x, y, half, corners) + size * (uniform(&noise) - 0.5);
    }
    for (int y = 0; y < NODES; y += half) {
      for (int x = y / half % 2 ? 0 : half; x < NODES; x += step)
        z[y * NODES + x] = mean_of(z, x, y, half, sides) + size * (uniform(&noise) - 0.5);
    }
  }
  for (int i = 0; i < NODES * NODES; i++) {
    low = rut_min(z[i], low);
    high = rut_max(z[i], high);
  }
  for (int i = 0; i < NODES * NODES; i++) z[i] = (z[i] - low) * RELIEF / (high - low);
}

typedef struct Map {
  double* height;
  double* blocks;
  float* cells;
  rutHeightField field;
  rutHeightPyramid pyramid;
  rutHeightMaxima maxima;
} Map;

static bool build_map(Map* m, mapBuild* build) {
  const double origin[2] = {0, 0};
  const size_t blocks = rut_height_pyramid_size(NODES, NODES) * sizeof *m->blocks;
  const size_t cells = rut_height_maxima_size(NODES, NODES) * sizeof *m->cells;
  m->height = malloc(sizeof *m->height * NODES * NODES);
  m->blocks = calloc(1, blocks);
  m->cells = malloc(cells);
  if (!m->height || !m->blocks || !m->cells) return false;
  memset(m->cells, 1, cells);  // so that the time is not that of getting the memory
  fill_heights(m->height);
  const double start = now();
  rut_height_field_init(&m->field, NODES, NODES, SPACING, origin, m->height);
  rut_height_pyramid_build(&m->field, m->blocks, &m->pyramid);
  rut_height_maxima_build(&m->field, m->cells, &m->maxima);
  build->rut_time = now() - start;
  build->rut_bytes = (double)(blocks + cells);
  return true;
}

// The same for Embree: two triangles per cell.
static bool make_triangles(const rutHeightField* f, rutTriangleMesh* mesh) {
  const int points = f->nx * f->ny, cells = (f->nx - 1) * (f->ny - 1);
  double* point = malloc(3 * sizeof *point * (size_t)points);
  int* corner = malloc(6 * sizeof *corner * (size_t)cells);
  *mesh = (rutTriangleMesh){points, 2 * cells, point, corner};
  if (!point || !corner) return false;
  for (int i = 0; i < points; i++) {
    *point++ = f->origin[0] + f->spacing * (i % f->nx);
    *point++ = f->origin[1] + f->spacing * (i / f->nx);
    *point++ = f->height[i];
  }
  for (int i = 0; i < cells; i++) {
    const int a = i / (f->nx - 1) * f->nx + i % (f->nx - 1), b = a + f->nx;
    const int both[6] = {a, a + 1, b, a + 1, b + 1, b};
    for (int k = 0; k < 6; k++) *corner++ = both[k];
  }
  return true;
}

// NULL if Embree is missing.
static raysEmbree* build_embree(const rutHeightField* field, mapBuild* build) {
  rutTriangleMesh mesh;
  raysEmbree* embree = NULL;
  if (make_triangles(field, &mesh)) {
    const double start = now();
    embree = rays_embree_new_fast(&mesh);
    build->embree_time = now() - start;
    if (embree) build->embree_bytes = rays_embree_bytes(embree);
  }
  free((void*)mesh.point);
  free((void*)mesh.triangle);
  return embree;
}

// ---------------------------------------------------------------------------------------------
// Rays

enum { ORIGIN, DIRECTION = 3, RANGE = 6, NORMAL = 7, NUMBERS = 10 };

typedef struct Rays {
  int n;
  double max_range;
  double* number[NUMBERS];  // origins, directions, ranges, and normals
  float* other;             // ranges of Embree
} Rays;

static bool rays_new(Rays* r, int n, double max_range) {
  bool all = true;
  r->n = n;
  r->max_range = max_range;
  for (int k = 0; k < NUMBERS; k++) {
    r->number[k] = calloc((size_t)n, sizeof(double));
    all = all && r->number[k];
  }
  r->other = calloc((size_t)n, sizeof *r->other);
  return all && r->other;
}

static void rays_free(Rays* r) {
  for (int k = 0; k < NUMBERS; k++) free(r->number[k]);
  free(r->other);
}

static void put_ray(Rays* r, int i, const double from[3], double dx, double dy, double dz) {
  const double way[3] = {dx, dy, dz}, length = rut_sqrt(dx * dx + dy * dy + dz * dz);
  for (int k = 0; k < 3; k++) {
    r->number[ORIGIN + k][i] = from[k];
    r->number[DIRECTION + k][i] = way[k] / length;
  }
}

static void stand(const Map* m, int pose, double at[3]) {
  static const double place[POSES][2] = {{256.1, 256.2}, {150.3, 330.7}, {380.2, 190.9}};
  at[0] = place[pose][0];
  at[1] = place[pose][1];
  rut_height_field_at(&m->field, at[0], at[1], &at[2], NULL);
  at[2] += MAST;
}

// A lidar, ring after ring or column after column.
static bool lidar(const Map* m, Rays* r, bool rings) {
  if (!rays_new(r, POSES * BEAMS * COLUMNS, LIDAR_RANGE)) return false;
  for (int i = 0; i < r->n; i++) {
    const int in = i % (BEAMS * COLUMNS), beam = rings ? in / COLUMNS : in % BEAMS;
    const double share = (double)beam / (BEAMS - 1);
    const double up = RUT_PI / 180 * (LOWEST_BEAM + (HIGHEST_BEAM - LOWEST_BEAM) * share);
    const double turn = 2 * RUT_PI * (rings ? in % COLUMNS : in / BEAMS) / COLUMNS + 1e-3;
    double from[3], su, cu, st, ct;
    stand(m, i / (BEAMS * COLUMNS), from);
    rut_sincos(up, &su, &cu);
    rut_sincos(turn, &st, &ct);
    put_ray(r, i, from, cu * ct, cu * st, su);
  }
  return true;
}

// A camera, row after row.
static bool camera(const Map* m, Rays* r) {
  if (!rays_new(r, POSES * PIXELS_X * PIXELS_Y, CAMERA_RANGE)) return false;
  for (int i = 0; i < r->n; i++) {
    const int pose = i / (PIXELS_X * PIXELS_Y), in = i % (PIXELS_X * PIXELS_Y);
    const double right = (in % PIXELS_X + 0.5 - 0.5 * PIXELS_X) / FOCAL_PIXELS;
    const double up = (0.5 * PIXELS_Y - 0.5 - in / PIXELS_X) / FOCAL_PIXELS - CAMERA_TILT;
    double from[3], s, c;
    stand(m, pose, from);
    rut_sincos(0.3 + pose, &s, &c);
    put_ray(r, i, from, c + right * s, s - right * c, up);
  }
  return true;
}

// From anywhere above the ground to anywhere, as reflections and shadows go.
static bool scattered(const Map* m, Rays* r) {
  if (!rays_new(r, RANDOM, CAMERA_RANGE)) return false;
  uint64_t noise = 7;
  for (int i = 0; i < r->n; i++) {
    double from[3] = {5 + 500 * uniform(&noise), 5 + 500 * uniform(&noise), 0}, s, c;
    rut_height_field_at(&m->field, from[0], from[1], &from[2], NULL);
    from[2] += 0.2 + 6 * uniform(&noise);
    rut_sincos(2 * RUT_PI * uniform(&noise), &s, &c);
    put_ray(r, i, from, c, s, 0.35 * uniform(&noise) - 0.25);
  }
  return true;
}

static rutRayBatch part_of(const Rays* r, int first, int most) {
  rutRayBatch b = {.n = r->n - first < most ? r->n - first : most, .max_range = r->max_range};
  for (int k = 0; k < 3; k++) {
    b.origin[k] = r->number[ORIGIN + k] + first;
    b.direction[k] = r->number[DIRECTION + k] + first;
  }
  return b;
}

// Cast in batches of a size: time [s].
static double cast(const rutGroundScene* scene, Rays* r, int size) {
  const double start = now();
  for (int first = 0; first < r->n; first += size) {
    const rutRayBatch batch = part_of(r, first, size);
    const rutRayResult out = {.range = r->number[RANGE] + first,
                              .normal = {r->number[NORMAL] + first, r->number[NORMAL + 1] + first,
                                         r->number[NORMAL + 2] + first}};
    rut_rays_begin(&batch, &out);
    rut_ground_cast(scene, &batch, &out);
  }
  return now() - start;
}

static void measure(const Map* m, const raysEmbree* embree, int runs, Rays* r, mapFigures* f) {
  rutGroundSource source = {.kind = RUT_GROUND_FIELD, .field = &m->field, .cos_yaw = 1};
  rut_ground_source_box(&source);
  const rutGround ground = {.sources = 1, .source = &source};
  const rutGroundScene scene = {.ground = &ground};
  const rutRayBatch all = part_of(r, 0, r->n);
  const raysEmbreeHits other = {.range = r->other};
  double best[4] = {RUT_INFINITY, RUT_INFINITY, RUT_INFINITY, RUT_INFINITY};
  for (int run = 0; run < runs; run++) {
    best[0] = rut_min(cast(&scene, r, 1), best[0]);
    best[1] = rut_min(cast(&scene, r, BATCH), best[1]);
    if (!embree) continue;
    double start = now();
    rays_embree_cast(embree, &all, &other);
    best[2] = rut_min(now() - start, best[2]);
    start = now();
    rays_embree_packets(embree, strcmp(f->name, "scattered") != 0, &all, &other);
    best[3] = rut_min(now() - start, best[3]);
  }
  int hits = 0, differ = 0;
  for (int i = 0; i < r->n; i++) {
    const bool hit = r->number[RANGE][i] < RUT_INFINITY;
    hits += hit;
    differ += embree && hit != (r->other[i] < (float)INFINITY);
  }
  f->rays = r->n;
  f->hits = (double)hits / r->n;
  f->differ = (double)differ / r->n;
  f->embree = embree != NULL;
  f->rut_single = r->n / best[0];
  f->rut = r->n / best[1];
  f->embree_single = r->n / best[2];
  f->embree_packets = r->n / best[3];
}

bool map_measure(int runs, mapFigures out[MAP_SETS], mapBuild* build) {
  static const char* const name[MAP_SETS][2] = {
      {"rings", "lidar of 64 x 2048 rays, ring after ring"},
      {"columns", "the same, column after column"},
      {"camera", "640 x 480 pixels, row after row"},
      {"scattered", "rays from anywhere to anywhere"},
  };
  Map map = {0};
  bool good = build_map(&map, build);
  raysEmbree* embree = good ? build_embree(&map.field, build) : NULL;
  for (int k = 0; k < MAP_SETS && good; k++) {
    Rays r = {0};
    out[k] = (mapFigures){.name = name[k][0], .doc = name[k][1]};
    good = k < 2 ? lidar(&map, &r, k == 0) : k == 2 ? camera(&map, &r) : scattered(&map, &r);
    if (good) measure(&map, embree, runs, &r, &out[k]);
    rays_free(&r);
  }
  rays_embree_free(embree);
  free(map.height);
  free(map.blocks);
  free(map.cells);
  return good;
}
