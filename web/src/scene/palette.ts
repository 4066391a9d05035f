// SPDX-License-Identifier: BSD-3-Clause
// Colours of the picture: of daylight by the height of the sun, and of labels and lines by the theme of the page.

import { Color } from 'three';

export interface Palette {
  line: string; // contour and grid
  lineAlpha: number;
  label: string;
  labelBack: string;
}

export const LIGHT: Palette = {
  line: '#2c2a22',
  lineAlpha: 0.3,
  label: '#16202a',
  labelBack: 'rgba(255,255,255,0.86)',
};

export const DARK: Palette = {
  line: '#0a0d10',
  lineAlpha: 0.36,
  label: '#eef3f8',
  labelBack: 'rgba(16,22,30,0.82)',
};

export interface Daylight {
  zenith: Color;
  horizon: Color;
  below: Color;
  sun: Color;
  sunPower: number;
  ambientSky: Color;
  ambientGround: Color;
  ambientPower: number;
  environment: number; // power of the sky in shiny things
  clouds: number; // share of the sky, 0 to 1
}

type Row = [
  elevation: number, // of the sun [deg]
  zenith: string,
  horizon: string,
  below: string,
  sun: string,
  sunPower: number,
  sky: string,
  ground: string,
  power: number,
  environment: number,
];

// A night that can still be seen in, dusk, low sun, and day.
const ROWS: Row[] = [
  [-12, '#070b14', '#182234', '#121823', '#8fa6d0', 0.6, '#6f86b0', '#2c3038', 1.3, 0.25],
  [-3, '#16243f', '#6d6a78', '#4a4a50', '#ff9a5c', 0.5, '#7386a8', '#4a423c', 0.8, 0.3],
  [4, '#3a5f92', '#e3b892', '#9d8b7a', '#ffb272', 2.3, '#9db2d0', '#7a6650', 0.9, 0.45],
  [15, '#3f77b5', '#dcdcd3', '#b4b2a8', '#ffdfb4', 3.9, '#cbd8ea', '#8d7a60', 0.8, 0.42],
  [40, '#3a78bd', '#d3e0e8', '#bcc3c0', '#fff0d8', 4.2, '#d2deee', '#93836b', 0.8, 0.42],
];

const NIGHT = -12; // elevation of the sun in full night [deg]
const LAMPS = -4; // below this vehicles have their head lamps on [deg]
const FULL_MOON = 1.5; // power of its light, of the sun's 4
const MOONLIGHT = 0.1; // a light whose brightest colour is darker is that of the moon

// Elevation of the sun that the sky looks like [deg]: a light as dark as the moon's makes a night, wherever it stands.
export function skyElevation(elevation: number, tint: string): number {
  const { r, g, b } = new Color(tint);
  const degrees = (elevation * 180) / Math.PI;
  return Math.max(r, g, b) < MOONLIGHT ? Math.min(degrees, NIGHT) : degrees;
}

const isMoon = (elevation: number, tint: string): boolean =>
  skyElevation(elevation, tint) * (Math.PI / 180) < elevation;

export const needsLamps = (elevation: number, tint: string): boolean =>
  skyElevation(elevation, tint) < LAMPS;

const luminance = (c: Color): number => 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;

// Light of sun and sky on a surface that faces the sun, in the picture.
export const lightOf = (day: Daylight): number =>
  day.sunPower * luminance(day.sun) + day.ambientPower * luminance(day.ambientSky);

const GREY = { zenith: '#a3adb7', horizon: '#cfd4d7', below: '#a9adab', sky: '#cfd5da' };

// Share of the sky that clouds cover, as far as it shows in the light: what a clear sky sends of all light is half at
// most by day; under clouds all of it comes from the sky.
function overcast(degrees: number, ambient: number): number {
  const day = Math.max(0, Math.min(1, (degrees - 2) / 8));
  return day * Math.max(0, 2 * ambient - 1);
}

function cover(light: Daylight, share: number): Daylight {
  if (share === 0) return light;
  light.zenith.lerp(new Color(GREY.zenith), share);
  light.horizon.lerp(new Color(GREY.horizon), share);
  light.below.lerp(new Color(GREY.below), share);
  light.ambientSky.lerp(new Color(GREY.sky), share);
  light.sunPower *= 1 - share;
  light.ambientPower += 1.9 * share;
  light.environment += 0.3 * share;
  light.clouds *= 1 - share;
  return light;
}

// By the elevation of the sun, the colour of its light, and the part of the light that comes from the sky.
export function daylight(elevation: number, tint: string, ambient: number): Daylight {
  const degrees = skyElevation(elevation, tint);
  const above = ROWS.findIndex((row) => row[0] >= degrees);
  const high = ROWS[above < 0 ? ROWS.length - 1 : above]!;
  const low = above > 0 ? ROWS[above - 1]! : high;
  const t = high[0] > low[0] ? (degrees - low[0]) / (high[0] - low[0]) : 0;
  const mix = (k: 1 | 2 | 3 | 4 | 6 | 7): Color => new Color(low[k]).lerp(new Color(high[k]), t);
  const blend = (k: 5 | 8 | 9): number => low[k] + (high[k] - low[k]) * t;
  const clear = {
    zenith: mix(1),
    horizon: mix(2),
    below: mix(3),
    sun: isMoon(elevation, tint) ? mix(4) : mix(4).multiply(new Color(tint)),
    sunPower: isMoon(elevation, tint) ? FULL_MOON : blend(5),
    ambientSky: mix(6),
    ambientGround: mix(7),
    ambientPower: blend(8),
    environment: blend(9),
    clouds: 0.55,
  };
  return cover(clear, overcast(degrees, ambient));
}
