// SPDX-License-Identifier: BSD-3-Clause
//
// Planning of paths: searches over grids of costs, shortest curves of a car, a search for
// manoeuvres of a car among obstacles, and the speed along a path. Nothing here needs a world. All
// memory of a search is taken when it is created; ties are broken by fixed rules, so that equal
// questions have answers with equal bits.
#ifndef RUT_PLAN_H
#define RUT_PLAN_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Searches over grids

enum { RUT_PLAN_MOST_SIDE = 30000, RUT_PLAN_MOST_CELLS = 1 << 28 };

// Squares of a plane. A step between the middles of two of the eight neighbours costs 1000 along an
// axis and 1414 along a diagonal, times the mean cost of both cells; costs are whole numbers, so
// that ties are exact.
typedef struct rutPlanGrid {
  int width, height;     // in cells: along x and y
  const uint16_t* cost;  // [height][width], cell (x, y) is y * width + x. 1 or more; 0: blocked.
                         // Borrowed
  bool cut_corners;      // diagonal steps may pass blocked cells at their sides
} rutPlanGrid;

typedef enum rutPlanMethod {
  RUT_PLAN_A_STAR,    // Hart, Nilsson, Raphael 1968, with the octile distance; shortest
  RUT_PLAN_DIJKSTRA,  // the same without a heuristic: a check
  RUT_PLAN_THETA      // Theta* (Daniel, Nash, Koenig, Felner 2010): straight lines of any heading
                      // between middles of cells, opened again where a shorter way to them is
                      // found. Never longer than A*, not always the shortest
} rutPlanMethod;

// A way over a grid, or the answer that there is none.
typedef struct rutPlanWay {
  bool found;
  int64_t cost;     // in thousandths of the cost of a step; of Theta* rounded
  double length;    // in cells, straight between those listed
  int cells;        // on the way, both ends included; of Theta* its corners
  const int* cell;  // [cells], from start to goal; borrowed, valid until the next search
  int closed;       // cells whose neighbours were looked at. Without a way: all that the start
                    // leads to, which proves it; 0 where an end is blocked
} rutPlanWay;

typedef struct rutPlanSearch rutPlanSearch;
// For grids of up to so many cells in all. The caller owns *out. Errors: ARGUMENT, MEMORY.
// Nullable: err.
RUT_API rutStatus rut_plan_search_create(int cells, rutPlanSearch** out, rutError* err);
// The same in memory of the caller's, such as a controller's scratch: so many bytes (0: it would be
// refused), aligned to 16 and all zero. It lasts as long as the memory and is not destroyed.
RUT_API size_t rut_plan_search_bytes(int cells);
RUT_API rutPlanSearch* rut_plan_search_in(int cells, void* memory);
// Find a way from a cell to another. Blocked ends have none. Never allocates. Errors: ARGUMENT (a
// cell outside, a grid larger than the search is made for). Nullable: err.
RUT_API rutStatus rut_plan_search(rutPlanSearch* search, const rutPlanGrid* grid,
                                  rutPlanMethod method, const int from_to[2], rutPlanWay* out,
                                  rutError* err);
RUT_API void rut_plan_search_destroy(rutPlanSearch* search);  // Nullable: search

// A search that is kept while cells change and the start moves: D* Lite (Koenig and Likhachev,
// AAAI 2002). Its answers, the cells of the way too, are those of one that begins anew: of the ways
// of least cost, the one that takes the first of the neighbours east, north-east, north, ... from
// each cell.
typedef struct rutPlanUpdate rutPlanUpdate;
// For grids of up to so many cells in all. The caller owns *out. Errors: ARGUMENT, MEMORY.
// Nullable: err.
RUT_API rutStatus rut_plan_update_create(int cells, rutPlanUpdate** out, rutError* err);
// Begin anew with a copy of a grid. Errors: as of rut_plan_search. Nullable: err.
RUT_API rutStatus rut_plan_update_begin(rutPlanUpdate* update, const rutPlanGrid* grid,
                                        const int from_to[2], rutError* err);
// Change the cost of a cell, or the start. Cells outside change nothing.
RUT_API void rut_plan_update_cost(rutPlanUpdate* update, int cell, uint16_t cost);
RUT_API void rut_plan_update_start(rutPlanUpdate* update, int cell);
// The way as things stand. `closed` counts the cells that this call looked at; without a way, those
// from which the goal can be reached. Before rut_plan_update_begin there is none.
RUT_API void rut_plan_update_find(rutPlanUpdate* update, rutPlanWay* out);
RUT_API void rut_plan_update_destroy(rutPlanUpdate* update);  // Nullable: update

// Squares of the distances from each cell to the nearest blocked one, between middles of cells, in
// cells: exact (Meijster, Roerdink, Hesselink 2000). INT32_MAX where none is blocked. squared:
// [height][width]; work: [3 * width]; owned by the caller.
RUT_API void rut_plan_distances(const rutPlanGrid* grid, int32_t* squared, int32_t* work);

// ---------------------------------------------------------------------------------------------
// Curves of a car

// Where the middle of the rear axle is, and where the car points.
typedef struct rutPlanPose {
  double x, y;  // [m]
  double yaw;   // counter-clockwise from x [rad]
} rutPlanPose;

// An arc, or a straight line.
typedef struct rutPlanPiece {
  double length;     // driven [m]; negative in reverse
  double curvature;  // of the path, positive to the left [1/m]
} rutPlanPiece;

enum { RUT_PLAN_PIECES = 5 };
// A path of few pieces.
typedef struct rutPlanCurve {
  int pieces;
  rutPlanPiece piece[RUT_PLAN_PIECES];
  double length;  // of all, forward and in reverse [m]; infinite if there is none
} rutPlanCurve;

// Shortest path forward with a turning radius [m] (Dubins 1957). Of equal ones the first of LSL,
// RSR, LSR, RSL, LRL, RLR. A radius that is not positive, or a pose that is not finite, has none.
RUT_API rutPlanCurve rut_plan_dubins(const rutPlanPose* from, const rutPlanPose* to, double radius);
// Shortest path forward and in reverse (Reeds and Shepp, Pacific J. Math. 145(2), 1990), of 48
// words.
RUT_API rutPlanCurve rut_plan_reeds_shepp(const rutPlanPose* from, const rutPlanPose* to,
                                          double radius);

// Pose after a driven length [m], negative in reverse, on a curvature [1/m].
RUT_API rutPlanPose rut_plan_drive(const rutPlanPose* from, double length, double curvature);

// A sample of a path.
typedef struct rutPlanPoint {
  rutPlanPose pose;
  double distance;   // driven since the start [m]
  double curvature;  // of the piece that ends or goes on here [1/m]
  int gear;          // of this piece: 1 forward, -1 in reverse
} rutPlanPoint;
// Sample pieces in turn: their start, their ends, and between these at equal distances of at most
// `spacing` [m], a million of a piece at most. Where two pieces meet, the end of the first one is
// the start of the next. Returns the number of samples, of which at most `most` are written. out:
// [most], owned by the caller.
typedef struct rutPlanSampling {
  rutPlanPose from;
  int pieces;
  const rutPlanPiece* piece;
  double spacing;
} rutPlanSampling;
RUT_API int rut_plan_sample(const rutPlanSampling* sampling, int most, rutPlanPoint* out);

// ---------------------------------------------------------------------------------------------
// Manoeuvres among obstacles

// Rectangle of the ground that a car covers, about the middle of its rear axle.
typedef struct rutPlanFootprint {
  double front, rear;  // how far it reaches ahead and behind [m]
  double width;        // half of it to either side [m]
} rutPlanFootprint;

// Where obstacles are: blocked cells, and all outside of the grid.
typedef struct rutPlanGround {
  rutPlanGrid grid;
  double resolution;  // side of a cell [m]
  double origin[2];   // lower left corner of cell 0 [m]
} rutPlanGround;

// Read an occupancy grid: a ROS map (.yaml), an MRPT .gridmap, or an image (.pgm, .png), whose
// cells have `resolution` [m] and whose lower left corner is at 0, 0. Free cells cost 1, occupied
// ones are blocked, unknown ones as `unknown_cost` says. The image of a map is read from its folder
// or below, or from where rut_context_allow_dir says. The caller owns *out and frees it with
// rut_plan_ground_free. Errors: IO, PARSE, MODEL, CAPACITY, MEMORY; they go to the context's
// report. Nullable: err.
typedef struct rutPlanReading {
  double resolution;
  uint16_t unknown_cost;  // 0: blocked
} rutPlanReading;
RUT_API rutStatus rut_plan_ground_read(rutContext* context, const char* path,
                                       const rutPlanReading* reading, rutPlanGround* out,
                                       rutError* err);
RUT_API void rut_plan_ground_free(rutPlanGround* ground);

// True if the footprint at a pose overlaps a blocked cell, or leaves the grid: exactly, as
// rectangle and squares, whose borders may touch.
RUT_API bool rut_plan_collides(const rutPlanGround* ground, const rutPlanFootprint* footprint,
                               const rutPlanPose* pose);

// Hybrid A* (Dolgov, Thrun, Montemerlo, Diebel, IJRR 29(5), 2010): arcs of a few curvatures forward
// and in reverse, one continuous pose in each cell of place and heading, and Reeds-Shepp paths to
// the goal from some of them. Paths are free of collision at every place, not only at samples: the
// footprint is checked with a margin by which a point of it may move between them, a few
// centimetres. The search is neither complete nor optimal.
typedef struct rutPlanCar {
  size_t struct_size;  // set by rut_default_plan_car
  rutPlanFootprint footprint;
  double turning_radius;   // of the middle of the rear axle [m]
  double cell;             // of the search [m]
  int headings;            // of the search, 8 to 360
  int steerings;           // curvatures of arcs: odd, 3 to 15, equally spaced from right to left
  double reverse;          // cost of a length in reverse over that of one forward, 1 or more
  double gear_change;      // cost of a change between forward and reverse [m]
  double steering_change;  // cost of a change of curvature [m]
  double cell_cost;  // by how much a length is dearer for each 1 that the cost of the cell of the
                     // rear axle is above 1
  double analytic;   // Reeds-Shepp paths are tried from poses no further from the goal [m], the
                     // less often the further; infinite by default
  int nodes;         // poses that a search may keep
  int refine;        // poses that it looks at after a path, for a better one. It ends sooner where
                     // none is better by more than 10 %
} rutPlanCar;
// A car of 4.6 m x 2.2 m with a turning radius of 5.72 m, that of a HMMWV with 30 degrees at the
// wheels; cells of 0.5 m and 5 degrees, 5 curvatures, reverse 2, changes of gear 5 m and of
// curvature 0.5 m, 200000 nodes, 2000 after a path.
RUT_API rutPlanCar rut_default_plan_car(void);

typedef enum rutPlanAnswer {
  RUT_PLAN_FOUND,
  RUT_PLAN_NO_WAY,    // all poses that the search reaches are looked at: `closed` of them
  RUT_PLAN_NO_START,  // the car, with the margin, collides where it stands
  RUT_PLAN_NO_GOAL,   // it would at the goal
  RUT_PLAN_TOO_LONG   // more nodes are needed
} rutPlanAnswer;

typedef struct rutPlanPath {
  rutPlanAnswer answer;
  int pieces;
  const rutPlanPiece* piece;  // [pieces] borrowed, valid until the next search
  double length;              // of all pieces [m]
  double cost;                // with reverse and changes [m]
  int gear_changes;
  int closed;  // poses that were looked at; 0 without a way where not even a disc gets through
} rutPlanPath;

typedef struct rutPlanHybrid rutPlanHybrid;
// For grids of up to width * height cells of a resolution [m]. The caller owns *out. Errors:
// ARGUMENT (a number of the car out of its range), MEMORY, VERSION. Nullable: err.
RUT_API rutStatus rut_plan_hybrid_create(const rutPlanCar* car, const rutPlanGround* largest,
                                         rutPlanHybrid** out, rutError* err);
// The same in memory of the caller's: so many bytes, aligned to 16 and all zero; 0, and NULL, where
// it would be refused. It lasts as long as the memory and is not destroyed. Nullable: err.
RUT_API size_t rut_plan_hybrid_bytes(const rutPlanCar* car, const rutPlanGround* largest,
                                     rutError* err);
RUT_API rutPlanHybrid* rut_plan_hybrid_in(const rutPlanCar* car, const rutPlanGround* largest,
                                          void* memory);
// Take over a ground: distances to obstacles. Errors: ARGUMENT (larger than at creation, another
// resolution). Nullable: err.
RUT_API rutStatus rut_plan_hybrid_ground(rutPlanHybrid* hybrid, const rutPlanGround* ground,
                                         rutError* err);
// Whether a search on the last ground may begin or end at a pose: whether the footprint has room
// there, grown by half of what it moves between two poses that a search looks at. False where the
// pose is not finite.
RUT_API bool rut_plan_hybrid_fits(const rutPlanHybrid* hybrid, const rutPlanPose* pose);
// Find a path on the last ground, whose costs must still be there. Never allocates. Errors:
// ARGUMENT (a pose that is not finite, no ground). Nullable: err.
RUT_API rutStatus rut_plan_hybrid_find(rutPlanHybrid* hybrid, const rutPlanPose* from,
                                       const rutPlanPose* to, rutPlanPath* out, rutError* err);
RUT_API void rut_plan_hybrid_destroy(rutPlanHybrid* hybrid);  // Nullable: hybrid

// ---------------------------------------------------------------------------------------------
// Smoothing

typedef struct rutPlanSmoothing {
  const rutPlanGround* ground;
  const int32_t* squared;  // of rut_plan_distances on it
  rutPlanFootprint footprint;
  double clearance;  // of the middle of the rear axle from middles of blocked cells, if it can be
                     // had [m]
  double curvature;  // the largest that is wanted [1/m]
  int iterations;    // at most, such as 50
} rutPlanSmoothing;
enum { RUT_PLAN_SMOOTH_WORK = 19 };
// Smooth samples of a path, at about equal distances. Sections between changes of gear minimise,
// each with two samples held at both ends,
//   sum |p_{i-1} - 2 p_i + p_{i+1}|^2 + 0.5 max(0, clearance - d)^2 + 100 max(0, kappa -
//   curvature)^2
// with the curvature kappa = |p_{i-1} - 2 p_i + p_{i+1}| / h^2, h being half of the distance of
// both neighbours before each step. Where the footprint collides at a sample, samples around it are
// held as they were, and the section is smoothed again; one that collides still is left as it was.
// Headings, curvatures and distances follow the samples. Between samples nothing is checked. point:
// [n], in and out; work: [RUT_PLAN_SMOOTH_WORK * n]; owned by the caller. Returns the number of
// samples that were moved.
RUT_API int rut_plan_smooth(const rutPlanSmoothing* smoothing, int n, rutPlanPoint* point,
                            double* work);

// ---------------------------------------------------------------------------------------------
// Speed along a path

// Speed from which a vehicle stops within a distance, with a reaction time [s] before a
// deceleration [m/s2]: v = -a t + sqrt((a t)^2 + 2 a S). Infinite distance gives infinity; 0
// without distance or deceleration.
RUT_API double rut_plan_sight_speed(double distance, double deceleration, double reaction);

typedef struct rutPlanLimits {
  double speed;         // [m/s]
  double lateral;       // lateral acceleration [m/s2]
  double acceleration;  // [m/s2]
  double deceleration;  // [m/s2]
  double friction;      // of the ground: (a_x^2 + a_y^2) <= (friction * gravity)^2
  double gravity;       // [m/s2]
  double sight;         // distance that is known to be free [m]; infinite for no limit
  double margin;        // of it, kept when stopping [m]
  double reaction;      // before braking in sight [s]
  double start, end;    // speeds at the ends of the path [m/s]
} rutPlanLimits;
// 25 m/s, 4.72, 2 and 4 m/s2, friction 0.8, 9.81 m/s2, infinite sight with a margin of 5 m and 0.5
// s of reaction, from rest to rest.
RUT_API rutPlanLimits rut_default_plan_limits(void);

// A path of n points: distances driven from its start [m], which increase, curvatures [1/m], and
// limits of speed by place [m/s]. Nullable: limit.
typedef struct rutPlanTrack {
  int n;
  const double *distance, *curvature, *limit;
} rutPlanTrack;
// Highest speed at each point that the limits allow [m/s], and the time at which it is reached [s]:
// the least of all limits of a point, then forward with the acceleration, backward with the
// deceleration, of which curvature leaves what the friction circle does; constant acceleration
// between points. Of changes of gear the speed is 0: limit. speed, time: [n], owned by the caller.
// Nullable: time. Returns the time of the whole path, infinite where it comes to rest for good.
RUT_API double rut_plan_speeds(const rutPlanTrack* track, const rutPlanLimits* limits,
                               double* speed, double* time);

// The same along samples of a path: where two pieces meet with the larger curvature, and at rest
// where the gear changes. work: [3 * n], owned by the caller as the others.
RUT_API double rut_plan_point_speeds(int n, const rutPlanPoint* point, const rutPlanLimits* limits,
                                     double* work, double* speed, double* time);

#ifdef __cplusplus
}
#endif

#endif  // RUT_PLAN_H
