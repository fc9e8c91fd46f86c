import { everyText } from '#domain/cart.ts';
import { type Day, dayOf, dayText } from '#domain/days.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import type { AppDeps, Parent } from '#server/deps.ts';
import {
  button,
  greetingTo,
  type LetterPart,
  paragraph,
  senderLines,
  writeLetter,
} from '#server/gateways/mail/letter.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { giftPath } from './gift-path.ts';
import { donorOf, failedRenewal, type GiftRow, giftById } from './subscriptions.store.ts';

export type GiftMailDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Mails a donor whose card could not be charged, unless the gift has ended or was paid since.
 * @throws when the mail server does not take it, so that the job is tried again
 */
export async function mailFailedRenewal(
  deps: GiftMailDeps,
  { invoiceId, attempt }: JobData['mail-failed-renewal'],
): Promise<void> {
  const failure = await failedRenewal(deps.db.kysely, invoiceId, attempt);
  const gift = failure && (await giftById(deps.db.kysely, failure.subscription_id));
  if (!failure || gift?.status !== 'past_due') return;
  const retryOn = failure.retry_at === null ? undefined : dayOf(failure.retry_at, gift.time_zone);
  const about = { amount: failure.amount_cents, retryOn, messageKey: `failed-renewal-${invoiceId}-${attempt}` };
  await send(deps, gift, (to) => failedRenewalMail({ ...to, ...about }));
}

/** @throws when the mail server does not take it, so that the job is tried again */
export async function mailEndedGift(deps: GiftMailDeps, { subscriptionId }: JobData['mail-ended-gift']): Promise<void> {
  const gift = await giftById(deps.db.kysely, subscriptionId);
  if (!gift) return;
  const { amount_cents: amount, unit, count } = gift;
  const given =
    amount === null || unit === null || count === null
      ? ''
      : ` of ${formatCents(amount)} ${everyText({ unit, count })}`;
  const messageKey = `ended-gift-${subscriptionId}`;
  await send(deps, gift, (to) => endedGiftMail({ ...to, given, messageKey }));
}

type Addressed = {
  readonly email: string;
  readonly name: string | null;
  readonly orgName: string;
  /** The page of the gift. */
  readonly link: string;
  readonly parent: Parent;
  readonly publicUrl: string;
};

/** A donor whose data was erased gets none. */
async function send(
  { db, parent, publicUrl, mailer }: GiftMailDeps,
  gift: GiftRow,
  write: (to: Addressed) => Mail,
): Promise<void> {
  const donor = await donorOf(db.kysely, gift.checkout_id);
  if (!donor || !isEmail(donor.email)) return;
  const link = publicUrl() + giftPath(gift.org_id, gift.key);
  await mailer.send(write({ ...donor, orgName: gift.org_name, link, parent, publicUrl: publicUrl() }));
}

type FailedRenewalMail = Addressed & {
  readonly amount: Cents;
  readonly retryOn: Day | undefined;
  readonly messageKey: string;
};

function failedRenewalMail({ amount, retryOn, messageKey, ...to }: FailedRenewalMail): Mail {
  const title = 'Your gift could not be charged';
  return letter(to, messageKey, {
    subject: `Your gift to ${to.orgName} could not be charged`,
    title,
    parts: [
      paragraph(
        `We tried to charge your recurring gift of ${formatCents(amount)} to ${to.orgName}, but the payment did not go through. Nothing was charged.`,
      ),
      paragraph(
        retryOn === undefined ? 'We won’t try again by ourselves.' : `We’ll try again around ${dayText(retryOn)}.`,
      ),
      paragraph('You can use another card, or stop the gift. You don’t have to log in.'),
      button('Update your card or stop this gift', to.link),
    ],
  });
}

type EndedGiftMail = Addressed & { readonly given: string; readonly messageKey: string };

function endedGiftMail({ given, messageKey, ...to }: EndedGiftMail): Mail {
  return letter(to, messageKey, {
    subject: `Your recurring gift to ${to.orgName} has ended`,
    title: 'Your recurring gift has ended',
    parts: [
      paragraph(
        `Your recurring gift${given} to ${to.orgName} has ended, because it could not be charged. Nothing more will be charged.`,
      ),
      paragraph(
        'Thank you for all that you gave. You don’t have to do anything. If you would like to give again, you can begin a new gift.',
      ),
      button('See this gift', to.link),
    ],
  });
}

type Content = { readonly subject: string; readonly title: string; readonly parts: readonly LetterPart[] };

function letter(
  { email, name, parent, publicUrl }: Addressed,
  messageKey: string,
  { subject, title, parts }: Content,
): Mail {
  return writeLetter({
    to: email,
    subject,
    preheader: title,
    greeting: greetingTo(name),
    title,
    parts,
    sender: senderLines(parent, publicUrl),
    publicUrl,
    messageKey,
  });
}
