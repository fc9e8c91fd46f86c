import type { ReactNode } from 'react';
import { pagePath } from '#contract/pages.ts';
import { ELECTRICITY_REGIONS, ELECTRICITY_YEARS, poundsPerKilowattHour } from '#domain/electricity-regions.ts';
import { FACTOR_NAMES } from '#domain/emissions.ts';
import { exampleEffect, type FactorExample, SINGLE_EXAMPLES } from '#domain/factor-examples.ts';
import {
  completeSet,
  createFactorSet,
  type DatedFactorSet,
  describeChanges,
  ELECTRICITY_SOURCES,
  extremeFactors,
  type FactorSet,
  SPECIFIED_SET,
} from '#domain/factor-sets.ts';
import { type Calculation, calculateCarbon } from '#domain/formula.ts';
import { formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { Fold } from '#web/ui/fold.tsx';
import { Card } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { formatDate } from '#web/ui/text.ts';
import type { NumbersData } from '../route.ts';
import { FactorFacts } from './factor-facts.tsx';
import styles from './numbers.module.css';

/** Lists each calculator factor with its source and published range. Examples and regions are collapsed. */
export function NumbersPage({ org, sets }: OrgPageProps & NumbersData) {
  const set = completeSet(org.factors);
  const pounds = (words: string) => <Link to={pagePath('pounds-page', { orgid: org.id })}>{words}</Link>;
  return (
    <Page narrow>
      <DocumentTitle parts={[m.headNumbers(), org.name]} />
      <div className={styles.numbers}>
        <PageTitle>{m.headNumbers()}</PageTitle>
        <p className={styles.lead}>
          {m.numbersLead({ name: org.name })} {m.howGuide()}
        </p>
        <CurrentSet org={org} set={sets[0]} />
        <Card className={styles.factors}>
          {FACTOR_NAMES.map((name) => (
            <FactorFacts key={name} factorSet={set} name={name} heading="h2" />
          ))}
        </Card>
        <Fold title={m.numbersExamples()} id="examples">
          <p>{m.numbersExamplesLead()}</p>
          <Examples set={set} />
        </Fold>
        <Fold title={m.numbersRegions()} id="regions">
          <p>{m.numbersRegionsLead()}</p>
          <p>
            {ELECTRICITY_YEARS.map((year) => {
              const { title, address } = ELECTRICITY_SOURCES[year];
              return (
                <a key={year} href={address} rel="noreferrer" className={styles.source}>
                  {title}
                </a>
              );
            })}
          </p>
          <Regions />
        </Fold>
        <EarlierSets sets={sets} timeZone={org.timeZone} />
        <p>
          <RichText text={m.seePounds()} tags={{ pounds }} />
        </p>
      </div>
    </Page>
  );
}

/** Example trips and homes with this fund's numbers, EPA's numbers, and the lowest and highest published numbers. */
function Examples({ set }: { set: FactorSet }) {
  const epa = createFactorSet({ fuels: 'epa', flights: 'epa', electricity: { region: 'NYUP', year: 2023 } });
  const formatExamplePounds = (example: FactorExample, factorSet: FactorSet) =>
    m.formulaPounds({ pounds: formatWhole(exampleEffect(example, factorSet).carbon) });
  const formatExtreme = (calculation: Calculation, end: 'lowest' | 'highest') =>
    formatWhole(
      calculateCarbon(
        calculation,
        extremeFactors(set, end, calculation.kind === 'air' ? calculation.miles : undefined),
      ),
    );
  return (
    <table aria-labelledby="examples">
      <thead>
        <tr>
          <th scope="col">{m.numbersExample()}</th>
          <th scope="col">{m.numbersHere()}</th>
          <th scope="col">{m.numbersEpa()}</th>
        </tr>
      </thead>
      <tbody>
        {SINGLE_EXAMPLES.map((example) => (
          <tr key={example.text()}>
            <th scope="row">{example.text()}</th>
            <td>{formatExamplePounds(example, set)}</td>
            <td>
              {formatExamplePounds(example, epa)}{' '}
              <small>
                {m.numbersOthers({
                  min: formatExtreme(example.calculations[0], 'lowest'),
                  max: formatExtreme(example.calculations[0], 'highest'),
                })}
              </small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows when the current factors took effect, and why. */
function CurrentSet({ org: { name, timeZone }, set }: Pick<OrgPageProps, 'org'> & { set: DatedFactorSet | undefined }) {
  if (!set) return <p>{m.numbersWhy({ version: SPECIFIED_SET.version })}</p>;
  const { version, effectiveDate, reason } = set;
  return (
    <>
      <p>{m.numbersChosen({ name, version, date: formatDate(effectiveDate, timeZone) })}</p>
      <blockquote className={styles.reason}>{reason}</blockquote>
      <p>{m.numbersFaqDefault()}</p>
    </>
  );
}

/** Earlier factor sets, newest first, each with its differences from the default set. */
function EarlierSets({ sets, timeZone }: { sets: readonly DatedFactorSet[]; timeZone: string }) {
  const [currentSet, ...earlierSets] = sets;
  if (!currentSet) return null;
  const oldestSet = earlierSets.at(-1) ?? currentSet;
  return (
    <Fold title={m.numbersEarlier()}>
      <ul className={styles.sentences}>
        {earlierSets.map(({ version, effectiveDate, reason, factors }, index) => {
          const endDate = (sets[index] ?? currentSet).effectiveDate;
          const dates = { from: formatDate(effectiveDate, timeZone), to: formatDate(endDate, timeZone) };
          const changes = describeChanges(SPECIFIED_SET, { version, factors }).join('; ') || m.numbersAllDefault();
          return (
            <li key={version}>
              {m.numbersVersionFromTo({ version, ...dates })} {changes}. <q>{reason}</q>
            </li>
          );
        })}
        <li>
          {m.numbersVersionUntil({ version: SPECIFIED_SET.version, to: formatDate(oldestSet.effectiveDate, timeZone) })}
        </li>
      </ul>
    </Fold>
  );
}

function Regions(): ReactNode {
  return (
    <table aria-labelledby="regions">
      <thead>
        <tr>
          <th scope="col">{m.numbersRegion()}</th>
          {ELECTRICITY_YEARS.map((year) => (
            <th key={year} scope="col">
              {year}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Object.entries(ELECTRICITY_REGIONS).map(([code, { name, states, ...rates }]) => (
          <tr key={code}>
            <th scope="row">
              {name}{' '}
              <small>
                {code}, {states.split(' ').join(', ')}
              </small>
            </th>
            {ELECTRICITY_YEARS.map((year) => (
              <td key={year}>{poundsPerKilowattHour(rates[year])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
