import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoded, type Encoding, encodingFor } from './encodings.ts';

/** What is sent many times: a page, or the answer of a call. */
export type Ready = {
  readonly bodies: Encoded;
  /** Of the content, whatever its encoding. */
  readonly etag: string;
};

export type ReadyPage = Ready & {
  readonly status: number;
  /** Added to the content security policy. */
  readonly styleHash: string;
};

export type PageCache<Page extends Ready = ReadyPage> = {
  peek(key: string): Page | undefined;
  /**
   * Concurrent requests for a page share one rendering. If its organization changes meanwhile, the page is sent but not
   * cached.
   */
  get(key: string, orgId: string | undefined, make: () => Promise<Page>): Promise<Page>;
  dropOrg(orgId: string): void;
  dropAll(): void;
};

const MOST_BYTES = 64 * 1024 * 1024;
/** Estimated size of an entry besides its bodies. */
export const OVERHEAD_BYTES = 2048;

/** Pages in memory; the least recently used go first. */
export function pageCache<Page extends Ready = ReadyPage>(mostBytes = MOST_BYTES): PageCache<Page> {
  type Entry = { readonly page: Page; readonly orgId: string | undefined; readonly bytes: number };
  const entries = new Map<string, Entry>();
  const making = new Map<string, { readonly page: Promise<Page>; readonly orgId: string | undefined }>();
  let bytes = 0;

  const drop = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const add = (key: string, entry: Entry) => {
    drop(key);
    entries.set(key, entry);
    bytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (bytes <= mostBytes) break;
      drop(oldest);
    }
  };
  const dropWhere = (belongs: (orgId: string | undefined) => boolean) => {
    for (const [key, { orgId }] of entries) if (belongs(orgId)) drop(key);
    for (const [key, { orgId }] of making) if (belongs(orgId)) making.delete(key);
  };
  const peek = (key: string) => {
    const ready = entries.get(key);
    if (!ready) return undefined;
    entries.delete(key);
    entries.set(key, ready);
    return ready.page;
  };
  return {
    peek,
    get: async (key, orgId, make) => {
      const ready = peek(key);
      if (ready) return ready;
      const underWay = making.get(key);
      if (underWay) return underWay.page;
      const mine = { page: make(), orgId };
      making.set(key, mine);
      try {
        const page = await mine.page;
        if (making.get(key) === mine) add(key, { page, orgId, bytes: key.length + sizeOf(page) });
        return page;
      } finally {
        if (making.get(key) === mine) making.delete(key);
      }
    },
    dropOrg: (orgId) => dropWhere((other) => other === orgId),
    dropAll: () => dropWhere(() => true),
  };
}

function sizeOf({ bodies }: Ready): number {
  return OVERHEAD_BYTES + bodies.br.length + bodies.gzip.length + bodies.identity.length;
}

/** Sends a body in the client's preferred encoding. */
export function sendEncoded(request: FastifyRequest, reply: FastifyReply, bodies: Encoded): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding']);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.send(bodies[encoding]);
}

/** Sends a body with its entity tag, or 304 to a client that already has it. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, { bodies, etag }: Ready): FastifyReply {
  const tag = entityTag(etag, encodingFor(request.headers['accept-encoding']));
  void reply.header('etag', tag);
  if (isCurrent(tag, request.headers['if-none-match'])) return reply.status(304).send();
  return sendEncoded(request, reply, bodies);
}

/** A strong tag: the bytes of each encoding differ. */
function entityTag(etag: string, encoding: Encoding): string {
  return `"${etag}-${encoding}"`;
}

export function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
}

/** Whether a browser has this version already (RFC 9110, If-None-Match). */
function isCurrent(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  const named = header.split(',').map((text) => text.trim().replace(/^W\//, ''));
  return named.includes(tag) || named.includes('*');
}
