// SPDX-License-Identifier: BSD-3-Clause
#include "view/radio.h"

#include <math.h>
#include <stdlib.h>

bool view_radio_begin(const rutPackets* packets, double dt, viewRadio* radio) {
  const double most = 1 / dt;
  const double rate = packets->rate > 0 && packets->rate < most ? packets->rate : most;
  // one that is sent, and one that rounding of rates and steps may add
  const int places = (int)ceil((packets->latency + packets->jitter) * rate) + 2;
  *radio = (viewRadio){.letter = calloc((size_t)places, sizeof *radio->letter), .places = places};
  return radio->letter != NULL;
}

void view_radio_end(viewRadio* radio) {
  free(radio->letter);
  *radio = (viewRadio){.letter = NULL};
}

void view_radio_restart(viewRadio* radio) {
  for (int i = 0; radio->letter && i < radio->places; i++) radio->letter[i].number = 0;
}

void view_radio_send(viewRadio* radio, int64_t now, int64_t arrives, const viewAsked* asked) {
  viewLetter* letter = &radio->letter[(radio->sent + 1) % radio->places];
  const bool waits = letter->number > radio->arrived && letter->arrives > now;
  if (waits) return;
  *letter = (viewLetter){.asked = *asked, .number = ++radio->sent, .arrives = arrives};
}

const viewAsked* view_radio_receive(viewRadio* radio, int64_t now) {
  const viewLetter* newest = NULL;
  for (int i = 0; i < radio->places; i++) {
    const viewLetter* letter = &radio->letter[i];
    if (letter->number <= radio->arrived || letter->arrives > now) continue;
    if (!newest || letter->number > newest->number) newest = letter;
  }
  if (newest) {
    radio->arrived = newest->number;
    radio->now = newest->asked;
  }
  return radio->arrived > 0 ? &radio->now : NULL;
}
