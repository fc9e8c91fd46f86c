import type { ShareImageKind } from '#contract/share-images.ts';
import type { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';

/** The content of a share image for an organization or one of its stories. */
export type ShareImageFacts = {
  readonly orgId: OrgId;
  readonly orgName: string;
  /** Absent for the organization's own image. */
  readonly story?: { readonly kind: ShareImageKind; readonly id: string };
  /** The organization's tag or, for a story, the person's name. */
  readonly title: string;
  /** The story; empty for the organization's own image. */
  readonly storyText: string;
  readonly photo: StoredPhoto | null;
};

/** @property tag identifies the content */
export type ShareImage = { readonly png: Buffer; readonly tag: string };

/** Provides Open Graph images, which are drawn on first request and then cached. */
export type ShareImages = {
  /** @returns Failure too-many-requests if the queue is full */
  open(facts: ShareImageFacts): Promise<ShareImage | Failure>;
};
