import type Stripe from 'stripe';

/** Either clock can be set at any time, so older comparisons are ignored. */
const VALID_MS = 10 * 60_000;

type ClockComparison = {
  /** Compares the clocks at each response. */
  readonly httpClient: Stripe.HttpClient;
  /** Milliseconds that this machine's clock is ahead of Stripe's; undefined if unknown. */
  readonly leadMs: () => number | undefined;
};

/** Compares this machine's clock with Stripe's, using the Date header of each response to `client`. */
export function compareClocks(client: Stripe.HttpClient, now: () => Date): ClockComparison {
  let comparison: { readonly leadMs: number; readonly madeAt: number } | undefined;
  const makeRequest: typeof client.makeRequest = async (...request) => {
    const response = await client.makeRequest(...request);
    const providerTime = Date.parse(String(response.getHeaders().date));
    if (!Number.isNaN(providerTime)) comparison = { leadMs: now().getTime() - providerTime, madeAt: performance.now() };
    return response;
  };
  return {
    httpClient: { getClientName: () => client.getClientName(), makeRequest },
    leadMs: () => (comparison && performance.now() - comparison.madeAt < VALID_MS ? comparison.leadMs : undefined),
  };
}
