import { z } from 'zod';
import { id, time } from './shared.ts';

export const teamNote = z
  .object({
    id,
    text: z.string(),
    by: z.string().nullable().describe("The author's name or email; null once the account is deleted."),
    createdTimestamp: time,
  })
  .meta({ id: 'TeamNote', description: 'A note of the team about a gift or donor, for the team only.' });

export type TeamNote = z.infer<typeof teamNote>;
