// SPDX-License-Identifier: BSD-3-Clause
//
// Host layer, built on rut.h alone: world files with settings, set points from a table, logs,
// metrics, and events (collisions, vehicles that leave the ground).
#ifndef RUT_HOST_H
#define RUT_HOST_H

#include <stdio.h>

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether a text is that of a vehicle by itself, not of a world: its first element, behind comments
// and declarations, is <vehicle>.
RUT_API bool rut_is_vehicle_text(const char* text);

// Load a world file and apply settings "path=value", such as "r1/wheel[0].radius=0.3 m". A bad
// setting gives RUT_ERR_ARGUMENT and names itself; other errors are those of rut_spec_load. The
// caller owns *out. Nullable: setting if settings is 0, err.
RUT_API rutStatus rut_world_load(rutContext* context, const char* path, int settings,
                                 const char* const* setting, rutSpec** out, rutError* err);

// Load a plug-in, a shared library with component types of its own, and register them all. The
// library has a function
//   const rutComponent* const* rut_plugin(void);
// that returns its descriptors (rut/component.h), a NULL after the last. A path without '/' is a
// file in the working folder; no other place is searched. A plug-in stays loaded until the process
// ends. It runs with all rights of the process: load only what you trust. Errors: IO (no such
// file), PARSE (not a shared library, or one it needs is missing), VERSION (no rut_plugin, or
// another ABI), and those of rut_register; types before the invalid one stay registered. Nullable:
// err.
RUT_API rutStatus rut_plugin_load(rutContext* context, const char* path, rutError* err);

// Open a file that a user named, regular files only: a FIFO or a device might block. Returns NULL
// with err filled on failure. The caller closes it. Errors: IO, MEMORY. Nullable: err.
RUT_API FILE* rut_file_open(const char* path, rutError* err);

// Outputs replace only regular files that the model's context has not read (rut_context_has_read),
// never devices, folders or links. The old file stays until the new one is complete and replaces it
// atomically.
//
// A file of the caller's that is written in the same way.
typedef struct rutOutput rutOutput;
// Begin a file that will replace path. The caller owns *out and ends it with rut_output_close.
// Errors: IO, MEMORY. Nullable: err.
RUT_API rutStatus rut_output_create(const char* path, rutOutput** out, rutError* err);
// Name of the temporary file to write, in the same folder. Borrowed.
RUT_API const char* rut_output_part(const rutOutput* output);
// Replace path by the file if `keep`, else remove it; free the output. Errors: IO. Nullable:
// output, err.
RUT_API rutStatus rut_output_close(rutOutput* output, bool keep, rutError* err);

// Create a folder, and those above it, if it is not there. Errors: IO, MEMORY. Nullable: err.
RUT_API rutStatus rut_folder_create(const char* path, rutError* err);

// The candidate nearest to a misspelt word, NULL if none is near.
RUT_API const char* rut_nearest(const char* word, size_t n, const char* const* candidate);

// ---------------------------------------------------------------------------------------------
// Inputs: set points of controllers over time
//
// A CSV table. Its header names the columns, in any order: "t" [s], "vehicle", and set points
// (rutVehicleInfo.command_names), each at most once. Times ascend; set points are in SI. An empty
// cell keeps the present value, and is required where the vehicle has no such set point. Empty
// lines and lines that begin with # are skipped.

typedef struct rutInputs rutInputs;

// Read a table. Errors: IO, PARSE with file, line and column, MEMORY. The caller owns *out.
RUT_API rutStatus rut_inputs_load(const rutModel* model, const char* path, rutInputs** out,
                                  rutError* err);
// The same from memory; name is the file in messages. text need not be zero-terminated.
RUT_API rutStatus rut_inputs_parse(const rutModel* model, const char* text, size_t size,
                                   const char* name, rutInputs** out, rutError* err);
// Apply all set points that are due at the next step (t <= time + 1e-9 s). Call it before each
// step. Errors: the first one of rut_command; later rows are still applied.
RUT_API rutStatus rut_inputs_apply(rutInputs* inputs, const rutModel* model, rutData* data);
// The same without the rows of vehicles whose skip[vehicle] is true, such as those whose controller
// is replaced in this model. Nullable: skip.
RUT_API rutStatus rut_inputs_apply_except(rutInputs* inputs, const rutModel* model, rutData* data,
                                          const bool* skip);
// Let set points go from row to row of a vehicle in a straight line instead of holding those of the
// last row; rows that leave a set point out are passed over. From the first row of a vehicle on,
// and up to its last. Runge-Kutta steps see the line within the step (rut_command_course). Call it
// before the first rut_inputs_apply. Errors: MEMORY.
RUT_API rutStatus rut_inputs_interpolate(rutInputs* inputs, const rutModel* model);
// Start over, after data was reset.
RUT_API void rut_inputs_rewind(rutInputs* inputs);
// Number of rows.
RUT_API size_t rut_inputs_count(const rutInputs* inputs);
// Nullable: inputs.
RUT_API void rut_inputs_destroy(rutInputs* inputs);

// ---------------------------------------------------------------------------------------------
// Logs as CSV files, one per vehicle, sensor, mechanism and moving block, and one of events:
// collisions, and vehicles that leave the ground
//
// Numbers have as many digits as needed to read back the same double, at most 17.

typedef struct rutCsvLog rutCsvLog;

typedef struct rutCsvLogDef {
  const char* folder;  // created if it is not there
  // Steps per row; 0: from rate. All events and samples are logged.
  int every;
  // File names of vehicles without ".csv", NULL or "" for the vehicle's own name. Nullable: name.
  const char* const* name;
  // Rows per second of simulated time, at most one per step, and more than this where it is not a
  // divisor of the step rate [Hz]. 0: 100 Hz.
  double rate;
  int digits;  // significant digits, at most 17; 0: as many as needed
} rutCsvLogDef;

// Open the files, write headers and a row of the present state. Errors: ARGUMENT, IO, MEMORY. The
// caller owns *out and ends it with rut_csv_log_close.
RUT_API rutStatus rut_csv_log_create(const rutModel* model, const rutData* data,
                                     const rutCsvLogDef* def, rutCsvLog** out, rutError* err);
// Log the state after a step. Call it after every rut_step. Errors: IO, MEMORY. Nullable: err.
RUT_API rutStatus rut_csv_log_step(rutCsvLog* log, const rutModel* model, const rutData* data,
                                   rutError* err);
// Pause: nothing is written, and collisions that begin or end meanwhile are not logged.
RUT_API void rut_csv_log_pause(rutCsvLog* log);
// Resume in the same files, from the next step.
RUT_API void rut_csv_log_resume(rutCsvLog* log);
// Close the files and continue in new ones, NAME-2.csv, NAME-3.csv, ..., that begin with the
// present state. Errors: IO, MEMORY; the log must still be closed then. Nullable: err.
RUT_API rutStatus rut_csv_log_restart(rutCsvLog* log, const rutModel* model, const rutData* data,
                                      rutError* err);
// Flush and destroy the log. Errors: IO. Nullable: log, err.
RUT_API rutStatus rut_csv_log_close(rutCsvLog* log, rutError* err);

// ---------------------------------------------------------------------------------------------
// Ruts as a file

// Write the ruts of a world with <deformable>: changes of height as an ESRI ASCII grid if path ends
// in ".asc" (0 where nothing has changed), else a CSV table of the cells that have changed. Errors:
// ARGUMENT (the world keeps no ruts), CAPACITY (too far apart for a raster), IO, MEMORY. Nullable:
// err.
RUT_API rutStatus rut_ruts_save(const rutModel* model, const rutData* data, const char* path,
                                rutError* err);

// ---------------------------------------------------------------------------------------------
// Pictures: images of cameras, in memory and as files

typedef enum rutPixelFormat {
  RUT_PIXEL_RGB8,     // red, green, blue: sRGB
  RUT_PIXEL_GREY8,    // also numbers, such as semantic classes
  RUT_PIXEL_GREY16,   // uint16_t
  RUT_PIXEL_FLOAT32,  // float; depth in metres, infinite where nothing is seen
  RUT_PIXEL_VECTOR3,  // 3 floats; unit normals, 0 0 0 where nothing is seen
  RUT_PIXEL_VECTOR2,  // 2 floats; optical flow in pixels, NaN where it is not known
  RUT_PIXEL_FORMATS
} rutPixelFormat;

typedef struct rutPicture {
  int width, height;  // at most 65535 each
  rutPixelFormat format;
  bool palette;  // files show 8-bit number i in colour i + 1 of Pascal VOC's map, 255 in black
  void* pixel;   // rows from the top, without gaps
} rutPicture;

// The picture that an output of a camera's visible sample makes; output is "colour" (RGB8), "depth"
// (FLOAT32), "class" (GREY8 with palette, 255 where nothing is seen), "instance" (GREY16, 65535
// where nothing is seen), "normal" (VECTOR3) or "flow" (VECTOR2). The caller frees out->pixel with
// free(). Errors: ARGUMENT (no such output, no image, no sample yet, or an image that this camera
// does not make), CAPACITY (more than 255 classes or 65535 instances), MEMORY. Nullable: err.
RUT_API rutStatus rut_sample_picture(const rutModel* model, const rutData* data, int sensor,
                                     const char* output, rutPicture* out, rutError* err);
// Write a picture, by the suffix of path: .png, .jpg of RGB8, .pfm (portable float map) of FLOAT32
// and VECTOR3, or .flo (Middlebury) of VECTOR2. As PNG, FLOAT32 becomes 16 bits of millimetres, 0
// where there is nothing or more than 65.535 m (REP 118); VECTOR3 the colours of normal maps, red
// to the right, green up, blue towards the camera; VECTOR2 the colours of Baker et al. (2011), hue
// by direction, saturation by size over the largest in the picture, black where the flow is not
// known. The same picture gives the same bytes with the same version of zlib. Errors: ARGUMENT
// (another suffix), IO, MEMORY. Nullable: model (no inputs are known), err.
RUT_API rutStatus rut_picture_save(const rutModel* model, const rutPicture* picture,
                                   const char* path, rutError* err);

// ---------------------------------------------------------------------------------------------
// Labels: what is where in the image of a camera, and labelled frames as files
//
// Boxes in space are those of rut_instance_box, in level axes of the camera: origin and heading are
// the camera's, x is to the right, y straight down, z ahead and level.

typedef struct rutLabel {
  int instance, semantic_class;  // the class is that of most of its pixels
  int pixels;                    // of it in the image
  int first[2], last[2];         // first and last column and row of these
  bool has_box;                  // it has a box in space; without one all below is 0
  // Least and greatest x and y of the edges of that box in the image [pixel], as
  // rut_camera_project tells them; they may be outside of it.
  double low[2], high[2];
  double truncation;  // part of that rectangle's area that is outside of the image
  // Part of the pixels that the box covers in the image in which something else is nearer than it.
  double occlusion;
  double centre[3];   // of the box, level axes [m]
  double size[3];     // length, width, height [m]
  double rotation_y;  // of its x axis about y, from the level x axis, -pi to pi [rad]
  double alpha;       // the same less the direction in which it is seen: rotation_y - atan2(x, z)
} rutLabel;

typedef struct rutLabels {
  int n;
  rutLabel* label;  // [n] by instance, to be freed with free()
} rutLabels;
// Labels of what has pixels in a camera's visible sample. Boxes are those of the present, so that
// it should be the time of the sample. Errors: ARGUMENT (no camera, no sample yet), MEMORY.
// Nullable: err.
RUT_API rutStatus rut_labels_read(const rutModel* model, const rutData* data, int sensor,
                                  rutLabels* out, rutError* err);
// Rotation from a camera's level axes to its optical axes, by rows. False if there is no such
// camera.
RUT_API bool rut_camera_level(const rutModel* model, const rutData* data, int sensor,
                              double rotation[9]);

// KITTI: the object benchmark (Geiger et al. 2012): image_2, label_2, calib, velodyne.
// COCO: images, and instances as one JSON file.
typedef enum rutDatasetFormat { RUT_DATASET_KITTI, RUT_DATASET_COCO } rutDatasetFormat;

typedef struct rutDatasetDef {
  size_t struct_size;  // set by rut_default_dataset
  const char* folder;  // that exists
  rutDatasetFormat format;
  int camera;      // sensor; for KITTI of a perspective lens without distortion
  int lidar;       // sensor of KITTI's point clouds, with a sample of the same time; -1: none
  bool corners;    // boxes in the image are those of the box in space, cut to the image; else of
                   // the pixels
  int min_pixels;  // fewer give no label
  const char* const* class_name;  // [classes] only these have labels; nullable if 0: all have
  int classes;
} rutDatasetDef;
// KITTI, camera 0, no lidar, boxes of the pixels, of 20 at least.
RUT_API rutDatasetDef rut_default_dataset(void);

// Write the files of a frame, by its number from 0 to 999999: from the visible samples, replacing
// older files. Its labels come last. Errors: ARGUMENT (no camera, another lens, no sample yet, or
// not of one time), IO, MEMORY. Nullable: err.
RUT_API rutStatus rut_dataset_put(const rutModel* model, const rutData* data,
                                  const rutDatasetDef* def, int number, rutError* err);
// Whether the files of a frame are complete.
RUT_API bool rut_dataset_has(const rutDatasetDef* def, int number);
// Write what stands in one file for all of n frames: annotations/instances.json of COCO. Its
// categories 1, 2, ... are the definition's classes in their order, or all semantic classes of the
// frames' worlds, seen or not, in alphabetical order. Errors: IO, PARSE (a file of a
// frame is damaged), MEMORY. Nullable: err.
RUT_API rutStatus rut_dataset_finish(const rutDatasetDef* def, int n, rutError* err);

// ---------------------------------------------------------------------------------------------
// A sample of a sensor as a file

// Write the sample of a sensor that can be seen, by the suffix of path: a point cloud as .pcd
// (Point Cloud Library 0.7), .ply (Stanford) or .las (ASPRS 1.2, point format 1), all binary, with
// x y z in the sensor's frame, intensity, ring, time and return number; of a camera the colours as
// .png or .jpg, or the depths as .pfm (rut_sample_picture has the others); or any sample as a
// table, .csv. Errors: ARGUMENT (no sample yet; no point cloud or image; another suffix), IO,
// MEMORY. Nullable: err.
RUT_API rutStatus rut_sample_save(const rutModel* model, const rutData* data, int sensor,
                                  const char* path, rutError* err);

// ---------------------------------------------------------------------------------------------
// Metrics of manoeuvres
//
// Of vehicles on axles with a hitch, or with a driver with a manoeuvre (controller "driver"), and
// of others on request. "seat_..." are the measures of rut/ride.h at the vehicle's seat.
// Accelerations, roll rates and loads are filtered (Butterworth, order 4, 10 Hz). "steady" is the
// mean over the last fifth of the run; wheel loads are relative to the initial ones.

typedef struct rutMetrics rutMetrics;

typedef struct rutMetric {
  char name[48];     // "lateral_acceleration_max"
  const char* unit;  // SI, "" for ratios
  double value;
} rutMetric;

// Begin at the present state of a run that will take `duration` [s]. The caller owns *out. Errors:
// MEMORY. Nullable: err.
RUT_API rutStatus rut_metrics_create(const rutSpec* spec, const rutModel* model,
                                     const rutData* data, double duration, rutMetrics** out,
                                     rutError* err);
// Watch another vehicle on axles as well, from the present state on. Errors: ARGUMENT, MEMORY.
// Nullable: err.
RUT_API rutStatus rut_metrics_watch(rutMetrics* metrics, const rutModel* model, const rutData* data,
                                    int vehicle, rutError* err);
// Update. Call it after every rut_step.
RUT_API void rut_metrics_step(rutMetrics* metrics, const rutModel* model, const rutData* data);
// Metrics of a vehicle so far: up to n of them in out, in the order in which to show them. Returns
// their number, which may exceed n and is 0 for other vehicles. Nullable: out if n is 0.
RUT_API int rut_metrics_get(const rutMetrics* metrics, const rutModel* model, int vehicle, int n,
                            rutMetric* out);
// The same with all metrics that a vehicle may have: NaN where there is nothing to tell yet.
RUT_API int rut_metrics_known(const rutMetrics* metrics, const rutModel* model, int vehicle, int n,
                              rutMetric* out);
// Manoeuvre of the driver; "drawbar_pull" for a hitch, "ride" for another vehicle on request; ""
// for those without metrics.
RUT_API const char* rut_metrics_manoeuvre(const rutMetrics* metrics, int vehicle);
// Nullable: metrics.
RUT_API void rut_metrics_destroy(rutMetrics* metrics);

// ---------------------------------------------------------------------------------------------
// Signals: the numbers of a run, one by one
//
// Every number of an output is a signal (arrays of up to 16 numbers), and so are set points, scalar
// states and mean accelerations of vehicles. Names: "vehicle/speed", "vehicle/command_speed",
// "vehicle/drive/gear", "vehicle/wheel/load", "block/x", "sensor/nearest" of planar scans,
// "sensor/force_x" of vectors, "sensor/range_0" of other arrays, "mechanism/q0", "ruts/max_depth".
// Units are SI.

typedef struct rutSignals rutSignals;

typedef struct rutSignal {
  const char *name, *unit, *doc;  // borrowed; unit is "" for ratios and flags
  const char* element;            // its element, the name up to the last '/'
  const char* leaf;               // the rest of the name: "speed"
} rutSignal;

// List the signals of a world, vehicle by vehicle, each before its wheels. The caller owns *out.
// Errors: MEMORY. Nullable: err.
RUT_API rutStatus rut_signals_create(const rutModel* model, rutSignals** out, rutError* err);
RUT_API int rut_signals_count(const rutSignals* signals);
// The one at an index in [0, count), else one with empty strings.
RUT_API rutSignal rut_signals_at(const rutSignals* signals, int index);
// Index of a signal by its full name, -1 if there is none.
RUT_API int rut_signals_find(const rutSignals* signals, const char* name);
// Name of the signal nearest to a misspelt name, NULL if none is near.
RUT_API const char* rut_signals_nearest(const rutSignals* signals, const char* name);
// Values of n signals by index. Computes only these, and never allocates. Longitudinal, lateral and
// vertical accelerations are means since the last call that read one of that vehicle (0 in the
// first call, and after time went back), so each reader needs signals of its own. NaN for an index
// out of range and for what does not exist, such as the nearest range of a laser without a hit, or
// set points that the vehicle's controller in this model does not have.
RUT_API void rut_signals_read(rutSignals* signals, const rutModel* model, const rutData* data,
                              int n, const int* index, double* out);
// Nullable: signals.
RUT_API void rut_signals_destroy(rutSignals* signals);

// True if a pattern with * (any text) and ? (any character) matches all of a name.
RUT_API bool rut_glob(const char* pattern, const char* name);

// ---------------------------------------------------------------------------------------------
// Logs of a whole run in one file: MCAP (mcap.dev), with messages of ROS 2
//
// Topics: "/NAME/state" of each vehicle, wheel, block and mechanism with its chosen signals as
// float64 fields ("/VEHICLE/energy" those of energy), "/VEHICLE/joint_states", "/tf" with the poses
// of vehicles and moving blocks in "world", "/VEHICLE/odom" with odometry, "/SENSOR" with each
// sample of a sensor once it is visible (a standard message if its form has one, with other outputs
// in "/SENSOR/readings", else "rut/msg/TYPE" with a field per output), "/rosout" with vehicles that
// leave the ground. Log time is simulated time, and never decreases: after a reset or rut_log_jump
// it continues from its last value. A thread of the log compresses and writes. A file that is still
// being written can be read up to its last complete chunk, at most 1 s of wall time or 1 MB ago.
// Transforms and odometry have at most 20 Hz, energy 4 Hz unless a rate is given. Calls must come
// from one thread at a time.

typedef struct rutLog rutLog;

typedef struct rutLogDef {
  size_t struct_size;  // set by rut_default_log
  double rate;         // of signals [Hz]; 0: rut_log_default_rate
  // Patterns (rut_glob) of the signals to log; none: all but ruts and states. A sensor is logged
  // with all its outputs if one of them is chosen.
  int patterns;
  const char* const* pattern;
  bool transforms, odometry, samples;  // whether to log /tf, /VEHICLE/odom, and samples of sensors
  bool joints;                         // and /VEHICLE/joint_states, /MECHANISM/joint_states
  bool wheel_frames;                   // whether /tf includes wheels, which takes longer
  // World to attach as "world.xml". Nullable.
  const rutSpec* spec;
  uint64_t seed;        // of the run, and its command line, for the metadata "rut"
  const char* command;  // Nullable
  bool navigation;      // whether to log maps and paths that vehicles publish (rut/navigation.h)
} rutLogDef;
// Signals, transforms, odometry, samples, maps and paths, at the default rate.
RUT_API rutLogDef rut_default_log(void);
// Rate at which logging takes little time: 50 Hz, at most one row per ten steps, and less in worlds
// with more than 40 vehicles, wheels and blocks [Hz].
RUT_API double rut_log_default_rate(const rutModel* model);

// Begin a file, replacing an older one. Errors: ARGUMENT (a pattern that no signal matches, named
// in err), IO (as for all outputs, or another run is writing it), MEMORY. The caller owns *out and
// ends it with rut_log_close. Nullable: def, err.
RUT_API rutStatus rut_log_create(const rutModel* model, const char* path, const rutLogDef* def,
                                 rutLog** out, rutError* err);
// A channel of a log.
typedef struct rutLogChannelDef {
  const char* topic;       // "/rut/frame"
  const char* schema;      // name of the messages' schema, "rut/msg/Frame"
  const char* definition;  // text of the schema, in ros2msg
  const char* encoding;    // of the messages, "cdr"
} rutLogChannelDef;

// The messages of a log as they arise, instead of a file. Called in the thread of rut_log_step;
// texts and bytes are borrowed. All functions are needed.
typedef struct rutLogTap {
  void* user;  // Nullable
  // A channel begins: those of the world within rut_log_create_live, "/rosout" with its first
  // message. Channels count from 0.
  void (*channel)(void* user, int channel, const rutLogChannelDef* def);
  // Whether messages of a channel are wanted: others are not made.
  bool (*wants)(void* user, int channel);
  // A message: channel, simulated time [ns], bytes in the encoding of the channel.
  void (*message)(void* user, int channel, int64_t time, const void* bytes, size_t size);
} rutLogTap;
// A log without file and thread: what is wanted of it goes to the tap, by simulated time, which
// goes back where the run does; after rut_log_jump the present state is told anew. Attachments go
// nowhere. Errors: ARGUMENT (a pattern that no signal matches, a tap that lacks a function),
// MEMORY. The caller owns *out. Nullable: def, err.
RUT_API rutStatus rut_log_create_live(const rutModel* model, const rutLogTap* tap,
                                      const rutLogDef* def, rutLog** out, rutError* err);
// Log the present state if it is due. Call it before the first step, after every step and after the
// state was set. Errors: IO (possibly of an earlier write, in the thread), MEMORY. Nullable: err.
RUT_API rutStatus rut_log_step(rutLog* log, const rutModel* model, const rutData* data,
                               rutError* err);
// Tell the log that the next state does not follow from the last one, as after a restore: it is
// logged one step after it whatever its own time. Not needed where time goes back. Earlier samples
// are logged at the time of the jump.
RUT_API void rut_log_jump(rutLog* log);
// Add a channel of the caller's at any time; all texts are copied. *channel gets a number for
// rut_log_write. Errors: IO, MEMORY, CAPACITY (a log has at most 65536 channels, including its
// own).
RUT_API rutStatus rut_log_channel(rutLog* log, const rutLogChannelDef* def, int* channel,
                                  rutError* err);
// Write a message to such a channel at simulated time [s]. Errors: ARGUMENT, IO, MEMORY.
RUT_API rutStatus rut_log_write(rutLog* log, int channel, double time, const void* bytes,
                                size_t size, rutError* err);
// The same for a message "uint8[] data", encoded as CDR.
RUT_API rutStatus rut_log_write_bytes(rutLog* log, int channel, double time, const void* bytes,
                                      size_t size, rutError* err);
// Attach a file, such as "scene.json" of type "application/json". Errors: IO, MEMORY.
RUT_API rutStatus rut_log_attach(rutLog* log, const char* name, const char* media_type,
                                 const void* bytes, size_t size, rutError* err);
// Flush, write index and statistics, and destroy the log. Errors: IO. Nullable: log, err.
RUT_API rutStatus rut_log_close(rutLog* log, rutError* err);

// ---- reading logs ----

typedef struct rutLogFile rutLogFile;

typedef struct rutLogInfo {
  double start, end;        // log time of the first and the last message [s]
  uint64_t messages, size;  // number; bytes of the file
  int channels, attachments, signals, chunks;
  // The file ends as a log does, and its index is right by its checksum and leads to records of the
  // kinds and lengths that it tells; else it was cut off or is damaged, and the rest describes what
  // can be read. What the records hold is not read: rut_log_check compares that.
  bool whole;
} rutLogInfo;

typedef struct rutLogChannel {
  const char *topic, *encoding;          // borrowed from the file
  const char *schema, *schema_encoding;  // its name ("": none), "ros2msg"
  const char* definition;                // text of the schema
  uint64_t messages;
} rutLogChannel;

typedef struct rutLogAttachment {
  const char *name, *media_type;
  uint64_t size;
} rutLogAttachment;

typedef struct rutLogMessage {
  int channel;
  double time;  // of the log [s]
  uint32_t sequence;
  const unsigned char* bytes;  // valid until the next call with this file or cursor
  size_t size;
} rutLogMessage;

// Open a log of rut or of another program. A truncated one opens up to its last complete record.
// Errors: IO, PARSE (not a log, or damaged), VERSION, CAPACITY (chunks of more than 64 MiB, signals
// of more than 512 MiB), MISSING (compression other than zstd), MEMORY. The caller owns *out.
// Nullable: err.
RUT_API rutStatus rut_log_open(const char* path, rutLogFile** out, rutError* err);
RUT_API void rut_log_file_close(rutLogFile* file);  // Nullable: file
// Read all of a log and compare the checksums of its data and of its index: what is whole by its
// information may still have wrong bits. Those of rut have both; of a log whose writer left one
// out, that part is not compared. Errors: PARSE (it was cut off or is damaged), IO. Nullable: err.
RUT_API rutStatus rut_log_check(const rutLogFile* file, rutError* err);
RUT_API rutLogInfo rut_log_info(const rutLogFile* file);
// Metadata by name and key, such as "rut" and "seed"; "" if there is none.
RUT_API const char* rut_log_metadata(const rutLogFile* file, const char* name, const char* key);
// The channel at an index in [0, channels), else one with empty strings and no messages.
RUT_API rutLogChannel rut_log_channel_at(const rutLogFile* file, int channel);
// Channel of a topic, -1 if there is none.
RUT_API int rut_log_channel_find(const rutLogFile* file, const char* topic);
// The attachment at an index in [0, attachments), else one with empty strings and size 0.
RUT_API rutLogAttachment rut_log_attachment_at(const rutLogFile* file, int attachment);
// Attachment of a name, -1 if there is none.
RUT_API int rut_log_attachment_find(const rutLogFile* file, const char* name);
// Read an attachment into bytes, whose size rut_log_attachment_at gives. Errors: ARGUMENT (no such
// attachment), IO, PARSE (damaged). Nullable: err.
RUT_API rutStatus rut_log_attachment_read(const rutLogFile* file, int attachment, void* bytes,
                                          rutError* err);

// The last message of a channel at or before a time, or its first one if all are later. False if
// there is none or the file cannot be read.
RUT_API bool rut_log_message_at(rutLogFile* file, int channel, double time, rutLogMessage* out);

// Part of a log that is read. Indices out of range are ignored.
typedef struct rutLogSelection {
  int n;             // number of indices
  const int* index;  // [n] of channels, or of signals
  double from, to;   // log times, inclusive [s]
} rutLogSelection;

// Cursor over the messages of some channels (n 0: of all) in order of time. The selection is
// copied. The caller owns *out; the file must outlive it. Nothing is read yet. Errors: MEMORY.
// Nullable: channels->index if n is 0, err.
typedef struct rutLogCursor rutLogCursor;
RUT_API rutStatus rut_log_cursor_create(rutLogFile* file, const rutLogSelection* channels,
                                        rutLogCursor** out, rutError* err);
// The next message. False at the end (err->status is RUT_OK) and on errors: IO, PARSE (damaged),
// MISSING (as in rut_log_open), MEMORY, CAPACITY (more than 64 chunks, or 512 MiB of them, overlap
// in time). Nullable: err.
RUT_API bool rut_log_next(rutLogCursor* cursor, rutLogMessage* out, rutError* err);
RUT_API void rut_log_cursor_destroy(rutLogCursor* cursor);  // Nullable: cursor

// The picture in a message of sensor_msgs/msg/Image (encodings rgb8, bgr8, rgba8, bgra8, mono8,
// mono16, 8UC1, 8UC3, 16UC1, 32FC1; of 32SC1 as 16 bits, 65535 for what is below 0) or of
// CompressedImage (PNG). The caller frees out->pixel with free(). Errors: ARGUMENT (no image),
// PARSE (damaged, or of more than 16384 pixels along a side), MISSING (another encoding), MEMORY.
// Nullable: err.
RUT_API rutStatus rut_log_picture(const rutLogFile* file, const rutLogMessage* message,
                                  rutPicture* out, rutError* err);

// Signals of a log: the numbers in messages of ros2msg schemas. Those of "/NAME/state" are named as
// in rutSignals ("hmmwv/speed"; numbers of arrays of up to 16, "sensor/range_2"), others by topic
// and field ("hmmwv/odom/pose.pose.position.x"). The signal at an index in [0, signals), else one
// with empty strings.
RUT_API rutSignal rut_log_signal_at(const rutLogFile* file, int signal);
// Index of a signal by its whole name, -1 if there is none.
RUT_API int rut_log_signal_find(const rutLogFile* file, const char* name);
// Signal of a misspelt name that was probably meant, NULL if none is near.
RUT_API const char* rut_log_signal_nearest(const rutLogFile* file, const char* name);
// Called for each value in order of time; which is the place of its signal in the selection.
typedef void (*rutLogValue)(int which, double time, double value, void* user);
// Values of the selected signals. Ignores messages that do not match their definition. Errors:
// those of rut_log_next, after the values before the error. Nullable: err.
RUT_API rutStatus rut_log_read_signals(rutLogFile* file, const rutLogSelection* signals,
                                       rutLogValue value, void* user, rutError* err);

// ---------------------------------------------------------------------------------------------
// Logs that a world names: <log> elements of the world and of vehicles
//
// Each is a table of signals with a name, a format and a rate; in a vehicle, of that vehicle's
// signals. It is written in sessions, one file each: NAME.csv, NAME-2.csv, ..., or
// VEHICLE.NAME.csv. A session takes the next number without a file, so that no file is replaced;
// its file is created with its first row. Times ascend within a session: where time goes back (a
// reset, a restored state), the log continues in the next one.
//
// Orders and the conditions of the world file (record_while, session_on, clear_on) act at the end
// of a step, before its row. Logs do not affect the simulation: the state is the same with and
// without them. Calls must come from one thread at a time.

typedef struct rutLoggers rutLoggers;

// Orders to a log. CLEAR removes the rows of the present session; SESSION ends it, if it has rows,
// and begins the next. Neither changes whether the log is paused.
typedef enum rutLoggerOrder {
  RUT_LOGGER_PAUSE,
  RUT_LOGGER_RESUME,
  RUT_LOGGER_CLEAR,
  RUT_LOGGER_SESSION,
  RUT_LOGGER_ORDERS
} rutLoggerOrder;

// Strings are borrowed.
typedef struct rutLoggerInfo {
  const char* name;    // "run", or "vehicle/run"
  const char* format;  // "csv", "mcap", or "sink" for a rutLogSink
  int vehicle;         // its vehicle, -1 for a log of the world
  int columns;         // signals of a row
  double rate;         // of rows [Hz], with a whole number of steps between them
  bool written;        // it has a folder or a sink, and has not failed
  bool paused;         // by an order, or from the start
  bool recording;      // written, not paused, and record_while holds
  int session;         // number of the present session, as in its file name
  int64_t rows;        // of the present session
  const char* file;    // path of the present session, "" if there is none yet
} rutLoggerInfo;

// Receives rows in place of a file. user is passed to every function. A return value other than
// RUT_OK, with err filled, ends the log. Nullable: begin, clear, end.
typedef struct rutLogSink {
  void* user;
  // A session begins with its first row: n columns. Names and units live as long as the loggers.
  rutStatus (*begin)(void* user, const rutLoggerInfo* log, int n, const rutSignal* column,
                     rutError* err);
  // A row: time [s] and a value per column, NaN for missing ones.
  rutStatus (*row)(void* user, double time, int n, const double* value, rutError* err);
  // Discard the rows of the present session.
  rutStatus (*clear)(void* user, rutError* err);
  // The session has ended.
  rutStatus (*end)(void* user, rutError* err);
} rutLogSink;

typedef struct rutLoggersDef {
  size_t struct_size;  // set by rut_default_loggers
  // Folder of the files, created if needed; not a link. Nullable: only logs with a sink are
  // written.
  const char* folder;
  uint64_t seed;        // of the run, and its command line, for logs with metadata
  const char* command;  // Nullable
} rutLoggersDef;
RUT_API rutLoggersDef rut_default_loggers(void);

// The logs of a world, before the first step of its run. Errors: MODEL (a pattern that no signal
// matches, a condition that is no signal), with the place in the world file; IO (the folder),
// MEMORY. The caller owns *out and ends it with rut_loggers_close. Nullable: def, err.
RUT_API rutStatus rut_loggers_create(const rutSpec* spec, const rutModel* model,
                                     const rutLoggersDef* def, rutLoggers** out, rutError* err);
RUT_API int rut_loggers_count(const rutLoggers* loggers);
// Index of a log by its name, -1 if there is none.
RUT_API int rut_loggers_find(const rutLoggers* loggers, const char* name);
// index in [0, count).
RUT_API rutLoggerInfo rut_loggers_info(const rutLoggers* loggers, int logger);
// Signal of a column, from 0 on; one with empty strings for others.
RUT_API rutSignal rut_loggers_column(const rutLoggers* loggers, int logger, int column);
// Send a log to a sink, which is copied, in place of files. Call it before the first
// rut_loggers_step. Errors: ARGUMENT (no such log, no `row`, or too late). Nullable: err.
RUT_API rutStatus rut_loggers_set_sink(rutLoggers* loggers, int logger, const rutLogSink* sink,
                                       rutError* err);
// Log the present state where it is due. Call it before the first step, after every step and after
// the state was set. A log that fails is ended; the others continue. Errors: the first failure, IO,
// MEMORY, or that of a sink. Nullable: err.
RUT_API rutStatus rut_loggers_step(rutLoggers* loggers, const rutModel* model, const rutData* data,
                                   rutError* err);
// Tell the logs that the next state does not follow from the last one, though its time is later.
RUT_API void rut_loggers_jump(rutLoggers* loggers);
// Give an order to a log. Errors: ARGUMENT, and those of ending a session. Nullable: err.
RUT_API rutStatus rut_loggers_order(rutLoggers* loggers, int logger, rutLoggerOrder order,
                                    rutError* err);
// Name of an order: "pause", "resume", "clear", "session"; NULL for others.
RUT_API const char* rut_logger_order_name(rutLoggerOrder order);
// The same by name, for all logs whose names match a pattern (rut_glob). Errors: those of
// rut_loggers_check_order and rut_loggers_order.
RUT_API rutStatus rut_loggers_order_named(rutLoggers* loggers, const char* order,
                                          const char* pattern, rutError* err);
// Check that there is an order of that name and a log that matches the pattern. Errors: ARGUMENT,
// with a message that lists those that exist. Nullable: err.
RUT_API rutStatus rut_loggers_check_order(const rutLoggers* loggers, const char* order,
                                          const char* pattern, rutError* err);
// End all sessions and destroy the loggers. Errors: the first failure of these. Nullable: loggers,
// err.
RUT_API rutStatus rut_loggers_close(rutLoggers* loggers, rutError* err);

// ---------------------------------------------------------------------------------------------
// Collision events: contacts that begin and end

typedef struct rutContactWatch rutContactWatch;

// A pair in contact, in a fixed order; the fixed world (kind -1) is last.
typedef struct rutContactPair {
  int kind_a, index_a, kind_b, index_b;
  double position[2], normal[2];  // world; the normal points from a to b
} rutContactPair;

typedef void (*rutContactEvent)(const rutContactPair* pair, bool begin, void* user);

// A watch without contacts. NULL if out of memory.
RUT_API rutContactWatch* rut_contact_watch_create(void);
// Compare the contacts with those of the last call and report each difference. Call it after every
// rut_step. Errors: MEMORY. Nullable: event.
RUT_API rutStatus rut_contact_watch_update(rutContactWatch* watch, const rutModel* model,
                                           const rutData* data, rutContactEvent event, void* user);
// Nullable: watch.
RUT_API void rut_contact_watch_destroy(rutContactWatch* watch);

// ---------------------------------------------------------------------------------------------
// Motion that the step does not resolve
//
// The residual of a vehicle's balance of energy (rutEnergy) is the error of the integration: what
// an impact or a stiff motion that is shorter than some steps leaves unaccounted for.

typedef struct rutStepWatch rutStepWatch;

// A vehicle on axles whose residual, without the part of free flight, is more than RUT_STEP_SHARE
// of all energy that has flowed, or of that of a fall by 0.1 m where that is more, or has changed
// by as much within RUT_STEP_WINDOW or a step, as in an impact.
#define RUT_STEP_WINDOW 0.02  // [s]
#define RUT_STEP_SHARE  5e-3
typedef struct rutStepResidual {
  int vehicle;
  bool first;          // of this vehicle; later ones are larger
  double time;         // at the end of the window [s]
  double residual;     // then [J]
  double change;       // in the window [J]
  double throughput;   // until then [J]
  double position[3];  // of the vehicle's reference point then [m]
} rutStepResidual;

typedef void (*rutStepEvent)(const rutStepResidual* residual, void* user);

// NULL if out of memory.
RUT_API rutStepWatch* rut_step_watch_create(void);
// Report each residual that is the vehicle's first or larger than those before. Call it
// before the first step and after every step. Errors: MEMORY. Nullable: event.
RUT_API rutStatus rut_step_watch_update(rutStepWatch* watch, const rutModel* model,
                                        const rutData* data, rutStepEvent event, void* user);
// Largest size of the residual of any vehicle since the start, over its throughput by now, or over
// the energy of a fall by 0.1 m where that is more.
RUT_API double rut_step_watch_share(const rutStepWatch* watch);
// As text: "the step of 5 ms does not resolve the motion of 'r1' at t = 0.36 s: ...". At most size
// bytes with the zero.
RUT_API void rut_step_residual_text(const rutModel* model, const rutStepResidual* residual,
                                    char* text, size_t size);
// Nullable: watch.
RUT_API void rut_step_watch_destroy(rutStepWatch* watch);

#define RUT_STEP_LIMIT 1e-4  // of the throughput
// The step that a world needs: the longest whole part 1/n of its timestep, n being 1, 2 or 5 times
// a power of 10 up to 1000, with which no vehicle's residual exceeds `limit` of its throughput. It
// is found by running the world, as often as that takes, so that a run with it is like any other.
typedef struct rutStepOptions {
  double duration;     // of these runs [s]
  double limit;        // 0: RUT_STEP_LIMIT
  uint64_t seed;       // of them
  const char* inputs;  // table of set points that they follow. Nullable: none
  bool interpolate;    // rut_inputs_interpolate
} rutStepOptions;
typedef struct rutStepChoice {
  int parts, runs;
  double timestep;  // [s]
  double share;     // largest residual over throughput with it; above the limit where none holds it
} rutStepChoice;
// The timestep of the spec is changed to the one that is chosen. Errors: those of rut_compile,
// rut_inputs_load and rut_step.
RUT_API rutStatus rut_step_choose(rutSpec* spec, const rutStepOptions* options, rutStepChoice* out,
                                  rutError* err);

// ---------------------------------------------------------------------------------------------
// Vehicles that leave the ground, over the edge of a map or into a hole, and planar vehicles on
// steps

typedef struct rutGroundWatch rutGroundWatch;

// A vehicle that has left all ground: neither its reference point nor a wheel is above any. A
// vehicle on axles then falls; a planar or kinematic one continues in its plane.
// Or a planar vehicle, which follows the ground whatever its height, under one of whose wheels the
// ground has risen or fallen by more than the wheel's radius within such a length.
typedef struct rutGroundExit {
  int vehicle;
  double step;  // height by which the ground has risen at once; 0: it has left the ground [m]
  double time;  // of detection, at most 0.05 s after it happened [s]
  double position[3];  // of its reference point at that time [m]
} rutGroundExit;

typedef void (*rutGroundEvent)(const rutGroundExit* exit, void* user);

// A watch without events. NULL if out of memory.
RUT_API rutGroundWatch* rut_ground_watch_create(void);
// Report each vehicle that has left the ground, once, and the first step of each planar vehicle;
// again after a reset or with another model. Call it before the first step and after every step.
// Free where the ground has no end and no vehicle is planar. Errors: MEMORY. Nullable: event.
RUT_API rutStatus rut_ground_watch_update(rutGroundWatch* watch, const rutModel* model,
                                          const rutData* data, rutGroundEvent event, void* user);
// An event as text: "'r1' left the ground at t = 3.25 s, x = 10.2 m, ...", or "'r1', which is
// planar, was lifted by a step of 0.6 m at t = ...". At most size bytes with the zero.
RUT_API void rut_ground_exit_text(const rutModel* model, const rutGroundExit* exit, char* text,
                                  size_t size);
// Nullable: watch.
RUT_API void rut_ground_watch_destroy(rutGroundWatch* watch);

// Where wheels leave the range in which the laws of deformable soil hold (rutSoilLimit).
typedef struct rutSoilWatch rutSoilWatch;
typedef struct rutSoilEvent {
  int vehicle, wheel;  // the wheel within its vehicle; -1: the chassis
  int soil;            // of RUT_SOIL
  rutSoilLimit limit;
  double value;        // sinkage [m], pressure [Pa], or share of the weight that the chassis has
  double time;         // when it was first seen, at most 0.01 s after it began [s]
  double position[3];  // of the wheel's hub, or the vehicle's reference point, then [m]
} rutSoilEvent;
typedef void (*rutSoilHandler)(const rutSoilEvent* event, void* user);

// A watch without events. NULL if out of memory.
RUT_API rutSoilWatch* rut_soil_watch_create(void);
// Report each limit of each wheel once, when it is first left; again after a reset or with another
// model. Call it after every step. Free where no soil is deformable. Errors: MEMORY. Nullable:
// event.
RUT_API rutStatus rut_soil_watch_update(rutSoilWatch* watch, const rutModel* model,
                                        const rutData* data, rutSoilHandler event, void* user);
// How many were reported, and each, in that order, with the share of the time since the start for
// which it held.
RUT_API int rut_soil_watch_found(const rutSoilWatch* watch);
RUT_API rutSoilEvent rut_soil_watch_event(const rutSoilWatch* watch, int index, double* share);
// An event as text, at most size bytes with the zero.
RUT_API void rut_soil_event_text(const rutModel* model, const rutSoilEvent* event, char* text,
                                 size_t size);
// Nullable: watch.
RUT_API void rut_soil_watch_destroy(rutSoilWatch* watch);

#ifdef __cplusplus
}
#endif

#endif  // RUT_HOST_H
