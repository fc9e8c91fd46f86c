/**
 * The names of facts, and the ids that follow each name, separated by colons. A fact identifies the event behind a
 * ledger entry and is the entry's unique key, so nothing is counted twice. It is stored, so its format must never
 * change.
 */
type FactIds = {
  'checkout-session': '<session>';
  invoice: '<invoice>';
  /** The fee of a charge, refund, or dispute. */
  fee: '<balance transaction>';
  refund: '<refund>, or <refund>:failed for a refund that failed';
  dispute: '<dispute>:<balance transaction>, or <dispute>:verdict:<number>';
  'account-fee': '<balance transaction>:<organization>';
  payout: '<payout>:<organization>:<number>';
  check: '<pledge>, or <pledge>:<number> for another check';
  'check-reversal': '<entry>';
  promise: '<grant>:<number>';
  grant: '<grant>:<number>';
  'grant-reversal': '<entry>';
  adjustment: '<random>';
  /** Gifts of the sample organization, which weren't paid through a provider. */
  sample: '<gift>';
};

export type FactName = keyof FactIds;

export function buildFact(name: FactName, ...ids: readonly (string | number)[]): string {
  return [name, ...ids].join(':');
}

/** The first id in a fact. */
export function parseFirstId(fact: string): string {
  return fact.split(':')[1] ?? fact;
}

export function hasFactPrefix(fact: string, name: FactName, ...ids: readonly string[]): boolean {
  return fact.startsWith(`${buildFact(name, ...ids)}:`);
}
