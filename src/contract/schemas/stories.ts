import { z } from 'zod';
import { MEASURES, METHODS } from '#domain/grant.ts';
import { NAME_MAXIMUM, STORY_MAXIMUM } from '#domain/profile.ts';
import { day, dollars, id, orgId, page, picture, pounds, time, typedText } from './shared.ts';

/** A committed or paid grant. It has only the fields that the household agreed to publish. */
const shownGrant = z.object({
  /** Paid dollars, else committed ones. */
  amount: dollars.optional(),
  measures: z.array(z.enum(MEASURES)).optional(),
  /** The installer, with the address of their page if there is one. */
  installer: z.object({ name: z.string(), profileURL: z.string().nullable() }).optional(),
  /** Expected pounds, and the method behind them. */
  savings: z
    .object({
      yearlyPounds: pounds,
      years: z.number(),
      /** Pounds of all years that the fund counts: its share of the money. */
      countedPounds: pounds,
      method: z.enum(METHODS),
      methodSource: z.string(),
      /** Other public money, and the reason for counting all pounds anyway; empty if neither applies. */
      otherSource: z.string(),
      claimsAllBecause: z.string(),
    })
    .optional(),
  dates: z
    .object({
      promisedOn: day.nullable(),
      paidOn: day.nullable(),
      doneOn: day.nullable(),
      inspectedOn: day.nullable(),
    })
    .optional(),
});

export type ShownGrant = z.infer<typeof shownGrant>;

/** A home of an installer or of an offsetter’s gifts, as far as its household agreed to publish it. */
const shownHome = z.object({
  name: z.string(),
  profileURL: z.string(),
  measures: z.array(z.enum(MEASURES)).optional(),
  doneOn: day.optional(),
  /** Photo of the household’s story. */
  photo: picture.optional(),
});

export type ShownHome = z.infer<typeof shownHome>;

/** A public story (§3, the shared profile shape), without email address and user id. */
export const profile = z.object({
  id,
  name: z.string(),
  story: z.string(),
  photoURL: z.string().nullable(),
  photo: picture.nullable(),
  profileURL: z.string(),
  createdTimestamp: time,
  /** Pounds that the donor has offset, if they agreed to publish it; only in the response for a single story. */
  pounds: pounds.optional(),
  /** Grants of an awardee or installer; only in the response for a single story, and only published fields. */
  grants: z.array(shownGrant).optional(),
  homes: z.array(shownHome).optional(),
  /** Set only for the owner (decisions §4). */
  mine: z.literal(true).optional(),
});

/** Texts of a profile form. The bounds are far above the rules of §5, which explain a rejection. */
export const profileTexts = z.strictObject({
  name: typedText(NAME_MAXIMUM * 20),
  story: typedText(STORY_MAXIMUM * 10),
});

/** Form value: the story may say how much its donor offset. */
export const showsPounds = z.enum(['true', 'false']).optional();

/** Form value: the story may list the homes that its gifts helped. */
export const showsHomes = z.enum(['true', 'false']).optional();

/** Texts of a donor who wants to stay hidden: omitted ones are empty. */
export const optionalProfileTexts = z.strictObject({
  name: profileTexts.shape.name.default(''),
  story: profileTexts.shape.story.default(''),
});

export type ProfileTexts = z.infer<typeof profileTexts>;

/** An installer also has its organization's id (§3). */
export const installer = profile.extend({ orgId });

export type Profile = z.infer<typeof profile>;

/** A neighboring story: its name, and its beginning (§9's preview). */
const neighbor = profile.pick({ id: true, name: true, photo: true, profileURL: true }).extend({ preview: z.string() });

export const neighbors = z.object({ previous: neighbor.nullable(), next: neighbor.nullable() });

export type Neighbor = z.infer<typeof neighbor>;

export type Neighbors = z.infer<typeof neighbors>;

const inOrg = z.strictObject({ orgid: orgId });
const offsetterParams = z.strictObject({ orgid: orgId, offsetterid: id });
const awardeeParams = z.strictObject({ orgid: orgId, awardeeid: id });
const installerParams = z.strictObject({ orgid: orgId, installerid: id });
const profiles = z.array(profile);

export const storyCalls = {
  readOffsetters: { params: inOrg, query: page, answer: profiles },
  readOffsetter: { params: offsetterParams, answer: profile },
  readOffsetterNeighbors: { params: offsetterParams, answer: neighbors },
  readAwardees: { params: inOrg, query: page, answer: profiles },
  readAwardee: { params: awardeeParams, answer: profile },
  readAwardeeNeighbors: { params: awardeeParams, answer: neighbors },
  readInstallers: { params: inOrg, query: page, answer: z.array(installer) },
  readInstaller: { params: installerParams, answer: installer },
  readInstallerNeighbors: { params: installerParams, answer: neighbors },
};
