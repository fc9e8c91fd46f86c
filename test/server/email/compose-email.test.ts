import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  button,
  composeEmail,
  detailRows,
  type EmailContent,
  type Envelope,
  heading,
  note,
  outlineButtons,
  paragraph,
  quotation,
} from '#server/gateways/email/compose-email.ts';
import { arbitraryText } from '#test/support/arbitrary-text.ts';
import { PARENT } from '#test/support/build-app.ts';
import { extractLinks, extractVisibleText } from '#test/support/email-text.ts';

const SITE = 'https://fund.example';
const envelope: Envelope = {
  email: 'uma@example.org',
  language: 'en',
  parent: PARENT,
  publicUrl: SITE,
  messageKey: 'letter-1',
};
const content: EmailContent = {
  subject: 'A letter',
  preheader: 'It says something.',
  name: 'Uma',
  title: 'The title',
  parts: [
    paragraph('It says something.'),
    heading('Facts'),
    detailRows([['Amount', '$25.00']]),
    button('Open it', `${SITE}/open?code=abc&return_to=%2Forgs`),
    ...outlineButtons(['Or go there', `${SITE}/there`], ['Nowhere', undefined]),
  ],
  sender: ['Civic Organization', '1 Main Street'],
};

test('the text part runs from greeting to sender, with each link on its own line', () => {
  expect(composeEmail(envelope, content).text).toBe(`Dear Uma,

The title

It says something.

Facts:

Amount: $25.00

Open it:
https://fund.example/open?code=abc&return_to=%2Forgs

Or go there:
https://fund.example/there

--
Civic Organization
1 Main Street
`);
});

test('a hyphenated number isn’t broken across lines, and the text part is unaffected', () => {
  const parts = [detailRows([['Issued by', 'Civic Inc., EIN 12-3456789']])];
  const { html, text } = composeEmail(envelope, { ...content, parts });
  expect(html).toContain('>Civic Inc., EIN <span style="white-space:nowrap">12-3456789</span></td>');
  expect(text).toContain('Issued by: Civic Inc., EIN 12-3456789\n');
});

test('a word wider than a phone is broken, in titles and tables', () => {
  const name = 'Wolfeschlegelsteinhausenbergerdorff';
  const parts = [detailRows([['In memory of', `${name} José`]])];
  const { html } = composeEmail(envelope, { ...content, title: name, parts });
  expect(html).toMatch(/<td class="card ink" style="[^"]*overflow-wrap:anywhere/);
  expect(html).toMatch(new RegExp(`overflow-wrap:anywhere[^"]*">${name} José</td>`));
  expect(composeEmail(envelope, content).html).toMatch(/overflow-wrap:normal[^"]*">\$25\.00<\/td>/);
});

test('a quote is set left-to-right or right-to-left to match its script', () => {
  const { html } = composeEmail(envelope, { ...content, parts: [quotation('באהבה!')] });
  expect(html).toMatch(/<p dir="auto"[^>]*>באהבה!/);
});

test('the HTML part has the same content in the same order', () => {
  const { html } = composeEmail(envelope, content);
  const lines = ['Dear Uma,', 'The title', 'It says something.', 'Facts', 'Amount', '$25.00', 'Open it', 'Or go there'];
  const positions = [...lines, 'Civic Organization', '1 Main Street'].map((line) =>
    extractVisibleText(html).lastIndexOf(line),
  );
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  expect(positions).not.toContain(-1);
});

test('every link is a button with words; only the text part spells out the addresses', () => {
  const { html, text } = composeEmail(envelope, content);
  const links = [`${SITE}/open?code=abc&return_to=%2Forgs`, `${SITE}/there`];
  expect(extractLinks(html)).toEqual(links);
  for (const link of links) expect(text).toContain(link);
  expect(extractVisibleText(html)).not.toContain('http');
});

test.each([
  ['en', 'A street at dusk with lit windows'],
  ['es', 'Una calle al atardecer con ventanas iluminadas'],
] as const)('the picture is attached to the email with a description (%s)', (language, description) => {
  const { html, attachments } = composeEmail({ ...envelope, language }, content);
  expect(attachments).toMatchObject([{ contentId: 'street.png', type: 'image/png' }]);
  expect(html).toContain(`<img src="cid:street.png" alt="${description}"`);
});

test('the name of a detail stays on one line, unless it is long', () => {
  const name = 'Fecha de la donación';
  const { html } = composeEmail(envelope, {
    ...content,
    parts: [
      detailRows([
        [name, '$25.00'],
        ['A name that is longer than most', '1'],
      ]),
    ],
  });
  expect(html).toMatch(new RegExp(`white-space:nowrap[^>]*>${name}<`));
  expect(html).toMatch(/overflow-wrap:normal[^>]*>A name that is longer/);
});

test('the preview text comes first', () => {
  expect(extractVisibleText(composeEmail(envelope, { ...content, preheader: 'Seen first.' }).html).trim()).toMatch(
    /^Seen first\./,
  );
});

// @asvs 1.3.6
test('an email loads no remote content and contains no scripts', () => {
  expect(composeEmail(envelope, content).html).not.toMatch(
    /<img src="(?!cid:)|<(?:script|link|iframe|object|form)\b|url\(|@import/i,
  );
});

// @asvs 1.2.2
test.each([
  'https://evil.example/open',
  'https://fund.example.evil.example/open',
  'https://user@fund.example:444/open',
  'http://fund.example/open',
  'javascript:alert(1)',
  '/open',
  '',
])('an email with a link to another site is rejected: %j', (href) => {
  for (const part of [button('Open it', href), ...outlineButtons(['Or go there', href])]) {
    expect(() => composeEmail(envelope, { ...content, parts: [part] })).toThrow('it links to another site');
  }
});

const hostileText = fc.oneof(
  arbitraryText({ maxLength: 40 }),
  fc
    .array(
      fc.constantFrom('<b>', '"', "'", '&lt;', '\r\n', '\u2028', '\u202e', '\0', '</p>', 'Bcc: all@example.org', 'a'),
    )
    .map((pieces) => pieces.join('')),
);

/** Writes an email in which every text is attacker-controlled. */
const composeEmailWith = (word: string) =>
  composeEmail(envelope, {
    ...content,
    subject: word,
    preheader: word,
    name: word,
    title: word,
    parts: [
      paragraph(word),
      note(word),
      heading(word),
      detailRows([[word, word]]),
      button(word, `${SITE}/open`),
      ...outlineButtons([word, `${SITE}/open`]),
    ],
    sender: [word],
  });

// @asvs 1.1.2
test('any input stays text and adds no markup or lines', () => {
  const plainEmail = composeEmailWith('a');
  const countMatches = (text: string, pattern: RegExp) => text.match(pattern)?.length;
  fc.assert(
    fc.property(hostileText, (word) => {
      const email = composeEmailWith(word);
      expect(countMatches(email.html, /</g)).toBe(countMatches(plainEmail.html, /</g));
      expect(countMatches(email.html, /"/g)).toBe(countMatches(plainEmail.html, /"/g));
      expect(countMatches(email.text, /[\n\r\u2028\u2029]/g)).toBe(countMatches(plainEmail.text, /\n/g));
      expect(email.subject).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    }),
  );
});

// @asvs 1.3.7
test('text in an email arrives unchanged', () => {
  const email = composeEmailWith(`A "fund" & <more>'s`);
  expect(email.text).toContain(`A "fund" & <more>'s`);
  expect(extractVisibleText(email.html)).toContain(`A "fund" & <more>'s`);
});

test('every line of a quotation is marked, so the quotation can’t impersonate the sender', () => {
  const text = 'One\n\n--\nCivic Organization\n<b>bold</b>\u202E';
  const { text: plainText, html } = composeEmail(envelope, { ...content, parts: [quotation(text, 'Dora\nD.')] });
  expect(plainText).toContain('> One\n>\n> --\n> Civic Organization\n> <b>bold</b>\n> – Dora D.\n');
  expect(html).toContain('One<br><br>--<br>Civic Organization<br>&lt;b&gt;bold&lt;/b&gt;<br>');
  expect(html).toContain('– Dora D.');
});

test.each(['en', 'es'] as const)('the sender’s sentence has one period after “Inc.” (%s)', (language) => {
  const parent = { ...PARENT, name: 'Friends of Ithaca Inc.' };
  const { sender: _, ...rest } = content;
  expect(composeEmail({ ...envelope, parent, language }, rest).text).toMatch(/ Inc\.\n/);
});
