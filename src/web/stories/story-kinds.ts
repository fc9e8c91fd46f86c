import type { StoryScene } from '#web/drawings/landscape.ts';

/** What is drawn for a story without a photo, by its kind. */
export const SCENES = {
  offsetters: 'trip',
  installers: 'work',
  awardees: 'home',
} as const satisfies Record<'offsetters' | 'installers' | 'awardees', StoryScene>;
