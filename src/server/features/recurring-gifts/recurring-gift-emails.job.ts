import { z } from 'zod';
import { localizeAddress, parseLanguage } from '#contract/languages.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { formatInterval, GIFT_UNITS } from '#domain/cart.ts';
import { type Day, dayOf, dayText } from '#domain/days.ts';
import { type Cents, formatAmount, formatCents, formatDollars } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import { type RecurringTerms, recurringGiftSentence } from '#domain/recurring-gift.ts';
import { type InLanguage, m } from '#messages';
import type { EmailDeps } from '#server/deps.ts';
import {
  button,
  composeEmail,
  type EmailContent,
  type EmailPart,
  type Envelope,
  note,
  outlineButtons,
  paragraph,
} from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { giftHomesPath, recurringGiftPath } from './gift-paths.ts';
import { getTerms, presentRecurringGift } from './recurring-gifts.present.ts';
import {
  findCheckoutDonor,
  findFailedRenewal,
  findNewestReceiptKey,
  findRecurringGiftById,
  type RecurringGiftRow,
  sumPayments,
} from './subscriptions.store.ts';

const RECURRING_GIFT_CHANGES = ['stopped', 'paused', 'resumed', 'changed'] as const;
export type RecurringGiftChange = (typeof RECURRING_GIFT_CHANGES)[number];

/** Emails a donor whose card couldn't be charged, unless the gift has since ended or been paid. */
export const sendFailedRenewalEmail = defineJob({
  name: 'send-failed-renewal-email',
  payload: z.object({ invoiceId: z.string(), attempt: z.number() }),
  async run(deps: EmailDeps, { invoiceId, attempt }) {
    const failure = await findFailedRenewal(deps.db.kysely, invoiceId, attempt);
    const gift = failure && (await findRecurringGiftById(deps.db.kysely, failure.subscription_id));
    if (!failure || gift?.status !== 'past_due') return;
    const retryOn = failure.retry_at === null ? undefined : dayOf(failure.retry_at, gift.time_zone);
    await sendRecurringGiftEmail(deps, gift, `failed-renewal-${invoiceId}-${attempt}`, (email) =>
      failedRenewalEmail({ ...email, amount: failure.amount_cents, retryOn }),
    );
  },
});

/** Emails a donor whose recurring gift ended because the card couldn't be charged. */
export const sendEndedRecurringGiftEmail = defineJob({
  name: 'send-ended-gift-email',
  payload: z.object({ subscriptionId: z.string() }),
  async run(deps: EmailDeps, { subscriptionId }) {
    const gift = await findRecurringGiftById(deps.db.kysely, subscriptionId);
    if (!gift) return;
    await sendRecurringGiftEmail(deps, gift, `ended-gift-${subscriptionId}`, (email) =>
      endedRecurringGiftEmail({ ...email, terms: getTerms(gift) }),
    );
  },
});

const terms = z.object({
  amount: z.number(),
  interval: z.object({ unit: z.enum(GIFT_UNITS), count: z.number() }),
});

/** Notifies a donor by email that the recurring gift was stopped, paused, resumed, or changed. */
export const sendChangedRecurringGiftEmail = defineJob({
  name: 'send-changed-gift-email',
  payload: z.object({
    subscriptionId: z.string(),
    change: z.enum(RECURRING_GIFT_CHANGES),
    at: z.string(),
    /** Terms before the change. */
    before: terms.optional(),
  }),
  async run(deps: EmailDeps, { subscriptionId, change, at, before }) {
    const gift = await findRecurringGiftById(deps.db.kysely, subscriptionId);
    if (!gift) return;
    const total = await sumPayments(deps.db.kysely, gift);
    await sendRecurringGiftEmail(deps, gift, `changed-gift-${subscriptionId}-${change}-${at}`, (email) =>
      changedRecurringGiftEmail({ ...email, change, before, gift: presentRecurringGift(gift), total }),
    );
  },
});

type RecurringGiftEmail = Envelope & {
  readonly name: string | null;
  readonly orgName: string;
  /** Link to the gift's page. */
  readonly link: string;
  /** Link to the page that shows where the gift went; undefined if there is no receipt. */
  readonly homesLink?: string | undefined;
};

/** Sends the email unless the donor's data was erased. */
async function sendRecurringGiftEmail(
  { db, parent, publicUrl, mailer }: EmailDeps,
  gift: RecurringGiftRow,
  messageKey: string,
  createEmail: (details: RecurringGiftEmail) => Email,
): Promise<void> {
  const donor = await findCheckoutDonor(db.kysely, gift.checkout_id);
  if (!donor || !isEmail(donor.email)) return;
  const language = parseLanguage(donor.language);
  const link = publicUrl() + localizeAddress(recurringGiftPath(gift.org_id, gift.page_key), language);
  const receiptKey = await findNewestReceiptKey(db.kysely, gift);
  const homesLink = receiptKey && publicUrl() + localizeAddress(giftHomesPath(gift.org_id, receiptKey), language);
  const envelope = { email: donor.email, language, parent, publicUrl: publicUrl(), messageKey };
  await mailer.send(createEmail({ ...envelope, name: donor.name, orgName: gift.org_name, link, homesLink }));
}

type FailedRenewalEmail = RecurringGiftEmail & { readonly amount: Cents; readonly retryOn: Day | undefined };

export function failedRenewalEmail(details: FailedRenewalEmail): Email {
  const { language, orgName: org, link, retryOn } = details;
  const options = { locale: language };
  const amount = formatCents(details.amount);
  return composeRecurringGiftEmail(details, {
    subject: m.emailFailedSubject({ org }, options),
    title: m.emailFailedTitle({}, options),
    parts: [
      paragraph(m.emailFailedLead({ amount, org }, options)),
      paragraph(
        retryOn === undefined
          ? m.emailFailedNoRetry({}, options)
          : m.emailFailedRetry({ day: dayText(retryOn, options) }, options),
      ),
      paragraph(m.emailFailedHelp({}, options)),
      button(m.emailFailedButton({}, options), link),
      ...homesButton(details),
    ],
  });
}

type ChangedRecurringGiftEmail = RecurringGiftEmail & {
  readonly change: RecurringGiftChange;
  /** Amount and interval before the change, if they were known. */
  readonly before?: RecurringTerms | undefined;
  /** The gift after the change. */
  readonly gift: RecurringGift;
  /** Total of this gift's payments so far. */
  readonly total: Cents;
};

const CHANGE_TEXTS = {
  stopped: { subject: m.emailGiftStoppedSubject, title: m.emailGiftStoppedTitle, lead: m.emailGiftStoppedLead },
  paused: { subject: m.emailGiftPausedSubject, title: m.emailGiftPausedTitle, lead: m.emailGiftPausedLead },
  resumed: { subject: m.emailGiftResumedSubject, title: m.emailGiftResumedTitle, lead: m.emailGiftResumedLead },
  changed: { subject: m.emailGiftChangedSubject, title: m.emailGiftChangedTitle, lead: m.emailGiftChangedLead },
} as const satisfies Readonly<Record<RecurringGiftChange, unknown>>;

export function changedRecurringGiftEmail(details: ChangedRecurringGiftEmail): Email {
  const { language, orgName: org, link, parent, change, before, gift, total } = details;
  const options = { locale: language };
  const { subject, title, lead } = CHANGE_TEXTS[change];
  const showsTerms = change === 'resumed' || change === 'changed';
  return composeRecurringGiftEmail(details, {
    subject: subject({ org }, options),
    title:
      change === 'stopped' && total > 0
        ? m.emailGiftStoppedTotal({ amount: formatAmount(total) }, options)
        : title({}, options),
    parts: [
      paragraph(lead({ org }, options)),
      ...(showsTerms ? formatTerms(gift, before, options).map((sentence) => paragraph(sentence)) : []),
      button(change === 'stopped' ? m.emailEndedButton({}, options) : m.emailManageGift({}, options), link),
      ...homesButton(details),
      note(m.emailGiftChangedHelp({ email: parent.contactEmail }, options)),
    ],
  });
}

/** Formats "Your gift changed from $25.00 to $40.00 every month." and the next charge. */
function formatTerms(gift: RecurringGift, before: RecurringTerms | undefined, options: InLanguage): string[] {
  const { amount, unit, count } = gift;
  const sentence = recurringGiftSentence(gift, options);
  if (amount === null || unit === null || count === null) return [sentence];
  const interval = formatInterval({ unit, count }, options);
  const after = `${formatDollars(amount)} ${interval}`;
  const oldInterval = before && formatInterval(before.interval, options);
  const oldAmount = before && formatCents(before.amount);
  if (!before || after === `${oldAmount} ${oldInterval}`)
    return [m.emailGiftTerms({ amount: formatDollars(amount), interval }, options), sentence];
  const oldTerms = oldInterval === interval ? `${oldAmount}` : `${oldAmount} ${oldInterval}`;
  return [m.emailGiftTermsChanged({ before: oldTerms, after }, options), sentence];
}

type EndedRecurringGiftEmail = RecurringGiftEmail & {
  /** Amount and interval, if the provider reported them. */
  readonly terms: RecurringTerms | undefined;
};

export function endedRecurringGiftEmail(details: EndedRecurringGiftEmail): Email {
  const { language, orgName: org, link, terms } = details;
  const options = { locale: language };
  return composeRecurringGiftEmail(details, {
    subject: m.emailEndedSubject({ org }, options),
    title: m.emailEndedTitle({}, options),
    parts: [
      paragraph(
        terms === undefined
          ? m.emailEndedLead({ org }, options)
          : m.emailEndedLeadOf(
              { amount: formatCents(terms.amount), interval: formatInterval(terms.interval, options), org },
              options,
            ),
      ),
      paragraph(m.emailEndedThanks({}, options)),
      button(m.emailEndedButton({}, options), link),
      ...homesButton(details),
    ],
  });
}

function homesButton({ homesLink, language }: RecurringGiftEmail): EmailPart[] {
  return outlineButtons([m.giftHomesTitle({}, { locale: language }), homesLink]);
}

function composeRecurringGiftEmail(
  details: RecurringGiftEmail,
  content: Pick<EmailContent, 'subject' | 'title' | 'parts'>,
): Email {
  return composeEmail(details, { ...content, preheader: content.title, name: details.name });
}
