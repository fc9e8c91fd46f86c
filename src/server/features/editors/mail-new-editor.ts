import type { JobData } from '#server/jobs/jobs.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { userById } from '#server/users/find-user.ts';
import { areaLink } from './area-link.ts';
import { editorById } from './editors.store.ts';
import type { MailInvitationDeps } from './mail-invitation.ts';
import { newEditorMail } from './new-editor-mail.ts';

/**
 * Tells an editor who had an account already of the new role, unless it was taken back meanwhile.
 * @throws when the mail was not taken: the job tries again
 */
export async function mailNewEditor(
  { db, parent, publicUrl, mailer }: MailInvitationDeps,
  { orgId, userId, addedBy }: JobData['mail-new-editor'],
): Promise<void> {
  const [editor, adder, org] = await Promise.all([
    editorById(db.kysely, orgId, userId),
    userById(db.kysely, addedBy),
    findOrg(db, orgId),
  ]);
  if (!editor || !org) return;
  await mailer.send(
    newEditorMail({
      email: editor.email,
      link: areaLink(publicUrl(), orgId),
      orgName: org.name,
      adder: adder?.display_name || adder?.email || org.name,
      parent,
      publicUrl: publicUrl(),
      messageKey: `editor-${orgId}-${userId}-${editor.created_at.getTime()}`,
    }),
  );
}
