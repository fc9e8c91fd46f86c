import { z } from 'zod';
import { MAX_NOTE_LENGTH } from '#domain/check.ts';
import { checkoutId, id, orgId, printableText, time } from './shared.ts';

export const attentionItem = z
  .object({
    id,
    amount: z.number().int().describe('Amount in the smallest unit of the currency.'),
    currency: z.string().describe('ISO 4217 code in lowercase.'),
    livemode: z.boolean().describe('False for test money.'),
    reason: z.string().describe('Why it needs attention.'),
    providerId: z.string().describe('Id at the provider.'),
    checkoutid: checkoutId.nullable().describe('Id of its checkout, if the organization has one.'),
    payer: z.string().nullable().describe("Name or email of the checkout's payer, if known."),
    occurredTimestamp: time,
    dueTimestamp: time.nullable().describe('When evidence for a dispute is due at the provider.'),
    resolution: z
      .object({ note: z.string(), by: z.string().nullable(), timestamp: time })
      .nullable()
      .describe(
        'How and by whom it was resolved. `by` is null if that account was deleted or the payment was recorded later.',
      ),
  })
  .meta({
    id: 'AttentionItem',
    description:
      "Money at the payment provider that could not be applied, or that the donor's bank disputes. A team member resolves it.",
  });

export type AttentionItem = z.infer<typeof attentionItem>;

/** Note on how the item was resolved, for later reference. */
const resolutionInput = z.strictObject({ note: printableText(MAX_NOTE_LENGTH * 4) });
const emptyResponse = z.object({});

export const attentionCalls = {
  readAttention: {
    summary: "List an organization's payments that need attention",
    description: 'Open items, oldest first, then recently resolved ones, newest first.',
    params: z.strictObject({ orgid: orgId }),
    response: z.array(attentionItem),
  },
  resolveAttention: {
    summary: 'Resolve a payment that needs attention',
    params: z.strictObject({ orgid: orgId, itemid: id }),
    body: resolutionInput,
    response: emptyResponse,
  },
  readUnassignedAttention: {
    summary: 'List payments that need attention and belong to no organization',
    description: 'Payments that don’t refer to an organization of this site.',
    response: z.array(attentionItem),
  },
  resolveUnassignedAttention: {
    summary: 'Resolve a payment that belongs to no organization',
    params: z.strictObject({ itemid: id }),
    body: resolutionInput,
    response: emptyResponse,
  },
};
