// SPDX-License-Identifier: BSD-3-Clause
//
// One log as a replay shows it: scene, ground, files, and the frame that holds at a time.
#ifndef RUT_VIEW_RECORDING_H
#define RUT_VIEW_RECORDING_H

#include <jansson.h>

#include "rut/host.h"
#include "scene/bytes.h"
#include "scene/content.h"
#include "scene/frame_read.h"

// Ground of a tile from a time on.
typedef struct viewRut {
  double time;
  int order;  // in the log
  int32_t column, row;
  bool first;             // of its place
  double until;           // when the next one of its place holds
  unsigned char* height;  // owned
} viewRut;

// A file of the scene that is what its place in the scene says; else its bytes are NULL.
typedef struct viewRecordedFile {
  viewBytes* bytes;
  viewContent content;
} viewRecordedFile;

typedef struct viewRecording {
  rutLogFile* file;
  int channel;
  json_t* scene;
  viewShape shape;  // of its frames
  double start, end;
  // the frame that holds
  rutLogCursor* cursor;
  unsigned char* held;
  size_t held_size;
  double held_time;
  unsigned char* next;  // the one after it, NULL at the end
  size_t next_size;
  double next_time;
  rutError fault;  // why there is no next one, status RUT_OK: the log ends
  // ground at the start
  double extent[4];
  viewBytes *height, *soil;  // rasters, NULL: flat, and of one kind
  viewRut* rut;
  int ruts;
  viewRecordedFile* asset;
  int assets;
} viewRecording;

// Open a log that was made with frames. Errors: those of rut_log_open and rut_log_next, VERSION (it
// has no frames).
rutStatus view_recording_open(const char* path, viewRecording* recording, rutError* err);
void view_recording_close(viewRecording* recording);
// Hold the last frame at or before a time, wherever it is. True if another holds.
bool view_recording_seek(viewRecording* recording, double time);
// Go on to it. Calls passed, if there is one, for frames that held on the way.
typedef void (*viewPassed)(void* user);
bool view_recording_advance(viewRecording* recording, double time, viewPassed passed, void* user);
// The last frame at or before a time, which the caller frees; NULL if there is none.
unsigned char* view_recording_frame(viewRecording* recording, double time, size_t* size);
// Height of the ground at the start, NaN off it; and its soil, 255 where none is named.
float view_recording_height(const viewRecording* recording, double x, double y);
unsigned char view_recording_soil(const viewRecording* recording, double x, double y);

#endif  // RUT_VIEW_RECORDING_H
