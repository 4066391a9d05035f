// SPDX-License-Identifier: BSD-3-Clause
//
// What roads of a road network look like, and the friction of their lanes.
#ifndef RUT_SIM_COMPILE_ROAD_LOOK_H
#define RUT_SIM_COMPILE_ROAD_LOOK_H

#include "format/xodr_surface.h"
#include "sim/compile/draft.h"

// Lanes and markings of a <terrain>, as meshes for sensors and as outlines for the page.
void rut_draft_road_look(rutDraft* draft, rutNode node, const rutXodr* file,
                         const rutRoadPlan* plan);
// Regions of friction where lanes have a <material>.
void rut_draft_road_friction(rutDraft* draft, rutNode node, const rutXodr* file,
                             const rutRoadPlan* plan);

#endif  // RUT_SIM_COMPILE_ROAD_LOOK_H
