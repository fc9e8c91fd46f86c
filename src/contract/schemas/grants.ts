import { z } from 'zod';
import { REASON_MAXIMUM } from '#domain/books.ts';
import {
  GRANT_FIELDS,
  GRANT_STAGES,
  GRANT_TEXT_MAXIMUM,
  LIFETIME_MAXIMUM,
  MEASURES,
  METHODS,
  YEARLY_POUNDS_MAXIMUM,
} from '#domain/grant.ts';
import { day, id, page, time, typedText } from './shared.ts';

/** Dollars of a grant: whole cents. */
const dollars = z.number().min(0.01).max(9_999_999.99).multipleOf(0.01);
const text = typedText(GRANT_TEXT_MAXIMUM);

/** What editors write down of a grant. */
const grantFacts = z.strictObject({
  awardeeid: id,
  appliedOn: day,
  /** Dollars. Once it is promised, it stays. */
  amount: dollars,
  measures: z.array(z.enum(MEASURES)).min(1).max(MEASURES.length),
  /** Who does the work, linked to the installer of that name if there is one; empty if unknown. */
  installer: text.default(''),
  /** Expected pounds of carbon a year, and for how many years. */
  yearlyPounds: z.number().min(0.0001).max(YEARLY_POUNDS_MAXIMUM).multipleOf(0.0001),
  years: z.number().int().min(1).max(LIFETIME_MAXIMUM),
  method: z.enum(METHODS),
  /** Where the expected saving comes from. */
  methodSource: text,
  /** Dollars of other public money in the same work, and whose. */
  otherMoney: z.number().min(0).max(9_999_999.99).multipleOf(0.01).default(0),
  otherSource: text.default(''),
  /** Why the whole saving is counted though others pay too; empty: the fund counts its share. */
  claimsAllBecause: text.default(''),
  /** What the household lets the public see. */
  shown: z.array(z.enum(GRANT_FIELDS)).max(GRANT_FIELDS.length).default([]),
});

export type GrantFacts = z.output<typeof grantFacts>;

export const grant = grantFacts.extend({
  id,
  awardee: z.string(),
  /** The installer with a page here who does the work. */
  installerid: id.nullable(),
  standing: z.enum(GRANT_STAGES),
  promisedOn: day.nullable(),
  paidOn: day.nullable(),
  /** Dollars that were paid; null before. */
  paid: z.number().nullable(),
  doneOn: day.nullable(),
  inspectedOn: day.nullable(),
  /** Pounds over all years that the fund may count. */
  countedPounds: z.number(),
  /** The payment or else the promise in the ledger, which can be taken back; null if there is none. */
  entryid: id.nullable(),
  createdTimestamp: time,
});

export type Grant = z.infer<typeof grant>;

/** Dollars, 2 decimals: gifts − fees − disputed − paid − promised = free. */
const freeMoney = z.object({
  gifts: z.number(),
  fees: z.number(),
  disputed: z.number(),
  paid: z.number(),
  promised: z.number(),
  free: z.number(),
  atProvider: z.number(),
  /** By what the home page counts grants: awardees that are shown, or grants paid here. */
  countedBy: z.enum(['awardees', 'grants']),
});

export type FreeMoneyAnswer = z.infer<typeof freeMoney>;

const pounds = z.number();

/** Every pound of a fund, sold and saved. Only sums: no row is so small that it reveals what one home got. */
const everyPound = z.object({
  /** Pounds are delivered up to the start of this day, where the organization is. */
  asOf: day,
  /** Paid grants, and the homes that got them. */
  grants: z.number().int(),
  homes: z.number().int(),
  /** sold = backed + behind + waiting, granted = delivered + toCome + notDone. */
  standing: z.object({
    ...{ sold: pounds, backed: pounds, behind: pounds, waiting: pounds, granted: pounds, spare: pounds },
    ...{ delivered: pounds, toCome: pounds, notDone: pounds },
  }),
  /** They add up to the standing. What went back is taken off the year of its gift. */
  years: z.array(
    z.object({
      ...{ year: z.number().int(), sold: pounds, backed: pounds, behind: pounds, waiting: pounds },
      ...{ granted: pounds, delivered: pounds, toCome: pounds },
    }),
  ),
  /** Dollars and pounds of paid grants by what they are for; empty where that would reveal what one home got. */
  measures: z.array(
    z.object({
      measure: z.enum([...MEASURES, 'several', 'few']),
      ...{ grants: z.number().int(), paid: z.number(), pounds },
    }),
  ),
  /** Dollars: gifts − fees − disputed − paid = left, of which promised. Null where it would reveal what one home got. */
  money: z.object({
    ...{ gifts: z.number(), fees: z.number(), disputed: z.number() },
    ...{ paid: z.number().nullable(), left: z.number().nullable() },
    ...{ promised: z.number().nullable(), free: z.number().nullable() },
    /** For 2,000 pounds of paid grants. */
    perTon: z.number().nullable(),
  }),
  /** Over how many years the pounds of the grants arrive, or of usual ones where none is kept. */
  savingYears: z.number().int(),
});

export type EveryPound = z.infer<typeof everyPound>;

const inOrg = z.strictObject({ orgid: id });
const grantParams = z.strictObject({ orgid: id, grantid: id });

export const grantCalls = {
  readGrants: { params: inOrg, query: page.extend({ awardeeid: id.optional() }), answer: z.array(grant) },
  /** The id is the caller's to make up: the same one again is the same grant. */
  saveGrant: { params: grantParams, body: grantFacts, answer: grant },
  /** Of one that was neither promised nor paid. */
  deleteGrant: { params: grantParams, answer: z.object({}) },
  /** Sets the money aside. */
  promiseGrant: { params: grantParams, body: z.strictObject({ on: day }), answer: grant },
  payGrant: { params: grantParams, body: z.strictObject({ on: day, amount: dollars }), answer: grant },
  noteGrantWork: {
    params: grantParams,
    body: z.strictObject({ doneOn: day.nullable(), inspectedOn: day.nullable() }),
    answer: grant,
  },
  /** Takes a payment back, or else a promise. The same entry is taken back once. */
  reverseGrant: {
    params: grantParams,
    body: z.strictObject({ entryid: id, reason: typedText(REASON_MAXIMUM * 4) }),
    answer: grant,
  },
  /** How much the fund may grant today. */
  readFreeMoney: { params: inOrg, answer: freeMoney },
  readPounds: { params: inOrg, answer: everyPound },
  downloadPounds: { params: inOrg, answer: z.string(), answerType: 'text/csv' },
} as const;
