import { useSyncExternalStore } from 'react';
import { type BrowserText, browserText } from '#web/api/browser-text.ts';

/** What a donor chooses for a gift by card, beside its items. */
export type GiftChoice = {
  /** Whether the card fee is added, so that all of the gift arrives. */
  readonly coversFee: boolean;
};

export const NO_CHOICE: GiftChoice = { coversFee: false };

const texts = new Map<string, BrowserText>();
const listeners = new Set<() => void>();

function textOf(orgId: string): BrowserText {
  const text = texts.get(orgId) ?? browserText(`gift-choice:${orgId}`);
  texts.set(orgId, text);
  return text;
}

/** Keeps what was chosen for the cart of an organization; to be forgotten once the cart is empty. */
export function keepChoice(orgId: string, choice: GiftChoice): void {
  textOf(orgId).write(choice.coversFee ? JSON.stringify(choice) : null);
  for (const listener of listeners) listener();
}

/** The choice that was kept for the cart. */
export function useKeptChoice(orgId: string): GiftChoice {
  const text = textOf(orgId);
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    const stopWatching = text.watch(listener);
    return () => {
      listeners.delete(listener);
      stopWatching();
    };
  };
  return choiceOfText(
    useSyncExternalStore(
      subscribe,
      () => text.read(),
      () => null,
    ),
  );
}

/** The stored text is not trusted. */
export function choiceOfText(text: string | null): GiftChoice {
  try {
    const stored: unknown = JSON.parse(text ?? '');
    const coversFee = typeof stored === 'object' && stored !== null && 'coversFee' in stored && stored.coversFee;
    return { coversFee: coversFee === true };
  } catch {
    return NO_CHOICE;
  }
}
