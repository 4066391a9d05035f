// SPDX-License-Identifier: BSD-3-Clause
#include "geom/bvh.h"

#include <stdbool.h>
#include <string.h>

#include "math/rut_math.h"

// Splits by area down to this level, in halves below it, so that no tree is too deep: 2^28 items
// are halved 28 times.
enum { SAH_LEVELS = 24, BINS = 16 };
// Items farther out are left out: squares of their coordinates would overflow.
#define FARTHEST 1e15f

// ---------------------------------------------------------------------------------------------
// Boxes

void rut_box_begin(rutBox* box) {
  for (int k = 0; k < 3; k++) {
    box->low[k] = (float)INFINITY;
    box->high[k] = -(float)INFINITY;
  }
}

void rut_box_add(rutBox* box, const rutBox* other) {
  for (int k = 0; k < 3; k++) {
    box->low[k] = other->low[k] < box->low[k] ? other->low[k] : box->low[k];
    box->high[k] = other->high[k] > box->high[k] ? other->high[k] : box->high[k];
  }
}

rutBox rut_box_around(const double low[3], const double high[3], double margin) {
  rutBox box;
  for (int k = 0; k < 3; k++) {
    // one part in 2^22 is above the rounding to floats
    box.low[k] = (float)(low[k] - margin - 0x1p-22 * rut_abs(low[k]));
    box.high[k] = (float)(high[k] + margin + 0x1p-22 * rut_abs(high[k]));
  }
  return box;
}

static bool is_usable(const rutBox* box) {
  bool usable = true;
  for (int k = 0; k < 3; k++)
    usable = usable && box->low[k] >= -FARTHEST && box->high[k] <= FARTHEST &&
             box->low[k] <= box->high[k];
  return usable;
}

// Half of the surface.
static float area_of(const rutBox* box) {
  const float x = box->high[0] - box->low[0], y = box->high[1] - box->low[1];
  const float z = box->high[2] - box->low[2];
  return x < 0 ? 0 : x * y + y * z + z * x;
}

// Twice the centre.
static float centre_of(const rutBox* box, int axis) { return box->low[axis] + box->high[axis]; }

// ---------------------------------------------------------------------------------------------
// Memory

// Nodes of a tree over n items: below a n, where a = max(b, (1 + b) / (leaf size + 1)) and b =
// 1 / (width - 1). Let N(n) <= a n - b for more than leaf_size items. A full node has N = 1 + sum
// of N(children), which keeps this; one with fewer children has leaves only, but more items than
// one leaf holds, which gives the second value of a; and leaves have no nodes, which gives the
// first.
static int nodes_of(int items, int leaf_size) {
  const double b = 1.0 / (RUT_BVH_WIDTH - 1), share = rut_max(b, (1 + b) / (leaf_size + 1));
  return (int)(share * items) + 1;
}

void rut_bvh_take(rutBvh* bvh, int items, int leaf_size, rutArena* arena) {
  bvh->leaf_size = leaf_size;
  bvh->nodes = bvh->leaves = 0;
  bvh->node = RUT_TAKE(arena, rutBvhNode, nodes_of(items, leaf_size));
  bvh->item = RUT_TAKE(arena, int, (size_t)items*(size_t)leaf_size);
  bvh->order = RUT_TAKE(arena, int, items);
}

void rut_bvh_copy(rutBvh* to, const rutBvh* from, rutArena* arena) {
  const size_t nodes = (size_t)from->nodes, items = (size_t)from->leaves * (size_t)from->leaf_size;
  rutBvhNode* node = RUT_TAKE(arena, rutBvhNode, nodes);
  int* item = RUT_TAKE(arena, int, items);
  *to = *from;
  to->node = node;
  to->item = item;
  to->order = NULL;
  if (node) memcpy(node, from->node, nodes * sizeof *node);
  if (item) memcpy(item, from->item, items * sizeof *item);
}

// ---------------------------------------------------------------------------------------------
// Build

// A part of the order, and the box around its items.
typedef struct Range {
  int first, count;
  rutBox box;
} Range;

typedef struct Bin {
  int count;
  rutBox box;
} Bin;

// Where to split: the first bin of the upper part.
typedef struct Split {
  float cost, low, scale;
  int axis, bin;
} Split;

static Range range_of(const rutBvh* bvh, const rutBox* box, int first, int count) {
  Range range = {first, count, {{0}, {0}}};
  rut_box_begin(&range.box);
  for (int i = 0; i < count; i++) rut_box_add(&range.box, &box[bvh->order[first + i]]);
  return range;
}

static int bin_of(float centre, float low, float scale) {
  const int bin = (int)((centre - low) * scale);
  return bin < BINS - 1 ? bin : BINS - 1;
}

// Cost of the best split between bins, in areas times leaves.
static void best_split(const rutBvh* bvh, const Bin* bin, Split* split, Split* best) {
  float above[BINS];
  rutBox box;
  int count = 0;
  const int leaf = bvh->leaf_size;
  rut_box_begin(&box);
  for (int i = BINS - 1; i > 0; i--) {
    rut_box_add(&box, &bin[i].box);
    count += bin[i].count;
    above[i] = area_of(&box) * (float)((count + leaf - 1) / leaf);
    if (count == 0) above[i] = (float)INFINITY;
  }
  rut_box_begin(&box);
  count = 0;
  for (int i = 1; i < BINS; i++) {
    rut_box_add(&box, &bin[i - 1].box);
    count += bin[i - 1].count;
    split->cost = area_of(&box) * (float)((count + leaf - 1) / leaf) + above[i];
    split->bin = i;
    if (count > 0 && split->cost < best->cost) *best = *split;
  }
}

static bool find_split(const rutBvh* bvh, const rutBox* box, const Range* range, Split* best) {
  const int* order = bvh->order + range->first;
  *best = (Split){.cost = (float)INFINITY};
  for (int axis = 0; axis < 3; axis++) {
    float low = (float)INFINITY, high = -(float)INFINITY;
    for (int i = 0; i < range->count; i++) {
      const float centre = centre_of(&box[order[i]], axis);
      low = centre < low ? centre : low;
      high = centre > high ? centre : high;
    }
    Split split = {.low = low, .scale = (float)BINS / (high - low), .axis = axis};
    if (!(high > low) || !(split.scale < 1e30f)) continue;
    Bin bin[BINS];
    for (int i = 0; i < BINS; i++) {
      bin[i].count = 0;
      rut_box_begin(&bin[i].box);
    }
    for (int i = 0; i < range->count; i++) {
      const rutBox* b = &box[order[i]];
      Bin* in = &bin[bin_of(centre_of(b, axis), low, split.scale)];
      in->count++;
      rut_box_add(&in->box, b);
    }
    best_split(bvh, bin, &split, best);
  }
  return best->cost < (float)INFINITY;
}

// Number of items that go to the lower part, which come to the front.
static int partition(const rutBvh* bvh, const rutBox* box, const Range* range, const Split* split) {
  int* order = bvh->order + range->first;
  int lower = 0;
  for (int i = 0; i < range->count; i++) {
    const int item = order[i];
    const float centre = centre_of(&box[item], split->axis);
    if (bin_of(centre, split->low, split->scale) >= split->bin) continue;
    order[i] = order[lower];
    order[lower++] = item;
  }
  return lower;
}

static void split_range(const rutBvh* bvh, const rutBox* box, bool by_area, Range* range,
                        Range* upper) {
  Split split;
  int lower = range->count / 2;
  if (by_area && find_split(bvh, box, range, &split)) lower = partition(bvh, box, range, &split);
  *upper = range_of(bvh, box, range->first + lower, range->count - lower);
  *range = range_of(bvh, box, range->first, lower);
}

// Split until there are eight parts, the largest first. Returns how many there are.
static int split_node(const rutBvh* bvh, const rutBox* box, bool by_area,
                      Range part[RUT_BVH_WIDTH]) {
  int parts = 1;
  while (parts < RUT_BVH_WIDTH) {
    int widest = -1;
    for (int i = 0; i < parts; i++) {
      if (part[i].count <= bvh->leaf_size) continue;
      if (widest < 0 || area_of(&part[i].box) > area_of(&part[widest].box)) widest = i;
    }
    if (widest < 0) break;
    split_range(bvh, box, by_area, &part[widest], &part[parts]);
    parts++;
  }
  return parts;
}

static int put_leaf(rutBvh* bvh, const Range* range) {
  int* item = bvh->item + (size_t)bvh->leaves * bvh->leaf_size;
  for (int i = 0; i < bvh->leaf_size; i++)
    item[i] = i < range->count ? bvh->order[range->first + i] : -1;
  return ~bvh->leaves++;
}

static void put_bound(rutBvhNode* node, int lane, const rutBox* box) {
  for (int k = 0; k < 3; k++) {
    node->bound[k][lane] = box->low[k];
    node->bound[3 + k][lane] = box->high[k];
  }
}

// A node that has yet to be filled.
typedef struct Task {
  int node, level, first, count;
} Task;

void rut_bvh_build(rutBvh* bvh, int items, const rutBox* box) {
  Task stack[RUT_BVH_STACK];
  int tasks = 1, used = 0;
  for (int i = 0; i < items; i++)
    if (is_usable(&box[i])) bvh->order[used++] = i;
  stack[0] = (Task){0, 0, 0, used};
  bvh->nodes = 1;
  bvh->leaves = 0;
  while (tasks > 0) {
    const Task task = stack[--tasks];
    rutBvhNode* node = &bvh->node[task.node];
    Range part[RUT_BVH_WIDTH];
    part[0] = range_of(bvh, box, task.first, task.count);
    const int parts = task.count > 0 ? split_node(bvh, box, task.level < SAH_LEVELS, part) : 0;
    for (int i = 0; i < RUT_BVH_WIDTH; i++) {
      rutBox bound;
      rut_box_begin(&bound);
      node->child[i] = RUT_BVH_NO_CHILD;
      if (i < parts) bound = part[i].box;
      put_bound(node, i, &bound);
      if (i >= parts) continue;
      if (part[i].count <= bvh->leaf_size) {
        node->child[i] = put_leaf(bvh, &part[i]);
      } else {
        node->child[i] = bvh->nodes;
        stack[tasks++] = (Task){bvh->nodes++, task.level + 1, part[i].first, part[i].count};
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Refit

static rutBox bound_of(const rutBvhNode* node, int lane) {
  rutBox box;
  for (int k = 0; k < 3; k++) {
    box.low[k] = node->bound[k][lane];
    box.high[k] = node->bound[3 + k][lane];
  }
  return box;
}

static rutBox box_of_node(const rutBvhNode* node) {
  rutBox box;
  rut_box_begin(&box);
  for (int lane = 0; lane < RUT_BVH_WIDTH; lane++) {
    const rutBox part = bound_of(node, lane);
    rut_box_add(&box, &part);
  }
  return box;
}

static rutBox box_of_child(const rutBvh* bvh, const rutBox* box, int child) {
  if (child >= 0) return box_of_node(&bvh->node[child]);
  rutBox found;
  rut_box_begin(&found);
  const int* item = bvh->item + (size_t)~child * bvh->leaf_size;
  for (int i = 0; i < bvh->leaf_size; i++)
    if (item[i] >= 0) rut_box_add(&found, &box[item[i]]);
  return found;
}

rutBox rut_bvh_box(const rutBvh* bvh) { return box_of_node(&bvh->node[0]); }

void rut_bvh_refit(rutBvh* bvh, const rutBox* box) {
  for (int i = bvh->nodes - 1; i >= 0; i--) {
    rutBvhNode* node = &bvh->node[i];
    for (int lane = 0; lane < RUT_BVH_WIDTH; lane++) {
      if (node->child[lane] == RUT_BVH_NO_CHILD) continue;
      const rutBox found = box_of_child(bvh, box, node->child[lane]);
      put_bound(node, lane, &found);
    }
  }
}

double rut_bvh_surface(const rutBvh* bvh) {
  double sum = 0;
  for (int i = 0; i < bvh->nodes; i++) {
    for (int lane = 0; lane < RUT_BVH_WIDTH; lane++) {
      const rutBox box = bound_of(&bvh->node[i], lane);
      sum += 2 * (double)area_of(&box);
    }
  }
  return sum;
}
