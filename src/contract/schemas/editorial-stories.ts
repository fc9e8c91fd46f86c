import { z } from 'zod';
import { NAME_MAXIMUM, STORY_MAXIMUM } from '#domain/profile.ts';
import { id, orgId, page, time, typedText } from './shared.ts';
import { profile } from './stories.ts';

export const storyStatus = z.enum(['draft', 'published', 'hidden']);

/** An awardee's consent to publication (decisions §5). */
const consent = z.object({
  given: z.boolean(),
  /** When it was given or revoked; null if never recorded. */
  at: time.nullable(),
  /** The editor who recorded it; null once that account is deleted. */
  by: z.string().nullable(),
});

/** An awardee or installer for its editors, in any status. Only awardees have a consent. */
export const editorialStory = profile
  .omit({ mine: true, grants: true, homes: true })
  .extend({ status: storyStatus, consent: consent.nullable() });

export type EditorialStory = z.infer<typeof editorialStory>;

const SEARCH_MAXIMUM = 100;

/** Filters by status, and by a part of the name. */
export const storySearch = page.extend({
  status: storyStatus.optional(),
  query: typedText(SEARCH_MAXIMUM).optional(),
});

export type StorySearch = z.infer<typeof storySearch>;

/** The text fields of the form; the photo is the multipart file `file`. Absent fields stay unchanged. */
const installerFields = z.strictObject({
  name: typedText(NAME_MAXIMUM * 20),
  story: typedText(STORY_MAXIMUM * 10),
  status: storyStatus.optional(),
  /** Name and story at the start of the edit, to detect a conflicting save; optional. */
  basedOnName: typedText(NAME_MAXIMUM * 20).optional(),
  basedOnStory: typedText(STORY_MAXIMUM * 10).optional(),
});
const awardeeFields = installerFields.extend({ consent: z.enum(['true', 'false']).optional() });

export type EditorialFields = z.infer<typeof awardeeFields>;

export const EDITORIAL_FORMS = { awardee: awardeeFields, installer: installerFields };

const inOrg = z.strictObject({ orgid: orgId });
const awardeeParams = z.strictObject({ orgid: orgId, awardeeid: id });
const installerParams = z.strictObject({ orgid: orgId, installerid: id });
const statusChange = z.strictObject({ status: storyStatus });
const emptyResponse = z.object({});

export const editorialStoryCalls = {
  readAwardeesToEdit: { params: inOrg, query: storySearch, answer: z.array(editorialStory) },
  readAwardeeToEdit: { params: awardeeParams, answer: editorialStory },
  createAwardee: { params: inOrg, form: awardeeFields, answer: editorialStory },
  editAwardee: { params: awardeeParams, form: awardeeFields, answer: editorialStory },
  setAwardeeStatus: { params: awardeeParams, body: statusChange, answer: editorialStory },
  deleteAwardee: { params: awardeeParams, answer: emptyResponse },
  readInstallersToEdit: { params: inOrg, query: storySearch, answer: z.array(editorialStory) },
  readInstallerToEdit: { params: installerParams, answer: editorialStory },
  createInstaller: { params: inOrg, form: installerFields, answer: editorialStory },
  editInstaller: { params: installerParams, form: installerFields, answer: editorialStory },
  setInstallerStatus: { params: installerParams, body: statusChange, answer: editorialStory },
  deleteInstaller: { params: installerParams, answer: emptyResponse },
};
