import type { CheckoutId, OrgId } from '#domain/ids.ts';

/**
 * foreign: from another installation of this program. unmarked: from another program, or a charge of a recurring gift,
 * whose metadata is only on its invoice.
 */
export type Origin = 'ours' | 'unmarked' | 'foreign';

/** @param paymentInstallation the installation in a payment's metadata */
export function getOrigin(paymentInstallation: string | undefined, installation: string): Origin {
  if (paymentInstallation === undefined) return 'unmarked';
  return paymentInstallation === installation ? 'ours' : 'foreign';
}

/** Origin of a payment according to its metadata, with the ids from our request. */
export type PaymentOrigin = {
  readonly origin: Origin;
  readonly orgId: OrgId | undefined;
  readonly checkoutId: CheckoutId | undefined;
};

export function isOurs({ origin }: PaymentOrigin): boolean {
  return origin === 'ours';
}
