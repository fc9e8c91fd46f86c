// @spec decisions.3
import { expect, test } from 'vitest';
import type { ListedCheckout } from '#contract/schemas/checkout-records.ts';
import type { Org, OrgSettings } from '#contract/schemas/orgs.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import type { Giving } from '#contract/schemas/users.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, DAY } from '#test/support/clock.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { signIn } from '#test/support/sign-in.ts';

const setup = await startDonationSetup();
const { app, clock, deps, db, orgId } = setup;
/** 7:05 pm on New Year's Eve in New York, when it's already the next year in UTC. */
const EVENING = '2027-01-01T00:05:00.000Z';
clock.advance(Date.parse(EVENING) - createTestClock().now().getTime());
const { userId } = await signIn(deps, { email: 'dora@example.org' });
await setup.openAndPay({ orgId, as: await signIn(deps, { userId }) });
clock.advance(DAY);
const edith = await signIn(deps, { editorOf: [orgId] });
const dora = await signIn(deps, { userId });

/** Reads the gift's date everywhere it is shown. */
async function readDays() {
  const params = { orgid: orgId };
  const csv = (await call(app, 'downloadLedger', { params, as: edith, query: { to: '2026-12-31' } })).body;
  const body = { from: '2026-12-31', to: '2026-12-31' };
  const results = (await call(app, 'searchCheckouts', { params, as: edith, body })).json<ListedCheckout[]>();
  const query = { period: 'month' };
  const { columns } = (await call(app, 'readOverview', { params, as: edith, query })).json<Overview>();
  const ownGifts = (await call(app, 'readGiving', { params: { userid: dora.userId }, as: dora })).json<Giving>();
  return {
    exported: csv
      .split('\r\n')
      .slice(1, -1)
      .filter((line) => !line.includes(',fee,'))
      .map((line) => line.split(',').slice(0, 2)),
    foundOnNewYearsEve: results.length,
    charted: columns.filter(({ kinds }) => kinds.payment).map(({ start }) => start),
    mine: ownGifts.gifts.map(({ givenOn }) => givenOn),
  };
}

const setTimeZone = (timeZone: string) =>
  call(app, 'editOrg', { params: { orgid: orgId }, as: edith, body: { timeZone } });
const readEntryTimes = async () =>
  (await db.kysely.selectFrom('ledger_entries').select('occurred_at').execute()).map(({ occurred_at }) => occurred_at);

test('a gift at 7:05 pm on December 31 in New York has that date in the ledger, the chart, the search, and My giving', async () => {
  expect(await readDays()).toEqual({
    exported: [['2026-12-31', EVENING]],
    foundOnNewYearsEve: 1,
    charted: ['2026-12-31'],
    mine: ['2026-12-31'],
  });
});

test('another time zone changes the dates but not the stored times', async () => {
  const times = await readEntryTimes();
  const response = await setTimeZone('Asia/Tokyo');
  expect(response.json<Org>().timeZone).toBe('Asia/Tokyo');
  const settings = await call(app, 'readOrgSettings', { params: { orgid: orgId }, as: edith });
  expect(settings.json<OrgSettings>().timeZone).toBe('Asia/Tokyo');
  expect(await readDays()).toEqual({
    exported: [],
    foundOnNewYearsEve: 0,
    charted: ['2027-01-01'],
    mine: ['2027-01-01'],
  });
  expect(await readEntryTimes()).toEqual(times);
  expect((await setTimeZone('America/New_York')).statusCode).toBe(200);
});

test.each(['Europe/Atlantis', '+05:00', 'EST', ''])('the time zone %j is rejected', async (zone) => {
  const response = await setTimeZone(zone);
  expect(readOutcome(response)).toEqual([422, 'time-zone-unknown']);
  expect(response.json<{ field: string }>().field).toBe('timeZone');
});

/** The clock then shows 7:05 pm on January 1, 2027, in New York. */
test.each([
  ['2027-01-01', [200], '2027-01-01T17:00:00.000Z'],
  ['2026-12-31', [200], '2026-12-31T17:00:00.000Z'],
  ['2027-01-02', [422, 'day-in-future'], undefined],
])('a check received on %s returns %j', async (receivedOn, outcome, occurredAt) => {
  const pledgeId = `check-of-${receivedOn}`;
  const body = { name: 'Carla Check', amount: 50, received: { receivedOn } };
  const response = await call(app, 'recordPledge', { params: { orgid: orgId, pledgeid: pledgeId }, as: edith, body });
  expect(readOutcome(response)).toEqual(outcome);
  if (occurredAt === undefined) return;
  expect(response.json<Pledge>().receivedOn).toBe(receivedOn);
  const entry = db.kysely.selectFrom('ledger_entries').select('occurred_at').where('pledge_id', '=', pledgeId);
  expect(await entry.executeTakeFirst()).toEqual({ occurred_at: new Date(occurredAt) });
});
