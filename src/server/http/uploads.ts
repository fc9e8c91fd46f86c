import { randomUUID } from 'node:crypto';
import fs, { type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import { tooManyRequests } from '#domain/refusals.ts';
import type { Uploaded } from '#server/gateways/pictures/pictures.ts';
import { splitAddress } from './address.ts';
import { networksOf, WIDER_SHARE } from './network.ts';

/** Uploads under way: in all, from a client (a school behind one address), and to one address (of a checkout). */
const MOST = { inAll: 64, ofClient: 32, toAddress: 12 };
const RETRY_AFTER_SECONDS = 10;
/** From then on the slowest gives its place to another, so that few slow ones cannot keep all places. */
const SURE_MS = 60_000;

/** Counts what is under way by name. */
export function underWay() {
  const counts = new Map<string, number>();
  return {
    of: (name: string) => counts.get(name) ?? 0,
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    remove: (name: string) => {
      const left = (counts.get(name) ?? 0) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    },
  };
}

const uploads = underWay();
const files = new WeakMap<FastifyRequest, FileHandle[]>();

type Place = { readonly names: readonly string[]; readonly pace: (now: number) => number; readonly end: () => void };
const held = new Set<Place & { readonly since: number }>();

/** Ends the slowest upload among those with this name that have had their time. @returns whether there was one */
function endSlowest(name: string, now: number): boolean {
  const late = [...held].filter(({ names, since }) => names.includes(name) && now - since >= SURE_MS);
  const [slowest] = late.toSorted((one, other) => one.pace(now) - other.pace(now));
  slowest?.end();
  return slowest !== undefined;
}

/**
 * Takes a place until the connection has answered or closed, after a minute at the longest if others need it.
 * @param now in milliseconds, of any clock
 * @throws Failure too-many-requests
 */
export function takePlace(request: FastifyRequest, now = performance.now()): void {
  // The narrowest first: who gives way there gives way everywhere.
  const places: readonly (readonly [name: string, most: number])[] = [
    [`address ${splitAddress(request.url).path}`, MOST.toAddress],
    ...networksOf(request.ip).map(
      (network, width) => [`client ${network}`, MOST.ofClient * WIDER_SHARE ** width] as const,
    ),
    ['all', MOST.inAll],
  ];
  const isFull = ([name, most]: (typeof places)[number]) => uploads.of(name) >= most && !endSlowest(name, now);
  if (places.some(isFull)) throw tooManyRequests(RETRY_AFTER_SECONDS);
  const { socket } = request.raw;
  const names = places.map(([name]) => name);
  for (const name of names) uploads.add(name);
  const before = socket.bytesRead;
  const leave = () => {
    if (held.delete(place)) for (const name of names) uploads.remove(name);
    socket.off('close', leave);
  };
  const end = () => {
    leave();
    socket.destroy();
  };
  const pace = (at: number) => (socket.bytesRead - before) / (at - now);
  const place = { names, since: now, pace, end };
  held.add(place);
  leaving.set(request, leave);
  socket.once('close', leave);
}

const leaving = new WeakMap<FastifyRequest, () => void>();

const ended = new WeakSet<FastifyRequest>();

/** Gives back the place and the files of a request. */
export async function endUpload(request: FastifyRequest): Promise<void> {
  ended.add(request);
  leaving.get(request)?.();
  for (const file of files.get(request) ?? []) await file.close().catch(() => undefined);
  files.delete(request);
}

/** Writes a file of a form to disk, under no name, so that nothing is left behind by a crash. */
export async function writeDown(request: FastifyRequest, content: Readable): Promise<Uploaded> {
  const name = path.join(os.tmpdir(), `city-climate-fund-upload-${randomUUID()}`);
  const file = await fs.open(name, 'wx+', 0o600);
  files.set(request, [...(files.get(request) ?? []), file]);
  await fs.unlink(name);
  if (ended.has(request)) {
    // It ended while its file was opened.
    await file.close();
    throw new Error('The connection is closed.');
  }
  let length = 0;
  // Otherwise what was begun and never ends would be waited for.
  const stop = () => content.destroy(new Error('The connection is closed.'));
  const { socket } = request.raw;
  socket.once('close', stop);
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      await file.writeFile(chunk);
      length += chunk.length;
    }
  } finally {
    socket.off('close', stop);
  }
  return { length, read: () => buffer(file.createReadStream({ start: 0, autoClose: false })) };
}
