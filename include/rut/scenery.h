// SPDX-License-Identifier: BSD-3-Clause
//
// Scenery: their descriptor. What stands in a world in numbers, such as trees, is an element of a
// type; places, sizes and headings of its individuals are the same for all types.
#ifndef RUT_SCENERY_H
#define RUT_SCENERY_H

#include "rut/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

// First rows of every type: where individuals stand, how large they are, what touches them.
#define RUT_POINTS_ROW(name, doc) {#name, "m", RUT_POINTS, 0, 0, -1e7, 1e7, "", 0, doc},
#define RUT_FILE_ROW(name, doc)   {#name, "file", RUT_TEXT, 1, 0, 0, 0, "", 0, doc},
#define RUT_RANGE_ROW(name, unit, def, min, max, doc) \
  {#name, unit, RUT_VECTOR, 2, 0, min, max, def, 0, doc},
// clang-format off
#define RUT_SCENERY_ROWS                                                                         \
  RUT_WHOLE_ROW(number, "", 0, 0, 200000, "individuals at random places in the area")            \
  RUT_ROW(density, "1/m2", 0, 0, 1e4, "of random places in the area, in place of their number") \
  RUT_POINTS_ROW(area,                                                                           \
                 "corner points of the area with random places; default: the ground's extent")   \
  RUT_FILE_ROW(map,                                                                              \
               "raster of the probability that a random place is kept, 1 or white for all; it "  \
               "covers the box around the area, north up, unless the file says where it lies")   \
  RUT_POINTS_ROW(places, "x y of individuals; see also <place>")                                 \
  RUT_POINTS_ROW(along, "points of a line with individuals at equal intervals, facing along it") \
  RUT_ROW(interval, "m", (double)NAN, 1e-2, 1e6,                                                 \
          "of individuals along the line; default: that of the type")                            \
  RUT_ROW(offset, "m", 0, -1e4, 1e4, "of individuals to the left of the line")                   \
  RUT_ROW(spacing, "m", (double)NAN, 0, 1e4,                                                     \
          "least distance of random places; default: that of the type")                          \
  RUT_WHOLE_ROW(seed, "", 1, 0, 2147483647, "of random places, sizes and headings")              \
  RUT_RANGE_ROW(size, "", "1 1", 1e-3, 1e3,                                                      \
                "least and largest factor on all dimensions, random between")                    \
  RUT_ROW(yaw, "rad", (double)NAN, -1e4, 1e4,                                                    \
          "heading, along a line from its direction; default: random at random places, else 0")  \
  RUT_ROW(max_slope, "rad", 1.5707963267948966, 0, 1.5707963267948966,                           \
          "steepest ground for a random place")                                                  \
  RUT_ROW(start_distance, "m", 4, 0, 1e4,                                                        \
          "least distance of random places from starts of vehicles, besides their own radius")   \
  RUT_ROW(path_distance, "m", 2.5, 0, 1e4,                                                       \
          "the same from lines that controllers and actors follow")                              \
  RUT_ROW(road_distance, "m", 1, -1e4, 1e4, "the same from edges of roads")                      \
  RUT_CHOICE_ROW(solid, "auto|no|yes", 0, "whether vehicles collide with it; auto: by the type") \
  RUT_ROW(friction, "", 0.5, 0, 100, "Coulomb coefficient against vehicles")                     \
  RUT_ROW(restitution, "", 0.01, 0, 1, "coefficient of restitution")
// clang-format on

// First parameters of every type. Lists are read by the engine: here they are NaN.
typedef struct rutSceneryHead {
  double number, density, area, map, places, along, interval, offset, spacing, seed, size, yaw;
  double max_slope, start_distance, path_distance, road_distance, solid, friction, restitution;
} rutSceneryHead;

enum { RUT_SCENERY_MAX_PARTS = 32, RUT_SCENERY_MAX_CORNERS = 16, RUT_SCENERY_MAX_VARIANTS = 64 };
enum { RUT_SCENERY_MAX_MOVING = 16 };

// An upright convex prism of an individual, in its frame: x forward, y left, z up from the ground
// in its middle.
typedef struct rutSceneryPart {
  int corners;  // 3 to RUT_SCENERY_MAX_CORNERS
  double xy[2 * RUT_SCENERY_MAX_CORNERS];
  double z_min, z_max;
  const char* material;  // preset of <material>; an element's own <material> holds in its place
  bool solid;            // vehicles collide with it; else it is only seen
} rutSceneryPart;

// How an actor has gone so far, in lengths of an individual of size 1. All 0: it stands.
typedef struct rutActorMotion {
  double distance;  // since its start [m]
  double turned;    // since its start, counter-clockwise, full turns included [rad]
  double speed;     // 0 while it waits or turns on the spot [m/s]
  // The stretch of its path that it goes at this speed without a stop: its length, and how much of
  // it lies behind [m].
  double stretch, gone;
  double slope[2];  // of the ground under it, ahead and to the left: rise over length
} rutActorMotion;

typedef struct rutSceneryType {
  rutComponent base;
  const char* semantic_class;  // of its materials, unless they say otherwise
  int variants;  // kinds of individuals, 1 to RUT_SCENERY_MAX_VARIANTS, that differ in shape
  // Radius of the ground that an individual takes [m], and interval along a line [m].
  double (*radius)(const void* param);
  double (*interval)(const void* param);  // nullable: 2 radius
  // Parts of a variant at size 1; returns their number, at most RUT_SCENERY_MAX_PARTS.
  int (*parts)(const void* param, int variant, rutSceneryPart* out);
  // What sensors see of a variant at size 1, in the same frame. Nullable: its parts.
  void (*mesh)(const void* param, int variant, rutMeshBuilder* builder);
  // Parts that move as an actor goes, such as limbs and wheels, at most RUT_SCENERY_MAX_MOVING; 0:
  // none. Together they are all that sensors see, in place of `mesh`: each a mesh in a frame of its
  // own, and the poses x y z roll pitch yaw of these frames in that of the individual. Prisms stay.
  int moving;
  void (*moving_mesh)(const void* param, int variant, int part, rutMeshBuilder* builder);
  void (*moving_pose)(const void* param, const rutActorMotion* motion, double pose[][6]);
  bool tilts;  // these parts tilt with the ground, as those of vehicles do; else they stay upright
  bool water;  // the tops of its parts are levels of water, which carries and slows vehicles
} rutSceneryType;

// What sensors see of an individual of a <scenery> of a spec: at size 1, in the individual's frame,
// and of its <material> where it has one of its own. variant: from 0; as in <place>, counting
// begins anew after the last one. The caller frees the mesh. Errors: ARGUMENT (no scenery, or a
// variant below 0), MODEL (no mesh can be made from these numbers), CAPACITY, MEMORY.
RUT_API rutStatus rut_scenery_mesh(const rutSpec* spec, rutNode scenery, int variant,
                                   rutMeshModel* out, rutError* err);
// The mesh of one of its moving parts, from 0, in the part's own frame; otherwise the same. An
// ARGUMENT error if there is no such part.
RUT_API rutStatus rut_scenery_part_mesh(const rutSpec* spec, rutNode scenery, int variant, int part,
                                        rutMeshModel* out, rutError* err);

#ifdef __cplusplus
}
#endif

#endif  // RUT_SCENERY_H
