import { z } from 'zod';
import { time } from './shared.ts';

/** What browsers refused to load or run because the content security policy forbids it, as often as they reported it. */
export const policyReport = z.object({
  /** The part of the policy, such as "script-src-elem". */
  directive: z.string(),
  /** An origin, "self" (this site), a scheme such as "data", or "inline" and "eval". */
  blocked: z.string(),
  /** The pattern of the page's address; "other" for none of the site's pages. */
  page: z.string(),
  /** What asked for it, as `blocked`, or a script of this site; "" where the browser doesn't say. */
  source: z.string(),
  count: z.number().int(),
  firstTimestamp: time,
  lastTimestamp: time,
});

export type PolicyReport = z.infer<typeof policyReport>;

export const policyReportCalls = {
  /** The latest 100 of the last 30 days. */
  readPolicyReports: { answer: z.array(policyReport) },
};
