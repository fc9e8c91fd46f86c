import { isEmail, isStoryShown, shownName } from '#domain/profile.ts';
import type { AppDeps } from '#server/deps.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { profilePath } from '#server/profiles/present-profile.ts';
import { offsetterById } from './offsetters.store.ts';
import { storyMail } from './story-mail.ts';

export type MailStoryDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Tells whoever told a story that it is published, unless that was taken back, or changed, in the moment after it.
 * @throws when the mail was not taken: the job tries again
 */
export async function mailStory(
  { db, parent, publicUrl, mailer }: MailStoryDeps,
  { orgId, offsetterId, changedAt }: JobData['mail-story'],
): Promise<void> {
  const [story, org] = await Promise.all([offsetterById(db.kysely, orgId, offsetterId), findOrg(db, orgId)]);
  if (!story || !org || !isEmail(story.email)) return;
  if (!isStoryShown({ status: story.status, shownAs: story.shown_as })) return;
  if (story.changed_at?.toISOString() !== changedAt) return;
  await mailer.send(
    storyMail({
      email: story.email,
      name: shownName(story.name, story.shown_as),
      orgName: org.name,
      link: `${publicUrl()}${profilePath('offsetter', orgId, offsetterId)}`,
      parent,
      publicUrl: publicUrl(),
      messageKey: `story-${offsetterId}-${Date.parse(changedAt)}`,
    }),
  );
}
