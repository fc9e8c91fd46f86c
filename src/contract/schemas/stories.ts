import { z } from 'zod';
import { MEASURES, METHODS } from '#domain/grant.ts';
import { MAX_NAME_LENGTH, MAX_STORY_LENGTH } from '#domain/profile.ts';
import { LANGUAGES } from '#messages';
import { day, dollars, id, orgId, page, picture, pounds, printableText, time } from './shared.ts';

/** A promised or paid grant, with only the fields that the household agreed to publish. */
const publishedGrant = z.object({
  amount: dollars.optional().describe('Paid dollars or, if unpaid, promised dollars.'),
  measures: z.array(z.enum(MEASURES)).optional(),
  installer: z
    .object({ name: z.string(), profileURL: z.string().nullable() })
    .optional()
    .describe('The installer, with the URL of their page if there is one.'),
  savings: z
    .object({
      yearlyPounds: pounds,
      years: z.number(),
      countedPounds: pounds.describe('Pounds over all years that the fund counts.'),
      method: z.enum(METHODS),
      methodSource: z.string(),
      otherFundingSource: z.string().describe('Source of other public money; may be empty.'),
      fullSavingsReason: z
        .string()
        .describe('Reason for counting all pounds despite other public money; may be empty.'),
    })
    .optional()
    .describe('Expected pounds, and the method behind them.'),
  dates: z
    .object({
      promisedOn: day.nullable(),
      paidOn: day.nullable(),
      doneOn: day.nullable(),
      inspectedOn: day.nullable(),
    })
    .optional(),
});

export type PublishedGrant = z.infer<typeof publishedGrant>;

/** A home of an installer or of an offsetter’s gifts, with only the fields that its household agreed to publish. */
const publishedHome = z.object({
  name: z.string(),
  profileURL: z.string(),
  measures: z.array(z.enum(MEASURES)).optional(),
  doneOn: day.optional(),
  photo: picture.optional().describe('Photo of the household’s story.'),
});

export type PublishedHome = z.infer<typeof publishedHome>;

export const profile = z
  .object({
    id,
    name: z.string(),
    story: z.string(),
    language: z.enum(LANGUAGES).optional().describe('Language of the story; omitted if it is unclear.'),
    photoURL: z.string().nullable(),
    photo: picture.nullable(),
    profileURL: z.string(),
    createdTimestamp: time,
    pounds: pounds
      .optional()
      .describe(
        'Pounds that the donor has offset, if they agreed to publish it; only in the response for a single story.',
      ),
    grants: z
      .array(publishedGrant)
      .optional()
      .describe(
        'Grants of an awardee, with only published fields; in the response for a list, only amounts and measures.',
      ),
    homes: z.array(publishedHome).optional(),
    mine: z.literal(true).optional().describe('Set only for the owner.'),
  })
  .meta({
    id: 'Profile',
    description: 'A public story (§3, the shared profile shape), without email address and user id.',
  });

/**
 * Text fields of a profile form. The limits are far above those of §5, so that the failures of §5 explain a rejection.
 */
export const profileTexts = z.strictObject({
  name: printableText(MAX_NAME_LENGTH * 20),
  story: printableText(MAX_STORY_LENGTH * 10),
});

/** Form value: whether the story shows its donor's pounds. */
export const showsPounds = z.enum(['true', 'false']).optional();

/** Form value: whether the story lists the homes that its gifts helped. */
export const showsHomes = z.enum(['true', 'false']).optional();

/** Text fields for a donor who wants to stay hidden; omitted fields are empty. */
export const optionalProfileTexts = z.strictObject({
  name: profileTexts.shape.name.default(''),
  story: profileTexts.shape.story.default(''),
});

export type ProfileTexts = z.infer<typeof profileTexts>;

export const installer = profile
  .extend({ orgId })
  .meta({ id: 'Installer', description: "An installer also has its organization's id." });

export type Profile = z.infer<typeof profile>;

/** A neighboring story: its name, and a preview of its text (§9). */
const neighbor = profile.pick({ id: true, name: true, photo: true, profileURL: true }).extend({ preview: z.string() });

export const neighbors = z
  .object({ previous: neighbor.nullable(), next: neighbor.nullable() })
  .meta({ id: 'Neighbors' });

export type Neighbor = z.infer<typeof neighbor>;

export type Neighbors = z.infer<typeof neighbors>;

const orgParams = z.strictObject({ orgid: orgId });
const offsetterParams = z.strictObject({ orgid: orgId, offsetterid: id });
const awardeeParams = z.strictObject({ orgid: orgId, awardeeid: id });
const installerParams = z.strictObject({ orgid: orgId, installerid: id });
const profiles = z.array(profile);

export const storyCalls = {
  readOffsetters: {
    summary: 'List the published stories of offsetters',
    params: orgParams,
    query: page,
    response: profiles,
  },
  readOffsetter: { summary: "Read an offsetter's story", params: offsetterParams, response: profile },
  readOffsetterNeighbors: {
    summary: "Read the stories before and after an offsetter's",
    params: offsetterParams,
    response: neighbors,
  },
  readAwardees: { summary: 'List the published awardees', params: orgParams, query: page, response: profiles },
  readAwardee: { summary: "Read an awardee's story with its grants", params: awardeeParams, response: profile },
  readAwardeeNeighbors: {
    summary: "Read the stories before and after an awardee's",
    params: awardeeParams,
    response: neighbors,
  },
  readInstallers: {
    summary: 'List the published installers',
    params: orgParams,
    query: page,
    response: z.array(installer),
  },
  readInstaller: { summary: "Read an installer's story", params: installerParams, response: installer },
  readInstallerNeighbors: {
    summary: "Read the stories before and after an installer's",
    params: installerParams,
    response: neighbors,
  },
};
