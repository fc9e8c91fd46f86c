import { z } from 'zod';
import { ACTIVITY_NAMES, ACTIVITY_SUBJECTS } from '#domain/activity.ts';
import { isTimeZone } from '#domain/days.ts';
import { MAX_NAME_LENGTH } from '#domain/profile.ts';
import { day, id, orgId, page, printableText, time, userId } from './shared.ts';

export const activity = z
  .object({
    id,
    name: z.enum(ACTIVITY_NAMES),
    timestamp: time,
    actorKind: z
      .enum(['person', 'visitor', 'former', 'program', 'you'])
      .describe(
        "program: the payment provider, a schedule, or an operator's command; former: a deleted account; you: the user who requested the list.",
      ),
    actorName: z
      .string()
      .nullable()
      .describe("A person's name, or their email address if they have no name. Omitted from a user's own activity."),
    ipAddress: z
      .string()
      .nullable()
      .describe("IP address, for 90 days. Only donors themselves and admins see a donor's."),
    affectedPerson: z.string().nullable().describe('The affected person, if different from the person who did it.'),
    objectName: z
      .string()
      .nullable()
      .describe("The changed object, such as the title of a cell. Null if the activity's name is enough."),
    orgid: orgId.nullable(),
    orgName: z.string().nullable().describe('Name of the organization; null for an account or a deleted organization.'),
    changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
  })
  .meta({ id: 'Activity', description: 'A recorded activity: who did it, from where, and what changed.' });

export type Activity = z.infer<typeof activity>;

const query = page.pick({ max: true, cursorRef: true });

const filters = query.extend({
  person: printableText(MAX_NAME_LENGTH * 4)
    .optional()
    .describe('Part of the name, or the email address, of the person who did it or was affected.'),
  subject: z.enum(ACTIVITY_SUBJECTS).optional().describe('Group of activity names.'),
  from: day.optional().describe('First day.'),
  to: day.optional().describe('Last day.'),
});

/** Newest first. */
export const activityCalls = {
  readActivity: {
    summary: "List an organization's activity",
    description: "An organization's activity, for its editors.",
    params: z.strictObject({ orgid: orgId }),
    query: filters,
    response: z.array(activity),
  },
  readAllActivity: {
    summary: 'List the activity of all organizations',
    description: 'All activity, for admins.',
    query: filters.extend({
      orgid: orgId.optional(),
      timeZone: z
        .string()
        .max(100)
        .refine(isTimeZone, 'is not a time zone')
        .default('UTC')
        .describe('IANA time zone of the days.'),
    }),
    response: z.array(activity),
  },
  readOwnActivity: {
    summary: "List the activity of a user's account",
    description: 'Everything that the user did or that affected the account.',
    params: z.strictObject({ userid: userId }),
    query,
    response: z.array(activity),
  },
};
