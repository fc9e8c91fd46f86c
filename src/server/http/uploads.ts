import { randomUUID } from 'node:crypto';
import fs, { type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import { tooManyRequests } from '#domain/server-failures.ts';
import type { UploadedFile } from '#server/gateways/pictures/pictures.ts';
import { splitAddress } from './address.ts';
import { networksOf, WIDER_NETWORK_FACTOR } from './network.ts';

/** Limits for concurrent uploads: in total, per client (such as a school), and per address (such as a checkout's). */
const LIMITS = { total: 64, perClient: 32, perAddress: 12 };
const RETRY_AFTER_SECONDS = 10;
/** After this time, the slowest upload is ended if another needs its slot, so that slow uploads can't keep all slots. */
const GUARANTEED_SLOT_MS = 60_000;

/** Counts concurrent operations by name. */
export function concurrencyCounter() {
  const counts = new Map<string, number>();
  return {
    count: (name: string) => counts.get(name) ?? 0,
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    remove: (name: string) => {
      const remaining = (counts.get(name) ?? 0) - 1;
      if (remaining > 0) counts.set(name, remaining);
      else counts.delete(name);
    },
  };
}

const uploadCounts = concurrencyCounter();
const files = new WeakMap<FastifyRequest, FileHandle[]>();

type Slot = { readonly names: readonly string[]; readonly pace: (now: number) => number; readonly end: () => void };
const slots = new Set<Slot & { readonly since: number }>();

/** Ends the slowest overdue upload with this name. @returns false if no upload is overdue */
function endSlowest(name: string, now: number): boolean {
  const overdueSlots = [...slots].filter(
    ({ names, since }) => names.includes(name) && now - since >= GUARANTEED_SLOT_MS,
  );
  const [slowest] = overdueSlots.toSorted((a, b) => a.pace(now) - b.pace(now));
  slowest?.end();
  return slowest !== undefined;
}

/**
 * Takes an upload slot until the response is sent or the connection closes. After a minute, another upload may take it over.
 * @param now milliseconds of any clock
 * @throws Failure too-many-requests
 */
export function reserveUploadSlot(request: FastifyRequest, now = performance.now()): void {
  // Narrowest first, because ending an upload there frees a slot in every limit.
  const limits: readonly (readonly [name: string, max: number])[] = [
    [`address ${splitAddress(request.url).path}`, LIMITS.perAddress],
    ...networksOf(request.ip).map(
      (network, width) => [`client ${network}`, LIMITS.perClient * WIDER_NETWORK_FACTOR ** width] as const,
    ),
    ['all', LIMITS.total],
  ];
  const isFull = ([name, max]: (typeof limits)[number]) => uploadCounts.count(name) >= max && !endSlowest(name, now);
  if (limits.some(isFull)) throw tooManyRequests(RETRY_AFTER_SECONDS);
  const { socket } = request.raw;
  const names = limits.map(([name]) => name);
  for (const name of names) uploadCounts.add(name);
  const bytesBefore = socket.bytesRead;
  const release = () => {
    if (slots.delete(slot)) for (const name of names) uploadCounts.remove(name);
    socket.off('close', release);
  };
  const end = () => {
    release();
    socket.destroy();
  };
  const pace = (time: number) => (socket.bytesRead - bytesBefore) / (time - now);
  const slot = { names, since: now, pace, end };
  slots.add(slot);
  slotReleases.set(request, release);
  socket.once('close', release);
}

const slotReleases = new WeakMap<FastifyRequest, () => void>();

const endedRequests = new WeakSet<FastifyRequest>();

/** Releases the slot and the files of a request. */
export async function endUpload(request: FastifyRequest): Promise<void> {
  endedRequests.add(request);
  slotReleases.get(request)?.();
  for (const file of files.get(request) ?? []) await file.close().catch(() => undefined);
  files.delete(request);
}

/** Saves an upload in an unlinked file, which disappears even after a crash. */
export async function saveUpload(request: FastifyRequest, content: Readable): Promise<UploadedFile> {
  const name = path.join(os.tmpdir(), `city-climate-fund-upload-${randomUUID()}`);
  const file = await fs.open(name, 'wx+', 0o600);
  files.set(request, [...(files.get(request) ?? []), file]);
  await fs.unlink(name);
  if (endedRequests.has(request)) {
    // The upload ended while its file was being opened.
    await file.close();
    throw new Error('The connection is closed.');
  }
  let length = 0;
  // Ends the loop below if the client disconnects.
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
