import { randomUUID } from 'node:crypto';
import fs, { type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tooManyRequests } from '#domain/server-failures.ts';
import type { UploadedFile } from '#server/gateways/pictures/pictures.ts';
import { splitUrl } from './address.ts';
import { getNetworks, WIDER_NETWORK_FACTOR } from './network.ts';

/** Limits for concurrent uploads: in total, per client (such as a school), and per path (such as a checkout's). */
const LIMITS = { total: 64, perClient: 32, perPath: 12 };
const RETRY_AFTER_SECONDS = 10;
/** After this time, the slowest upload is ended if another needs its slot, so that slow uploads can't block all slots. */
const GUARANTEED_SLOT_MS = 60_000;

/** Counts concurrent operations by name. */
export function createConcurrencyCounter() {
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

declare module 'fastify' {
  interface FastifyInstance {
    reserveUploadSlot: ReturnType<typeof createSlotReserver>;
  }
  interface FastifyRequest {
    /** Undefined until the request has an upload slot. */
    upload: Upload | undefined;
  }
}

type Upload = { readonly releaseSlot: () => void; readonly files: FileHandle[]; hasEnded: boolean };

/** Limits concurrent uploads: each requires one of the app's slots. */
export function limitUploads(app: FastifyInstance): void {
  app.decorate('reserveUploadSlot', createSlotReserver());
  app.decorateRequest('upload', undefined);
}

type Slot = {
  readonly limitKeys: readonly string[];
  readonly startedAt: number;
  readonly getBytesPerMs: (now: number) => number;
  readonly end: () => void;
};

/** Creates the function that reserves the app's upload slots. */
export function createSlotReserver() {
  const counts = createConcurrencyCounter();
  const slots = new Set<Slot>();
  /** Ends the slowest overdue upload with this name. @returns false if no upload is overdue */
  const endSlowestUpload = (name: string, now: number) => {
    const overdueSlots = [...slots].filter(
      ({ limitKeys, startedAt }) => limitKeys.includes(name) && now - startedAt >= GUARANTEED_SLOT_MS,
    );
    const [slowest] = overdueSlots.toSorted((a, b) => a.getBytesPerMs(now) - b.getBytesPerMs(now));
    slowest?.end();
    return slowest !== undefined;
  };
  /**
   * Takes a slot until the response is sent or the connection closes. After a minute, another upload may take it over.
   * @param now milliseconds on any monotonic clock
   * @throws Failure too-many-requests
   */
  return (request: FastifyRequest, now = performance.now()): void => {
    const limits = getUploadLimits(request);
    const makeRoom = ([name, max]: UploadLimit) => counts.count(name) < max || endSlowestUpload(name, now);
    if (!limits.every(makeRoom)) throw tooManyRequests(RETRY_AFTER_SECONDS);
    const { socket } = request.raw;
    const limitKeys = limits.map(([name]) => name);
    for (const name of limitKeys) counts.add(name);
    const initialBytes = socket.bytesRead;
    const releaseSlot = () => {
      if (slots.delete(slot)) for (const name of limitKeys) counts.remove(name);
      socket.off('close', releaseSlot);
    };
    const end = () => {
      releaseSlot();
      socket.destroy();
    };
    const getBytesPerMs = (time: number) => (socket.bytesRead - initialBytes) / (time - now);
    const slot = { limitKeys, startedAt: now, getBytesPerMs, end };
    slots.add(slot);
    request.upload = { releaseSlot, files: [], hasEnded: false };
    socket.once('close', releaseSlot);
  };
}

type UploadLimit = readonly [name: string, max: number];

/** Lists limits, narrowest first: ending an upload in a narrow limit also frees a slot in every wider limit. */
function getUploadLimits(request: FastifyRequest): readonly UploadLimit[] {
  return [
    [`path ${splitUrl(request.url).path}`, LIMITS.perPath],
    ...getNetworks(request.ip).map(
      (network, level): UploadLimit => [`client ${network}`, LIMITS.perClient * WIDER_NETWORK_FACTOR ** level],
    ),
    ['all', LIMITS.total],
  ];
}

/** Releases a request's slot and files. */
export async function endUpload({ upload }: FastifyRequest): Promise<void> {
  if (!upload) return;
  upload.hasEnded = true;
  upload.releaseSlot();
  for (const file of upload.files.splice(0)) await file.close().catch(() => undefined);
}

/** Saves an upload in an unlinked file, which the system removes even after a crash. */
export async function saveUpload({ upload, raw }: FastifyRequest, content: Readable): Promise<UploadedFile> {
  if (!upload) throw new Error('The request has no upload slot.');
  const name = path.join(os.tmpdir(), `city-climate-fund-upload-${randomUUID()}`);
  const file = await fs.open(name, 'wx+', 0o600);
  upload.files.push(file);
  await fs.unlink(name);
  if (upload.hasEnded) {
    // The upload ended while the file was being opened.
    await file.close();
    throw new Error('The connection is closed.');
  }
  let length = 0;
  // Ends the loop below if the client disconnects.
  const stop = () => content.destroy(new Error('The connection is closed.'));
  const { socket } = raw;
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
