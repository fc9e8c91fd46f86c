import { Failure } from '#domain/failures.ts';
import { cardsDeclined } from '#domain/server-failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit, findWaitSeconds, type Requester, refundRateLimit } from './check-rate-limit.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;
type Client = NonNullable<Requester['client']>;

const ALL_NETWORKS = { resource: 'all' };

export type DeclineResult = {
  /** True if the payment page must be closed. */
  readonly closesPage: boolean;
  /** Set if one network, or all networks together, exceeded the limit for declined cards. */
  readonly alarm: 'network' | 'all' | undefined;
};

/**
 * Counts a declined card, to stop people who test stolen cards. A network with too many declined cards can't open payment
 * pages for up to an hour, and its open pages close at the next declined card.
 * @param page id of the payment page; undefined if unknown
 * @param client the page's client; undefined after a payment on the page, or a day after it was opened
 */
export async function countDecline(
  deps: Deps,
  page: string | undefined,
  client: Client | undefined,
): Promise<DeclineResult> {
  const pageLimit = page && (await checkRateLimit(deps, 'declined-on-page', { resource: page }));
  const totalLimit = await checkRateLimit(deps, 'declined-cards', ALL_NETWORKS);
  const clientLimit = client && (await checkRateLimit(deps, 'declined-card', { client }));
  const attackLimit = client && (await checkRateLimit(deps, 'declined-card-in-attack', { client }));
  const isBlocked = clientLimit !== undefined || (totalLimit !== undefined && attackLimit !== undefined);
  return {
    closesPage: Boolean(pageLimit) || isBlocked,
    alarm: totalLimit ? 'all' : clientLimit ? 'network' : undefined,
  };
}

/**
 * Removes one decline from the counts after a paid gift, so that honest donors who share an IP address aren't blocked.
 */
export async function forgiveDecline(deps: Deps, client: Client): Promise<void> {
  await refundRateLimit(deps, 'declined-cards', ALL_NETWORKS);
  await refundRateLimit(deps, 'declined-card', { client });
  await refundRateLimit(deps, 'declined-card-in-attack', { client });
}

/**
 * Refuses to open a payment page after too many declined cards. With Turnstile, the visitor may pass its challenge
 * instead. While the total of declined cards is too high, every visitor gets the challenge.
 * @param challengeToken the visitor's token from Turnstile, if any
 * @returns Failure cards-declined with the seconds to wait, challenge-needed with Turnstile's key
 */
export async function checkDeclineLimits(
  { challenge, ...deps }: Deps & Pick<AppDeps, 'challenge'>,
  client: string,
  challengeToken: string | undefined,
): Promise<Failure | undefined> {
  const [clientWait, totalWait] = await Promise.all([
    findWaitSeconds(deps, 'declined-card', { client }),
    findWaitSeconds(deps, 'declined-cards', ALL_NETWORKS),
  ]);
  const attackWait =
    totalWait > 0 && !challenge ? await findWaitSeconds(deps, 'declined-card-in-attack', { client }) : totalWait;
  const wait = Math.max(clientWait, attackWait);
  if (wait === 0) return undefined;
  if (!challenge) return cardsDeclined(wait);
  if (challengeToken !== undefined && (await challenge.isPassed(challengeToken))) return undefined;
  return new Failure('challenge-needed', { siteKey: challenge.siteKey, origin: challenge.origin });
}
