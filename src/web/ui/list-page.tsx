import type { ReactNode } from 'react';
import { EmptyNote, ListFooter } from './list-parts.tsx';
import { PageHead, type PageHeadProps } from './page-head.tsx';

type ListProps<Item> = {
  items: readonly Item[];
  /** Plural noun, as in "Load more grants". */
  itemNoun: string;
  /** Shown instead of the rows if there are none. */
  empty: ReactNode;
  /** Renders the rows; called only if there are any. */
  children: (items: readonly Item[]) => ReactNode;
  hasMore?: boolean;
  busy?: boolean;
  /** Reason loading more failed. */
  problem?: string | undefined;
  loadMore?: () => unknown;
};

/** Rows with "Load more" below, or a note if there are none. */
export function List<Item>(props: ListProps<Item>) {
  const { items, itemNoun, empty, children, hasMore = false, busy = false, problem, loadMore } = props;
  return (
    <>
      {items.length > 0 ? children(items) : <EmptyNote>{empty}</EmptyNote>}
      <ListFooter hasMore={hasMore} busy={busy} problem={problem} itemNoun={itemNoun} onMore={() => loadMore?.()} />
    </>
  );
}

type ListPageProps<Item> = PageHeadProps &
  ListProps<Item> & {
    /** Notes and filters above the rows. */
    above?: ReactNode;
    /** Other sections, and dialogs. */
    below?: ReactNode;
  };

/** A page that consists of a list. */
export function ListPage<Item>({ title, subtitle, actions, above, below, ...list }: ListPageProps<Item>) {
  return (
    <>
      <PageHead title={title} subtitle={subtitle} actions={actions} />
      {above}
      <List {...list} />
      {below}
    </>
  );
}
