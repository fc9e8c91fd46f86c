import { pagePath } from '#contract/pages.ts';
import type { Picture } from '#contract/schemas/shared.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import type { OrgId } from '#domain/ids.ts';
import { formatPublicName, isStoryShown } from '#domain/profile.ts';
import { detectStoryLanguage } from '#domain/story-language.ts';
import { LANGUAGES } from '#messages';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { mediaPath } from '#server/gateways/pictures/pictures.ts';
import { presentTexts, type StoryRow } from './profile-fields.ts';

/** The three kinds of stories on a site (§3, the shared profile shape). */
export type StoryKind = 'offsetter' | 'awardee' | 'installer';

/** A profile with its organization, which only some responses include. */
export type OrgProfile = Profile & { readonly orgId: OrgId };

/** A story as the public sees it. */
export function presentProfile(row: StoryRow, { kind, orgId }: { kind: StoryKind; orgId: OrgId }): OrgProfile {
  const photo = presentPhoto(row);
  const texts = presentTexts(row);
  return {
    id: row.id,
    orgId,
    ...texts,
    name: formatPublicName(texts.name, row.shown_as),
    language: detectStoryLanguage(texts.story) ?? LANGUAGES.find((language) => language === row.language),
    photoURL: photo?.url ?? null,
    photo,
    profileURL: getProfilePath(kind, orgId, row.id),
    createdTimestamp: row.created_at.toISOString(),
  };
}

/** A story's photo. While the story is hidden, the photo's URL includes its token. */
export function presentPhoto({ photo, status, shown_as, photo_token }: StoryPhoto): Picture | null {
  const isPublic = status === undefined || isStoryShown({ status, shownAs: shown_as });
  return presentPicture(photo, isPublic ? undefined : photo_token);
}

export type StoryPhoto = Pick<StoryRow, 'photo' | 'status' | 'shown_as' | 'photo_token'>;

/** A stored picture with its URL for each width; `url` is the widest. */
export function presentPicture(photo: StoredPhoto | null, token?: string): Picture | null {
  const widest = photo?.widths.at(-1);
  if (!photo || widest === undefined) return null;
  return {
    url: mediaPath(photo.key, widest, token),
    width: photo.width,
    height: photo.height,
    sources: photo.widths.map((width) => ({ url: mediaPath(photo.key, width, token), width })),
  };
}

export function getProfilePath(kind: StoryKind, orgId: string, id: string): string {
  switch (kind) {
    case 'offsetter':
      return pagePath('offsetter-page', { orgid: orgId, offsetterid: id });
    case 'awardee':
      return pagePath('awardee-page', { orgid: orgId, awardeeid: id });
    case 'installer':
      return pagePath('installer-page', { orgid: orgId, installerid: id });
  }
}
