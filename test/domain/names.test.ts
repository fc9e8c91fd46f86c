import { expect, test } from 'vitest';
import { chosenNameFailure, makeDisplaySafe, makeEmailSafe, optionalNameFailure } from '#domain/names.ts';
import { failureSentence } from '#domain/server-failures.ts';
import { removeFinalPeriod } from '#domain/site-name.ts';

const PHISHING_NAME = 'Your account was suspended. Confirm at https://evil.example/login';

test.each([
  'Ada Lovelace',
  'Dr. Martin Luther King Jr.',
  'J.R.R. Tolkien',
  'Zoë & Søren O’Neil-Smith',
  'Room 14, 3rd grade',
  'Class of 2024-2025',
  'Version 1.2.3',
  'Ada . Lovelace',
  'Born 01.02.1940, 05-06-2026',
  '陳大文',
  'محمد علی',
  'می‌خواهم',
  'Rex 🐕‍🦺',
])('an ordinary name is accepted and shown unchanged: %s', (name) => {
  expect(chosenNameFailure(name)).toBeUndefined();
  expect(makeDisplaySafe(name)).toBe(name);
  expect(makeEmailSafe(name)).toBe(name);
});

// @asvs 1.3.3
test.each([
  [PHISHING_NAME, 'name-too-long'],
  ['Confirm at https://evil.example', 'text-with-address'],
  ['Confirm at evil.example', 'text-like-address'],
  ['Write to bank@evil.example', 'text-with-address'],
  ['Call 607 555 0100', 'text-with-address'],
  ['Call 0800 123 4567', 'text-with-address'],
  ['Call 0044 20 7946 0958', 'text-with-address'],
  ['Confirm at evil .com', 'text-with-address'],
  ['Confirm at 192.168.0.1/login', 'text-with-address'],
  ['Ada\nYour account was suspended', 'text-unprintable'],
  ['Ada\u2028Lovelace', 'text-unprintable'],
  ['Ada\u0007', 'text-unprintable'],
  ['Ada \u202Egnp.exe', 'text-unprintable'],
  ['a'.repeat(61), 'name-too-long'],
])('a deceptive name is rejected: %j', (name, code) => {
  expect(chosenNameFailure(name)?.code).toBe(code);
  expect(optionalNameFailure(name)?.code).toBe(code);
});

const ADDRESSES = [
  'https://evil.example',
  'HTTP://EVIL',
  'hxxp://evil',
  '//evil',
  '\\\\evil\\share',
  'www.evil',
  'WWW2 .evil',
  'evil.com',
  'Click evil.com/win now',
  'evil.co.uk',
  'EVIL.ORG!',
  'evil.рф',
  'пример.рф',
  'evil.xn--p1ai',
  'a-b.info',
  'x.com',
  'ｅｖｉｌ．ｃｏｍ',
  'evil。com',
  'evil․com',
  'ev\u200Dil.c\u200Com',
  'evil dot com',
  'evil (dot) org',
  'evil[.]net',
  'evil . com',
  'mallory@evil',
  'mallory＠evil',
  'mallory (at) evil',
  'mailto:mallory',
  'tel:911',
  'javascript:alert(1)',
  'Call +1 800 555 0199',
  'Call (800) 555-0199',
  'Call 800.555.0199',
  'Call 8005550199',
];

test.each(ADDRESSES)('an address in a name is rejected: %s', (name) => {
  expect(chosenNameFailure(name)?.code).toMatch(/^text-(?:with|like)-address$/);
  expect(optionalNameFailure(name)?.code).toMatch(/^text-(?:with|like)-address$/);
});

test('an optional name can be empty or short', () => {
  expect(optionalNameFailure('')).toBeUndefined();
  expect(optionalNameFailure('A')).toBeUndefined();
});

test.each([
  [
    'Confirm at https://evil.example',
    'The name can’t have links, email addresses, or phone numbers, such as “https://evil.example”.',
  ],
  [
    'Old Dr.Smith Fund',
    'The name can’t have links, and “Dr.Smith” looks like one. If it isn’t one, put a space after the dot.',
  ],
])('the error for %j says what is wrong', (name, sentence) => {
  const failure = chosenNameFailure(name);
  expect(failure && failureSentence(failure)).toBe(sentence);
});

test.each([
  [PHISHING_NAME, 'Your account was suspended. Confirm at https:// evil. examp…'],
  ['Solar.com LLC', 'Solar. com LLC'],
  ['Ada\r\n\tLovelace', 'Ada Lovelace'],
  ['Ada \u202Egnp.exe', 'Ada gnp. exe'],
  ['ann@evil.example', 'ann@ evil. example'],
  ['\u0000\u200B', ''],
  ['e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301', 'é\u0301\u0301\u0301\u0301'],
  ['Ada '.repeat(40), `${'Ada '.repeat(14)}Ada…`],
])('the stored name %j is shown safely', (name, displayName) => {
  expect(makeDisplaySafe(name)).toBe(displayName);
});

test.each([
  [PHISHING_NAME, ''],
  ['Your account was suspended. Please confirm your identity now at https://evil.example/login', ''],
  ['Solar.com LLC', ''],
  ['EVIL.COM', ''],
  ['Evil.Com', ''],
  ['Dr.Smith', 'Dr. Smith'],
  ['J.P.Morgan', 'J.P. Morgan'],
  ['Ada\nLovelace', 'Ada Lovelace'],
  [undefined, ''],
  [null, ''],
  [`${'a'.repeat(5000)}.com`, `${'a'.repeat(59)}…`],
])('a payer’s name %j is emailed as %j', (name, emailedName) => {
  expect(makeEmailSafe(name)).toBe(emailedName);
});

test.each([
  ['Friends of Ithaca Inc.', 'Friends of Ithaca Inc'],
  ['Civic Organization', 'Civic Organization'],
])('a sentence that ends with a name has one period: %s', (name, sentenceEnd) => {
  expect(`${removeFinalPeriod(name)}.`).toBe(`${sentenceEnd}.`);
});
