import { isEmail, isStoryShown, shownName } from '#domain/profile.ts';
import type { AppDeps, Parent } from '#server/deps.ts';
import { button, greetingTo, note, paragraph, senderLines, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { profilePath } from '#server/profiles/present-profile.ts';
import { offsetterById } from './offsetters.store.ts';

export type MailStoryDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Mails the author of a story that went live, unless it is hidden again, or was changed after an editor published it.
 * @throws when the mail server refuses it, so that the job is retried
 */
export async function mailStory(
  { db, parent, publicUrl, mailer }: MailStoryDeps,
  { orgId, offsetterId, changedAt }: JobData['mail-story'],
): Promise<void> {
  const [story, org] = await Promise.all([offsetterById(db.kysely, orgId, offsetterId), findOrg(db, orgId)]);
  if (!story || !org || !isEmail(story.email)) return;
  // The owner of its address may not have sent it, and is asked by another mail.
  if (story.claim === 'asked') return;
  if (!isStoryShown({ status: story.status, shownAs: story.shown_as })) return;
  if (changedAt !== null && story.changed_at?.toISOString() !== changedAt) return;
  const link = `${publicUrl()}${profilePath('offsetter', orgId, offsetterId)}`;
  await mailer.send(
    storyMail({
      email: story.email,
      name: shownName(story.name, story.shown_as),
      orgName: org.name,
      link,
      parent,
      publicUrl: publicUrl(),
      messageKey: `story-${offsetterId}-${changedAt === null ? 'new' : Date.parse(changedAt)}`,
    }),
  );
}

type StoryMail = {
  readonly email: string;
  readonly name: string;
  readonly orgName: string;
  readonly link: string;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
};

function storyMail({ email, name, orgName, link, parent, publicUrl, messageKey }: StoryMail): Mail {
  return writeLetter({
    to: email,
    subject: `Your story is live at ${orgName}`,
    preheader: 'Everyone can read it now.',
    greeting: greetingTo(name),
    title: 'Your story is live',
    parts: [
      paragraph(`Thank you for sharing why you gave. Your story is now on the Offsetters page of ${orgName}.`),
      button('Read your story', link),
      paragraph(`To share it, send this address to friends and neighbors: ${link}`),
      note('To edit or hide it, log in with this email address and open “My profile”.'),
    ],
    sender: senderLines(parent, publicUrl),
    publicUrl,
    messageKey,
  });
}
