import type { DraftStorage } from './kept-draft.ts';

const keyOf = (checkoutId: string) => `profile:${checkoutId}`;

/** The storage of this tab. Where it is switched off or full, what is typed lasts as long as the page. */
export function browserDraftStorage(checkoutId: string): DraftStorage {
  return {
    read: () => attempt(() => window.sessionStorage.getItem(keyOf(checkoutId))) ?? null,
    write: (text) => attempt(() => window.sessionStorage.setItem(keyOf(checkoutId), text)),
  };
}

/** To be called when the profile has arrived. */
export function forgetDraft(checkoutId: string): void {
  attempt(() => window.sessionStorage.removeItem(keyOf(checkoutId)));
}

function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
