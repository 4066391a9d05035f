// SPDX-License-Identifier: BSD-3-Clause
//
// A running world as the server sees it.
#ifndef RUT_VIEW_LIVE_H
#define RUT_VIEW_LIVE_H

#include "view/backend.h"
#include "view/workshop.h"

typedef struct viewLive {
  viewWorkshop* workshop;
  viewSlots* slots;
  const rutSignals* signals;
  viewBytes* study;  // its table, NULL: there is none
} viewLive;

// live stays where it is as long as the backend is used.
viewBackend view_live_backend(viewLive* live);

#endif  // RUT_VIEW_LIVE_H
