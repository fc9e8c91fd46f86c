import { z } from 'zod';
import { MAX_REASON_LENGTH } from '#domain/books.ts';
import {
  GRANT_FIELDS,
  GRANT_STAGES,
  MAX_GRANT_TEXT_LENGTH,
  MAX_LIFETIME_YEARS,
  MAX_YEARLY_POUNDS,
  MEASURES,
  METHODS,
} from '#domain/grant.ts';
import type { Dollars } from '#domain/money.ts';
import { day, dollars, id, orgId, page, pounds, printableText, time } from './shared.ts';

/** A grant's dollars, in whole cents. */
const grantAmount: z.ZodType<Dollars, number> = z.number().min(0.01).max(9_999_999.99).multipleOf(0.01);
const text = printableText(MAX_GRANT_TEXT_LENGTH);

/** The editors' record of a grant. */
const grantFacts = z.strictObject({
  awardeeid: id,
  appliedOn: day,
  amount: grantAmount.describe('Dollars. Fixed once the grant is promised.'),
  measures: z.array(z.enum(MEASURES)).min(1).max(MEASURES.length),
  installer: text
    .default('')
    .describe("The installer's name, which links to the installer page with this name, if any; empty if unknown."),
  yearlyPounds: z
    .number()
    .min(0)
    .max(MAX_YEARLY_POUNDS)
    .multipleOf(0.0001)
    .default(0)
    .describe('Expected pounds of carbon per year. A promise or payment requires this, the years, and the source.'),
  years: z.number().int().min(0).max(MAX_LIFETIME_YEARS).default(0),
  method: z.enum(METHODS).default('audit'),
  methodSource: text.default(''),
  otherFunding: z
    .number()
    .min(0)
    .max(9_999_999.99)
    .multipleOf(0.01)
    .default(0)
    .describe('Dollars of other public money for the same work.'),
  otherFundingSource: text.default(''),
  fullSavingsReason: text
    .default('')
    .describe('Reason for counting the full savings despite other funding; if empty, the fund counts its share.'),
  publicFields: z
    .array(z.enum(GRANT_FIELDS))
    .max(GRANT_FIELDS.length)
    .default([])
    .describe('Fields that the household agreed to publish.'),
});

export type GrantFacts = z.output<typeof grantFacts>;

export const grant = grantFacts
  .extend({
    id,
    awardee: z.string(),
    installerid: id.nullable().describe('The installer, if they have a page on this site.'),
    stage: z.enum(GRANT_STAGES),
    promisedOn: day.nullable(),
    paidOn: day.nullable(),
    paid: dollars.nullable().describe('Paid dollars; null if unpaid.'),
    doneOn: day.nullable(),
    inspectedOn: day.nullable(),
    countedPounds: pounds.describe('Pounds over all years that the fund can count.'),
    entryid: id
      .nullable()
      .describe(
        'Ledger entry of the payment or, if unpaid, of the promise. It can be reversed. Null if there is neither.',
      ),
    createdTimestamp: time,
  })
  .meta({ id: 'Grant' });

export type Grant = z.infer<typeof grant>;

const stageSum = z.object({
  stage: z.enum(GRANT_STAGES),
  grants: z.number().int(),
  amount: dollars.describe('Paid dollars or, if unpaid, the amounts of the grants.'),
});

export type StageSum = z.infer<typeof stageSum>;

/** Dollars, 2 decimals: gifts − fees − disputed − paid − promised = available. */
const availableFunds = z.object({
  gifts: dollars,
  fees: dollars,
  disputed: dollars,
  paid: dollars,
  promised: dollars,
  available: dollars,
  processorBalance: dollars,
  grantCountSource: z
    .enum(['awardees', 'grants'])
    .describe('Basis of the public grant count: published awardees or paid grants.'),
});

export type AvailableFundsResponse = z.infer<typeof availableFunds>;

/** A fund's sold and saved pounds, as sums that don't reveal a single home. */
const publicPounds = z.object({
  asOf: day.describe("Pounds count as delivered up to the start of this day, in the organization's time zone."),
  grants: z.number().int().describe('Number of paid grants.'),
  homes: z.number().int().describe('Number of homes with a paid grant.'),
  totals: z
    .object({
      soldPounds: pounds,
      backedPounds: pounds,
      shortfallPounds: pounds,
      unallocatedPounds: pounds,
      grantedPounds: pounds,
      surplusPounds: pounds,
      deliveredPounds: pounds,
      remainingPounds: pounds,
      unfinishedPounds: pounds
        .nullable()
        .describe('Null if it would reveal a single home. It is then part of remainingPounds.'),
    })
    .describe(
      'soldPounds = backedPounds + shortfallPounds + unallocatedPounds, grantedPounds = deliveredPounds + remainingPounds + unfinishedPounds.',
    ),
  years: z
    .array(
      z.object({
        year: z.number().int(),
        soldPounds: pounds,
        backedPounds: pounds,
        shortfallPounds: pounds,
        unallocatedPounds: pounds,
        grantedPounds: pounds,
        deliveredPounds: pounds,
        remainingPounds: pounds.nullable().describe('Null if unfinishedPounds is.'),
      }),
    )
    .describe('The years add up to the totals. Returns are subtracted from the year of their gift.'),
  measures: z
    .array(
      z.object({
        measure: z.enum([...MEASURES, 'several', 'few']),
        grants: z.number().int(),
        paid: dollars,
        pounds,
      }),
    )
    .describe('Dollars and pounds of paid grants by measure; empty if that would reveal a single home.'),
  money: z
    .object({
      gifts: dollars,
      fees: dollars,
      disputed: dollars,
      paid: dollars.nullable(),
      remaining: dollars.nullable(),
      promised: dollars.nullable(),
      available: dollars.nullable(),
      perTon: dollars.nullable().describe('Dollars per 2,000 pounds of paid grants.'),
    })
    .describe(
      'Dollars: gifts − fees − disputed − paid = remaining, part of which is promised. Null if it would reveal a single home.',
    ),
  savingYears: z
    .number()
    .int()
    .describe("Years over which the grants' savings accrue; the default if the fund records no grants."),
});

export type PublicPounds = z.infer<typeof publicPounds>;

const orgParams = z.strictObject({ orgid: orgId });
const grantParams = z.strictObject({ orgid: orgId, grantid: id });

export const grantCalls = {
  readGrants: {
    summary: 'List grants',
    params: orgParams,
    query: page.extend({ awardeeid: id.optional(), stage: z.enum(GRANT_STAGES).optional() }),
    response: z.array(grant),
  },
  sumGrants: {
    summary: 'Count grants and add up their amounts by stage',
    params: orgParams,
    query: z.strictObject({ awardeeid: id.optional() }),
    response: z.array(stageSum).describe('Every stage, in order.'),
  },
  readGrant: { summary: 'Read a grant', params: grantParams, response: grant },
  saveGrant: {
    summary: 'Create or change a grant',
    description: 'The caller chooses the id. Repeating it saves the same grant.',
    params: grantParams,
    body: grantFacts.extend({
      basedOn: grantFacts
        .optional()
        .describe('The grant as last read. If someone else has changed it since, nothing is saved.'),
    }),
    response: grant,
  },
  deleteGrant: {
    summary: 'Delete a grant that is neither promised nor paid',
    params: grantParams,
    response: z.object({}),
  },
  promiseGrant: {
    summary: 'Promise a grant or cancel the promise',
    description: 'Sets the money aside.',
    params: grantParams,
    body: z.strictObject({ on: day }),
    response: grant,
  },
  payGrant: {
    summary: 'Record the payment of a grant',
    params: grantParams,
    body: z.strictObject({ on: day, amount: grantAmount }),
    response: grant,
  },
  recordGrantWork: {
    summary: "Record when a grant's work was finished and inspected",
    description: 'An omitted day does not change.',
    params: grantParams,
    body: z.strictObject({ doneOn: day.nullable().optional(), inspectedOn: day.nullable().optional() }),
    response: grant,
  },
  reverseGrant: {
    summary: 'Reverse the payment of a grant',
    description: 'Reverses the payment or, if unpaid, the promise. Each entry can be reversed once.',
    params: grantParams,
    body: z.strictObject({ entryid: id, reason: printableText(MAX_REASON_LENGTH * 4) }),
    response: grant,
  },
  readAvailableFunds: {
    summary: 'Read how much money is available for grants',
    description: 'Money that the fund can grant today.',
    params: orgParams,
    response: availableFunds,
  },
  readPounds: {
    summary: 'Read the public summary of all pounds and grants',
    params: orgParams,
    response: publicPounds,
  },
  downloadPounds: {
    summary: 'Download the public summary of all pounds and grants',
    params: orgParams,
    response: z.string(),
    responseType: 'text/csv',
  },
} as const;
