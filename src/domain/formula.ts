import { type InLanguage, m } from '#messages';
import { decimal, multiply, toNumber } from './decimal.ts';
import {
  type AirTravel,
  airCarbon,
  type CarTravel,
  carCarbon,
  EMISSION_FACTORS,
  FACTOR_NAMES,
  type FactorName,
  FUEL_FACTORS,
  flightFactor,
  type HomeEnergy,
  homeCarbon,
  QUICK_FACTORS,
  QUICK_MONTHS,
  type QuickEstimate,
  quickCarbon,
} from './emissions.ts';
import { formatPounds } from './money.ts';

/** Inputs of a calculator; `repetitions` is the number of cars or bills. */
export type Calculation =
  | ({ readonly kind: 'air' } & AirTravel)
  | ({ readonly kind: 'car'; readonly repetitions?: number } & CarTravel)
  | { readonly kind: 'home'; readonly energy: Partial<HomeEnergy>; readonly repetitions?: number }
  | ({ readonly kind: 'quick' } & QuickEstimate);

/**
 * Pounds of carbon.
 * @throws Failure if the formula rejects the input
 */
export function calculateCarbon(calculation: Calculation, factors = EMISSION_FACTORS): number {
  switch (calculation.kind) {
    case 'air':
      return airCarbon(calculation, factors);
    case 'car':
      return multiplyCarbon(carCarbon(calculation, factors), calculation.repetitions);
    case 'home':
      return multiplyCarbon(homeCarbon(calculation.energy, factors), calculation.repetitions);
    case 'quick':
      return quickCarbon(calculation, factors);
  }
}

function multiplyCarbon(carbon: number, times = 1): number {
  return toNumber(multiply(decimal(carbon), decimal(times)));
}

const FUELS = Object.keys(FUEL_FACTORS) as (keyof HomeEnergy)[];

/** Factors that a calculation uses, in the order of FACTOR_NAMES. */
export function findUsedFactors(calculation: Calculation): FactorName[] {
  const usedNames = unorderedFactors(calculation);
  return FACTOR_NAMES.filter((name) => usedNames.includes(name));
}

function unorderedFactors(calculation: Calculation): readonly FactorName[] {
  if (calculation.kind === 'air') return ['air'];
  if (calculation.kind === 'car') return ['carFuel'];
  if (calculation.kind === 'quick') return [QUICK_FACTORS[calculation.type]];
  return FUELS.filter((fuel) => (calculation.energy[fuel] ?? 0) > 0).map((fuel) => FUEL_FACTORS[fuel]);
}

/** "2 travelers × 3,450 miles × 0.56 lb × 2 (round trip) = 7,728.00 lb" */
export function formatFormula(calculation: Calculation, factors = EMISSION_FACTORS, options?: InLanguage): string {
  const carbon = calculateCarbon(calculation, factors);
  return `${formatTerms(calculation, factors, options)} = ${addPoundsUnit(formatPounds(carbon), options)}`;
}

function formatTerms(calculation: Calculation, factors: typeof EMISSION_FACTORS, options?: InLanguage): string {
  switch (calculation.kind) {
    case 'air': {
      const { travelers, miles, roundtrip } = calculation;
      const people = m.enteredTravelers({ count: travelers, travelers: formatNumber(travelers) }, options);
      const factor = addPoundsUnit(flightFactor(factors, miles), options);
      return [
        people,
        m.enteredMiles({ miles: formatNumber(miles) }, options),
        factor,
        ...roundTripFactor(roundtrip, options),
      ].join(' × ');
    }
    case 'car': {
      const { miles, mpg, roundtrip, repetitions = 1 } = calculation;
      const distance = m.enteredMiles({ miles: formatNumber(miles) }, options);
      const fuel = `${distance} ÷ ${m.enteredMpg({ mpg: formatNumber(mpg) }, options)}`;
      const cars =
        repetitions === 1 ? [] : [m.formulaCars({ count: repetitions, cars: formatNumber(repetitions) }, options)];
      return [
        ...cars,
        fuel,
        addPoundsUnit(factors.carFuel.value, options),
        ...roundTripFactor(roundtrip, options),
      ].join(' × ');
    }
    case 'home': {
      const { energy, repetitions = 1 } = calculation;
      const parts = FUELS.filter((fuel) => (energy[fuel] ?? 0) > 0).map((fuel) => {
        const amount = formatNumber(energy[fuel] ?? 0);
        return `${FUEL_TEXTS[fuel](amount, options)} × ${addPoundsUnit(factors[FUEL_FACTORS[fuel]].value, options)}`;
      });
      const sum = parts.join(' + ');
      return repetitions === 1
        ? sum
        : `${m.formulaBills({ count: repetitions, bills: formatNumber(repetitions) }, options)} × (${sum})`;
    }
    case 'quick': {
      const months = QUICK_MONTHS[calculation.time];
      const base = addPoundsUnit(formatNumber(Number(factors[QUICK_FACTORS[calculation.type]].value)), options);
      return `${base} × ${m.formulaMonths({ count: months, months: formatNumber(months) }, options)}`;
    }
  }
}

const FUEL_TEXTS: Readonly<Record<keyof HomeEnergy, (amount: string, options?: InLanguage) => string>> = {
  propane: (amount, options) => m.formulaPropane({ amount }, options),
  electricity: (amount, options) => m.formulaElectricity({ amount }, options),
  gas: (amount, options) => m.formulaGas({ amount }, options),
  oil: (amount, options) => m.formulaOil({ amount }, options),
};

function roundTripFactor(roundtrip: boolean, options?: InLanguage): string[] {
  return roundtrip ? [m.formulaRoundTrip({}, options)] : [];
}

function addPoundsUnit(amount: string, options?: InLanguage): string {
  return m.formulaPounds({ pounds: amount }, options);
}

/** "1,234.5", with every decimal that was entered. */
function formatNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 10 });
}
