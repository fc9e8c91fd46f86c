import { expect, test } from 'vitest';
import { donationItem, offsetItem } from '#domain/cart.ts';
import { type Receipt, receiptMail } from '#server/features/receipts/mail-receipt.ts';
import { PARENT } from '#test/support/build-app.ts';

const receipt: Receipt = {
  orgId: 'ithaca',
  orgName: 'Ithaca Climate Fund',
  number: 12,
  email: 'paula@example.org',
  name: 'Paula Payer',
  amount: 7330,
  issuedAt: new Date('2026-11-21T23:59:59Z'),
  nextChargeAt: new Date('2027-01-21T23:59:59Z'),
  items: [offsetItem('air', 3864), donationItem(25, 'month', 2)],
  link: 'https://fund.example/orgs/ithaca/checkouts/abc?receipt=key',
  parent: PARENT,
  publicUrl: 'https://fund.example',
  sandbox: false,
};

/** The visible text of the HTML part. */
function words(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

test.each([
  ['its number', 'Receipt number', '12'],
  ['its date', 'November 21, 2026 (UTC)'],
  ['the amount', '$73.30'],
  [
    'each item with its charge',
    'Air travel – 3,864 lbs of carbon offset',
    '$48.30',
    'Donation to carbon offset program (',
    '$25.00',
  ],
  ['how an item recurs', '(recurring: every 2 months)'],
  [
    'the legal name, EIN and address',
    'Sample Civic Organization',
    'EIN 12-3456789',
    '1 Sample Street, Ithaca, NY 14850',
  ],
  ['that no goods or services were given', 'No goods or services were provided in exchange for this gift.'],
  ['who received it', 'Sample Civic Organization (EIN 12-3456789), for its program Ithaca Climate Fund'],
  ['how long the link works', '30 days'],
  ['who gave', 'Dear Paula Payer,'],
  [
    'what will be charged again, when, and how to stop it',
    'Your recurring gift',
    'You will be charged $25.00 every 2 months until you stop it.',
    'The next charge will be around January 21, 2027.',
    `To stop it at any time, write to ${PARENT.contactEmail} and mention receipt no. 12.`,
  ],
])('both parts of a receipt say %s', (_what, ...texts) => {
  const { text, html } = receiptMail(receipt);
  for (const each of texts) {
    expect(text).toContain(each);
    expect(words(html)).toContain(each);
  }
});

test('the receipt of a one-time gift says nothing about recurring charges', () => {
  const { text, html } = receiptMail({ ...receipt, items: [donationItem(25)], nextChargeAt: undefined });
  for (const part of [text, words(html)]) expect(part).not.toMatch(/recurring|next charge|stop it/i);
});

test('a receipt names no next charge date unless the provider did', () => {
  const { text, html } = receiptMail({ ...receipt, nextChargeAt: undefined });
  for (const part of [text, words(html)]) {
    expect(part).toContain('You will be charged $25.00 every 2 months');
    expect(part).not.toContain('next charge');
  }
});

test('a sandbox receipt says that no money moved', () => {
  const { text, html } = receiptMail({ ...receipt, sandbox: true });
  for (const part of [text, words(html)]) {
    expect(part).toContain('no money moved');
  }
});

test('both parts link to the checkout', () => {
  const { text, html } = receiptMail(receipt);
  expect(text).toContain(receipt.link);
  expect(html).toContain(`href="${receipt.link}"`);
});

test('markup in a name is shown as text', () => {
  const { html } = receiptMail({ ...receipt, orgName: 'A<b>"&\'', name: '<script>alert(1)</script>' });
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('A<b>');
  expect(words(html)).toContain('&lt;script&gt;');
});

test('a line break in a name adds no line to the subject or greeting', () => {
  const { subject, text } = receiptMail({ ...receipt, orgName: 'Fund\r\nBcc: all@example.org', name: 'Paula\nPayer' });
  expect(subject).toBe('Your gift to Fund Bcc: all@example.org: receipt no. 12');
  expect(text).toContain('Dear Paula Payer,');
});

test('every mailing of a receipt is the same', () => {
  expect(receiptMail(receipt)).toEqual(receiptMail({ ...receipt }));
  expect(receiptMail(receipt).messageKey).not.toBe(receiptMail({ ...receipt, number: 13 }).messageKey);
  expect(receiptMail(receipt).messageKey).not.toBe(receiptMail({ ...receipt, orgId: 'other' }).messageKey);
});

test('a donor without a name is greeted without one', () => {
  expect(receiptMail({ ...receipt, name: undefined }).text).toMatch(/^Hello,\n/);
});
