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
  X(refline_offset_x) X(refline_offset_y) X(refline_offset_z)
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

typedef struct rutCrgHead {
  double key[RUT_CRG_KEY_COUNT];  // NaN where not given
  int channels;
  rutCrgChannel channel[RUT_CRG_MAX_SECTIONS];
  bool binary, wide;  // numbers of 8 bytes, or 20 columns
  bool defined;       // a format was given
  size_t data;        // offset of the first byte behind the line of $
  int line;           // number of that line
} rutCrgHead;

// Read up to the line "$$$$". Errors are reported. False after one.
bool rut_crg_head(const char* text, size_t size, const char* file, rutReporter* reporter,
                  rutCrgHead* head);

#endif  // RUT_FORMAT_CRG_HEAD_H
