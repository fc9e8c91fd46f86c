import { lengthOf, STORY_MAXIMUM, STORY_MINIMUM } from '#domain/profile.ts';

/** A quiet counter under a story: how far it is to the least (§5), then how long it is. */
export function storyHint(story: string): string {
  const length = lengthOf(story);
  if (length < STORY_MINIMUM) return `${length} of at least ${STORY_MINIMUM} characters.`;
  return `${length.toLocaleString('en')} of at most ${STORY_MAXIMUM.toLocaleString('en')} characters.`;
}
