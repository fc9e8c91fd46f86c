import type { BrowserText } from '#web/api/browser-text.ts';

/** A text that several tabs share, as they share the browser's storage: a write is told to all tabs but the writer's. */
export function sharedText(start: string | null = null): { tab(): BrowserText; text(): string | null } {
  let text = start;
  const watchers = new Set<() => void>();
  return {
    text: () => text,
    tab: () => {
      let own: (() => void) | undefined;
      return {
        read: () => text,
        write: (written) => {
          text = written;
          for (const watcher of watchers) if (watcher !== own) watcher();
        },
        watch: (changed) => {
          own = changed;
          watchers.add(changed);
          return () => watchers.delete(changed);
        },
      };
    },
  };
}
