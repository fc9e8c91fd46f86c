import { z } from 'zod';
import { parseLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { dayOf, dayText, type TimeZone } from '#domain/days.ts';
import { formatCents } from '#domain/money.ts';
import { makeEmailSafe } from '#domain/names.ts';
import { type Language, m } from '#messages';
import type { EmailDeps } from '#server/deps.ts';
import { findCheckoutRow } from '#server/entities/find-checkout.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { type AttentionRow, findAttentionItem } from '#server/features/attention/attention.ts';
import { listUserIdsWithPermission } from '#server/features/editors/read-editors.ts';
import { readEmailChoices } from '#server/features/team-emails/email-choices.ts';
import { button, composeEmail, detailRows, loginUrl, paragraph } from '#server/gateways/email/compose-email.ts';
import { defineJob } from '#server/jobs/define-job.ts';

/**
 * Emails a person with access to an organization's checkouts about a dispute or a fraud warning. Skips the email if the
 * alert has ended, or if the person has lost access or has turned off emails about problems.
 */
export const sendAlertEmail = defineJob({
  name: 'send-alert-email',
  payload: z.object({ orgId: z.string(), userId: z.string(), itemId: z.string(), raisedAt: z.string() }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { orgId, userId, itemId, raisedAt }) {
    const [item, org, user, permittedUserIds, choices] = await Promise.all([
      findAttentionItem(db.kysely, { orgId, itemId }),
      findOrg(db, orgId),
      findUserRow(db.kysely, userId),
      listUserIdsWithPermission(db.kysely, orgId, 'checkouts.read'),
      readEmailChoices(db.kysely, { orgId, userId }),
    ]);
    if (!item || item.resolved_at !== null || !org || !user || !permittedUserIds.includes(userId)) return;
    if (choices.problems === 'never') return;
    const language = parseLanguage(user.language);
    const options = { locale: language };
    const checkout = await findCheckoutRow(db.kysely, { orgId, checkoutId: item.checkout_id ?? '' });
    const donor = makeEmailSafe(checkout?.display_name);
    const { title, lead, advice } = getAlertTexts(item, donor || m.teamEmailSomeone({}, options), options);
    const deadline = formatDeadline(item, org.timeZone, options);
    const path = `${pagePath('checkouts-page', { orgid: orgId })}?gift=${item.checkout_id ?? ''}`;
    const messageKey = `alert-${itemId}-${userId}-${Date.parse(raisedAt)}`;
    const envelope = { email: user.email, language, parent, publicUrl: publicUrl(), messageKey };
    await mailer.send(
      composeEmail(envelope, {
        subject: title,
        preheader: deadline ?? lead,
        name: user.display_name,
        title,
        parts: [
          ...(deadline === undefined ? [] : [paragraph(deadline)]),
          paragraph(lead),
          detailRows([
            [m.receiptAmount({}, options), formatCents(item.amount_cents)],
            [m.teamEmailDonor({}, options), [donor, checkout?.email].filter(Boolean).join(', ')],
          ]),
          paragraph(advice),
          button(m.teamEmailSee({}, options), loginUrl(publicUrl(), path, language)),
        ],
      }),
    );
  },
});

type MessageOptions = { readonly locale: Language };

function getAlertTexts({ reason, amount_cents }: AttentionRow, donor: string, options: MessageOptions) {
  const gift = { donor, amount: formatCents(amount_cents) };
  if (reason === 'dispute') {
    return {
      title: m.teamEmailAlertDispute(gift, options),
      lead: m.teamEmailAlertDisputeLead({}, options),
      advice: m.teamEmailAlertAdvice({}, options),
    };
  }
  if (reason === 'inquiry') {
    return {
      title: m.teamEmailAlertInquiry(gift, options),
      lead: m.teamEmailAlertInquiryLead({}, options),
      advice: m.teamEmailAlertAdvice({}, options),
    };
  }
  return {
    title: m.teamEmailAlertFraud(gift, options),
    lead: m.teamEmailAlertFraudLead({}, options),
    advice: m.teamEmailAlertFraudAdvice({}, options),
  };
}

/** @returns undefined for a fraud warning, which has no deadline */
function formatDeadline(
  { reason, due_at: dueAt }: AttentionRow,
  timeZone: TimeZone,
  options: MessageOptions,
): string | undefined {
  if (reason !== 'dispute' && reason !== 'inquiry') return undefined;
  if (dueAt === null) return m.teamEmailAlertNoEvidence({}, options);
  return m.teamEmailAlertDue({ day: dayText(dayOf(dueAt, timeZone), options) }, options);
}
