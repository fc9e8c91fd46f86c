import type { PolicyReport } from '#contract/schemas/policy-reports.ts';
import { formatWhole } from '#domain/money.ts';
import { ItemList, ItemRow } from '#web/ui/layout.tsx';
import styles from './blocked-by-browsers.module.css';

type BlockedByBrowsersProps = { reports: readonly PolicyReport[]; momentText: (time: string) => string };

/** What visitors' browsers refused to load or run here; nothing where they refused nothing. */
export function BlockedByBrowsers({ reports, momentText }: BlockedByBrowsersProps) {
  if (reports.length === 0) return null;
  return (
    <details className={styles.blocked}>
      <summary>Blocked by visitors’ browsers in the last 30 days ({reports.length})</summary>
      <p>
        This site tells browsers to load and run nothing but its own. Most of what they report is from extensions. If a
        line grows fast, or comes from a script of this site (“/assets/…”), please tell those who run the server.
      </p>
      <ItemList>
        {reports.map((report) => (
          <ItemRow
            key={`${report.directive} ${report.blocked} ${report.page} ${report.source}`}
            title={`${report.blocked} (${report.directive})`}
            facts={factsOf(report, momentText(report.lastTimestamp))}
          />
        ))}
      </ItemList>
    </details>
  );
}

function factsOf({ page, source, count }: PolicyReport, last: string): string {
  const times = count === 1 ? 'once' : `${formatWhole(count)} times`;
  return `on ${page}${source === '' ? '' : `, from ${source}`}, ${times}, last ${last}`;
}
