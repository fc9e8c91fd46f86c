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
import type { Dollars } from '#domain/money.ts';
import { day, dollars, id, orgId, page, pounds, time, typedText } from './shared.ts';

/** Dollars of a grant, in whole cents. */
const grantAmount: z.ZodType<Dollars, number> = z.number().min(0.01).max(9_999_999.99).multipleOf(0.01);
const text = typedText(GRANT_TEXT_MAXIMUM);

/** The editors' record of a grant. */
const grantFacts = z.strictObject({
  awardeeid: id,
  appliedOn: day,
  /** Dollars. Fixed once the grant is committed. */
  amount: grantAmount,
  measures: z.array(z.enum(MEASURES)).min(1).max(MEASURES.length),
  /** The installer, linked to the installer's page with this name if there is one; empty if unknown. */
  installer: text.default(''),
  /** Expected pounds of carbon a year, and for how many years. */
  yearlyPounds: z.number().min(0.0001).max(YEARLY_POUNDS_MAXIMUM).multipleOf(0.0001),
  years: z.number().int().min(1).max(LIFETIME_MAXIMUM),
  method: z.enum(METHODS),
  /** Source of the expected saving. */
  methodSource: text,
  /** Dollars of other public money for the same work, and its source. */
  otherMoney: z.number().min(0).max(9_999_999.99).multipleOf(0.01).default(0),
  otherSource: text.default(''),
  /** Reason for counting the whole saving although others pay too; if empty, the fund counts its share. */
  claimsAllBecause: text.default(''),
  /** Fields that the household agreed to publish. */
  shown: z.array(z.enum(GRANT_FIELDS)).max(GRANT_FIELDS.length).default([]),
});

export type GrantFacts = z.output<typeof grantFacts>;

export const grant = grantFacts.extend({
  id,
  awardee: z.string(),
  /** The installer's page here. */
  installerid: id.nullable(),
  standing: z.enum(GRANT_STAGES),
  promisedOn: day.nullable(),
  paidOn: day.nullable(),
  /** Paid dollars; null if unpaid. */
  paid: dollars.nullable(),
  doneOn: day.nullable(),
  inspectedOn: day.nullable(),
  /** Pounds over all years that the fund may count. */
  countedPounds: pounds,
  /** Ledger entry of the payment, else of the commitment, which can be taken back; null if there is neither. */
  entryid: id.nullable(),
  createdTimestamp: time,
});

export type Grant = z.infer<typeof grant>;

/** Dollars, 2 decimals: gifts − fees − disputed − paid − promised = free. */
const freeMoney = z.object({
  gifts: dollars,
  fees: dollars,
  disputed: dollars,
  paid: dollars,
  promised: dollars,
  free: dollars,
  atProvider: dollars,
  /** Basis of the public grant count: published awardees or paid grants. */
  countedBy: z.enum(['awardees', 'grants']),
});

export type FreeMoneyAnswer = z.infer<typeof freeMoney>;

/** Pounds of a fund, sold and saved. Only sums, and no row reveals a single home. */
const everyPound = z.object({
  /** Pounds are delivered up to the start of this day, in the organization's time zone. */
  asOf: day,
  /** Paid grants and their homes. */
  grants: z.number().int(),
  homes: z.number().int(),
  /** sold = backed + behind + waiting, granted = delivered + toCome + notDone. */
  standing: z.object({
    sold: pounds,
    backed: pounds,
    behind: pounds,
    waiting: pounds,
    granted: pounds,
    spare: pounds,
    delivered: pounds,
    toCome: pounds,
    notDone: pounds,
  }),
  /** The years add up to the standing. Returns are subtracted from the year of their gift. */
  years: z.array(
    z.object({
      year: z.number().int(),
      sold: pounds,
      backed: pounds,
      behind: pounds,
      waiting: pounds,
      granted: pounds,
      delivered: pounds,
      toCome: pounds,
    }),
  ),
  /** Dollars and pounds of paid grants by measure; empty if that would reveal a single home. */
  measures: z.array(
    z.object({
      measure: z.enum([...MEASURES, 'several', 'few']),
      grants: z.number().int(),
      paid: dollars,
      pounds,
    }),
  ),
  /** Dollars: gifts − fees − disputed − paid = left, part of which is promised. Null if it would reveal a single home. */
  money: z.object({
    gifts: dollars,
    fees: dollars,
    disputed: dollars,
    paid: dollars.nullable(),
    left: dollars.nullable(),
    promised: dollars.nullable(),
    free: dollars.nullable(),
    /** Dollars per 2,000 pounds of paid grants. */
    perTon: dollars.nullable(),
  }),
  /** Years over which the grants' pounds arrive; the default if the fund records no grants. */
  savingYears: z.number().int(),
});

export type EveryPound = z.infer<typeof everyPound>;

const inOrg = z.strictObject({ orgid: orgId });
const grantParams = z.strictObject({ orgid: orgId, grantid: id });

export const grantCalls = {
  readGrants: { params: inOrg, query: page.extend({ awardeeid: id.optional() }), answer: z.array(grant) },
  /** The caller chooses the id. Repeating it saves the same grant. */
  saveGrant: { params: grantParams, body: grantFacts, answer: grant },
  /** For grants that are neither committed nor paid. */
  deleteGrant: { params: grantParams, answer: z.object({}) },
  /** Sets the money aside. */
  promiseGrant: { params: grantParams, body: z.strictObject({ on: day }), answer: grant },
  payGrant: { params: grantParams, body: z.strictObject({ on: day, amount: grantAmount }), answer: grant },
  noteGrantWork: {
    params: grantParams,
    body: z.strictObject({ doneOn: day.nullable(), inspectedOn: day.nullable() }),
    answer: grant,
  },
  /** Takes back a payment, else a commitment. Each entry can be taken back once. */
  reverseGrant: {
    params: grantParams,
    body: z.strictObject({ entryid: id, reason: typedText(REASON_MAXIMUM * 4) }),
    answer: grant,
  },
  /** Money that the fund may grant today. */
  readFreeMoney: { params: inOrg, answer: freeMoney },
  readPounds: { params: inOrg, answer: everyPound },
  downloadPounds: { params: inOrg, answer: z.string(), answerType: 'text/csv' },
} as const;
