import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CallName, callPath } from '#contract/calls.ts';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { createIdentity } from '#server/gateways/identity/create-identity.ts';
import { newId } from '#server/ids.ts';
import { type Comparison, compare } from './median-difference.ts';
import { withScratchProduct } from './scratch-product.ts';
import { tableRow } from './table-row.ts';
import { freshClients, type TimedAnswer, timedCall } from './timed-call.ts';

// npm run bench -- enumeration [--requests 2000] [--call signInByPassword]
//
// Do answers, or the time they take, reveal whether an address has an account? Each call gets that many requests in
// sequence, each from a new client address and about a new email address: a third about known addresses, a third about
// other known ones, a third about unknown ones, interleaved. Exits with 1 when answers differ, or when the medians of
// known and unknown addresses differ by more than the two known sets do (see median-difference.ts).

type Kind = 'knownA' | 'knownB' | 'unknown';
const KINDS: readonly Kind[] = ['knownA', 'knownB', 'unknown'];

type MeasuredCall = Extract<CallName, 'signInByPassword' | 'signUp' | 'sendSignInLink' | 'sendPasswordReset'>;
const PASSWORD = 'some long password of the bench';
const CALLS: readonly { readonly name: MeasuredCall; readonly body: (email: string) => object }[] = [
  { name: 'signInByPassword', body: (email) => ({ email, password: PASSWORD }) },
  { name: 'signUp', body: (email) => ({ email, password: PASSWORD, name: 'Bea Bench' }) },
  { name: 'sendSignInLink', body: (email) => ({ email }) },
  { name: 'sendPasswordReset', body: (email) => ({ email }) },
];

/** The first answers of a new process are slow. */
const WARM_UP = 20;

/** @returns whether known and unknown addresses look the same */
export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { requests: { type: 'string', default: '2000' }, call: { type: 'string' } },
  });
  const calls = CALLS.filter(({ name }) => values.call === undefined || values.call === name);
  const rounds = Math.ceil(Number(values.requests) / KINDS.length) + WARM_UP;
  const known = calls
    .flatMap(({ name }) => addressesOf(name, rounds))
    .filter(({ kind }) => kind !== 'unknown')
    .map(({ email }) => email);
  const prepare = (dataDir: string) => addPeople(path.join(dataDir, 'db'), known);
  return withScratchProduct({ prepare }, ({ url }) => measureAll(url, calls, rounds));
}

async function measureAll(url: string, calls: typeof CALLS, rounds: number): Promise<boolean> {
  const fresh = freshClients();
  let isFine = true;
  console.log(`${rounds - WARM_UP} requests of each kind; milliseconds`);
  console.log(row(['call', 'known', 'other known', 'unknown', 'known/known', 'known/unknown', 'allowed', '']));
  for (const { name, body } of calls) {
    const answers: Record<Kind, TimedAnswer[]> = { knownA: [], knownB: [], unknown: [] };
    for (const { kind, email } of addressesOf(name, rounds)) {
      answers[kind].push(await timedCall(new URL(url + callPath(name, {})), fresh(), body(email)));
    }
    const times = (kind: Kind) => answers[kind].slice(WARM_UP).map(({ milliseconds }) => milliseconds);
    const comparison = compare(times('knownA'), times('knownB'), times('unknown'));
    const answersSeen = new Set(
      KINDS.flatMap((kind) => answers[kind].map((answer) => `${answer.status} ${answer.body}`)),
    );
    console.log(row([name, ...numbersOf(comparison), verdictOf(comparison, answersSeen)]));
    isFine &&= comparison.alike && answersSeen.size === 1;
  }
  return isFine;
}

/** New addresses in request order, with the kinds of each round interleaved. */
function addressesOf(call: MeasuredCall, rounds: number): { readonly kind: Kind; readonly email: string }[] {
  return Array.from({ length: rounds }, (_, round) =>
    // Uses every order equally often.
    ORDERS[round % ORDERS.length]?.map((kind) => ({ kind, email: `${kind}-${call}-${round}@bench.example` })),
  )
    .flatMap((asked) => asked ?? [])
    .map(({ kind, email }) => ({ kind, email: email.toLowerCase() }));
}

const ORDERS: readonly (readonly Kind[])[] = [
  ['knownA', 'knownB', 'unknown'],
  ['unknown', 'knownA', 'knownB'],
  ['knownB', 'unknown', 'knownA'],
  ['knownB', 'knownA', 'unknown'],
  ['unknown', 'knownB', 'knownA'],
  ['knownA', 'unknown', 'knownB'],
];

function verdictOf({ alike }: Comparison, answersSeen: ReadonlySet<string>): string {
  if (answersSeen.size > 1) return `the answers differ: ${[...answersSeen].join(' | ')}`;
  return alike ? 'alike' : 'can be told apart';
}

function numbersOf({ medians, noise, difference, allowed }: Comparison): string[] {
  const numbers = [medians.knownA, medians.knownB, medians.unknown, noise, difference, allowed];
  return numbers.map((number) => number.toFixed(3));
}

const row = (cells: readonly string[]) => tableRow(cells, [18, 13]);

const BATCH = 500;

/** Creates a database with verified password accounts for these addresses. */
async function addPeople(dataDir: string, emails: readonly string[]): Promise<void> {
  const printLog = (details: object, message: string) => console.error(message, details);
  const log = { info: () => {}, warn: printLog, error: printLog };
  const db = await openDatabase({ dataDir, log });
  try {
    await migrate(db);
    const identity = createIdentity({ db, publicUrl: () => 'http://localhost', now: () => new Date(), log });
    // One hash for all: hashing thousands would take minutes.
    const hash = await identity.hashPassword('never tried');
    const people = emails.map((email) => ({ id: newId(), email }));
    for (let start = 0; start < people.length; start += BATCH) {
      const batch = people.slice(start, start + BATCH);
      await db.kysely
        .insertInto('users')
        .values(batch.map((person) => ({ ...person, email_verified: true })))
        .execute();
      await db.kysely
        .insertInto('accounts')
        .values(
          batch.map(({ id }) => ({
            id: newId(),
            user_id: id,
            provider_id: 'credential',
            account_id: id,
            password: hash,
          })),
        )
        .execute();
    }
  } finally {
    await db.close();
  }
}
