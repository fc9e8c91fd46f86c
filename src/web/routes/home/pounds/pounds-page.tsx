import { pagePath } from '#contract/pages.ts';
import type { PublicPounds } from '#contract/schemas/grants.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { endpointPath, VISITOR_CALLS } from '#contract/visitor-calls.ts';
import { dayText } from '#domain/days.ts';
import { typicalGrantCents } from '#domain/gift-effect.ts';
import { formatAmount, formatDollars, formatWhole } from '#domain/money.ts';
import { displayedStats } from '#domain/org.ts';
import { DEFAULT_LIFETIME_YEARS, LIFETIME_STUDY_URL } from '#domain/saving-years.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { Fold } from '#web/ui/fold.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { formatList } from '#web/ui/text.ts';
import { MeasuresTable, MoneyTable } from './money-tables.tsx';
import styles from './pounds.module.css';
import { PoundsBars } from './pounds-bars.tsx';
import { PoundsByYear } from './pounds-by-year.tsx';
import { roundTotals, roundYears } from './round-totals.ts';

export type PoundsData = { readonly pounds: PublicPounds };

/** Accounts for every pound sold and the homes that save it: first a sentence and a chart, then the details. */
export function PoundsPage({ org, pounds: exactPounds }: OrgPageProps & PoundsData) {
  const totals = roundTotals(exactPounds.totals);
  const pounds = { ...exactPounds, totals, years: roundYears(exactPounds.years, totals) };
  const { grants, years, money } = pounds;
  return (
    <Page>
      <DocumentTitle parts={[m.headPounds(), org.name]} />
      <div className={styles.pounds}>
        <PageTitle>{m.headPounds()}</PageTitle>
        <Lead name={org.name} pounds={pounds} />
        {totals.soldPounds > 0 && <PoundsBars totals={totals} />}
        <MoneyLine money={money} />
        <GrantsLine org={org} />
        {years.length > 0 && (
          <Fold title={m.poundsEachYear()}>
            <PoundsByYear pounds={pounds} />
          </Fold>
        )}
        {grants > 0 && money.paid !== null && (
          <Fold title={m.poundsMeasures()}>
            <MeasuresTable pounds={pounds} paid={money.paid} />
          </Fold>
        )}
        <Fold title={m.poundsMoney()}>
          <MoneyTable pounds={pounds} />
        </Fold>
        <Fold title={m.poundsHow()}>
          <Method org={org} pounds={pounds} />
        </Fold>
      </div>
    </Page>
  );
}

type PoundsProps = { pounds: PublicPounds };

/** Summarizes the pounds that donors paid for, and shows any shortfall. */
function Lead({ name, pounds: { asOf, grants, homes, totals } }: PoundsProps & { name: string }) {
  const { soldPounds, backedPounds, shortfallPounds, unallocatedPounds } = totals;
  if (grants === 0) {
    const lead = soldPounds === 0 ? m.poundsNone({ name }) : m.poundsNoGrants({ sold: formatWhole(soldPounds), name });
    return (
      <>
        <p className={styles.lead}>{lead}</p>
        <p>{m.poundsAsOf({ day: dayText(asOf) })}</p>
      </>
    );
  }
  const counts = {
    sold: formatWhole(soldPounds),
    backed: formatWhole(backedPounds),
    unallocated: formatWhole(unallocatedPounds),
    grants: formatWhole(grants),
  };
  return (
    <>
      <p className={styles.lead}>{m.poundsBought({ ...counts, name, homes: formatWhole(homes), count: homes })}</p>
      {shortfallPounds > 0 && (
        <p className={styles.shortfall}>{m.poundsBehind({ shortfall: formatWhole(shortfallPounds) })}</p>
      )}
    </>
  );
}

/** Donors' money in one sentence. Omitted if it would reveal a single home's grant. */
function MoneyLine({ money: { paid, available } }: { money: PublicPounds['money'] }) {
  if (paid === null || available === null || available <= 0) return null;
  return <p>{m.poundsMoneyLine({ paid: formatDollars(paid), available: formatDollars(available) })}</p>;
}

/** The same grant count as on the home page (decisions §2). */
function GrantsLine({ org: { stats, statsDelta } }: { org: Org }) {
  const { grants } = displayedStats(stats, statsDelta);
  if (grants <= 0 || statsDelta.grants === 0) return null;
  const count = m.poundsGrantsCount({ count: grants, grants: formatWhole(grants) });
  const parts = m.homeRecorded({ recorded: formatWhole(stats.grants), added: formatWhole(statsDelta.grants) });
  return (
    <p>
      {count}: {parts}.
    </p>
  );
}

/** Amounts that editors added to the home page's totals by hand. */
function formatManualAmounts({ statsDelta: { co2, funds, grants } }: Org): string {
  return formatList([
    ...(co2 === 0 ? [] : [m.poundsAmount({ pounds: formatWhole(co2) })]),
    ...(funds === 0 ? [] : [formatDollars(funds)]),
    ...(grants === 0 ? [] : [m.poundsGrantsCount({ count: grants, grants: formatWhole(grants) })]),
  ]);
}

function Method({ org, pounds: { asOf, grants, savingYears, totals } }: PoundsProps & { org: Org }) {
  const { shortfallPounds, surplusPounds, deliveredPounds, remainingPounds, unfinishedPounds } = totals;
  const orgId = org.id;
  const amounts = formatManualAmounts(org);
  const typicalGrant = typicalGrantCents(org.typicalGrant);
  const tags = {
    numbers: (words: string) => <Link to={pagePath('numbers-page', { orgid: orgId })}>{words}</Link>,
    study: (words: string) => (
      <a href={LIFETIME_STUDY_URL} rel="noreferrer">
        {words}
      </a>
    ),
  };
  const lifetimeMessage = grants > 0 ? m.poundsLifeOwn : m.poundsLifeUsual;
  return (
    <>
      {grants > 0 && shortfallPounds === 0 && <p>{m.poundsNotBehind({ surplus: formatWhole(surplusPounds) })}</p>}
      {grants > 0 && (
        <p>
          {m.poundsDelivered({
            day: dayText(asOf),
            delivered: formatWhole(deliveredPounds),
            remaining: formatWhole(remainingPounds + (unfinishedPounds ?? 0)),
          })}{' '}
          {unfinishedPounds !== null &&
            unfinishedPounds > 0 &&
            m.poundsNotDoneYet({ unfinished: formatWhole(unfinishedPounds) })}
        </p>
      )}
      <p>{m.poundsHowYears()}</p>
      <p>{m.poundsHowRows()}</p>
      {amounts !== '' && <p>{m.poundsByHand({ amounts })}</p>}
      <p>
        <RichText
          text={lifetimeMessage({ years: String(grants > 0 ? savingYears : DEFAULT_LIFETIME_YEARS) })}
          tags={tags}
        />
      </p>
      {typicalGrant !== null && <p>{m.poundsTypicalGrant({ amount: formatAmount(typicalGrant) })}</p>}
      <p>
        <RichText text={m.poundsHowEstimated()} tags={tags} />
      </p>
      <p className={styles.files}>
        <a href={endpointPath(VISITOR_CALLS.downloadPounds, { orgid: orgId })} download>
          {m.poundsCsv()}
        </a>{' '}
        <a href={endpointPath(VISITOR_CALLS.readPounds, { orgid: orgId })} download="every-pound.json">
          {m.poundsJson()}
        </a>
      </p>
    </>
  );
}
