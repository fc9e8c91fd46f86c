import { CALLS, callPath } from '#contract/calls.ts';
import { donationItem } from '#domain/cart.ts';
import { MAX_CHECK_NUMBER_LENGTH, MAX_NOTE_LENGTH } from '#domain/check.ts';
import { dayOf } from '#domain/days.ts';
import { MAX_NAME_LENGTH } from '#domain/profile.ts';
import { newId } from '#server/db/new-id.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call } from '#test/support/call.ts';
import { type HostileCase, ORG_PATH, type StartedCase, singlePage, VALID_NAME } from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

const CHECKOUTS = `${ORG_PATH}/editor/checkouts`;
const MAX_TITLE_LENGTH = 200;
const MAX_VERSION_LENGTH = 40;

/** Dialog URL for each check. */
const checkDialogPage = (ids: readonly string[]) => singlePage((index) => `${CHECKOUTS}?check=${ids[index]}`, 40);

/** Form fields for a check received today. */
const receivedCheckFields = () => ({ receivedOn: dayOf(new Date(), 'America/New_York'), checkNumber: '', note: '' });

/** Each line is a cart item's title from the browser. The program ignores it, so no page shows it. */
async function checkoutTrial(site: HostileSite): Promise<StartedCase> {
  const { method } = CALLS.createCheckout;
  const url = site.url + callPath('createCheckout', { orgid: 'sample' });
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'corpora' };
  const hostileItem = (line: string) => ({
    ...donationItem(5),
    ...(line.length <= MAX_TITLE_LENGTH ? { title: line } : {}),
    ...(line.length <= MAX_VERSION_LENGTH ? { factorsVersion: line } : {}),
    description: line,
  });
  const send = async (text: string) => {
    const body = JSON.stringify({ cart: text.split('\n').map(hostileItem) });
    return (await fetch(url, { method, headers, body })).status;
  };
  return { send, pages: [{ sourceAt: () => CHECKOUTS, method: 'open', capacity: 10 }] };
}

async function pledgeTrial(site: HostileSite): Promise<StartedCase> {
  const ids: string[] = [];
  const send = async (name: string, index: number) => {
    const body = { name, email: 'giver@example.org', amount: 25 };
    const response = await call(site.app, 'pledgeCheck', { params: { orgid: 'sample' }, body });
    ids[index] = response.json<{ id: string }>().id;
    return response.statusCode;
  };
  return { send, pages: [checkDialogPage(ids)] };
}

type CheckTextFields = { readonly name?: string; readonly checkNumber?: string; readonly note?: string };

async function recordTrial(site: HostileSite, fieldsFor: (text: string) => CheckTextFields): Promise<StartedCase> {
  const ids: string[] = [];
  const send = async (text: string, index: number) => {
    const { name = VALID_NAME, ...check } = fieldsFor(text);
    const body = { name, amount: 25, received: { ...receivedCheckFields(), ...check } };
    const pledgeid = newId();
    ids[index] = pledgeid;
    const params = { orgid: 'sample', pledgeid };
    return (await call(site.app, 'recordPledge', { params, as: await site.getEditor(), body })).statusCode;
  };
  return { send, pages: [checkDialogPage(ids)] };
}

async function receiveTrial(site: HostileSite, fieldsFor: (text: string) => CheckTextFields): Promise<StartedCase> {
  const ids: string[] = [];
  const send = async (text: string, index: number) => {
    const pledgeid = await addPledge(site.db, 'sample');
    ids[index] = pledgeid;
    const params = { orgid: 'sample', pledgeid };
    const body = { amount: 25, ...receivedCheckFields(), ...fieldsFor(text) };
    return (await call(site.app, 'receivePledge', { params, as: await site.getEditor(), body })).statusCode;
  };
  return { send, pages: [checkDialogPage(ids)] };
}

const NAME_LIMITS = { maxLength: MAX_NAME_LENGTH, separator: ' ' };
const CHECK_NUMBER_LIMITS = { maxLength: MAX_CHECK_NUMBER_LENGTH, separator: ' ' };
const NOTE_LIMITS = { maxLength: MAX_NOTE_LENGTH, separator: '\n' };

export const GIFT_ROWS: readonly HostileCase[] = [
  {
    call: 'createCheckout',
    fields: ['cart.title', 'cart.description', 'cart.factorsVersion'],
    maxLength: 2000,
    separator: '\n',
    start: checkoutTrial,
  },
  { call: 'pledgeCheck', fields: ['name'], ...NAME_LIMITS, start: pledgeTrial },
  {
    call: 'recordPledge',
    fields: ['name'],
    ...NAME_LIMITS,
    start: (site) => recordTrial(site, (name) => ({ name })),
  },
  {
    call: 'recordPledge',
    fields: ['received.note'],
    ...NOTE_LIMITS,
    start: (site) => recordTrial(site, (note) => ({ note })),
  },
  {
    call: 'recordPledge',
    fields: ['received.checkNumber'],
    ...CHECK_NUMBER_LIMITS,
    start: (site) => recordTrial(site, (checkNumber) => ({ checkNumber })),
  },
  {
    call: 'receivePledge',
    fields: ['checkNumber'],
    ...CHECK_NUMBER_LIMITS,
    start: (site) => receiveTrial(site, (checkNumber) => ({ checkNumber })),
  },
  {
    call: 'receivePledge',
    fields: ['note'],
    ...NOTE_LIMITS,
    start: (site) => receiveTrial(site, (note) => ({ note })),
  },
];
