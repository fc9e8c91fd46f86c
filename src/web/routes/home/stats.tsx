import type { Org } from '#contract/schemas/orgs.ts';
import { formatWhole, formatWholeDollars } from '#domain/money.ts';
import { displayedStats } from '#domain/org.ts';
import { LitStreet, litStreet } from '#web/drawings/lit-street.tsx';
import styles from './stats.module.css';

/** What has been done so far, in whole numbers (§2), and a street in which a window is lit for every grant. */
export function Stats({ org }: { org: Org }) {
  const { co2, funds, grants } = displayedStats(org.stats, org.statsDelta);
  const street = litStreet(grants);
  const rows = [
    { label: 'Lbs CO₂ Offset', value: formatWhole(co2) },
    { label: '$ in offsets raised', value: formatWholeDollars(funds) },
    { label: 'Grants awarded', value: formatWhole(grants) },
  ];
  return (
    <section className={styles.band} data-dark aria-label="What has been done so far">
      <div className={styles.inner}>
        <dl className={styles.numbers}>
          {rows.map(({ label, value }) => (
            <div key={label} className={styles.number}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.caption}>{captionFor(grants, street.grantsPerWindow)}</p>
      </div>
      <LitStreet street={street} />
    </section>
  );
}

function captionFor(grants: number, grantsPerWindow: number): string {
  if (grants < 1) return 'Every grant will light a window below.';
  const every = grantsPerWindow === 1 ? 'every grant' : `every ${grantsPerWindow} grants`;
  return `One lit window below for ${every}.`;
}
