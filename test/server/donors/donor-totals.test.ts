// @spec decisions.3
// Slow because each run makes gifts at the card provider.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { MonthlyStatement } from '#contract/schemas/books.ts';
import type { Donor, DonorRecord } from '#contract/schemas/donors.ts';
import { donationItem } from '#domain/cart.ts';
import { dayOf } from '#domain/days.ts';
import { addMonths } from '#domain/statement.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { type DonationSetup, startGiving } from '#test/support/giving.ts';
import { signIn } from '#test/support/sign-in.ts';
import { runs } from '#test/support/sizes.ts';

const giving: DonationSetup = await startGiving({ sandbox: true });
const { db, deps, app, clock, provider } = giving;

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

test('totals by donor, by month, by statement, and the ledger agree', async () => {
  const property = fc.asyncProperty(histories, async (actions) => {
    const orgid = await addOrg(db, { created_at: clock.now() });
    let tess = await signIn(deps, { editorOf: [orgid], role: 'money' });
    let me = await signIn(deps);
    const params = { orgid };
    const begun = clock.now();
    const charges: string[] = [];
    const refunded = new Set<string>();
    const checks: { pledgeid: string; entryid: string }[] = [];
    const donors = async () =>
      (await call(app, 'readDonors', { params, as: tess, query: { max: '50' } })).json<Donor[]>();
    const pick = <Item>(items: readonly Item[], subject: number) => items[subject % Math.max(items.length, 1)];
    for (const { action, dollars, donor, subject, days } of actions) {
      clock.pass(days * DAY);
      // Sessions expire while the clock moves.
      [tess, me] = [await signIn(deps, { userId: tess.userId }), await signIn(deps, { userId: me.userId })];
      const charge = pick(charges, subject);
      const all = await donors();
      if (action === 'card') {
        const as = donor === 0 ? me : undefined;
        const { paymentUrl } = await giving.open([donationItem(dollars)], { orgId: orgid, as });
        await provider.pay(paymentUrl);
        await provider.deliver();
        charges.push(await provider.chargeOf(paymentUrl));
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
        const [bounced] = checks.splice(subject % checks.length, 1);
        const pledgeid = bounced?.pledgeid ?? '';
        const body = { entryid: bounced?.entryid, cause: donor === 0 ? 'mistake' : 'bounced', reason: 'No funds' };
        await call(app, 'reversePledge', { params: { ...params, pledgeid }, as: tess, body });
      } else if (action === 'refund' && charge !== undefined) {
        await provider.stripe.refunds.create({ charge, amount: 100 + donor });
        refunded.add(charge);
        await provider.deliver();
        // A dispute takes the whole charge. After a refund, the excess is a loss for the fund, not a returned gift.
      } else if (action === 'dispute' && charge !== undefined && !refunded.has(charge)) {
        charges.splice(charges.indexOf(charge), 1);
        await provider.press(`charges/${charge}`, { action: 'dispute' });
        await provider.deliver();
        const [dispute] = (await provider.stripe.disputes.list({ charge })).data;
        await provider.press(`disputes/${dispute?.id}`, { outcome: donor === 0 ? 'win' : 'lose' });
        await provider.deliver();
      } else if (action === 'merge') {
        const [one, other] = [pick(all, subject), pick(all, subject + 1)];
        if (!one || !other) continue;
        const body = { otherid: other.id, reason: 'The same' };
        await call(app, 'mergeDonor', { params: { ...params, donorid: one.id }, as: tess, body });
      } else if (action === 'separate') {
        for (const { id } of all) {
          const { merged } = (
            await call(app, 'readDonor', { params: { ...params, donorid: id }, as: tess })
          ).json<DonorRecord>();
          const member = pick(merged, subject);
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
    const ledger = rows[0]?.cents;
    const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, dollars) => sum + Math.round(dollars * 100), 0);
    const all = await donors();
    expect(sumOf(all.map(({ lifetime }) => lifetime))).toBe(ledger);

    const months: number[] = [];
    const last = dayOf(clock.now(), 'America/New_York').slice(0, 7);
    for (let month = dayOf(begun, 'America/New_York').slice(0, 7); month <= last; month = addMonths(month, 1)) {
      const response = await call(app, 'readMonth', { params, as: tess, query: { month } });
      if (response.statusCode === 404) continue;
      const { gifts, refunds, disputes } = response.json<MonthlyStatement>().all;
      months.push(gifts, refunds, disputes);
    }
    expect(sumOf(months)).toBe(ledger);

    for (const { id, lifetime, gifts, thisYear } of all) {
      const record = (
        await call(app, 'readDonor', { params: { ...params, donorid: id }, as: tess })
      ).json<DonorRecord>();
      expect(sumOf(record.years.flatMap(({ amount, returned }) => [amount, -returned]))).toBe(sumOf([lifetime]));
      expect(record.years.reduce((sum, year) => sum + year.gifts, 0)).toBe(gifts);
      const year = dayOf(clock.now(), 'America/New_York').slice(0, 4);
      const ofYear = record.years.filter((each) => each.year === year);
      expect(sumOf(ofYear.flatMap(({ amount, returned }) => [amount, -returned]))).toBe(sumOf([thisYear]));
    }
  });
  await fc.assert(property, { numRuns: runs(2, 40), endOnFailure: true });
});
