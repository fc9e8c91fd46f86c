import type { Encoded } from './encodings.ts';

export type ReadyPage = {
  readonly status: number;
  readonly bodies: Encoded;
  readonly etag: string;
  /** Added to the content security policy. */
  readonly styleHash: string;
};

export type PageCache = {
  peek(key: string): ReadyPage | undefined;
  /**
   * Concurrent requests for a page share one rendering. If its organization changes meanwhile, the page is sent but not
   * cached.
   */
  get(key: string, orgId: string | undefined, make: () => Promise<ReadyPage>): Promise<ReadyPage>;
  dropOrg(orgId: string): void;
  dropAll(): void;
};

const MOST_BYTES = 64 * 1024 * 1024;

type Entry = { readonly page: ReadyPage; readonly orgId: string | undefined; readonly bytes: number };

/** Pages in memory; the least recently used go first. */
export function pageCache(mostBytes = MOST_BYTES): PageCache {
  const entries = new Map<string, Entry>();
  const making = new Map<string, { readonly page: Promise<ReadyPage>; readonly orgId: string | undefined }>();
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
        if (making.get(key) === mine) add(key, { page, orgId, bytes: sizeOf(page) });
        return page;
      } finally {
        if (making.get(key) === mine) making.delete(key);
      }
    },
    dropOrg: (orgId) => dropWhere((other) => other === orgId),
    dropAll: () => dropWhere(() => true),
  };
}

function sizeOf({ bodies }: ReadyPage): number {
  return bodies.br.length + bodies.gzip.length + bodies.identity.length;
}
