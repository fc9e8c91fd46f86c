import type { ReactNode } from 'react';
import { pagePath } from '#contract/pages.ts';
import { decimal, divide, multiply, toNumber } from '#domain/decimal.ts';
import { ELECTRICITY_REGIONS, ELECTRICITY_YEARS, poundsPerKilowattHour } from '#domain/electricity-regions.ts';
import {
  DEFAULT_MPG,
  FACTOR_NAMES,
  type FactorName,
  GALLONS_OF_GAS_PER_TON,
  POUNDS_PER_TON,
} from '#domain/emissions.ts';
import { exampleEffect, type FactorExample, SINGLE_EXAMPLES } from '#domain/factor-examples.ts';
import {
  type ChosenSet,
  changesOf,
  differenceOf,
  ELECTRICITY_SOURCES,
  extremeFactors,
  type FactorSet,
  factorSet,
  factorTitle,
  publishedFor,
  SPECIFIED_SET,
  setOf,
  unitOf,
} from '#domain/factor-sets.ts';
import { type Calculation, carbonOf } from '#domain/formula.ts';
import { formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { Rich } from '#web/ui/rich.tsx';
import { dateText } from '#web/ui/text.ts';
import type { NumbersData } from '../route.ts';
import { FactorFacts, factorValue, formatFactor } from './factor-facts.tsx';
import styles from './numbers.module.css';

/** Every number of the calculators: its source, other published values, and contradictions between the numbers. */
export function NumbersPage({ org, sets }: OrgFrame & NumbersData) {
  const set = setOf(org.factors);
  const pounds = (words: string) => <Link to={pagePath('pounds-page', { orgid: org.id })}>{words}</Link>;
  const faq = (words: string) => <Link to={pagePath('faqs-page', { orgid: org.id })}>{words}</Link>;
  return (
    <Page narrow>
      <DocumentTitle parts={[m.headNumbers(), org.name]} />
      <div className={styles.numbers}>
        <PageTitle>{m.headNumbers()}</PageTitle>
        <p>{m.numbersLead({ name: org.name })}</p>
        <p>{m.howGuide()}</p>
        <CurrentSet org={org} current={sets[0]} />
        <p>
          <Rich text={m.seePounds()} tags={{ pounds }} />
        </p>
        <h2 id="overview">{m.numbersOverview()}</h2>
        <table aria-labelledby="overview">
          <thead>
            <tr>
              <th scope="col">{m.numbersFactor()}</th>
              <th scope="col">{m.numbersHere()}</th>
              <th scope="col">{m.numbersPublished()}</th>
            </tr>
          </thead>
          <tbody>
            {FACTOR_NAMES.map((name) => (
              <tr key={name}>
                <th scope="row">
                  {factorTitle(name)} <small>{unitOf(name)}</small>
                </th>
                <td>
                  {factorValue(set.factors[name])}
                  {!isDefault(set, name) && (
                    <small>{m.numbersDefault({ value: formatFactor(SPECIFIED_SET.factors[name].value) })}</small>
                  )}
                </td>
                <td>
                  {publishedRange(name)} <small>{difference(name, set)}</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>

        <h2>{m.numbersDisagree()}</h2>
        <p>
          <Rich text={m.numbersDisagreeLead()} tags={{ faq }} />
        </p>
        <ul className={styles.sentences}>
          {contradictions(set).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>

        <h2 id="examples">{m.numbersExamples()}</h2>
        <p>{m.numbersExamplesLead()}</p>
        <Examples set={set} />

        <h2>{m.numbersEach()}</h2>
        {FACTOR_NAMES.map((name) => (
          <FactorFacts key={name} set={set} name={name} heading="h3" />
        ))}

        <h2 id="regions">{m.numbersRegions()}</h2>
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
        <details>
          <summary>{m.numbersRegionsAll()}</summary>
          <Regions />
        </details>
        <EarlierSets sets={sets} timeZone={org.timeZone} />
      </div>
    </Page>
  );
}

/** "19.36 to 26.34" */
function publishedRange(name: FactorName): string {
  const values = publishedFor(name).map(({ value }) => value);
  if (values.length === 0) return m.numbersNone();
  const sorted = values.toSorted((a, b) => Number(a) - Number(b)).map(formatFactor);
  const [lowest = '', highest = ''] = [sorted[0], sorted.at(-1)];
  return lowest === highest ? lowest : m.numbersRange({ least: lowest, most: highest });
}

function difference(name: FactorName, set: FactorSet): string {
  const { kind, percent } = differenceOf(name, set);
  if (kind === 'alone') return '';
  if (kind === 'within') return m.numbersWithin();
  if (percent === 0) return m.numbersAlmost();
  return kind === 'above' ? m.numbersAbove({ percent: String(percent) }) : m.numbersBelow({ percent: String(percent) });
}

/** Pounds of CO₂ from burning a gallon of gasoline, according to EIA. */
const BURNED_GALLON = '19.64';

/** Sentences about contradictions between the fund's numbers. */
function contradictions(set: FactorSet): readonly string[] {
  const { carFuel, quickCar, naturalGas } = set.factors;
  const fuel = carFuel.value;
  const ratio = (top: string | number, bottom: string | number) =>
    formatWhole(toNumber(divide(decimal(top), decimal(bottom), 0)));
  const milesOf = (poundsPerGallon: string) =>
    formatWhole(toNumber(divide(multiply(decimal(quickCar.value), decimal(DEFAULT_MPG)), decimal(poundsPerGallon), 0)));
  const gallons = String(GALLONS_OF_GAS_PER_TON);
  const gallonsByFactor = ratio(POUNDS_PER_TON, fuel);
  return [
    isFarFrom(GALLONS_OF_GAS_PER_TON, POUNDS_PER_TON / Number(fuel))
      ? m.contradictionGallons({ gallons, factor: fuel, here: gallonsByFactor, burned: BURNED_GALLON })
      : m.agreementGallons({ gallons, factor: fuel, here: gallonsByFactor }),
    ...(isDefault(set, 'carFuel') ? [m.contradictionRoundTrip({ factor: fuel, burned: BURNED_GALLON })] : []),
    ...(isDefault(set, 'carFuel') && isDefault(set, 'quickCar')
      ? [
          m.contradictionQuickCar({
            pounds: quickCar.value,
            burned: BURNED_GALLON,
            miles: milesOf(BURNED_GALLON),
            factor: fuel,
            fewer: milesOf(fuel),
          }),
        ]
      : []),
    ...(isDefault(set, 'naturalGas') ? [m.contradictionGas({ factor: naturalGas.value })] : []),
    m.contradictionSocialCost(),
    m.contradictionTrees(),
  ];
}

function isDefault(set: FactorSet, name: FactorName): boolean {
  const { value, shorter } = set.factors[name];
  return value === SPECIFIED_SET.factors[name].value && !shorter;
}

/** @returns whether the values differ by more than 5% */
function isFarFrom(stated: number, computed: number): boolean {
  return Math.abs(computed / stated - 1) > 0.05;
}

/** Example trips and homes with this fund's numbers, EPA's numbers, and the lowest and highest published numbers. */
function Examples({ set }: { set: FactorSet }) {
  const epa = factorSet({ fuels: 'epa', flights: 'epa', electricity: { region: 'NYUP', year: 2023 } });
  const whole = (example: FactorExample, used: FactorSet) =>
    m.formulaPounds({ pounds: formatWhole(exampleEffect(example, used).carbon) });
  const extreme = (calculation: Calculation, end: 'lowest' | 'highest') =>
    formatWhole(
      carbonOf(calculation, extremeFactors(set, end, calculation.kind === 'air' ? calculation.miles : undefined)),
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
            <td>{whole(example, set)}</td>
            <td>
              {whole(example, epa)}{' '}
              <small>
                {m.numbersOthers({
                  least: extreme(example.calculations[0], 'lowest'),
                  most: extreme(example.calculations[0], 'highest'),
                })}
              </small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** When the current numbers took effect, and why. */
function CurrentSet({ org: { name, timeZone }, current }: Pick<OrgFrame, 'org'> & { current: ChosenSet | undefined }) {
  if (!current) return <p>{m.numbersWhy({ version: SPECIFIED_SET.version })}</p>;
  const { version, since, why } = current;
  return (
    <>
      <p>{m.numbersChosen({ name, version, date: dateText(since, timeZone) })}</p>
      <blockquote className={styles.reason}>{why}</blockquote>
      <p>{m.numbersFaqDefault()}</p>
    </>
  );
}

/** Earlier factor sets, newest first, each with its differences from the default set. */
function EarlierSets({ sets, timeZone }: { sets: readonly ChosenSet[]; timeZone: string }) {
  const [current, ...earlier] = sets;
  if (!current) return null;
  const first = earlier.at(-1) ?? current;
  return (
    <>
      <h2>{m.numbersEarlier()}</h2>
      <ul className={styles.sentences}>
        {earlier.map(({ version, since, why, factors }, index) => {
          const until = (sets[index] ?? current).since;
          const dates = { from: dateText(since, timeZone), to: dateText(until, timeZone) };
          const changes = changesOf(SPECIFIED_SET, { version, factors }).join('; ') || m.numbersAllDefault();
          return (
            <li key={version}>
              {m.numbersVersionFromTo({ version, ...dates })} {changes}. <q>{why}</q>
            </li>
          );
        })}
        <li>{m.numbersVersionUntil({ version: SPECIFIED_SET.version, to: dateText(first.since, timeZone) })}</li>
      </ul>
    </>
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
