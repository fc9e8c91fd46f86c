import { Failure } from '#domain/failures.ts';
import { cardsDeclined } from '#domain/refusals.ts';
import type { AppDeps } from '#server/deps.ts';
import { type Asker, checkRateLimit, releaseRateLimit, waitOf } from './check-rate-limit.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;
type Client = NonNullable<Asker['client']>;

/** All networks together. */
const ALL = { thing: 'all' };

export type Declined = {
  /** Whether the payment page is to be closed. */
  readonly closesPage: boolean;
  /** Whose declined cards are too many now: one network's, or all together. */
  readonly alarm: 'network' | 'all' | undefined;
};

/**
 * Counts a declined card. With too many, the network opens no payment pages for up to an hour, and its open pages close
 * at the next declined card: the brake on trying stolen cards.
 * @param page where it is known @param client whose page it is; unknown once something was paid on it, or a day after it was opened
 */
export async function countDecline(
  deps: Deps,
  page: string | undefined,
  client: Client | undefined,
): Promise<Declined> {
  const onPage = page && (await checkRateLimit(deps, 'declined-on-page', { thing: page }));
  const inAll = await checkRateLimit(deps, 'declined-cards', ALL);
  const ofClient = client && (await checkRateLimit(deps, 'declined-card', { client }));
  const inAttack = client && (await checkRateLimit(deps, 'declined-card-in-attack', { client }));
  const isStopped = ofClient !== undefined || (inAll !== undefined && inAttack !== undefined);
  return {
    closesPage: Boolean(onPage) || isStopped,
    alarm: inAll ? 'all' : ofClient ? 'network' : undefined,
  };
}

/** A gift that was paid makes up for a declined card: a school of honest donors has some of both. */
export async function forgiveDecline(deps: Deps, client: Client): Promise<void> {
  await releaseRateLimit(deps, 'declined-cards', ALL);
  await releaseRateLimit(deps, 'declined-card', { client });
  await releaseRateLimit(deps, 'declined-card-in-attack', { client });
}

/**
 * Refuses a payment page where too many cards were declined. Where Turnstile is set up, a visitor passes who shows to be a
 * person; while many are declined in all, everyone is asked.
 * @param passed what the visitor got from Turnstile, if anything
 * @returns Failure cards-declined with the seconds to wait, challenge-needed with Turnstile's key
 */
export async function refuseCards(
  { challenge, ...deps }: Deps & Pick<AppDeps, 'challenge'>,
  client: string,
  passed: string | undefined,
): Promise<Failure | undefined> {
  const [ofClient, inAll] = await Promise.all([
    waitOf(deps, 'declined-card', { client }),
    waitOf(deps, 'declined-cards', ALL),
  ]);
  const inAttack = inAll > 0 && !challenge ? await waitOf(deps, 'declined-card-in-attack', { client }) : inAll;
  const wait = Math.max(ofClient, inAttack);
  if (wait === 0) return undefined;
  if (!challenge) return cardsDeclined(wait);
  if (passed !== undefined && (await challenge.isPassed(passed))) return undefined;
  return new Failure('challenge-needed', { siteKey: challenge.siteKey, origin: challenge.origin });
}
