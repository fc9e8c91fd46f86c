/**
 * The kinds of "Needs attention" items, and the id that follows after a colon. A subject is the unique key of an item, so
 * that a repeated report adds no second one. It is stored, so its format never changes.
 */
type SubjectIds = {
  session: '<session>';
  invoice: '<invoice>';
  /** An invoice that was marked as paid at the provider, without a charge. */
  'paid-outside': '<invoice>';
  /** A refund or dispute of a payment that isn't in the books. */
  charge: '<charge>';
  dispute: '<dispute>';
  /** The provider's early warning of fraud. */
  warning: '<warning>';
  payout: '<payout>';
  /** A movement on the provider's balance that isn't in the books. */
  movement: '<balance transaction>';
  /** An event that couldn't be applied. */
  event: '<event>';
};

export function attentionSubject(kind: keyof SubjectIds, id: string): string {
  return `${kind}:${id}`;
}
