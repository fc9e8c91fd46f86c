/** A cached response; `stale` if it was served offline and may be outdated. */
export type KeptEntry = { readonly url: string; readonly bytes: number; readonly stale?: true };

/** Ordered by last use, the least recent first. */
export type CacheLedger = readonly KeptEntry[];

/** Adds an entry. `gone` lists what to delete to stay within `limit` bytes; an entry above the limit is deleted itself. */
export function withKept(
  ledger: CacheLedger,
  { url, bytes }: { readonly url: string; readonly bytes: number },
  limit: number,
): { readonly ledger: CacheLedger; readonly gone: readonly string[] } {
  const entries = [...ledger.filter((entry) => entry.url !== url), { url, bytes }];
  const gone: string[] = [];
  let sum = sumOf(entries);
  while (sum > limit) {
    const oldest = entries.shift();
    if (!oldest) break;
    gone.push(oldest.url);
    sum -= oldest.bytes;
  }
  return { ledger: entries, gone };
}

/** Marks an entry as just used. */
export function withUsed(ledger: CacheLedger, url: string, stale: boolean): CacheLedger {
  const used = ledger.find((entry) => entry.url === url);
  if (!used) return ledger;
  const others = ledger.filter((entry) => entry !== used);
  return [...others, stale ? { ...used, stale: true } : used];
}

/** The entries that were served offline, the most recent first. */
export function staleOf(ledger: CacheLedger, most: number): string[] {
  return ledger
    .filter((entry) => entry.stale)
    .map(({ url }) => url)
    .toReversed()
    .slice(0, most);
}

function sumOf(ledger: CacheLedger): number {
  return ledger.reduce((sum, { bytes }) => sum + bytes, 0);
}
