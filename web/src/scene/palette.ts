// SPDX-License-Identifier: BSD-3-Clause
// Colours and light of the picture in both themes.

export interface Palette {
  zenith: string;
  horizon: string;
  below: string;
  sun: string;
  sunPower: number;
  ambientSky: string;
  ambientGround: string;
  ambientPower: number;
  environment: number;
  ground: string; // where no soil is named
  floor: string; // beyond the end of the world
  line: string; // contour and grid
  lineAlpha: number;
  label: string;
  labelBack: string;
}

export const LIGHT: Palette = {
  zenith: '#5d93c8',
  horizon: '#d9e4ea',
  below: '#cfd8db',
  sun: '#fff1d6',
  sunPower: 2.7,
  ambientSky: '#cfe0f2',
  ambientGround: '#8d8270',
  ambientPower: 1.15,
  environment: 0.55,
  ground: '#9da08f',
  floor: '#8f979b',
  line: '#2c2a22',
  lineAlpha: 0.3,
  label: '#16202a',
  labelBack: 'rgba(255,255,255,0.86)',
};

export const DARK: Palette = {
  zenith: '#0d1622',
  horizon: '#33445a',
  below: '#283646',
  sun: '#ffe2b8',
  sunPower: 2.0,
  ambientSky: '#9fb0c8',
  ambientGround: '#5a564e',
  ambientPower: 1.7,
  environment: 1.4,
  ground: '#6b706a',
  floor: '#3a4450',
  line: '#0a0d10',
  lineAlpha: 0.42,
  label: '#eef3f8',
  labelBack: 'rgba(16,22,30,0.82)',
};
