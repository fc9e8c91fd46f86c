import { ELECTRICITY_REGIONS, type ElectricityRegion } from '#domain/electricity-regions.ts';
import type { FactorName } from '#domain/emissions.ts';
import {
  type Factor,
  type FactorSet,
  factorTitle,
  type PublishedValue,
  publishedFor,
  READINGS,
  type Source,
  unitOf,
} from '#domain/factor-sets.ts';
import { m } from '#messages';
import styles from './factor-facts.module.css';

type FactorFactsProps = {
  set: FactorSet;
  name: FactorName;
  /** Of a flight, one way: others' values for its length only. */
  miles?: number | undefined;
  /** A paragraph where headings above it are of no fixed level. */
  heading: 'h3' | 'p';
};

/** A factor of a set: its value and unit, where it is from, what is to be known of it, and what others publish. */
export function FactorFacts({ set, name, miles, heading: Heading }: FactorFactsProps) {
  const factor = set.factors[name];
  const others = publishedFor(name, miles);
  return (
    <section className={styles.factor}>
      <Heading>{m.factorIs({ factor: factorTitle(name), value: factorValue(factor), unit: unitOf(name) })}</Heading>
      <FactorSource factor={factor} />
      {factor.region && <p>{regionText(factor.region)}</p>}
      <p>{factor.note()}</p>
      {others.length > 0 && (
        <>
          <p>{m.factorOthers()}</p>
          <ul>
            {bySource(others).map(({ source, values }) => (
              <li key={source.address}>
                {values.length < 3 ? (
                  <>
                    <SourceLink source={source} />: {values.map(valueText).join('; ')}. {READINGS[source.read]()}
                  </>
                ) : (
                  <>
                    <SourceLink source={source} />. {READINGS[source.read]()}
                    <ul>
                      {values.map(valueText).map((text) => (
                        <li key={text}>{text}</li>
                      ))}
                    </ul>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** "Its region of the grid is NPCC Upstate NY (NYUP), in NY." */
function regionText(region: ElectricityRegion): string {
  const { name, states } = ELECTRICITY_REGIONS[region];
  return m.factorRegion({ region: name, code: region, states: states.split(' ').join(', ') });
}

function FactorSource({ factor: { source, isOwn } }: { factor: Factor }) {
  if (!source) return isOwn ? null : <p>{m.factorNoSource()}</p>;
  return (
    <p>
      {m.factorSource()} <SourceLink source={source} />. {READINGS[source.read]()}
    </p>
  );
}

/** The values of each source, in the order of the first of them. */
function bySource(values: readonly PublishedValue[]) {
  const sources = new Set(values.map(({ source }) => source));
  return [...sources].map((source) => ({ source, values: values.filter((each) => each.source === source) }));
}

type ShownValue = Pick<PublishedValue, 'value' | 'about' | 'flights'> & {
  from?: number | undefined;
  below?: number | undefined;
};

/** "0.359 (CO₂ alone, without contrails, 2,300 miles and longer)" */
function valueText({ value, about, flights, from, below }: ShownValue): string {
  const facts = [about?.(), flights ? flights() : flightLength(from, below)]
    .filter((fact) => fact !== undefined)
    .join(', ');
  return facts ? `${shownValue(value)} (${facts})` : shownValue(value);
}

function SourceLink({ source: { publisher, title, year, address } }: { source: Source }) {
  return (
    <a href={address} rel="noreferrer">
      {[publisher, title ?? [], year === undefined || title?.includes(String(year)) ? [] : String(year)]
        .flat()
        .join(', ')}
    </a>
  );
}

/** "300 to 2,300 miles" */
function flightLength(from: number | undefined, below: number | undefined): string | undefined {
  if (below === undefined) return from === undefined ? undefined : m.flightFrom({ miles: whole(from) });
  return from === undefined
    ? m.flightBelow({ miles: whole(below) })
    : m.flightBetween({ from: whole(from), to: whole(below) });
}

function whole(miles: number): string {
  return miles.toLocaleString('en-US');
}

/** "0.456 (shorter than 300 miles); 0.359 (300 miles and longer)" */
export function factorValue({ value, shorter = [] }: Pick<Factor, 'value' | 'shorter'>): string {
  if (shorter.length === 0) return shownValue(value);
  const flights = [...shorter, { value, below: undefined }];
  return flights
    .map((each, at) => valueText({ value: each.value, from: flights[at - 1]?.below, below: each.below }))
    .join('; ');
}

/** As published: "11.70" keeps its 0, "1371" gets its comma. */
export function shownValue(value: string): string {
  return /^\d{4,}$/.test(value) ? Number(value).toLocaleString('en-US') : value;
}
