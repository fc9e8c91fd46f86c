import { takeCharacters } from './characters.ts';

export const STORY_PREVIEW_LENGTH = 150;

/**
 * Cuts a longer story at the last space within 150 characters, and adds an ellipsis (§2). Previewing a preview doesn't
 * change it.
 */
export function previewStory(story: string): string {
  const start = takeCharacters(story, STORY_PREVIEW_LENGTH);
  if (story === start || story === `${start}…`) return story;
  const isBetweenWords = /^\s/.test(story.slice(start.length));
  const words = isBetweenWords ? start : start.replace(/\s\S*$/, '');
  return `${words.trimEnd()}…`;
}
