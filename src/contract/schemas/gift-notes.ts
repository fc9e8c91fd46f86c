import { z } from 'zod';
import { NOTE_MAXIMUM } from '#domain/check.ts';
import { id, orgId, printableText, time } from './shared.ts';

export const giftNote = z
  .object({
    id,
    text: z.string(),
    by: z.string().nullable().describe("The author's name or email; null once the account is deleted."),
    createdTimestamp: time,
  })
  .meta({ id: 'GiftNote', description: 'A note of the team about a gift, for the team only.' });

export type GiftNote = z.infer<typeof giftNote>;

const noteParams = z.strictObject({ orgid: orgId, noteid: id });

export const giftNoteCalls = {
  addGiftNote: {
    summary: 'Add a note to a checkout or check',
    description: 'The caller chooses the id. Repeating it adds the same note.',
    params: noteParams,
    body: z.strictObject({
      giftid: id.describe('Id of the checkout or check.'),
      text: printableText(NOTE_MAXIMUM * 4).refine((text) => text.trim() !== '', 'is empty'),
    }),
    response: giftNote,
  },
  removeGiftNote: { summary: 'Remove a note from a gift', params: noteParams, response: z.object({}) },
};
