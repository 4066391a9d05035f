// SPDX-License-Identifier: BSD-3-Clause
//
// Grid over the prisms that never move, built once. A prism is entered in every cell that its box
// touches, so that whoever looks at a cell sees all that is there.
#include "contact/contact_data.h"
#include "math/rut_math.h"

// Cells grow until entries and cells are at most this many per prism, and some more for few prisms.
enum { ENTRIES_PER_PRISM = 8, FREE_ENTRIES = 256, CELLS_PER_PRISM = 4, FREE_CELLS = 64 };
enum { MOST_ALONG = 10000, FREE_ALONG = 15 };  // cells along an axis

#define SMALLEST_CELL 0.1  // [m]
#define CELL_GROWTH   1.5

static void corner_box(int n, const double* xy, double box[4]) {
  box[0] = box[1] = HUGE_VAL;
  box[2] = box[3] = -HUGE_VAL;
  for (int i = 0; i < n; i++) {
    box[0] = rut_min(xy[2 * i], box[0]);
    box[1] = rut_min(xy[2 * i + 1], box[1]);
    box[2] = rut_max(xy[2 * i], box[2]);
    box[3] = rut_max(xy[2 * i + 1], box[3]);
  }
}

static long count_entries(const rutContactDef* def, const rutCellGrid* grid) {
  long entries = 0;
  for (int i = 0; i < def->prisms; i++) {
    const rutPrismDef* p = &def->prism[i];
    if (p->body >= 0) continue;
    double box[4];
    int range[4];
    corner_box(p->n, p->xy, box);
    rut_cell_range(grid, box, range);
    entries += (long)(range[2] - range[0] + 1) * (range[3] - range[1] + 1);
  }
  return entries;
}

static void set_cells(rutCellGrid* grid, double width, double height, double size) {
  grid->size = size;
  grid->inverse = 1 / size;
  grid->nx = (int)rut_min(width * grid->inverse, MOST_ALONG) + 1;
  grid->ny = (int)rut_min(height * grid->inverse, MOST_ALONG) + 1;
}

rutFixedPlan rut_fixed_plan(const rutContactDef* def) {
  rutFixedPlan plan = {{1, 1, 0, 0, 1, 1}, 0};
  double all[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  int count = 0;
  for (int i = 0; i < def->prisms; i++) {
    if (def->prism[i].body >= 0) continue;
    double box[4];
    corner_box(def->prism[i].n, def->prism[i].xy, box);
    for (int k = 0; k < 2; k++) all[k] = rut_min(box[k], all[k]);
    for (int k = 2; k < 4; k++) all[k] = rut_max(box[k], all[k]);
    count++;
  }
  double width = all[2] - all[0], height = all[3] - all[1];
  if (count == 0 || !rut_is_finite(width) || !rut_is_finite(height)) {
    plan.entries = count;
    return plan;
  }
  plan.grid.x = all[0];
  plan.grid.y = all[1];
  // about as many cells as prisms, then coarser until the long ones do not fill too many
  double longest = rut_max(width, height);
  double size = rut_max(rut_sqrt(width * height / count), longest / (count + FREE_ALONG));
  size = rut_max(size, SMALLEST_CELL);
  long limit = ENTRIES_PER_PRISM * (long)count + FREE_ENTRIES;
  for (;;) {
    set_cells(&plan.grid, width, height, size);
    long entries = count_entries(def, &plan.grid);
    plan.entries = (int)entries;
    bool few_cells =
        (long)plan.grid.nx * plan.grid.ny <= CELLS_PER_PRISM * (long)count + FREE_CELLS;
    if ((entries <= limit && few_cells) || size > longest) return plan;
    size *= CELL_GROWTH;
  }
}

// Around what rays see: prisms that only collide would send every ray through their cells.
static void find_box(rutContactModel* model) {
  double* box = model->fixed_box;
  for (int k = 0; k < 6; k++) box[k] = k < 3 ? HUGE_VAL : -HUGE_VAL;
  for (int i = model->moving_prisms; i < model->prisms; i++) {
    const rutPrism* p = &model->prism[i];
    if (p->n == 0 || !rut_prism_seen(p)) continue;
    for (int k = 0; k < 2; k++) {
      box[k] = rut_min(p->box[k] - model->bulge, box[k]);
      box[k + 3] = rut_max(p->box[k + 2] + model->bulge, box[k + 3]);
    }
    box[2] = rut_min(p->z_min, box[2]);
    box[5] = rut_max(p->z_max, box[5]);
  }
}

void rut_fixed_fill(rutContactModel* model) {
  find_box(model);
  const rutCellGrid* grid = &model->fixed_grid;
  int* start = model->fixed_start;
  int cells = grid->nx * grid->ny, fixed = model->prisms - model->moving_prisms;
  // count, sum up, then fill backwards so that each cell lists its prisms in rising order
  for (int pass = 0; pass < 2; pass++) {
    for (int f = fixed - 1; f >= 0; f--) {
      const rutPrism* p = &model->prism[model->moving_prisms + f];
      int range[4];
      if (p->n == 0) continue;
      rut_cell_range(grid, p->box, range);
      for (int iy = range[1]; iy <= range[3]; iy++) {
        for (int ix = range[0]; ix <= range[2]; ix++) {
          int cell = iy * grid->nx + ix;
          if (pass == 0) {
            start[cell]++;
          } else {
            model->fixed_entry[--start[cell]] = model->moving_prisms + f;
          }
        }
      }
    }
    for (int c = 1; pass == 0 && c <= cells; c++) start[c] += start[c - 1];
  }
}
