// SPDX-License-Identifier: BSD-3-Clause
// Addresses of the server's pages, with the token of this page's own address.

export function address(path: string, query: Record<string, string | number> = {}): string {
  const url = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const token = new URLSearchParams(location.search).get('token');
  if (token) url.searchParams.set('token', token);
  return url.href;
}

export function streamAddress(): string {
  return address('stream').replace(/^http/, 'ws');
}

export async function fetchBytes(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${new URL(url).pathname}: ${answer.status}`);
  return answer.arrayBuffer();
}

export interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  nx: number;
  ny: number;
}

export async function fetchHeights(area: Area): Promise<Float32Array> {
  const bytes = await fetchBytes(address('terrain', { ...area }));
  if (bytes.byteLength !== area.nx * area.ny * 4) throw new Error('terrain of the wrong size');
  return new Float32Array(bytes);
}

export async function fetchSoils(area: Area): Promise<Uint8Array> {
  const bytes = await fetchBytes(address('soil', { ...area }));
  if (bytes.byteLength !== area.nx * area.ny) throw new Error('soil of the wrong size');
  return new Uint8Array(bytes);
}
