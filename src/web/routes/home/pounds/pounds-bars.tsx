import type { PublicPounds } from '#contract/schemas/grants.ts';
import { formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import styles from './pounds-bars.module.css';

/** Pounds that donors paid for, and pounds that homes save, as two bars on one scale. */
export function PoundsBars({ totals }: { totals: PublicPounds['totals'] }) {
  const { backedPounds, unallocatedPounds, shortfallPounds, deliveredPounds, remainingPounds, unfinishedPounds } =
    totals;
  const bars = [
    {
      title: m.poundsPaidFor(),
      parts: [
        { label: m.poundsBacked(), pounds: backedPounds, fill: styles.solid },
        { label: m.poundsWaiting(), pounds: unallocatedPounds, fill: styles.open },
        { label: m.poundsMissing(), pounds: shortfallPounds, fill: styles.missing },
      ],
    },
    {
      title: m.poundsHomesSave(),
      parts: [
        { label: m.poundsSaved(), pounds: deliveredPounds, fill: styles.solid },
        { label: m.poundsToCome(), pounds: remainingPounds + (unfinishedPounds ?? 0), fill: styles.light },
      ],
    },
  ].map((bar) => ({ ...bar, total: bar.parts.reduce((sum, { pounds }) => sum + pounds, 0) }));
  const scale = Math.max(...bars.map(({ total }) => total));
  return (
    <dl className={styles.bars}>
      {bars.map(({ title, parts, total }) => (
        <div key={title}>
          <dt>
            {title} <strong>{m.poundsAmount({ pounds: formatWhole(total) })}</strong>
          </dt>
          <dd>
            <Bar parts={parts.map(({ pounds, fill }) => ({ fill, percent: (100 * pounds) / scale }))} />
            <ul>
              {parts.map(
                ({ label, pounds, fill }) =>
                  pounds > 0 && (
                    <li key={label}>
                      <svg width="14" height="14" aria-hidden="true">
                        <rect width="14" height="14" className={fill} />
                      </svg>
                      {label}: {m.poundsAmount({ pounds: formatWhole(pounds) })}
                    </li>
                  ),
              )}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type BarPart = { readonly fill: string | undefined; readonly percent: number };

function Bar({ parts }: { parts: readonly BarPart[] }) {
  return (
    <svg className={styles.bar} width="100%" height="36" aria-hidden="true">
      {parts.map(({ fill, percent }, index) => {
        const start = parts.slice(0, index).reduce((sum, part) => sum + part.percent, 0);
        return <rect key={fill} x={`${start}%`} width={`${percent}%`} height="36" className={fill} />;
      })}
    </svg>
  );
}
