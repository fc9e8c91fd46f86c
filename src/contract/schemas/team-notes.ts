import { z } from 'zod';
import { MAX_TEAM_NOTE_LENGTH } from '#domain/team-note.ts';
import { id, orgId, printableText, time } from './shared.ts';

export const teamNote = z
  .object({
    id,
    text: z.string(),
    by: z.string().nullable().describe("The author's name or email; null once the account is deleted."),
    createdTimestamp: time,
  })
  .meta({ id: 'TeamNote', description: 'A note about a gift or donor that only the team can see.' });

export type TeamNote = z.infer<typeof teamNote>;

const noteParams = z.strictObject({ orgid: orgId, noteid: id });

export const teamNoteCalls = {
  addTeamNote: {
    summary: 'Add a note about a checkout, check, or donor',
    description:
      "The caller chooses the id. Repeating it doesn't add a second note. Within a day of the note's deletion, it restores the note with its author and time.",
    params: noteParams,
    body: z.strictObject({
      subjectid: id.describe('Id of the checkout, check, or donor.'),
      text: printableText(MAX_TEAM_NOTE_LENGTH * 4),
    }),
    response: teamNote,
  },
  removeTeamNote: { summary: 'Delete a note', params: noteParams, response: z.object({}) },
};
