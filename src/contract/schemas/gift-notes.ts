import { z } from 'zod';
import { NOTE_MAXIMUM } from '#domain/check.ts';
import { id, orgId, printableText } from './shared.ts';
import { teamNote } from './team-note.ts';

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
    response: teamNote,
  },
  removeGiftNote: { summary: 'Remove a note from a gift', params: noteParams, response: z.object({}) },
};
