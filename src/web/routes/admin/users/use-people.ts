import { useState } from 'react';
import type { User } from '#contract/schemas/users.ts';
import { useAttempt } from '#web/api/use-attempt.ts';

/** A part of a list of people, and where it goes on. */
export type PeoplePart = { readonly items: readonly User[]; readonly nextCursor: string | undefined };

type Find = (query: string, cursorRef?: string) => Promise<PeoplePart>;
type Shown = PeoplePart & { readonly query: string };

/** The people who were found, and how more of them come. One question is asked at a time. */
export function usePeople(first: PeoplePart, find: Find) {
  const [shown, setShown] = useState<Shown>({ ...first, query: '' });
  const { busy, problem, run } = useAttempt();
  const search = (query: string) =>
    run(async () => {
      setShown({ ...(await find(query)), query });
    });
  const loadMore = () =>
    run(async () => {
      const part = await find(shown.query, shown.nextCursor);
      setShown((before) => ({ ...before, items: [...before.items, ...part.items], nextCursor: part.nextCursor }));
    });
  const put = (person: User) =>
    setShown((before) => ({ ...before, items: before.items.map((each) => (each.id === person.id ? person : each)) }));
  return { ...shown, busy, problem, search, loadMore, put };
}
