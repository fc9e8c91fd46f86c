import type { ReactNode } from 'react';
import { Link } from '#web/navigation/link.tsx';
import styles from './segment-links.module.css';

type Segment = { readonly label: ReactNode; readonly to: string; readonly isHere: boolean };

/** Parts of a page, or ways to look at it, of which one is shown. Each has an address, so that "back" leads to it. */
export function SegmentLinks({ label, segments }: { label: string; segments: readonly Segment[] }) {
  return (
    <nav aria-label={label} className={styles.nav}>
      <ul>
        {segments.map(({ label: words, to, isHere }) => (
          <li key={to}>
            <Link to={to} aria-current={isHere ? 'true' : undefined}>
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
