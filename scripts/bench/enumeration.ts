import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CallName, callPath } from '#contract/calls.ts';
import { type Comparison, compare } from './median-difference.ts';
import { addPeople } from './scratch-people.ts';
import { withScratchProduct } from './scratch-product.ts';
import { tableRow } from './table-row.ts';
import { freshClients, type TimedAnswer, timedCall } from './timed-call.ts';

// npm run bench -- enumeration [--requests 2000] [--call signInByPassword]
//
// Can somebody learn from an answer, or from the time that it takes, whether an address has an account? Each call gets
// so many requests, one after another, each from a client address and about an email address that were never used
// before: a third about known addresses, a third about other known ones, a third about unknown ones, in mixed order.
// It ends with status 1 when answers differ, or when the medians of known and unknown addresses differ by more than the
// two sets of known ones do, by measure or by chance (median-difference.ts says how that is judged).

type Kind = 'knownA' | 'knownB' | 'unknown';
const KINDS: readonly Kind[] = ['knownA', 'knownB', 'unknown'];

type Asked = Extract<CallName, 'signInByPassword' | 'signUp' | 'sendSignInLink' | 'sendPasswordReset'>;
const PASSWORD = 'some long password of the bench';
const CALLS: readonly { readonly name: Asked; readonly body: (email: string) => object }[] = [
  { name: 'signInByPassword', body: (email) => ({ email, password: PASSWORD }) },
  { name: 'signUp', body: (email) => ({ email, password: PASSWORD, name: 'Bea Bench' }) },
  { name: 'sendSignInLink', body: (email) => ({ email }) },
  { name: 'sendPasswordReset', body: (email) => ({ email }) },
];

/** The first answers of a program are slow for reasons of their own. */
const WARMING_UP = 20;

/** @returns whether nobody can tell */
export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { requests: { type: 'string', default: '2000' }, call: { type: 'string' } },
  });
  const calls = CALLS.filter(({ name }) => values.call === undefined || values.call === name);
  const rounds = Math.ceil(Number(values.requests) / KINDS.length) + WARMING_UP;
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
  console.log(`${rounds - WARMING_UP} requests of each kind; milliseconds`);
  console.log(row(['call', 'known', 'known too', 'unknown', 'known/known', 'known/unknown', 'allowed', '']));
  for (const { name, body } of calls) {
    const answers: Record<Kind, TimedAnswer[]> = { knownA: [], knownB: [], unknown: [] };
    for (const { kind, email } of addressesOf(name, rounds)) {
      answers[kind].push(await timedCall(new URL(url + callPath(name, {})), fresh(), body(email)));
    }
    const times = (kind: Kind) => answers[kind].slice(WARMING_UP).map(({ milliseconds }) => milliseconds);
    const comparison = compare(times('knownA'), times('knownB'), times('unknown'));
    const said = new Set(KINDS.flatMap((kind) => answers[kind].map((answer) => `${answer.status} ${answer.body}`)));
    console.log(row([name, ...numbersOf(comparison), verdictOf(comparison, said)]));
    isFine &&= comparison.alike && said.size === 1;
  }
  return isFine;
}

/** Who is asked about, in the order of asking: a new address each time, the kinds of each round in mixed order. */
function addressesOf(call: Asked, rounds: number): { readonly kind: Kind; readonly email: string }[] {
  return Array.from({ length: rounds }, (_, round) =>
    // Every order comes as often as any other.
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

function verdictOf({ alike }: Comparison, said: ReadonlySet<string>): string {
  if (said.size > 1) return `the answers differ: ${[...said].join(' | ')}`;
  return alike ? 'alike' : 'can be told apart';
}

function numbersOf({ medians, knownKnown, knownUnknown, allowed }: Comparison): string[] {
  const numbers = [medians.knownA, medians.knownB, medians.unknown, knownKnown, knownUnknown, allowed];
  return numbers.map((number) => number.toFixed(3));
}

const row = (cells: readonly string[]) => tableRow(cells, [18, 13]);
