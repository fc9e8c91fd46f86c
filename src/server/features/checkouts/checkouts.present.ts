import type { Checkout, SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { dollarsOf } from '#domain/money.ts';
import type { SubmittedStory } from '#server/features/stories/submitted-story.ts';
import { presentProfile, profilePath } from '#server/profiles/present-profile.ts';
import type { CheckoutRow } from './checkouts.store.ts';

export type ToldStory = {
  readonly story: SubmittedStory;
  /** Its submitter, or its owner, may see it while it waits for an editor (decisions §5). */
  readonly draftIsShown: boolean;
};

/** What anyone who holds a checkout's id may know of it; who paid stays inside (decisions §6). */
export function presentCheckout(
  checkout: CheckoutRow,
  { over, told }: { over: boolean; told: ToldStory | undefined },
): Checkout {
  const { org_id: orgId, payment_status } = checkout;
  const story = told?.story;
  const canBeSeen = story?.status === 'published' && story.shown_as !== 'none';
  // One that asked not to be shown is a draft too, but waits for nobody.
  const awaitsEditor = told?.draftIsShown && story?.status === 'draft' && story.shown_as !== 'none';
  return {
    id: checkout.id,
    paymentStatus: payment_status,
    completed: checkout.completed,
    over: over || story !== undefined,
    cart: checkout.cart,
    total: dollarsOf(checkout.total_cents),
    paymentURL: payment_status === 'unpaid' ? checkout.payment_url : null,
    offsetterURL: canBeSeen ? profilePath('offsetter', orgId, story.id) : null,
    draft: awaitsEditor ? presentProfile(story, { kind: 'offsetter', orgId }) : null,
    createdTimestamp: checkout.created_at.toISOString(),
  };
}

export function presentSubmitted(story: SubmittedStory): SubmittedProfile {
  return {
    ...presentProfile(story, { kind: 'offsetter', orgId: story.org_id }),
    _id: story.id,
    shownAs: story.shown_as,
    status: story.status,
  };
}
