// SPDX-License-Identifier: BSD-3-Clause
//
// The plain elements of a world file: those without a law of their own. Tyres, drives, controllers
// and sensors are components, each in its own file.
#include "sim/spec/schema.h"

#include "control/actuator.h"
#include "math/rut_math.h"
#include "rut/sensor.h"
#include "sim/spec/material.h"

#define NO_LIMIT 1e12

#define REAL(name, unit, def, min, max, doc) \
  { name, unit, RUT_REAL, 1, def, min, max, "", 0, doc }
#define POSITIVE(name, unit, def, doc) REAL(name, unit, def, 0, NO_LIMIT, doc)
#define ANY(name, unit, def, doc)      REAL(name, unit, def, -NO_LIMIT, NO_LIMIT, doc)
#define OPTIONAL(name, unit, doc)      REAL(name, unit, RUT_NAN, -NO_LIMIT, NO_LIMIT, doc)
#define ANGLE(name, doc)               REAL(name, "rad", 0, -1e4, 1e4, doc)
#define INTEGER(name, def, min, max, doc) \
  { name, "", RUT_INTEGER, 1, def, min, max, "", 0, doc }
#define BOOLEAN(name, def, doc) \
  { name, "", RUT_BOOLEAN, 1, def, 0, 1, "", 0, doc }
#define CHOICE(name, words, def, doc) \
  { name, "", RUT_CHOICE, 1, def, 0, 0, words, 0, doc }
#define TEXT(name, def, doc) \
  { name, "", RUT_TEXT, 1, 0, 0, 0, def, 0, doc }
#define REQUIRED_TEXT(name, doc) \
  { name, "", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED, doc }
#define FILE_NAME(name, doc) \
  { name, "file", RUT_TEXT, 1, 0, 0, 0, "", 0, doc }
#define PICTURE(name, doc) \
  { name, "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_PICTURE, doc }
#define VECTOR(name, unit, count, def, doc) \
  { name, unit, RUT_VECTOR, count, 0, -NO_LIMIT, NO_LIMIT, def, 0, doc }
#define POINTS(name, doc) \
  { name, "m", RUT_POINTS, 0, 0, -NO_LIMIT, NO_LIMIT, "", 0, doc }

// Where a thing stands: x y, or x y z when it does not stand on the ground.
#define POSE_ROWS                                                                                 \
  VECTOR("position", "m", 0, "0 0", "world x y, or x y z for things that are not on the ground"), \
      ANGLE("yaw", "heading, positive to the left (counter-clockwise from above)"),               \
      ANGLE("pitch", "positive nose down"), ANGLE("roll", "positive right side down")

#define ELEMENT(symbol, kind_name, type_name, parent_kinds, what) \
  static const rutComponent symbol = {                            \
      RUT_HEAD(rutComponent, kind_name, type_name, parent_kinds, what, symbol##_rows)}

static const rutField world_rows[] = {
    TEXT("description", "", "title of the world, one line"),
    REAL("timestep", "s", 0, 0, 1, "fixed step; 0: 5 ms, or the shortest sensor period"),
    CHOICE(
        "step", "given|auto", 0,
        "auto: rut run looks for the longest whole part of the timestep that holds the residual of "
        "energy below 1e-4 of the throughput"),
    POSITIVE("gravity", "m/s2", 9.81, "gravity, downwards"),
    CHOICE("integrator", "semi_implicit|rk4", 0,
           "semi-implicit Euler, or the classical Runge-Kutta method of order 4"),
    REAL("duration", "s", 10, 0, 1e9, "default duration of rut run"),
    REAL("contact_margin", "m", 0.03, 0, 10,
         "distance below which bodies count as in contact in the collision flag"),
    TEXT("soil", "", "name of the <soil> of places without one of their own; default: the first"),
    REAL("latitude", "rad", RUT_NAN, -0.5 * RUT_PI, 0.5 * RUT_PI,
         "geodetic latitude of the world's origin (WGS 84), for satellite positioning"),
    REAL("longitude", "rad", RUT_NAN, -RUT_PI, RUT_PI, "longitude of the same, positive east"),
    REAL("altitude", "m", 0, -1e4, 1e5, "height of the same above the ellipsoid"),
    CHOICE("noise", "on|none", 0, "none: all sensors that do not say otherwise give the truth"),
};
ELEMENT(world, "world", "", "", "The root of a world file.");

static const rutField vehicle_rows[] = {
    POSE_ROWS,
    VECTOR("velocity", "m/s", 0, "0 0",
           "initial velocity forward and left (on axles also up), vehicle frame"),
    REAL("yaw_rate", "rad/s", 0, -1e4, 1e4, "initial yaw rate"),
    BOOLEAN("rolling_start", 1, "the wheels start rolling with the initial velocity; else at rest"),
    BOOLEAN("on_ground", 1, "put the wheels on the ground at the start"),
    REAL("max_steer", "rad", 0.5235987755982988, 0, 1.56,
         "largest angle of the equivalent single front wheel"),
    REAL("steer_rate", "rad/s", 0, 0, 1e6,
         "largest rate of the steer angles, on axles; 0: 45 deg/s for a steering linkage, none for "
         "wheels on slides"),
    REAL("steer_response", "rad/s", 0, 0, 1e6,
         "natural frequency of the steering linkage, critically damped; 0: it is rigid"),
    REAL("steer_stiffness", "N m/rad", 0, 0, 1e12,
         "of the steering column, through which tyre forces can move the linkage; 0: rigid"),
    REAL("steer_damping", "N m s/rad", 0, 0, 1e9, "of the same"),
    REAL("steer_inertia", "kg m2", 0, 0, 1e6,
         "of the steering gear between linkage and elastic column"),
    CHOICE("contact", "arc|point|cams|auto", 3,
           "contact of the wheels of axles: nearest ground along the wheel's arc; the ground under "
           "the hub; rows of tandem cams, which envelop obstacles that are shorter than the tyre's "
           "contact; auto: cams where the ground has upright faces, the arc elsewhere, under "
           "massless suspensions and in kinematic driving"),
    REAL("cam_length", "", 1.0325, 0.5, 1.2, "half the length of a cam over the wheel's radius"),
    REAL("cam_height", "", 1, 0.5, 1.5, "half the height of a cam over the wheel's radius"),
    REAL("cam_order", "", 1.8, 1.2, 4, "order of a cam's superellipse; 2: an ellipse"),
    REAL("cam_distance", "m", RUT_NAN, 0, 10,
         "of the middles of the two cams of a row; default: 0.8 times the length of the contact of "
         "the tyre under its static load"),
    REAL("side_stiffness", "", 0.4, 0, 100,
         "stiffness of the side of a tyre against kerbs and other faces beside it over its radial "
         "one, with contact by cams; 0: they are not felt"),
    REAL("side_damping", "s", 0.01, 0, 10, "damping of the same over its stiffness"),
    REAL("side_friction", "", 0.6, 0, 10, "friction of the same on the face"),
    INTEGER("contact_slices", 12, 2, 4096, "points along the arc at which the ground is sampled"),
    BOOLEAN("contact_refine", 1, "find the exact nearest point between them"),
    INTEGER("width_slices", 1, 1, 16,
            "number of discs across the width of a wheel; of rows of cams, if above 1, else 5"),
    CHOICE(
        "wheel_coupling", "implicit|explicit", 0,
        "planar: implicit solves wheels and body together, stable for any wheel inertia; explicit: "
        "each wheel uses the body's velocity of the previous step, as in MVSim, which is unstable "
        "for heavy wheels"),
    VECTOR("seat", "m", 3, "0 0 0",
           "on axles, base of the driver's seat, for measures of its vibration; default: the "
           "chassis's centre of mass"),
    TEXT("class", "", "name of the vehicle class, for display"),
    TEXT("log", "", "name for its log file; empty takes the vehicle's name"),
};
ELEMENT(vehicle, "vehicle", "", "world",
        "A chassis on wheels. With <wheel> elements it is planar: it follows the ground, and its "
        "wheels carry equal shares of the weight. With <axle> elements it moves freely on "
        "suspensions.");

// "|csv|mcap"
#define RUT_LOG_FORMAT(name) "|" #name
static const char log_formats[] =
#include "base/log_formats.def"
    ;
#undef RUT_LOG_FORMAT

static const rutField named_log_rows[] = {
    CHOICE("format", log_formats + 1, 0,
           "format of the file: a table, or MCAP for rut plot and Foxglove"),
    TEXT("signals", "",
         "patterns of the logged signals, such as \"speed */load\" (rut log --signals lists them); "
         "in a "
         "vehicle without the vehicle's name; default: all but those that are slow to compute"),
    REAL("rate", "Hz", 50, 1e-3, 1e7, "rows per second, to the nearest number of whole steps"),
    BOOLEAN("paused", 0, "writes nothing until it is resumed"),
    TEXT("record_while", "", "it records while this signal is above 0; default: always"),
    TEXT("session_on", "", "a new session begins when this signal changes"),
    TEXT("clear_on", "", "the rows of the session are removed when this signal changes"),
};
ELEMENT(named_log, "log", "", "world vehicle",
        "A named log, written to the folder of rut run --output. In a vehicle it has access to the "
        "signals of that vehicle only.");

// One actuator type for each quantity that stands between a controller and its vehicle.
static const rutField steering_actuator_rows[] = {RUT_ACTUATOR_FIELDS(RUT_ROW, "rad", "rad/s")};
ELEMENT(steering_actuator, "actuator", "steering", "vehicle",
        "Actuator of the steering angle that a controller demands: dead time, range, first-order "
        "lag, rate limit, in this order.");
static const rutField brake_actuator_rows[] = {RUT_ACTUATOR_FIELDS(RUT_ROW, "", "1/s")};
ELEMENT(brake_actuator, "actuator", "brake", "vehicle",
        "Actuator of the brake, 0 to 1, that a controller demands; parameters as for steering.");
static const rutField torque_actuator_rows[] = {RUT_ACTUATOR_FIELDS(RUT_ROW, "N m", "N m/s")};
ELEMENT(
    torque_actuator, "actuator", "torque", "vehicle",
    "Actuator of each torque that a controller demands of the drive; parameters as for steering.");
static const rutField throttle_actuator_rows[] = {RUT_ACTUATOR_FIELDS(RUT_ROW, "", "1/s")};
ELEMENT(throttle_actuator, "actuator", "throttle", "vehicle",
        "Actuator of the throttle, 0 to 1, for drives with one; parameters as for steering.");

static const rutField input_rows[] = {
    REQUIRED_TEXT("from",
                  "source: SENSOR.OUTPUT or CONTROLLER.OUTPUT of the same vehicle; without "
                  ".OUTPUT, its first output"),
};
ELEMENT(input, "input", "", "controller",
        "Source of an input of a controller; the element's name is the input's.");

#define CHANNEL(packet, late, rate, packets)                                                    \
  REAL(packet "_latency", "s", 0, 0, 1e3, "least delay of " late),                              \
      REAL(packet "_jitter", "s", 0, 0, 1e3,                                                    \
           "largest delay of each beyond that, uniform; the mean delay is latency + jitter/2"), \
      REAL(packet "_loss", "", 0, 0, 1, "probability that one is lost; what came last holds"),  \
      REAL(rate, "Hz", 0, 0, 1e6, packets "; 0: one at every step")
static const rutField teleoperation_rows[] = {
    CHANNEL("video", "frames of video: of all that the controller measures of its vehicle",
            "frame_rate", "frames per second"),
    CHANNEL("command", "commands: torques, steering and brake", "command_rate",
            "commands per second"),
};
#undef CHANNEL
ELEMENT(teleoperation, "teleoperation", "", "controller",
        "The controller drives from afar: it sees the vehicle by video, and its commands come by "
        "radio. Packets are late, lost, or overtaken, which drops them.");

static const rutField fmu_input_rows[] = {
    REQUIRED_TEXT("variable", "name of an input of the FMU"),
    REQUIRED_TEXT(
        "signal",
        "signal of the vehicle, such as speed or lidar/nearest: without the vehicle's name"),
};
ELEMENT(fmu_input, "fmu_input", "", "controller drive",
        "What an FMU that drives is told of its vehicle, before each of its updates.");

static const rutField fmu_output_rows[] = {
    REQUIRED_TEXT("variable", "name of an output of the FMU"),
    REQUIRED_TEXT("set_point", "set point of the vehicle, such as speed"),
};
ELEMENT(fmu_output, "fmu_output", "", "controller",
        "What an FMU that drives sets in its vehicle, after each of its updates.");

static const rutField fmu_torque_rows[] = {
    REQUIRED_TEXT("variable", "name of an output of the FMU, a torque in N m"),
    REQUIRED_TEXT("wheel", "name of a driven wheel of the vehicle, such as rear_left"),
    ANY("ratio", "", 1,
        "torque of the wheel over the output, such as half the reduction for a shaft before a "
        "differential"),
};
ELEMENT(fmu_torque, "fmu_torque", "", "drive",
        "Torque for a wheel, after each update of an FMU that is a powertrain; several for one "
        "wheel add up.");

static const rutField fmu_parameter_rows[] = {
    REQUIRED_TEXT("variable", "name of a parameter of the FMU"),
    REQUIRED_TEXT("value", "number, true or false, or text, as the FMU's own start values"),
};
ELEMENT(fmu_parameter, "fmu_parameter", "", "controller drive",
        "Value of a parameter of an FMU that drives, set before it begins.");

static const rutField chassis_rows[] = {
    REAL("mass", "kg", 15, 1e-6, 1e9, "mass without the wheels"),
    POINTS("outline", "corner points of the outline seen from above; their convex hull is used"),
    REAL("z_min", "m", 0.05, -1e4, 1e4, "height of the underside above the ground"),
    REAL("z_max", "m", 0.6, -1e4, 1e4, "height of the top above the ground"),
    {"com", "m", RUT_VECTOR, 0, 0, -1e6, 1e6, "", 0,
     "centre of mass x y (on axles x y z) from the reference point; default: the middle of the "
     "outline, half way up"},
    {"inertia", "kg m2", RUT_VECTOR, 0, 0, -NO_LIMIT, NO_LIMIT, "", 0,
     "xx yy zz or xx yy zz xy xz yz about the centre of mass, on axles; default: that of a box "
     "around the outline with uniform density"},
    POSITIVE("drag_area", "m2", 0, "drag coefficient times frontal area, on axles"),
    REAL("flooding", "", 0.5, 0, 1, "share of the submerged hull that is full of water, on axles"),
    REAL("water_drag", "", 1.1, 0, 10,
         "drag coefficient in water, of the part of the hull below its level, on axles"),
    REAL("yaw_inertia", "kg m2", 0, 0, NO_LIMIT,
         "moment of inertia about the vertical through the chassis's centre of mass; 0: that of "
         "the outline with uniform density"),
    POSITIVE("linear_damping", "1/s", 0, "viscous drag on the velocity, per unit mass"),
    POSITIVE("angular_damping", "1/s", 0, "viscous drag on the yaw rate, per unit inertia"),
    REAL("friction", "", 0.3, 0, 100, "Coulomb coefficient against other bodies"),
    REAL("restitution", "", 0.01, 0, 1, "coefficient of restitution against other bodies"),
    TEXT("color", "#c0c0c0", "#rrggbb, for cameras and the viewer"),
};
ELEMENT(chassis, "chassis", "", "vehicle", "Mass and outline of a vehicle's body.");

static const rutField wheel_rows[] = {
    VECTOR("position", "m", 2, "0 0", "of the centre from the reference point, x forward y left"),
    ANGLE("yaw", "fixed mounting angle"),
    REAL("mass", "kg", 2, 0, 1e6, "mass"),
    REAL("radius", "m", 0.2, 1e-6, 1e3, "rolling radius"),
    REAL("width", "m", 0.2, 0, 1e3, "width"),
    REAL("inertia", "kg m2", 0, 0, NO_LIMIT, "about the spin axis; 0: m r^2 / 2 of a disc"),
    REAL("transverse_inertia", "kg m2", 0, 0, NO_LIMIT,
         "about the vertical; 0: m (3 r^2 + width^2) / 12 of a cylinder"),
    CHOICE("place", "left|right|rear_left|rear_right|front_left|front_right|caster|other", 7,
           "position on the vehicle, for drives, controllers and odometry"),
    BOOLEAN("steered", 0, "turned by the steering"),
    BOOLEAN("driven", 1, "takes torque from the drive"),
    TEXT("color", "#404040", "#rrggbb, for cameras and the viewer"),
};
ELEMENT(wheel, "wheel", "", "vehicle", "A wheel of a planar vehicle.");

static const rutField axle_rows[] = {
    REAL("x", "m", 0, -1e4, 1e4, "of the hubs from the reference point, forward"),
    OPTIONAL("z", "m",
             "of the hubs above the reference point at the design position; default: the radius"),
    REAL("track", "m", 1, 0, 1e4, "distance of left and right hub; 0: one wheel in the middle"),
    REAL("radius", "m", 0.3, 1e-4, 1e3, "of the wheels, without load"),
    REAL("width", "m", 0.2, 0, 1e3, "of the wheels"),
    REAL("section_height", "m", 0, 0, 1e3, "of the tyres, from rim to tread; 0: 0.4 radius"),
    CHOICE("rolling_radius", "effective|loaded", 0,
           "without slip: the radius less a third of the tyre's deflection, or less all of it, as "
           "MAVS and ROAMS print it"),
    REAL("wheel_mass", "kg", 20, 0, 1e6,
         "unsprung mass of each wheel; massless suspensions use it for rotary inertia only: add it "
         "to the chassis there"),
    REAL("wheel_inertia", "kg m2", 0, 0, NO_LIMIT,
         "of each wheel about its axis; 0: 0.7 m r^2, between a disc and a ring"),
    REAL("transverse_inertia", "kg m2", 0, 0, NO_LIMIT,
         "of each wheel about its diameters; 0: m (3 r^2 + width^2) / 12 of a cylinder"),
    REAL("max_steer", "rad", 0, 0, 1.56, "largest angle of its wheels; 0: does not steer"),
    BOOLEAN("driven", 1, "takes torque from the drive"),
    REAL("brake", "N m", 0, 0, 1e9, "largest brake torque of each wheel"),
    POSITIVE("anti_roll", "N/m", 0,
             "force of the anti-roll bar on each wheel per difference of travel"),
    TEXT("color", "#404040", "#rrggbb, for cameras and the viewer"),
};
ELEMENT(axle, "axle", "", "vehicle",
        "One or two wheels of a vehicle that moves freely in space, with their suspension and "
        "tyres.");

static const rutField odometry_rows[] = {
    REAL("x_scale", "", 1, -100, 100, "factor on forward increments"),
    REAL("y_scale", "", 1, -100, 100, "factor on sideways increments"),
    REAL("yaw_scale", "", 1, -100, 100, "factor on yaw increments"),
};
ELEMENT(odometry, "odometry", "", "vehicle",
        "Errors of the wheel odometry: factors on the increments.");

static const rutField hitch_rows[] = {
    VECTOR("position", "m", 3, "0 0 0", "of the hitch from the reference point"),
    POSITIVE("force", "N", 0, "drawbar load: horizontal, against the heading"),
    POSITIVE("ramp", "N/s", 0, "rate at which that force rises from 0; 0: at once"),
    POSITIVE("start", "s", 0, "time at which it begins"),
};
ELEMENT(hitch, "hitch", "", "vehicle",
        "A load that a vehicle on axles pulls, as in a drawbar test: it resists forward motion and "
        "does not pull backwards.");

static const rutField inflation_rows[] = {
    REAL("pressure", "Pa", 0, 0, 1e8, "set point at the start; 0: what each tyre names"),
    REAL("inflate_rate", "Pa/s", 500, 1e-3, 1e9, "rate at which pressure rises; assumed"),
    REAL("deflate_rate", "Pa/s", 1000, 1e-3, 1e9, "rate at which it falls; assumed"),
    REAL("least", "Pa", 70e3, 1e3, 1e8, "smallest pressure that it gives"),
    REAL("most", "Pa", 600e3, 1e3, 1e8, "largest pressure that it gives"),
    CHOICE("axles", "together|each", 0,
           "one set point, tyre_pressure, or one for every axle from the front: tyre_pressure_1, "
           "tyre_pressure_2"),
};
ELEMENT(inflation, "inflation", "", "vehicle",
        "Central tyre inflation of a vehicle on axles: pressures follow set points; 0 is the "
        "pressure that a tyre names.");

static const rutField stability_rows[] = {
    REAL("friction", "", 0.8, 0.01, 10, "of the ground that it expects"),
    REAL("understeer", "rad s2/m", 0, -1, 1,
         "gradient that it expects: steering angle per lateral acceleration beyond the geometry"),
    REAL("yaw_gain", "1/s", 8, 0, 1e3,
         "yaw acceleration by brakes per error of the yaw rate; 0: no yaw control"),
    REAL("dead_band", "rad/s", 0.05, 0, 10, "error of the yaw rate that it leaves alone"),
    REAL("roll_threshold", "", 0.6, 0, 1,
         "load transfer ratio, predicted, from which on it brakes"),
    REAL("roll_gain", "", 6, 0, 1e3,
         "share of the friction that it brakes with per ratio beyond that; 0: no roll control"),
    REAL("roll_preview", "s", 0.15, 0, 10, "time ahead for which it predicts the ratio"),
    REAL("brake_lag", "s", 0.08, 0, 10, "time constant of its brakes"),
    REAL("max_lateral_acceleration", "m/s2", 0, 0, 1e3,
         "to which it limits the steering angle at the present speed; 0: not at all"),
    REAL("slip_limit", "", 0.12, 0.01, 1,
         "slip of a wheel from which on it releases its brake, fully at twice that"),
};
ELEMENT(stability, "stability", "", "vehicle",
        "Stability control of a vehicle on axles, whoever drives: brakes single wheels against "
        "spinning, ploughing and rolling over, takes throttle away, and limits the steering.");

static const rutField hull_rows[] = {
    POINTS("outline", "corner points of a prism seen from above; their convex hull is used"),
    OPTIONAL("z_min", "m", "height of its underside; default: that of the chassis"),
    OPTIONAL("z_max", "m", "height of its top; default: that of the chassis"),
    {"corners", "m", RUT_VECTOR, 0, 0, -1e4, 1e4, "", 0,
     "instead: x y z of the corners of a convex solid, from the reference point"},
};
ELEMENT(hull, "hull", "", "vehicle",
        "A convex piece of the body of a vehicle on axles as it touches the ground. Without any it "
        "is the chassis's outline between its heights.");

static const rutField block_rows[] = {
    POSE_ROWS,
    CHOICE("shape", "polygon|box|cylinder|sphere|ramp|bump", 0,
           "prism over an outline, or a primitive; ramps (rising along x) and half-cylinder bumps "
           "(axis along x) are ground to drive on, not obstacles"),
    POINTS("outline", "corner points of a polygon; their convex hull is used"),
    VECTOR("size", "m", 3, "1 1 1", "of a box, ramp or bump along its own x y z"),
    REAL("radius", "m", 0.5, 1e-6, 1e6, "of a cylinder or sphere"),
    REAL("length", "m", 1, 1e-6, 1e6, "height of a cylinder"),
    INTEGER("vertices", 10, 3, 16, "corners of the polygon that approximates a round shape"),
    REAL("mass", "kg", 30, 1e-6, 1e9, "mass of a movable block"),
    TEXT("stand_in_for", "",
         "mesh that was not found and that this shape replaces: a vehicle that starts inside it is "
         "an error"),
    OPTIONAL("z_min", "m", "underside above its position; default: 0, or that of the shape"),
    OPTIONAL("z_max", "m", "top above its position; default: 1 m, or that of the shape"),
    REAL("ground_friction", "", 0.5, 0, 1e4,
         "Coulomb coefficient of a movable block on the ground"),
    REAL("friction", "", 0.5, 0, 100, "Coulomb coefficient against other bodies"),
    REAL("restitution", "", 0.01, 0, 1, "coefficient of restitution against other bodies"),
    BOOLEAN("fixed", 0, "does not move"),
    BOOLEAN("intangible", 0, "no collisions, and invisible to lasers"),
    POSITIVE("linear_damping", "1/s", 0, "viscous drag on the velocity, per unit mass"),
    POSITIVE("angular_damping", "1/s", 0, "viscous drag on the yaw rate, per unit inertia"),
    VECTOR("velocity", "m/s", 2, "0 0", "initial velocity, block frame"),
    REAL("yaw_rate", "rad/s", 0, -1e4, 1e4, "initial yaw rate"),
    CHOICE("motion", "planar|space", 0,
           "upright in the plane; or in space: it lies, slides, tumbles and stacks"),
    REAL("vertical_velocity", "m/s", 0, -1e4, 1e4,
         "initial velocity along its own z axis, of motion=\"space\""),
    VECTOR("angular_velocity", "rad/s", 3, "0 0 0",
           "initial angular velocity in its own axes, of motion=\"space\""),
    BOOLEAN("on_ground", 1, "stands on the ground at its place"),
    TEXT("color", "", "#rrggbb, for cameras and the viewer; default: concrete"),
};
ELEMENT(block, "block", "", "world", "An obstacle: fixed, movable, or moved along keyframes.");

static const rutField keyframe_rows[] = {
    REAL("time", "s", 0, 0, 1e9, "time of this pose; the sequence repeats"),
    VECTOR("position", "m", 0, "0 0", "offset x y or x y z from the initial position"),
    ANGLE("yaw", "offset"),
    ANGLE("pitch", "offset"),
    ANGLE("roll", "offset"),
};
ELEMENT(keyframe, "keyframe", "", "block plane", "The pose of its element at a time.");

#define JOINT_ROWS                                                                    \
  REQUIRED_TEXT("body_a", "name of the first vehicle or block"),                      \
      REQUIRED_TEXT("body_b", "name of the second vehicle or block"),                 \
      VECTOR("anchor_a", "m", 2, "0 0", "point on the first body, in its own frame"), \
      VECTOR("anchor_b", "m", 2, "0 0", "point on the second body, in its own frame")

static const rutField revolute_rows[] = {
    JOINT_ROWS,
    BOOLEAN("limited", 0, "limit the relative angle to lower and upper"),
    ANGLE("lower", "least angle of b relative to a, from the initial one"),
    ANGLE("upper", "largest angle of b relative to a, from the initial one"),
};
ELEMENT(revolute, "joint", "revolute", "world", "A pin joint between points of two bodies.");

static const rutField distance_rows[] = {
    JOINT_ROWS,
    POSITIVE("min_length", "m", 0, "least distance of the two points"),
    POSITIVE("max_length", "m", 5, "largest distance of the two points"),
    POSITIVE("stiffness", "N/m", 0, "spring about the initial length; 0: none"),
    POSITIVE("damping", "N s/m", 0, "damper along the line between the points"),
};
ELEMENT(distance, "joint", "distance", "world",
        "A rope, rod or spring: the distance of two points is limited.");

static const rutField occupancy_rows[] = {
    {"file", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED,
     "image, ROS map (.yaml) or MRPT map (.gridmap, .gridmap.gz)"},
    REAL("resolution", "m", 0.1, 1e-6, 1e6, "size of one pixel of an image"),
    VECTOR("center_pixel", "", 2, "-1 -1",
           "pixel at the world origin, counted from the lower left; -1 -1 as in MVSim: the lower "
           "left corner is at one pixel, one pixel"),
    REAL("friction", "", 0.5, 0, 100, "Coulomb coefficient of its walls"),
    REAL("restitution", "", 0.01, 0, 1, "coefficient of restitution of its walls"),
    BOOLEAN("solid", 1, "vehicles collide with it"),
};
ELEMENT(occupancy, "occupancy_grid", "", "world",
        "A map of occupied cells of infinite height, seen by lasers and hit by vehicles.");

#define ROWS_ROW                                                                                 \
  CHOICE(                                                                                        \
      "rows", "auto|along_x|north_up|south_up", 0,                                               \
      "rows of an image, matrix or file run along x (as in MVSim), or from north to south with " \
      "columns to the east, or from south to north; auto: north_up for files that say where "    \
      "they lie")

static const rutField elevation_rows[] = {
    FILE_NAME("image", "grey image: black is z_min, white z_max"),
    REAL("z_min", "m", 0, -1e6, 1e6, "height of black"),
    REAL("z_max", "m", 5, -1e6, 1e6, "height of white"),
    TEXT("matrix", "", "heights as text, [row; row; ...], rows along x"),
    REAL("matrix_scale", "", 1, -1e6, 1e6, "factor on the heights of the matrix or raster"),
    FILE_NAME("points", "text file of x y z [r g b] rows on a regular grid"),
    VECTOR("offset", "m", 3, "0 0 0", "added to the points of such a file, or of a mesh"),
    FILE_NAME("file",
              "raster of heights: ESRI ASCII grid, text matrix, CSV, image (black is z_min, white "
              "z_max), GeoTIFF and other formats by GDAL; places without data are holes"),
    FILE_NAME("mesh",
              "mesh whose upper side is the ground; resolution by default half the mean side of "
              "its triangles"),
    TEXT("formula", "",
         "height in m as an expression in x and y in m, such as 0.3*sin(x)*cos(y/2)"),
    VECTOR("size", "m", 2, "100 100", "of the ground of a formula, along x and y"),
    CHOICE("overhangs", "refuse|cover", 0,
           "where the mesh has air below itself: an error, or ground at its highest point"),
    VECTOR("mesh_scale", "", 3, "1 1 1", "factors along the mesh's own axes"),
    ANGLE("yaw", "of the mesh, which is then moved by the offset"),
    ANGLE("pitch", "of the mesh"),
    ANGLE("roll", "of the mesh"),
    ROWS_ROW,
    REAL("resolution", "m", 1, 1e-6, 1e6,
         "distance of neighbouring heights; default: that of the file, of a formula 1/500 of its "
         "longer side, else 1 m"),
    {"corner", "m", RUT_VECTOR, 2, 0, -1e9, 1e9, "", 0,
     "world x y of the corner with the smallest coordinates; default: centred"},
    TEXT("kernel", "", "square matrix that smooths the heights, [a b; c d]"),
    PICTURE("texture", "image that cameras see on it, its rows as those of an elevation image"),
    VECTOR("texture_size", "m", 2, "0 0",
           "along x and y, after which the image repeats; 0: it covers the map"),
    INTEGER("texture_rotation", 0, -180, 180,
            "of the image, counter-clockwise: 0, 90, -90 or 180 degrees"),
    TEXT("color", "#a0e0a0", "#rrggbb, for cameras and the viewer"),
};
ELEMENT(elevation, "elevation_map", "", "world",
        "Ground given by heights on a regular grid, bilinear between.");

static const rutField plane_rows[] = {
    POSE_ROWS,
    ANY("x_min", "m", -10, "extent, in its own frame"),
    ANY("x_max", "m", 10, "extent, in its own frame"),
    ANY("y_min", "m", -10, "extent, in its own frame"),
    ANY("y_max", "m", 10, "extent, in its own frame"),
    ANY("z", "m", 0, "height"),
    TEXT("color", "#ffffff", "#rrggbb, for cameras and the viewer"),
    PICTURE("texture",
            "image that cameras see on it from above, right along x, from x_min and y_min on"),
    VECTOR("texture_size", "m", 2, "1 1", "along x and y, after which the image repeats"),
    TEXT("cull_face", "NONE", "for the viewer"),
};
ELEMENT(plane, "plane", "", "world", "A level rectangle of ground.");

static const rutField wall_rows[] = {
    VECTOR("from", "m", 2, "0 0", "one end x y"),
    VECTOR("to", "m", 2, "1 0", "other end x y"),
    ANY("z", "m", 0, "height of its foot"),
    POSITIVE("height", "m", 3, "height"),
    REAL("thickness", "m", 0.02, 1e-6, 1e3, "thickness"),
    REAL("friction", "", 0.5, 0, 100, "Coulomb coefficient"),
    REAL("restitution", "", 0.01, 0, 1, "coefficient of restitution"),
    TEXT("color", "", "#rrggbb, for cameras and the viewer; default: concrete"),
    TEXT("texture", "", "for the viewer"),
    VECTOR("texture_size", "m", 2, "1 1", "for the viewer"),
    TEXT("cull_face", "NONE", "for the viewer"),
};
ELEMENT(wall, "wall", "", "world", "A straight wall, with doors and windows as openings.");

static const rutField opening_rows[] = {
    REAL("position", "", 0.5, 0, 1, "of its middle along the wall, 0 to 1"),
    POSITIVE("width", "m", 1, "width"),
    POSITIVE("z_min", "m", 0, "lower edge above the wall's foot"),
    POSITIVE("z_max", "m", 2.1, "upper edge above the wall's foot"),
};
ELEMENT(opening, "opening", "", "wall", "A door or window in a wall.");

static const rutField region_rows[] = {
    ANY("x_min", "m", -1, "extent"),
    ANY("x_max", "m", 1, "extent"),
    ANY("y_min", "m", -1, "extent"),
    ANY("y_max", "m", 1, "extent"),
    ANY("z_min", "m", -1000, "extent"),
    ANY("z_max", "m", 1000, "extent"),
    OPTIONAL("friction", "", "friction coefficient of wheels inside"),
    OPTIONAL("rolling_resistance", "", "rolling resistance coefficient of wheels inside"),
    TEXT("soil", "", "name of the <soil> inside"),
    OPTIONAL("cone_index", "Pa", "strength of the soil inside"),
    OPTIONAL("moisture", "", "water over dry weight of the soil inside"),
    OPTIONAL("soft_depth", "m", "depth of the soft layer of the soil inside: snow, peat, thaw"),
    POINTS("outline", "corner points of its border, in place of the x and y extent"),
    BOOLEAN("no_gps", 0, "no satellite positioning inside"),
};
ELEMENT(region, "region", "", "world",
        "A box or prism in which the ground has other properties. Later regions override earlier "
        "ones, property by property.");

static const rutField soil_map_rows[] = {
    {"file", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED,
     "raster of values, in any format that an elevation_map's file may have"},
    CHOICE("quantity", "soil|cone_index|friction|moisture|soft_depth", 0, "quantity of the values"),
    TEXT("soils", "", "names of the <soil> for the values 1, 2, ...; 0: no value"),
    REAL("scale", "", 1, 0, 1e12,
         "factor from values to cone index [Pa], friction, moisture, or depth [m]"),
    CHOICE("interpolation", "nearest|linear", 0,
           "between the middles of cells: that of the nearest, or bilinear; not of soils"),
    ROWS_ROW,
    REAL("resolution", "m", 1, 1e-6, 1e6,
         "distance of neighbouring values; default: that of the file, else 1 m"),
    {"corner", "m", RUT_VECTOR, 2, 0, -1e9, 1e9, "", 0,
     "world x y of the middle of the cell with the smallest coordinates; default: centred"},
};
ELEMENT(soil_map, "soil_map", "", "world",
        "Properties of the ground by place, each value for the square around it. Regions override "
        "maps.");

static const rutField deformable_rows[] = {
    REAL("cell", "m", 0.05, 1e-3, 10,
         "side of the square cells; at most half the width of the narrowest wheel"),
    REAL("memory", "B", 256e6, 1e5, 1e9,
         "largest memory for ruts; only ground that wheels have touched uses it, about 15 kB per "
         "metre with cells of 5 cm"),
    REAL("displaced", "", 0.5, 0, 1,
         "share of the rut volume that is displaced to its borders; the rest is compacted"),
    REAL("border", "", 0.5, 0, 10, "width of each border, in widths of the wheel"),
    REAL("repose_angle", "rad", 0.6108652381980153, 0, 1.5,
         "angle of repose of displaced soil; 0: it does not slide"),
};
ELEMENT(deformable, "deformable", "", "world",
        "Deformable soil keeps the ruts of wheels on axles for later wheels. Without it each wheel "
        "meets undisturbed ground.");

static const rutField visual_rows[] = {
    {"model", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_PICTURE, "mesh file"},
    REAL("scale", "", 1, 1e-9, 1e9, "factor on its size"),
    VECTOR("stretch", "", 3, "1 1 1", "factors along the mesh's own axes, besides its scale"),
    VECTOR("offset", "m", 3, "0 0 0", "of the mesh in its carrier's frame"),
    ANGLE("yaw", "of the mesh"),
    ANGLE("pitch", "of the mesh"),
    ANGLE("roll", "of the mesh"),
    TEXT("color", "", "in place of the mesh's own colours"),
    TEXT("cull_face", "NONE", "for the viewer"),
    REAL("split_size", "m", 0, 0, 1e6, "for the viewer"),
    BOOLEAN("enabled", 1, "drawn"),
};
ELEMENT(visual, "visual", "", "vehicle wheel axle block sensor world",
        "A mesh that the viewer draws and sensors see.");

static const rutField gui_rows[] = {
    INTEGER("width", 800, 1, 65536, "window [pixel]"),
    INTEGER("height", 600, 1, 65536, "window [pixel]"),
    BOOLEAN("maximized", 0, "window fills the screen"),
    REAL("refresh_rate", "Hz", 20, 0.1, 1000, "pictures per second"),
    BOOLEAN("ortho", 0, "orthographic projection"),
    REAL("field_of_view", "rad", 1.0471975511965976, 0.01, 3.1, "of the camera"),
    POSITIVE("distance", "m", 80, "of the camera from the point it looks at"),
    ANGLE("azimuth", "of the camera"),
    ANGLE("elevation", "of the camera"),
    VECTOR("look_at", "m", 3, "0 0 0", "point in the middle of the picture"),
    TEXT("follow", "", "name of the vehicle that the camera follows"),
    BOOLEAN("show_forces", 0, "draw wheel forces"),
    POSITIVE("force_scale", "m/N", 0.01, "length of a drawn force"),
    BOOLEAN("show_sensor_points", 1, "draw sensor samples"),
    POSITIVE("clip_near", "m", 0.05, "near clipping distance"),
    POSITIVE("clip_far", "m", 1e4, "far clipping distance"),
    BOOLEAN("headless", 0, "no window"),
};
ELEMENT(gui, "gui", "", "world", "Initial settings of the viewer.");

static const rutField light_rows[] = {
    BOOLEAN("shadows", 1, "sun casts shadows"),
    REAL("azimuth", "rad", 0.7853981633974483, -10, 10, "of the sun, from the world's x axis to y"),
    REAL("elevation", "rad", 1.2217304763960306, -10, 10, "of the sun above the horizon"),
    TEXT("color", "#ffffff", "of the sun"),
    REAL("ambient", "", 0.5, 0, 1, "part of the light that comes from the sky"),
    TEXT(
        "time", "",
        "date and time, 2026-06-21T12:30+02:00: azimuth and elevation are those of the sun then, "
        "at the world's latitude and longitude; and the light is that of the sky, see cloud_cover"),
    REAL("cloud_cover", "", RUT_NAN, 0, 1,
         "part of the sky: color, ambient and illuminance are by default those of a sun at this "
         "elevation behind such clouds; 0 with a time"),
    REAL("illuminance", "lx", 1e5, 0, 1e9,
         "of a surface that faces the sun, by sun and sky together"),
};
ELEMENT(light, "light", "", "world", "The sun and the sky, for cameras and the viewer.");

static const rutField lamp_rows[] = {
    ANY("x", "m", 0, "position in the vehicle's frame, or the world's, forward"),
    ANY("y", "m", 0, "position to the left"),
    ANY("z", "m", 0, "position above the ground under the vehicle"),
    ANGLE("roll", "orientation, about x"),
    ANGLE("pitch", "of its axis, positive nose down"),
    ANGLE("yaw", "of its axis, positive to the left"),
    REAL("intensity", "cd", 1000, 0, 1e9, "luminous intensity along its axis"),
    TEXT("color", "#fff1d6", "of its light"),
    {"spread", "rad", RUT_VECTOR, 2, 0, 0, 10, "0 0", 0,
     "standard deviations of the beam across and up; 0: the same in all directions"},
    REAL("cone", "rad", RUT_PI, 0, RUT_PI, "half angle beyond which it gives no light"),
    REAL("cutoff", "rad", 0.5 * RUT_PI, -0.5 * RUT_PI, 0.5 * RUT_PI,
         "angle above its axis beyond which there is no beam"),
    REAL("stray", "cd", 0, 0, 1e9, "luminous intensity besides the beam, everywhere in the cone"),
    REAL("radius", "m", 0.08, 1e-4, 100, "of the disc that is seen to shine"),
    REAL("reach", "m", RUT_NAN, 0, 1e6,
         "farthest distance that it lights; default: where it gives 0.05 lx"),
};
ELEMENT(lamp, "lamp", "", "world vehicle",
        "A source of light besides the sun, which cameras see: a head lamp, a street lamp.");

static const rutField weather_rows[] = {RUT_WEATHER_ROWS(RUT_ROW, RUT_FLAG_ROW)
                                            RUT_DUST_ROWS(RUT_ROW)};
ELEMENT(weather, "weather", "", "world",
        "The air, for all sensors that do not give these fields themselves.");

static const rutField georeference_rows[] = {
    REAL("latitude", "rad", 0, -0.5 * RUT_PI, 0.5 * RUT_PI, "of the world's origin"),
    REAL("longitude", "rad", 0, -6.3, 6.3, "of the world's origin"),
    ANY("height", "m", 0, "of the world's origin above the ellipsoid"),
    ANGLE("rotation", "of the world's x axis from east, towards north"),
    BOOLEAN("utm", 0, "world x y are UTM coordinates; not used"),
};
ELEMENT(georeference, "georeference", "", "world",
        "Geographic position of the world (WGS 84), for satellite positioning.");

static const rutField marker_rows[] = {
    TEXT("points", "", "x y z of each corner of a line"),
    VECTOR("offset", "m", 3, "0 0 0", "added to the points"),
    TEXT("color", "#ffffff", "for the viewer"),
};
ELEMENT(marker, "marker", "", "world", "A line for the viewer.");

static const rutField ground_grid_rows[] = {
    BOOLEAN("floating", 0, "moves with the camera"),
    TEXT("focus", "", "vehicle that it follows"),
    TEXT("color", "#808080", "for the viewer"),
    REAL("line_width", "", 1, 0, 100, "[pixel]"),
    ANY("x_min", "m", -25, "extent"),
    ANY("x_max", "m", 25, "extent"),
    ANY("y_min", "m", -25, "extent"),
    ANY("y_max", "m", 25, "extent"),
    POSITIVE("interval", "m", 5, "distance of the lines"),
};
ELEMENT(ground_grid, "ground_grid", "", "world", "Lines on the ground for the viewer.");

static const rutField point_cloud_rows[] = {
    {"file", "file", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED | RUT_FIELD_PICTURE,
     "text file of points"},
    INTEGER("columns", 3, 2, 3, "2 for x y, 3 for x y z"),
    REAL("size", "", 3, 0, 100, "of a drawn point [pixel]"),
    VECTOR("offset", "m", 3, "0 0 0", "added to the points"),
    ANGLE("yaw", "of the points"),
    ANGLE("pitch", "of the points"),
    ANGLE("roll", "of the points"),
};
ELEMENT(point_cloud, "point_cloud", "", "world", "Points for the viewer.");

static const rutField skybox_rows[] = {
    TEXT("textures", "", "file name pattern, %s stands for the side"),
};
ELEMENT(skybox, "skybox", "", "world", "Sky for the viewer.");

static const rutField mechanism_rows[] = {
    VECTOR("position", "m", 3, "0 0 0", "of its base in the world"),
};
ELEMENT(mechanism, "mechanism", "", "world",
        "A tree of rigid bodies on joints, without wheels: pendulums, tops, linkages.");

static const rutField road_rows[] = {
    {"points", "m", RUT_POINTS, 0, 0, -1e6, 1e6, "", RUT_FIELD_REQUIRED,
     "corners of its centre line"},
    REAL("corner_radius", "m", 12, 0, 1e5, "of the curves at corners; 0: none"),
    REAL("width", "m", 7, 0.1, 200, "of all lanes"),
    INTEGER("lanes", 2, 1, 12, "between which lines are painted"),
    BOOLEAN("markings", 1, "lines between lanes and at the edges"),
    {"crossings", "m", RUT_VECTOR, 0, 0, 0, 1e6, "", 0,
     "distances along the centre line at which people cross it on a marked crossing"},
    CHOICE("surface", "asphalt|concrete|gravel|soil", 0, "its material for sensors"),
    OPTIONAL("friction", "", "friction coefficient of wheels on it; default: that of the ground"),
    REAL("crown", "", 0.025, 0, 0.5, "slope from the middle to the edges, on elevation maps"),
    REAL("shoulder", "m", 3, 0, 100, "width beside it over which elevation maps blend into it"),
    REAL("pavement", "m", 0, 0, 100, "width of pavements on both sides, on level ground"),
    REAL("kerb", "m", 0.12, 0, 1, "height of the pavements above the road"),
};
ELEMENT(road, "road", "", "world",
        "A road along a line: it shapes elevation maps, and sensors see its surface and markings.");

static const rutField actor_rows[] = {
    {"path", "m", RUT_POINTS, 0, 0, -1e7, 1e7, "", RUT_FIELD_REQUIRED, "points of its path"},
    REAL("speed", "m/s", 1.4, 1e-3, 1e3, "along the path"),
    REAL("corner_radius", "m", 0, 0, 1e4, "of its curves; 0: it turns on the spot"),
    REAL("turn_rate", "rad/s", 2.0943951023931953, 1e-3, 1e3, "of turns on the spot"),
    REAL("delay", "s", 0, 0, 1e9, "time at which it starts"),
    CHOICE(
        "end", "loop|return|stop", 0,
        "after the last point: to the first one in a closed path, back the way it came, or stand "
        "there"),
    BOOLEAN("solid", 1, "vehicles and blocks collide with it"),
    REAL("friction", "", 0.5, 0, 100, "Coulomb coefficient against other bodies"),
    REAL("restitution", "", 0.01, 0, 1, "coefficient of restitution"),
};
ELEMENT(
    actor, "actor", "", "world",
    "A person or vehicle that follows a path, whatever stands in its way. What it looks like is "
    "a <scenery> in it.");

static const rutField waypoint_rows[] = {
    INTEGER("point", 0, 0, 1000000, "of the path, counted from 0"),
    REAL("pause", "s", 0, 0, 1e6, "that it makes there"),
    REAL("speed", "m/s", RUT_NAN, 1e-3, 1e3, "on the way to this point"),
};
ELEMENT(waypoint, "waypoint", "", "actor", "What an actor does at a point of its path.");

static const rutField place_rows[] = {
    {"position", "m", RUT_VECTOR, 2, 0, -1e7, 1e7, "", RUT_FIELD_REQUIRED, "world x y"},
    ANGLE("yaw", "heading"),
    REAL("size", "", 1, 1e-3, 1e3, "factor on all dimensions"),
    INTEGER("variant", 0, 0, 1000, "which of the shapes that the type has"),
};
ELEMENT(place, "place", "", "scenery", "An individual of scenery at a place.");

static const rutField body_rows[] = {
    CHOICE("joint", "fixed|hinge|slide|planar|free", 1, "joint to its parent body"),
    VECTOR("mount", "m", 3, "0 0 0", "place of the joint in the parent's frame"),
    VECTOR("mount_angles", "rad", 3, "0 0 0", "roll pitch yaw of the joint in the parent's frame"),
    VECTOR("axis", "", 3, "0 0 1", "direction of a hinge or slide"),
    REAL("mass", "kg", 1, 0, NO_LIMIT, "mass"),
    VECTOR("com", "m", 3, "0 0 0", "centre of mass from the joint"),
    VECTOR("inertia", "kg m2", 6, "0 0 0 0 0 0", "xx yy zz xy xz yz about the centre of mass"),
    BOOLEAN("rotor", 0, "spins about an axis of symmetry"),
    REAL("damping", "", 0, 0, NO_LIMIT, "joint force per speed [N s/m or N m s/rad]"),
    REAL("stiffness", "", 0, 0, NO_LIMIT, "joint force per position [N/m or N m/rad]"),
    VECTOR("initial_position", "", 0, "", "joint positions at the start [m, rad]"),
    VECTOR("initial_speed", "", 0, "", "joint speeds at the start [m/s, rad/s]"),
};
ELEMENT(body, "body", "", "mechanism body", "A rigid body and the joint that carries it.");

#define FAILURE_ROWS                                                       \
  REAL("from", "s", 0, 0, 1e9, "time of the first sample that it spoils"), \
      REAL("to", "s", 1e9, 0, 1e9, "time of the first one that is good again")
#define FAILURE_OF_OUTPUT_ROWS(what)                                                          \
  FAILURE_ROWS,                                                                               \
      TEXT("output", "", "output that it spoils, all of its numbers; default: the only one"), \
      REQUIRED_TEXT("value", what)
static const rutField stuck_rows[] = {FAILURE_ROWS};
ELEMENT(stuck, "failure", "stuck", "sensor",
        "The sensor repeats its last sample, with the time of each new one.");
static const rutField dropout_rows[] = {FAILURE_ROWS};
ELEMENT(dropout, "failure", "dropout", "sensor", "The sensor takes no samples.");
static const rutField bias_rows[] = {FAILURE_OF_OUTPUT_ROWS("what is added, in the output's unit")};
ELEMENT(bias, "failure", "bias", "sensor", "A value is added to an output of the sensor.");
static const rutField noise_rows[] = {
    FAILURE_OF_OUTPUT_ROWS("standard deviation of what is added, in the output's unit")};
ELEMENT(noise, "failure", "noise", "sensor",
        "White normal noise is added to an output of the sensor, besides its own.");

static const rutComponent* const elements[] = {
    &world,
    &vehicle,
    &chassis,
    &wheel,
    &axle,
    &odometry,
    &hull,
    &steering_actuator,
    &brake_actuator,
    &torque_actuator,
    &throttle_actuator,
    &input,
    &teleoperation,
    &fmu_input,
    &fmu_output,
    &fmu_torque,
    &fmu_parameter,
    &block,
    &keyframe,
    &revolute,
    &distance,
    &occupancy,
    &plane,
    &wall,
    &opening,
    &elevation,
    &region,
    &soil_map,
    &visual,
    &gui,
    &light,
    &lamp,
    &weather,
    &marker,
    &georeference,
    &ground_grid,
    &point_cloud,
    &skybox,
    &mechanism,
    &body,
    &deformable,
    &hitch,
    &inflation,
    &stability,
    &named_log,
    &stuck,
    &dropout,
    &bias,
    &noise,
    &road,
    &actor,
    &waypoint,
    &place,
    &rut_material_element,
};

const rutComponent* const* rut_schema(int* n) {
  *n = RUT_COUNT_OF(elements);
  return elements;
}
