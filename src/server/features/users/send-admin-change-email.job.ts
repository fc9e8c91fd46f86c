import { z } from 'zod';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { makeEmailSafe } from '#domain/names.ts';
import type { EmailDeps } from '#server/deps.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { button, composeEmail, loginUrl, note, paragraph } from '#server/gateways/email/compose-email.ts';
import { defineJob } from '#server/jobs/define-job.ts';

/** Notifies an admin or the user that the user got or lost the admin role, even if the change has been undone since. */
export const sendAdminChangeEmail = defineJob({
  name: 'send-admin-change-email',
  payload: z.object({
    to: z.string(),
    userId: z.string(),
    admin: z.boolean(),
    changedBy: z.string().nullable(),
    at: z.string(),
  }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { to, userId, admin, changedBy, at }) {
    const findName = async (id: string) => {
      const user = await findUserRow(db.kysely, id);
      return user && (makeEmailSafe(user.display_name) || user.email);
    };
    const [recipient, userName] = [await findUserRow(db.kysely, to), await findName(userId)];
    if (!recipient || !userName) return;
    const author = (changedBy === null ? undefined : await findName(changedBy)) ?? 'The operator of the program';
    const isRecipient = to === userId;
    const title = `${isRecipient ? 'You’re' : `${userName} is`} ${admin ? 'now' : 'no longer'} an admin`;
    const lead = admin
      ? `${author} made ${isRecipient ? 'you' : userName} an admin.`
      : `${author} removed ${isRecipient ? 'you' : userName} as an admin.`;
    const parts = [
      paragraph(lead),
      ...(admin ? [paragraph('Admins can add and remove funds, editors, and other admins.')] : []),
      ...(isRecipient && !admin
        ? [note('If this is a mistake, ask an admin.')]
        : [
            button('See the users', loginUrl(publicUrl(), pagePath('users-page', {}))),
            note('If this is a mistake, any admin can undo it on this page.'),
          ]),
    ];
    const messageKey = `admin-change-${userId}-${Date.parse(at)}-${to}`;
    const envelope = { email: recipient.email, language: DEFAULT_LANGUAGE, parent, publicUrl: publicUrl(), messageKey };
    await mailer.send(composeEmail(envelope, { subject: title, preheader: lead, name: null, title, parts }));
  },
});
