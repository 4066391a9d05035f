// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of logs in CDR (OMG DDSI-RTPS, 10.2): little-endian, numbers at multiples of their size.
// What would be read beyond the end is 0, NaN or nothing, and `bad` tells it.
#ifndef RUT_VIEW_CDR_H
#define RUT_VIEW_CDR_H

#include <stdbool.h>

#include "rut/host.h"

typedef struct viewCdr {
  const unsigned char* data;  // behind the encapsulation
  size_t size, at;
  bool bad;  // it was read beyond its end
} viewCdr;

viewCdr view_cdr_of(const rutLogMessage* message);
// Bytes in place; NULL beyond the end.
const unsigned char* view_cdr_get(viewCdr* cdr, size_t size, size_t align);
uint32_t view_cdr_u32(viewCdr* cdr);
float view_cdr_f32(viewCdr* cdr);
double view_cdr_f64(viewCdr* cdr);
// "" where there is none.
const char* view_cdr_text(viewCdr* cdr);
double view_cdr_time(viewCdr* cdr);
// std_msgs/msg/Header: its time [s]; the frame is passed over.
double view_cdr_header(viewCdr* cdr);

#endif  // RUT_VIEW_CDR_H
