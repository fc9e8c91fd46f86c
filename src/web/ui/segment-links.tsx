import type { ReactNode } from 'react';
import { Link } from '#web/navigation/link.tsx';
import styles from './segment-links.module.css';

type Segment = { readonly label: ReactNode; readonly to: string; readonly isCurrent: boolean };

/** Links that switch between sections of a page. Each section has a URL, so that the back button works. */
export function SegmentLinks({ label, segments }: { label: string; segments: readonly Segment[] }) {
  return (
    <nav aria-label={label} className={styles.nav}>
      <ul>
        {segments.map(({ label: segmentLabel, to, isCurrent }) => (
          <li key={to}>
            <Link to={to} aria-current={isCurrent ? 'true' : undefined}>
              {segmentLabel}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
