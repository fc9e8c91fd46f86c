import { expect, test } from 'vitest';
import { folderOf, inLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { browserName } from '#domain/browser-name.ts';
import type { Language } from '#messages';
import { pledgeMail } from '#server/features/pledges/mail-pledge.ts';
import {
  knownAddressMail,
  newDeviceMail,
  passwordChangedMail,
  proofMail,
  resetMail,
  secondFactorMail,
  signInMail,
  verificationMail,
} from '#server/features/sessions/session-mails.ts';
import { claimMail } from '#server/features/stories/claim-story.ts';
import { storyMail } from '#server/features/stories/mail-story.ts';
import { endedGiftMail, failedRenewalMail } from '#server/features/subscriptions/gift-mails.ts';
import { cardMail } from '#server/features/tributes/mail-card.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import type { SecondFactorChange } from '#server/jobs/jobs.ts';
import { PARENT } from '#test/support/build-app.ts';
import { linksOf, wordsOf } from '#test/support/mail-words.ts';

const SITE = 'https://fund.example';
const ORG = 'Fondo Ithaca';
const STORY = 'Por mi abuela';
const at = new Date('2026-03-14T09:30:00Z');

type Write = (language: Language) => Mail;

const to = (language: Language) => ({ language, email: 'uma@example.org', parent: PARENT, publicUrl: SITE });
const donor = (language: Language) => ({ ...to(language), name: 'Uma', orgName: ORG, messageKey: 'key' });
/** As the callers of each mail make it. */
const page = (path: string, language: Language) => SITE + inLanguage(path, language);
const gift = (language: Language) => page(pagePath('gift-page', { orgid: 'ithaca', giftkey: 'k' }), language);
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

const MAILS: Readonly<Record<string, Write>> = {
  'a sign-in link': (language) => signInMail({ ...to(language), link: link(language) }),
  'a link to verify': (language) => verificationMail({ ...to(language), link: link(language) }),
  'a link for a new password': (language) => resetMail({ ...to(language), link: link(language) }),
  'an address that is known': (language) => knownAddressMail({ ...to(language), link: link(language) }),
  'a code': (language) => proofMail({ ...to(language), code: '012345' }),
  'a new browser': (language) =>
    newDeviceMail({
      ...to(language),
      login: { at, client: '203.0.113.7', browser: browserName('', { locale: language }) },
    }),
  'a changed password': (language) => passwordChangedMail({ ...to(language), changedAt: at }),
  ...Object.fromEntries(
    CHANGES.map((change) => [
      change,
      (language: Language) => secondFactorMail({ ...to(language), change, at, left: 2 }),
    ]),
  ),
  'one recovery code left': (language) =>
    secondFactorMail({ ...to(language), change: 'few-recovery-codes', at, left: 1 }),
  'a renewal that failed': (language) =>
    failedRenewalMail({ ...donor(language), link: gift(language), amount: 2500, retryOn: '2026-03-17' }),
  'a renewal that failed for good': (language) =>
    failedRenewalMail({ ...donor(language), link: gift(language), amount: 2500, retryOn: undefined }),
  'a gift that ended': (language) =>
    endedGiftMail({
      ...donor(language),
      link: gift(language),
      given: { amount: 2500, interval: { unit: 'month', count: 3 } },
    }),
  'a gift that ended, of an unknown amount': (language) =>
    endedGiftMail({ ...donor(language), link: gift(language), given: undefined }),
  ...Object.fromEntries(
    (['honor', 'memory'] as const).flatMap((kind) =>
      ['Uma', ''].map((signed) => [
        `a card in ${kind}, signed “${signed}”`,
        (language: Language) =>
          cardMail({
            ...{ ...donor(language), kind, name: 'Ada', card: { ...card, signed }, mark: undefined },
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
  'a check that was promised': (language) => pledgeMail({ ...donor(language), amount: 2500 }),
};

const TABLE = Object.entries(MAILS);

/** Names and addresses, which are the same in each language. */
const OWN = [
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

/** What a mail says, sentence by sentence, without names, addresses and numbers. */
function sentencesOf({ subject, text, html }: Mail): string[] {
  const said = [subject, ...text.split('\n'), wordsOf(html)].join('\n');
  const plain = OWN.reduce<string>((rest, own) => rest.replaceAll(own, '·'), said);
  return plain
    .split(/[\n.:;,?!>]+/)
    .map((sentence) => sentence.replace(/[\s·\d$–-]+/g, ' ').trim())
    .filter((sentence) => sentence.length > 1);
}

/** Words that no Spanish sentence has. */
const ENGLISH = /\b(?:the|your|you|and|of|with|this|was|is|it|to|gift|receipt|email|account|for|not|will)\b/i;

test.each(TABLE)('%s says nothing in English to who reads Spanish', (_name, write) => {
  const english = new Set(sentencesOf(write('en')));
  const spanish = sentencesOf(write('es'));
  expect(spanish.length).toBeGreaterThan(5);
  expect(spanish.filter((sentence) => english.has(sentence) || ENGLISH.test(sentence))).toEqual([]);
});

test.each(TABLE)('%s leads to pages of its language', (_name, write) => {
  for (const language of ['en', 'es'] as const) {
    const { html, text } = write(language);
    expect(html).toContain(`<html lang="${language}">`);
    const links = [...linksOf(html), ...(text.match(/https:\/\/[^\s,]+/g) ?? [])];
    const start = [SITE, folderOf(language)].filter(Boolean).join('/');
    expect(links.filter((each) => each.startsWith(start))).toEqual(links);
    expect(links.some((each) => each.startsWith(`${SITE}/es`))).toBe(language === 'es');
  }
});
