import type { ReactNode } from 'react';
import { Link } from '#web/navigation/link.tsx';
import styles from './segment-links.module.css';

type Segment = { readonly label: ReactNode; readonly to: string; readonly isCurrent: boolean };

/** Switches between parts of a page. Each has an address, so that the back button works. */
export function SegmentLinks({ label, segments }: { label: string; segments: readonly Segment[] }) {
  return (
    <nav aria-label={label} className={styles.nav}>
      <ul>
        {segments.map(({ label: words, to, isCurrent }) => (
          <li key={to}>
            <Link to={to} aria-current={isCurrent ? 'true' : undefined}>
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
