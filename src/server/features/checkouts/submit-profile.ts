import type { Transaction } from 'kysely';
import type { ProfileFields, SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { Failure } from '#domain/failures.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { StoredPhoto, Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { findOrg, type OrgFacts } from '#server/features/orgs/read-orgs.ts';
import { addStory, type SubmittedStory, storyOfCheckout } from '#server/features/stories/submitted-story.ts';
import { newId } from '#server/ids.ts';
import { presentSubmitted } from './checkouts.present.ts';
import { type CheckoutKey, type CheckoutRow, changeCheckout, checkoutById, lockedCheckout } from './checkouts.store.ts';
import { profileFailure } from './profile-failure.ts';
import type { ProfileForm } from './profile-form.ts';
import { isCheckoutOver } from './read-checkout.ts';

type Deps = Pick<AppDeps, 'db' | 'pictures' | 'now'>;

/**
 * Makes a paid checkout's profile an offsetter, once: a second try, after a lost answer say, is answered with the
 * offsetter that is there.
 * @returns Failure org-not-found, checkout-not-found, checkout-not-paid, checkout-over, or what is wrong with a field
 */
export async function submitProfile(
  deps: Deps,
  key: CheckoutKey,
  form: ProfileForm,
): Promise<SubmittedProfile | Failure> {
  const org = await findOrg(deps.db, key.orgId);
  if (!org) return new Failure('org-not-found');
  const checkout = await checkoutById(deps.db.kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const existing = await storyOfCheckout(deps.db.kysely, key.orgId, key.checkoutId);
  if (existing) return presentSubmitted(existing);
  const refusal = (await checkoutRefusal(deps, checkout, form.fields)) ?? profileFailure(form);
  if (refusal) return refusal;
  const photo = form.photo ? await deps.pictures.keep(form.photo) : null;
  if (photo instanceof Failure) return new Failure(photo.code, { ...photo.details, field: 'file' });
  return publish(deps, org, key, form.fields, photo);
}

async function checkoutRefusal(
  deps: Deps,
  checkout: CheckoutRow,
  { checkoutId, orgid, receipt }: ProfileFields,
): Promise<Failure | undefined> {
  if ((checkoutId ?? checkout.id) !== checkout.id || (orgid ?? checkout.org_id) !== checkout.org_id) {
    return new Failure('invalid-input', { problem: 'The form is for another checkout.', field: 'checkoutId' });
  }
  if (checkout.payment_status !== 'paid') return new Failure('checkout-not-paid');
  return (await isCheckoutOver(deps, checkout, receipt)) ? new Failure('checkout-over') : undefined;
}

/** Writes the story; a photo that no story came to have is taken away again. */
async function publish(
  deps: Deps,
  org: OrgFacts,
  key: CheckoutKey,
  fields: ProfileFields,
  photo: StoredPhoto | null,
): Promise<SubmittedProfile> {
  const id = newId();
  let story: SubmittedStory | undefined;
  try {
    story = await inTransaction(deps.db, (tx) => addOnce(tx, deps, org, key, { id, fields, photo }));
    return presentSubmitted(story);
  } finally {
    if (photo && story?.id !== id) await deps.pictures.remove(photo.key);
  }
}

type Submission = { readonly id: string; readonly fields: ProfileFields; readonly photo: StoredPhoto | null };

/** Of two at once, the second waits for the checkout and finds the first one's story. */
async function addOnce(
  tx: Transaction<Tables>,
  { now }: Deps,
  org: OrgFacts,
  key: CheckoutKey,
  { id, fields, photo }: Submission,
): Promise<SubmittedStory> {
  const checkout = await lockedCheckout(tx, key);
  const existing = await storyOfCheckout(tx, key.orgId, key.checkoutId);
  if (existing) return existing;
  const story = await addStory(tx, {
    ...key,
    id,
    email: fields.email.trim(),
    name: fields.name.trim(),
    story: fields.story.trim(),
    photo,
    shownAs: fields.shownAs,
    status: firstStatus(org, fields),
    lastOffsetAt: checkout?.paid_at ?? null,
    createdAt: now(),
  });
  await changeCheckout(tx, key, { completed: true, offsetter_id: id });
  return story;
}

/** Shown at once, unless the organisation reviews stories first or the donor asked not to be shown (decisions §5). */
function firstStatus({ reviewStories }: OrgFacts, { shownAs }: ProfileFields): StoryStatus {
  return reviewStories || shownAs === 'none' ? 'draft' : 'published';
}
