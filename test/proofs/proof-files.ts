import fc from 'fast-check';
import { PARTS, type ProvenEntry } from '#domain/gift-proof.ts';
import { provenFund, sha256 } from '#test/support/proven-fund.ts';

/** A file to check, and whether it must be accepted. */
export type ProofFile = { readonly text: string; readonly isGood: boolean; readonly how: string };

const KINDS = ['payment', 'renewal', 'check', 'refund', 'dispute', 'adjustment'];
const amounts = fc.oneof(
  fc.constantFrom(0, 1, -1, 2500, 10_000, -2500),
  fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
  fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
);
const entry = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    cents: amounts,
    pounds: amounts,
    salt: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    number: fc.nat({ max: 99_999 }),
    hasReceipt: fc.boolean(),
  })
  .map(
    ({ number, hasReceipt, ...given }): ProvenEntry => ({
      ...given,
      fact: `checkout-session:cs_${number}`,
      receipt: hasReceipt ? `2026-${number}` : '',
      date: '2026-01-01',
    }),
  );

/** The days of a small fund: each with some entries, the first with at least one. */
export const histories = fc
  .tuple(fc.array(entry, { minLength: 1, maxLength: 6 }), fc.array(fc.array(entry, { maxLength: 4 }), { maxLength: 5 }))
  .map(([first, others]) => [first, ...others]);

export type Fund = ReturnType<typeof provenFund>;

/** A good file of any format; `some` chooses. */
export function goodFile(fund: Fund, some: number): unknown {
  const days = fund.heads.length;
  const last = days - 1;
  const format = some % 3;
  if (format === 0 || days === 1) {
    const day = Math.floor(some / 3) % days;
    const entries = (fund.heads[day]?.size ?? 0) / PARTS;
    return fund.proof(Math.floor(some / 50) % entries, day);
  }
  if (format === 1) return fund.chain(Math.floor(some / 3) % days, last);
  const from = Math.floor(some / 3) % last;
  return fund.consistency(from, from + 1 + (Math.floor(some / 50) % (last - from)));
}

type Place = { readonly holder: object; readonly name: string | number };

/** Every value of a file, with the object or list that holds it. */
function placesOf(value: unknown): Place[] {
  if (Array.isArray(value)) return value.flatMap((each, name) => [{ holder: value, name }, ...placesOf(each)]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [{ holder: value, name }, ...placesOf(each)]);
}

/** Another text of the same kind, so that the form of it rarely gives it away. */
function changed(text: string, some: number): string {
  if (/^-?\d+$/.test(text) && text.length < 20) return String(Number(text) + (some % 2 === 0 ? 1 : -1));
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text.slice(0, 9)}${text.endsWith('1') ? 2 : 1}`;
  const at = some % Math.max(text.length, 1);
  const digit = '0123456789abcdef'[some % 16] ?? '0';
  return `${text.slice(0, at)}${digit === text[at] ? (digit === '0' ? '1' : '0') : digit}${text.slice(at + 1)}`;
}

/**
 * Changes one thing of a file.
 * @returns what; undefined if that changed nothing
 */
export function tamper(file: unknown, some: number): string | undefined {
  const before = JSON.stringify(file);
  const places = placesOf(file);
  const found = places[some % places.length];
  if (!found) return undefined;
  const { holder, name } = found;
  const how = Math.floor(some / places.length) % 8;
  const part: unknown = Reflect.get(holder, name);
  const list: unknown[] | undefined = Array.isArray(holder) ? holder : undefined;
  const place = Number(name);
  if (list && how === 5) list.splice(place, 1, list[(place + 1) % list.length]);
  else if (list && how === 6) list.splice(place, 1);
  else if (list && how === 7) list.splice(place, 0, part);
  else if (typeof part === 'string') Reflect.set(holder, name, changed(part, Math.floor(some / 7)));
  else Reflect.deleteProperty(holder, name);
  return JSON.stringify(file) === before ? undefined : `${how} at ${name}`;
}

/** Texts that are no file of ours, whatever is in them. */
const STRANGE = [
  ...['', '{}', '[]', 'null', 'NaN', '{"format":"climate-fund-proof-2"}', '{"format":1}', '[['.repeat(9)],
  ...['{"format":["climate-fund-proof-1"]}', '{"format":"climate-fund-heads-1","heads":[],"paths":[]}', '\uFEFF{}'],
];

/** How a good file may be written otherwise, by what is refused of it. */
const RESPELLINGS: readonly ((text: string) => string)[] = [
  (text) => `\uFEFF${text}`,
  (text) => text.replace(/"size":"(\d+)"/, '"size":$1'),
  (text) => text.replace(/"size":"(\d+)"/, '"size":"0$1"'),
  (text) => text.replace(/"size":"(\d+)"/, '"size":"+$1"'),
  (text) => text.replace(/"size":"(\d+)"/, '"size":"$1\\n"'),
  (text) => text.replace(/"size":"(\d+)"/, '"size":"٨"'),
  (text) => text.replace(/"size":"(\d+)"/, '"size":"9007199254740992"'),
  (text) => text.replace(/"day":"(\d+)/, '"day":"$1\\u0661'),
  (text) => text.replace(/"root":"/, '"root":"0x'),
  (text) => text.replace(/"key":"([0-9a-f]+)"/, (_, key: string) => `"key":"${key.toUpperCase()}A"`),
  (text) => text.replace(/"money":"live"/, '"money":"Live"'),
  (text) => text.replace(/"zone":"/, '"zone":"\\u0000'),
  (text) => text.replace(/"zone":"/, '"zone":"\\ud800'),
  (text) => text.replace(/"zone":"[^"]*"/, '"zone":""'),
  (text) => text.replace(/}$/, ',"more":"1"}'),
  (text) => text.replace(/"format"/, '"__proto__":{},"format"'),
];

/** So many files, always the same for a seed: a third good, the others tampered with. */
export function proofFiles(count: number, seed: number): ProofFile[] {
  const funds = fc.sample(histories, { numRuns: Math.ceil(count / 12), seed }).map((days) => provenFund(days));
  return Array.from({ length: count }, (_, at): ProofFile => {
    const some = new DataView(sha256(new TextEncoder().encode(`${seed} ${at}`)).buffer).getUint32(0);
    const fund = funds[at % funds.length];
    if (!fund) throw new Error('No fund');
    const file: unknown = JSON.parse(JSON.stringify(goodFile(fund, some)));
    if (at % 3 === 0) return { text: JSON.stringify(file), isGood: true, how: 'good' };
    if (at % 20 === 1) return { text: STRANGE[some % STRANGE.length] ?? '', isGood: false, how: 'strange' };
    if (at % 7 === 1) {
      const good = JSON.stringify(file);
      const text = RESPELLINGS[some % RESPELLINGS.length]?.(good) ?? good;
      return { text, isGood: text === good, how: `respelled ${some % RESPELLINGS.length}` };
    }
    const how = tamper(file, Math.floor(some / 11));
    return { text: JSON.stringify(file), isGood: how === undefined, how: how ?? 'good' };
  });
}
