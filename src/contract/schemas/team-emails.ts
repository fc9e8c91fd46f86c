import { z } from 'zod';
import { EMAIL_TOPICS } from '#domain/team-emails.ts';
import { orgId } from './shared.ts';

const emailChoices = z
  .strictObject({
    gifts: z.enum(EMAIL_TOPICS.gifts),
    stories: z.enum(EMAIL_TOPICS.stories).describe('Stories in review.'),
    problems: z
      .enum(EMAIL_TOPICS.problems)
      .describe('Disputes, failed and ended recurring gifts, bounced receipts, and money that needs attention.'),
    statements: z.enum(EMAIL_TOPICS.statements).describe('The statement of each month, once the month is closed.'),
  })
  .meta({ id: 'EmailChoices', description: 'The emails about an organization that a user chose to get.' });

const orgParams = z.strictObject({ orgid: orgId });

export const teamEmailCalls = {
  readEmailChoices: {
    summary: 'Read which emails about an organization the caller gets',
    params: orgParams,
    response: emailChoices,
  },
  saveEmailChoices: {
    summary: 'Choose which emails about an organization to get',
    description: 'Users receive only emails about things that their role can see.',
    params: orgParams,
    body: emailChoices,
    response: emailChoices,
  },
};
