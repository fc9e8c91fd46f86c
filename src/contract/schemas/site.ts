import { z } from 'zod';
import { time } from './shared.ts';

/** What the whole site says of itself, whatever the organisation (§1, decisions §1). */
export const site = z.object({
  parentName: z.string(),
  parentEin: z.string(),
  parentAddress: z.string(),
  contactEmail: z.string(),
  /** The origin under which the public reaches the site. */
  publicUrl: z.string(),
  /** The id of the organisation that `/` leads to. */
  defaultOrg: z.string(),
  /** Whether payments go to the sandbox, where no money moves. */
  sandbox: z.boolean(),
  /** Whether people can sign in with Google. */
  googleSignIn: z.boolean(),
  /** Who is credited for the search of places. */
  placesCredit: z.object({ text: z.string(), url: z.string() }),
});

export type Site = z.infer<typeof site>;

/** How the program finds itself, for admins (§7: POST /test). */
export const testReport = z.object({
  createdTimestamp: time,
  /** How long the database took to answer. */
  databaseMilliseconds: z.number(),
  /** Differences that a recomputation of every ledger has found: there must be none (decisions §3). */
  ledgerDifferences: z.number().int(),
});

export type TestReport = z.infer<typeof testReport>;

export const siteCalls = { readSite: { answer: site }, runTest: { answer: testReport } };
