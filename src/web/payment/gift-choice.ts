import { memoizeByKey } from '#web/browser/memoize-by-key.ts';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';
import { createStoredValue, useStoredValue } from '#web/browser/stored-value.ts';
import { getCartOptions } from '#web/cart/cart-store.ts';

/** Card gift options that apply to the whole cart. */
export type GiftChoice = {
  /** True if the donor adds the card fee. */
  readonly coversFee: boolean;
};

export const NO_CHOICE: GiftChoice = { coversFee: false };

const getStoredChoice = memoizeByKey((orgId: string) => createStoredValue(getCartOptions(orgId), parseChoice));

/** Saves the choice for an organization's cart. The cart removes the choice along with its last item. */
export function saveGiftChoice(orgId: string, choice: GiftChoice): void {
  getStoredChoice(orgId).write(choice.coversFee ? choice : undefined);
}

/** The saved choice for an organization's cart; `NO_CHOICE` on the server. */
export function useGiftChoice(orgId: string): GiftChoice {
  return useStoredValue(getStoredChoice(orgId), NO_CHOICE);
}

/** The stored text is untrusted. */
function parseChoice(text: string | null): GiftChoice {
  const storedChoice = parseJson(text);
  return { coversFee: isRecord(storedChoice) && storedChoice.coversFee === true };
}
