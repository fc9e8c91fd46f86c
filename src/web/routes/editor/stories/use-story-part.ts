import { useState } from 'react';
import { useAttempt } from '#web/api/use-attempt.ts';
import {
  type Belonging,
  type ListOrder,
  type Part,
  type Shown,
  shownOf,
  withItem,
  withoutItem,
  withPart,
} from './story-part.ts';

type Listed = { readonly id: string; readonly createdTimestamp: string };

type Source<Item, Search> = {
  readonly first: Part<Item>;
  /** What the first part was asked for by. */
  readonly search: Search;
  readonly order: ListOrder;
  readonly find: (search: Search, cursorRef?: string) => Promise<Part<Item>>;
};

/** A list of stories: searched, gone on with, and kept as it is changed. One question is asked at a time. */
export function useStoryPart<Item extends Listed, Search>({
  first,
  search: initial,
  order,
  find,
}: Source<Item, Search>) {
  const [shown, setShown] = useState<Shown<Item>>(() => shownOf(first));
  const [search, setSearch] = useState(initial);
  const { busy, problem, run } = useAttempt();
  const ask = (wanted: Search) =>
    run(async () => {
      setShown(shownOf(await find(wanted)));
      setSearch(wanted);
    });
  const loadMore = () =>
    run(async () => {
      // The last that is shown is there still, whatever became of the one that the list once went on from.
      const part = await find(search, shown.items.at(-1)?.id);
      setShown((before) => withPart(before, part));
    });
  return {
    ...shown,
    search,
    busy,
    problem,
    ask,
    loadMore,
    put: (item: Item, belongs: Belonging) => setShown((before) => withItem(before, item, belongs, order)),
    drop: (id: string) => setShown((before) => withoutItem(before, id)),
  };
}
