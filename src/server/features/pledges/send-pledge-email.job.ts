import { z } from 'zod';
import { parseLanguage } from '#contract/languages.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import { type Language, m } from '#messages';
import type { AppDeps, Parent } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import {
  composeEmail,
  composeGreeting,
  factRows,
  note,
  paragraph,
  senderLines,
} from '#server/gateways/email/compose-email.ts';
import type { Email, Mailer } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { findPledgeWithReceipt } from './pledges.store.ts';

export type PledgeEmailDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/** Emails a donor how to write the pledged check and where to send it, unless the pledge was received or canceled. */
export const sendPledgeEmail = defineJob({
  name: 'send-pledge-email',
  payload: z.object({ orgId: z.string(), pledgeId: z.string() }),
  async run({ db, parent, publicUrl, mailer }: PledgeEmailDeps, { orgId, pledgeId }) {
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

type PledgeEmail = {
  readonly language: Language;
  readonly email: string;
  readonly name: string | null;
  readonly orgName: string;
  readonly amount: Cents;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
};

export function pledgeEmail({ language, email, name, orgName: org, parent, publicUrl, ...rest }: PledgeEmail): Email {
  const options = { locale: language };
  const amount = formatCents(rest.amount);
  return composeEmail({
    language,
    to: email,
    subject: m.emailPledgeSubject({ org }, options),
    preheader: m.emailPledgePreview({ name: parent.name, amount }, options),
    greeting: composeGreeting(name, language),
    title: m.emailPledgeTitle({}, options),
    parts: [
      factRows([
        [m.receiptAmount({}, options), amount],
        [m.checkPayee({}, options), parent.name],
        [m.checkMemo({}, options), org],
        [m.checkMailTo({}, options), parent.address],
      ]),
      paragraph(m.emailPledgeWatch({}, options)),
      note(m.emailPledgeIgnore({}, options)),
    ],
    sender: senderLines(parent, publicUrl, language),
    publicUrl,
    messageKey: rest.messageKey,
  });
}
