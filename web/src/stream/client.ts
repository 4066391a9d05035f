// SPDX-License-Identifier: BSD-3-Clause
// The WebSocket: connects, connects again when lost, hands on frames and messages.

import { streamAddress } from './address.ts';
import { decodeFrame, type Frame } from './frame.ts';
import { decodeSample, isSample, type Sample } from './sample.ts';
import { readReply, type Reply, type Request } from './messages.ts';

export type Link = 'connecting' | 'open' | 'lost';

export interface Listener {
  frame(frame: Frame): void;
  sample(sample: Sample): void;
  reply(reply: Reply): void;
  link(state: Link): void;
  fault(message: string): void;
}

const FIRST_WAIT = 300; // [ms]
const LONGEST_WAIT = 4000;

export class Client {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private timer = 0;
  private closed = false;

  constructor(private readonly listener: Listener) {}

  connect(): void {
    clearTimeout(this.timer);
    this.listener.link('connecting');
    const socket = new WebSocket(streamAddress(), 'rut.1');
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.listener.link('open');
    };
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (typeof event.data === 'string') this.text(event.data);
      else this.binary(event.data);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (this.closed) return;
      this.listener.link('lost');
      this.timer = window.setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 1.6);
    };
  }

  // At once, for the button that a person presses who does not want to wait.
  retry(): void {
    if (this.socket) return;
    this.wait = FIRST_WAIT;
    this.connect();
  }

  send(request: Request): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private text(text: string): void {
    const reply = readReply(text);
    if (reply) this.listener.reply(reply);
  }

  private binary(buffer: ArrayBuffer): void {
    try {
      if (isSample(buffer)) this.listener.sample(decodeSample(buffer));
      else this.listener.frame(decodeFrame(buffer));
    } catch (error) {
      this.listener.fault(error instanceof Error ? error.message : String(error));
    }
  }
}
