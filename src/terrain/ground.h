// SPDX-License-Identifier: BSD-3-Clause
//
// The ground of a world: height maps, level planes, ramps and bumps, with shapes on top of them.
// Where several lie above each other (a ramp on a floor, the storeys of a house) a query takes the
// highest that is not above what asks.
#ifndef RUT_TERRAIN_GROUND_H
#define RUT_TERRAIN_GROUND_H

#include "base/arena.h"
#include "geom/height_field.h"
#include "rut/component.h"

typedef enum rutGroundKind {
  RUT_GROUND_FIELD,  // height field
  RUT_GROUND_PLANE,  // level rectangle, in its own frame
  RUT_GROUND_RAMP,   // rises along its x from 0 to size z
  RUT_GROUND_BUMP,   // half-elliptic cylinder, axis along its x, size z high
  RUT_GROUND_LEVEL   // endless level ground without an underside
} rutGroundKind;

typedef struct rutGroundSource {
  rutGroundKind kind;
  const rutHeightField* field;  // FIELD only
  double x, y, z;               // of its origin in the world [m]
  double cos_yaw, sin_yaw;
  double x_min, x_max, y_min, y_max;  // extent in its own frame [m]
  double height;                      // of a ramp or bump [m]
  double box[4];  // x_min x_max y_min y_max in the world [m], from rut_ground_source_box
} rutGroundSource;

typedef enum rutBlend { RUT_BLEND_ADD, RUT_BLEND_MAX, RUT_BLEND_REPLACE } rutBlend;

// A <terrain>, which changes the heights of all sources inside its extent.
typedef struct rutGroundShape {
  const rutTerrainType* type;
  const void *param, *plan;  // plan is NULL for types without one
  size_t plan_bytes;
  double x, y, z;  // of its origin in the world [m]
  double cos_yaw, sin_yaw;
  double x_min, x_max, y_min, y_max;  // extent in its own frame, may be infinite [m]
  double edge;                        // width of the blend inside its border [m]
  rutBlend blend;
  double box[4];  // as of a source
  // upright faces: of its own, or at its border; from rut_ground_shape_box
  bool faces, walls;
  bool steep;  // these, or slopes of more than 45 degrees
} rutGroundShape;

// A part of the ground with properties of its own; those not given are NaN, soil -1.
typedef struct rutRegion {
  double min[3], max[3];
  double friction, rolling_resistance;
  double strength;              // cone index [Pa]
  double moisture, soft_depth;  // as in rutGroundMaterial
  int soil;                     // index in the world's list
  int corners;                  // of an outline, 0 for a box
  const double* xy;
  bool no_gps;  // no satellite positioning inside
} rutRegion;

typedef enum rutGroundQuantity {
  RUT_MAP_SOIL,       // index in the world's list
  RUT_MAP_STRENGTH,   // cone index [Pa]
  RUT_MAP_FRICTION,   // friction coefficient
  RUT_MAP_MOISTURE,   // water over dry weight
  RUT_MAP_SOFT_DEPTH  // of the soft layer of soil [m]
} rutGroundQuantity;

// A raster of one property. Cell (ix, iy) is the square around corner + spacing * (ix, iy). Linear:
// between the middles of cells values are bilinear, of the cells that have one.
typedef struct rutGroundMap {
  rutGroundQuantity quantity;
  int nx, ny;
  double spacing, corner[2];  // [m]
  const unsigned char* soil;  // [ny][nx], RUT_NO_SOIL where not given; SOIL only
  const float* value;         // [ny][nx], NaN where not given; the others
  bool linear;
} rutGroundMap;
enum { RUT_NO_SOIL = 255 };

typedef struct rutGround {
  int sources, regions;
  const rutGroundSource* source;
  const rutRegion* region;
  int shapes, maps;
  const rutGroundShape* shape;
  const rutGroundMap* map;
  bool local;    // some map or region has moisture or depth of a soft layer
  int soil;      // of places that no map and no region names
  bool level;    // neither field nor plane: vehicles with suspensions see level ground at z = 0
  bool upright;  // some shape has upright faces
  bool steep;    // or is steep
} rutGround;

// Ground may be this much above a wheel's foot and still carry it: wheels climb small steps [m].
#define RUT_GROUND_STEP 0.1
// Vehicles with suspensions feel a height field from this far below it on [m]. What fell through
// one of its holes or off its edge and comes under it falls on, instead of being thrown out.
#define RUT_GROUND_THICKNESS 2.0

// Fill a source's or shape's box.
void rut_ground_source_box(rutGroundSource* source);
void rut_ground_shape_box(rutGroundShape* shape);
// Whether an upright face of a shape can be within `reach` of a place in the world [m].
bool rut_ground_shape_upright(const rutGroundShape* shape, double x, double y, double reach);
// Whether one, or a slope of more than 45 degrees, can be there.
bool rut_ground_shape_steep(const rutGroundShape* shape, double x, double y, double reach);

// Height [m] of the highest ground at x, y that is not more than RUT_GROUND_STEP above z. Height
// fields always count, since nothing is ever below them. Below all ground it is the lowest; off all
// ground, or without any, *found is false and the height 0. lift[sources] (Nullable) is added
// to the heights of moving sources.
double rut_ground_height(const rutGround* ground, const double* lift, double x, double y, double z,
                         bool* found);

// The surface that carries wheels, for vehicles with suspensions: the highest ground that is not
// above below[i] (hub heights), with the shapes of <terrain>. Off all ground (or in a hole) z is
// NaN and the slopes 0; a world without any ground is the level plane z = 0. Level ground has no
// underside and always counts; height fields count up to RUT_GROUND_THICKNESS above below[i],
// planes, ramps and bumps up to RUT_GROUND_STEP, so that a wheel pressed deep into them stays on
// them.
void rut_ground_surface(const rutGround* ground, const double* lift, const rutGroundPoints* at,
                        const double* below, const rutGroundSurface* out);
// Add the shapes to a surface; z stays NaN where it is.
void rut_ground_add_shapes(const rutGround* ground, const rutGroundPoints* at,
                           const rutGroundSurface* out);

// The surface of one source with the shapes on it, NaN and 0 off it; source -1 is the level ground
// that is there where `level` says so. lift [m] is added to its heights.
void rut_ground_source_surface(const rutGround* ground, int source, double lift,
                               const rutGroundPoints* at, const rutGroundSurface* out);
// Bounds of the same over the rectangle x_min, x_max, y_min, y_max in the world [m], for the places
// on the source. Returns whether shapes change it there.
bool rut_ground_bounds(const rutGround* ground, int source, double lift, const double box[4],
                       rutTerrainBounds* out);

// Friction and rolling resistance coefficients at a point; NaN where neither map nor region gives
// one. The last region of the file that contains the point wins; regions win over maps.
void rut_ground_properties(const rutGround* ground, double x, double y, double z, double* friction,
                           double* rolling_resistance);
// What the ground is made of at points, n of each array.
typedef struct rutGroundMaterial {
  int* soil;         // index in the world's list, 0: the world's default
  double* strength;  // cone index [Pa], NaN where none is given
  double* friction;  // coefficient, NaN where none is given
  // Nullable: water over dry weight, and depth of the soft layer [m], NaN likewise.
  double *moisture, *soft_depth;
} rutGroundMaterial;
// z[i] is the height of point i [m], which tells regions above each other apart.
void rut_ground_material(const rutGround* ground, const rutGroundPoints* at, const double* z,
                         const rutGroundMaterial* out);

// Whether a point is in a region without satellite positioning.
bool rut_ground_no_gps(const rutGround* ground, double x, double y, double z);

#endif  // RUT_TERRAIN_GROUND_H
