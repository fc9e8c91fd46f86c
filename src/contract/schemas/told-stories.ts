import { z } from 'zod';
import { NAME_MAXIMUM, STORY_MAXIMUM } from '#domain/profile.ts';
import { id, page, time, typedText } from './shared.ts';
import { profile } from './stories.ts';

export const storyStatus = z.enum(['draft', 'published', 'hidden']);

/** An awardee's consent to publication: whether it is given, since when, and who recorded that (decisions §5). */
const consent = z.object({
  given: z.boolean(),
  /** When it was given or revoked; null where neither was ever recorded. */
  at: time.nullable(),
  /** The editor who recorded it, where that person is still there. */
  by: z.string().nullable(),
});

/** An awardee or an installer as its editors see it, whether it is shown or not. Only awardees have a consent. */
export const toldStory = profile.omit({ mine: true }).extend({ status: storyStatus, consent: consent.nullable() });

export type ToldStory = z.infer<typeof toldStory>;

const SEARCH_MAXIMUM = 100;

/** A part of a list, of those of one status and with this text in their name. */
export const storySearch = page.extend({
  status: storyStatus.optional(),
  query: typedText(SEARCH_MAXIMUM).optional(),
});

export type StorySearch = z.infer<typeof storySearch>;

/** The text fields of the form; the photo is the multipart file `file`. What is absent stays as it is. */
const installerFields = z.strictObject({
  name: typedText(NAME_MAXIMUM * 20),
  story: typedText(STORY_MAXIMUM * 10),
  status: storyStatus.optional(),
  /** The name and the story that the writer began from: a save over somebody else's is told. Without them it is not. */
  basedOnName: typedText(NAME_MAXIMUM * 20).optional(),
  basedOnStory: typedText(STORY_MAXIMUM * 10).optional(),
});
const awardeeFields = installerFields.extend({ consent: z.enum(['true', 'false']).optional() });

export type ToldFields = z.infer<typeof awardeeFields>;

export const TOLD_FORMS = { awardee: awardeeFields, installer: installerFields };

const inOrg = z.strictObject({ orgid: id });
const awardeeParams = z.strictObject({ orgid: id, awardeeid: id });
const installerParams = z.strictObject({ orgid: id, installerid: id });
const statusChange = z.strictObject({ status: storyStatus });
const said = z.object({});

export const toldStoryCalls = {
  readAwardeesToEdit: { params: inOrg, query: storySearch, answer: z.array(toldStory) },
  readAwardeeToEdit: { params: awardeeParams, answer: toldStory },
  createAwardee: { params: inOrg, form: awardeeFields, answer: toldStory },
  editAwardee: { params: awardeeParams, form: awardeeFields, answer: toldStory },
  setAwardeeStatus: { params: awardeeParams, body: statusChange, answer: toldStory },
  deleteAwardee: { params: awardeeParams, answer: said },
  readInstallersToEdit: { params: inOrg, query: storySearch, answer: z.array(toldStory) },
  readInstallerToEdit: { params: installerParams, answer: toldStory },
  createInstaller: { params: inOrg, form: installerFields, answer: toldStory },
  editInstaller: { params: installerParams, form: installerFields, answer: toldStory },
  setInstallerStatus: { params: installerParams, body: statusChange, answer: toldStory },
  deleteInstaller: { params: installerParams, answer: said },
};
