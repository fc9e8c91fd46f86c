import type { FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import { type ProfileFields, profileFields, type SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId } from '#domain/ids.ts';
import type { Actor } from '#domain/permissions.ts';
import { emailFailure, type StoryStatus } from '#domain/profile.ts';
import { type Language, m } from '#messages';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import {
  type CheckoutKey,
  type CheckoutRow,
  changeCheckout,
  findCheckoutRow,
  lockCheckout,
} from '#server/entities/find-checkout.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { findAddressOwner, findVerifiedUser, lockAddress, type UserFacts } from '#server/entities/find-user.ts';
import { saveWithPhoto } from '#server/entities/photos.ts';
import { presentProfile } from '#server/entities/present-profile.ts';
import { findProfileFailure, toTextColumns } from '#server/entities/profile-fields.ts';
import { sendStoryClaimEmail } from '#server/features/stories/claim-story.ts';
import { findOffsetterByCheckout, insertOffsetter, type OffsetterRow } from '#server/features/stories/offsetters.ts';
import { sendStoryEmail } from '#server/features/stories/send-story-email.job.ts';
import { type PhotoForm, readPhotoForm } from '#server/http/photo-form.ts';
import { addField } from '#server/http/problems.ts';
import { findCallerOffsetter, isCreator, isPayer } from './payer.ts';
import { isCheckoutOver, type Visit } from './read-checkout.ts';

type Deps = Pick<AppDeps, 'db' | 'pictures' | 'jobs' | 'now'>;
type ProfileForm = PhotoForm<ProfileFields>;

/** §7 spells this field checkoutid, unlike the form's other fields. Both spellings are accepted. */
const FIELD_ALIASES = { checkoutid: 'checkoutId' };

/**
 * Looks for a submitted profile before the form is read, because reading a form uses memory.
 * @returns the profile, or undefined if the checkout accepts one; Failure checkout-not-found, checkout-not-paid
 */
export async function findSubmittedProfile(
  { db: { kysely } }: Pick<Deps, 'db'>,
  key: CheckoutKey,
): Promise<SubmittedProfile | Failure | undefined> {
  const checkout = await findCheckoutRow(kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const existingStory = await findOffsetterByCheckout(kysely, key.orgId, key.checkoutId);
  if (existingStory) return presentSubmittedProfile(existingStory);
  return checkout.payment_status === 'paid' ? undefined : new Failure('checkout-not-paid');
}

/** @throws Failure unsupported-media-type, invalid-input, photo-too-large, too-many-requests */
export function readProfileForm(request: FastifyRequest): Promise<ProfileForm> {
  return readPhotoForm(request, profileFields, FIELD_ALIASES);
}

/**
 * Creates an offsetter from the profile of a paid checkout. Submitting again, such as after a lost response, returns
 * the existing offsetter. The offsetter belongs to the signed-in user, and the gift only if they are its payer or this
 * browser opened the checkout. If a logged-out visitor submits it with a user's
 * verified email, it belongs only to the payment until that user claims it.
 * @returns Failure checkout-not-found, checkout-not-paid, checkout-over, or for an invalid field
 */
export async function submitProfile(
  deps: Deps,
  { org, checkoutId }: { readonly org: OrgFacts; readonly checkoutId: CheckoutId },
  { fields, photo: photoFile }: ProfileForm,
  { actor, creatorHash, language }: Pick<Visit, 'actor' | 'creatorHash'> & { readonly language: Language },
): Promise<SubmittedProfile | Failure> {
  const key = { orgId: org.id, checkoutId };
  const checkout = await findCheckoutRow(deps.db.kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const existingStory = await findOffsetterByCheckout(deps.db.kysely, key.orgId, key.checkoutId);
  if (existingStory) return presentSubmittedProfile(existingStory);
  const user = await findVerifiedUser(deps.db.kysely, actor);
  // An empty field means the payment's address, which the browser doesn't have.
  const email = user?.email ?? (fields.email.trim() || (checkout.email ?? ''));
  const form = { fields: { ...fields, email }, photo: photoFile };
  const failure = (await checkoutFailure(deps, checkout, fields, actor)) ?? formFailure(form);
  if (failure) return failure;
  return saveWithPhoto(deps, photoFile, async (photo) => {
    const submission = { fields: form.fields, photo: photo ?? null, actor, user, creatorHash, language };
    const story = await inTransaction(deps.db, (tx) => addProfileOnce(tx, deps, org, key, submission));
    if (story instanceof Failure) return story;
    // A concurrent submission won; discard this photo.
    if (photo && story.photo?.key !== photo.key) await deps.pictures.discard(photo.key);
    return presentSubmittedProfile(story);
  });
}

async function checkoutFailure(
  deps: Deps,
  checkout: CheckoutRow,
  { checkoutId, orgid: orgId, receipt }: ProfileFields,
  actor: Actor,
): Promise<Failure | undefined> {
  if (!checkoutId) return new Failure('no-checkout-id', { field: 'checkoutId' });
  if (checkoutId !== checkout.id || (orgId ?? checkout.org_id) !== checkout.org_id) {
    return new Failure('invalid-input', {
      problem: (options) => m.inputOtherCheckout({}, options),
      field: 'checkoutId',
    });
  }
  if (checkout.payment_status !== 'paid') return new Failure('checkout-not-paid');
  return (await isCheckoutOver(deps, checkout, { actor, receiptKey: receipt }))
    ? new Failure('checkout-over')
    : undefined;
}

type Submission = {
  readonly fields: ProfileFields;
  readonly photo: StoredPhoto | null;
  readonly actor: Actor;
  readonly user: UserFacts | undefined;
  readonly creatorHash: string | undefined;
  readonly language: Language;
};

/** Concurrent submissions serialize on the checkout's lock; the second finds the first one's story. */
async function addProfileOnce(
  tx: Transaction<Tables>,
  { now, jobs }: Deps,
  org: OrgFacts,
  key: CheckoutKey,
  { fields, photo, actor, user, creatorHash, language }: Submission,
): Promise<OffsetterRow | Failure> {
  const id = newId();
  const checkout = await lockCheckout(tx, key);
  if (!checkout || checkout.deleted_at) return new Failure('checkout-not-found');
  const existingStory = await findOffsetterByCheckout(tx, key.orgId, key.checkoutId);
  if (existingStory) return existingStory;
  const email = fields.email.trim();
  await lockAddress(tx, email.toLowerCase());
  if (checkout.offsetter_id !== null || (await findCallerOffsetter(tx, checkout, actor)))
    return new Failure('checkout-over');
  // Someone else may have typed the address, so its owner has to claim the story (decisions §4).
  const addressOwner = user ? undefined : await findAddressOwner(tx, email);
  const story = await insertOffsetter(tx, {
    id,
    org_id: key.orgId,
    checkout_id: key.checkoutId,
    user_id: user?.userId ?? null,
    claim: addressOwner ? 'pending' : null,
    email,
    ...toTextColumns(fields),
    language,
    photo: photo && JSON.stringify(photo),
    shown_as: fields.shownAs,
    shows_pounds: fields.showsPounds === 'true',
    shows_homes: fields.showsHomes === 'true',
    status: initialStatus(org, fields),
    last_offset_at: checkout.paid_at,
    created_at: now(),
  });
  const storyRef = { orgId: key.orgId, offsetterId: id };
  if (addressOwner) await jobs.enqueue(tx, sendStoryClaimEmail, storyRef);
  else if (story.status === 'published') await jobs.enqueue(tx, sendStoryEmail, { ...storyRef, changedAt: null });
  // Anyone with the checkout's address can tell its story, but isn't its payer.
  const isOwnGift = user !== undefined && (isPayer(checkout, user) || isCreator(checkout, creatorHash));
  const payer = isOwnGift ? user.userId : null;
  await changeCheckout(tx, key, { completed: true, offsetter_id: id, user_id: checkout.user_id ?? payer });
  return story;
}

/** A story is published right away unless the organization reviews stories or the donor asked not to be shown (decisions §5). */
function initialStatus({ reviewStories }: OrgFacts, { shownAs }: ProfileFields): StoryStatus {
  return reviewStories || shownAs === 'none' ? 'draft' : 'published';
}

/** Finds the first invalid field (§5). */
function formFailure(form: ProfileForm): Failure | undefined {
  const { email, shownAs } = form.fields;
  return addField('email', emailFailure(email)) ?? findProfileFailure(form, { shownAs, hasPhoto: false });
}

function presentSubmittedProfile(story: OffsetterRow): SubmittedProfile {
  return {
    ...presentProfile(story, { kind: 'offsetter', orgId: story.org_id }),
    _id: story.id,
    shownAs: story.shown_as,
    status: story.status,
  };
}
