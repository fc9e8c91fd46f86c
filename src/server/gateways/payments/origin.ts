/**
 * foreign: made by another installation of this program. unmarked: made by another program, or a charge of a recurring
 * gift, whose metadata is on its invoice only.
 */
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

export function isOurs({ origin }: Marks): boolean {
  return origin === 'ours';
}
