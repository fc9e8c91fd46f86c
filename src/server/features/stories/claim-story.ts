import { z } from 'zod';
import { FIRST_LANGUAGE } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { OwnOffsetter } from '#contract/schemas/users.ts';
import { firstCharacters } from '#domain/characters.ts';
import { Failure } from '#domain/failures.ts';
import type { Subject } from '#domain/permissions.ts';
import { isEmail, STORY_PREVIEW, storyPreview } from '#domain/profile.ts';
import { printable, textFailure } from '#domain/safe-text.ts';
import { type InLanguage, type Language, m } from '#messages';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps, Parent } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { ownerOfAddress, type UserFacts, userById } from '#server/entities/find-user.ts';
import { recordClaim } from '#server/features/activity/record-activity.ts';
import { peopleWhoMay } from '#server/features/editors/read-editors.ts';
import {
  button,
  greetingTo,
  type LetterPart,
  note,
  paragraph,
  quotation,
  senderLines,
  throughLogin,
  writeLetter,
} from '#server/gateways/mail/letter.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { askedStoriesOf, changeOffsetter, lockedOffsetter, offsetterById } from './offsetters.store.ts';
import { type OffsetterKey, presentOwn } from './offsetters.ts';
import type { MailStoryDeps } from './send-story-email.job.ts';

/** The stories about which the caller is asked whose they are (decisions §4). */
export async function readAskedStories({ kysely }: Database, { email }: UserFacts): Promise<OwnOffsetter[]> {
  return (await askedStoriesOf(kysely, email)).map(presentOwn);
}

/** As the permission table sees it: owned by the owner of its address, if that is asked. */
export async function claimSubject({ kysely }: Database, { orgId, id }: OffsetterKey): Promise<Subject> {
  const story = await offsetterById(kysely, orgId, id);
  const owner = story?.claim === 'asked' ? await ownerOfAddress(kysely, story.email) : undefined;
  return { orgId, ownerId: owner?.userId };
}

/**
 * The owner of a proven address says whether a story that somebody sent with it while logged out is theirs. If it is, they
 * own it from now on. If not, the address is taken off it, and those who look after stories are told.
 * @param answer `client` is an IP address
 * @returns Failure offsetter-not-found if nobody is asked any more
 */
export async function answerClaim(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  { orgId, id }: OffsetterKey,
  { isMine, client }: { readonly isMine: boolean; readonly client: string },
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const story = await lockedOffsetter(tx, orgId, id);
    const owner = story?.claim === 'asked' ? await ownerOfAddress(tx, story.email) : undefined;
    if (!owner) return new Failure('offsetter-not-found');
    await changeOffsetter(
      tx,
      { orgId, id },
      isMine ? { user_id: owner.userId, claim: null } : { email: '', claim: 'refused' },
    );
    await recordClaim(tx, { orgId, userId: owner.userId, client, isMine });
    const told = isMine ? [] : await peopleWhoMay(tx, orgId, 'stories.edit');
    const mails = told.map((userId) => ({ orgId, offsetterId: id, userId }));
    await jobs.enqueueAll(tx, sendRefusedStoryEmail, mails);
    return {};
  });
}

/** Asks the owner of an address whether a story is theirs, unless they have answered. */
export const sendStoryClaimEmail = defineJob({
  name: 'send-story-claim-email',
  payload: z.object({ orgId: z.string(), offsetterId: z.string() }),
  async run({ db, parent, publicUrl, mailer }: MailStoryDeps, { orgId, offsetterId }) {
    const [story, org] = await Promise.all([offsetterById(db.kysely, orgId, offsetterId), findOrg(db, orgId)]);
    if (story?.claim !== 'asked' || !org || !isEmail(story.email)) return;
    const owner = await ownerOfAddress(db.kysely, story.email);
    const mail = {
      story,
      orgName: org.name,
      language: owner?.language ?? FIRST_LANGUAGE,
      parent,
      publicUrl: publicUrl(),
    };
    await mailer.send(claimMail({ ...mail, messageKey: `story-claim-${offsetterId}` }));
  },
});

type ClaimMail = {
  readonly story: { readonly email: string; readonly story: string };
  readonly orgName: string;
  readonly language: Language;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
};

export function claimMail({ story, orgName: org, language, parent, publicUrl, messageKey }: ClaimMail): Mail {
  const options = { locale: language };
  return writeLetter({
    language,
    to: story.email,
    subject: m.mailClaimSubject({ org }, options),
    preheader: m.mailClaimPreview({}, options),
    greeting: greetingTo(null, language),
    title: m.claimTitle({}, options),
    parts: [
      ...sentStory(org, story.story, options),
      button(m.mailClaimButton({}, options), throughLogin(publicUrl, pagePath('user-home-page', {}), language)),
      note(m.mailClaimHelp({}, options)),
    ],
    sender: senderLines(parent, publicUrl, language),
    publicUrl,
    messageKey,
  });
}

/** A story can be anybody’s words, for any address: what could lure its owner somewhere is not quoted. */
function sentStory(org: string, story: string, options: InLanguage): LetterPart[] {
  // Also where the preview leaves out the word it would end in.
  const start = printable(firstCharacters(story, STORY_PREVIEW));
  return textFailure(start) === undefined
    ? [paragraph(m.mailClaimQuoted({ org }, options)), quotation(printable(storyPreview(story)))]
    : [paragraph(m.mailClaimUnquoted({ org }, options))];
}

/** Emails an editor that a story isn't by the owner of its address. */
export const sendRefusedStoryEmail = defineJob({
  name: 'send-refused-story-email',
  payload: z.object({ orgId: z.string(), offsetterId: z.string(), userId: z.string() }),
  async run({ db, parent, publicUrl, mailer }: MailStoryDeps, { orgId, offsetterId, userId }) {
    const [story, org, editor] = await Promise.all([
      offsetterById(db.kysely, orgId, offsetterId),
      findOrg(db, orgId),
      userById(db.kysely, userId),
    ]);
    if (!story || !org || !editor) return;
    await mailer.send(
      writeLetter({
        to: editor.email,
        subject: `A story at ${org.name} is not by the owner of its address`,
        preheader: 'Please look at it.',
        greeting: 'Hello,',
        title: 'Please look at a story',
        parts: [
          paragraph(
            `A story at ${org.name} was sent with somebody else’s email address. Its owner says that it is not theirs, so the address was taken off it. The payment is real, and the story stays as it is until you decide.`,
          ),
          button('Look at the stories', `${publicUrl()}${pagePath('review-page', { orgid: orgId })}`),
        ],
        sender: senderLines(parent, publicUrl()),
        publicUrl: publicUrl(),
        messageKey: `story-refused-${offsetterId}-${userId}`,
      }),
    );
  },
});
