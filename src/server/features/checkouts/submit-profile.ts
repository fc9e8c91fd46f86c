import type { FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import { type ProfileFields, profileFields, type SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import { emailFailure, type StoryStatus } from '#domain/profile.ts';
import { m } from '#messages';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { isUnavailable, onceAvailable } from '#server/db/unavailable.ts';
import type { AppDeps } from '#server/deps.ts';
import {
  type CheckoutKey,
  type CheckoutRow,
  changeCheckout,
  checkoutById,
  lockedCheckout,
} from '#server/entities/find-checkout.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { lockAddress, ownerOfAddress, type UserFacts, verifiedUser } from '#server/entities/find-user.ts';
import { presentProfile } from '#server/entities/present-profile.ts';
import { profileFailure, textColumns } from '#server/entities/profile-fields.ts';
import { sendStoryClaimEmail } from '#server/features/stories/claim-story.ts';
import { insertOffsetter, type OffsetterRow, offsetterOfCheckout } from '#server/features/stories/offsetters.ts';
import { sendStoryEmail } from '#server/features/stories/send-story-email.job.ts';
import { type PhotoForm, readPhotoForm } from '#server/http/photo-form.ts';
import { aboutField } from '#server/http/problems.ts';
import { offsetterOfCaller } from './payer.ts';
import { isCheckoutOver } from './read-checkout.ts';

type Deps = Pick<AppDeps, 'db' | 'pictures' | 'jobs' | 'now'>;
type ProfileForm = PhotoForm<ProfileFields>;

/** §7 spells it checkoutid, unlike the form's other fields: both spellings are accepted. */
const OTHER_NAMES = { checkoutid: 'checkoutId' };

/**
 * Looked up before a form is read, which costs room: only a paid checkout takes one.
 * @returns the story if there is one; Failure checkout-not-found, checkout-not-paid
 */
export async function answerWithoutForm(
  { db: { kysely } }: Pick<Deps, 'db'>,
  key: CheckoutKey,
): Promise<SubmittedProfile | Failure | undefined> {
  const checkout = await checkoutById(kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const existing = await offsetterOfCheckout(kysely, key.orgId, key.checkoutId);
  if (existing) return presentSubmitted(existing);
  return checkout.payment_status === 'paid' ? undefined : new Failure('checkout-not-paid');
}

/** @throws Failure unsupported-media-type, invalid-input, photo-too-large, too-many-requests */
export function readProfileForm(request: FastifyRequest): Promise<ProfileForm> {
  return readPhotoForm(request, profileFields, OTHER_NAMES);
}

/**
 * Makes the profile of a paid checkout an offsetter. Submitting again, say after a lost answer, returns the existing
 * one. It belongs to the signed-in user. Sent while logged out with an address that a user has proven, it belongs to the
 * payment alone until that user says whose it is.
 * @returns Failure checkout-not-found, checkout-not-paid, checkout-over, or for an invalid field
 */
export async function submitProfile(
  deps: Deps,
  { org, checkoutId }: { readonly org: OrgFacts; readonly checkoutId: string },
  { fields, photo: sentPhoto }: ProfileForm,
  actor: Actor,
): Promise<SubmittedProfile | Failure> {
  const key = { orgId: org.id, checkoutId };
  const checkout = await checkoutById(deps.db.kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const existing = await offsetterOfCheckout(deps.db.kysely, key.orgId, key.checkoutId);
  if (existing) return presentSubmitted(existing);
  const user = await verifiedUser(deps.db.kysely, actor);
  // Signed-in users do not type their email (§2).
  const form = { fields: user ? { ...fields, email: user.email } : fields, photo: sentPhoto };
  const refusal = (await checkoutRefusal(deps, checkout, fields, actor)) ?? formFailure(form);
  if (refusal) return refusal;
  const photo = sentPhoto ? await deps.pictures.store(sentPhoto) : null;
  if (photo instanceof Failure) return new Failure(photo.code, { ...photo.details, field: 'file' });
  return publish(deps, org, key, { fields: form.fields, photo, actor, user });
}

async function checkoutRefusal(
  deps: Deps,
  checkout: CheckoutRow,
  { checkoutId, orgid, receipt }: ProfileFields,
  actor: Actor,
): Promise<Failure | undefined> {
  if (!checkoutId) return new Failure('no-checkout-id', { field: 'checkoutId' });
  if (checkoutId !== checkout.id || (orgid ?? checkout.org_id) !== checkout.org_id) {
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
};

/** Saves the story; if that fails, the photo is deleted again. */
async function publish(
  deps: Deps,
  org: OrgFacts,
  key: CheckoutKey,
  submission: Submission,
): Promise<SubmittedProfile | Failure> {
  const id = newId();
  const { photo } = submission;
  const discardUnused = async () => {
    const kept = photo && (await offsetterOfCheckout(deps.db.kysely, key.orgId, key.checkoutId));
    if (photo && kept?.id !== id) await deps.pictures.discard(photo.key);
  };
  try {
    const story = await inTransaction(deps.db, (tx) => addOnce(tx, deps, org, { ...key, id }, submission));
    if (story instanceof Failure || story.id !== id) await discardUnused();
    return story instanceof Failure ? story : presentSubmitted(story);
  } catch (error) {
    // It may have been saved, which is known once the database is back.
    if (isUnavailable(error)) void onceAvailable(discardUnused).catch(() => undefined);
    else await discardUnused();
    throw error;
  }
}

/** Of two at once, the second waits for the lock and finds the first one's story. */
async function addOnce(
  tx: Transaction<Tables>,
  { now, jobs }: Deps,
  org: OrgFacts,
  key: CheckoutKey & { readonly id: string },
  { fields, photo, actor, user }: Submission,
): Promise<OffsetterRow | Failure> {
  const checkout = await lockedCheckout(tx, key);
  if (!checkout || checkout.deleted_at) return new Failure('checkout-not-found');
  const existing = await offsetterOfCheckout(tx, key.orgId, key.checkoutId);
  if (existing) return existing;
  const email = fields.email.trim();
  await lockAddress(tx, email.toLowerCase());
  if (checkout.offsetter_id !== null || (await offsetterOfCaller(tx, checkout, actor)))
    return new Failure('checkout-over');
  // The one who typed it may not be its owner, who is asked (decisions §4).
  const asked = user ? undefined : await ownerOfAddress(tx, email);
  const story = await insertOffsetter(tx, {
    id: key.id,
    org_id: key.orgId,
    checkout_id: key.checkoutId,
    user_id: user?.userId ?? null,
    claim: asked ? 'asked' : null,
    email,
    ...textColumns(fields),
    photo: photo && JSON.stringify(photo),
    shown_as: fields.shownAs,
    shows_pounds: fields.showsPounds === 'true',
    shows_homes: fields.showsHomes === 'true',
    status: firstStatus(org, fields),
    last_offset_at: checkout.paid_at,
    created_at: now(),
  });
  const mailed = { orgId: key.orgId, offsetterId: key.id };
  if (asked) await jobs.enqueue(tx, sendStoryClaimEmail, mailed);
  else if (story.status === 'published') await jobs.enqueue(tx, sendStoryEmail, { ...mailed, changedAt: null });
  const payer = checkout.user_id ?? user?.userId ?? null;
  await changeCheckout(tx, key, { completed: true, offsetter_id: key.id, user_id: payer });
  return story;
}

/** Published right away, unless the organization reviews stories or the donor asked not to be shown (decisions §5). */
function firstStatus({ reviewStories }: OrgFacts, { shownAs }: ProfileFields): StoryStatus {
  return reviewStories || shownAs === 'none' ? 'draft' : 'published';
}

/** The first invalid field (§5). */
function formFailure(form: ProfileForm): Failure | undefined {
  const { email, shownAs } = form.fields;
  return aboutField('email', emailFailure(email)) ?? profileFailure(form, { shownAs, hasPhoto: false });
}

function presentSubmitted(story: OffsetterRow): SubmittedProfile {
  return {
    ...presentProfile(story, { kind: 'offsetter', orgId: story.org_id }),
    _id: story.id,
    shownAs: story.shown_as,
    status: story.status,
  };
}
