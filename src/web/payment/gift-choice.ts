import { useSyncExternalStore } from 'react';
import { storedText } from '#web/browser/stored-text.ts';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';

/** Options of a card gift that belong to the whole cart. */
export type GiftChoice = {
  /** True if the donor adds the card fee. */
  readonly coversFee: boolean;
};

export const NO_CHOICE: GiftChoice = { coversFee: false };

const textOf = (orgId: string) => storedText(`gift-choice:${orgId}`);

/** Saves the choice for an organization's cart. Save `NO_CHOICE` once the cart is empty. */
export function saveGiftChoice(orgId: string, choice: GiftChoice): void {
  textOf(orgId).write(choice.coversFee ? JSON.stringify(choice) : null);
}

/** The saved choice for an organization's cart; `NO_CHOICE` on the server. */
export function useGiftChoice(orgId: string): GiftChoice {
  const { subscribe, read } = textOf(orgId);
  return parseChoice(useSyncExternalStore(subscribe, read, () => null));
}

/** The stored text is untrusted. */
export function parseChoice(text: string | null): GiftChoice {
  const stored = parseJson(text ?? '');
  return { coversFee: isRecord(stored) && stored.coversFee === true };
}
