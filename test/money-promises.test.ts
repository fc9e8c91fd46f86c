import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { defaultFaq } from '#domain/default-faq.ts';
import { LANGUAGES } from '#messages';
import { hasTest } from '#test/support/named-tests.ts';

const FAQ = 'src/domain/default-faq.ts';

/** The sections of the FAQ in which every sentence has a row. */
const FAQ_SECTIONS = [
  'Where does the money go?',
  'How large is a grant?',
  'Why $25 a ton?',
  'How do I pay?',
  'Can I give by check?',
  'Can I give every month?',
  'Can I give in honor or memory of someone?',
  'Will I get a receipt, and is my gift tax-deductible?',
  'Can I get a refund?',
  'What do the totals on the home page count?',
];

/** A sentence, the file that says it, and its test; or, without a file of tests, why it has none. */
type Row = { readonly said: string; readonly sentence: string; readonly file: string; readonly name: string };

const messages: Readonly<Record<string, unknown>> = JSON.parse(await readFile('messages/en.json', 'utf8'));
const rows = rowsOf(await readFile('docs/money-promises.md', 'utf8'));

function rowsOf(table: string): Row[] {
  return table.split('\n## ').flatMap((section) => {
    const [said = '', ...lines] = section.split('\n');
    return lines.flatMap((line) => {
      const [, sentence = '', file = '', name = ''] = line.split('|').map((cell) => cell.trim());
      return sentence === '' || sentence === 'Sentence' || sentence === '---' ? [] : [{ said, sentence, file, name }];
    });
  });
}

/** The text of a file as it is read: with the messages it says, on one line, with JSX's own spellings resolved. */
function plain(source: string): string {
  const said = [...source.matchAll(/\bm\.(\w+)/g)].map(([, key = '']) => JSON.stringify(messages[key] ?? ''));
  return [source, ...said]
    .join('\n')
    .replaceAll('&rsquo;', '’')
    .replace(/\{' '\}/g, ' ')
    .replace(/\s+/g, ' ');
}

/** What is wrong with a row; undefined if its sentence is said, and its test or the reason for none is there. */
async function problemOf({ said, sentence, file, name }: Row): Promise<string | undefined> {
  if (!plain(await readFile(said, 'utf8')).includes(sentence)) return `${said} does not say “${sentence}”`;
  if (file === '–') return name === '' ? `“${sentence}” has neither a test nor a reason` : undefined;
  return (await hasTest(file, name)) ? undefined : `${file} has no test “${name}”`;
}

test('every sentence about money is said as the table has it, and its test is there', async () => {
  expect(rows.length).toBeGreaterThan(130);
  const problems = await Promise.all(rows.map(problemOf));
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
});

function sentencesIn(heading: string): string[] {
  const [, section = ''] = defaultFaq(LANGUAGES[0]).split(`### ${heading}\n`);
  const [text = ''] = section.split('\n### ');
  return text.trim().split(/(?<=[.?!])\s+/);
}

test.each(FAQ_SECTIONS)('every sentence of “%s” has a row', (heading) => {
  const known = new Set(rows.filter(({ said }) => said === FAQ).map(({ sentence }) => sentence));
  expect(sentencesIn(heading).length).toBeGreaterThan(1);
  expect(sentencesIn(heading).filter((sentence) => !known.has(sentence))).toEqual([]);
});

test('a sentence that was changed, a test that is gone, and a missing reason are caught', async () => {
  const row = { said: 'src/domain/failures.ts', sentence: '$5 minimum to checkout', file: '–', name: 'A reason.' };
  expect(await problemOf(row)).toBeUndefined();
  expect(await problemOf({ ...row, sentence: '$4 minimum to checkout' })).toContain('does not say');
  expect(await problemOf({ ...row, file: 'test/domain/cart.test.ts', name: 'cart-below-minimum' })).toContain(
    'no test',
  );
  expect(await problemOf({ ...row, file: 'test/gone.test.ts' })).toContain('no test');
  expect(await problemOf({ ...row, name: '' })).toContain('neither');
});
