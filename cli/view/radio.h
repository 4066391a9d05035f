// SPDX-License-Identifier: BSD-3-Clause
//
// What a person's hands and feet do, on its way to a vehicle that is driven from afar. What has
// come last holds; what a newer one overtakes is dropped.
#ifndef RUT_VIEW_RADIO_H
#define RUT_VIEW_RADIO_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/driver.h"

// What a page, or a program, asks of a vehicle.
typedef struct viewAsked {
  viewPedals pedals;
  bool twisted;  // it follows the twist, not the pedals
  viewTwist twist;
} viewAsked;

typedef struct viewLetter {
  viewAsked asked;
  int64_t number;   // from 1 on, in the order of sending; 0: there is none
  int64_t arrives;  // number of steps made by then
} viewLetter;

typedef struct viewRadio {
  viewLetter* letter;  // ring of `places`, NULL: there is no radio
  int places;
  int64_t sent, arrived;  // numbers of the newest ones; arrived 0: none has
  viewAsked now;          // what has arrived
} viewRadio;

// Begin: room for all that packets may have on their way, at time steps of `dt` [s]. False if out
// of memory; there is then no radio.
bool view_radio_begin(const rutPackets* packets, double dt, viewRadio* radio);
void view_radio_end(viewRadio* radio);
// Nothing is on its way any more: time has jumped.
void view_radio_restart(viewRadio* radio);
// Something is sent after `now` steps that arrives after `arrives`. It is lost where more are on
// their way than there is room for.
void view_radio_send(viewRadio* radio, int64_t now, int64_t arrives, const viewAsked* asked);
// What has arrived after so many steps, NULL: nothing has since the beginning.
const viewAsked* view_radio_receive(viewRadio* radio, int64_t now);

#endif  // RUT_VIEW_RADIO_H
