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

/** Limits for concurrent uploads: in total, per client (a school behind one address), and per address (of a checkout). */
const LIMITS = { inAll: 64, ofClient: 32, toAddress: 12 };
const RETRY_AFTER_SECONDS = 10;
/** After this time, the slowest upload makes room for another, so that a few slow ones can't keep all slots. */
const GUARANTEED_MS = 60_000;

/** Counts concurrent operations by name. */
export function concurrencyCounter() {
  const counts = new Map<string, number>();
  return {
    of: (name: string) => counts.get(name) ?? 0,
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    remove: (name: string) => {
      const remaining = (counts.get(name) ?? 0) - 1;
      if (remaining > 0) counts.set(name, remaining);
      else counts.delete(name);
    },
  };
}

const uploads = concurrencyCounter();
const files = new WeakMap<FastifyRequest, FileHandle[]>();

type Slot = { readonly names: readonly string[]; readonly pace: (now: number) => number; readonly end: () => void };
const slots = new Set<Slot & { readonly since: number }>();

/** Ends the slowest overdue upload with this name. @returns whether there was one */
function endSlowest(name: string, now: number): boolean {
  const overdue = [...slots].filter(({ names, since }) => names.includes(name) && now - since >= GUARANTEED_MS);
  const [slowest] = overdue.toSorted((one, other) => one.pace(now) - other.pace(now));
  slowest?.end();
  return slowest !== undefined;
}

/**
 * Takes a slot until the connection has responded or closed, or for at least a minute if others need it.
 * @param now milliseconds of any clock
 * @throws Failure too-many-requests
 */
export function takeSlot(request: FastifyRequest, now = performance.now()): void {
  // Narrowest first: an upload that ends there makes room everywhere.
  const places: readonly (readonly [name: string, most: number])[] = [
    [`address ${splitAddress(request.url).path}`, LIMITS.toAddress],
    ...networksOf(request.ip).map(
      (network, width) => [`client ${network}`, LIMITS.ofClient * WIDER_SHARE ** width] as const,
    ),
    ['all', LIMITS.inAll],
  ];
  const isFull = ([name, most]: (typeof places)[number]) => uploads.of(name) >= most && !endSlowest(name, now);
  if (places.some(isFull)) throw tooManyRequests(RETRY_AFTER_SECONDS);
  const { socket } = request.raw;
  const names = places.map(([name]) => name);
  for (const name of names) uploads.add(name);
  const bytesBefore = socket.bytesRead;
  const leave = () => {
    if (slots.delete(place)) for (const name of names) uploads.remove(name);
    socket.off('close', leave);
  };
  const end = () => {
    leave();
    socket.destroy();
  };
  const pace = (time: number) => (socket.bytesRead - bytesBefore) / (time - now);
  const place = { names, since: now, pace, end };
  slots.add(place);
  leaving.set(request, leave);
  socket.once('close', leave);
}

const leaving = new WeakMap<FastifyRequest, () => void>();

const ended = new WeakSet<FastifyRequest>();

/** Releases the slot and the files of a request. */
export async function endUpload(request: FastifyRequest): Promise<void> {
  ended.add(request);
  leaving.get(request)?.();
  for (const file of files.get(request) ?? []) await file.close().catch(() => undefined);
  files.delete(request);
}

/** Writes an uploaded file to disk without a name, so that a crash leaves nothing behind. */
export async function writeDown(request: FastifyRequest, content: Readable): Promise<Uploaded> {
  const name = path.join(os.tmpdir(), `city-climate-fund-upload-${randomUUID()}`);
  const file = await fs.open(name, 'wx+', 0o600);
  files.set(request, [...(files.get(request) ?? []), file]);
  await fs.unlink(name);
  if (ended.has(request)) {
    // The upload ended while its file was being opened.
    await file.close();
    throw new Error('The connection is closed.');
  }
  let length = 0;
  // Otherwise an upload that never ends would be awaited forever.
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
