// @spec decisions.5
import { expect, test } from 'vitest';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { isSlug } from '#domain/org.ts';
import { isEmail } from '#domain/profile.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { HOSTILE_ADDRESSES } from './hostile-addresses.ts';
import { HOSTILE_CALLS } from './hostile-calls.ts';
import { LINES, packLines } from './hostile-lines.ts';
import { openHostileSite } from './hostile-site.ts';
import { runTrial } from './run-trial.ts';

if (LINES.length === 0) console.log('Skipped: no scripts. Set CORPORA_DIR to a folder that has "xss-list" in it.');

/** Sending all lines through a call and opening their pages takes a minute or two, or longer on a busy machine. */
const MOST_MS = 60 * 60_000;
/** The longest address that a server accepts, in any encoding. */
const ADDRESS_MAXIMUM = 6000;

const site = LINES.length > 0 ? await openHostileSite() : undefined;
const names = HOSTILE_CALLS.map((row) => [row.call, row.fields.join(' and '), row.most, row] as const);

test.skipIf(!site).each(names)(
  'no line runs that goes through %s as %s, in texts of %i characters',
  async (...of) => {
    if (!site) return;
    const [call, fields, , row] = of;
    const { texts, refused, found } = await runTrial(site, row, packLines(LINES, row));
    console.log(`${call} ${fields}: ${texts} texts, ${refused} lines refused, ${found.length} found`);
    expect(found).toEqual([]);
    if (row.refusesAll) expect(texts).toBe(0);
    else expect(texts).toBeGreaterThan(0);
  },
  MOST_MS,
);

const addresses = HOSTILE_ADDRESSES.map((address) => [address.name, address] as const);
test.skipIf(!site).each(addresses)(
  'no line runs that stands in an address: %s',
  async (_name, { at }) => {
    for (const text of packLines(LINES, { most: ADDRESS_MAXIMUM, between: ' ' }).texts) {
      expect(await site?.lookAt({ path: at(text.join(' ')) })).toEqual([]);
    }
  },
  MOST_MS,
);

test.skipIf(!site)('no line is an email address or a slug, and none leads out of the site', () => {
  expect(LINES.filter(isEmail)).toEqual([]);
  expect(LINES.filter((line) => isSlug(line, []) && !ID_PATTERN.test(line))).toEqual([]);
  expect(LINES.filter((line) => safeReturnTo(line) !== undefined)).toEqual([]);
});
