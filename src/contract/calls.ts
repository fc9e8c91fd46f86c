import type { PathParams } from './path-pattern.ts';
import { SIGNED_IN_CALLS } from './signed-in-calls.ts';
import { API_BASE, endpointPath, VISITOR_CALLS } from './visitor-calls.ts';

export { API_BASE, LINE_COUNT_HEADER, LIVE_PATH, NEXT_CURSOR_HEADER, POSITION_HEADER } from './visitor-calls.ts';

/** Required for calls that change data, so that forms on other sites can't make them. */
export const REQUESTED_WITH_HEADER = 'x-requested-with';

/** Every API call (§7): method and path. Request and response bodies are in `schemas/`. */
export const CALLS = { ...VISITOR_CALLS, ...SIGNED_IN_CALLS } as const;

export type Calls = typeof CALLS;
export type CallName = keyof Calls;
export type CallParams<Name extends CallName> = PathParams<Calls[Name]['path']>;

/** The path of a call, such as '/api/orgs/sample'. */
export function callPath<Name extends CallName>(name: Name, params: CallParams<Name>): string {
  // The type signature already guarantees that the parameters match this call's path.
  return endpointPath<string>(CALLS[name], params);
}

/** The payment provider's webhook, authenticated only by its signature. */
export const WEBHOOK_PATH = `${API_BASE}/webhooks/stripe`;

/** Metrics for the operator's monitoring. */
export const METRICS_PATH = '/metrics';

/** Receives CSP violation reports from browsers. */
export const POLICY_REPORTS_PATH = `${API_BASE}/policy-reports`;
