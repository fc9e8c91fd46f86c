import { useSuspenseQuery } from '@tanstack/react-query';
import { pagePath } from '#contract/pages.ts';
import type { ListedRecurringGift, RecurringSums } from '#contract/schemas/recurring-gifts.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars, formatWhole } from '#domain/money.ts';
import {
  formatGiftTerms,
  LOST_DAYS,
  RECURRING_GIFT_GROUPS,
  type RecurringGiftGroup,
  recurringGiftLabel,
} from '#domain/recurring-gift.ts';
import { useList } from '#web/api/use-list.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { EmailText } from '#web/ui/email-text.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { Table } from '#web/ui/table.tsx';
import { EditorArea } from '../editor-frame.tsx';
import { GroupLinks } from '../group-links.tsx';
import cellStyles from '../two-line-cell.module.css';
import { describeRecurringStatus, GIFT_TONES, getDonorName } from './donor-labels.ts';
import { DonorsTabs } from './donors-tabs.tsx';
import { type RecurringData, recurringGiftsQuery, recurringSumsQuery } from './route.ts';

/** Recurring gifts, their monthly total, and the ones at risk. */
export function RecurringGiftsPage({ org, group }: OrgPageProps & RecurringData) {
  const api = useApi();
  const { data: totals } = useSuspenseQuery(recurringSumsQuery(api, org.id));
  const list = useList(recurringGiftsQuery(api, org.id, group));
  return (
    <EditorArea org={org}>
      <ListPage
        {...list}
        title="Recurring gifts"
        subtitle={<Subtitle totals={totals} />}
        above={
          <>
            <DonorsTabs orgId={org.id} current="recurring" />
            <GiftGroups orgId={org.id} totals={totals} current={group} />
          </>
        }
        itemNoun="recurring gifts"
        empty={group === undefined ? 'No recurring gifts yet.' : 'No recurring gifts in this group.'}
      >
        {(gifts) => <RecurringGiftTable orgId={org.id} gifts={gifts} />}
      </ListPage>
    </EditorArea>
  );
}

function Subtitle({ totals: { active, failing } }: { totals: RecurringSums }) {
  const riskSentence =
    failing.gifts === 0 ? '' : ` ${formatDollars(failing.monthly)} a month is at risk because charges failed.`;
  return `${formatDollars(active.monthly)} a month.${riskSentence}`;
}

const GROUPS: Readonly<Record<RecurringGiftGroup, { readonly label: string; readonly hint: string }>> = {
  active: { label: 'Active', hint: 'a month' },
  paused: { label: 'Paused', hint: 'a month, on hold' },
  failing: { label: 'Failing', hint: 'a month, at risk' },
  lost: { label: 'Recently lost', hint: `a month, card failed in the last ${LOST_DAYS} days` },
  ended: { label: 'Ended', hint: 'a month before they ended' },
};

type GiftGroupsProps = { orgId: string; totals: RecurringSums; current: RecurringGiftGroup | undefined };

/** Filters by group, each with its totals. The current filter links back to all gifts. */
function GiftGroups({ orgId, totals, current }: GiftGroupsProps) {
  const path = pagePath('recurring-gifts-page', { orgid: orgId });
  return (
    <GroupLinks
      label="Recurring gifts by status"
      groups={RECURRING_GIFT_GROUPS.map((group) => ({
        label: GROUPS[group].label,
        value: formatWhole(totals[group].gifts),
        hint: `${formatDollars(totals[group].monthly)} ${GROUPS[group].hint}`,
        to: group === current ? path : `${path}?group=${group}`,
        isCurrent: group === current,
      }))}
    />
  );
}

function RecurringGiftTable({ orgId, gifts }: { orgId: string; gifts: readonly ListedRecurringGift[] }) {
  return (
    <Table
      caption="Recurring gifts, newest first"
      rows={gifts}
      columns={[
        { heading: 'Donor', kind: 'title', cell: (gift) => <DonorLink orgId={orgId} gift={gift} /> },
        {
          heading: 'Since',
          kind: 'detail',
          cell: ({ startedOn, endedOn }) => (
            <>
              <time dateTime={startedOn}>{dayText(startedOn)}</time>
              {endedOn !== null && <span className={cellStyles.secondary}>until {dayText(endedOn)}</span>}
            </>
          ),
        },
        {
          heading: 'Status',
          kind: 'status',
          cell: (gift) => (
            <>
              <StatusMark tone={GIFT_TONES[gift.status]}>{recurringGiftLabel(gift.status)}</StatusMark>
              <span className={cellStyles.secondary}>{describeStatus(gift)}</span>
            </>
          ),
        },
        {
          heading: 'Amount',
          kind: 'amount',
          cell: (gift) => (
            <>
              {gift.monthly === null ? '–' : formatDollars(gift.monthly)}
              {gift.monthly !== null && <span className={cellStyles.secondary}>a month</span>}
              {gift.unit !== 'month' || gift.count !== 1 ? (
                <span className={cellStyles.secondary}>{formatGiftTerms(gift)}</span>
              ) : undefined}
            </>
          ),
        },
      ]}
    />
  );
}

function describeStatus(gift: ListedRecurringGift): string {
  const { failures, lastFailedOn } = gift;
  if (failures === 0 || lastFailedOn === null) return describeRecurringStatus(gift);
  const failureText = failures === 1 ? 'Failed' : `Failed ${failures} times, last`;
  return `${failureText} on ${dayText(lastFailedOn)}. ${describeRecurringStatus(gift)}`;
}

function DonorLink({ orgId, gift }: { orgId: string; gift: ListedRecurringGift }) {
  const { donorid: donorId, name, email } = gift;
  return (
    <>
      {donorId === null ? (
        <span className={cellStyles.primary}>
          <EmailText>{getDonorName(gift)}</EmailText>
        </span>
      ) : (
        <Link to={pagePath('donor-page', { orgid: orgId, donorid: donorId })} className={cellStyles.primary}>
          <EmailText>{getDonorName(gift)}</EmailText>
        </Link>
      )}
      {name && email && (
        <span className={cellStyles.secondary}>
          <EmailText>{email}</EmailText>
        </span>
      )}
    </>
  );
}
