import { z } from 'zod';
import { NOTE_MAXIMUM } from '#domain/check.ts';
import { checkoutId, id, orgId, time, typedText } from './shared.ts';

/** Money at the payment provider that could not be applied, or that the donor's bank disputes. A person settles it (decisions §3). */
export const attentionItem = z.object({
  id,
  /** Amount in the smallest unit of the currency. */
  amount: z.number().int(),
  /** ISO 4217, in lower case. */
  currency: z.string(),
  /** False for test money. */
  livemode: z.boolean(),
  /** Reason why it could not be applied. */
  reason: z.string(),
  /** The provider's own id, to find it there. */
  providerId: z.string(),
  /** Id of its checkout, if the organization has it. */
  checkoutid: checkoutId.nullable(),
  occurredTimestamp: time,
  /** When the evidence of a dispute is due at the provider. */
  dueTimestamp: time.nullable(),
  /** How it was settled, and by whom; null once that account is deleted, or if the payment was counted later. */
  settled: z.object({ note: z.string(), by: z.string().nullable(), timestamp: time }).nullable(),
});

export type AttentionItem = z.infer<typeof attentionItem>;

/** Note on how it was settled, for later questions. */
const settlement = z.strictObject({ note: typedText(NOTE_MAXIMUM * 4) });
const emptyResponse = z.object({});

export const attentionCalls = {
  /** Open items, oldest first, then recently settled ones, newest first. */
  readAttention: { params: z.strictObject({ orgid: orgId }), answer: z.array(attentionItem) },
  settleAttention: { params: z.strictObject({ orgid: orgId, itemid: id }), body: settlement, answer: emptyResponse },
  /** For payments that name no organization of this site. */
  readStrayAttention: { answer: z.array(attentionItem) },
  settleStrayAttention: { params: z.strictObject({ itemid: id }), body: settlement, answer: emptyResponse },
};
