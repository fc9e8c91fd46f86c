import { z } from 'zod';
import { parseLanguage } from '#contract/languages.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import { m } from '#messages';
import type { EmailDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { composeEmail, detailRows, type Envelope, note, paragraph } from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { findPledgeWithReceipt } from './pledges.store.ts';

/** Emails a donor instructions for writing and mailing the pledged check, unless it was received or canceled. */
export const sendPledgeEmail = defineJob({
  name: 'send-pledge-email',
  payload: z.object({ orgId: z.string(), pledgeId: z.string() }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { orgId, pledgeId }) {
    const pledge = await findPledgeWithReceipt(db.kysely, { orgId, pledgeId });
    const org = await findOrg(db, orgId);
    const email = pledge?.email ?? '';
    if (!org || pledge?.status !== 'pledged' || !isEmail(email)) return;
    await mailer.send(
      pledgeEmail({
        language: parseLanguage(pledge.language),
        email,
        name: pledge.name,
        orgName: org.name,
        amount: pledge.amount_cents,
        parent,
        publicUrl: publicUrl(),
        messageKey: `pledge-${pledgeId}`,
      }),
    );
  },
});

type PledgeEmail = Envelope & {
  readonly name: string | null;
  readonly orgName: string;
  readonly amount: Cents;
};

export function pledgeEmail(details: PledgeEmail): Email {
  const { language, name, orgName: org, parent } = details;
  const options = { locale: language };
  const amount = formatCents(details.amount);
  return composeEmail(details, {
    subject: m.emailPledgeSubject({ org }, options),
    preheader: m.emailPledgePreview({ name: parent.name, amount }, options),
    name,
    title: m.emailPledgeTitle({}, options),
    parts: [
      detailRows([
        [m.receiptAmount({}, options), amount],
        [m.checkPayee({}, options), parent.name],
        [m.checkMemo({}, options), org],
        [m.checkMailTo({}, options), parent.address],
      ]),
      paragraph(m.emailPledgeWatch({}, options)),
      note(m.emailPledgeIgnore({}, options)),
    ],
  });
}
