// @spec decisions.5
import { expect, test } from 'vitest';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { isSlug } from '#domain/org.ts';
import { isEmail } from '#domain/profile.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { HOSTILE_ADDRESSES } from './hostile-addresses.ts';
import { HOSTILE_CALLS } from './hostile-calls.ts';
import { HOSTILE_LINES, packLines } from './hostile-lines.ts';
import { openHostileSite } from './hostile-site.ts';
import { runTrial } from './run-trial.ts';

if (HOSTILE_LINES.length === 0)
  console.log('Skipped: no scripts. Set CORPORA_DIR to a folder that contains "xss-list".');

/** Sending all lines through a call and opening the resulting pages takes a minute or two, or longer on a busy machine. */
const TIMEOUT_MS = 60 * 60_000;
/** The longest address that a server accepts, in any encoding. */
const MAX_ADDRESS_LENGTH = 6000;

const site = HOSTILE_LINES.length > 0 ? await openHostileSite() : undefined;
const rowCases = HOSTILE_CALLS.map((row) => [row.call, row.fields.join(' and '), row.maxLength, row] as const);

test.skipIf(!site).each(rowCases)(
  'scripts sent to %s as %s don’t run (texts of up to %i characters)',
  async (...parts) => {
    if (!site) return;
    const [call, fields, , row] = parts;
    const { acceptedTextCount, rejectedLineCount, problems } = await runTrial(site, row, packLines(HOSTILE_LINES, row));
    console.log(
      `${call} ${fields}: ${acceptedTextCount} texts, ${rejectedLineCount} lines rejected, ${problems.length} problems`,
    );
    expect(problems).toEqual([]);
    if (row.rejectsAll) expect(acceptedTextCount).toBe(0);
    else expect(acceptedTextCount).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

const addressCases = HOSTILE_ADDRESSES.map((address) => [address.name, address] as const);
test.skipIf(!site).each(addressCases)(
  'scripts in an address don’t run: %s',
  async (_name, { buildAddress }) => {
    for (const text of packLines(HOSTILE_LINES, { maxLength: MAX_ADDRESS_LENGTH, separator: ' ' }).texts) {
      expect(await site?.openPage({ path: buildAddress(text.join(' ')) })).toEqual([]);
    }
  },
  TIMEOUT_MS,
);

test.skipIf(!site)('no script is accepted as an email address, slug, or return address', () => {
  expect(HOSTILE_LINES.filter(isEmail)).toEqual([]);
  expect(HOSTILE_LINES.filter((line) => isSlug(line, []) && !ID_PATTERN.test(line))).toEqual([]);
  expect(HOSTILE_LINES.filter((line) => safeReturnTo(line) !== undefined)).toEqual([]);
});
