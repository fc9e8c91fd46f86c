import { useQueries, useQuery } from '@tanstack/react-query';
import { pagePath } from '#contract/pages.ts';
import type { Donor } from '#contract/schemas/donors.ts';
import { MAX_QUERY_LENGTH } from '#domain/checkout-search.ts';
import { dayText } from '#domain/days.ts';
import { DONOR_SORTS, type DonorSort } from '#domain/donor.ts';
import { formatDollars, formatWhole } from '#domain/money.ts';
import { formatGiftTerms, recurringGiftLabel } from '#domain/recurring-gift.ts';
import { useList } from '#web/api/use-list.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { EmailText } from '#web/ui/email-text.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { SearchForm } from '#web/ui/search-form.tsx';
import { SectionStatus } from '#web/ui/section-status.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Table } from '#web/ui/table.tsx';
import { useStateFrom } from '#web/ui/use-state-from.ts';
import { EditorArea } from '../editor-frame.tsx';
import sumStyles from '../gift-sums.module.css';
import cellStyles from '../two-line-cell.module.css';
import { DonorFiles } from './donor-files.tsx';
import { formatGiftCount, formatHomeCount, GIFT_TONES, getDonorName } from './donor-labels.ts';
import styles from './donors.module.css';
import { DonorsTabs } from './donors-tabs.tsx';
import { type DonorsData, type DonorsView, donorSumsQuery, donorsQuery, donorsUrl, homesQuery } from './route.ts';

/** All donors, computed from the ledger. */
export function DonorsPage({ org, view }: OrgPageProps & DonorsData) {
  const list = useList(donorsQuery(useApi(), org.id, view));
  const can = useCan(org.id);
  return (
    <EditorArea org={org}>
      <ListPage
        {...list}
        title="Donors"
        subtitle="Everyone who has given, by card or check."
        actions={can('donors.download') && <DonorFiles orgId={org.id} />}
        above={
          <>
            <DonorsTabs orgId={org.id} current="donors" />
            <DonorSearch orgId={org.id} view={view} />
            <DonorSums orgId={org.id} query={view.query} />
          </>
        }
        itemNoun="donors"
        empty={view.query === '' ? 'No gifts yet. Donors appear here with their first gift.' : 'No donors found.'}
      >
        {(donors) => <DonorTable orgId={org.id} donors={donors} />}
      </ListPage>
    </EditorArea>
  );
}

const SORT_LABELS: Readonly<Record<DonorSort, string>> = {
  'last-gift': 'Last gift',
  lifetime: 'Lifetime giving',
  name: 'Name',
};

function DonorSearch({ orgId, view }: { orgId: string; view: DonorsView }) {
  const navigator = useNavigator();
  const [query, setQuery] = useStateFrom(view.query);
  const openView = (newView: DonorsView) => void navigator.go(donorsUrl(orgId, newView), { keepScroll: true });
  return (
    <SearchForm className={styles.search} onSearch={() => openView({ ...view, query })}>
      <TextField
        label="Name or email"
        type="search"
        maxLength={MAX_QUERY_LENGTH}
        autoComplete="off"
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <SelectField
        label="Order"
        value={view.sort}
        options={DONOR_SORTS.map((sort) => ({ value: sort, label: SORT_LABELS[sort] }))}
        onChange={({ currentTarget }) => {
          const sort = DONOR_SORTS.find((option) => option === currentTarget.value) ?? 'last-gift';
          openView({ query, sort });
        }}
      />
      <Cluster gap={2} className={styles.searchButtons}>
        <Button type="submit">
          <Icon name="search" /> Search
        </Button>
        {view.query !== '' && (
          <Button kind="quiet" onClick={() => openView({ ...view, query: '' })}>
            Show all
          </Button>
        )}
      </Cluster>
    </SearchForm>
  );
}

/** Totals of all donors that match the search, loaded after the list. */
function DonorSums({ orgId, query }: { orgId: string; query: string }) {
  const { data: sums, isError, refetch } = useQuery({ ...donorSumsQuery(useApi(), orgId, query), staleTime: 0 });
  return (
    <section aria-label="Totals for these donors" className={sumStyles.sums}>
      {sums ? (
        <dl>
          <div>
            <dt>Donors</dt>
            <dd>{sums.hasMore ? `More than ${formatWhole(sums.donors)}` : formatWhole(sums.donors)}</dd>
          </div>
          {!sums.hasMore && (
            <div>
              <dt>Lifetime giving</dt>
              <dd>{formatDollars(sums.lifetime)}</dd>
            </div>
          )}
        </dl>
      ) : (
        <SectionStatus hasFailed={isError} onRetry={() => void refetch()} />
      )}
    </section>
  );
}

function DonorTable({ orgId, donors }: { orgId: string; donors: readonly Donor[] }) {
  const { homes, hasFailed } = useHomes(orgId, donors);
  return (
    <Table
      caption="Donors"
      rows={donors}
      columns={[
        { heading: 'Donor', kind: 'title', cell: (donor) => <NameLink orgId={orgId} donor={donor} /> },
        {
          heading: 'Gifts',
          kind: 'detail',
          cell: ({ firstGiftOn, lastGiftOn, gifts }) => (
            <>
              <time dateTime={lastGiftOn}>{dayText(lastGiftOn)}</time>
              <span className={cellStyles.secondary}>
                {formatGiftCount({ gifts })}
                {gifts > 1 && <span className={styles.wideOnly}> since {dayText(firstGiftOn)}</span>}
              </span>
            </>
          ),
        },
        {
          heading: 'Recurring',
          kind: 'status',
          cell: ({ recurring }) =>
            recurring.slice(0, 1).map((gift) => (
              <span key={gift.status} className={styles.recurring}>
                <StatusMark tone={GIFT_TONES[gift.status]}>{recurringGiftLabel(gift.status)}</StatusMark>
                <span className={cellStyles.secondary}>{formatGiftTerms(gift)}</span>
              </span>
            )),
        },
        {
          heading: 'Homes',
          kind: 'action',
          cell: ({ id }) => (
            <span className={classNames(styles.homes, homes.get(id) === 0 && styles.wideOnly)}>
              {formatHomesCell(homes.get(id), hasFailed)}
            </span>
          ),
        },
        {
          heading: 'Lifetime',
          kind: 'amount',
          cell: ({ lifetime, thisYear }) => (
            <>
              {formatDollars(lifetime)}
              <span className={cellStyles.secondary}>{formatDollars(thisYear)} this year</span>
            </>
          ),
        },
      ]}
    />
  );
}

function formatHomesCell(homes: number | undefined, hasFailed: boolean): string {
  if (homes === undefined) return hasFailed ? '–' : '…';
  return homes === 0 ? '–' : formatHomeCount(homes);
}

function NameLink({ orgId, donor }: { orgId: string; donor: Donor }) {
  return (
    <>
      <Link to={pagePath('donor-page', { orgid: orgId, donorid: donor.id })} className={cellStyles.primary}>
        <EmailText>{getDonorName(donor)}</EmailText>
      </Link>
      {donor.name && donor.email && (
        <span className={styles.wideOnly}>
          <span className={cellStyles.secondary}>
            <EmailText>{donor.email}</EmailText>
          </span>
        </span>
      )}
    </>
  );
}

const DONORS_PER_CALL = 20;

/** Loads the number of homes that each donor helped, separately from the list, because it may take a second. */
function useHomes(orgId: string, donors: readonly Donor[]) {
  const api = useApi();
  const pages = Array.from({ length: Math.ceil(donors.length / DONORS_PER_CALL) }, (_, page) =>
    donors.slice(page * DONORS_PER_CALL, (page + 1) * DONORS_PER_CALL).map(({ id }) => id),
  );
  const results = useQueries({ queries: pages.map((ids) => homesQuery(api, orgId, ids)) });
  return {
    homes: new Map(results.flatMap(({ data = [] }) => data.map(({ id, homes }) => [id, homes] as const))),
    hasFailed: results.some(({ isError }) => isError),
  };
}
