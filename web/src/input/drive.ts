// SPDX-License-Identifier: BSD-3-Clause
// From keys, gamepad and touch to what the wheels are told. Keys are on or off; steering and pedals move evenly.

export interface Controls {
  steering: number; // -1 to 1, left
  throttle: number; // -1 to 1
  brake: number; // 0 to 1
  handbrake: boolean;
}

export interface Hands {
  left: boolean;
  right: boolean;
  forward: boolean;
  back: boolean;
  handbrake: boolean;
}

export interface Pad {
  axes: readonly number[];
  buttons: readonly { pressed: boolean; value: number }[];
  mapping?: string; // 'standard', or what a browser does not know, such as a steering wheel
}

export interface Stick {
  x: number; // right
  y: number; // up
  brake: boolean;
}

const STEER_RATE = 2.2; // [1/s]
const RETURN_RATE = 3.5;
const PEDAL_RATE = 2.5;
const RELEASE_RATE = 5;
const DEAD = 0.09;
const SLOW = 0.4; // below this speed "back" means reverse instead of brake [m/s]

export const REST: Controls = { steering: 0, throttle: 0, brake: 0, handbrake: false };

function toward(from: number, to: number, most: number): number {
  return from + Math.max(-most, Math.min(most, to - from));
}

function beyondDead(x: number): number {
  const size = Math.abs(x);
  return size < DEAD ? 0 : (Math.sign(x) * (size - DEAD)) / (1 - DEAD);
}

// Which pedal "back" is, at a speed forward: the brake, until the vehicle stands, then the throttle in reverse.
function pedals(forward: number, back: number, speed: number): { throttle: number; brake: number } {
  if (forward > 0 && back > 0) return { throttle: 0, brake: Math.max(forward, back) };
  if (back > 0) return speed > SLOW ? { throttle: 0, brake: back } : { throttle: -back, brake: 0 };
  if (forward > 0 && speed < -SLOW) return { throttle: 0, brake: forward };
  return { throttle: forward, brake: 0 };
}

export class DriveMixer {
  private steering = 0;
  private ahead = 0; // -1 to 1
  private readonly moved = new Set<number>(); // axes of a steering wheel that have told where they are

  reset(): void {
    this.steering = this.ahead = 0;
  }

  // speed: forward [m/s].
  mix(
    hands: Hands,
    pad: Pad | null,
    stick: Stick | null,
    speed: number,
    seconds: number,
  ): Controls {
    if (stick) {
      this.reset();
      const { throttle, brake } = pedals(Math.max(0, stick.y), Math.max(0, -stick.y), speed);
      return { steering: -stick.x, throttle, brake: stick.brake ? 1 : brake, handbrake: false };
    }
    const padded = pad ? this.fromPad(pad, speed) : null;
    if (padded) {
      this.reset();
      return { ...padded, handbrake: padded.handbrake || hands.handbrake };
    }
    const steer = (hands.left ? 1 : 0) - (hands.right ? 1 : 0);
    const push = (hands.forward ? 1 : 0) - (hands.back ? 1 : 0);
    const turning = steer !== 0 && steer * this.steering >= 0;
    this.steering = toward(this.steering, steer, (turning ? STEER_RATE : RETURN_RATE) * seconds);
    this.ahead = toward(this.ahead, push, (push !== 0 ? PEDAL_RATE : RELEASE_RATE) * seconds);
    const both = hands.forward && hands.back;
    const { throttle, brake } = both
      ? { throttle: 0, brake: 1 }
      : pedals(Math.max(0, this.ahead), Math.max(0, -this.ahead), speed);
    return { steering: this.steering, throttle, brake, handbrake: hands.handbrake };
  }

  // Standard mapping: left stick steers, triggers are pedals, B is the handbrake. null: nothing is touched.
  private fromPad(pad: Pad, speed: number): Controls | null {
    if (pad.mapping === '' && pad.axes.length > 3) return this.fromWheel(pad, speed);
    const steering = -beyondDead(pad.axes[0] ?? 0);
    const forward = pad.buttons[7]?.value ?? 0;
    const back = pad.buttons[6]?.value ?? 0;
    const handbrake = pad.buttons[1]?.pressed ?? false;
    if (steering === 0 && forward < 0.02 && back < 0.02 && !handbrake) return null;
    return { steering, ...pedals(forward, back, speed), handbrake };
  }

  // A steering wheel with three pedals, clutch, throttle and brake as axes 1 to 3 that rest at 1. Browsers tell 0 until a
  // pedal is touched for the first time. Untouched, it leaves the keys alone.
  private fromWheel(pad: Pad, speed: number): Controls | null {
    pad.axes.forEach((x, i) => x !== 0 && this.moved.add(i));
    const pedal = (axis: number): number =>
      this.moved.has(axis) ? Math.min(1, Math.max(0, (1 - (pad.axes[axis] ?? 1)) / 2)) : 0;
    const [forward, back] = [pedal(2), pedal(3)];
    const steering = -(pad.axes[0] ?? 0);
    if (!this.moved.has(0) && forward < 0.02 && back < 0.02) return null;
    return { steering, ...pedals(forward, back, speed), handbrake: false };
  }
}
