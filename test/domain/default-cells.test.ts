// @spec 1.fund 2.home-screen 2.donate-screen 2.cells 8.strings 9.grant 9.ton decisions.1
import { expect, test } from 'vitest';
import { CELL_PAGES, CELLS } from '#domain/cells.ts';
import { DEFAULT_MPG, EMISSION_FACTORS, GALLONS_OF_GAS_PER_TON, POUNDS_PER_TON } from '#domain/emissions.ts';
import { Failure } from '#domain/failures.ts';
import { listFaqHeadings } from '#domain/faq.ts';
import { LANGUAGES } from '#messages';
import { CONTACT_EMAIL, defaultText, HELP_PATH } from '#test/support/default-text.ts';

const everyCell = CELL_PAGES.flatMap((page) => CELLS[page].map((name) => ({ page, name })));
const faq = defaultText('faq', 'questions');

test.each(everyCell)('the cell $page/$name has a default text', ({ page, name }) => {
  expect(defaultText(page, name).trim().length).toBeGreaterThan(20);
});

test('no two cells have the same default text', () => {
  const texts = everyCell.map(({ page, name }) => defaultText(page, name));
  expect(new Set(texts).size).toBe(everyCell.length);
});

test.each(everyCell)(
  'the cell $page/$name has the same headings, lists, and numbers in every language',
  ({ page, name }) => {
    const [first, ...translations] = LANGUAGES.map((language) => defaultText(page, name, language));
    for (const translation of translations) {
      expect(translation).not.toBe(first);
      expect(lineMarkers(translation)).toEqual(lineMarkers(first ?? ''));
      expect(findSortedNumbers(translation)).toEqual(findSortedNumbers(first ?? ''));
      expect(translation).not.toMatch(/C02|CO2|<\/?[a-z]/i);
    }
  },
);

/** The Markdown marker at the start of each line. */
const lineMarkers = (text: string) => text.split('\n').map((line) => /^(?:#+ |- |\||$)/.exec(line)?.[0]);
/** All numbers, sorted because a translation may mention them in a different order. */
const findSortedNumbers = (text: string) => (text.match(/\d[\d,.]*\d|\d/g) ?? []).sort();

test.each(LANGUAGES)('no two questions of the FAQ share an id in %s', (language) => {
  const ids = listFaqHeadings(defaultText('faq', 'questions', language)).map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(14);
  expect(new Set(ids).size).toBe(ids.length);
});

test('unknown cells are rejected', () => {
  expect(() => defaultText('faq', 'intro')).toThrow(new Failure('no-cell'));
});

test('the tag is one line of plain text, without Markdown', () => {
  expect(defaultText('home', 'tag')).toBe('Warm homes are climate action');
});

test.each(everyCell)('the cell $page/$name writes CO₂, without HTML or C02', ({ page, name }) => {
  expect(defaultText(page, name)).not.toMatch(/C02|CO2|<\/?[a-z]/i);
});

test('the home page blocks start with the headings of the design', () => {
  expect(defaultText('home', 'intro')).toMatch(/^## Carbon you emit, homes we warm\n/);
  expect(defaultText('home', 'intro')).toMatch(/^- /m);
  expect(defaultText('home', 'community')).toMatch(/^## Neighbors who give, neighbors who get warm\n/);
  expect(defaultText('home', 'city')).toMatch(/^## Where a grant goes\n/);
});

test('the FAQ has at least fourteen questions, each with an answer', () => {
  expect(listFaqHeadings(faq).length).toBeGreaterThanOrEqual(14);
  const answers = faq.split(/^### .*$/m).slice(1);
  expect(answers.every((answer) => answer.trim().length > 80)).toBe(true);
});

test('no two questions of the FAQ share an id', () => {
  const ids = listFaqHeadings(faq).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // faqContents numbers duplicate headings, so the headings themselves are compared too.
  expect(ids.join(' ')).not.toMatch(/[a-z]2\b/);
});

test('the FAQ states the grant, the ton, and the social cost of §9', () => {
  expect(faq).toContain('$25 for each ton');
  expect(faq).toContain('estimated at $125 or more a ton');
  expect(faq).toContain('$125 a metric ton');
  expect(faq).toContain(`${POUNDS_PER_TON.toLocaleString('en-US')} pounds`);
  expect(faq).toContain(`${GALLONS_OF_GAS_PER_TON} gallons of gas`);
  expect(faq).toContain('15 trees');
});

test('the FAQ links to the page for households that need help', () => {
  expect(faq).toContain(`[Get help with your home](${HELP_PATH})`);
  expect(defaultText('faq', 'questions', 'es')).toContain(`[Ayuda para su hogar](${HELP_PATH})`);
});

test('the FAQ states every calculator factor', () => {
  for (const { value } of Object.values(EMISSION_FACTORS)) {
    const text = Number(value) >= 1000 ? Number(value).toLocaleString('en-US') : value;
    expect(faq).toContain(text);
  }
  expect(faq).toContain(`blank, we use ${DEFAULT_MPG}`);
  expect(faq).toContain('upstate New York');
});

test.each([
  ['air', /3,570 miles of flying/, 3570],
  ['naturalGas', /79 therms of natural gas/, 79],
  ['fuelOil', /89 gallons of fuel oil/, 89],
] as const)('the FAQ’s amount of %s per ton matches the calculators within one percent', (name, pattern, amount) => {
  expect(faq).toMatch(pattern);
  expect((amount * Number(EMISSION_FACTORS[name].value)) / POUNDS_PER_TON).toBeCloseTo(1, 2);
});

test.each(['receipt', 'check', 'every month', 'refund', 'consent', '501(c)(3)', 'email address is never shown'])(
  'the FAQ mentions %s',
  (subject) => {
    expect(faq).toContain(subject);
  },
);

test('the thanks text doesn’t mention a payment, because it also appears on expired unpaid checkouts', () => {
  expect(defaultText('checkout', 'thanks')).not.toMatch(/your (gift|payment|donation|offset)\b/i);
});

test.each(LANGUAGES)('the FAQ, the help page, and the thanks text write out the contact address in %s', (language) => {
  const texts = [
    defaultText('faq', 'questions', language),
    defaultText('help', 'apply', language),
    defaultText('help', 'contact', language),
    defaultText('checkout', 'thanks', language),
  ];
  for (const text of texts) expect(text).toContain(CONTACT_EMAIL);
  expect(texts.join()).not.toMatch(/contact address|dirección de contacto|write to us|escríbanos/i);
});
