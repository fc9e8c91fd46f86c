import type { AppDeps } from '#server/deps.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { areaLink } from './area-link.ts';
import { invitationById } from './editors.store.ts';
import { invitationMail } from './invitation-mail.ts';

export type MailInvitationDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Mails an invitation, unless it was accepted, withdrawn, or asked for anew meanwhile.
 * @throws when the mail was not taken: the job tries again
 */
export async function mailInvitation(
  { db, parent, publicUrl, mailer }: MailInvitationDeps,
  { orgId, invitationId }: JobData['mail-invitation'],
): Promise<void> {
  const [invitation, org] = await Promise.all([invitationById(db.kysely, orgId, invitationId), findOrg(db, orgId)]);
  if (!invitation || !org) return;
  await mailer.send(
    invitationMail({
      invitationId,
      email: invitation.email,
      link: areaLink(publicUrl(), orgId),
      orgName: org.name,
      inviter: invitation.inviter_name || invitation.inviter_email || org.name,
      parent,
      publicUrl: publicUrl(),
    }),
  );
}
