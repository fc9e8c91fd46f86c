import { firstCharacters } from './characters.ts';

export const STORY_PREVIEW = 150;

/** A story cut to 150 characters, with an ellipsis if it is longer (§2). Previewing a preview doesn't change it. */
export function storyPreview(story: string): string {
  const start = firstCharacters(story, STORY_PREVIEW);
  return story === start || story === `${start}…` ? story : `${start}…`;
}
