const settledChannel = (orgId: string) => new BroadcastChannel(`checkout:${orgId}`);

/** Notifies the browser's other tabs that a payment to the organization has settled. */
export function announceSettled(orgId: string): void {
  const channel = settledChannel(orgId);
  channel.postMessage(null);
  channel.close();
}

/** @returns a function that unsubscribes */
export function onSettled(orgId: string, listener: () => void): () => void {
  const channel = settledChannel(orgId);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
