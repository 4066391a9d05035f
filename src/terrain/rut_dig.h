// SPDX-License-Identifier: BSD-3-Clause
//
// Soil that the tread of a slipping wheel carries away from under it: a pit under the wheel, and
// what was in it laid behind or before. Soil is moved in whole units, so that none is lost.
#ifndef RUT_TERRAIN_RUT_DIG_H
#define RUT_TERRAIN_RUT_DIG_H

#include "terrain/rut_grid.h"

// Lower the soil under a wheel and lay it down. Where walls would be steeper than loose soil
// (`repose`) they fall in and are carried away as well, and the pit grows as much slower: no more
// than depth x area goes. Cells count by the part of them that is under the wheel.
void rut_soft_dig(rutSoftGround* ground, const rutSoftDig* dig);

#endif  // RUT_TERRAIN_RUT_DIG_H
