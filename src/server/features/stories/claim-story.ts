import { z } from 'zod';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { UserOffsetter } from '#contract/schemas/users.ts';
import { takeCharacters } from '#domain/characters.ts';
import { Failure } from '#domain/failures.ts';
import type { Subject } from '#domain/permissions.ts';
import { isEmail } from '#domain/profile.ts';
import { makePrintable, textFailure } from '#domain/safe-text.ts';
import { previewStory, STORY_PREVIEW_LENGTH } from '#domain/story-preview.ts';
import { type InLanguage, m } from '#messages';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps, EmailDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { findAddressOwner, findUserRow, type UserFacts } from '#server/entities/find-user.ts';
import { recordClaim } from '#server/features/activity/record-activity.ts';
import { listUserIdsWithPermission } from '#server/features/editors/read-editors.ts';
import {
  button,
  composeEmail,
  type EmailPart,
  type Envelope,
  loginUrl,
  note,
  paragraph,
  quotation,
} from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { changeOffsetter, findOffsetter, listUnclaimedStories, lockOffsetter } from './offsetters.store.ts';
import { type OffsetterKey, presentOwnOffsetter } from './offsetters.ts';

/** Reads stories for which the caller hasn't answered "Is this yours?" (decisions §4). */
export async function readUnclaimedStories({ kysely }: Database, { email }: UserFacts): Promise<UserOffsetter[]> {
  return (await listUnclaimedStories(kysely, email)).map(presentOwnOffsetter);
}

/** Finds the permission subject of a claim: an unclaimed story belongs to the owner of its address. */
export async function findClaimSubject({ kysely }: Database, { orgId, id }: OffsetterKey): Promise<Subject> {
  const story = await findOffsetter(kysely, orgId, id);
  const owner = story?.claim === 'pending' ? await findAddressOwner(kysely, story.email) : undefined;
  return { orgId, ownerId: owner?.userId };
}

/**
 * Claims or declines a story that was submitted with the owner's address while logged out. A claimed story becomes the
 * owner's. The address is removed from a declined story, and everyone who can edit stories gets an email.
 * @param resolution `client` is an IP address
 * @returns Failure offsetter-not-found if the story has no pending claim
 */
export async function resolveClaim(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  { orgId, id }: OffsetterKey,
  { isAccepted, client }: { readonly isAccepted: boolean; readonly client: string },
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const story = await lockOffsetter(tx, orgId, id);
    const owner = story?.claim === 'pending' ? await findAddressOwner(tx, story.email) : undefined;
    if (!owner) return new Failure('offsetter-not-found');
    await changeOffsetter(
      tx,
      { orgId, id },
      isAccepted ? { user_id: owner.userId, claim: null } : { email: '', claim: 'declined' },
    );
    await recordClaim(tx, { orgId, userId: owner.userId, ipAddress: client, isAccepted });
    const recipients = isAccepted ? [] : await listUserIdsWithPermission(tx, orgId, 'stories.edit');
    const emails = recipients.map((userId) => ({ orgId, offsetterId: id, userId }));
    await jobs.enqueueAll(tx, sendDeclinedStoryEmail, emails);
    return {};
  });
}

/** Asks the owner of an address whether a story is theirs, unless they have already answered. */
export const sendStoryClaimEmail = defineJob({
  name: 'send-story-claim-email',
  payload: z.object({ orgId: z.string(), offsetterId: z.string() }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { orgId, offsetterId }) {
    const [story, org] = await Promise.all([findOffsetter(db.kysely, orgId, offsetterId), findOrg(db, orgId)]);
    if (story?.claim !== 'pending' || !org || !isEmail(story.email)) return;
    const owner = await findAddressOwner(db.kysely, story.email);
    await mailer.send(
      claimEmail({
        email: story.email,
        language: owner?.language ?? DEFAULT_LANGUAGE,
        parent,
        publicUrl: publicUrl(),
        messageKey: `story-claim-${offsetterId}`,
        orgName: org.name,
        story: story.story,
      }),
    );
  },
});

type ClaimEmail = Envelope & { readonly orgName: string; readonly story: string };

export function claimEmail(details: ClaimEmail): Email {
  const { language, publicUrl, orgName: org, story } = details;
  const options = { locale: language };
  return composeEmail(details, {
    subject: m.emailClaimSubject({ org }, options),
    preheader: m.emailClaimPreview({}, options),
    name: null,
    title: m.claimTitle({}, options),
    parts: [
      ...quoteStory(org, story, options),
      button(m.emailClaimButton({}, options), loginUrl(publicUrl, pagePath('user-home-page', {}), language)),
      note(m.emailClaimHelp({}, options)),
    ],
  });
}

/** Quotes the story unless it could be phishing, because anyone can submit a story with any address. */
function quoteStory(org: string, story: string, options: InLanguage): EmailPart[] {
  const start = makePrintable(takeCharacters(story, STORY_PREVIEW_LENGTH));
  return textFailure(start) === undefined
    ? [paragraph(m.emailClaimQuoted({ org }, options)), quotation(makePrintable(previewStory(story)))]
    : [paragraph(m.emailClaimUnquoted({ org }, options))];
}

/** Emails an editor about a story that the owner of its address declined. */
export const sendDeclinedStoryEmail = defineJob({
  name: 'send-declined-story-email',
  payload: z.object({ orgId: z.string(), offsetterId: z.string(), userId: z.string() }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { orgId, offsetterId, userId }) {
    const [story, org, editor] = await Promise.all([
      findOffsetter(db.kysely, orgId, offsetterId),
      findOrg(db, orgId),
      findUserRow(db.kysely, userId),
    ]);
    if (!story || !org || !editor) return;
    const messageKey = `story-declined-${offsetterId}-${userId}`;
    const envelope = { email: editor.email, language: DEFAULT_LANGUAGE, parent, publicUrl: publicUrl(), messageKey };
    await mailer.send(
      composeEmail(envelope, {
        subject: `A story at ${org.name} has someone else’s email address`,
        preheader: 'Please review it.',
        name: null,
        title: 'Please review a story',
        parts: [
          paragraph(
            `A story at ${org.name} was submitted with someone else’s email address. The owner of the address said that the story isn’t theirs, so we removed the address. The payment is real, and the story stays as it is until you decide.`,
          ),
          button('Review stories', `${publicUrl()}${pagePath('review-page', { orgid: orgId })}`),
        ],
      }),
    );
  },
});
