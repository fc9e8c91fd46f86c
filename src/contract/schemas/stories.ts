import { z } from 'zod';
import { MEASURES, METHODS } from '#domain/grant.ts';
import { NAME_MAXIMUM, STORY_MAXIMUM } from '#domain/profile.ts';
import { day, id, page, picture, time, typedText } from './shared.ts';

/** A grant that a home was promised or paid. Each field is there only if the household agreed to show it. */
const shownGrant = z.object({
  /** Dollars that were paid, or else promised. */
  amount: z.number().optional(),
  measures: z.array(z.enum(MEASURES)).optional(),
  /** With the address of its page, if it has one. */
  installer: z.object({ name: z.string(), profileURL: z.string().nullable() }).optional(),
  /** Expected pounds, and how that was found. */
  savings: z
    .object({
      yearlyPounds: z.number(),
      years: z.number(),
      /** Of all years, what the fund counts: its share of the money. */
      countedPounds: z.number(),
      method: z.enum(METHODS),
      methodSource: z.string(),
      /** Whose other public money is in it, and why the fund counts all pounds though; empty if neither. */
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

/** A home on which an installer worked, or that an offsetter’s gifts helped, as far as its household agreed to show it. */
const shownHome = z.object({
  name: z.string(),
  profileURL: z.string(),
  measures: z.array(z.enum(MEASURES)).optional(),
  doneOn: day.optional(),
  /** Of its household’s story. */
  photo: picture.optional(),
});

export type ShownHome = z.infer<typeof shownHome>;

/** A story as the public sees it (§3, the shared profile shape): no email address, no user id. */
export const profile = z.object({
  id,
  name: z.string(),
  story: z.string(),
  photoURL: z.string().nullable(),
  photo: picture.nullable(),
  profileURL: z.string(),
  createdTimestamp: time,
  /** What its donor has offset, in pounds, if the donor agreed to show it: only where one story is read. */
  pounds: z.number().optional(),
  /** Of an awardee, and of an installer: only where one story is read, and only what households agreed to show. */
  grants: z.array(shownGrant).optional(),
  homes: z.array(shownHome).optional(),
  /** Told to the owner alone (decisions §4). */
  mine: z.literal(true).optional(),
});

/** The texts of a profile form, with bounds far above the rules of §5, which give the reason. */
export const profileTexts = z.strictObject({
  name: typedText(NAME_MAXIMUM * 20),
  story: typedText(STORY_MAXIMUM * 10),
});

/** As forms send it: whether the story may say how much its donor offset. */
export const showsPounds = z.enum(['true', 'false']).optional();

/** … and which homes the gifts helped. */
export const showsHomes = z.enum(['true', 'false']).optional();

/** For a donor who is not to be shown: an absent text is empty. */
export const optionalProfileTexts = z.strictObject({
  name: profileTexts.shape.name.default(''),
  story: profileTexts.shape.story.default(''),
});

export type ProfileTexts = z.infer<typeof profileTexts>;

/** §3 gives an installer its organization's id. */
export const installer = profile.extend({ orgId: id });

export type Profile = z.infer<typeof profile>;

/** A story beside another one: whose it is, and how it begins (§9's preview). */
const neighbor = profile.pick({ id: true, name: true, photo: true, profileURL: true }).extend({ preview: z.string() });

export const neighbors = z.object({ previous: neighbor.nullable(), next: neighbor.nullable() });

export type Neighbor = z.infer<typeof neighbor>;

export type Neighbors = z.infer<typeof neighbors>;

const inOrg = z.strictObject({ orgid: id });
const offsetterParams = z.strictObject({ orgid: id, offsetterid: id });
const awardeeParams = z.strictObject({ orgid: id, awardeeid: id });
const installerParams = z.strictObject({ orgid: id, installerid: id });
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
