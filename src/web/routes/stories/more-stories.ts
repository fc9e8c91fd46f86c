import type { Profile } from '#contract/schemas/stories.ts';

export type StoryPage = { readonly items: readonly Profile[]; readonly nextCursor: string | undefined };

/** A list as far as it is shown: its first page, and what came after it. Newest first. */
export type ShownStories = {
  readonly first: StoryPage;
  readonly more: readonly Profile[];
  readonly nextCursor: string | undefined;
};

export function startStories(first: StoryPage): ShownStories {
  return { first, more: [], nextCursor: first.nextCursor };
}

/**
 * The list with a newer first page: what was shown beyond it stays, so that nobody loses the place. A story that has
 * moved from the first page into what follows is not lost, and one that is gone from the first page is gone.
 */
export function withFirst(shown: ShownStories, first: StoryPage): ShownStories {
  if (shown.first === first) return shown;
  const last = first.items.at(-1);
  if (shown.more.length === 0 || first.nextCursor === undefined || !last) return startStories(first);
  const isOnFirst = new Set(first.items.map(({ id }) => id));
  const isBeyond = ({ id, createdTimestamp }: Profile) =>
    !isOnFirst.has(id) && createdTimestamp <= last.createdTimestamp;
  return { first, more: [...shown.first.items, ...shown.more].filter(isBeyond), nextCursor: shown.nextCursor };
}

/** The list with the page that came after what is shown. */
export function withMore(shown: ShownStories, page: StoryPage): ShownStories {
  const known = new Set([...shown.first.items, ...shown.more].map(({ id }) => id));
  return {
    first: shown.first,
    more: [...shown.more, ...page.items.filter(({ id }) => !known.has(id))],
    nextCursor: page.nextCursor,
  };
}
