import { z } from 'zod';
import { cents, time } from './shared.ts';

export const site = z
  .object({
    parentName: z.string(),
    parentEin: z.string(),
    parentAddress: z.string(),
    contactEmail: z.string(),
    stateRegistration: z.string().describe('Sentence about state charity registration; empty if not set.'),
    annualReportUrl: z.string().nullable().describe("The parent's latest annual report; null if not set."),
    publicUrl: z.string().describe("The site's public origin."),
    defaultOrg: z.string().describe('Id of the organization that `/` redirects to.'),
    sandbox: z.boolean().describe('True if payments go to the sandbox.'),
    testPayments: z
      .boolean()
      .describe('True if the card processor uses a test key. Every page must then show a notice.'),
    googleSignIn: z.boolean().describe('True if users can log in with Google.'),
    placesCredit: z
      .object({ text: z.string(), url: z.string() })
      .describe('The credit for the location search provider.'),
  })
  .meta({ id: 'Site', description: 'Public settings of the whole site (§1, decisions §1).' });

export type Site = z.infer<typeof site>;

export const testReport = z
  .object({
    createdTimestamp: time,
    databaseMilliseconds: z.number().describe('Response time of the database.'),
    ledgerDifferences: z.number().int().describe('Differences found by recomputing every ledger; must be 0.'),
  })
  .meta({ id: 'TestReport', description: 'The self-check for admins (§7: POST /test).' });

export type TestReport = z.infer<typeof testReport>;

export const cardFee = z
  .object({
    basisPoints: z.number().int().describe('Hundredths of a percent of the charge.'),
    fixedCents: cents,
  })
  .meta({
    id: 'CardFee',
    description: 'The usual card fee, which donors can add to their gifts; null if it is not offered.',
  });

export const siteCalls = {
  readSite: {
    summary: 'Read public settings: the parent organization, contact details, and features',
    response: site,
  },
  readCardFee: {
    summary: 'Read the usual card fee, which donors can choose to cover',
    response: z.object({ cardFee: cardFee.nullable() }),
  },
  runTest: { summary: 'Run the self-test', response: testReport },
};
