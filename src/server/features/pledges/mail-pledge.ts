import { formatCents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import type { AppDeps } from '#server/deps.ts';
import { facts, greetingTo, note, paragraph, senderLines, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { pledgeWithReceipt } from './pledges.store.ts';

export type MailPledgeDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Mails a donor how to write the check that they promised, and where to send it, unless it has come or was canceled.
 * @throws when the mail server refuses it, so that the job is retried
 */
export async function mailPledge(
  { db, parent, publicUrl, mailer }: MailPledgeDeps,
  { orgId, pledgeId }: JobData['mail-pledge'],
): Promise<void> {
  const pledge = await pledgeWithReceipt(db.kysely, { orgId, pledgeId });
  const org = await findOrg(db, orgId);
  const email = pledge?.email ?? '';
  if (!org || pledge?.status !== 'pledged' || !isEmail(email)) return;
  const amount = formatCents(pledge.amount_cents);
  await mailer.send(
    writeLetter({
      to: email,
      subject: `Your check for ${org.name}: where to send it`,
      preheader: `Make it out to ${parent.name}, for ${amount}.`,
      greeting: greetingTo(pledge.name),
      title: 'Thank you! Here’s how to send your check',
      parts: [
        facts([
          ['Amount', amount],
          ['Make it out to', parent.name],
          ['Memo line', org.name],
          ['Mail it to', parent.address],
        ]),
        paragraph('We’ll watch for it, and email you a receipt when it arrives.'),
        note(
          'Someone, hopefully you, told us about this check with this address. If this wasn’t you, you can ignore this email.',
        ),
      ],
      sender: senderLines(parent, publicUrl()),
      publicUrl: publicUrl(),
      messageKey: `pledge-${pledgeId}`,
    }),
  );
}
