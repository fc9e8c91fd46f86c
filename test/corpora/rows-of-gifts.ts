import { CALLS, callPath } from '#contract/calls.ts';
import { donationItem } from '#domain/cart.ts';
import { CHECK_NUMBER_MAXIMUM, NOTE_MAXIMUM } from '#domain/check.ts';
import { NAME_MAXIMUM } from '#domain/profile.ts';
import { newId } from '#server/db/new-id.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call } from '#test/support/call.ts';
import { editorsList, type HostileRow, NAME, ORG, type Trial } from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

const CHECKOUTS = `${ORG}/editor/checkouts`;
const TITLE_MAXIMUM = 200;
const VERSION_MAXIMUM = 40;

const CHECKS = editorsList(`${CHECKOUTS}?part=checks&checks=all`);

/** Checks that arrived today. */
const receipt = () => ({ receivedOn: new Date().toISOString().slice(0, 10), checkNumber: '', note: '' });

/** Each line is a cart item's title from the browser. The program ignores it, so no page shows it. */
async function checkoutTrial(site: HostileSite): Promise<Trial> {
  const { method } = CALLS.createCheckout;
  const url = site.url + callPath('createCheckout', { orgid: 'sample' });
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'corpora' };
  const itemOf = (line: string) => ({
    ...donationItem(5),
    ...(line.length <= TITLE_MAXIMUM ? { title: line } : {}),
    ...(line.length <= VERSION_MAXIMUM ? { factorsVersion: line } : {}),
    description: line,
  });
  const send = async (text: string) => {
    const body = JSON.stringify({ cart: text.split('\n').map(itemOf) });
    return (await fetch(url, { method, headers, body })).status;
  };
  return { send, pages: [{ what: () => CHECKOUTS, how: 'opened', holds: 10 }] };
}

async function pledgeTrial(site: HostileSite): Promise<Trial> {
  const send = async (name: string) => {
    const body = { name, email: 'giver@example.org', amount: 25 };
    return (await call(site.app, 'pledgeCheck', { params: { orgid: 'sample' }, body })).statusCode;
  };
  return { send, pages: [CHECKS] };
}

type Written = { readonly name?: string; readonly checkNumber?: string; readonly note?: string };

async function recordTrial(site: HostileSite, written: (text: string) => Written): Promise<Trial> {
  const send = async (text: string) => {
    const { name = NAME, ...check } = written(text);
    const body = { name, amount: 25, received: { ...receipt(), ...check } };
    const params = { orgid: 'sample', pledgeid: newId() };
    return (await call(site.app, 'recordPledge', { params, as: await site.editor(), body })).statusCode;
  };
  return { send, pages: [CHECKS] };
}

async function receiveTrial(site: HostileSite, written: (text: string) => Written): Promise<Trial> {
  const send = async (text: string) => {
    const params = { orgid: 'sample', pledgeid: await addPledge(site.db, 'sample') };
    const body = { amount: 25, ...receipt(), ...written(text) };
    return (await call(site.app, 'receivePledge', { params, as: await site.editor(), body })).statusCode;
  };
  return { send, pages: [CHECKS] };
}

const NAMES = { most: NAME_MAXIMUM, between: ' ' };
const NUMBERS = { most: CHECK_NUMBER_MAXIMUM, between: ' ' };
const NOTES = { most: NOTE_MAXIMUM, between: '\n' };

export const ROWS_OF_GIFTS: readonly HostileRow[] = [
  {
    call: 'createCheckout',
    fields: ['cart.title', 'cart.description', 'cart.factorsVersion'],
    most: 2000,
    between: '\n',
    begin: checkoutTrial,
  },
  { call: 'pledgeCheck', fields: ['name'], ...NAMES, begin: pledgeTrial },
  {
    call: 'recordPledge',
    fields: ['name'],
    ...NAMES,
    begin: (site) => recordTrial(site, (name) => ({ name })),
  },
  {
    call: 'recordPledge',
    fields: ['received.note'],
    ...NOTES,
    begin: (site) => recordTrial(site, (note) => ({ note })),
  },
  {
    call: 'recordPledge',
    fields: ['received.checkNumber'],
    ...NUMBERS,
    begin: (site) => recordTrial(site, (checkNumber) => ({ checkNumber })),
  },
  {
    call: 'receivePledge',
    fields: ['checkNumber'],
    ...NUMBERS,
    begin: (site) => receiveTrial(site, (checkNumber) => ({ checkNumber })),
  },
  { call: 'receivePledge', fields: ['note'], ...NOTES, begin: (site) => receiveTrial(site, (note) => ({ note })) },
];
