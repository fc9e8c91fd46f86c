import { z } from 'zod';
import { pagePath } from '#contract/pages.ts';
import { DISPUTE, INQUIRY } from '#domain/attention.ts';
import { dayOf, dayText, type TimeZone } from '#domain/days.ts';
import { formatCents } from '#domain/money.ts';
import { emailSafeName } from '#domain/names.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkoutById } from '#server/entities/find-checkout.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { userById } from '#server/entities/find-user.ts';
import { type AttentionRow, attentionItem } from '#server/features/attention/attention.ts';
import { usersWhoMay } from '#server/features/editors/read-editors.ts';
import {
  button,
  facts,
  greetingTo,
  paragraph,
  senderLines,
  throughLogin,
  writeLetter,
} from '#server/gateways/mail/letter.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';

type Deps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Emails a person with access to an organization's checkouts about a dispute or a fraud warning, unless it has ended or
 * the person has lost access.
 */
export const sendAlertEmail = defineJob({
  name: 'send-alert-email',
  payload: z.object({ orgId: z.string(), userId: z.string(), itemId: z.string(), at: z.string() }),
  async run({ db, parent, publicUrl, mailer }: Deps, { orgId, userId, itemId, at }) {
    const [item, org, user, people] = await Promise.all([
      attentionItem(db.kysely, { orgId, itemId }),
      findOrg(db, orgId),
      userById(db.kysely, userId),
      usersWhoMay(db.kysely, orgId, 'checkouts.read'),
    ]);
    if (!item || item.settled_at !== null || !org || !user || !people.includes(userId)) return;
    const donor = await checkoutById(db.kysely, { orgId, checkoutId: item.checkout_id ?? '' });
    const { title, lead, advice } = textsFor(item, org.name);
    await mailer.send(
      writeLetter({
        to: user.email,
        subject: title,
        preheader: lead,
        greeting: greetingTo(user.display_name),
        title,
        parts: [
          paragraph(lead),
          facts([
            ['Amount', formatCents(item.amount_cents)],
            ['Donor', [emailSafeName(donor?.display_name), donor?.email].filter(Boolean).join(', ') || 'unknown'],
            ...deadlineOf(item, org.timeZone),
          ]),
          paragraph(advice),
          button('See it', throughLogin(publicUrl(), pagePath('checkouts-page', { orgid: orgId }))),
        ],
        sender: senderLines(parent, publicUrl()),
        publicUrl: publicUrl(),
        messageKey: `alert-${itemId}-${userId}-${Date.parse(at)}`,
      }),
    );
  },
});

function textsFor({ reason }: AttentionRow, org: string) {
  if (reason === DISPUTE || reason === INQUIRY) {
    const isDispute = reason === DISPUTE;
    return {
      title: isDispute ? `A donor disputes a gift to ${org}` : `A bank asks about a gift to ${org}`,
      lead: isDispute
        ? 'A donor disputed a gift at their bank. The money is held back until the bank decides.'
        : 'A donor’s bank asks about a gift. No money is held back, but without a response it can become a dispute.',
      advice:
        'Respond with evidence at your card processor, such as the receipt and your emails with the donor. You can submit it once. If the donor is right, accept the dispute there.',
    };
  }
  return {
    title: `A bank suspects fraud in a gift to ${org}`,
    lead: 'The bank of a donor’s card reported that a gift may be fraud. Most such gifts are disputed later, which costs a fee.',
    advice: 'If you don’t know the donor, refund the gift now: a refunded gift can’t be disputed.',
  };
}

function deadlineOf({ reason, due_at: dueAt }: AttentionRow, timeZone: TimeZone): [string, string][] {
  if (reason !== DISPUTE && reason !== INQUIRY) return [];
  return [['Evidence is due by', dueAt === null ? 'the bank takes no evidence' : dayText(dayOf(dueAt, timeZone))]];
}
