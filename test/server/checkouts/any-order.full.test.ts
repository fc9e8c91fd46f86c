// @spec decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { DECLINED_CARD } from '#test/support/card-provider.ts';
import { type DonationSetup, type OpenedCheckout, startDonationSetup } from '#test/support/donation-setup.ts';
import { pickRunCount } from '#test/support/run-count.ts';

const setup: DonationSetup = await startDonationSetup();
const { provider, clock } = setup;

type Step =
  | { readonly do: 'open'; readonly dollars: number }
  | { readonly do: 'deliver' | 'settle' | 'fail-debits' }
  | { readonly do: 'pay' | 'decline' | 'debit' | 'expire' | 'read' | 'complete'; readonly which: number }
  | { readonly do: 'redeliver'; readonly which: number };

const which = fc.nat({ max: 1000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open'), dollars: fc.integer({ min: 5, max: 500 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay'), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('decline', 'debit', 'expire', 'complete'), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('read', 'redeliver'), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('deliver', 'settle', 'fail-debits') }) },
);

async function takeStep(checkouts: OpenedCheckout[], nextStep: Step): Promise<void> {
  clock.advance(3000);
  if (nextStep.do === 'open') checkouts.push(await setup.openCheckout([donationItem(nextStep.dollars)]));
  else if (nextStep.do === 'redeliver') await redeliverEvent(nextStep.which);
  else if ('which' in nextStep) await applyStep(checkouts[nextStep.which % checkouts.length], nextStep.do);
  else if (nextStep.do === 'deliver') await provider.deliverEvents();
  else await provider.resolveDebits(nextStep.do === 'settle' ? 'settle' : 'fail');
}

async function applyStep(checkout: OpenedCheckout | undefined, action: Step['do']): Promise<void> {
  if (!checkout) return;
  if (action === 'pay') await provider.pay(checkout.paymentUrl);
  if (action === 'decline') await provider.pay(checkout.paymentUrl, DECLINED_CARD);
  if (action === 'debit') await provider.payByDebit(checkout.paymentUrl);
  // Only an open page can expire. A paid checkout’s page can’t.
  if (action === 'expire') await provider.expireSession(checkout.paymentUrl).catch(() => undefined);
  if (action === 'read') await setup.readCheckout(checkout.id);
  if (action === 'complete') await setup.call('PATCH', `/api/orgs/${setup.orgId}/checkouts/${checkout.id}/complete`);
}

async function redeliverEvent(index: number): Promise<void> {
  const events = await provider.listSessionEvents();
  const event = events[index % events.length];
  if (event) await provider.redeliver(event.id);
}

/** Cents paid according to the provider, for all its checkout sessions. */
async function readPaidCents(): Promise<number> {
  let paidCents = 0;
  for await (const session of provider.stripe.checkout.sessions.list({ limit: 100 })) {
    if (session.payment_status === 'paid') paidCents += session.amount_total ?? 0;
  }
  return paidCents;
}

test('the ledger contains each payment once for any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const checkouts: OpenedCheckout[] = [];
      for (const nextStep of steps) await takeStep(checkouts, nextStep);
      await provider.deliverEvents();
      expect(await setup.readTotalCents()).toBe(await readPaidCents());
      expect(await setup.findDifferences()).toEqual([]);
    }),
    { numRuns: pickRunCount(4, 12) },
  );
}, 600_000);

test('the ledger never contains more than was paid', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const checkouts: OpenedCheckout[] = [];
      for (const nextStep of steps) {
        await takeStep(checkouts, nextStep);
        expect(await setup.readTotalCents()).toBeLessThanOrEqual(await readPaidCents());
      }
    }),
    { numRuns: pickRunCount(2, 5) },
  );
}, 600_000);
