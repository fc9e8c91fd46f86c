import type { Transaction } from 'kysely';
import type { ProfileFields, SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { lockAddress } from '#server/db/address-lock.ts';
import type { StoredPhoto, Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { addStory, type SubmittedStory, storyOfCheckout } from '#server/features/stories/submitted-story.ts';
import { newId } from '#server/ids.ts';
import type { OrgFacts } from '#server/orgs/find-org.ts';
import { ownerOfAddress, type UserFacts, verifiedUser } from '#server/users/find-user.ts';
import { presentSubmitted } from './checkouts.present.ts';
import { type CheckoutKey, type CheckoutRow, changeCheckout, checkoutById, lockedCheckout } from './checkouts.store.ts';
import { offsetterOfBearer } from './payer.ts';
import { profileFailure } from './profile-failure.ts';
import type { ProfileForm } from './profile-form.ts';
import { isCheckoutOver } from './read-checkout.ts';

type Deps = Pick<AppDeps, 'db' | 'pictures' | 'now'>;

/**
 * Makes a paid checkout's profile an offsetter, once: a second try, after a lost answer say, is answered with the
 * offsetter that is there. It belongs to the person who is signed in, or whose proven address it names.
 * @returns Failure checkout-not-found, checkout-not-paid, checkout-over, or what is wrong with a field
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
  const existing = await storyOfCheckout(deps.db.kysely, key.orgId, key.checkoutId);
  if (existing) return presentSubmitted(existing);
  const person = await verifiedUser(deps.db.kysely, actor);
  // Whoever is signed in does not type the address (§2).
  const form = { fields: person ? { ...fields, email: person.email } : fields, photo: sentPhoto };
  const refusal = (await checkoutRefusal(deps, checkout, fields, actor)) ?? profileFailure(form);
  if (refusal) return refusal;
  const photo = sentPhoto ? await deps.pictures.keep(sentPhoto) : null;
  if (photo instanceof Failure) return new Failure(photo.code, { ...photo.details, field: 'file' });
  return publish(deps, org, key, { fields: form.fields, photo, actor, person });
}

async function checkoutRefusal(
  deps: Deps,
  checkout: CheckoutRow,
  { checkoutId, orgid, receipt }: ProfileFields,
  actor: Actor,
): Promise<Failure | undefined> {
  if ((checkoutId ?? checkout.id) !== checkout.id || (orgid ?? checkout.org_id) !== checkout.org_id) {
    return new Failure('invalid-input', { problem: 'The form is for another checkout.', field: 'checkoutId' });
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
  readonly person: UserFacts | undefined;
};

/** Writes the story; a photo that no story came to have is taken away again. */
async function publish(
  deps: Deps,
  org: OrgFacts,
  key: CheckoutKey,
  submission: Submission,
): Promise<SubmittedProfile | Failure> {
  const id = newId();
  let story: SubmittedStory | Failure | undefined;
  try {
    story = await inTransaction(deps.db, (tx) => addOnce(tx, deps, org, { ...key, id }, submission));
    return story instanceof Failure ? story : presentSubmitted(story);
  } finally {
    const isKept = story && !(story instanceof Failure) && story.id === id;
    if (submission.photo && !isKept) await deps.pictures.remove(submission.photo.key);
  }
}

/** Of two at once, the second waits for the checkout, or for the person, and finds the first one's story. */
async function addOnce(
  tx: Transaction<Tables>,
  { now }: Deps,
  org: OrgFacts,
  key: CheckoutKey & { readonly id: string },
  { fields, photo, actor, person }: Submission,
): Promise<SubmittedStory | Failure> {
  const checkout = await lockedCheckout(tx, key);
  if (!checkout || checkout.deleted_at) return new Failure('checkout-not-found');
  const existing = await storyOfCheckout(tx, key.orgId, key.checkoutId);
  if (existing) return existing;
  const email = fields.email.trim();
  await lockAddress(tx, email.toLowerCase());
  if (checkout.offsetter_id !== null || (await offsetterOfBearer(tx, checkout, actor)))
    return new Failure('checkout-over');
  const owner = person ?? (await ownerOfAddress(tx, email));
  const story = await addStory(tx, {
    ...key,
    userId: owner?.userId ?? null,
    email,
    name: fields.name.trim(),
    story: fields.story.trim(),
    photo,
    shownAs: fields.shownAs,
    status: firstStatus(org, fields),
    lastOffsetAt: checkout.paid_at,
    createdAt: now(),
  });
  const payer = checkout.user_id ?? person?.userId ?? null;
  await changeCheckout(tx, key, { completed: true, offsetter_id: key.id, user_id: payer });
  return story;
}

/** Shown at once, unless the organisation reviews stories first or the donor asked not to be shown (decisions §5). */
function firstStatus({ reviewStories }: OrgFacts, { shownAs }: ProfileFields): StoryStatus {
  return reviewStories || shownAs === 'none' ? 'draft' : 'published';
}
