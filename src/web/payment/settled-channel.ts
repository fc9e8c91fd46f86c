const openChannel = (orgId: string) => new BroadcastChannel(`checkout:${orgId}`);

/** Notifies the browser's other tabs that a payment to the organization has settled. */
export function announceSettledPayment(orgId: string): void {
  const channel = openChannel(orgId);
  channel.postMessage(null);
  channel.close();
}

/** @returns a function that unsubscribes */
export function onPaymentSettled(orgId: string, listener: () => void): () => void {
  const channel = openChannel(orgId);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
