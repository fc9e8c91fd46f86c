import type { Readable } from 'node:stream';
import type { CardKind } from '#contract/share-images.ts';
import type { Failure } from '#domain/failures.ts';
import type { StoredPhoto } from '#server/db/tables.ts';

/** What a share card tells: of an organisation, or of one of its stories. */
export type CardFacts = {
  readonly orgId: string;
  readonly orgName: string;
  /** The story it is of; absent on the organisation's own card. */
  readonly story?: { readonly kind: CardKind; readonly id: string };
  /** The tag of the organisation, or the name of whose story it is. */
  readonly title: string;
  /** The story; nothing on the organisation's own card. */
  readonly words: string;
  readonly photo: StoredPhoto | null;
};

export type OpenCard = {
  readonly stream: Readable;
  readonly bytes: number;
  /** The same as long as the card tells the same. */
  readonly tag: string;
};

/** The pictures that go along where a page is shared: drawn when they are first asked for, and kept. */
export type Cards = {
  /**
   * The card that tells just these facts.
   * @returns Failure too-many-requests when many wait to be drawn already
   */
  open(facts: CardFacts): Promise<OpenCard | Failure>;
  /** Takes away the cards of an organisation, as it has changed; without an id, of all. */
  drop(orgId: string | undefined): Promise<void>;
};
