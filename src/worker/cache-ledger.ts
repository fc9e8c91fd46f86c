/** What is kept, how large it is, and whether it was shown without a network and so may be older than the server's. */
export type KeptEntry = { readonly url: string; readonly bytes: number; readonly stale?: true };

/** The entries in the order in which they were last needed, the longest unneeded first. */
export type CacheLedger = readonly KeptEntry[];

/**
 * The ledger after an entry was kept, and what has to go so that all of it stays within the limit. Something larger
 * than the limit is not kept at all: it goes itself.
 */
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

/** The ledger after an entry was needed, and perhaps shown without having been checked. */
export function withUsed(ledger: CacheLedger, url: string, stale: boolean): CacheLedger {
  const used = ledger.find((entry) => entry.url === url);
  if (!used) return ledger;
  const others = ledger.filter((entry) => entry !== used);
  return [...others, stale ? { ...used, stale: true } : used];
}

/** What was shown without a network, the most recently needed first. */
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
