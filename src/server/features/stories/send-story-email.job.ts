import { z } from 'zod';
import { localizeAddress } from '#contract/languages.ts';
import { formatPublicName, isEmail, isStoryShown } from '#domain/profile.ts';
import { m } from '#messages';
import type { EmailDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { getProfilePath } from '#server/entities/present-profile.ts';
import { button, composeEmail, type Envelope, note, paragraph } from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { findAuthorLanguage, findOffsetter } from './offsetters.store.ts';

/** Emails the author of a published story, unless it was hidden or changed after an editor published it. */
export const sendStoryEmail = defineJob({
  name: 'send-story-email',
  payload: z.object({ orgId: z.string(), offsetterId: z.string(), changedAt: z.string().nullable() }),
  // Give the editor time to undo a publication.
  delaySeconds: 30,
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { orgId, offsetterId, changedAt }) {
    const [story, org] = await Promise.all([findOffsetter(db.kysely, orgId, offsetterId), findOrg(db, orgId)]);
    if (!story || !org || !isEmail(story.email)) return;
    // Another email asks the owner of the address whether the story is theirs.
    if (story.claim === 'pending') return;
    if (!isStoryShown({ status: story.status, shownAs: story.shown_as })) return;
    if (changedAt !== null && story.changed_at?.toISOString() !== changedAt) return;
    const language = await findAuthorLanguage(db.kysely, orgId, offsetterId);
    const link = publicUrl() + localizeAddress(getProfilePath('offsetter', orgId, offsetterId), language);
    await mailer.send(
      storyEmail({
        language,
        email: story.email,
        name: formatPublicName(story.name, story.shown_as),
        orgName: org.name,
        link,
        parent,
        publicUrl: publicUrl(),
        messageKey: `story-${offsetterId}-${changedAt === null ? 'new' : Date.parse(changedAt)}`,
      }),
    );
  },
});

type StoryEmail = Envelope & { readonly name: string; readonly orgName: string; readonly link: string };

export function storyEmail(details: StoryEmail): Email {
  const { language, name, orgName: org, link } = details;
  const options = { locale: language };
  return composeEmail(details, {
    subject: m.emailStorySubject({ org }, options),
    preheader: m.emailStoryPreview({}, options),
    name,
    title: m.emailStoryTitle({}, options),
    parts: [
      paragraph(m.emailStoryThanks({ org }, options)),
      button(m.emailStoryRead({}, options), link),
      paragraph(m.emailStoryShare({}, options)),
      note(m.emailStoryEdit({}, options)),
    ],
  });
}
