import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { GrantFacts } from '#contract/schemas/grants.ts';
import { DAY_MS, dayOf, dayText } from '#domain/days.ts';
import { GRANT_FIELDS, MEASURES, METHODS } from '#domain/grant.ts';
import { RECURRING_GIFT_GROUPS } from '#domain/recurring-gift.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { sampleOrg } from './sample-org.ts';

const DATA_FOLDER = 'scripts/sample/data';

function readData<Content>(name: string, schema: z.ZodType<Content>): Content {
  return schema.parse(JSON.parse(readFileSync(`${DATA_FOLDER}/${name}.json`, 'utf8')));
}

export function subtractDays(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() - days * DAY_MS));
}

const profileSchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  daysAgo: z.number(),
  story: z.array(z.string()),
});

/** A fictional person, household, or crew. */
export type SampleProfile = {
  readonly key: string;
  readonly name: string;
  /** Paragraphs separated by an empty line. */
  readonly story: string;
  /** ISO 8601, UTC. */
  readonly createdTimestamp: string;
};

export type ProfileWithPhoto = SampleProfile & { readonly photo: StoredPhoto };

/** Profiles over the last two years, newest first. */
export function createSampleProfiles(kind: 'offsetters' | 'awardees' | 'installers', now: Date): SampleProfile[] {
  return readData(kind, z.array(profileSchema))
    .toSorted((a, b) => a.daysAgo - b.daysAgo)
    .map(({ key, name, daysAgo, story }) => ({
      key,
      name,
      story: story.join('\n\n'),
      createdTimestamp: new Date(now.getTime() - daysAgo * DAY_MS).toISOString(),
    }));
}

const personTextSchema = z.strictObject({ role: z.string(), about: z.string() });

/** The people on the about page. */
export const samplePeople = readData(
  'people',
  z.array(z.strictObject({ key: z.string(), name: z.string(), en: personTextSchema, es: personTextSchema })),
);

const cellTextSchema = z.strictObject({ en: z.string(), es: z.string() });

/** Texts of the help page, by cell. Income limits and the phone number are fictional. */
export const sampleHelp = readData(
  'help',
  z.strictObject({ apply: cellTextSchema, qualify: cellTextSchema, contact: cellTextSchema }),
);

const grantSchema = z.strictObject({
  awardeeid: z.string(),
  measures: z.array(z.enum(MEASURES)),
  yearlyPounds: z.number(),
  years: z.number(),
  method: z.enum(METHODS),
  /** Source of the pounds. For an audit, its date is added if dates are public. */
  source: z.string(),
  installer: z.string().default(''),
  otherFunding: z.number().default(0),
  otherFundingSource: z.string().default(''),
  publicFields: z.array(z.enum(GRANT_FIELDS)),
  /** Number of days since each step. */
  ago: z.strictObject({
    applied: z.number(),
    promised: z.number().optional(),
    paid: z.number().optional(),
    done: z.number().optional(),
    inspected: z.number().optional(),
  }),
});

export type SampleGrant = {
  readonly key: string;
  readonly facts: Omit<GrantFacts, 'appliedOn'>;
  readonly stepAges: z.infer<typeof grantSchema>['ago'];
};

/**
 * Grants of the sample awardees, oldest first; three families have a second one. Each grant pays $25 per ton of lifetime
 * savings (§9), minus other funding. The savings are within published ranges (EPA, ENERGY STAR, NREL).
 */
export function createSampleGrants(now: Date): SampleGrant[] {
  const grants = readData('grants', z.array(grantSchema));
  return grants.map(({ source, ago, ...facts }) => {
    const isDated = facts.method === 'audit' && facts.publicFields.includes('dates');
    const auditDate = isDated ? `, ${dayText(dayOf(subtractDays(now, ago.applied + 9), sampleOrg.time_zone))}` : '';
    const isSecond = grants.some((other) => other.awardeeid === facts.awardeeid && other.ago.applied > ago.applied);
    const amount = Math.round(facts.yearlyPounds * facts.years * 1.25) / 100 - facts.otherFunding;
    return {
      key: `${facts.awardeeid}-${isSecond ? 2 : 1}`,
      facts: { ...facts, amount, methodSource: `${source}${auditDate}`, fullSavingsReason: '' },
      stepAges: ago,
    };
  });
}

const intervalSchema = z.strictObject({ unit: z.enum(['month', 'year']), count: z.number() }).optional();

const itemSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('donation'), dollars: z.number(), every: intervalSchema }),
  z.strictObject({
    kind: z.literal('flight'),
    travelers: z.number(),
    miles: z.number(),
    roundtrip: z.boolean(),
    every: intervalSchema,
  }),
  z.strictObject({
    kind: z.literal('drive'),
    miles: z.number(),
    mpg: z.number(),
    roundtrip: z.boolean(),
    every: intervalSchema,
  }),
  z.strictObject({
    kind: z.literal('heating'),
    propane: z.number().default(0),
    electricity: z.number().default(0),
    gas: z.number().default(0),
    oil: z.number().default(0),
    every: intervalSchema,
  }),
  z.strictObject({
    kind: z.literal('quick'),
    type: z.enum(['car', 'home', 'air']),
    time: z.enum(['year', 'quarter', 'monthly']),
    every: intervalSchema,
  }),
]);

export type GiftItem = z.infer<typeof itemSchema>;

const itemsSchema = z.array(itemSchema);

const giftsSchema = z.strictObject({
  /** Offsetters' gifts. The first one is paid shortly before the story. */
  offsetters: z.array(
    z.strictObject({
      offsetter: z.string(),
      gifts: z.array(z.strictObject({ daysAfterFirst: z.number(), items: itemsSchema })),
    }),
  ),
  /** Recurring donors without a story. */
  recurring: z.array(
    z.strictObject({
      key: z.string(),
      name: z.string(),
      firstDaysAgo: z.number(),
      group: z.enum(RECURRING_GIFT_GROUPS).default('active'),
      /** Days since it was paused, its card began to fail, or it ended. There are no renewals afterward. */
      stoppedDaysAgo: z.number().default(0),
      items: itemsSchema,
    }),
  ),
  /** Checks on the day they arrived. */
  checks: z.array(z.strictObject({ name: z.string(), daysAgo: z.number(), dollars: z.number(), number: z.string() })),
  /** One-time gifts without a story. */
  visitors: z.array(
    z.strictObject({
      name: z.string(),
      daysAgo: z.number(),
      items: itemsSchema,
      refund: z.strictObject({ daysAgo: z.number(), reason: z.string() }).optional(),
    }),
  ),
});

export function readGifts(): z.infer<typeof giftsSchema> {
  return readData('gifts', giftsSchema);
}
