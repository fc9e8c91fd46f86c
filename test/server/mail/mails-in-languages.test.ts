// @spec decisions.3
import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOf, inLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { browserName } from '#domain/browser-name.ts';
import { donationItem, offsetItem } from '#domain/cart.ts';
import type { DonorsGift, DonorsHome } from '#domain/gift-homes.ts';
import { MEASURES } from '#domain/grant.ts';
import {
  composeReceipt,
  type PaymentMethod,
  type ReceiptFacts,
  type ReceiptHistory,
  returnNotes,
} from '#domain/receipt.ts';
import type { Language } from '#messages';
import { homeMail } from '#server/features/allocation/send-grant-email.job.ts';
import { giftsClaimMail } from '#server/features/donors/claim-gifts.ts';
import { correctedAddressMail } from '#server/features/donors/send-corrected-address-email.job.ts';
import { pledgeMail } from '#server/features/pledges/send-pledge-email.job.ts';
import { receiptSheet } from '#server/features/receipts/receipt-pdf.ts';
import { receiptMail } from '#server/features/receipts/send-receipt-email.job.ts';
import { redirectMail } from '#server/features/receipts/send-receipt-redirect-email.job.ts';
import { returnMail } from '#server/features/receipts/send-returned-gift-email.job.ts';
import { statementSheet } from '#server/features/receipts/yearly-statement.ts';
import {
  type SecondFactorChange,
  secondFactorEmail,
} from '#server/features/second-factors/send-second-factor-email.job.ts';
import {
  knownAddressMail,
  newDeviceMail,
  passwordChangedMail,
  proofMail,
  resetMail,
  signInMail,
  verificationMail,
} from '#server/features/sessions/session-emails.ts';
import { claimMail } from '#server/features/stories/claim-story.ts';
import { storyMail } from '#server/features/stories/send-story-email.job.ts';
import { changedGiftMail, endedGiftMail, failedRenewalMail } from '#server/features/subscriptions/gift-emails.job.ts';
import { giftHomesPath } from '#server/features/subscriptions/gift-path.ts';
import { cardMail } from '#server/features/tributes/send-tribute-card.job.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { PARENT } from '#test/support/build-app.ts';
import { linksOf, wordsOf } from '#test/support/mail-text.ts';

const SITE = 'https://fund.example';
const ORG = 'Fondo Ithaca';
const STORY = 'Por mi abuela';
const occurredAt = new Date('2026-03-14T09:30:00Z');

type Write = (language: Language) => Mail;

const to = (language: Language) => ({ language, email: 'uma@example.org', parent: PARENT, publicUrl: SITE });
const donor = (language: Language) => ({ ...to(language), name: 'Uma', orgName: ORG, messageKey: 'key' });
/** Written like the callers of each email do. */
const page = (path: string, language: Language) => SITE + inLanguage(path, language);
const gift = (language: Language) => page(pagePath('gift-page', { orgid: 'ithaca', giftkey: 'k' }), language);
const homes = (language: Language) => page(giftHomesPath('ithaca', 'k'), language);
const link = (language: Language) => page(`${pagePath('email-signin-page', {})}?code=Zm91cg`, language);

const CHANGES: readonly SecondFactorChange[] = [
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

const card = { email: 'ada@example.org', name: 'Ada', message: '', signed: 'Uma' };

const RECURS: PaymentMethod = {
  kind: 'card',
  items: [offsetItem('air', 3864), offsetItem('home', 1240), donationItem(25, 'month', 2), donationItem(10)],
  coveredFee: { first: 250, renewal: 80 },
};

/** Receipts that together contain every possible sentence, with the money that was returned. */
const RECEIPTS: Readonly<Record<string, { readonly change?: Partial<ReceiptFacts>; readonly remaining?: number }>> = {
  'of a recurring gift': {},
  'of another amount': { change: { amount: 9900 } },
  'of a yearly gift': { change: { paymentMethod: { kind: 'card', items: [donationItem(25, 'year')] }, amount: 2500 } },
  'of a check': { change: { paymentMethod: { kind: 'check', checkNumber: null }, amount: 10_000 } },
  'of a numbered check': { change: { paymentMethod: { kind: 'check', checkNumber: '1024' }, amount: 10_000 } },
  'issued later': { change: { issuedOn: '2026-11-24' } },
  'issued again, in honor': { change: { reissued: true, tribute: { kind: 'honor', name: 'Ada' } } },
  'in memory': { change: { tribute: { kind: 'memory', name: 'Ada' } } },
  'of the sandbox': { change: { test: 'sandbox' } },
  'of a test payment': { change: { test: 'test' } },
  'of which a part went back': { remaining: 1000 },
};

function receiptIn(language: Language, { change = {}, remaining }: (typeof RECEIPTS)[string]) {
  const document = composeReceipt({
    language,
    number: 1012,
    donee: PARENT,
    program: ORG,
    donor: 'Uma',
    currency: 'usd',
    test: undefined,
    givenOn: '2026-11-21',
    issuedOn: '2026-11-21',
    nextChargeOn: '2027-01-21',
    amount: 4830 + 1550 + 2500 + 1000 + 250,
    paymentMethod: RECURS,
    ...change,
  });
  const notes = Object.values(returnNotes).map((text) => ({
    on: '2026-12-24',
    text: text({ amount: '$20.00' }, { locale: language }),
  }));
  const history: ReceiptHistory =
    remaining === undefined ? { notes: [], remaining: document.amount } : { notes, remaining };
  return { document, history };
}

const FILE = `${SITE}/api/orgs/ithaca/receipt?key=k`;

const RECEIPT_MAILS = Object.entries(RECEIPTS).map(([name, of]): [string, Write] => [
  `the receipt ${name}`,
  (language) =>
    receiptMail({
      ...receiptIn(language, of),
      email: 'uma@example.org',
      fileLink: FILE,
      homesLink: homes(language),
      publicUrl: SITE,
      messageKey: 'key',
      giftLink: gift(language),
      link: page('/orgs/ithaca/checkouts/c?receipt=k', language),
    }),
]);

const MONTHLY = {
  amount: 25,
  coveredFee: 0,
  unit: 'month',
  count: 1,
  nextChargeOn: '2027-01-21',
  endedUnpaid: false,
} as const;
const STATUSES = { stopped: 'canceled', paused: 'paused', resumed: 'active', changed: 'active' } as const;

const RETURN_MAILS = (['succeeded', 'lost', 'failed'] as const).flatMap((status) =>
  [0, 1000].map((remaining): [string, Write] => [
    `money that went back (${status}), with ${remaining} remaining`,
    (language) =>
      returnMail({
        document: receiptIn(language, {}).document,
        email: 'uma@example.org',
        status,
        remaining,
        amount: 500,
        fileLink: FILE,
        homesLink: homes(language),
        giftLink: gift(language),
        publicUrl: SITE,
        messageKey: 'key',
      }),
  ]),
);

const HOME: DonorsHome<{ name: string }> = {
  page: { name: 'Ada' },
  amount: 10,
  pounds: 5,
  delivered: 2,
  measures: [...MEASURES],
  installer: null,
  grant: null,
  savings: null,
  work: { doneOn: '2026-03-14', inspectedOn: null },
};

/** Together these contain every sentence about a gift's homes. */
const PLACED: DonorsGift<{ name: string }> = {
  paid: 60,
  returned: 2,
  fee: 1,
  waiting: 7,
  isDisputed: true,
  sold: 100,
  waitingPounds: 10,
  behind: 5,
  isBehind: true,
  homes: [...MEASURES.map((measure) => ({ ...HOME, measures: [measure] })), HOME],
};

const HOMES: Readonly<Record<string, Partial<DonorsGift<{ name: string }>>>> = {
  'with everything told': {},
  'with nothing told': { homes: [{ ...HOME, page: null, delivered: null }], sold: 5 },
  'with measures only': {
    homes: [
      { ...HOME, work: null },
      { ...HOME, work: null, measures: [] },
    ],
    behind: null,
  },
};

const MAILS: Readonly<Record<string, Write>> = {
  'a sign-in link': (language) => signInMail({ ...to(language), link: link(language) }),
  'a link to verify': (language) => verificationMail({ ...to(language), link: link(language) }),
  'a link for a new password': (language) => resetMail({ ...to(language), link: link(language) }),
  'an address that is known': (language) => knownAddressMail({ ...to(language), link: link(language) }),
  'a code': (language) => proofMail({ ...to(language), code: '012345' }),
  'a new browser': (language) =>
    newDeviceMail({
      ...to(language),
      login: { at: occurredAt, client: '203.0.113.7', browser: browserName('', { locale: language }) },
    }),
  'a changed password': (language) => passwordChangedMail({ ...to(language), changedAt: occurredAt }),
  ...Object.fromEntries(
    CHANGES.map((change) => [
      change,
      (language: Language) =>
        secondFactorEmail({ ...to(language), messageKey: 'second-factor-1', change, at: occurredAt, left: 2 }),
    ]),
  ),
  'one recovery code left': (language) =>
    secondFactorEmail({
      ...to(language),
      messageKey: 'second-factor-1',
      change: 'few-recovery-codes',
      at: occurredAt,
      left: 1,
    }),
  'a renewal that failed': (language) =>
    failedRenewalMail({ ...donor(language), link: gift(language), amount: 2500, retryOn: '2026-03-17' }),
  'a renewal that failed for good': (language) =>
    failedRenewalMail({ ...donor(language), link: gift(language), amount: 2500, retryOn: undefined }),
  ...Object.fromEntries(
    (['stopped', 'paused', 'resumed', 'changed'] as const).map((change) => [
      `a gift that was ${change}`,
      (language: Language) =>
        changedGiftMail({
          ...donor(language),
          link: gift(language),
          change,
          total: 30_000,
          gift: { ...MONTHLY, status: STATUSES[change] },
        }),
    ]),
  ),
  'a check that bounced': (language) =>
    returnMail({
      document: receiptIn(language, { change: { paymentMethod: { kind: 'check', checkNumber: null } } }).document,
      email: 'uma@example.org',
      status: 'bounced',
      remaining: 0,
      amount: 10_000,
      fileLink: FILE,
      donateLink: page(pagePath('donate-page', { orgid: 'ithaca' }), language),
      publicUrl: SITE,
      messageKey: 'key',
    }),
  'a receipt that was sent to another address': (language) =>
    redirectMail({
      document: receiptIn(language, {}).document,
      email: 'uma@example.org',
      publicUrl: SITE,
      messageKey: 'key',
    }),
  'a gift that ended': (language) =>
    endedGiftMail({
      ...donor(language),
      link: gift(language),
      terms: { amount: 2500, interval: { unit: 'month', count: 3 } },
    }),
  'a gift that ended, of an unknown amount': (language) =>
    endedGiftMail({ ...donor(language), link: gift(language), terms: undefined }),
  ...Object.fromEntries(
    (['honor', 'memory'] as const).flatMap((kind) =>
      ['Uma', ''].map((signed) => [
        `a card in ${kind}, signed “${signed}”`,
        (language: Language) =>
          cardMail({
            ...donor(language),
            kind,
            name: 'Ada',
            card: { ...card, signed },
            mark: undefined,
            link: page(pagePath('home-page', { orgid: 'ithaca' }), language),
          }),
      ]),
    ),
  ),
  'a story that is live': (language) =>
    storyMail({ ...donor(language), link: page('/orgs/ithaca/offsetters/o1/', language) }),
  'a story that may be the reader’s': (language) =>
    claimMail({ ...donor(language), story: { email: 'uma@example.org', story: STORY } }),
  'a story that is not quoted': (language) =>
    claimMail({ ...donor(language), story: { email: 'uma@example.org', story: 'evil.example' } }),
  ...Object.fromEntries([...RECEIPT_MAILS, ...RETURN_MAILS]),
  ...Object.fromEntries(
    Object.entries(HOMES).map(([name, change]) => [
      `a gift that found a home: ${name}`,
      (language: Language) =>
        homeMail({
          ...donor(language),
          place: '',
          gift: { ...PLACED, ...change },
          link: homes(language),
        }),
    ]),
  ),
  'a corrected address': (language) => correctedAddressMail({ ...donor(language), program: 'Ithaca' }),
  'gifts with a corrected address': (language) => giftsClaimMail({ ...donor(language), orgName: 'Ithaca' }),
  'a check that was promised': (language) => pledgeMail({ ...donor(language), amount: 2500 }),
};

const TABLE = Object.entries(MAILS);

/** Names and addresses, which are the same in every language. */
const OWN = [
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

/** The only English sentence of a Spanish receipt (decisions §3), because tax offices know it. */
const OFFICIAL = 'No goods or services were provided in exchange for this gift.';

/** Sentences without names, addresses, numbers, and the official sentence. */
function sentencesIn(said: string): string[] {
  const plain = [OFFICIAL, ...OWN].reduce<string>((rest, own) => rest.replaceAll(own, '·'), said);
  return plain
    .split(/[\n.:;,?!>()]+/)
    .map((sentence) => sentence.replace(/[\s·\d$–-]+/g, ' ').trim())
    .filter((sentence) => sentence.length > 1);
}

const sentencesOf = ({ subject, text, html }: Mail) => sentencesIn([subject, text, wordsOf(html)].join('\n'));

/** Words that appear in no Spanish sentence. */
const ENGLISH = /\b(?:the|your|you|and|of|with|this|was|is|it|to|gift|receipt|email|account|for|not|will)\b/i;

test.each(TABLE)('%s has no English in Spanish', (_name, write) => {
  const english = new Set(sentencesOf(write('en')));
  const spanish = sentencesOf(write('es'));
  expect(spanish.length).toBeGreaterThan(5);
  expect(spanish.filter((sentence) => english.has(sentence) || ENGLISH.test(sentence))).toEqual([]);
});

/** This email has no links, because it goes to an address that may be mistyped. */
const withoutLinks = 'a receipt that was sent to another address';

test.each(TABLE.filter(([name]) => name !== withoutLinks))('%s links to pages in its language', (_name, write) => {
  for (const language of ['en', 'es'] as const) {
    const { html, text } = write(language);
    expect(html).toContain(`<html lang="${language}">`);
    const links = [...linksOf(html), ...(text.match(/https:\/\/[^\s,]+/g) ?? [])];
    const start = [SITE, folderOf(language)].filter(Boolean).join('/');
    expect(links.filter((each) => each.startsWith(start) || each === FILE)).toEqual(links);
    expect(links.some((each) => each.startsWith(`${SITE}/es`))).toBe(language === 'es');
  }
});

const GIVEN = Object.values(RECEIPTS).map((of) => ({ language: 'en' as const, ...of }));
const returns = { returned: 100, pending: 200, disputed: 300 };
const sheets = {
  ...Object.fromEntries(
    Object.entries(RECEIPTS).map(([name, of]) => [
      `the receipt ${name}`,
      (language: Language) => {
        const { document, history } = receiptIn(language, of);
        return receiptSheet(document, history);
      },
    ]),
  ),
  // Sentences from receipts in both languages.
  'the list of a year': (language: Language) =>
    statementSheet(
      GIVEN.flatMap((of) => [receiptIn('en', of), receiptIn('es', of)]).map(({ document }) => ({
        document,
        returns,
        zone: 'America/New_York',
      })),
      {
        donor: { name: 'Uma' },
        year: '2026',
        now: occurredAt,
        language,
      },
    ),
};

test.each(Object.entries(sheets))(
  '%s as a PDF has no English in Spanish except the official sentence',
  (_name, sheet) => {
    const wordsIn = (language: Language) => {
      const { title, brand, parts } = sheet(language);
      const texts = parts.map((part) => ('text' in part ? part.text : JSON.stringify([part])));
      return { texts, all: sentencesIn([title, brand, ...texts].join('\n').replace(/["[\]{}]/g, '\n')) };
    };
    const kinds = new Set(['kind', 'facts', 'table', 'headings', 'rows', 'total']);
    const english = new Set(wordsIn('en').all.filter((said) => !kinds.has(said)));
    const spanish = wordsIn('es');
    expect(spanish.texts.filter((text) => text === OFFICIAL)).toHaveLength(1);
    expect(spanish.all.filter((said) => english.has(said) || ENGLISH.test(said))).toEqual([]);
    expect(sheet('es').language).toBe('es');
  },
);

test('an English receipt has the official sentence once, and a Spanish one both', () => {
  const write = (language: Language) => RECEIPT_MAILS[0]?.[1](language).text ?? '';
  expect(write('en').split(OFFICIAL)).toHaveLength(2);
  expect(write('es').split(OFFICIAL)).toHaveLength(2);
  expect(write('es')).toContain('No se entregaron bienes ni servicios a cambio de esta donación.');
});

/** Emails to editors and admins, which are in English. */
const TO_EDITORS = [
  'editor-emails.job.ts',
  'send-admin-change-email.job.ts',
  'send-alarm-email.job.ts',
  'send-card-alarm-email.job.ts',
];
/** Emails to a team in both languages, which test/server/team-emails.test.ts covers. */
const TO_TEAMS = ['send-alert-email.job.ts', 'team-mail.ts'];

test('no other file writes emails', async () => {
  const source = await readFile(import.meta.filename, 'utf8');
  const unknown: string[] = [];
  for await (const file of glob('src/server/features/**/*.ts')) {
    const isKnown =
      [...TO_EDITORS, ...TO_TEAMS].some((name) => file.endsWith(`/${name}`)) ||
      source.includes(file.replace('src/', '#'));
    if (!isKnown && (await readFile(file, 'utf8')).includes('writeLetter(')) unknown.push(file);
  }
  expect(unknown).toEqual([]);
});
