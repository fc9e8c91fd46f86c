import type { StoredText } from '#web/browser/stored-text.ts';

/** Text shared by several tabs, like the browser's storage. */
export function createSharedText(initialText: string | null = null): { tab(): StoredText; text(): string | null } {
  let text = initialText;
  const listeners = new Set<() => void>();
  return {
    text: () => text,
    tab: () => ({
      read: () => text,
      write: (newText) => {
        text = newText;
        for (const listener of listeners) listener();
      },
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }),
  };
}
