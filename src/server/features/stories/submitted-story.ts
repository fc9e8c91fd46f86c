import type { Kysely, Transaction } from 'kysely';
import type { ShownAs, StoryStatus } from '#domain/profile.ts';
import type { StoredPhoto, Tables } from '#server/db/tables.ts';
import { insertOffsetter, type OffsetterRow, offsetterOfCheckout } from './offsetters.store.ts';

/** The story that a donor told after paying, whether it is shown or not. */
export type SubmittedStory = OffsetterRow;

export type NewStory = {
  readonly id: string;
  readonly orgId: string;
  readonly checkoutId: string;
  /** Whose it is, where that is proven. */
  readonly userId: string | null;
  readonly email: string;
  readonly name: string;
  readonly story: string;
  readonly photo: StoredPhoto | null;
  readonly shownAs: ShownAs;
  readonly status: StoryStatus;
  /** When the gift was given that the story is about. */
  readonly lastOffsetAt: Date | null;
  readonly createdAt: Date;
};

export function storyOfCheckout(
  db: Kysely<Tables>,
  orgId: string,
  checkoutId: string,
): Promise<SubmittedStory | undefined> {
  return offsetterOfCheckout(db, orgId, checkoutId);
}

/** Adds the story of a checkout, which has one at most. */
export function addStory(tx: Transaction<Tables>, story: NewStory): Promise<SubmittedStory> {
  return insertOffsetter(tx, {
    id: story.id,
    org_id: story.orgId,
    checkout_id: story.checkoutId,
    user_id: story.userId,
    email: story.email,
    name: story.name,
    story: story.story,
    photo: story.photo && JSON.stringify(story.photo),
    shown_as: story.shownAs,
    status: story.status,
    last_offset_at: story.lastOffsetAt,
    created_at: story.createdAt,
  });
}
