import type { BrowserText } from '#web/api/browser-text.ts';

/** Text shared by several tabs, like the browser's storage. */
export function sharedText(start: string | null = null): { tab(): BrowserText; text(): string | null } {
  let text = start;
  const listeners = new Set<() => void>();
  return {
    text: () => text,
    tab: () => ({
      read: () => text,
      write: (next) => {
        text = next;
        for (const listener of listeners) listener();
      },
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }),
  };
}
