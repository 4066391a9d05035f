// SPDX-License-Identifier: BSD-3-Clause
// How each example world is shown: after `time` [s], run at `rate`; azimuth and elevation of the camera [deg].
// The picture frames the way of the `vehicles` (numbers; all if left out), or with `path: false` the vehicles where
// they are then; `near` scales the distance of the camera, `shift` moves what it looks at. `target` and `distance`
// say both outright.

const close = { path: false, near: 2.6, elevation: 16 };

export const SHOTS = {
  default: { time: 4, rate: 2 },
  brake_test: { time: 5, near: 0.92, elevation: 24 },
  corridor: { time: 5, target: [9, 0, 0], distance: 31, elevation: 48, azimuth: -75 },
  demo: { time: 7, target: [0, 0, 0], distance: 36, elevation: 36 },
  depot: { time: 9.5, rate: 3, near: 0.85, shift: [1.5, 0, 0] },
  elevation: { time: 8, vehicles: [0], path: false, near: 4, elevation: 12, azimuth: -35 },
  endurance: { time: 48, rate: 5, ...close, near: 4, elevation: 24, azimuth: -20 },
  figure_of_eight: { time: 60, rate: 8, near: 0.75, elevation: 24 },
  hills: { time: 12, rate: 3, near: 0.8, elevation: 24 },
  hmmwv: { time: 6, ...close, azimuth: -10 },
  mechanisms: { time: 0.03, rate: 0.01, target: [3, 0, 2], distance: 6.4, elevation: 10 },
  mixed_ground: { time: 7, near: 0.85, elevation: 24 },
  obstacles: { time: 3.3, rate: 1, near: 0.65, elevation: 18, shift: [1.5, 0, 0] },
  ramp: { time: 2.5, near: 0.85, elevation: 30 },
  ropes: { time: 8, near: 1.25, shift: [0, -1, 0] },
  rover_jump: { time: 0.35, rate: 0.05, elevation: 16, azimuth: -70 },
  rover_ramp: { time: 7.3, rate: 1, path: false, near: 2.4, azimuth: -72, elevation: 12 },
  rover_sine: { time: 5, rate: 1, path: false, near: 3, azimuth: -68, elevation: 12 },
  skid_steer: { time: 15, rate: 3, near: 0.9 },
  slalom: { time: 4, near: 1.25 },
  soils: { time: 6, rate: 1, near: 0.75, elevation: 22 },
  split_friction: { time: 4.5, elevation: 24 },
  swarm: { time: 6, near: 0.7 },
  trailer: { time: 20, rate: 4 },
  warehouse: { time: 10, rate: 3, target: [0, -1, 0], distance: 26, elevation: 38 },
  'manoeuvres/acceleration': { time: 8, ...close, azimuth: -35 },
  'manoeuvres/braking': { time: 12.5, ...close, azimuth: -35 },
  'manoeuvres/circle': { time: 24, rate: 4, near: 0.8 },
  'manoeuvres/double_lane_change_iso': {
    time: 12,
    ...close,
    near: 3.5,
    azimuth: -25,
    elevation: 20,
  },
  'manoeuvres/double_lane_change_nato': {
    time: 12,
    ...close,
    near: 3.5,
    azimuth: -25,
    elevation: 20,
  },
  'manoeuvres/drawbar_pull': { time: 15, rate: 4, ...close, azimuth: -140 },
  'manoeuvres/gradeability': { time: 12, ...close, near: 3.5, azimuth: -80, elevation: 8 },
  'manoeuvres/half_round': { time: 4, ...close, azimuth: -60 },
  'manoeuvres/multi_pass': { time: 9, path: false, near: 1.1, azimuth: -155, elevation: 20 },
  'manoeuvres/side_slope': { time: 9, ...close, near: 3.2, azimuth: -20, elevation: 10 },
  'manoeuvres/step_steer': { time: 8, ...close, near: 3.5, azimuth: 10, elevation: 20 },
  'manoeuvres/v_ditch': { time: 6, ...close, azimuth: -70 },
  // The one of the README.
  view: {
    world: 'endurance',
    file: 'view.jpg',
    time: 49,
    rate: 5,
    width: 1200,
    height: 675,
    bytes: 200e3,
    path: false,
    near: 3,
    elevation: 15,
    azimuth: -18,
  },
};
