// SPDX-License-Identifier: BSD-3-Clause
//
// What rain, snow and fog take from microwaves.
#ifndef RUT_SENSE_RADIO_AIR_H
#define RUT_SENSE_RADIO_AIR_H

typedef struct rutRadioAir {
  double frequency;   // [Hz]
  double rain, snow;  // rates, as water [m/s]
  int wet_snow;       // its flakes are wet
  double visibility;  // in fog [m], 0: no fog
} rutRadioAir;

// Part of the power that is lost per length, one way [1/m].
double rut_radio_extinction(const rutRadioAir* air);

#endif  // RUT_SENSE_RADIO_AIR_H
