import { z } from 'zod';

/** What the whole site says of itself, whatever the organisation (§1, decisions §1). */
export const site = z.object({
  parentName: z.string(),
  parentEin: z.string(),
  parentAddress: z.string(),
  contactEmail: z.string(),
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

export const siteCalls = { readSite: { answer: site } };
