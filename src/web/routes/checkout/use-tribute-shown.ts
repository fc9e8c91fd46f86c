import { useEffect } from 'react';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { cardText, tributeText } from '#domain/tribute.ts';
import { m } from '#messages';
import { tributeStorage, useSentTribute } from '#web/payment/tribute-storage.ts';

export type TributeShown = { readonly title: string; readonly card: string | undefined };

/**
 * In whose honor or memory a checkout is: the server tells it to a donor whom it knows; to others only the browser that
 * sent it can.
 */
export function useTributeShown(orgid: string, checkout: Checkout, isPaid: boolean): TributeShown | undefined {
  const { id, tribute } = checkout;
  const sent = useSentTribute(orgid, id);
  useEffect(() => {
    if (isPaid) tributeStorage(orgid).forgetCard(id);
  }, [isPaid, orgid, id]);
  if (tribute) return { title: tributeText(tribute), card: tribute.card ? cardText(tribute.card) : undefined };
  if (!sent) return undefined;
  const card = isPaid ? m.tributeCardTells() : m.tributeCardLater();
  return {
    title: tributeText({ kind: sent.kind ?? 'honor', name: sent.name.trim() }),
    card: sent.wantsCard ? card : undefined,
  };
}
