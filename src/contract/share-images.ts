/** The Open Graph images of organizations and stories. */
export const SHARE_IMAGES_BASE = '/media/cards';

/** Pixels, as Open Graph recommends. */
export const SHARE_IMAGE_SIZE = { width: 1200, height: 630 } as const;

/** Size in pixels of the photo in a story's share image. */
export const SHARE_IMAGE_PHOTO_SIZE = { width: 440, height: 502 } as const;

export const SHARE_IMAGE_KINDS = ['offsetters', 'awardees', 'installers'] as const;
export type ShareImageKind = (typeof SHARE_IMAGE_KINDS)[number];

export function orgShareImagePath(orgid: string): string {
  return `${SHARE_IMAGES_BASE}/${encodeURIComponent(orgid)}.png`;
}

export function storyShareImagePath(orgid: string, kind: ShareImageKind, id: string): string {
  return `${SHARE_IMAGES_BASE}/${encodeURIComponent(orgid)}/${kind}/${encodeURIComponent(id)}.png`;
}
