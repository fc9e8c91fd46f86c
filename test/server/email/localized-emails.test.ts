// @spec decisions.3
import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderForLanguage, localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { browserName } from '#domain/browser-name.ts';
import { donationItem, offsetItem } from '#domain/cart.ts';
import type { DonorAllocation, DonorHomeView } from '#domain/gift-homes.ts';
import { MEASURES } from '#domain/grant.ts';
import {
  composeReceipt,
  type PaymentMethod,
  type ReceiptHistory,
  type ReceiptInput,
  returnNotes,
} from '#domain/receipt.ts';
import type { Language } from '#messages';
import { composeHomeEmail } from '#server/features/allocation/send-grant-email.job.ts';
import { composeGiftsClaimEmail } from '#server/features/donors/claim-gifts.ts';
import { composeCorrectedAddressEmail } from '#server/features/donors/send-corrected-address-email.job.ts';
import { pledgeEmail } from '#server/features/pledges/send-pledge-email.job.ts';
import { composeReceiptSheet } from '#server/features/receipts/receipt-pdf.ts';
import { receiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { redirectEmail } from '#server/features/receipts/send-receipt-redirect-email.job.ts';
import { returnEmail } from '#server/features/receipts/send-returned-gift-email.job.ts';
import { composeStatementSheet } from '#server/features/receipts/yearly-statement.ts';
import { giftHomesPath } from '#server/features/recurring-gifts/gift-paths.ts';
import {
  changedRecurringGiftEmail,
  endedRecurringGiftEmail,
  failedRenewalEmail,
} from '#server/features/recurring-gifts/recurring-gift-emails.job.ts';
import {
  type SecondFactorChange,
  secondFactorEmail,
} from '#server/features/second-factors/send-second-factor-email.job.ts';
import {
  confirmationEmail,
  existingAccountEmail,
  newDeviceEmail,
  passwordChangedEmail,
  resetEmail,
  signInEmail,
  verificationEmail,
} from '#server/features/sessions/session-emails.ts';
import { claimEmail } from '#server/features/stories/claim-story.ts';
import { storyEmail } from '#server/features/stories/send-story-email.job.ts';
import { cardEmail } from '#server/features/tributes/send-tribute-card.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { PARENT } from '#test/support/build-app.ts';
import { extractLinks, extractVisibleText } from '#test/support/email-text.ts';

const SITE = 'https://fund.example';
const ORG = 'Fondo Ithaca';
const STORY = 'Por mi abuela';
const occurredAt = new Date('2026-03-14T09:30:00Z');

type WriteEmail = (language: Language) => Email;

const recipient = (language: Language) => ({ language, email: 'uma@example.org', parent: PARENT, publicUrl: SITE });
const donorRecipient = (language: Language) => ({
  ...recipient(language),
  name: 'Uma',
  orgName: ORG,
  messageKey: 'key',
});
/** Builds links the way each email's caller does. */
const localizedUrl = (path: string, language: Language) => SITE + localizeAddress(path, language);
const giftUrl = (language: Language) =>
  localizedUrl(pagePath('recurring-gift-page', { orgid: 'ithaca', giftkey: 'k' }), language);
const homesUrl = (language: Language) => localizedUrl(giftHomesPath('ithaca', 'k'), language);
const signInLink = (language: Language) => localizedUrl(`${pagePath('email-signin-page', {})}?code=Zm91cg`, language);

const SECOND_FACTOR_CHANGES: readonly SecondFactorChange[] = [
  'passkey-added',
  'passkey-removed',
  'authenticator-added',
  'authenticator-removed',
  'recovery-codes-renewed',
  'recovery-code-used',
  'few-recovery-codes',
  'removed-by-admin',
  'removal-asked',
];

const card = { email: 'ada@example.org', name: 'Ada', message: '', signature: 'Uma' };

const RECURRING_PAYMENT: PaymentMethod = {
  kind: 'card',
  items: [offsetItem('air', 3864), offsetItem('home', 1240), donationItem(25, 'month', 2), donationItem(10)],
  coveredFee: { initial: 250, renewal: 80 },
};

/** Receipts that together contain every possible sentence, with the returned amounts. */
const RECEIPTS: Readonly<Record<string, { readonly change?: Partial<ReceiptInput>; readonly remaining?: number }>> = {
  'for a recurring gift': {},
  'for a different amount': { change: { amount: 9900 } },
  'for a yearly gift': { change: { paymentMethod: { kind: 'card', items: [donationItem(25, 'year')] }, amount: 2500 } },
  'for a check': { change: { paymentMethod: { kind: 'check', checkNumber: null }, amount: 10_000 } },
  'for a numbered check': { change: { paymentMethod: { kind: 'check', checkNumber: '1024' }, amount: 10_000 } },
  'issued later': { change: { issuedOn: '2026-11-24' } },
  'issued again, in honor': { change: { reissued: true, tribute: { kind: 'honor', name: 'Ada' } } },
  'in memory': { change: { tribute: { kind: 'memory', name: 'Ada' } } },
  'for a sandbox payment': { change: { testPayment: 'sandbox' } },
  'for a test payment': { change: { testPayment: 'test' } },
  'with a partial refund': { remaining: 1000 },
};

function buildReceipt(language: Language, { change = {}, remaining }: (typeof RECEIPTS)[string]) {
  const document = composeReceipt({
    language,
    number: 1012,
    donee: PARENT,
    orgName: ORG,
    donor: 'Uma',
    currency: 'usd',
    testPayment: undefined,
    givenOn: '2026-11-21',
    issuedOn: '2026-11-21',
    nextChargeOn: '2027-01-21',
    amount: 4830 + 1550 + 2500 + 1000 + 250,
    paymentMethod: RECURRING_PAYMENT,
    ...change,
  });
  const notes = Object.values(returnNotes).map((text) => ({
    date: '2026-12-24',
    text: text({ amount: '$20.00' }, { locale: language }),
  }));
  const history: ReceiptHistory =
    remaining === undefined ? { notes: [], remaining: document.amount } : { notes, remaining };
  return { document, history };
}

const FILE_URL = `${SITE}/api/orgs/ithaca/receipt?key=k`;

const RECEIPT_EMAILS = Object.entries(RECEIPTS).map(([name, receiptCase]): [string, WriteEmail] => [
  `the receipt ${name}`,
  (language) =>
    receiptEmail({
      ...buildReceipt(language, receiptCase),
      email: 'uma@example.org',
      fileLink: FILE_URL,
      homesLink: homesUrl(language),
      publicUrl: SITE,
      messageKey: 'key',
      giftLink: giftUrl(language),
      storyLink: localizedUrl('/orgs/ithaca/checkouts/c?receipt=k', language),
    }),
]);

const MONTHLY_GIFT = {
  amount: 25,
  coveredFee: 0,
  unit: 'month',
  count: 1,
  nextChargeOn: '2027-01-21',
  endedUnpaid: false,
} as const;
const STATUSES = { stopped: 'canceled', paused: 'paused', resumed: 'active', changed: 'active' } as const;

const RETURN_EMAILS = (['succeeded', 'lost', 'failed'] as const).flatMap((status) =>
  [0, 1000].map((remaining): [string, WriteEmail] => [
    `returned money (${status}), with ${remaining} remaining`,
    (language) =>
      returnEmail({
        document: buildReceipt(language, {}).document,
        email: 'uma@example.org',
        status,
        remaining,
        amount: 500,
        fileLink: FILE_URL,
        homesLink: homesUrl(language),
        giftLink: giftUrl(language),
        publicUrl: SITE,
        messageKey: 'key',
      }),
  ]),
);

const HOME: DonorHomeView<{ name: string }> = {
  page: { name: 'Ada' },
  amount: 10,
  pounds: 5,
  deliveredPounds: 2,
  measures: [...MEASURES],
  installer: null,
  grant: null,
  savings: null,
  work: { doneOn: '2026-03-14', inspectedOn: null },
};

/** Together these contain every sentence about a gift's homes. */
const ALLOCATED_GIFT: DonorAllocation<{ name: string }> = {
  paid: 60,
  returned: 2,
  fee: 1,
  unallocatedDollars: 7,
  isDisputed: true,
  soldPounds: 100,
  unallocatedPounds: 10,
  shortfallPounds: 5,
  isShortfallCovered: false,
  homes: [...MEASURES.map((measure) => ({ ...HOME, measures: [measure] })), HOME],
};

const HOMES: Readonly<Record<string, Partial<DonorAllocation<{ name: string }>>>> = {
  'with all details': {},
  'with no details': { homes: [{ ...HOME, page: null, deliveredPounds: null }], soldPounds: 5 },
  'with measures only': {
    homes: [
      { ...HOME, work: null },
      { ...HOME, work: null, measures: [] },
    ],
    unallocatedPounds: null,
    shortfallPounds: null,
  },
  'with pounds that other homes cover': { isShortfallCovered: true },
  'with hidden pounds that other homes cover': {
    unallocatedPounds: null,
    shortfallPounds: null,
    isShortfallCovered: true,
  },
};

const EMAILS: Readonly<Record<string, WriteEmail>> = {
  'a sign-in link': (language) => signInEmail({ ...recipient(language), link: signInLink(language) }),
  'a link to verify': (language) => verificationEmail({ ...recipient(language), link: signInLink(language) }),
  'a link for a new password': (language) => resetEmail({ ...recipient(language), link: signInLink(language) }),
  'a known address': (language) => existingAccountEmail({ ...recipient(language), link: signInLink(language) }),
  'a code': (language) => confirmationEmail({ ...recipient(language), code: '012345' }),
  'a new browser': (language) =>
    newDeviceEmail({
      ...recipient(language),
      login: { at: occurredAt, client: '203.0.113.7', browser: browserName('', { locale: language }) },
    }),
  'a changed password': (language) => passwordChangedEmail({ ...recipient(language), changedAt: occurredAt }),
  ...Object.fromEntries(
    SECOND_FACTOR_CHANGES.map((change) => [
      change,
      (language: Language) =>
        secondFactorEmail({
          ...recipient(language),
          messageKey: 'second-factor-1',
          change,
          at: occurredAt,
          unusedCodeCount: 2,
        }),
    ]),
  ),
  'one recovery code left': (language) =>
    secondFactorEmail({
      ...recipient(language),
      messageKey: 'second-factor-1',
      change: 'few-recovery-codes',
      at: occurredAt,
      unusedCodeCount: 1,
    }),
  'a failed renewal': (language) =>
    failedRenewalEmail({ ...donorRecipient(language), link: giftUrl(language), amount: 2500, retryOn: '2026-03-17' }),
  'a permanently failed renewal': (language) =>
    failedRenewalEmail({ ...donorRecipient(language), link: giftUrl(language), amount: 2500, retryOn: undefined }),
  ...Object.fromEntries(
    (['stopped', 'paused', 'resumed', 'changed'] as const).map((change) => [
      `a gift that was ${change}`,
      (language: Language) =>
        changedRecurringGiftEmail({
          ...donorRecipient(language),
          link: giftUrl(language),
          change,
          total: 30_000,
          gift: { ...MONTHLY_GIFT, status: STATUSES[change] },
        }),
    ]),
  ),
  'a bounced check': (language) =>
    returnEmail({
      document: buildReceipt(language, { change: { paymentMethod: { kind: 'check', checkNumber: null } } }).document,
      email: 'uma@example.org',
      status: 'bounced',
      remaining: 0,
      amount: 10_000,
      fileLink: FILE_URL,
      donateLink: localizedUrl(pagePath('donate-page', { orgid: 'ithaca' }), language),
      publicUrl: SITE,
      messageKey: 'key',
    }),
  'a receipt sent to another address': (language) =>
    redirectEmail({
      document: buildReceipt(language, {}).document,
      email: 'uma@example.org',
      publicUrl: SITE,
      messageKey: 'key',
    }),
  'an ended gift': (language) =>
    endedRecurringGiftEmail({
      ...donorRecipient(language),
      link: giftUrl(language),
      terms: { amount: 2500, interval: { unit: 'month', count: 3 } },
    }),
  'an ended gift with an unknown amount': (language) =>
    endedRecurringGiftEmail({ ...donorRecipient(language), link: giftUrl(language), terms: undefined }),
  ...Object.fromEntries(
    (['honor', 'memory'] as const).flatMap((kind) =>
      ['Uma', ''].map((signature) => [
        `a card in ${kind}, signed “${signature}”`,
        (language: Language) =>
          cardEmail({
            ...donorRecipient(language),
            kind,
            name: 'Ada',
            card: { ...card, signature },
            testPaymentNotice: undefined,
            link: localizedUrl(pagePath('home-page', { orgid: 'ithaca' }), language),
          }),
      ]),
    ),
  ),
  'a published story': (language) =>
    storyEmail({ ...donorRecipient(language), link: localizedUrl('/orgs/ithaca/offsetters/o1/', language) }),
  'a story that the recipient can claim': (language) => claimEmail({ ...donorRecipient(language), story: STORY }),
  'a story that isn’t quoted': (language) => claimEmail({ ...donorRecipient(language), story: 'evil.example' }),
  ...Object.fromEntries([...RECEIPT_EMAILS, ...RETURN_EMAILS]),
  ...Object.fromEntries(
    Object.entries(HOMES).map(([name, change]) => [
      `a gift that found a home: ${name}`,
      (language: Language) =>
        composeHomeEmail({
          ...donorRecipient(language),
          place: '',
          gift: { ...ALLOCATED_GIFT, ...change },
          link: homesUrl(language),
        }),
    ]),
  ),
  'a corrected address': (language) => composeCorrectedAddressEmail({ ...donorRecipient(language), orgName: 'Ithaca' }),
  'gifts with a corrected address': (language) =>
    composeGiftsClaimEmail({ ...donorRecipient(language), orgName: 'Ithaca' }),
  'a pledged check': (language) => pledgeEmail({ ...donorRecipient(language), amount: 2500 }),
};

const EMAIL_CASES = Object.entries(EMAILS);

/** Names and addresses, which are the same in every language. */
const LANGUAGE_NEUTRAL = [
  'EIN',
  'UTC',
  'Total',
  ...Object.values(PARENT),
  ORG,
  STORY,
  'City Climate Fund',
  'Uma',
  'Ada',
  '012345',
  '203.0.113.7',
  /https:\S+/g,
];

/** The only English sentence in a Spanish receipt (decisions §3), kept because tax offices recognize it. */
const OFFICIAL_SENTENCE = 'No goods or services were provided in exchange for this gift.';
const OFFICIAL_SENTENCE_FOR_GIFTS = 'No goods or services were provided in exchange for any of these gifts.';

/** Splits a text into sentences, leaving out names, addresses, numbers, and the official sentence. */
function splitSentences(text: string): string[] {
  const normalized = [OFFICIAL_SENTENCE, OFFICIAL_SENTENCE_FOR_GIFTS, ...LANGUAGE_NEUTRAL].reduce<string>(
    (rest, neutral) => rest.replaceAll(neutral, '·'),
    text,
  );
  return normalized
    .split(/[\n.:;,?!>()]+/)
    .map((sentence) => sentence.replace(/[\s·\d$–-]+/g, ' ').trim())
    .filter((sentence) => sentence.length > 1);
}

const splitEmailSentences = ({ subject, text, html }: Email) =>
  splitSentences([subject, text, extractVisibleText(html)].join('\n'));

/** Words that appear in no Spanish sentence. */
const ENGLISH_WORDS = /\b(?:the|your|you|and|of|with|this|was|is|it|to|gift|receipt|email|account|for|not|will)\b/i;

test.each(EMAIL_CASES)('in Spanish, %s has no English', (_name, write) => {
  const english = new Set(splitEmailSentences(write('en')));
  const spanish = splitEmailSentences(write('es'));
  expect(spanish.length).toBeGreaterThan(5);
  expect(spanish.filter((sentence) => english.has(sentence) || ENGLISH_WORDS.test(sentence))).toEqual([]);
});

/** This email has no links, because it goes to an address that may be mistyped. */
const emailWithoutLinks = 'a receipt sent to another address';

test.each(EMAIL_CASES.filter(([name]) => name !== emailWithoutLinks))(
  '%s links to pages in its language',
  (_name, write) => {
    for (const language of ['en', 'es'] as const) {
      const { html, text } = write(language);
      expect(html).toContain(`<html lang="${language}">`);
      const links = [...extractLinks(html), ...(text.match(/https:\/\/[^\s,]+/g) ?? [])];
      const urlPrefix = [SITE, folderForLanguage(language)].filter(Boolean).join('/');
      expect(links.filter((url) => url.startsWith(urlPrefix) || url === FILE_URL)).toEqual(links);
      expect(links.some((link) => link.startsWith(`${SITE}/es`))).toBe(language === 'es');
    }
  },
);

const RECEIPT_CASES = Object.values(RECEIPTS).map((receiptCase) => ({ language: 'en' as const, ...receiptCase }));
const returns = { returned: 100, pending: 200, disputed: 300 };
const sheets = {
  ...Object.fromEntries(
    Object.entries(RECEIPTS).map(([name, receiptCase]) => [
      `the receipt ${name}`,
      (language: Language) => {
        const { document, history } = buildReceipt(language, receiptCase);
        return composeReceiptSheet(document, history);
      },
    ]),
  ),
  // Sentences from receipts in both languages.
  'the yearly statement': (language: Language) =>
    composeStatementSheet(
      RECEIPT_CASES.flatMap((receiptCase) => [buildReceipt('en', receiptCase), buildReceipt('es', receiptCase)]).map(
        ({ document }) => ({
          document,
          returns,
          zone: 'America/New_York',
        }),
      ),
      {
        donor: { name: 'Uma' },
        year: '2026',
        now: occurredAt,
        language,
      },
    ),
};

test.each(Object.entries(sheets))(
  'the Spanish PDF of %s has no English except the official sentence',
  (name, sheet) => {
    const sentence = name === 'the yearly statement' ? OFFICIAL_SENTENCE_FOR_GIFTS : OFFICIAL_SENTENCE;
    const readSheet = (language: Language) => {
      const { title, brand, parts } = sheet(language);
      const texts = parts.map((part) => ('text' in part ? part.text : JSON.stringify([part])));
      return { texts, sentences: splitSentences([title, brand, ...texts].join('\n').replace(/["[\]{}]/g, '\n')) };
    };
    const kinds = new Set(['kind', 'details', 'table', 'headings', 'rows', 'total']);
    const english = new Set(readSheet('en').sentences.filter((sentence) => !kinds.has(sentence)));
    const spanish = readSheet('es');
    expect(spanish.texts.filter((text) => text === `En inglés, para el IRS: “${sentence}”`)).toHaveLength(1);
    expect(spanish.sentences.filter((text) => english.has(text) || ENGLISH_WORDS.test(text))).toEqual([]);
    expect(sheet('es').language).toBe('es');
  },
);

test('a yearly statement of one gift has the sentence for one gift', () => {
  const { document } = buildReceipt('en', {});
  const gift = { document, returns, zone: 'America/New_York' } as const;
  const context = { donor: { name: 'Uma' }, year: '2026', now: occurredAt, language: 'es' } as const;
  const write = (gifts: readonly (typeof gift)[]) => JSON.stringify(composeStatementSheet(gifts, context).parts);
  expect(write([gift])).toContain('No se entregaron bienes ni servicios a cambio de esta donación.');
  expect(write([gift])).toContain(OFFICIAL_SENTENCE);
  expect(write([gift, gift])).toContain('a cambio de ninguna de estas donaciones.');
  expect(write([gift, gift])).not.toContain(OFFICIAL_SENTENCE);
});

test('an English receipt has the official sentence once, and a Spanish receipt has it in both languages', () => {
  const write = (language: Language) => RECEIPT_EMAILS[0]?.[1](language).text ?? '';
  expect(write('en').split(OFFICIAL_SENTENCE)).toHaveLength(2);
  expect(write('es').split(OFFICIAL_SENTENCE)).toHaveLength(2);
  expect(write('es')).toContain('No se entregaron bienes ni servicios a cambio de esta donación.');
});

/** Emails to editors and admins, which are in English. */
const EDITOR_EMAILS = [
  'editor-emails.job.ts',
  'send-admin-change-email.job.ts',
  'send-alarm-email.job.ts',
  'send-card-alarm-email.job.ts',
];
/** Team emails in both languages, which test/server/team-emails.test.ts covers. */
const TEAM_EMAILS = ['send-alert-email.job.ts', 'compose-team-email.ts'];
const COMPOSERS = ['compose-receipt-email.ts'];

test('no other file composes emails', async () => {
  const source = await readFile(import.meta.filename, 'utf8');
  const unknownFiles: string[] = [];
  for await (const file of glob('src/server/features/**/*.ts')) {
    const isKnown =
      [...EDITOR_EMAILS, ...TEAM_EMAILS, ...COMPOSERS].some((name) => file.endsWith(`/${name}`)) ||
      source.includes(file.replace('src/', '#'));
    if (!isKnown && /compose(?:Receipt)?Email\(/.test(await readFile(file, 'utf8'))) unknownFiles.push(file);
  }
  expect(unknownFiles).toEqual([]);
});
