import type { OrgAdjustment } from '#contract/schemas/orgs.ts';
import { dayText } from '#web/ui/day-text.ts';
import styles from './org-settings.module.css';
import { changeText } from './stat-words.ts';

/** Who has set the stats by hand, when, by how much, and why. */
export function AdjustmentList({ adjustments }: { adjustments: readonly OrgAdjustment[] }) {
  if (adjustments.length === 0) return null;
  return (
    <section aria-labelledby="adjustments" className={styles.adjustments}>
      <h2 id="adjustments">Adjustments of the stats</h2>
      <ol>
        {adjustments.map(({ id, change, reason, by, createdTimestamp }) => (
          <li key={id} className={styles.adjustment}>
            <p className={styles.change}>{changeText(change)}</p>
            <p className={styles.reason}>{reason}</p>
            <p className={styles.by}>
              {dayText(createdTimestamp)}, by {by ?? 'somebody whose account is deleted'}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
