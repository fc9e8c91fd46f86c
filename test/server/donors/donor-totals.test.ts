// @spec decisions.3
// Slow because each run makes gifts at the card provider.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Statement } from '#contract/schemas/books.ts';
import type { Donor, DonorRecord } from '#contract/schemas/donors.ts';
import { donationItem } from '#domain/cart.ts';
import { dayOf } from '#domain/days.ts';
import { addMonths } from '#domain/statement.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup({ sandbox: true });
const { db, deps, app, clock, provider } = setup;

const ACTIONS = ['card', 'card', 'check', 'check', 'refund', 'dispute', 'bounce', 'merge', 'separate'] as const;

const histories = fc.array(
  fc.record({
    action: fc.constantFrom(...ACTIONS),
    dollars: fc.integer({ min: 5, max: 90 }),
    donor: fc.nat({ max: 3 }),
    subject: fc.nat({ max: 50 }),
    days: fc.nat({ max: 25 }),
  }),
  { minLength: 4, maxLength: 14 },
);

test('totals by donor, by month, by statement, and in the ledger agree', async () => {
  const property = fc.asyncProperty(histories, async (actions) => {
    const orgid = await addOrg(db, { created_at: clock.now() });
    let tess = await signIn(deps, { editorOf: [orgid], role: 'money' });
    let me = await signIn(deps);
    const params = { orgid };
    const startedAt = clock.now();
    const charges: string[] = [];
    const refundedCharges = new Set<string>();
    const checks: { pledgeid: string; entryid: string }[] = [];
    const readDonors = async () =>
      (await call(app, 'readDonors', { params, as: tess, query: { max: '50' } })).json<Donor[]>();
    const pick = <Item>(items: readonly Item[], subject: number) => items[subject % Math.max(items.length, 1)];
    for (const { action, dollars, donor, subject, days } of actions) {
      clock.advance(days * DAY);
      // Logs in again, because sessions expire as the clock moves.
      [tess, me] = [await signIn(deps, { userId: tess.userId }), await signIn(deps, { userId: me.userId })];
      const charge = pick(charges, subject);
      const allDonors = await readDonors();
      if (action === 'card') {
        const as = donor === 0 ? me : undefined;
        const { paymentUrl } = await setup.openCheckout([donationItem(dollars)], { orgId: orgid, as });
        await provider.pay(paymentUrl);
        await provider.deliverEvents();
        charges.push(await provider.readChargeId(paymentUrl));
      } else if (action === 'check') {
        const body = {
          name: `Donor ${donor}`,
          email: donor === 1 ? me.email : '',
          amount: dollars + 0.25,
          received: { receivedOn: dayOf(clock.now(), 'America/New_York') },
        };
        const pledgeid = randomUUID();
        const response = await call(app, 'recordPledge', { params: { ...params, pledgeid }, as: tess, body });
        checks.push({ pledgeid, entryid: response.json<{ entryid: string }>().entryid });
      } else if (action === 'bounce' && checks.length > 0) {
        const [bouncedCheck] = checks.splice(subject % checks.length, 1);
        const pledgeid = bouncedCheck?.pledgeid ?? '';
        const body = { entryid: bouncedCheck?.entryid, cause: donor === 0 ? 'mistake' : 'bounced', reason: 'No funds' };
        await call(app, 'reversePledge', { params: { ...params, pledgeid }, as: tess, body });
      } else if (action === 'refund' && charge !== undefined) {
        await provider.stripe.refunds.create({ charge, amount: 100 + donor });
        refundedCharges.add(charge);
        await provider.deliverEvents();
        // A dispute takes the whole charge. After a refund, the excess is a loss for the fund, not a returned gift.
      } else if (action === 'dispute' && charge !== undefined && !refundedCharges.has(charge)) {
        charges.splice(charges.indexOf(charge), 1);
        await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' });
        await provider.deliverEvents();
        const [dispute] = (await provider.stripe.disputes.list({ charge })).data;
        await provider.submitDashboardForm(`disputes/${dispute?.id}`, { outcome: donor === 0 ? 'win' : 'lose' });
        await provider.deliverEvents();
      } else if (action === 'merge') {
        const [firstDonor, secondDonor] = [pick(allDonors, subject), pick(allDonors, subject + 1)];
        if (!firstDonor || !secondDonor) continue;
        const body = { otherid: secondDonor.id, reason: 'The same' };
        await call(app, 'mergeDonor', { params: { ...params, donorid: firstDonor.id }, as: tess, body });
      } else if (action === 'separate') {
        for (const { id } of allDonors) {
          const { mergedDonors } = (
            await call(app, 'readDonor', { params: { ...params, donorid: id }, as: tess })
          ).json<DonorRecord>();
          const member = pick(mergedDonors, subject);
          if (!member) continue;
          const body = { reason: 'Another one' };
          await call(app, 'separateDonor', { params: { ...params, donorid: member.id }, as: tess, body });
        }
      }
    }

    const { rows } = await sql<{ cents: number }>`
      select coalesce(-sum(l.cents), 0)::int8 as cents from ledger_lines l
        join ledger_entries e on e.id = l.entry_id where e.org_id = ${orgid} and l.account = 'gifts'`.execute(
      db.kysely,
    );
    const ledgerCents = rows[0]?.cents;
    const sumCents = (amounts: readonly number[]) =>
      amounts.reduce((sum, dollars) => sum + Math.round(dollars * 100), 0);
    const allDonors = await readDonors();
    expect(sumCents(allDonors.map(({ lifetime }) => lifetime))).toBe(ledgerCents);

    const months: number[] = [];
    const lastMonth = dayOf(clock.now(), 'America/New_York').slice(0, 7);
    for (
      let month = dayOf(startedAt, 'America/New_York').slice(0, 7);
      month <= lastMonth;
      month = addMonths(month, 1)
    ) {
      const response = await call(app, 'readStatement', { params, as: tess, query: { period: month } });
      if (response.statusCode === 404) continue;
      const { gifts, refunds, disputes } = response.json<Statement>().all;
      months.push(gifts, refunds, disputes);
    }
    expect(sumCents(months)).toBe(ledgerCents);

    for (const { id, lifetime, gifts, thisYear } of allDonors) {
      const record = (
        await call(app, 'readDonor', { params: { ...params, donorid: id }, as: tess })
      ).json<DonorRecord>();
      expect(sumCents(record.years.flatMap(({ amount, returned }) => [amount, -returned]))).toBe(sumCents([lifetime]));
      expect(record.years.reduce((sum, year) => sum + year.gifts, 0)).toBe(gifts);
      const year = dayOf(clock.now(), 'America/New_York').slice(0, 4);
      const currentYearTotals = record.years.filter((yearTotals) => yearTotals.year === year);
      expect(sumCents(currentYearTotals.flatMap(({ amount, returned }) => [amount, -returned]))).toBe(
        sumCents([thisYear]),
      );
    }
  });
  await fc.assert(property, { numRuns: pickRunCount(2, 40), endOnFailure: true });
});
