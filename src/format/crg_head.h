// SPDX-License-Identifier: BSD-3-Clause
//
// What stands before the data of an OpenCRG file.
#ifndef RUT_FORMAT_CRG_HEAD_H
#define RUT_FORMAT_CRG_HEAD_H

#include "format/crg.h"

// Keys that have a number.
// clang-format off
#define RUT_CRG_KEYS(X) \
  X(reference_line_start_u) X(reference_line_end_u) X(reference_line_increment) \
  X(reference_line_start_x) X(reference_line_start_y) X(reference_line_start_z) \
  X(reference_line_start_phi) X(reference_line_end_x) X(reference_line_end_y) \
  X(reference_line_end_z) X(reference_line_end_phi) X(reference_line_start_b) \
  X(reference_line_end_b) X(reference_line_start_s) X(reference_line_end_s) \
  X(long_section_v_right) X(long_section_v_left) X(long_section_v_increment) \
  X(border_mode_u) X(border_mode_v) X(border_offset_u) \
  X(border_offset_v) X(scale_z_grid) X(scale_slope) \
  X(scale_banking) X(scale_length) X(scale_width) \
  X(refline_offset_x) X(refline_offset_y) X(refline_offset_z) \
  X(refline_offset_phi) X(refline_rotcenter_x) X(refline_rotcenter_y) \
  X(refpoint_u) X(refpoint_u_fraction) X(refpoint_u_offset) \
  X(refpoint_v) X(refpoint_v_fraction) X(refpoint_v_offset) \
  X(refpoint_x) X(refpoint_y) X(refpoint_z) X(refpoint_phi) \
  X(scale_curvature) X(grid_nan_mode) X(grid_nan_offset)
// clang-format on
enum {
#define X(name) RUT_CRG_##name,
  RUT_CRG_KEYS(X)
#undef X
      RUT_CRG_KEY_COUNT
};

typedef enum rutCrgChannelKind {
  RUT_CRG_SECTION,  // heights along one v
  RUT_CRG_PHI,
  RUT_CRG_SLOPE,
  RUT_CRG_BANKING,
  RUT_CRG_OTHER  // not used
} rutCrgChannelKind;

typedef struct rutCrgChannel {
  rutCrgChannelKind kind;
  double v;       // of a section, NaN: it has a number
  double number;  // then
} rutCrgChannel;

// Blocks that have keys.
typedef enum rutCrgBlock {
  RUT_CRG_MODIFIERS,
  RUT_CRG_OPTIONS,
  RUT_CRG_ROAD,
  RUT_CRG_BLOCKS
} rutCrgBlock;

enum { RUT_CRG_MAX_NAME = 1024 };

typedef struct rutCrgHead {
  double key[RUT_CRG_KEY_COUNT];  // NaN where not given
  int channels;
  rutCrgChannel channel[RUT_CRG_MAX_SECTIONS];
  bool binary, wide;  // numbers of 8 bytes, or 20 columns
  bool defined;       // a format was given
  bool road;          // a $ROAD_CRG was
  bool has[RUT_CRG_BLOCKS];
  char include[RUT_CRG_MAX_NAME];  // file that has the data, "": this one
  int include_line;                // of $ROAD_CRG_FILE
  bool late[RUT_CRG_KEY_COUNT];    // given behind it
  size_t data;                     // offset of the first byte behind the line of $
  int line;                        // number of that line
} rutCrgHead;

// The block that a key belongs to.
rutCrgBlock rut_crg_block_of(int key);
// Read up to the line "$$$$", or all of a file that refers to another one. Errors are reported.
// False after one.
bool rut_crg_head(const char* text, size_t size, const char* file, rutReporter* reporter,
                  rutCrgHead* head);

#endif  // RUT_FORMAT_CRG_HEAD_H
