import { pagePath } from '#contract/pages.ts';
import { mailedName } from '#domain/names.ts';
import type { AppDeps } from '#server/deps.ts';
import { button, note, paragraph, senderLines, throughLogin, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/queues.ts';
import { userById } from '#server/users/find-user.ts';

type Deps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Tells an admin, or the person themselves, that somebody got or lost the admin role, also if that was undone meanwhile.
 * @throws when the mail is not accepted; the job then retries
 */
export async function mailAdminChange(
  { db, parent, publicUrl, mailer }: Deps,
  { to, userId, admin, changedBy, at }: JobData['mail-admin-change'],
): Promise<void> {
  const nameOf = async (id: string) => {
    const user = await userById(db.kysely, id);
    return user && (mailedName(user.display_name) || user.email);
  };
  const [reader, whom] = [await userById(db.kysely, to), await nameOf(userId)];
  if (!reader || !whom) return;
  const by = (changedBy === null ? undefined : await nameOf(changedBy)) ?? 'The operator of the program';
  const isMe = to === userId;
  const title = `${isMe ? 'You’re' : `${whom} is`} ${admin ? 'now' : 'no longer'} an admin`;
  const lead = admin
    ? `${by} made ${isMe ? 'you' : whom} an admin.`
    : `${by} took the admin role from ${isMe ? 'you' : whom}.`;
  const parts = [
    paragraph(lead),
    ...(admin ? [paragraph('Admins make and remove funds, editors and other admins.')] : []),
    ...(isMe && !admin
      ? [note('Is this a mistake? Please ask an admin.')]
      : [
          button('See the users', throughLogin(publicUrl(), pagePath('users-page', {}))),
          note('Is this a mistake? Please talk to each other: any admin can undo it on this page.'),
        ]),
  ];
  await mailer.send(
    writeLetter({
      ...{ to: reader.email, subject: title, preheader: lead, greeting: 'Hello,', title, parts },
      sender: senderLines(parent, publicUrl()),
      publicUrl: publicUrl(),
      messageKey: `admin-change-${userId}-${Date.parse(at)}-${to}`,
    }),
  );
}
