/** Broadcast channel between this site's tabs; other origins can't access it. */
const CHANNEL = 'confirmed';

/** Notifies the requesting page that the person is back from Google. The server records whether they confirmed. */
export function announceConfirmation(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('');
  channel.close();
}

/** @returns a function that stops listening */
export function listenForConfirmation(onConfirmed: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', onConfirmed);
  return () => channel.close();
}
