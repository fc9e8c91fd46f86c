import { useEffect } from 'react';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { cardStatusText, tributeText } from '#domain/tribute.ts';
import { m } from '#messages';
import { tributeStorage, useSentTribute } from '#web/payment/tribute-storage.ts';

export type TributeText = { readonly title: string; readonly card: string | undefined };

/**
 * The tribute of a checkout. The server returns it only to donors it recognizes; for other visitors, it comes from the
 * browser's storage.
 */
export function useTributeText(orgId: string, checkout: Checkout, isPaid: boolean): TributeText | undefined {
  const { id, tribute } = checkout;
  const sentTribute = useSentTribute(orgId, id);
  useEffect(() => {
    if (isPaid) tributeStorage(orgId).forgetCard(id);
  }, [isPaid, orgId, id]);
  if (tribute) return { title: tributeText(tribute), card: tribute.card ? cardStatusText(tribute.card) : undefined };
  if (!sentTribute) return undefined;
  const card = isPaid ? m.tributeCardComing() : m.tributeCardLater();
  return {
    title: tributeText({ kind: sentTribute.kind ?? 'honor', name: sentTribute.name.trim() }),
    card: sentTribute.wantsCard ? card : undefined,
  };
}
