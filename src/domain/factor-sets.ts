import { type InLanguage, m } from '#messages';
import { decimal, toText } from './decimal.ts';
import {
  AVERAGE_ELECTRICITY,
  ELECTRICITY_REGIONS,
  type ElectricityRegion,
  type ElectricityYear,
  poundsPerKilowattHour,
} from './electricity-regions.ts';
import {
  EMISSION_FACTORS,
  FACTOR_NAMES,
  FACTORS_VERSION,
  type FactorName,
  type FactorValues,
  type ShorterFlights,
  type VersionedFactors,
} from './emissions.ts';

export type Message = (inputs?: Record<string, never>, options?: InLanguage) => string;

/**
 * How a value was verified: against the publisher's pages or files, against a copy, by our own computation, or by the
 * organization's statement.
 */
export const VERIFICATIONS = {
  publisher: m.readPublisher,
  copy: m.readCopy,
  computed: m.readComputed,
  organization: m.readOrganization,
} as const;

/** Source of a value. Titles aren’t translated, as in citations. */
export type Source = {
  readonly publisher: string;
  /** Undefined for an organization's own value. */
  readonly title?: string;
  /** Undefined if the publisher gives none. */
  readonly year?: number;
  readonly address: string;
  readonly verification: keyof typeof VERIFICATIONS;
};

/** A published value. For flights, it applies to a range of one-way miles. */
export type PublishedValue = {
  readonly value: string;
  readonly source: Source;
  readonly description?: Message;
  readonly minMiles?: number;
  readonly maxMilesExclusive?: number;
  /**
   * The publisher's name for these flights, if they aren't defined by length. The value is then compared only within
   * the range of miles.
   */
  readonly flights?: Message;
};

/** A factor of a set. The source is omitted if no publication with the value was found. */
export type Factor = {
  readonly value: string;
  readonly shortFlights?: readonly ShorterFlights[] | undefined;
  readonly source?: Source;
  /** Explains the value, and why it differs from other values. */
  readonly note: Message;
  /** The electricity's grid region. */
  readonly region?: ElectricityRegion;
  /** Set by the organization. */
  readonly isCustom?: true;
};

/** A complete set of factors. A version's values never change. */
export type FactorSet = {
  readonly version: string;
  readonly factors: Readonly<Record<FactorName, Factor>>;
};

const EPA = 'U.S. Environmental Protection Agency (EPA)';
const EIA = 'U.S. Energy Information Administration (EIA)';
const UK = 'UK Department for Energy Security and Net Zero';

const EPA_HUB = {
  publisher: EPA,
  title: 'GHG Emission Factors Hub',
  year: 2025,
  verification: 'copy',
  address: 'https://www.epa.gov/system/files/documents/2025-01/ghg-emission-factors-hub-2025.pdf',
} as const satisfies Source;
const EPA_EQUIVALENCIES = {
  publisher: EPA,
  title: 'Greenhouse Gas Equivalencies Calculator',
  verification: 'computed',
  address: 'https://www.epa.gov/energy/greenhouse-gas-equivalencies-calculator-calculations-and-references',
} as const satisfies Source;
const EIA_COEFFICIENTS = {
  publisher: EIA,
  title: 'Carbon Dioxide Emissions Coefficients',
  year: 2016,
  verification: 'publisher',
  address:
    'https://webarchive.library.unt.edu/web/20161228054918/http://www.eia.gov/environment/emissions/co2_vol_mass.cfm',
} as const satisfies Source;
const EIA_FAQ = {
  publisher: EIA,
  title: 'Frequently Asked Questions',
  year: 2015,
  verification: 'publisher',
  address: 'http://www.eia.gov/tools/faqs/faq.cfm?id=307&t=9',
} as const satisfies Source;
const SIERRA_CLUB = {
  publisher: 'Sierra Club',
  title: 'Hey Mr. Green',
  year: 2017,
  verification: 'computed',
  address:
    'https://www.sierraclub.org/sierra/ask-mr-green/hey-mr-green-how-much-co2-generated-producing-and-transporting-gallon-gas',
} as const satisfies Source;
const UK_2025 = {
  publisher: UK,
  title: 'Greenhouse gas reporting: conversion factors 2025',
  year: 2025,
  verification: 'copy',
  address:
    'https://github.com/scope3emissiontest-oss/JulesProject/blob/6cec8668396f94176f53bd1bc86fa5ebd2ba5cfc/defra_factors_2025_v2/category_business_travel_air.csv',
} as const satisfies Source;
const UK_2023 = {
  publisher: UK,
  title: 'Greenhouse gas reporting: conversion factors 2023',
  year: 2023,
  verification: 'copy',
  address: 'https://github.com/filcuk/ghg_conversion_factors',
} as const satisfies Source;
const FUND_FAQ = {
  publisher: 'Finger Lakes Climate Fund',
  title: 'FAQ',
  year: 2026,
  verification: 'publisher',
  address: 'https://fingerlakesclimatefund.org/faq/',
} as const satisfies Source;
const FUND_CODE = {
  publisher: 'Sustainable Tompkins',
  title: 'carbon-calculator',
  year: 2026,
  verification: 'copy',
  address: 'https://github.com/sustainabletompkins/carbon-calculator',
} as const satisfies Source;

/** EPA's electricity tables, by year. */
export const ELECTRICITY_SOURCES: Readonly<Record<ElectricityYear, Source>> = {
  2023: {
    publisher: EPA,
    title: 'eGRID2023 rev2',
    year: 2023,
    verification: 'publisher',
    address: 'https://www.epa.gov/system/files/documents/2025-06/summary_tables_rev2.xlsx',
  },
  2021: {
    publisher: EPA,
    title: 'eGRID2021',
    year: 2021,
    verification: 'publisher',
    address: 'https://www.epa.gov/system/files/documents/2023-01/eGRID2021_summary_tables.xlsx',
  },
};

/** Limits of the mileage bands of EPA and the UK (3,700 km). The UK’s other band is domestic flights of any length. */
const SHORT_FLIGHT_MILES = 300;
const LONG_FLIGHT_MILES = 2300;
const UK_LONG_FLIGHT_MILES = 2299;
const shortFlights = { maxMilesExclusive: SHORT_FLIGHT_MILES } as const;
const ukShortFlights = { maxMilesExclusive: SHORT_FLIGHT_MILES, flights: m.flightInUk } as const;
const mediumFlights = { minMiles: SHORT_FLIGHT_MILES, maxMilesExclusive: LONG_FLIGHT_MILES } as const;
const longFlights = { minMiles: LONG_FLIGHT_MILES } as const;
const ukMediumFlights = {
  minMiles: SHORT_FLIGHT_MILES,
  maxMilesExclusive: UK_LONG_FLIGHT_MILES,
  flights: m.flightFromUk,
} as const;
const ukLongFlights = { minMiles: UK_LONG_FLIGHT_MILES } as const;

const ukFlights = (source: Source, description: Message, ...[short, medium, long]: (string | undefined)[]) => [
  ...(short === undefined ? [] : [{ value: short, source, description, ...ukShortFlights }]),
  ...(medium === undefined ? [] : [{ value: medium, source, description, ...ukMediumFlights }]),
  ...(long === undefined ? [] : [{ value: long, source, description, ...ukLongFlights }]),
];

/** Published values for each factor, including those that a set uses. */
export const PUBLISHED_VALUES: Readonly<Record<FactorName, readonly PublishedValue[]>> = {
  carbonPrice: [],
  air: [
    { value: '0.456', source: EPA_HUB, description: m.aboutNoContrails, ...shortFlights },
    { value: '0.284', source: EPA_HUB, description: m.aboutNoContrails, ...mediumFlights },
    { value: '0.359', source: EPA_HUB, description: m.aboutNoContrails, ...longFlights },
    ...ukFlights(UK_2025, m.aboutAverageContrails, '0.813', '0.454', '0.542'),
    ...ukFlights(UK_2025, m.aboutAverageSeat, '0.481', '0.268', '0.321'),
    ...ukFlights(UK_2025, m.aboutEconomyContrails, undefined, '0.446', '0.415'),
    ...ukFlights(UK_2025, m.aboutEconomySeat, undefined, '0.264', '0.246'),
    ...ukFlights(UK_2023, m.aboutAverageContrails, '0.967', '0.660', '0.927'),
  ],
  carFuel: [
    { value: '19.36', source: EPA_HUB },
    { value: '19.60', source: EIA_COEFFICIENTS },
    { value: '19.64', source: EIA_FAQ },
    { value: '22.99', source: SIERRA_CLUB, description: m.aboutFuelMadeLeast },
    { value: '26.34', source: SIERRA_CLUB, description: m.aboutFuelMadeMost },
  ],
  propane: [
    { value: '12.61', source: EPA_HUB },
    { value: '12.70', source: EIA_COEFFICIENTS },
  ],
  electricity: [
    { value: perKilowattHour('NYUP', 2021), source: ELECTRICITY_SOURCES[2021], description: m.aboutUpstate },
    { value: perKilowattHour('NYUP', 2023), source: ELECTRICITY_SOURCES[2023], description: m.aboutUpstate },
    {
      value: perKilowattHour('HIOA', 2021),
      source: ELECTRICITY_SOURCES[2021],
      description: m.aboutHighestRegion2021,
    },
    {
      value: poundsPerKilowattHour(AVERAGE_ELECTRICITY[2023]),
      source: ELECTRICITY_SOURCES[2023],
      description: m.aboutUnitedStates,
    },
    { value: perKilowattHour('PRMS', 2023), source: ELECTRICITY_SOURCES[2023], description: m.aboutHighestRegion },
  ],
  naturalGas: [
    { value: '11.70', source: EPA_HUB },
    { value: '11.70', source: EIA_COEFFICIENTS },
  ],
  fuelOil: [
    { value: '22.51', source: EPA_HUB },
    { value: '22.40', source: EIA_COEFFICIENTS },
  ],
  quickCar: [
    { value: '788', source: EPA_EQUIVALENCIES },
    { value: '861', source: FUND_CODE },
  ],
  quickAir: [{ value: '371', source: FUND_CODE }],
  quickHome: [
    { value: '733', source: FUND_CODE },
    { value: '1371', source: EPA_EQUIVALENCIES },
  ],
};

const NOTES: Readonly<Record<FactorName, Message>> = {
  carbonPrice: m.noteCarbonPrice,
  air: m.noteAir,
  carFuel: m.noteCarFuel,
  propane: m.notePropane,
  electricity: m.noteElectricity,
  naturalGas: m.noteNaturalGas,
  fuelOil: m.noteFuelOil,
  quickCar: m.noteQuickCar,
  quickAir: m.noteQuickAir,
  quickHome: m.noteQuickHome,
};

/** Sources of the specification's values. The other values were not found in any publication. */
const SPECIFIED_SOURCES: Partial<Record<FactorName, Source>> = {
  carbonPrice: FUND_FAQ,
  electricity: ELECTRICITY_SOURCES[2021],
};

function specifiedFactor(name: FactorName): Factor {
  const source = SPECIFIED_SOURCES[name];
  return { value: EMISSION_FACTORS[name].value, note: NOTES[name], ...(source ? { source } : {}) };
}

/** The default: the constants of the specification (§9). */
export const SPECIFIED_SET: FactorSet = {
  version: FACTORS_VERSION,
  factors: mapFactors(specifiedFactor),
};

const fuelFactors = (
  source: Source,
  [carFuel, propane, naturalGas, fuelOil]: readonly [string, string, string, string],
) => ({
  carFuel: { value: carFuel, source, note: m.noteBurningOnly },
  propane: { value: propane, source, note: m.noteBurningOnly },
  naturalGas: { value: naturalGas, source, note: m.noteBurningOnly },
  fuelOil: { value: fuelOil, source, note: m.noteBurningOnly },
});

/** Published factors for fuels. */
export const PUBLISHED_FUELS = {
  epa: fuelFactors(EPA_HUB, ['19.36', '12.61', '11.70', '22.51']),
  eia: fuelFactors(EIA_COEFFICIENTS, ['19.60', '12.70', '11.70', '22.40']),
} as const;

/** Published factors for flights, by length. */
export const PUBLISHED_FLIGHTS = {
  epa: {
    value: '0.359',
    shortFlights: [
      { maxMilesExclusive: SHORT_FLIGHT_MILES, value: '0.456' },
      { maxMilesExclusive: LONG_FLIGHT_MILES, value: '0.284' },
    ],
    source: EPA_HUB,
    note: m.noteFlightsByLength,
  },
} as const satisfies Readonly<Record<string, Factor>>;

/** An organization's own number, and its source. */
export type CustomNumber = {
  readonly value: string;
  readonly publisher: string;
  readonly year: number;
  readonly address: string;
};

/** Factors for which an organization can enter its own number. The price is set separately, in dollars per ton. */
export const CUSTOMIZABLE_FACTORS = FACTOR_NAMES.filter((name): name is CustomizableFactor => name !== 'carbonPrice');
export type CustomizableFactor = Exclude<FactorName, 'carbonPrice'>;

/** Limits for an organization's own entries. */
export const MAX_FACTOR_REASON_LENGTH = 500;
export const MAX_PUBLISHER_LENGTH = 150;
export const MAX_ADDRESS_LENGTH = 500;
export const OLDEST_SOURCE_YEAR = 1990;
/** Dollars. */
export const TON_PRICE = { minimum: 1, maximum: 1000 } as const;
/** At most 6 digits before and 6 after the decimal point. */
export const NUMBER_PATTERN = /^\d{1,6}(?:\.\d{1,6})?$/;

/** The largest ratio between an organization's number and the specification's. A wrong unit is off by a factor of 1000. */
export const MAX_RATIO = 20;

export function isPlausible(name: CustomizableFactor, value: string): boolean {
  const ratio = Number(value) / Number(EMISSION_FACTORS[name].value);
  return ratio >= 1 / MAX_RATIO && ratio <= MAX_RATIO;
}

/** An organization's choices. All other values are the specification's. */
export type FactorChoice = {
  readonly fuels?: keyof typeof PUBLISHED_FUELS | undefined;
  readonly flights?: keyof typeof PUBLISHED_FLIGHTS | undefined;
  readonly electricity?: { readonly region: ElectricityRegion; readonly year: ElectricityYear } | undefined;
  /** At most 2 decimals. */
  readonly dollarsPerTon?: number | undefined;
  readonly customFactors?: { readonly [Name in CustomizableFactor]?: CustomNumber | undefined } | undefined;
};

/** Creates a complete set. Its version lists the choices: "2026-1 fuels-epa flights-epa NYUP-2023". */
export function createFactorSet({
  fuels,
  flights,
  electricity,
  dollarsPerTon,
  customFactors = {},
}: FactorChoice): FactorSet {
  const version = [
    FACTORS_VERSION,
    ...(fuels ? [`fuels-${fuels}`] : []),
    ...(flights ? [`flights-${flights}`] : []),
    ...(electricity ? [`${electricity.region}-${electricity.year}`] : []),
  ].join(' ');
  const factors: Record<FactorName, Factor> = {
    ...SPECIFIED_SET.factors,
    ...(fuels ? PUBLISHED_FUELS[fuels] : {}),
    ...(flights ? { air: PUBLISHED_FLIGHTS[flights] } : {}),
    ...(electricity ? { electricity: regionFactor(electricity.region, electricity.year) } : {}),
    ...(dollarsPerTon === undefined ? {} : { carbonPrice: customPrice(dollarsPerTon) }),
  };
  for (const name of CUSTOMIZABLE_FACTORS) {
    const number = customFactors[name];
    if (number) factors[name] = customFactor(number);
  }
  return { version, factors };
}

function regionFactor(region: ElectricityRegion, year: ElectricityYear): Factor {
  return { value: perKilowattHour(region, year), source: ELECTRICITY_SOURCES[year], note: m.noteRegion, region };
}

function customFactor({ value, ...source }: CustomNumber): Factor {
  return { value, source: { ...source, verification: 'organization' }, note: m.noteOwnNumber, isCustom: true };
}

function customPrice(dollarsPerTon: number): Factor {
  return { value: perPound(dollarsPerTon), note: m.noteOwnPrice, isCustom: true };
}

/** Exact dollars per pound; a ton has 2,000 pounds. 25 → "0.0125" */
function perPound(dollarsPerTon: number): string {
  const { units, scale } = decimal(dollarsPerTon);
  // A ton has 2,000 pounds, so each dollar per ton is five ten-thousandths of a dollar per pound.
  return toText({ units: units * 5n, scale: scale + 4 }).replace(/\.?0+$/, '');
}

/** An organization's chosen set. It includes the values at that time, in case the tables in the code change. */
export type OrgFactorSet = VersionedFactors & { readonly choice: FactorChoice };

export type DatedFactorSet = OrgFactorSet & {
  /** When it took effect. */
  readonly effectiveDate: string;
  /** The organization's own reason. */
  readonly reason: string;
};

/** Adds the values to a chosen set. */
export function withValues<OrgSet extends Omit<OrgFactorSet, 'factors'>>(orgSet: OrgSet): OrgSet & OrgFactorSet {
  const { factors } = createFactorSet(orgSet.choice);
  const values = mapFactors((name) => {
    const { value, shortFlights } = factors[name];
    return { value, ...(shortFlights ? { shortFlights } : {}) };
  });
  return { ...orgSet, factors: values };
}

/** Adds factors that were introduced after a set was stored, with the values of its choice. */
export function addMissingFactors<StoredSet extends OrgFactorSet>(storedSet: StoredSet): StoredSet {
  return { ...storedSet, factors: { ...withValues(storedSet).factors, ...storedSet.factors } };
}

/** An organization's complete set, with sources and notes. @param orgSet undefined for the default */
export function completeSet(orgSet: OrgFactorSet | undefined): FactorSet {
  if (!orgSet) return SPECIFIED_SET;
  const { factors } = createFactorSet(orgSet.choice);
  return { version: orgSet.version, factors: mapFactors((name) => ({ ...factors[name], ...orgSet.factors[name] })) };
}

/** Lists the factors that differ between two sets: "Electricity 0.233 → 0.428464". */
export function describeChanges(
  before: VersionedFactors,
  after: VersionedFactors,
  options?: InLanguage,
): readonly string[] {
  const formatValues = ({ value, shortFlights: shorterFlights = [] }: FactorValues['air']) =>
    [...shorterFlights.map((flights) => flights.value), value].join(' / ');
  return FACTOR_NAMES.flatMap((name) => {
    const [oldText, newText] = [formatValues(before.factors[name]), formatValues(after.factors[name])];
    return oldText === newText ? [] : [`${factorTitle(name, options)} ${oldText} → ${newText}`];
  });
}

function perKilowattHour(region: ElectricityRegion, year: ElectricityYear): string {
  return poundsPerKilowattHour(ELECTRICITY_REGIONS[region][year]);
}

/** Published values of a factor; for flights, only those that apply to the miles, one way. */
export function publishedValues(name: FactorName, miles?: number): readonly PublishedValue[] {
  if (miles === undefined) return PUBLISHED_VALUES[name];
  return PUBLISHED_VALUES[name].filter(
    ({ minMiles = 0, maxMilesExclusive = Number.POSITIVE_INFINITY }) => miles >= minMiles && miles < maxMilesExclusive,
  );
}

/** The lowest or highest published value of each factor. A factor without published values keeps the set's own. */
export function extremeFactors({ factors }: FactorSet, extreme: 'lowest' | 'highest', miles?: number): FactorValues {
  return mapFactors((name) => {
    const values = publishedValues(name, miles).map(({ value }) => Number(value));
    if (values.length === 0) return { value: factors[name].value };
    return { value: String(extreme === 'lowest' ? Math.min(...values) : Math.max(...values)) };
  });
}

function mapFactors<Value>(valueFor: (name: FactorName) => Value): Readonly<Record<FactorName, Value>> {
  return Object.fromEntries(FACTOR_NAMES.map((name) => [name, valueFor(name)])) as Record<FactorName, Value>;
}

const UNITS: Readonly<Record<FactorName, Message>> = {
  carbonPrice: m.perPound,
  air: m.perMile,
  carFuel: m.perGallon,
  propane: m.perGallon,
  electricity: m.perKilowattHour,
  naturalGas: m.perTherm,
  fuelOil: m.perGallon,
  quickCar: m.perMonth,
  quickAir: m.perMonth,
  quickHome: m.perMonth,
};

/** "pounds per gallon" */
export function factorUnit(name: FactorName, options?: InLanguage): string {
  return UNITS[name]({}, options);
}

const TITLES: Readonly<Record<FactorName, Message>> = {
  carbonPrice: m.factorCarbonPrice,
  air: m.factorAir,
  carFuel: m.factorCarFuel,
  propane: m.fuelPropane,
  electricity: m.fuelElectricity,
  naturalGas: m.fuelGas,
  fuelOil: m.fuelOil,
  quickCar: m.factorQuickCar,
  quickAir: m.factorQuickAir,
  quickHome: m.factorQuickHome,
};

/** "Gasoline" */
export function factorTitle(name: FactorName, options?: InLanguage): string {
  return TITLES[name]({}, options);
}
