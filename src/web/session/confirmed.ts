/** Between the pages of this site in one browser. Other origins can't hear or say anything on it. */
const CHANNEL = 'confirmed';

/** Tells the page that asked that the person has been at Google. Whether they confirmed it there, the server knows. */
export function sayConfirmed(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('');
  channel.close();
}

/** @returns a function that stops listening */
export function listenForConfirmed(onConfirmed: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', onConfirmed);
  return () => channel.close();
}
