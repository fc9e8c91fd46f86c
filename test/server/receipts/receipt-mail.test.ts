import { expect, test } from 'vitest';
import { donationItem, offsetItem } from '#domain/cart.ts';
import { type Receipt, receiptMail } from '#server/features/receipts/receipt-mail.ts';
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

/** What a person reads in the HTML part. */
function words(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

test.each([
  ['its number', 'Receipt number', '12'],
  ['its date in words, in UTC', 'November 21, 2026 (UTC)'],
  ['the amount', '$73.30'],
  [
    'every item with its charge',
    'Air travel, Offset 3,864 lbs carbon',
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
  ['that nothing was given in exchange', 'No goods or services were provided in exchange for this gift.'],
  ['to whom it was given', 'Sample Civic Organization (EIN 12-3456789), for its program Ithaca Climate Fund'],
  ['how long the link lives', '30 days'],
  ['who gave', 'Dear Paula Payer,'],
  [
    'what repeats, when next, and how it is stopped',
    'What repeats',
    '$25.00 will be charged every 2 months from now on, until you stop it.',
    'The next charge is due about January 21, 2027.',
    `You can stop it at any time: write to ${PARENT.contactEmail} and name receipt no. 12.`,
  ],
])('both parts of a receipt say %s', (_what, ...texts) => {
  const { text, html } = receiptMail(receipt);
  for (const each of texts) {
    expect(text).toContain(each);
    expect(words(html)).toContain(each);
  }
});

test('a gift made once is told nothing of what repeats', () => {
  const { text, html } = receiptMail({ ...receipt, items: [donationItem(25)], nextChargeAt: undefined });
  for (const part of [text, words(html)]) expect(part).not.toMatch(/repeat|next charge|stop it/i);
});

test('a next charge that the provider did not name is not made up', () => {
  const { text, html } = receiptMail({ ...receipt, nextChargeAt: undefined });
  for (const part of [text, words(html)]) {
    expect(part).toContain('$25.00 will be charged every 2 months from now on');
    expect(part).not.toContain('next charge');
  }
});

test('a receipt of the sandbox says that it is none', () => {
  const { text, html } = receiptMail({ ...receipt, sandbox: true });
  for (const part of [text, words(html)]) {
    expect(part).toContain('no money moved');
  }
});

test('both parts lead to the checkout by the receipt’s own link', () => {
  const { text, html } = receiptMail(receipt);
  expect(text).toContain(receipt.link);
  expect(html).toContain(`href="${receipt.link}"`);
});

test('whatever is in a name is text, and never markup', () => {
  const { html } = receiptMail({ ...receipt, orgName: 'A<b>"&\'', name: '<script>alert(1)</script>' });
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('A<b>');
  expect(words(html)).toContain('&lt;script&gt;');
});

test('a line break in a name makes no second line of a subject or of a greeting', () => {
  const { subject, text } = receiptMail({ ...receipt, orgName: 'Fund\r\nBcc: all@example.org', name: 'Paula\nPayer' });
  expect(subject).toBe('Your gift to Fund Bcc: all@example.org: receipt no. 12');
  expect(text).toContain('Dear Paula Payer,');
});

test('the same receipt is the same mail, whenever it is sent', () => {
  expect(receiptMail(receipt)).toEqual(receiptMail({ ...receipt }));
  expect(receiptMail(receipt).messageKey).not.toBe(receiptMail({ ...receipt, number: 13 }).messageKey);
  expect(receiptMail(receipt).messageKey).not.toBe(receiptMail({ ...receipt, orgId: 'other' }).messageKey);
});

test('a donor whose name nobody knows is greeted without one', () => {
  expect(receiptMail({ ...receipt, name: undefined }).text).toMatch(/^Hello,\n/);
});
