// SPDX-License-Identifier: BSD-3-Clause
//
// Cells of range, azimuth, elevation and range rate in which a radar sums what comes back, and the
// targets that it makes of them.
#ifndef RUT_SENSE_RADAR_CELLS_H
#define RUT_SENSE_RADAR_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUT_RADAR_RANGE, RUT_RADAR_AZIMUTH, RUT_RADAR_ELEVATION, RUT_RADAR_RATE, RUT_RADAR_AXES };

// An echo, a cell, or a target: its power, and its place along each axis.
typedef struct rutRadarEcho {
  double power;
  double at[RUT_RADAR_AXES];
  int instance;      // the one that sends most of it
  double strongest;  // power of that
} rutRadarEcho;

typedef struct rutRadarCell {
  rutRadarEcho sum;  // places are times power until the cells are ready
  int64_t index[RUT_RADAR_AXES];
} rutRadarCell;

typedef struct rutRadarCells {
  double resolution[RUT_RADAR_AXES];  // 0: the axis is not resolved
  int n;
  rutRadarCell* cell;
  uint32_t slots;  // power of two, of a hash table of cells
  int32_t* slot;   // index of a cell, -1 where there never was one
  // Once the cells are ready: node i has the stronger cell of nodes 2 i and 2 i + 1, and the leaves
  // are nodes `leaves` + the index of each cell; -1: taken.
  int leaves;
  int32_t* strongest;  // [2 leaves]
} rutRadarCells;

// Bytes for so many echoes.
size_t rut_radar_cells_size(int echoes);
// Empty cells in that memory, aligned to 8.
void rut_radar_cells_init(rutRadarCells* cells, const double resolution[RUT_RADAR_AXES], int echoes,
                          void* memory);
void rut_radar_add(rutRadarCells* cells, const rutRadarEcho* echo);
// After the last echo.
void rut_radar_ready(rutRadarCells* cells);
// Takes the strongest cell out, and with it those whose places differ by less than the resolution
// along every axis: out is their sum, at the mean place weighted by power. False if no cell has the
// power `least`. Takes the time of 3^axes cells and of the logarithm of all, not of all.
bool rut_radar_take(rutRadarCells* cells, double least, rutRadarEcho* out);

#endif  // RUT_SENSE_RADAR_CELLS_H
