/** foreign: made by another installation of this program. unmarked: by an earlier version, or another program. */
export type Origin = 'ours' | 'unmarked' | 'foreign';

/** @param marked the installation that a payment's metadata names */
export function originOf(marked: string | undefined, installation: string): Origin {
  if (marked === undefined) return 'unmarked';
  return marked === installation ? 'ours' : 'foreign';
}

/** What the provider says of where a payment was made: the ids are those sent in the request. */
export type Marks = {
  readonly origin: Origin;
  readonly orgId: string | undefined;
  readonly checkoutId: string | undefined;
};

/** An earlier version marked its payments with the organization and the checkout only. */
export function isOurs({ origin, orgId, checkoutId }: Marks): boolean {
  return origin === 'ours' || (origin === 'unmarked' && orgId !== undefined && checkoutId !== undefined);
}
