import { expect, test } from 'vitest';
import { renderMarkdown } from '#server/gateways/markdown/markdown.ts';
import { defaultText } from '#test/support/default-text.ts';
import { parseFaqAnswers } from '#web/app/heads/structured-data.ts';
import { collapseAnswers, parseFaqGroups, parseFaqHeadings } from '#web/ui/faq-headings.ts';

const parseAnswers = (markdown: string) => parseFaqAnswers({ html: renderMarkdown(markdown) });

test('every question in the default FAQ has an answer, in table-of-contents order', () => {
  const markdown = defaultText('faq', 'questions');
  const answers = parseAnswers(markdown);
  expect(answers.map(({ question }) => question)).toEqual(
    parseFaqHeadings(renderMarkdown(markdown)).map(({ text }) => text),
  );
  expect(answers.length).toBeGreaterThanOrEqual(12);
  for (const { answer } of answers) {
    expect(answer).toMatch(/^\S.{20,}/);
    expect(answer).not.toMatch(/[<>*|]|##|&\w+;|\]\(/);
  }
  const [firstAnswer] = answers;
  expect(firstAnswer?.answer).toMatch(/^A local fund that turns carbon offsets and donations into grants/);
  expect(firstAnswer?.answer).not.toContain('What is a carbon offset here?');
});

test('an answer is everything below its question: paragraphs, lists, tables, links, smaller headings', () => {
  const markdown = `Before all.

### Who *gives* & why?

Some **give**.

- once
- often

#### In short

| a | b |
|---|---|
| 1 | 2 |

See [the list](https://example.org/a).

### Who gets?

Neighbors.

## Another part

Not an answer.

### Without an answer
`;
  expect(parseAnswers(markdown)).toEqual([
    { question: 'Who gives & why?', answer: 'Some give. once often In short a b 1 2 See the list.' },
    { question: 'Who gets?', answer: 'Neighbors.' },
  ]);
});

test('headings outside the table of contents are ignored', () => {
  expect(parseAnswers('> ### Quoted\n>\n> text\n\n```\n### In code\n```\n')).toEqual([]);
});

test('the table of contents has a group for each heading that starts with ##, if it contains questions', () => {
  const markdown =
    '### First?\n\nYes.\n\n## Giving & *more*\n\n### How?\n\nSo.\n\n### When?\n\nNow.\n\n## Empty\n\nText.\n';
  expect(parseFaqGroups(renderMarkdown(markdown))).toEqual([
    { title: undefined, questions: [{ id: 'first', text: 'First?' }] },
    {
      title: 'Giving & more',
      questions: [
        { id: 'how', text: 'How?' },
        { id: 'when', text: 'When?' },
      ],
    },
  ]);
  const groups = parseFaqGroups(renderMarkdown(defaultText('faq', 'questions')));
  expect(groups.map(({ title }) => title)).toEqual([
    'The fund',
    'Offsets and estimates',
    'Giving',
    'Homes and stories',
  ]);
});

test('each answer is collapsed under its question, between the group headings', () => {
  const html = renderMarkdown('Before all.\n\n## Giving\n\n### Who?\n\nYou.\n\n- one\n\n### Why?\n\nWarmth.');
  expect(collapseAnswers(html).replaceAll('\n', '')).toBe(
    '<p>Before all.</p><h2>Giving</h2>' +
      '<details><summary><h3 id="who">Who?</h3></summary><p>You.</p><ul><li>one</li></ul></details>' +
      '<details><summary><h3 id="why">Why?</h3></summary><p>Warmth.</p></details>',
  );
});

test('if a question is inside a list, no answer is collapsed', () => {
  const html = '<h3 id="who">Who?</h3>\n<p>You.</p>\n<ul>\n<li>\n<h3 id="why">Why?</h3>\n</li>\n</ul>';
  expect(collapseAnswers(html)).toBe(html);
});
