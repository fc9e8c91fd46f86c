import { pagePath } from '#contract/pages.ts';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import styles from './donors.module.css';

type DonorsTabsProps = { orgId: string; current: 'donors' | 'recurring' };

export function DonorsTabs({ orgId, current }: DonorsTabsProps) {
  const params = { orgid: orgId };
  return (
    <div className={styles.tabs}>
      <SegmentLinks
        label="Donors and their recurring gifts"
        segments={[
          { label: 'All donors', to: pagePath('donors-page', params), isCurrent: current === 'donors' },
          {
            label: 'Recurring gifts',
            to: pagePath('recurring-gifts-page', params),
            isCurrent: current === 'recurring',
          },
        ]}
      />
    </div>
  );
}
