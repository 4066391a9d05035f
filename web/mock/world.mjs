// SPDX-License-Identifier: BSD-3-Clause
// A small make-believe world for work on the page without the simulator: rolling ground with a soft strip, a
// truck, a robot with a laser, and as many copies as asked for. Kinematics only; nothing here is physics.

const COLORS = ['#c8622d', '#2f7fc2', '#4c9a57', '#c2a22f', '#8a5fb5', '#b84f66'];
export const EXTENT = [-40, -40, 40, 40];
const CELL = 0.1;
const SIDE = 33;

export function ground(x, y) {
  return (
    0.9 * Math.sin(x / 9) * Math.cos(y / 11) +
    0.45 * Math.sin(x / 4.1 + 1) * Math.sin(y / 5.3) +
    0.05 * Math.sin(x * 1.3) * Math.sin(y * 1.1)
  );
}

export function soilAt(x, y) {
  if (Math.abs(y - 4 * Math.sin(x / 12)) < 3) return 1;
  return x > 12 ? 2 : 0;
}

function quaternion(roll, pitch, yaw) {
  const [cr, sr, cp, sp, cy, sy] = [roll, pitch, yaw].flatMap((a) => [
    Math.cos(a / 2),
    Math.sin(a / 2),
  ]);
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}

function multiply(a, b) {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

function turn(q, v) {
  const [w, x, y, z] = q;
  const p = multiply(multiply(q, [0, ...v]), [w, -x, -y, -z]);
  return [p[1], p[2], p[3]];
}

const TRUCK = {
  kind: 'truck',
  mass: 2400,
  outline: [
    [2.35, 1],
    [-2.35, 1],
    [-2.35, -1],
    [2.35, -1],
  ],
  z: [0.35, 1.75],
  wheels: ['fl', 'fr', 'rl', 'rr'],
  at: [
    [1.65, 0.91, 0.47],
    [1.65, -0.91, 0.47],
    [-1.65, 0.91, 0.47],
    [-1.65, -0.91, 0.47],
  ],
  radius: 0.47,
  width: 0.32,
  links: 5,
  speed: 6,
};
const ROBOT = {
  kind: 'robot',
  mass: 36,
  outline: [
    [-0.4, -0.22],
    [0.4, -0.22],
    [0.4, 0.22],
    [-0.4, 0.22],
  ],
  z: [0.08, 0.45],
  wheels: ['lf', 'rf', 'lr', 'rr'],
  at: [
    [0.25, 0.28, 0.13],
    [0.25, -0.28, 0.13],
    [-0.25, 0.28, 0.13],
    [-0.25, -0.28, 0.13],
  ],
  radius: 0.13,
  width: 0.08,
  links: 0,
  speed: 1.2,
};
const LINKS = ['lower arm', 'upper arm', 'tie rod', 'spring', 'damper'];

export class World {
  constructor(copies = 1) {
    this.vehicles = [];
    for (let i = 0; i < copies; i++) {
      this.vehicles.push({ ...TRUCK, name: i ? `truck ${i + 1}` : 'truck', lane: i * 3 });
      this.vehicles.push({ ...ROBOT, name: i ? `robot ${i + 1}` : 'robot', lane: i * 2 });
    }
    this.friction = 0.8;
    this.reset();
  }

  reset() {
    this.time = 0;
    this.steps = 0;
    this.tiles = new Map();
    this.touched = new Set();
    this.rolled = 0;
    this.vehicles.forEach((v, i) => {
      v.state = {
        x: -8 + (i % 2) * 4,
        y: -6 + v.lane + (i % 2) * 5,
        yaw: 0,
        speed: 0,
        steer: 0,
        spin: 0,
      };
      v.drive = null;
    });
  }

  save() {
    return structuredClone({
      time: this.time,
      steps: this.steps,
      states: this.vehicles.map((v) => v.state),
      tiles: [...this.tiles].map(([k, t]) => [k, { ...t, heights: t.heights.slice() }]),
    });
  }

  restore(saved) {
    const copy = structuredClone(saved);
    this.time = copy.time;
    this.steps = copy.steps;
    this.tiles = new Map(copy.tiles);
    this.touched = new Set(this.tiles.keys());
    this.vehicles.forEach((v, i) => (v.state = copy.states[i]));
  }

  step(dt) {
    this.time += dt;
    this.steps++;
    for (const v of this.vehicles) {
      const s = v.state;
      let speed = v.speed * (this.friction / 0.8) * Math.min(1, this.time / 2);
      let steer = v.kind === 'truck' ? 0.25 : 0.3 * Math.sin(this.time * 0.7);
      if (v.drive) {
        const hold = v.drive.brake > 0 || v.drive.handbrake;
        speed = hold ? 0 : v.drive.throttle * v.speed * 1.5;
        steer = v.drive.steering * 0.5;
      }
      s.speed += (speed - s.speed) * Math.min(1, dt * 1.5);
      s.steer += (steer - s.steer) * Math.min(1, dt * 6);
      const base = v.at[0][0] - v.at[3][0];
      s.yaw += (s.speed * Math.tan(s.steer) * dt) / base;
      s.x += Math.cos(s.yaw) * s.speed * dt;
      s.y += Math.sin(s.yaw) * s.speed * dt;
      s.spin += (s.speed * dt) / v.radius;
      if (this.steps % 5 === 0) this.press(v);
    }
  }

  // Ground as it is now.
  height(x, y) {
    const span = (SIDE - 1) * CELL;
    const tile = this.tiles.get(`${Math.floor(x / span)},${Math.floor(y / span)}`);
    if (!tile) return ground(x, y);
    const i = Math.min(SIDE - 1, Math.round((x - tile.column * span) / CELL));
    const j = Math.min(SIDE - 1, Math.round((y - tile.row * span) / CELL));
    return tile.heights[j * SIDE + i];
  }

  press(v) {
    const span = (SIDE - 1) * CELL;
    for (const at of v.at) {
      const c = Math.cos(v.state.yaw);
      const s = Math.sin(v.state.yaw);
      const x = v.state.x + c * at[0] - s * at[1];
      const y = v.state.y + s * at[0] + c * at[1];
      if (soilAt(x, y) !== 1) continue;
      const r = v.width * 0.5;
      for (const [column, row] of new Set(
        [-1, 1].flatMap((a) =>
          [-1, 1].map((b) => [
            Math.floor((x + a * 2 * r) / span),
            Math.floor((y + b * 2 * r) / span),
          ]),
        ),
      )) {
        const key = `${column},${row}`;
        let tile = this.tiles.get(key);
        if (!tile) {
          const heights = new Float32Array(SIDE * SIDE);
          for (let j = 0; j < SIDE; j++)
            for (let i = 0; i < SIDE; i++)
              heights[j * SIDE + i] = ground(
                (column * (SIDE - 1) + i) * CELL,
                (row * (SIDE - 1) + j) * CELL,
              );
          this.tiles.set(key, (tile = { column, row, heights }));
        }
        const depth = v.kind === 'truck' ? 0.14 : 0.05;
        for (let j = 0; j < SIDE; j++)
          for (let i = 0; i < SIDE; i++) {
            const px = (column * (SIDE - 1) + i) * CELL;
            const py = (row * (SIDE - 1) + j) * CELL;
            const d = Math.hypot(px - x, py - y) / r;
            if (d > 2) continue;
            const base = ground(px, py);
            const k = j * SIDE + i;
            if (d <= 1.1) tile.heights[k] = Math.max(base - depth, tile.heights[k] - depth * 0.25);
            else if (tile.heights[k] >= base)
              tile.heights[k] = Math.min(base + depth * 0.3, tile.heights[k] + depth * 0.03);
          }
        this.touched.add(key);
      }
    }
  }

  poses() {
    const vehicles = [];
    const wheels = [];
    const links = [];
    for (const v of this.vehicles) {
      const { x, y, yaw, speed, steer, spin } = v.state;
      const c = Math.cos(yaw);
      const s = Math.sin(yaw);
      const heights = v.at.map(([a, b]) => this.height(x + c * a - s * b, y + s * a + c * b));
      const base = v.at[0][0] - v.at[3][0];
      const track = v.at[0][1] - v.at[1][1];
      const pitch = -Math.atan((heights[0] + heights[1] - heights[2] - heights[3]) / 2 / base);
      const roll = Math.atan((heights[0] + heights[2] - heights[1] - heights[3]) / 2 / track);
      const z = heights.reduce((a, b) => a + b) / 4;
      const q = quaternion(roll, pitch, yaw);
      vehicles.push(x, y, z, ...q, speed);
      v.at.forEach((at, i) => {
        const p = turn(q, at);
        const hub = [x + p[0], y + p[1], heights[i] + v.radius];
        const steered = multiply(
          quaternion(roll, pitch, yaw + (i < 2 ? steer : 0)),
          quaternion(0, spin, 0),
        );
        const load = (v.mass * 9.81) / 4;
        const pull = load * 0.15 * Math.tanh(speed);
        const side = at[1] > 0 ? 1 : -1;
        const up = load * (1 + 0.1 * side * steer * speed);
        wheels.push(...hub, ...steered, hub[0], hub[1], heights[i], pull * c, pull * s, up);
        wheels.push(
          0.05 + 0.02 * Math.sin(this.time * 3 + i),
          soilAt(hub[0], hub[1]) === 1 ? 0.12 : 0,
          Math.max(0, up),
        );
        if (!v.links) return;
        const inner = (y, z) => {
          const o = turn(q, [at[0], side * y, z]);
          return [x + o[0], y_(o, 1), z_(o)];
        };
        const y_ = (o) => v.state.y + o[1];
        const z_ = (o) => z + o[2];
        const low = [hub[0], hub[1], hub[2] - 0.12];
        const high = [hub[0], hub[1], hub[2] + 0.18];
        links.push(...inner(0.3, 0.42), ...low, ...inner(0.45, 0.66), ...high);
        links.push(
          ...inner(0.3, 0.5),
          ...hub,
          ...inner(0.5, 0.85),
          ...low,
          ...inner(0.55, 0.88),
          ...low,
        );
      });
    }
    return { vehicles, wheels, links };
  }

  signals() {
    return this.vehicles.flatMap((v) => [
      { name: `${v.name}/x`, unit: 'm', doc: 'position east' },
      { name: `${v.name}/y`, unit: 'm', doc: 'position north' },
      { name: `${v.name}/speed`, unit: 'm/s', doc: 'forward speed' },
      { name: `${v.name}/steer`, unit: 'rad', doc: 'steering angle' },
      ...v.wheels.map((w) => ({ name: `${v.name}/${w}/load`, unit: 'N', doc: 'normal force' })),
    ]);
  }

  value(name) {
    const v = this.vehicles.find((o) => name.startsWith(`${o.name}/`));
    if (!v) return NaN;
    const key = name.slice(v.name.length + 1);
    if (key in v.state) return v.state[key];
    return (
      (v.mass * 9.81) / 4 + 60 * Math.sin(this.time * 2 + key.charCodeAt(0) + key.charCodeAt(1))
    );
  }

  scene() {
    return {
      version: 1,
      mode: 'live',
      title: 'mock.xml',
      timestep: 0.005,
      gravity: 9.81,
      duration: null,
      extent: EXTENT,
      ground: { flat: false, keeps_ruts: true, rut_cell: CELL },
      soils: [
        { name: 'grass', type: 'magic_formula', color: '#7d8a55' },
        { name: 'clay', type: 'bekker', color: '#a08660' },
        { name: 'gravel', type: 'magic_formula', color: '#8d8a84' },
      ],
      gui: {
        fov: 0.9,
        distance: 16,
        azimuth: -0.9,
        elevation: 0.5,
        follow: 'truck',
        show_forces: true,
        force_scale: 1.5e-4,
      },
      sun: { azimuth: 0.9, elevation: 0.7 },
      assets: [],
      vehicles: this.vehicles.map((v, i) => ({
        name: v.name,
        kind: v.kind,
        color: COLORS[i % COLORS.length],
        ghost: false,
        mass: v.mass,
        chassis: { outline: v.outline, z: v.z },
        visuals: [],
        controller: 'twist_pid',
        commands: [
          { name: 'speed', unit: 'm/s', doc: 'forward speed' },
          { name: 'yaw_rate', unit: 'rad/s', doc: 'yaw rate, positive to the left' },
        ],
        drivable: true,
        wheels: v.wheels.map((name) => ({
          name,
          radius: v.radius,
          width: v.width,
          links: v.links,
        })),
      })),
      links: this.vehicles.flatMap((v) => (v.links ? v.wheels.flatMap(() => LINKS) : [])),
      blocks: [
        {
          name: 'crate',
          outline: [
            [-0.6, -0.6],
            [0.6, -0.6],
            [0.6, 0.6],
            [-0.6, 0.6],
          ],
          z: [0, 1.2],
          color: '#b08040',
          moves: false,
          pose: [6, 6, ground(6, 6) - 0.1, ...quaternion(0, 0, 0.4)],
        },
      ],
      walls: [
        {
          outline: [
            [-14, 10],
            [2, 10],
            [2, 10.25],
            [-14, 10.25],
          ],
          z: [-1, 1.8],
          color: '#b9b5ad',
        },
      ],
      sensors: [
        {
          name: 'robot/laser',
          type: 'laser',
          vehicle: 1,
          pose: [0.3, 0, 0.5, 0, 0, 0],
          rays: 181,
          fov: 4.2,
          range: 20,
        },
      ],
      signals: this.signals(),
      parameters: [
        {
          path: 'soil.friction',
          value: String(this.friction),
          unit: '',
          min: 0,
          max: 2,
          doc: 'share of the speed',
        },
        {
          path: 'truck/tyre.pressure',
          value: '220',
          unit: 'kPa',
          min: 10,
          max: 900,
          doc: 'tyre pressure',
        },
        {
          path: 'robot/controller.proportional_gain',
          value: '40',
          unit: 'N m s',
          min: 0,
          max: 500,
          doc: 'gain',
        },
      ],
    };
  }

  scan() {
    const v = this.vehicles[1];
    const ranges = new Float32Array(181);
    for (let i = 0; i < 181; i++) {
      const a = v.state.yaw + (i / 180 - 0.5) * 4.2;
      const d = (10 - v.state.y) / Math.sin(a);
      const x = v.state.x + d * Math.cos(a);
      ranges[i] = d > 0 && d < 20 && x > -14 && x < 2 ? d : -1;
    }
    return ranges;
  }
}

export const TILE = { cell: CELL, side: SIDE };
