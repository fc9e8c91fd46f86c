import type { Org } from '#contract/schemas/orgs.ts';
import { Button } from '../../ui/button.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { OrgRow } from './org-row.tsx';
import styles from './orgs.module.css';
import type { OrgListState } from './use-org-list.ts';

type OrgListProps = { list: OrgListState; onSetSlug: (org: Org) => void };

/** The organisations, the newest first, ten at a time (§2, §9). */
export function OrgList({ list, onSetSlug }: OrgListProps) {
  const { items, nextCursor, busy, problem, loadMore } = list;
  if (items.length === 0) {
    return <p className={styles.empty}>There is no organization yet. Create the first one.</p>;
  }
  return (
    <>
      <ul className={styles.orgs}>
        {items.map((org) => (
          <OrgRow key={org.id} org={org} onSetSlug={() => onSetSlug(org)} />
        ))}
      </ul>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      {nextCursor !== undefined && (
        <Button kind="outline" className={styles.more} busy={busy} onClick={() => void loadMore()}>
          Load more<VisuallyHidden> organizations</VisuallyHidden>
        </Button>
      )}
    </>
  );
}
