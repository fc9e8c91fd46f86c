import { pagePath } from '#contract/pages.ts';
import { formatInterval } from '#domain/cart.ts';
import { addDays, dayOf, dayText, startOfDay } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { formatCents, formatDollars } from '#domain/money.ts';
import { makeEmailSafe } from '#domain/names.ts';
import { type Role, roleCan } from '#domain/permissions.ts';
import { formatMonth } from '#domain/statement.ts';
import { TEAM_EMAIL_PERMISSIONS, type TeamEmailKind } from '#domain/team-emails.ts';
import { type Language, m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { findAttentionItem } from '#server/features/attention/attention.ts';
import { findReceiptSourceByEntry } from '#server/features/receipts/read-receipt.ts';
import { readStatement } from '#server/features/statements/statements.ts';
import {
  amountRows,
  button,
  composeEmail,
  detailRows,
  type EmailPart,
  loginUrl,
  note,
  outlineButtons,
  paragraph,
  quotation,
  type Row,
} from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { readEmailChoices } from './email-choices.ts';
import {
  countDraftsWithin,
  findDraftStory,
  findEndedGift,
  findFailedRenewal,
  sumGiftsWithin,
} from './team-emails.store.ts';

type Deps = Pick<AppDeps, 'db' | 'now' | 'parent' | 'publicUrl' | 'livemode'>;

type Recipient = {
  readonly userId: UserId;
  readonly role: Role;
  readonly email: string;
  readonly name: string;
  readonly language: Language;
};

export type TeamEmail = {
  readonly kind: TeamEmailKind;
  readonly subject: string;
  readonly org: OrgFacts;
  readonly recipient: Recipient;
};

type Content = { readonly title: string; readonly parts: readonly EmailPart[]; readonly path: string };
type CreateContent = (
  deps: Deps,
  email: TeamEmail,
  options: { readonly locale: Language },
) => Promise<Content | undefined>;

/** Composes a team email. @returns undefined if the subject no longer exists or is settled */
export async function composeTeamEmail(deps: Deps, details: TeamEmail): Promise<Email | undefined> {
  const { kind, subject, org, recipient } = details;
  const { email, name, language, userId } = recipient;
  const options = { locale: language };
  const content = await CONTENT_CREATORS[kind](deps, details, options);
  if (!content) return undefined;
  const publicUrl = deps.publicUrl();
  const choicesPath = pagePath('editors-page', { orgid: org.id });
  const messageKey = `team-${kind}-${subject}-${org.id}-${userId}`;
  const envelope = { email, language, parent: deps.parent, publicUrl, messageKey };
  return composeEmail(envelope, {
    subject: content.title,
    preheader: org.name,
    name,
    title: content.title,
    parts: [
      ...content.parts,
      button(m.teamEmailSee({}, options), loginUrl(publicUrl, content.path, language)),
      note(m.teamEmailChoose({ org: org.name }, options)),
      ...outlineButtons([m.teamEmailChooseButton({}, options), loginUrl(publicUrl, choicesPath, language)]),
    ],
  });
}

const CONTENT_CREATORS: Readonly<Record<TeamEmailKind, CreateContent>> = {
  gift: async ({ db }, { subject, org }, options) => {
    const receipt = await findReceiptSourceByEntry(db.kysely, org.id, subject);
    if (!receipt) return undefined;
    const { document, name, checkout_id: checkoutId } = receipt;
    const amount = formatCents(document.amount);
    const donor = formatDonorName(name, options);
    return {
      title: m.teamEmailGift({ donor, amount, org: org.name }, options),
      parts: [
        detailRows([
          [m.teamEmailDonor({}, options), donor],
          [m.receiptAmount({}, options), amount],
          [m.receiptGivenOn({}, options), dayText(document.givenOn, options)],
          [m.receiptNumber({}, options), String(document.number)],
        ]),
      ],
      path: toCheckoutsPath(
        org.id,
        checkoutId === null ? { kind: 'check', query: `no. ${document.number}` } : { gift: checkoutId },
      ),
    };
  },
  story: async ({ db }, { subject, org }, options) => {
    const story = await findDraftStory(db.kysely, org.id, subject);
    return (
      story && {
        title: m.teamEmailStory(
          { name: makeEmailSafe(story.name) || m.teamEmailSomeone({}, options), org: org.name },
          options,
        ),
        parts: [quotation(story.story), paragraph(m.teamEmailStoryLead({}, options))],
        path: pagePath('review-page', { orgid: org.id }),
      }
    );
  },
  renewal: async ({ db }, { subject, org }, options) => {
    const gift = await findFailedRenewal(db.kysely, org.id, subject);
    if (!gift) return undefined;
    const { charge, retryAt, checkoutId } = gift;
    const donor = formatDonorName(gift.donor, options);
    return {
      title: m.teamEmailRenewal({ donor, amount: formatCents(charge) }, options),
      parts: [
        paragraph(m.teamEmailRenewalLead({}, options)),
        detailRows([
          [m.teamEmailDonor({}, options), donor],
          [m.receiptAmount({}, options), formatCents(charge)],
          [
            m.teamEmailNextAttempt({}, options),
            retryAt === null ? m.teamEmailNoAttempt({}, options) : dayText(dayOf(retryAt, org.timeZone), options),
          ],
        ]),
      ],
      path: toCheckoutsPath(org.id, { gift: checkoutId }),
    };
  },
  ended: async ({ db }, { subject, org }, options) => {
    const gift = await findEndedGift(db.kysely, org.id, subject);
    if (!gift) return undefined;
    const { amount, unit, count, endedUnpaid, checkoutId } = gift;
    const donor = formatDonorName(gift.donor, options);
    const terms: Row[] =
      amount === null || unit === null || count === null
        ? []
        : [[m.receiptAmount({}, options), `${formatCents(amount)} ${formatInterval({ unit, count }, options)}`]];
    return {
      title: m.teamEmailEnded({ donor }, options),
      parts: [
        paragraph(endedUnpaid ? m.teamEmailEndedUnpaid({}, options) : m.teamEmailEndedStopped({}, options)),
        detailRows([[m.teamEmailDonor({}, options), donor], ...terms]),
      ],
      path: toCheckoutsPath(org.id, { gift: checkoutId }),
    };
  },
  receipt: async ({ db }, { subject, org }, options) => {
    const receipt = await findReceiptSourceByEntry(db.kysely, org.id, subject);
    if (receipt?.delivery !== 'rejected' && receipt?.delivery !== 'failed') return undefined;
    const donor = formatDonorName(receipt.name, options);
    return {
      title: m.teamEmailReceipt({ donor }, options),
      parts: [
        paragraph(m.teamEmailReceiptLead({}, options)),
        detailRows([
          [m.teamEmailDonor({}, options), [donor, receipt.alternate_email ?? receipt.email].filter(Boolean).join(', ')],
          [m.receiptAmount({}, options), formatCents(receipt.amount_cents)],
          [m.receiptNumber({}, options), String(receipt.printed_number)],
        ]),
      ],
      path: toCheckoutsPath(org.id, { part: 'receipts' }),
    };
  },
  attention: async ({ db }, { subject, org }, options) => {
    const item = await findAttentionItem(db.kysely, { orgId: org.id, itemId: subject });
    if (!item || item.resolved_at !== null) return undefined;
    return {
      title: m.teamEmailAttention({ amount: formatCents(item.amount_cents), org: org.name }, options),
      parts: [paragraph(m.teamEmailAttentionLead({}, options))],
      path: toCheckoutsPath(org.id, {}),
    };
  },
  statement: async (deps, { subject, org }, options) => {
    const month = subject.slice(0, 'yyyy-mm'.length);
    const statement = await readStatement(deps, org, month);
    if (statement instanceof Failure || statement.closedOn === null) return undefined;
    const { opening, gifts, fees, refunds, disputes, grants, closing } = statement.all;
    const monthName = formatMonth(month, options);
    const path = pagePath('statement-page', { orgid: org.id });
    return {
      title: m.teamEmailStatement({ org: org.name, month: monthName }, options),
      parts: [
        paragraph(m.teamEmailStatementLead({}, options)),
        amountRows([
          [m.teamEmailOpening({}, options), formatDollars(opening)],
          [m.teamEmailGifts({}, options), formatDollars(gifts)],
          [m.teamEmailFees({}, options), formatDollars(fees)],
          [m.teamEmailRefunds({}, options), formatDollars(refunds)],
          [m.teamEmailDisputes({}, options), formatDollars(disputes)],
          [m.teamEmailGrants({}, options), formatDollars(grants)],
          [m.teamEmailClosing({}, options), formatDollars(closing)],
        ]),
      ],
      path: `${path}?period=${month}`,
    };
  },
  daily: async ({ db }, { subject: day, org, recipient }, options) => {
    const choices = await readEmailChoices(db.kysely, { orgId: org.id, userId: recipient.userId });
    const span = { from: startOfDay(day, org.timeZone), until: startOfDay(addDays(day, 1), org.timeZone) };
    const mayReadGifts = choices.gifts === 'daily' && roleCan(recipient.role, TEAM_EMAIL_PERMISSIONS.gift);
    const mayReadStories = choices.stories === 'daily' && roleCan(recipient.role, TEAM_EMAIL_PERMISSIONS.story);
    const gifts = mayReadGifts ? await sumGiftsWithin(db.kysely, org.id, span) : { count: 0, cents: 0 };
    const drafts = mayReadStories ? await countDraftsWithin(db.kysely, org.id, span) : 0;
    if (gifts.count === 0 && drafts === 0) return undefined;
    const giftRows: Row[] = [
      [m.teamEmailGifts({}, options), String(gifts.count)],
      [m.teamEmailGiven({}, options), formatCents(gifts.cents)],
    ];
    const storyRows: Row[] = [[m.teamEmailStories({}, options), String(drafts)]];
    return {
      title: m.teamEmailDaily({ org: org.name, day: dayText(day, options) }, options),
      parts: [detailRows([...(gifts.count > 0 ? giftRows : []), ...(drafts > 0 ? storyRows : [])])],
      path: pagePath('overview-page', { orgid: org.id }),
    };
  },
};

function formatDonorName(name: string | null, options: { readonly locale: Language }): string {
  return makeEmailSafe(name) || m.teamEmailSomeone({}, options);
}

/** Path of the checkouts page with a filter or a selected gift. */
function toCheckoutsPath(orgid: string, filter: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(filter);
  return pagePath('checkouts-page', { orgid }) + (search.size > 0 ? `?${search.toString()}` : '');
}
