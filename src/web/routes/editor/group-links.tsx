import type { ReactNode } from 'react';
import { Link } from '#web/navigation/link.tsx';
import styles from './group-links.module.css';

type GroupLink = {
  readonly label: string;
  /** Number of items in the group, or another figure. */
  readonly value: string;
  /** Text shown below the value, such as the group's total. */
  readonly hint: ReactNode;
  /** URL of the filtered list or, for the current group, of the whole list. */
  readonly to: string;
  readonly isCurrent?: boolean;
};

/** Links that each show a number, such as list filters with item counts. */
export function GroupLinks({ label, groups }: { label: string; groups: readonly GroupLink[] }) {
  return (
    <nav aria-label={label}>
      <ul className={styles.groups}>
        {groups.map((group) => (
          <li key={group.label}>
            <Link to={group.to} keepScroll aria-current={group.isCurrent ? 'true' : undefined}>
              {group.label}
              <strong>{group.value}</strong>
              <small>{group.hint}</small>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
