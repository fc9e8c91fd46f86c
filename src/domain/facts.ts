/**
 * The names of facts, and the ids that follow, separated by colons. A fact is the unique key of a ledger entry, so that
 * nothing is counted twice. It is stored, so its format never changes.
 */
type Facts = {
  'checkout-session': '<session>';
  invoice: '<invoice>';
  /** The fee of a charge, refund, or dispute. */
  fee: '<balance transaction>';
  refund: '<refund>, or <refund>:failed when its money came back';
  dispute: '<dispute>:<balance transaction>, or <dispute>:verdict:<number>';
  'account-fee': '<balance transaction>:<organization>';
  payout: '<payout>:<organization>:<number>';
  check: '<pledge>, or <pledge>:<number> for another check';
  'check-reversal': '<entry>';
  promise: '<grant>:<number>';
  grant: '<grant>:<number>';
  'grant-reversal': '<entry>';
  adjustment: '<random>';
  /** Gifts of the sample organization, which never reached a provider. */
  sample: '<gift>';
};

export type FactName = keyof Facts;

export function factOf(name: FactName, ...ids: readonly (string | number)[]): string {
  return [name, ...ids].join(':');
}

/** The first id of a fact. */
export function parseFirstId(fact: string): string {
  return fact.split(':')[1] ?? fact;
}

export function isFactOf(fact: string, name: FactName, ...ids: readonly string[]): boolean {
  return fact.startsWith(`${factOf(name, ...ids)}:`);
}
