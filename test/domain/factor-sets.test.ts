// @spec decisions.2
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AVERAGE_ELECTRICITY,
  ELECTRICITY_REGIONS,
  ELECTRICITY_YEARS,
  poundsPerKilowattHour,
} from '#domain/electricity-regions.ts';
import {
  airCarbon,
  carCarbon,
  EMISSION_FACTORS,
  FACTOR_NAMES,
  type FactorValues,
  flightFactor,
  homeCarbon,
  quickCarbon,
  SPECIFIED_FACTORS,
} from '#domain/emissions.ts';
import { exampleEffect, FACTOR_EXAMPLES } from '#domain/factor-examples.ts';
import {
  addMissingFactors,
  completeSet,
  createFactorSet,
  describeChanges,
  ELECTRICITY_SOURCES,
  extremeFactors,
  factorTitle,
  factorUnit,
  isPlausible,
  PUBLISHED_FLIGHTS,
  PUBLISHED_FUELS,
  PUBLISHED_VALUES,
  publishedValues,
  SPECIFIED_SET,
  VERIFICATIONS,
  withValues,
} from '#domain/factor-sets.ts';
import { LANGUAGES } from '#messages';
import { EXAMPLE_FLIGHT, estimateAir } from '#web/routes/home/calculator/estimates.ts';

// These tables were copied from the publications independently of the program. `publisher` means the value was read
// from the publisher's own page or file, `copy` from a transcription, and `computed` calculated from such values.

/** Pounds per megawatt-hour: EPA eGRID2021 and eGRID2023 rev2, CO2 total output emission rate. */
const EGRID = `
  AKGD    1067.68   899.633
  AKMS    485.186   520.483
  AZNM    819.656   703.703
  CAMX    531.678   428.464
  ERCT    813.552   733.862
  FRCC    832.924   782.262
  HIMS   1134.391  1123.371
  HIOA   1633.097  1489.548
  MROE   1582.135  1397.313
  MROW     995.79    920.13
  NEWE    539.367   539.275
  NWPP    634.599   631.735
  NYCW    816.756   864.469
  NYLI    1210.94  1180.672
  NYUP    233.081   242.089
  PRMS   1558.024  1543.073
  RFCE    672.787   596.904
  RFCM   1214.061   970.617
  RFCW   1046.132   911.424
  RMPA    1158.86  1036.601
  SPNO    991.729   861.999
  SPSO   1031.601   872.042
  SRMV    772.737    739.72
  SRMW   1543.034  1239.839
  SRSO    891.907   842.329
  SRTV    931.586   898.079
  SRVC    639.665   593.419
  US        852.3   767.209
`;

/** Pounds of CO2 from combustion only: EPA Emission Factors Hub 2025 (January 15, 2025), and EIA, February 2016. */
const FUELS = [
  // pounds per unit: EPA, EIA
  ['carFuel', '19.36', '19.60'],
  ['propane', '12.61', '12.70'],
  ['fuelOil', '22.51', '22.40'],
  ['naturalGas', '11.70', '11.70'],
] as const;

/** Published values for each factor: publisher, year (0 if none), how it was obtained, value. */
const EXPECTED_VALUES: Readonly<Record<string, readonly string[]>> = {
  carbonPrice: [],
  air: [
    'EPA 2025 copy 0.456',
    'EPA 2025 copy 0.284',
    'EPA 2025 copy 0.359',
    'UK 2025 copy 0.813',
    'UK 2025 copy 0.454',
    'UK 2025 copy 0.542',
    'UK 2025 copy 0.481',
    'UK 2025 copy 0.268',
    'UK 2025 copy 0.321',
    'UK 2025 copy 0.446',
    'UK 2025 copy 0.415',
    'UK 2025 copy 0.264',
    'UK 2025 copy 0.246',
    'UK 2023 copy 0.967',
    'UK 2023 copy 0.660',
    'UK 2023 copy 0.927',
  ],
  carFuel: [
    'EPA 2025 copy 19.36',
    'EIA 2016 publisher 19.60',
    'EIA 2015 publisher 19.64',
    // 19.64, plus 3.35 to 6.7 for producing the fuel.
    'Sierra Club 2017 computed 22.99',
    'Sierra Club 2017 computed 26.34',
  ],
  propane: ['EPA 2025 copy 12.61', 'EIA 2016 publisher 12.70'],
  electricity: [
    'EPA 2021 publisher 0.233081',
    'EPA 2023 publisher 0.242089',
    'EPA 2021 publisher 1.633097',
    'EPA 2023 publisher 0.767209',
    'EPA 2023 publisher 1.543073',
  ],
  naturalGas: ['EPA 2025 copy 11.70', 'EIA 2016 publisher 11.70'],
  fuelOil: ['EPA 2025 copy 22.51', 'EIA 2016 publisher 22.40'],
  quickCar: ['EPA 0 computed 788', 'Sustainable Tompkins 2026 copy 861'],
  quickAir: ['Sustainable Tompkins 2026 copy 371'],
  quickHome: ['Sustainable Tompkins 2026 copy 733', 'EPA 0 computed 1371'],
};

const PUBLISHER_ABBREVIATIONS: Readonly<Record<string, string>> = {
  'U.S. Environmental Protection Agency (EPA)': 'EPA',
  'U.S. Energy Information Administration (EIA)': 'EIA',
  'UK Department for Energy Security and Net Zero': 'UK',
};

test('every grid region has the published rate for both years', () => {
  const publishedRates = EGRID.trim()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(/ +/)
        .map((text, column) => (column === 0 ? text : Number(text))),
    );
  const storedRates = Object.entries({ ...ELECTRICITY_REGIONS, US: AVERAGE_ELECTRICITY });
  expect(storedRates.map(([region, rates]) => [region, Number(rates[2021]), Number(rates[2023])])).toEqual(
    publishedRates,
  );
  expect(publishedRates).toHaveLength(28);
  for (const { name, states } of Object.values(ELECTRICITY_REGIONS)) {
    expect(name.length).toBeGreaterThan(6);
    expect(states).toMatch(/^[A-Z]{2}( [A-Z]{2})*$/);
  }
});

test('the published fuels match EPA and EIA', () => {
  for (const [name, epa, eia] of FUELS) {
    expect(PUBLISHED_FUELS.epa[name]).toMatchObject({ value: epa, source: { year: 2025, verification: 'copy' } });
    expect(PUBLISHED_FUELS.eia[name]).toMatchObject({ value: eia, source: { year: 2016, verification: 'publisher' } });
  }
});

test.each([
  [1, '0.456'],
  [299.9, '0.456'],
  [300, '0.284'],
  [2299, '0.284'],
  [2300, '0.359'],
  [9000, '0.359'],
])('EPA’s factor for a flight of %d miles is %s', (miles, value) => {
  expect(flightFactor({ ...EMISSION_FACTORS, air: PUBLISHED_FLIGHTS.epa }, miles)).toBe(value);
  expect(flightFactor(EMISSION_FACTORS, miles)).toBe('0.56');
});

test.each(FACTOR_NAMES)(
  'published values for %s list the value, publisher, year, and how the value was read',
  (name) => {
    const actualValues = PUBLISHED_VALUES[name].map(({ value, source: { publisher, year = 0, verification } }) =>
      [PUBLISHER_ABBREVIATIONS[publisher] ?? publisher, year, verification, value].join(' '),
    );
    expect(actualValues).toEqual(EXPECTED_VALUES[name]);
    for (const { source } of PUBLISHED_VALUES[name]) expect(new URL(source.address).protocol).toMatch(/^https?:$/);
  },
);

test('the default set matches the specification and cites each value’s source or states that none is published', () => {
  for (const name of FACTOR_NAMES) {
    expect(SPECIFIED_SET.factors[name].value).toBe(EMISSION_FACTORS[name].value);
    for (const locale of LANGUAGES) {
      expect(SPECIFIED_SET.factors[name].note({}, { locale }).length).toBeGreaterThan(20);
      expect(factorUnit(name, { locale })).toMatch(/ (per|por) /);
      expect(factorTitle(name, { locale })).not.toBe('');
    }
  }
  const sources = FACTOR_NAMES.map((name) => SPECIFIED_SET.factors[name].source).filter(
    (source) => source !== undefined,
  );
  expect(sources).toEqual([
    expect.objectContaining({ publisher: 'Finger Lakes Climate Fund' }),
    ELECTRICITY_SOURCES[2021],
  ]);
  // 39.28 is exactly twice EIA's 19.64, and 0.233 is EPA's 233.081 after rounding.
  expect(Number(EMISSION_FACTORS.carFuel.value)).toBe(2 * 19.64);
  expect(Math.round(Number(ELECTRICITY_REGIONS.NYUP[2021])) / 1000).toBe(Number(EMISSION_FACTORS.electricity.value));
  expect(Object.keys(VERIFICATIONS)).toEqual(['publisher', 'copy', 'computed', 'organization']);
});

test('formulas give identical results with no set and with the default set', () => {
  const amount = fc.double({ min: 0.001, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(amount, amount, fc.boolean(), (first, second, roundtrip) => {
      const { factors } = createFactorSet({});
      const flight = { travelers: Math.ceil(first), miles: second, roundtrip };
      const drive = { miles: first, mpg: second, roundtrip };
      const home = { propane: first, electricity: second, gas: first, oil: second };
      expect(airCarbon(flight, factors)).toBe(airCarbon(flight));
      expect(carCarbon(drive, factors)).toBe(carCarbon(drive));
      expect(homeCarbon(home, factors)).toBe(homeCarbon(home));
      expect(quickCarbon({ type: 'home', time: 'year' }, factors)).toBe(14_880);
    }),
  );
});

test('New York to Los Angeles and back is 2,772 pounds as specified and 1,777 with EPA’s factors', () => {
  const flight = { travelers: 1, miles: 2475, roundtrip: true };
  expect(airCarbon(flight)).toBe(2772);
  expect(airCarbon(flight, createFactorSet({ flights: 'epa' }).factors)).toBe(1777.05);
});

test('any combination of published values gives a complete set with a unique version', () => {
  const versions = new Set<string>();
  for (const fuels of [undefined, 'epa', 'eia'] as const) {
    for (const flights of [undefined, 'epa'] as const) {
      for (const year of ELECTRICITY_YEARS) {
        const electricity = { region: 'CAMX', year } as const;
        const set = createFactorSet({ electricity, ...(fuels ? { fuels } : {}), ...(flights ? { flights } : {}) });
        versions.add(set.version);
        expect(Object.keys(set.factors).sort()).toEqual([...FACTOR_NAMES].sort());
        expect(set.factors.electricity).toMatchObject({
          source: { year },
          value: { 2021: '0.531678', 2023: '0.428464' }[year],
        });
        expect(set.factors.carFuel.value).toBe(fuels ? { epa: '19.36', eia: '19.60' }[fuels] : '39.28');
      }
    }
  }
  expect(versions.size).toBe(12);
  expect([...versions].every((version) => version.length <= 40)).toBe(true);
  expect(createFactorSet({}).version).toBe('2026-1');
});

test('a flight is compared only with values published for its length', () => {
  expect(publishedValues('air', 100).map(({ value }) => value)).toEqual(['0.456', '0.813', '0.481', '0.967']);
  expect(publishedValues('air', 2475)).toHaveLength(6);
  expect(publishedValues('air')).toHaveLength(16);
  expect(extremeFactors(SPECIFIED_SET, 'lowest', 2475).air.value).toBe('0.246');
  expect(extremeFactors(SPECIFIED_SET, 'highest', 2475).air.value).toBe('0.927');
});

test('the range of published values excludes the set’s own value, unless nothing else is published', () => {
  expect(extremeFactors(SPECIFIED_SET, 'highest').carFuel.value).toBe('26.34');
  expect(extremeFactors(SPECIFIED_SET, 'lowest').carFuel.value).toBe('19.36');
  for (const extreme of ['lowest', 'highest'] as const)
    expect(extremeFactors(SPECIFIED_SET, extreme).carbonPrice.value).toBe('0.0125');
});

const CHOICE_BASE = { version: '2026-1.4' } as const;

test('UK domestic flight values aren’t attributed to a flight length', () => {
  const domesticValues = publishedValues('air').filter(({ flights }) => flights?.() === 'within the UK');
  expect(domesticValues.map(({ value }) => value)).toEqual(['0.813', '0.481', '0.967']);
});

test('chosen factors keep their values and name their sources', () => {
  const customFactor = { value: '13.1', publisher: 'A study', year: 2024, address: 'https://study.example' };
  const choice = {
    fuels: 'epa',
    flights: 'epa',
    electricity: { region: 'CAMX', year: 2023 },
    dollarsPerTon: 27.5,
    customFactors: { naturalGas: customFactor },
  } as const;
  const choiceSet = withValues({ ...CHOICE_BASE, choice });
  const set = completeSet(choiceSet);
  expect(set.version).toBe('2026-1.4');
  expect(set.factors.electricity).toMatchObject({ value: '0.428464', region: 'CAMX', source: { year: 2023 } });
  expect(set.factors.carbonPrice).toMatchObject({ value: '0.01375', isCustom: true });
  expect(set.factors.naturalGas).toMatchObject({
    value: '13.1',
    source: { publisher: 'A study', verification: 'organization' },
  });
  expect(set.factors.carFuel.value).toBe('19.36');
  expect(airCarbon({ travelers: 1, miles: 2475, roundtrip: true }, set.factors)).toBe(1777.05);
  // Stored values apply even if the program's tables change later.
  const changedChoice = { ...choiceSet, factors: { ...choiceSet.factors, electricity: { value: '0.4' } } };
  expect(completeSet(changedChoice).factors.electricity).toMatchObject({ value: '0.4', region: 'CAMX' });
  expect(describeChanges(SPECIFIED_SET, changedChoice)).toEqual([
    'Price of carbon 0.0125 → 0.01375',
    'Flights 0.56 → 0.456 / 0.284 / 0.359',
    'Gasoline 39.28 → 19.36',
    'Propane 12.17 → 12.61',
    'Electricity 0.233 → 0.4',
    'Natural gas 25.2 → 13.1',
    'Fuel oil 22.37 → 22.51',
  ]);
});

test('a factor introduced after a set was stored gets the value for the set’s choice', () => {
  const current = withValues({ ...CHOICE_BASE, choice: { fuels: 'epa' } });
  const { propane, ...earlierFactors } = current.factors;
  const storedSet = { ...current, factors: { ...earlierFactors, carFuel: { value: '19' } } as FactorValues };
  expect(addMissingFactors(storedSet).factors).toEqual({ ...earlierFactors, carFuel: { value: '19' }, propane });
});

test('no choice and an empty choice both give the specification’s set', () => {
  expect(completeSet(undefined)).toBe(SPECIFIED_SET);
  const { factors } = completeSet(withValues({ ...CHOICE_BASE, choice: {} }));
  for (const name of FACTOR_NAMES) expect(factors[name].value).toBe(EMISSION_FACTORS[name].value);
});

test.each([
  [25, '0.0125'],
  [1, '0.0005'],
  [1000, '0.5'],
  [27.55, '0.013775'],
  [30.1, '0.01505'],
])('$%d per ton is exactly $%s per pound', (dollarsPerTon, pricePerPound) => {
  expect(createFactorSet({ dollarsPerTon }).factors.carbonPrice.value).toBe(pricePerPound);
});

test('a number in the wrong unit is implausible', () => {
  expect(isPlausible('electricity', '1.558')).toBe(true);
  expect(isPlausible('electricity', '0.02')).toBe(true);
  expect(isPlausible('electricity', '242.089')).toBe(false);
  expect(isPlausible('electricity', '0')).toBe(false);
});

test('the examples are the calculator’s flight, a drive, a home, and a full-year total', () => {
  const [flight, drive, home, year] = FACTOR_EXAMPLES.map((example) => exampleEffect(example, SPECIFIED_FACTORS));
  expect(flight).toEqual({
    carbon: estimateAir({ ...EXAMPLE_FLIGHT, miles: EXAMPLE_FLIGHT.trip.miles }).item?.carbon,
    charge: 3424,
  });
  expect([drive, home]).toEqual([
    { carbon: 157.12, charge: 196 },
    { carbon: 1651.8, charge: 2065 },
  ]);
  expect(year?.carbon).toBeCloseTo(2739.52 + 15_712 + 19_821.6, 6);
});

test('the range of published electricity values covers every region of the table', () => {
  const published = publishedValues('electricity').map(({ value }) => Number(value));
  for (const region of Object.values(ELECTRICITY_REGIONS)) {
    for (const year of ELECTRICITY_YEARS) {
      const rate = Number(poundsPerKilowattHour(region[year]));
      expect(rate).toBeGreaterThanOrEqual(Math.min(...published));
      expect(rate).toBeLessThanOrEqual(Math.max(...published));
    }
  }
});
