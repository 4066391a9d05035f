// SPDX-License-Identifier: BSD-3-Clause
//
// Sensors: their descriptor, and what they can measure.
#ifndef RUT_SENSOR_H
#define RUT_SENSOR_H

#include "rut/descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

// First rows of every sensor: schedule, pose in the frame of its vehicle or of the world, noise.
// Fields X(...) become RUT_ROW, and CHOICE(...) RUT_CHOICE_ROW; or both RUT_PARAM.
#define RUT_SENSOR_ROWS(X, CHOICE)                                                    \
  X(period, "s", 0.1, 1e-6, 1e6, "time between samples")                              \
  X(phase, "s", 0, 0, 1e6, "offset of all sample times")                              \
  X(latency, "s", 0, 0, 1e3, "age at which a sample can first be seen")               \
  X(x, "m", 0, -1e6, 1e6, "position in the vehicle's frame, or the world's, forward") \
  X(y, "m", 0, -1e6, 1e6, "position to the left")                                     \
  X(z, "m", 0, -1e6, 1e6, "position above the ground under the vehicle")              \
  X(roll, "rad", 0, -10, 10, "orientation, about x")                                  \
  X(pitch, "rad", 0, -10, 10, "orientation, about y, positive nose down")             \
  X(yaw, "rad", 0, -10, 10, "orientation, about z, positive to the left")             \
  CHOICE(noise, "on|none", 0,                                                         \
         "none: it gives the truth, without errors; default: as the world says")
// Rows of sensors that the weather matters to. The world's <weather> gives what their element does
// not. Fields REAL(...) become RUT_ROW, FLAG(...) RUT_FLAG_ROW; or both RUT_PARAM.
#define RUT_WEATHER_ROWS(REAL, FLAG)                            \
  REAL(rain, "m/s", 0, 0, 1e-4, "rain rate, '10 mm/h'")         \
  REAL(snow, "m/s", 0, 0, 1e-4, "snow rate as water, '5 mm/h'") \
  FLAG(wet_snow, 0, "its flakes are wet")                       \
  REAL(visibility, "m", 0, 0, 1e6, "in fog; 0: no fog")
// The same for those that work with light.
#define RUT_DUST_ROWS(REAL) \
  REAL(dust, "kg/m3", 0, 0, 1, "concentration of dust in the air, '0.1 g/m3'")
// Rows of sensors with rays: what these meet.
#define RUT_SIGHT_ROWS(FLAG)                                                            \
  FLAG(bodies_visible, 1, "sees vehicles and movable blocks, not only the fixed world") \
  FLAG(ignore_parent, 1, "does not see the vehicle that carries it")                    \
  FLAG(ground_visible, 1, "sees the ground")
// First parameters of every sensor.
typedef struct rutSensorHead {
  RUT_SENSOR_ROWS(RUT_PARAM, RUT_PARAM)
} rutSensorHead;

// What is known of a place and its surroundings.
typedef struct rutSite {
  double ground;     // height of the ground below, world z [m]; NaN off all ground
  double normal[3];  // of the ground there, upward, world
  int soil;          // index as in RUT_SOIL, -1 where the world names none
  double gravity;    // downwards, along the world's z axis [m/s2]
  // Of the world's origin, WGS 84: geodetic latitude and longitude [rad], height above the
  // ellipsoid [m]. NaN in a world without a place on earth.
  double latitude, longitude, altitude;
  double rotation;  // of the world's x axis from east, towards north [rad]
  bool no_gps;      // in a <region> without satellite positioning
} rutSite;

// What a surface is made of; as in <material>. Reflectances are diffuse.
typedef struct rutMaterial {
  double colour[3];  // reflectance in red, green and blue light, linear
  double reflectance_905, reflectance_1550;
  double roughness;    // alpha of GGX is its square
  double specular;     // reflectance of the smooth surface at normal incidence
  double radar;        // radar cross section per projected area at 77 GHz
  int semantic_class;  // index as in rut_class_name
  // Luminous intensity that it sends back to where light comes from, over illuminance and area, at
  // an observation angle of 0.2 deg and an entrance angle of 5 deg [cd/(lx m2)]
  double retroreflection;
} rutMaterial;

// The light of the world: <light>.
typedef struct rutLight {
  double sun[3];     // unit vector towards the sun, world
  double colour[3];  // of the sun, red, green and blue, the largest 1
  double ambient;    // part of the light that comes from the sky, 0 to 1
  bool shadows;
  double illuminance;  // of a surface that faces the sun, by sun and sky together [lx]
} rutLight;
// The light of a model's world.
RUT_API void rut_model_light(const rutModel* model, rutLight* out);
// Extinction coefficient of the air of a model's world for green light, 550 nm, by <weather> [1/m]:
// over a distance d it takes 1 - exp(-b d) of the light. 0 without weather.
RUT_API double rut_model_extinction(const rutModel* model);

// A lamp of the world: <lamp>. Its luminous intensity in a direction at the angles h beside its
// axis and v above it is stray + intensity exp(-(h^2/spread[0]^2 + v^2/spread[1]^2)/2), a spread of
// 0 standing for a factor of 1; only stray above the cut-off, and 0 beyond the cone.
typedef struct rutLamp {
  double position[3];       // world [m]
  double axes[9];           // columns: ahead (of the beam), left and up, world
  double intensity, stray;  // [cd]
  double colour[3];         // red, green and blue over their luminance (ITU-R BT.709)
  double spread[2];         // [rad]
  double cone;              // cosine of its half angle
  double cutoff;            // sine of the angle above its axis beyond which there is no beam
  double radius;            // of what shines [m]
  double reach;             // farthest distance that it lights [m]
  int vehicle;              // that carries it and does not stand in its light, -1: none
} rutLamp;

// Rays with an origin and a direction each.
typedef struct rutRays {
  int n;
  const double *x, *y, *z;     // [n] origins in the world [m]
  const double *dx, *dy, *dz;  // [n] directions in the world, of length 1
  double max_range;            // [m]
  bool bodies, ground;         // hit vehicles and movable blocks; hit the ground
  int skip_vehicle;            // vehicle that is not hit, -1 for none
  // Only whether a ray hits anything is asked, as of rays to a light: the range is 0 where it does.
  // Such rays end at the first hit that is found. Without effect if more than ranges is asked for.
  bool any;
  // The rays are pixels of an image, row after row, each of so many; 0: they have no rows. Speed
  // depends on it, results do not.
  int columns;
  double spread;  // angle to the next ray [rad], over which textures are averaged
} rutRays;
typedef struct rutRayHits {
  double* range;      // [n] distances [m], negative without a hit within max_range
  double* normal[3];  // [n] x, y, z of the surface's outward unit normal there, world. Nullable
  int* instance;      // [n] what is hit, index as in rut_instance_info, -1 without a hit. Nullable
  int* material;      // [n] index in rutSensorIn.material, -1 without a hit. Nullable
  int* body;          // [n] what is hit moves with this body, -1: it never moves. Nullable
  double* colour[3];  // [n] reflectance in red, green and blue light: that of the material, or of
                      // the texture there; 0 without a hit. Needs material. Nullable: [0]
} rutRayHits;

// Rays in the x-y plane of a frame, from its origin. In a level plane above all ground they are
// many times faster than rutRays.
typedef struct rutRayFan {
  double pose[6];  // of the frame: x y z [m], roll pitch yaw [rad]
  int n;
  const double* angle;  // of each ray from the frame's x axis, ascending [rad]
  double max_range;     // [m]
  bool bodies, ground;  // see vehicles and movable blocks; see the ground
  int skip_vehicle;     // as in rutRays
} rutRayFan;

typedef struct rutSensorIn {
  double time;     // of the sample [s]; it may lie within the last step
  double pose[6];  // of the sensor at that time: x y z [m], roll pitch yaw [rad], not wrapped
  // With velocities and accelerations, in SI units; only for types with RUT_USES_MOTION, else NaN.
  rutMotion motion;
  int vehicle;  // that carries it, -1 if fixed to the world
  // Wheels of that vehicle; only for types with RUT_USES_WHEELS.
  int wheels;
  const rutWheelState* wheel;
  const int* steered;           // [wheels] 1 for those that steer
  rutSite site;                 // only for types with RUT_USES_SITE
  const rutMaterial* material;  // [materials] that rays can hit
  int materials;
  bool textured;  // some of what rays can hit has textures
  const rutLight* light;
  // Motion at a time [s] near that of the sample, extrapolated with constant acceleration, for
  // sensors whose sample takes time. Only for types with RUT_USES_MOTION.
  void (*motion_at)(const void* host, double time, rutMotion* out);
  // range[n] gets distances [m], negative without a hit within max_range; grid[n] gets 1 for hits
  // on an occupancy grid. Nullable: grid.
  void (*cast_fan)(const void* host, const rutRayFan* fan, double* range, unsigned char* grid);
  void (*cast)(const void* host, const rutRays* rays, const rutRayHits* hits);
  // Motion of an instance that rays have hit (rutRayHits.instance), at the end of the step: of the
  // reference point of a vehicle or of a block, without accelerations. False for what never moves.
  bool (*instance_motion)(const void* host, int instance, rutMotion* out);
  // Motion of the sensor at its last sample, `late` seconds after its time; false before the first.
  // And where a point of a body (rutRayHits.body), at `at` in the world now, was then. Only for
  // sensors with a past (rutSensorType.past).
  bool (*past_motion)(const void* host, double late, rutMotion* out);
  void (*past_point)(const void* host, int body, const double at[3], double out[3]);
  double step;                // time step [s]
  const rutContact* contact;  // [contacts] of all bodies in the last step
  int contacts;
  double power;  // that its vehicle's drive draws [W]; only for types with RUT_USES_POWER, else NaN
  // Of the motor at each wheel [wheels] [A], 0 without a motor; only for types with RUT_USES_WHEELS
  // and RUT_USES_CURRENT. NULL where the drive does not know them.
  const double* motor_current;
  // It gives the truth (noise="none"): no random or constant error, no quantisation, no missed
  // detections; limits of range and of rate hold. Normal numbers are then 0, uniform ones 0.5.
  bool exact;
  // Numbers first .. first + n - 1 of this sample from the sensor's own seeded stream: standard
  // normal, and uniform in [0, 1).
  void (*normals)(const void* host, uint32_t first, int n, double* out);
  void (*uniforms)(const void* host, uint32_t first, int n, double* out);
  const void* host;
  int part, parts;    // of the sample: what this call computes, see rutSensorType.parts
  int frame, frames;  // the same, see rutSensorType.frames; 0 and 1 for other types
  void* kept;         // what rutSensorType.kept asks for
  // Lamps of the world, where they are at the end of the step.
  int lamps;
  void (*lamp)(const void* host, int index, rutLamp* out);
} rutSensorIn;

// The framework takes samples at phase + k period, k = 1, 2, ..., makes them visible `latency`
// later, and keeps the sensor's state.
typedef struct rutSensorType {
  rutComponent base;
  const rutVariable* output;  // what a sample is made of
  int outputs;
  uint32_t gaps;  // bit i: in output i a number below 0 means that nothing was measured
  unsigned uses;  // RUT_USES_WHEELS, _SITE, _MOTION, _POWER, _LOOKS, _CURRENT
  rutSensorForm form;
  // Geometry of a planar scan. Only for RUT_FORM_PLANAR_SCAN.
  void (*scan)(const void* param, rutScanGeometry* out);
  // Projection of its images. Only for RUT_FORM_IMAGE.
  void (*camera)(const void* param, rutCameraGeometry* out);
  // Bytes of scratch for one sample. Nullable: none.
  size_t (*scratch)(const void* param);
  // State at the start of a run, from zero: in->time is 0. Nullable.
  void (*start)(const void* param, const rutSensorIn* in, double* state);
  // out[i] gets output i.
  void (*sample)(const void* param, const rutSensorIn* in, double* state, void* scratch,
                 void* const* out);
  // Parts that a sample is made of, for sensors that take long. `sample` is called for each of
  // them, in->part, on several workers at once. It writes to `out` what belongs to its part, and
  // the first part what belongs to none; only `finish` changes its state. Nullable: 1.
  int (*parts)(const void* param);
  // After a failure has changed numbers of an output: those that follow from it (points from
  // ranges), which are outputs after it. Nullable: none do.
  void (*follow)(const void* param, const rutSensorIn* in, int output, void* scratch,
                 void* const* out);
  // After all parts of a sample: the state may change, which parts only read. Nullable.
  void (*finish)(const void* param, const rutSensorIn* in, double* state, void* const* out);
  // Sub-frames that a sample is the mean of, in order and evenly in time, and the time from the
  // first to the last [s]. `sample` is called for each when it is due; the last one is due with the
  // sample and writes it. Nullable: 1.
  int (*frames)(const void* param, double* span);
  // Bytes that are kept, and saved with the state, from sub-frame to sub-frame; zero at the start.
  // Each part has its own. Only with frames.
  size_t (*kept)(const void* param);
  // Whether the sensor asks where things were at its last sample. Nullable: no.
  bool (*past)(const void* param);
} rutSensorType;

#ifdef __cplusplus
}
#endif

#endif  // RUT_SENSOR_H
