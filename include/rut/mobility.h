// SPDX-License-Identifier: BSD-3-Clause
//
// Mobility of a vehicle on one soil, as vehicle and soil are rated: by cone index (Waterways
// Experiment Station, NATO Reference Mobility Model), by ground pressure, by laws of single wheels,
// and by simulation beside them.
#ifndef RUT_MOBILITY_H
#define RUT_MOBILITY_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RUT_MOBILITY_AXLES = 16 };

// A tyre on hard level ground. Deflection over section height is at most 0.9 in all laws.
typedef struct rutMobilityTyre {
  double load;            // [N]
  double diameter;        // without load [m]
  double width;           // [m]
  double section_height;  // from rim to tread [m]
  double deflection;      // under the load [m]
} rutMobilityTyre;

typedef struct rutMobilityAxle {
  rutMobilityTyre tyre;  // each of them
  int tyres;
  bool driven;
} rutMobilityAxle;

typedef struct rutMobilityVehicle {
  int axles;
  rutMobilityAxle axle[RUT_MOBILITY_AXLES];  // the first one in front
  double clearance;                          // least height of the chassis above the ground [m]
  bool low_power;                            // less than 10 hp per short ton, 8.2 kW per tonne
  bool manual;                               // gearbox
  bool chains;                               // on the tyres
} rutMobilityVehicle;

// Weight [N]: the sum of all loads.
RUT_API double rut_mobility_weight(const rutMobilityVehicle* vehicle);

// ---- numerics of a tyre, of which the laws of cone index are functions. CI: cone index [Pa] ----

// CI b d/W (Wismer and Luth 1974).
RUT_API double rut_wheel_numeric(const rutMobilityTyre* tyre, double cone_index);
// Clay numeric of the Waterways Experiment Station (Turnage 1972), CI b d/W sqrt(delta/h)/(1 +
// b/2d).
RUT_API double rut_clay_numeric(const rutMobilityTyre* tyre, double cone_index);
// Clay numeric of the soil type "clay" (Dettwiller et al. 2018), CI b d/W/((1 - delta/h)^(3/2) (1 +
// b/d)^(3/4)): 2.5 to 3.5 times the other one.
RUT_API double rut_clay_numeric_drove(const rutMobilityTyre* tyre, double cone_index);
// Sand numeric (Turnage), G (b d)^(3/2)/W delta/h with G = CI/(3.47 in).
RUT_API double rut_sand_numeric(const rutMobilityTyre* tyre, double cone_index);

// ---- ratings of a vehicle ----

// Mobility index of wheeled vehicles (Priddy and Willoughby 2004), from the mean load of tyres and
// axles, in the pounds and inches that it is made of.
RUT_API double rut_mobility_index(const rutMobilityVehicle* vehicle);
// Vehicle cone index of one pass and of 50 passes in fine-grained soil [Pa]: the least rating cone
// index on which the vehicle goes. They hold for vehicles with all axles driven.
RUT_API double rut_vci1(const rutMobilityVehicle* vehicle);
RUT_API double rut_vci50(const rutMobilityVehicle* vehicle);
// Mean maximum pressure (Rowland 1972) [Pa], K W/(2 m b^0.85 d^1.15 sqrt(delta/h)) of m axles, K =
// 3.65, 3.90, 4.10 for 2, 3, 4 driven axles or more; NaN unless all of two or more are driven.
RUT_API double rut_mmp(const rutMobilityVehicle* vehicle);

// ---- laws of pull ----

typedef enum rutGrain { RUT_GRAIN_FINE, RUT_GRAIN_COARSE, RUT_GRAIN_ANY } rutGrain;

// A law of net pull and motion resistance over weight from the cone index.
typedef struct rutMobilityLaw {
  const char *name, *source;
  rutGrain grain;  // of the soils that it is for
  bool recalled;   // its numbers were quoted from memory where no primary text could be read
} rutMobilityLaw;
RUT_API int rut_mobility_laws(void);
// The one at an index in [0, rut_mobility_laws()), else one with empty strings.
RUT_API rutMobilityLaw rut_mobility_law(int law);
// Index of a law by its name, -1 if there is none.
RUT_API int rut_mobility_law_find(const char* name);

// Net pull of the vehicle over its weight, its driven wheels at a slip and the others towed; its
// motion resistance over its weight when it is towed. cone_index is the rating cone index where a
// law asks for that. NaN outside a law's range (laws of 20 % slip know no other), and for no such
// law. Whether the soil has the law's grain is the caller's to decide.
RUT_API double rut_mobility_pull(int law, const rutMobilityVehicle* vehicle, double cone_index,
                                 double slip);
RUT_API double rut_mobility_resistance(int law, const rutMobilityVehicle* vehicle,
                                       double cone_index);

// Angle of the slope on which a net pull over weight holds the vehicle, atan(pull); 0 for none
// [rad].
RUT_API double rut_mobility_slope(double pull);

// ---- one vehicle on one soil ----

typedef struct rutMobilityDef {
  size_t struct_size;   // set by rut_default_mobility
  const char* vehicle;  // of the world. Nullable: the first one
  const char* soil;     // a type of soil, or a preset; settings "field=value" of it
  int settings;
  const char* const* setting;
  double cone_index;  // of the soil [Pa]; NaN: that of its field, if it has one
  double remoulding;  // remoulding index: rating cone index over cone index, of fine-grained soil
  bool simulate;      // also drive the vehicle
  // Called before each run with the number of runs so far; false stops. Nullable.
  bool (*go_on)(int runs, void* user);
  void* user;
} rutMobilityDef;
// Its soil is LETE sand, the remoulding index 1, with simulation.
RUT_API rutMobilityDef rut_default_mobility(void);

// The vehicle of a world standing on hard level ground, as laws know it. name NULL or "": the first
// one. Errors: MODEL (no such vehicle, or not on axles), those of rut_compile. Nullable: name, err.
RUT_API rutStatus rut_mobility_vehicle(const rutSpec* world, const char* name,
                                       rutMobilityVehicle* out, rutError* err);

// What a law, or the simulation, says; all over the weight. NaN: it does not say.
typedef struct rutMobilityRow {
  char name[32];
  const char* source;
  double pull_20;         // net pull at 20 % slip
  double pull_max, slip;  // largest net pull, and the slip at which it is
  double resistance;      // motion resistance of the vehicle when it is towed
  double slope;           // steepest slope that it climbs [rad]
} rutMobilityRow;

enum { RUT_MOBILITY_ROWS = 16 };
typedef struct rutMobilityReport {
  char name[96];               // of the vehicle
  rutMobilityVehicle vehicle;  // standing on hard level ground
  double weight;               // [N]
  double index;                // mobility index
  double vci1, vci50, mmp;     // [Pa]
  double cone_index, rating;   // of the soil: CI, and RCI = CI times remoulding index [Pa]
  double simulated_vci1;       // least cone index of this type of soil on which it goes [Pa]
  double numeric[4];           // mean tyre: C_n, N_c (WES), N_c (Dettwiller et al.), N_s
  int rows;
  rutMobilityRow row[RUT_MOBILITY_ROWS];  // "simulation" first, "wheels" with the soil's own law
} rutMobilityReport;

// Errors: ARGUMENT (no such soil or setting), MODEL (no such vehicle, or not on axles), those of
// rut_compile. Nullable: err.
RUT_API rutStatus rut_mobility_assess(const rutSpec* world, const rutMobilityDef* def,
                                      rutMobilityReport* out, rutError* err);

#ifdef __cplusplus
}
#endif

#endif  // RUT_MOBILITY_H
