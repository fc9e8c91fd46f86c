import { pagePath } from '#contract/pages.ts';
import type { Picture } from '#contract/schemas/shared.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { shownName } from '#domain/profile.ts';
import type { StoredPhoto } from '#server/db/tables.ts';
import { mediaPath } from '#server/gateways/pictures/pictures.ts';
import type { StoryKind, StoryRow } from './stories.store.ts';

/** The story as the public sees it (§3, the shared profile shape). */
export function presentProfile(row: StoryRow, place: { kind: StoryKind; orgId: string }): Profile {
  const photo = presentPicture(row.photo);
  return {
    id: row.id,
    name: shownName(row.name, row.shown_as),
    story: row.story,
    photoURL: photo?.url ?? null,
    photo,
    profileURL: profilePath(place.kind, place.orgId, row.id),
    createdTimestamp: row.created_at.toISOString(),
  };
}

/** Where a kept picture is served, in each of its widths; the widest is the picture's own address. */
export function presentPicture(photo: StoredPhoto | null): Picture | null {
  const widest = photo?.widths.at(-1);
  if (!photo || widest === undefined) return null;
  return {
    url: mediaPath(photo.key, widest),
    width: photo.width,
    height: photo.height,
    sources: photo.widths.map((width) => ({ url: mediaPath(photo.key, width), width })),
  };
}

export function profilePath(kind: StoryKind, orgid: string, id: string): string {
  switch (kind) {
    case 'offsetter':
      return pagePath('offsetter-page', { orgid, offsetterid: id });
    case 'awardee':
      return pagePath('awardee-page', { orgid, awardeeid: id });
    case 'installer':
      return pagePath('installer-page', { orgid, installerid: id });
  }
}
