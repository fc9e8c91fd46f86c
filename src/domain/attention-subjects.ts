/**
 * The kinds of "Needs attention" items, and the id that follows the colon. A subject is an item's unique key, so a repeated
 * report doesn't add a second item. It is stored, so its format must never change.
 */
type IdByKind = {
  session: '<session>';
  invoice: '<invoice>';
  /** An invoice that was marked as paid at the provider, without a charge. */
  'paid-outside': '<invoice>';
  /** A refund or dispute of a payment that isn't in the books. */
  charge: '<charge>';
  dispute: '<dispute>';
  /** The provider's early fraud warning. */
  warning: '<warning>';
  payout: '<payout>';
  /** A balance transaction that isn't in the books. */
  movement: '<balance transaction>';
  /** An event that couldn't be applied. */
  event: '<event>';
};

export function attentionSubject(kind: keyof IdByKind, id: string): string {
  return `${kind}:${id}`;
}
