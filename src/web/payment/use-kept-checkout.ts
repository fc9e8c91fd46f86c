import { useSyncExternalStore } from 'react';
import { browserText } from '#web/api/browser-text.ts';
import { type CheckoutKeeper, createCheckoutKeeper } from './kept-checkout.ts';

const keepers = new Map<string, CheckoutKeeper>();

/** What this browser keeps for an organisation. It holds nothing itself, so a server may share it among its visitors. */
export function checkoutKeeperOf(orgId: string): CheckoutKeeper {
  const known = keepers.get(orgId);
  if (known) return known;
  const keeper = createCheckoutKeeper(browserText(`checkout:${orgId}`));
  keepers.set(orgId, keeper);
  return keeper;
}

/** Whether something is kept, so that it is worth asking where it stands. No while the page is rendered on the server. */
export function useHasKeptCheckout(orgId: string): boolean {
  const { subscribe, text } = checkoutKeeperOf(orgId);
  return useSyncExternalStore(
    subscribe,
    () => text() !== null,
    () => false,
  );
}
