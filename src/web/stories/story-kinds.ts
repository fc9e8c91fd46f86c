import type { Profile } from '#contract/schemas/stories.ts';
import { previewStory } from '#domain/story-preview.ts';
import { LANGUAGE, type Language, m } from '#messages';
import type { ApiClient, LoadedPage } from '#web/api/client.ts';
import type { StoryScene } from '#web/drawings/story-landscape.tsx';

/** The three kinds of stories: people who gave, households that got a grant, and people who did the work. */
export type StoryKind = 'offsetters' | 'awardees' | 'installers';

export const LIST_TITLES: Readonly<Record<StoryKind, string>> = {
  offsetters: m.navOffsetters(),
  awardees: m.navAwardees(),
  installers: m.navInstallers(),
};

/** Drawings for stories without a photo. */
export const SCENES = {
  offsetters: 'trip',
  installers: 'work',
  awardees: 'home',
} as const satisfies Record<StoryKind, StoryScene>;

/** Fills rows of two, three, and four cards. */
export const STORIES_PER_PAGE = 12;

/** One page of a list of stories, newest first, starting after `cursorRef`. */
export function loadStories(
  api: ApiClient,
  orgId: string,
  kind: StoryKind,
  query: { max?: number; cursorRef?: string },
): Promise<LoadedPage<Profile>> {
  const input = { params: { orgid: orgId }, query };
  if (kind === 'offsetters') return api.list('readOffsetters', input);
  return kind === 'awardees' ? api.list('readAwardees', input) : api.list('readInstallers', input);
}

/** The fields of a profile card, with a shortened story. */
export type CardStory = Pick<Profile, 'id' | 'name' | 'story' | 'language' | 'photo' | 'profileURL'>;

/** Keeps only the fields of a card: a story may have thousands of characters. */
export function toCardStory({ id, name, story, language, photo, profileURL }: Profile): CardStory {
  return { id, name, language, photo, profileURL, story: previewStory(story) };
}

/** The language of a story if it isn't the page's. */
export function getOtherLanguage({ language }: Pick<Profile, 'language'>): Language | undefined {
  return language === LANGUAGE ? undefined : language;
}
