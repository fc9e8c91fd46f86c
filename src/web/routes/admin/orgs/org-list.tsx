import type { Org } from '#contract/schemas/orgs.ts';
import { EmptyNote, ListFoot } from '#web/ui/list-parts.tsx';
import { OrgRow } from './org-row.tsx';
import styles from './orgs.module.css';
import type { OrgListState } from './use-org-list.ts';

type OrgListProps = { list: OrgListState; onSetSlug: (org: Org) => void };

/** The organisations, the newest first, ten at a time (§2, §9). */
export function OrgList({ list, onSetSlug }: OrgListProps) {
  const { items, nextCursor, busy, problem, loadMore } = list;
  if (items.length === 0) {
    return <EmptyNote>There is no organization yet. Create the first one.</EmptyNote>;
  }
  return (
    <>
      <ul className={styles.orgs}>
        {items.map((org) => (
          <OrgRow key={org.id} org={org} onSetSlug={() => onSetSlug(org)} />
        ))}
      </ul>
      <ListFoot
        hasMore={nextCursor !== undefined}
        busy={busy}
        problem={problem}
        what="organizations"
        onMore={() => void loadMore()}
      />
    </>
  );
}
