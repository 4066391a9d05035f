// SPDX-License-Identifier: BSD-3-Clause
//
// Models and worlds of Gazebo (SDF, http://sdformat.org): their frames, and robots as a URDF has
// them, from which the same planar vehicles are made.
#ifndef RUT_FORMAT_SDF_H
#define RUT_FORMAT_SDF_H

#include "format/urdf.h"

enum { RUT_SDF_MAX_FRAMES = 2048 };

typedef enum rutSdfKind { RUT_SDF_MODEL, RUT_SDF_LINK, RUT_SDF_JOINT, RUT_SDF_FRAME } rutSdfKind;

// Whatever has a name and a pose.
typedef struct rutSdfFrame {
  rutSdfKind kind;
  const char* name;  // with those of the models around it: "arm::link"; "" of the outermost model
  const rutXmlElement* element;
  int scope;          // frame of the model that it is in
  int state;          // 0: not placed, 1: being placed, 2: placed
  rutFramePose pose;  // in the outermost model
  int own_state;      // as state
  rutFramePose own;   // in what its <pose> is relative to
  int link;           // of the robot, where it is one
} rutSdfFrame;

typedef struct rutSdf {
  rutUrdf* robot;
  rutReporter* reporter;
  double version;
  int frames;
  rutSdfFrame* frame;
} rutSdf;

// ---- elements (sdf_frames.c) ----

// Child of an element by its name, NULL if there is none. Nullable: element.
const rutXmlElement* rut_sdf_child(const rutXmlElement* element, const char* name);
// Text of a child, "" if there is none.
const char* rut_sdf_text(const rutXmlElement* element, const char* name);
// Value of an attribute, "" if there is none.
const char* rut_sdf_attribute(const rutXmlElement* element, const char* name);
rutPlace rut_sdf_place(const rutXmlElement* element);
// n numbers of a child's text; `out` stays where it is not there. False after an error.
bool rut_sdf_numbers(rutSdf* sdf, const rutXmlElement* element, const char* name, int n,
                     double* out);
// The <pose> in an element, whatever it is relative to.
rutFramePose rut_sdf_pose(rutSdf* sdf, const rutXmlElement* element);

// ---- frames ----

// List the frames of a model and of the models in it. Errors are reported.
void rut_sdf_list(rutSdf* sdf, const rutXmlElement* model);
// A frame by its name as it is seen in a model, -1 if there is none.
int rut_sdf_find(const rutSdf* sdf, int scope, const char* name);
// Where a frame is. Identity after an error, which is reported.
rutFramePose rut_sdf_place_frame(rutSdf* sdf, int frame);
// Where the outermost model is in what its <pose> is relative to. Identity after an error, which is
// reported.
rutFramePose rut_sdf_outer_pose(rutSdf* sdf);
// The frame of the link that a frame is attached to, -1 if there is none.
int rut_sdf_link_of(const rutSdf* sdf, int frame);

// ---- models ----

// Read a model into a robot. Names are of the document, which must outlive it. Errors, reported:
// MODEL, CAPACITY, MEMORY. The caller frees it whatever is returned.
rutStatus rut_sdf_read_model(const rutXmlElement* model, const char* file, double version,
                             rutReporter* reporter, rutUrdf* out);

// Where a model is in what its <pose> is relative to. Errors are reported.
rutFramePose rut_sdf_model_pose(const rutXmlElement* model, const char* file,
                                rutReporter* reporter);

// True if the first element is <sdf>, or <gazebo> of old.
bool rut_sdf_recognise(const char* text, size_t size);
// Read the first robot of a file into a world. Findings are reported; the first error is returned.
// Nullable: out.
rutStatus rut_sdf_add_vehicle(rutContext* context, const char* text, size_t size, const char* file,
                              const rutVehiclePlace* to, rutNode* out);

#endif  // RUT_FORMAT_SDF_H
