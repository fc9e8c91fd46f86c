import { z } from 'zod';
import { GRANT_STAGES } from '#domain/grant.ts';
import { MAX_NAME_LENGTH, MAX_STORY_LENGTH, STORY_STATUSES } from '#domain/profile.ts';
import { dollars, id, orgId, page, printableText, time } from './shared.ts';
import { profile } from './stories.ts';

const storyStatus = z.enum(STORY_STATUSES);

/** An awardee's consent to publication (decisions §5). */
const consent = z.object({
  isGiven: z.boolean(),
  changedTimestamp: time.nullable().describe('When it was given or revoked; null if never recorded.'),
  recordedBy: z.string().nullable().describe('The editor who recorded it; null once that account is deleted.'),
});

export const editorialStory = profile
  .omit({ mine: true, grants: true, homes: true })
  .extend({
    status: storyStatus,
    consent: consent.nullable(),
    grants: z
      .array(z.object({ id, stage: z.enum(GRANT_STAGES), amount: dollars.describe('Paid, or else applied for.') }))
      .describe("An awardee's grants, newest first."),
  })
  .meta({
    id: 'EditorialStory',
    description: 'An awardee or installer for its editors, in any status. Only awardees have consent information.',
  });

export type EditorialStory = z.infer<typeof editorialStory>;

const MAX_STORY_QUERY_LENGTH = 100;

/** Filters by status and by part of the name. */
export const storySearch = page.extend({
  status: storyStatus.optional(),
  query: printableText(MAX_STORY_QUERY_LENGTH).optional(),
});

export type StorySearch = z.infer<typeof storySearch>;

/** The text fields of the form; the photo is the multipart file `file`. Omitted fields don't change. */
const installerFields = z.strictObject({
  name: printableText(MAX_NAME_LENGTH * 20),
  story: printableText(MAX_STORY_LENGTH * 10),
  status: storyStatus.optional(),
  basedOnName: printableText(MAX_NAME_LENGTH * 20)
    .optional()
    .describe('Name and story at the start of the edit, to detect a conflicting save; optional.'),
  basedOnStory: printableText(MAX_STORY_LENGTH * 10).optional(),
  requestid: z
    .uuid()
    .optional()
    .describe('Chosen by the caller when creating. Repeating it changes the new story instead of adding another.'),
});
const awardeeFields = installerFields.extend({ consent: z.enum(['true', 'false']).optional() });

export type EditorialFields = z.infer<typeof awardeeFields>;

export const EDITORIAL_FORMS = { awardee: awardeeFields, installer: installerFields };

const orgParams = z.strictObject({ orgid: orgId });
const awardeeParams = z.strictObject({ orgid: orgId, awardeeid: id });
const installerParams = z.strictObject({ orgid: orgId, installerid: id });
const statusChange = z.strictObject({ status: storyStatus });
const emptyResponse = z.object({});

export const editorialStoryCalls = {
  readAwardeesToEdit: {
    summary: 'List awardees in every status',
    params: orgParams,
    query: storySearch,
    response: z.array(editorialStory),
  },
  readAwardeeToEdit: { summary: 'Read an awardee for editing', params: awardeeParams, response: editorialStory },
  createAwardee: { summary: 'Create an awardee', params: orgParams, form: awardeeFields, response: editorialStory },
  editAwardee: { summary: 'Edit an awardee', params: awardeeParams, form: awardeeFields, response: editorialStory },
  setAwardeeStatus: {
    summary: 'Publish or hide an awardee',
    params: awardeeParams,
    body: statusChange,
    response: editorialStory,
  },
  deleteAwardee: { summary: 'Delete an awardee', params: awardeeParams, response: emptyResponse },
  readInstallersToEdit: {
    summary: 'List installers in every status',
    params: orgParams,
    query: storySearch,
    response: z.array(editorialStory),
  },
  readInstallerToEdit: { summary: 'Read an installer for editing', params: installerParams, response: editorialStory },
  createInstaller: {
    summary: 'Create an installer',
    params: orgParams,
    form: installerFields,
    response: editorialStory,
  },
  editInstaller: {
    summary: 'Edit an installer',
    params: installerParams,
    form: installerFields,
    response: editorialStory,
  },
  setInstallerStatus: {
    summary: 'Publish or hide an installer',
    params: installerParams,
    body: statusChange,
    response: editorialStory,
  },
  deleteInstaller: { summary: 'Delete an installer', params: installerParams, response: emptyResponse },
};
