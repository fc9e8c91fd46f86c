import type { ReactNode } from 'react';
import { pagePath } from '#contract/pages.ts';
import { decimal, divide, multiply, toNumber } from '#domain/decimal.ts';
import { ELECTRICITY_REGIONS, ELECTRICITY_YEARS, poundsPerKilowattHour } from '#domain/electricity-regions.ts';
import {
  DEFAULT_MPG,
  DEFAULT_TRAVELERS,
  EMISSION_FACTORS,
  FACTOR_NAMES,
  type FactorName,
  GALLONS_OF_GAS_PER_TON,
  POUNDS_PER_TON,
} from '#domain/emissions.ts';
import {
  differenceOf,
  ELECTRICITY_SOURCES,
  extremeFactors,
  factorSet,
  factorTitle,
  publishedFor,
  SPECIFIED_SET,
  unitOf,
} from '#domain/factor-sets.ts';
import { type Calculation, carbonOf } from '#domain/formula.ts';
import { formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { Rich } from '#web/ui/rich.tsx';
import { EXAMPLE_FLIGHT } from '../calculator/estimates.ts';
import { FactorFacts, shownValue } from './factor-facts.tsx';
import styles from './numbers.module.css';

/** Every number of the calculators: its source, what others publish, and where the numbers do not agree. */
export function NumbersPage({ org }: OrgFrame) {
  const set = SPECIFIED_SET;
  const pounds = (words: string) => <Link to={pagePath('pounds-page', { orgid: org.id })}>{words}</Link>;
  const faq = (words: string) => <Link to={pagePath('faqs-page', { orgid: org.id })}>{words}</Link>;
  return (
    <Page narrow>
      <DocumentTitle parts={[m.headNumbers(), org.name]} />
      <div className={styles.numbers}>
        <PageTitle>{m.headNumbers()}</PageTitle>
        <p>{m.numbersLead({ name: org.name })}</p>
        <p>{m.howGuide()}</p>
        <p>{m.numbersWhy({ version: set.version })}</p>
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
                <td>{shownValue(set.factors[name].value)}</td>
                <td>
                  {publishedRange(name)} <small>{difference(name)}</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>

        <h2>{m.numbersDisagree()}</h2>
        <p>
          <Rich text={m.numbersDisagreeLead()} tags={{ faq }} />
        </p>
        <ul className={styles.disagree}>
          {contradictions().map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>

        <h2 id="examples">{m.numbersExamples()}</h2>
        <p>{m.numbersExamplesLead()}</p>
        <Examples />

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
      </div>
    </Page>
  );
}

/** "19.36 to 26.34" */
function publishedRange(name: FactorName): string {
  const values = publishedFor(name).map(({ value }) => value);
  if (values.length === 0) return m.numbersNone();
  const sorted = values.toSorted((a, b) => Number(a) - Number(b)).map(shownValue);
  const [least = '', most = ''] = [sorted[0], sorted.at(-1)];
  return least === most ? least : m.numbersRange({ least, most });
}

function difference(name: FactorName): string {
  const { kind, percent } = differenceOf(name);
  if (kind === 'alone') return '';
  if (kind === 'within') return m.numbersWithin();
  if (percent === 0) return m.numbersAlmost();
  return kind === 'above' ? m.numbersAbove({ percent: String(percent) }) : m.numbersBelow({ percent: String(percent) });
}

/** What EIA says that burning a gallon of gasoline releases, in pounds. */
const BURNED_GALLON = '19.64';

/** Where the fund's own numbers do not agree with each other, computed from them. */
function contradictions(): readonly string[] {
  const { carFuel, quickCar } = EMISSION_FACTORS;
  const fuel = carFuel.value;
  const ratio = (top: string | number, bottom: string | number) =>
    formatWhole(toNumber(divide(decimal(top), decimal(bottom), 0)));
  const milesOf = (poundsPerGallon: string) =>
    formatWhole(toNumber(divide(multiply(decimal(quickCar.value), decimal(DEFAULT_MPG)), decimal(poundsPerGallon), 0)));
  return [
    m.contradictionGallons({
      gallons: String(GALLONS_OF_GAS_PER_TON),
      factor: fuel,
      here: ratio(POUNDS_PER_TON, fuel),
      burned: BURNED_GALLON,
    }),
    m.contradictionRoundTrip({ factor: fuel, burned: BURNED_GALLON }),
    m.contradictionQuickCar({
      pounds: quickCar.value,
      burned: BURNED_GALLON,
      miles: milesOf(BURNED_GALLON),
      factor: fuel,
      fewer: milesOf(fuel),
    }),
    m.contradictionGas({ factor: EMISSION_FACTORS.naturalGas.value }),
    m.contradictionSocialCost(),
    m.contradictionTrees(),
  ];
}

/** The one that the calculator offers as an example. */
function familiarFlight(): Calculation {
  const miles = Number(EXAMPLE_FLIGHT.trip.miles.replace(',', ''));
  return { kind: 'air', travelers: DEFAULT_TRAVELERS, miles, roundtrip: EXAMPLE_FLIGHT.roundtrip };
}

const EXAMPLES: readonly { readonly text: string; readonly of: Calculation }[] = [
  { text: m.exampleFlight(), of: familiarFlight() },
  { text: m.exampleDrive(), of: { kind: 'car', miles: 100, mpg: DEFAULT_MPG, roundtrip: false } },
  { text: m.exampleHome(), of: { kind: 'home', energy: { electricity: 600, gas: 60 } } },
];

/** The same trip and home with our numbers, with EPA's, and with the lowest and highest of others. */
function Examples() {
  const epa = factorSet({ fuels: 'epa', flights: 'epa', electricity: { region: 'NYUP', year: 2023 } });
  const whole = (of: Calculation, factors = EMISSION_FACTORS) =>
    m.formulaPounds({ pounds: formatWhole(carbonOf(of, factors)) });
  const extreme = (of: Calculation, which: 'lowest' | 'highest') =>
    formatWhole(carbonOf(of, extremeFactors(SPECIFIED_SET, which, of.kind === 'air' ? of.miles : undefined)));
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
        {EXAMPLES.map(({ text, of }) => (
          <tr key={text}>
            <th scope="row">{text}</th>
            <td>{whole(of)}</td>
            <td>
              {whole(of, epa.factors)}{' '}
              <small>{m.numbersOthers({ least: extreme(of, 'lowest'), most: extreme(of, 'highest') })}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
