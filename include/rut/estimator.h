// SPDX-License-Identifier: BSD-3-Clause
//
// Where a vehicle is, from an inertial measurement unit, satellite positioning and wheels: an
// error-state Kalman filter (Sola, "Quaternion kinematics for the error-state Kalman filter", 2017;
// Groves, "Principles of GNSS, Inertial, and Multisensor Integrated Navigation Systems", 2013).
//
//   rutEstimator e;
//   rut_estimator_begin(&e, &def);
//   rut_estimator_level(&e, specific_force, angular_velocity, yaw, sigma, 0);  // at rest
//   rut_estimator_predict(&e, specific_force, angular_velocity, 0.01);      // every sample
//   rut_estimator_fix(&e, antenna, position, deviation, &fit);              // when there is a fix
//
// It needs no world. The struct is all of its memory: copy it to keep a state.
#ifndef RUT_ESTIMATOR_H
#define RUT_ESTIMATOR_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the state, the first index of each three; attitude errors turn the vehicle about its
// own axes: R_true = R Exp(error).
enum {
  RUT_ERROR_POSITION = 0,      // [m], world
  RUT_ERROR_VELOCITY = 3,      // [m/s], world
  RUT_ERROR_ATTITUDE = 6,      // [rad], vehicle
  RUT_ERROR_FORCE_BIAS = 9,    // of the accelerometers [m/s2]
  RUT_ERROR_RATE_BIAS = 12,    // of the gyroscopes [rad/s]
  RUT_ERROR_WHEEL_SCALE = 15,  // of the wheels' speed
  RUT_ERRORS = 16
};

typedef struct rutEstimatorDef {
  size_t struct_size;   // set by rut_default_estimator
  double gravity;       // [m/s2]
  double force_noise;   // of the accelerometers, root of the spectral density [m/s2/sqrt(Hz)]
  double rate_noise;    // of the gyroscopes [rad/s/sqrt(Hz)]
  double force_walk;    // of their biases [m/s3/sqrt(Hz)]
  double rate_walk;     // [rad/s2/sqrt(Hz)]
  double scale_walk;    // of the wheels' scale [1/sqrt(s)]
  double deviation[6];  // at the start, standard, of position [m], velocity [m/s], attitude [rad],
                        // biases [m/s2, rad/s] and scale
  bool gated;           // leave out measurements that fit worse than 999 in 1000 with true noise do
} rutEstimatorDef;
// An industrial unit: 9.81 m/s2, 981e-6 m/s2/sqrt(Hz), 87e-6 rad/s/sqrt(Hz).
RUT_API rutEstimatorDef rut_default_estimator(void);

typedef struct rutEstimator {
  double position[3], velocity[3];  // of the inertial unit, world [m, m/s]
  double attitude[4];               // quaternion w x y z, vehicle to world
  double force_bias[3], rate_bias[3];
  double wheel_scale;                         // wheels tell (1 + it) times the true speed
  double covariance[RUT_ERRORS][RUT_ERRORS];  // of the errors
  double angular_velocity[3];                 // of the last prediction, without the bias [rad/s]
  rutEstimatorDef def;
} rutEstimator;

// How a measurement fits: the normalised innovation squared y' S^-1 y, with as many degrees of
// freedom as it has numbers, and whether it passed the gate and was used.
typedef struct rutEstimatorFit {
  double squared;
  int numbers;
  bool used;
} rutEstimatorFit;

// At the origin, at rest, without biases. Errors: VERSION, ARGUMENT (a number that is negative or
// not finite). Nullable: def (the default), err.
RUT_API rutStatus rut_estimator_begin(rutEstimator* e, const rutEstimatorDef* def, rutError* err);

// Means of a unit that stands still: roll and pitch from the direction of gravity, the bias of the
// gyroscopes, and a yaw from elsewhere [rad] with its standard deviation. Roll and pitch err by the
// bias of the accelerometers over gravity, and by the acceleration of a unit that does not quite
// stand, whose standard deviation is told [m/s2].
RUT_API void rut_estimator_level(rutEstimator* e, const double specific_force[3],
                                 const double angular_velocity[3], double yaw, double deviation,
                                 double acceleration);

// Begins anew where a filter is lost, whose fixes do not pass the gate one after the other:
// position and velocity of the unit and a yaw from elsewhere [m, m/s, rad], roll and pitch as they
// are, the yaw and these with standard deviations [rad]; no biases, and all other deviations, of
// position and velocity as well, as at the start: what tells them is then taken as a measurement.
RUT_API void rut_estimator_restart(rutEstimator* e, const double position[3],
                                   const double velocity[3], double yaw, double yaw_deviation,
                                   double tilt_deviation);

// A sample of the unit, of specific force [m/s2] and angular velocity [rad/s] in its axes, which
// are the vehicle's: its means over the last dt [s]. At least 100 Hz on rough ground.
RUT_API void rut_estimator_predict(rutEstimator* e, const double specific_force[3],
                                   const double angular_velocity[3], double dt);

// Measurements. Places are from the unit, in the vehicle's axes [m]; deviations are standard, of
// white noise. Those that are not positive and finite leave the state as it is. Nullable: fit.
//
// Position of an antenna, world [m].
RUT_API void rut_estimator_fix(rutEstimator* e, const double place[3], const double position[3],
                               const double deviation[3], rutEstimatorFit* fit);
// Velocity of an antenna, world [m/s].
RUT_API void rut_estimator_velocity(rutEstimator* e, const double place[3],
                                    const double velocity[3], const double deviation[3],
                                    rutEstimatorFit* fit);
// The way from one antenna to another one, `baseline` from it in the vehicle's axes, world [m].
RUT_API void rut_estimator_baseline(rutEstimator* e, const double baseline[3],
                                    const double measured[3], const double deviation[3],
                                    rutEstimatorFit* fit);
// Speed of the vehicle forward at a place, as wheels there tell it [m/s].
RUT_API void rut_estimator_wheels(rutEstimator* e, const double place[3], double speed,
                                  double deviation, rutEstimatorFit* fit);
// That wheels neither slide sideways nor leave the ground: velocity at a place to the left, which
// slip makes `sideways`, and upwards, 0 [m/s].
RUT_API void rut_estimator_rolling(rutEstimator* e, const double place[3], double sideways,
                                   const double deviation[2], rutEstimatorFit* fit);
// That the vehicle stands: velocity 0, and what the gyroscopes tell is their bias [rad/s]. Wheels
// alone do not know that: they stand while a vehicle slides.
RUT_API void rut_estimator_stands(rutEstimator* e, const double angular_velocity[3],
                                  double velocity_deviation, double rate_deviation,
                                  rutEstimatorFit* fit);

// ---- measurements that arrive late ----
//
// A measurement counts at the time at which it was made: `then` goes there, takes it, and all
// samples since are taken again. That is what a filter would know which had had it in time, at the
// cost of the samples within the latency.
//
//   rut_estimator_keep(&past, &sample);                  // after every sample
//   if (rut_estimator_go_back(&past, measured_at)) {     // when a measurement has arrived
//     rut_estimator_fix(&past.then, antenna, position, deviation, &fit);
//     rut_estimator_catch_up(&past, &e);
//   }

typedef struct rutEstimatorSample {
  double time;                                    // at its end [s]
  double dt, span;                                // what is left of it to take, and all of it [s]
  double specific_force[3], angular_velocity[3];  // [m/s2], [rad/s]
  double speed;                                   // of wheels at its end [m/s]
} rutEstimatorSample;

typedef struct rutEstimatorPast {
  rutEstimator then;           // the state at a time, with all that was measured until then
  double time;                 // [s]
  rutEstimatorSample* sample;  // [room], the caller's: a ring of those since then
  int room, first, count;
  // What else was measured at the end of a sample. Nullable.
  void (*measure)(rutEstimator* e, const rutEstimatorSample* sample, void* user);
  void* user;
} rutEstimatorPast;

// Keep a sample that the present state has taken. Without room for it the oldest one becomes part
// of `then`.
RUT_API void rut_estimator_keep(rutEstimatorPast* past, const rutEstimatorSample* sample);
// Move `then` to a time [s], at most to the last sample. False if it is beyond that time: what was
// measured is too old.
RUT_API bool rut_estimator_go_back(rutEstimatorPast* past, double time);
// The present state: `then` with all samples since.
RUT_API void rut_estimator_catch_up(const rutEstimatorPast* past, rutEstimator* e);

#ifdef __cplusplus
}
#endif

#endif  // RUT_ESTIMATOR_H
