import type { BrowserText } from '#web/api/browser-text.ts';

/** A text shared by several tabs like the browser's storage: all tabs except the writer's are notified. */
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
