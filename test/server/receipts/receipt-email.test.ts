// @spec decisions.3
import { expect, test } from 'vitest';
import { donationItem, offsetItem, withRecurrence } from '#domain/cart.ts';
import { composeReceipt, type ReceiptInput } from '#domain/receipt.ts';
import { type ReceiptEmail, receiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { PARENT } from '#test/support/build-app.ts';

const FACTS: ReceiptInput = {
  number: 1012,
  donee: PARENT,
  orgName: 'Ithaca Climate Fund',
  donor: 'Paula Payer',
  givenOn: '2026-11-21',
  issuedOn: '2026-11-21',
  amount: 7330,
  currency: 'usd',
  paymentMethod: { kind: 'card', items: [offsetItem('air', 3864), donationItem(25, 'month', 2)] },
  nextChargeOn: '2027-01-21',
  testPayment: undefined,
  typicalGrant: 110_000,
};

const receipt: ReceiptEmail = {
  document: composeReceipt(FACTS),
  history: { notes: [], remaining: 7330 },
  email: 'paula@example.org',
  fileLink: 'https://fund.example/api/orgs/ithaca/receipt?key=key',
  homesLink: 'https://fund.example/orgs/ithaca/gifts/receipt/homes',
  storyLink: 'https://fund.example/orgs/ithaca/checkouts/abc?receipt=key',
  giftLink: 'https://fund.example/orgs/ithaca/gifts/key',
  publicUrl: 'https://fund.example',
  messageKey: 'receipt-ithaca-12',
};

const composeEmail = (overrides: Partial<ReceiptInput>) =>
  receiptEmail({ ...receipt, document: composeReceipt({ ...FACTS, ...overrides }) });

/** The visible text of the HTML part. */
function visibleText(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

test.each([
  ['its number', 'Receipt number', '1012'],
  ['the date of the gift', 'Date of gift', 'November 21, 2026'],
  ['the amount', '$73.30'],
  [
    'each item with its charge',
    'Air travel – 3,864 lbs of carbon offset',
    '$48.30',
    'Donation to carbon offset program (',
    '$25.00',
  ],
  ['an item’s recurrence', '(recurring: every 2 months)'],
  [
    'the legal name, EIN and address',
    'Sample Civic Organization',
    'EIN 12-3456789',
    '1 Sample Street, Ithaca, NY 14850',
  ],
  ['the statement about goods and services', 'No goods or services were provided in exchange for this gift.'],
  ['the recipient', 'Sample Civic Organization (EIN 12-3456789), for its program Ithaca Climate Fund'],
  ['the gift’s effect', 'About 15 gifts like this pay for one home.'],
  ['the link’s lifetime', '30 days'],
  ['the donor’s name', 'Dear Paula Payer,'],
  [
    'the recurring charge, its next date, and how to stop it',
    'Your recurring gift, as of November 21, 2026',
    'You will be charged $25.00 every 2 months until you stop it.',
    'The next charge will be around January 21, 2027.',
    'Change or stop it anytime in My giving, or with the “Manage your gift” button emailed with this receipt.',
    'Manage your gift',
  ],
])('both parts of a receipt contain %s', (_what, ...texts) => {
  const { text, html } = receiptEmail(receipt);
  for (const phrase of texts) {
    expect(text).toContain(phrase);
    expect(visibleText(html)).toContain(phrase);
  }
});

test('the issue date is printed if it differs from the gift’s date', () => {
  expect(composeEmail({}).text).not.toContain('Issued');
  expect(composeEmail({ issuedOn: '2027-01-04' }).text).toContain(
    'Date of gift: November 21, 2026\nIssued: January 4, 2027\n',
  );
});

test('later events are noted below the amount', () => {
  const notes = [{ date: '2026-12-24', text: 'Refunded $20.00.' }];
  const { text } = receiptEmail({ ...receipt, history: { notes, remaining: 5330 } });
  expect(text).toContain('Amount: $73.30\nDecember 24, 2026: Refunded $20.00.\nDeductible amount now: $53.30\n');
});

test('a partly refunded gift doesn’t claim its full effect', () => {
  expect(receiptEmail({ ...receipt, history: { notes: [], remaining: 7329 } }).text).not.toContain('gifts like this');
});

test('the effect excludes the card fee and ignores the carbon of a changed recurring gift', () => {
  const flight = withRecurrence(offsetItem('air', 3864), 'month');
  const cardReceiptText = (amount: number, initial = 0) =>
    visibleText(
      composeEmail({
        amount,
        paymentMethod: { kind: 'card', items: [flight], coveredFee: { initial, renewal: initial } },
      }).html,
    );
  expect(cardReceiptText(4830)).toContain('About 23 gifts like this pay for one home.');
  expect(cardReceiptText(4980, 150)).toContain('About 23 gifts like this pay for one home.');
  expect(cardReceiptText(5000)).toContain('$50 funds about 2 tons of grant work.');
  expect(cardReceiptText(5000, 100)).toContain('$49 funds about 2 tons of grant work.');
  const checkEmail = composeEmail({ amount: 5000, paymentMethod: { kind: 'check', checkNumber: null } });
  expect(visibleText(checkEmail.html)).toContain('$50 funds about 2 tons of grant work.');
});

test('a renewal’s receipt has the changed amount', () => {
  const { text } = composeEmail({ amount: 4000, paymentMethod: { kind: 'card', items: [donationItem(25, 'month')] } });
  expect(text).toContain('Amount: $40.00');
  expect(text).toContain('Donation (recurring: monthly): $40.00');
  expect(text).toContain('You will be charged $40.00 every month until you stop it.');
  expect(text).not.toContain('$25.00');
});

test('a one-time gift’s receipt doesn’t mention recurring charges', () => {
  const { text, html } = composeEmail({
    amount: 2500,
    paymentMethod: { kind: 'card', items: [donationItem(25)] },
    nextChargeOn: undefined,
  });
  for (const part of [text, visibleText(html)]) expect(part).not.toMatch(/recurring|next charge|stop it/i);
});

test('a receipt has no next charge date unless the provider gave one', () => {
  const { text, html } = composeEmail({ nextChargeOn: undefined });
  for (const part of [text, visibleText(html)]) {
    expect(part).toContain('You will be charged $25.00 every 2 months');
    expect(part).not.toContain('next charge');
  }
});

test.each([['sandbox'], ['test']] as const)('a receipt in %s mode states that no money moved', (mode) => {
  const { text, html } = composeEmail({ testPayment: mode });
  for (const part of [text, visibleText(html)]) {
    expect(part).toContain('no money moved. This is not a receipt for tax purposes.');
  }
});

test('a reissued receipt states that it replaces earlier ones', () => {
  const { text } = composeEmail({ reissued: true });
  expect(text).toContain('This receipt replaces any receipt with another number for this gift.');
});

test('both parts link to the receipt as a file', () => {
  const { text, html } = receiptEmail(receipt);
  expect(text).toContain(receipt.fileLink);
  expect(html).toContain(`href="${receipt.fileLink}"`);
});

test('both parts link to the homes that the gift paid for', () => {
  const { text, html } = receiptEmail(receipt);
  expect(text).toContain(`Where your gift went:\n${receipt.homesLink}\n`);
  expect(html).toContain(`href="${receipt.homesLink}"`);
});

test('both parts link to the checkout', () => {
  const { text, html } = receiptEmail(receipt);
  expect(text).toContain(receipt.storyLink);
  expect(html).toContain(`href="${receipt.storyLink}"`);
});

test('markup in a name is shown as text', () => {
  const { html } = composeEmail({ orgName: 'A<b>"&\'', donor: '<script>alert(1)</script>' });
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('A<b>');
  expect(visibleText(html)).toContain('&lt;script&gt;');
});

test('a line break in a name adds no line to the subject or greeting', () => {
  const { subject, text } = composeEmail({ orgName: 'Fund\r\nBcc: all@example.org', donor: 'Paula\nPayer' });
  expect(subject).toBe('Your gift to Fund Bcc: all@example.org: receipt no. 1012');
  expect(text).toContain('Dear Paula Payer,');
});

test('a donor without a name gets a greeting without one', () => {
  expect(composeEmail({ donor: null }).text).toMatch(/^Hello,\n/);
});

test('a receipt names the person honored or remembered, if any', () => {
  const email = composeEmail({ tribute: { kind: 'memory', name: 'Ada & Grace' } });
  expect(email.text).toContain('In memory of: Ada & Grace\n');
  expect(visibleText(email.html)).toContain('In memory of Ada & Grace');
  expect(composeEmail({}).text).not.toMatch(/In (?:honor|memory) of/);
});
