// SPDX-License-Identifier: BSD-3-Clause
// Starts what the page talks to: the command named by RUT_COMMAND, else the make-believe server.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { startMock } from '../../mock/server.mjs';

export const command = process.env.RUT_COMMAND ?? null;

const source = process.env.RUT_SOURCE_DIR ?? fileURLToPath(new URL('../../..', import.meta.url));
export const exampleWorld = (name) => join(source, 'worlds', name);

// rut view or rut replay with these arguments. close() ends it.
export function startRut(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, '--port', '0', '--no-open'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => child.kill('SIGKILL');
    process.on('exit', kill);
    child.on('exit', () => process.off('exit', kill));
    let text = '';
    const read = (data) => {
      text += data;
      const url = /http:\/\/[^\s]+/.exec(text)?.[0];
      if (url) resolve({ url, child, close: () => child.kill('SIGINT') });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${text}`)));
  });
}

export async function startAny(world) {
  return command ? startRut('view', world) : startMock();
}

const MESSAGES = [
  '{"type":"rate","value":1}',
  '{"type":"release","vehicle":0}',
  '{"type":"subscribe","signals":["rover/speed"]}',
  '{"type":"set","path":"nothing/here","value":"1"}',
  '{"type":"drive","vehicle":999,"throttle":1}',
  '{"type":"restore","slot":12}',
  '{"type":"step","n":-1}',
];

// A client that is no page, and not always a polite one.
export class RawClient {
  constructor(socket) {
    this.socket = socket;
  }

  static open(url) {
    const socket = new WebSocket(url.replace('http', 'ws') + 'stream', 'rut.1');
    socket.on('error', () => {});
    return new Promise((resolve, reject) => {
      socket.on('open', () => resolve(new RawClient(socket)));
      socket.on('close', reject);
    });
  }

  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  // Reads nothing more.
  sleep() {
    this.socket.pause();
  }

  // Without a word of farewell.
  vanish() {
    this.socket.terminate();
  }

  // So many messages in so many seconds; every other one with some characters changed. Those that would change
  // something do not occur, and a changed character does not make one.
  async flood(count, seconds) {
    let seed = 1;
    const random = (n) => ((seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % 2147483648) % n;
    const begin = performance.now();
    let sent = 0;
    while (sent < count && this.socket.readyState === WebSocket.OPEN) {
      const due = Math.min(count, ((performance.now() - begin) / 1000 / seconds) * count);
      for (; sent < due; sent++) {
        const text = [...MESSAGES[random(MESSAGES.length)]];
        if (sent % 2)
          for (let k = random(4); k >= 0; k--)
            text[random(10)] = String.fromCharCode(32 + random(500));
        this.socket.send(sent % 50 ? text.join('') : Buffer.from(text.join('')));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return sent;
  }
}
