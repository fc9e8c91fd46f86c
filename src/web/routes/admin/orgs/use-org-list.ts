import { useState } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import { useAttempt } from '#web/api/use-attempt.ts';

/** A part of the list of organisations, and where it goes on. */
export type OrgPart = { readonly items: readonly Org[]; readonly nextCursor: string | undefined };

/** The organisations that are shown, and how more of them come. @param find reads the part after a cursor */
export function useOrgList(first: OrgPart, find: (cursorRef?: string) => Promise<OrgPart>) {
  const [shown, setShown] = useState(first);
  const { busy, problem, run } = useAttempt();
  const loadMore = () =>
    run(async () => {
      const part = await find(shown.nextCursor);
      setShown((before) => ({ items: [...before.items, ...part.items], nextCursor: part.nextCursor }));
    });
  /** Begins the list anew, with what has been made since. */
  const begin = async () => setShown(await find());
  const put = (org: Org) =>
    setShown((before) => ({ ...before, items: before.items.map((each) => (each.id === org.id ? org : each)) }));
  return { ...shown, busy, problem, loadMore, begin, put };
}

export type OrgListState = ReturnType<typeof useOrgList>;
