import { useEffect, useEffectEvent } from 'react';
import { getStoredText } from '#web/browser/stored-text.ts';
import { getEntriesStorage } from '#web/cart/saved-entries-storage.ts';

/** The id of the last checkout that was paid in this browser. */
const getPaidCheckout = (orgId: string) => getStoredText(`paid:${orgId}`);

/** Clears the calculators and the donate form in all tabs, so that they can't be paid for twice by mistake. */
export function recordPaidCheckout(orgId: string, checkoutId: string): void {
  const paidCheckout = getPaidCheckout(orgId);
  // A donor may already be filling in the forms for another gift.
  if (paidCheckout.read() === checkoutId) return;
  paidCheckout.write(checkoutId);
  getEntriesStorage(orgId).write(null);
}

/** Calls `onPaid` when a checkout that was started in this browser is paid. */
export function useOnPaid(orgId: string, onPaid: () => void): void {
  const handlePaid = useEffectEvent(onPaid);
  useEffect(() => {
    const { read, subscribe } = getPaidCheckout(orgId);
    let lastId = read();
    return subscribe(() => {
      if (read() === lastId) return;
      lastId = read();
      handlePaid();
    });
  }, [orgId]);
}
