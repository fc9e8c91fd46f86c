import { z } from 'zod';
import { cents, time } from './shared.ts';

/** Facts about the whole site (§1, decisions §1). */
export const site = z.object({
  parentName: z.string(),
  parentEin: z.string(),
  parentAddress: z.string(),
  contactEmail: z.string(),
  /** The site's public origin. */
  publicUrl: z.string(),
  /** Id of the organization that `/` redirects to. */
  defaultOrg: z.string(),
  /** True if payments go to the sandbox. */
  sandbox: z.boolean(),
  /** True if a test key of the card processor is in use, which every page must show. */
  testPayments: z.boolean(),
  /** True if people can sign in with Google. */
  googleSignIn: z.boolean(),
  /** The credit for the location search provider. */
  placesCredit: z.object({ text: z.string(), url: z.string() }),
});

export type Site = z.infer<typeof site>;

/** The self-check for admins (§7: POST /test). */
export const testReport = z.object({
  createdTimestamp: time,
  /** Response time of the database. */
  databaseMilliseconds: z.number(),
  /** Differences found by recomputing every ledger: there must be none (decisions §3). */
  ledgerDifferences: z.number().int(),
});

export type TestReport = z.infer<typeof testReport>;

/** The usual card fee, which donors may add to their gifts; null if that is not offered. */
export const cardFee = z.object({
  /** Hundredths of a percent of the charge. */
  basisPoints: z.number().int(),
  fixed: cents,
});

export const siteCalls = {
  readSite: { answer: site },
  readCardFee: { answer: z.object({ cardFee: cardFee.nullable() }) },
  runTest: { answer: testReport },
};
