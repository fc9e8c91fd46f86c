import { useSyncExternalStore } from 'react';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';
import { getCartOptions } from '#web/cart/cart-store.ts';

/** Card gift options that apply to the whole cart. */
export type GiftChoice = {
  /** True if the donor adds the card fee. */
  readonly coversFee: boolean;
};

export const NO_CHOICE: GiftChoice = { coversFee: false };

/** Saves the choice for an organization's cart. The cart removes the choice along with its last item. */
export function saveGiftChoice(orgId: string, choice: GiftChoice): void {
  getCartOptions(orgId).write(choice.coversFee ? JSON.stringify(choice) : null);
}

/** The saved choice for an organization's cart; `NO_CHOICE` on the server. */
export function useGiftChoice(orgId: string): GiftChoice {
  const { subscribe, read } = getCartOptions(orgId);
  return parseChoice(useSyncExternalStore(subscribe, read, () => null));
}

/** The stored text is untrusted. */
export function parseChoice(text: string | null): GiftChoice {
  const storedChoice = parseJson(text ?? '');
  return { coversFee: isRecord(storedChoice) && storedChoice.coversFee === true };
}
