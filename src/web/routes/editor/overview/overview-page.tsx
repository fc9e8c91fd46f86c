import { pagePath } from '#contract/pages.ts';
import { PERIODS, type Period } from '#domain/overview.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './overview.module.css';
import { OverviewPanel } from './overview-panel.tsx';
import type { OverviewData } from './route.ts';
import { WaitingList } from './waiting-list.tsx';

const WORDS: Readonly<Record<Period, string>> = {
  month: '30 days',
  quarter: '13 weeks',
  year: '12 months',
  all: 'All time',
};

/** What an editor sees first: what waits, and what was given over time (decisions §4). */
export function OverviewPage({ org, period, overview }: OrgFrame & OverviewData) {
  const path = pagePath('overview-page', { orgid: org.id });
  const segments = PERIODS.map((each) => ({
    label: WORDS[each],
    to: each === 'year' ? path : `${path}?period=${each}`,
    isHere: each === period,
  }));
  return (
    <EditorFrame org={org} title="Overview">
      <div className={styles.board}>
        <FirstSteps org={org} />
        <WaitingList orgid={org.id} waiting={overview.waiting} />
        <div>
          <div className={styles.period}>
            <SegmentLinks label="Period" segments={segments} />
          </div>
          <OverviewPanel overview={overview} />
        </div>
      </div>
    </EditorFrame>
  );
}
