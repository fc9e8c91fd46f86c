import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OrgId } from '#domain/ids.ts';
import type { OrgChange } from '#server/db/org-changes.ts';
import type { AppDeps } from '#server/deps.ts';
import { type EncodedBodies, type Encoding, selectEncoding } from './encodings.ts';

/** Encoded content that is sent many times: a page or a response. */
export type EncodedContent = {
  readonly bodies: EncodedBodies;
  /** Entity tag of the content, in any encoding. */
  readonly etag: string;
};

export type EncodedPage = EncodedContent & {
  readonly status: number;
  /** Added to the content security policy. */
  readonly styleHash: string;
};

export type PageCache<Page extends EncodedContent = EncodedPage> = {
  peek(key: string): Page | undefined;
  /** Returns the last page even if it is outdated, for use during an outage. */
  peekOutdated(key: string): Page | undefined;
  /**
   * Returns a cached page, or creates it. Concurrent requests for a page share one rendering. If its organization
   * changes during the rendering, the page is sent but not cached, or cached as outdated.
   */
  get(key: string, orgId: OrgId | undefined, createPage: () => Promise<Page>): Promise<Page>;
  /** Drops an organization's pages. If only its totals changed, or changes may have been missed, pages become outdated. */
  handleChange(change: OrgChange | undefined): void;
};

export type PageCacheOptions = { readonly now: () => Date; readonly maxBytes?: number };

const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum age of a page, because some pages have figures that change every day. */
export const MAX_AGE_MS = 15 * 60_000;
/** Estimated size of an entry without its bodies. */
export const ENTRY_OVERHEAD_BYTES = 2048;

/** Creates an in-memory cache with a 15-minute limit. It evicts the least recently used page. */
export function createPageCache<Page extends EncodedContent = EncodedPage>(options: PageCacheOptions): PageCache<Page> {
  type Entry = {
    readonly page: Page;
    readonly orgId: OrgId | undefined;
    readonly bytes: number;
    readonly expiresAt: number;
    readonly isOutdated: boolean;
  };
  type Rendering = { readonly page: Promise<Page>; readonly orgId: OrgId | undefined };
  const { now, maxBytes = MAX_BYTES } = options;
  const entries = new Map<string, Entry>();
  const pendingRenders = new Map<string, Rendering>();
  /**
   * Renderings during which the totals changed. Their pages are cached; otherwise a burst of gifts would empty the
   * cache.
   */
  const outdatedRenders = new Set<Rendering>();
  const contentVersions = new Map<OrgId, number>();
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
      if (bytes <= maxBytes) break;
      drop(oldest);
    }
  };
  const dropWhere = (matches: (orgId: OrgId | undefined) => boolean, keepsOutdated = false) => {
    for (const [key, entry] of entries) {
      if (!matches(entry.orgId)) continue;
      if (keepsOutdated) entries.set(key, { ...entry, isOutdated: true });
      else drop(key);
    }
    if (!keepsOutdated) for (const render of outdatedRenders) if (matches(render.orgId)) outdatedRenders.delete(render);
    for (const [key, rendering] of pendingRenders) {
      if (!matches(rendering.orgId)) continue;
      pendingRenders.delete(key);
      if (keepsOutdated) outdatedRenders.add(rendering);
    }
  };
  const read = (key: string, acceptsOutdated: boolean) => {
    const entry = entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAt <= now().getTime()) {
      drop(key);
      return undefined;
    }
    if (entry.isOutdated && !acceptsOutdated) return undefined;
    entries.delete(key);
    entries.set(key, entry);
    return entry.page;
  };
  const peek = (key: string) => read(key, false);
  return {
    peek,
    peekOutdated: (key) => read(key, true),
    get: async (key, orgId, createPage) => {
      const entry = peek(key);
      if (entry) return entry;
      const pendingRender = pendingRenders.get(key);
      if (pendingRender) return pendingRender.page;
      const expiresAt = now().getTime() + MAX_AGE_MS;
      const rendering = { page: createPage(), orgId };
      pendingRenders.set(key, rendering);
      try {
        const page = await rendering.page;
        const isOutdated = outdatedRenders.has(rendering);
        if (pendingRenders.get(key) === rendering || (isOutdated && !peek(key)))
          add(key, { page, orgId, bytes: key.length + calculateSize(page), expiresAt, isOutdated });
        return page;
      } finally {
        outdatedRenders.delete(rendering);
        if (pendingRenders.get(key) === rendering) pendingRenders.delete(key);
      }
    },
    handleChange: (change) => {
      if (!change) return dropWhere(() => true, true);
      const { orgId, contentVersion } = change;
      const hasNewContent = contentVersions.get(orgId) !== contentVersion;
      contentVersions.set(orgId, contentVersion);
      dropWhere((cachedOrgId) => cachedOrgId === orgId, !hasNewContent);
    },
  };
}

/** Creates a cache that receives the changes of organizations until the app closes. */
export async function openPageCache<Page extends EncodedContent = EncodedPage>(
  app: FastifyInstance,
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  maxBytes = MAX_BYTES,
): Promise<PageCache<Page>> {
  const cache = createPageCache<Page>({ now, maxBytes });
  const stop = await db.changes.subscribe((change) => cache.handleChange(change));
  app.addHook('onClose', async () => stop());
  return cache;
}

function calculateSize({ bodies }: EncodedContent): number {
  return ENTRY_OVERHEAD_BYTES + bodies.br.length + bodies.gzip.length + bodies.identity.length;
}

/** Sends a body in the client's preferred encoding. */
export function sendEncoded(request: FastifyRequest, reply: FastifyReply, bodies: EncodedBodies): FastifyReply {
  const encoding = selectEncoding(request.headers['accept-encoding']);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.send(bodies[encoding]);
}

/** Sends a body with its entity tag, or 304 to a client that already has it. */
export function sendWithEntityTag(
  request: FastifyRequest,
  reply: FastifyReply,
  { bodies, etag }: EncodedContent,
): FastifyReply {
  const tag = createEntityTag(etag, selectEncoding(request.headers['accept-encoding']));
  void reply.header('etag', tag);
  if (matchesTag(tag, request.headers['if-none-match'])) return reply.status(304).send();
  return sendEncoded(request, reply, bodies);
}

/** Creates a strong tag, because the bytes of each encoding differ. */
function createEntityTag(etag: string, encoding: Encoding): string {
  return `"${etag}-${encoding}"`;
}

export function hashContent(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
}

/** @returns whether the browser already has this version (RFC 9110, If-None-Match) */
function matchesTag(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((text) => text.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
