import { ELECTRICITY_REGIONS, ELECTRICITY_YEARS, type ElectricityRegion } from '#domain/electricity-regions.ts';
import { POUNDS_PER_TON, SPECIFIED_FACTORS } from '#domain/emissions.ts';
import {
  CUSTOMIZABLE_FACTORS,
  type CustomizableFactor,
  type FactorChoice,
  isPlausible,
  MAX_ADDRESS_LENGTH,
  MAX_RATIO,
  NUMBER_PATTERN,
  OLDEST_SOURCE_YEAR,
  type OrgFactorSet,
  TON_PRICE,
} from '#domain/factor-sets.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { parseNumber } from '#web/ui/parse-number.ts';

/** The organization's own value for a factor, and its source, as typed. */
export type CustomFactorDraft = {
  readonly value: string;
  readonly publisher: string;
  readonly year: string;
  readonly address: string;
};

export const EMPTY_CUSTOM_FACTOR: CustomFactorDraft = { value: '', publisher: '', year: '', address: '' };

/** The form's choices; an empty string means the default. */
export type FactorsDraft = {
  readonly fuels: '' | NonNullable<FactorChoice['fuels']>;
  readonly flights: '' | NonNullable<FactorChoice['flights']>;
  readonly region: '' | ElectricityRegion;
  readonly dollarsPerTon: string;
  readonly customFactors: { readonly [Name in CustomizableFactor]?: CustomFactorDraft };
  readonly reason: string;
};

export const DEFAULT_TON_PRICE = Number(SPECIFIED_FACTORS.factors.carbonPrice.value) * POUNDS_PER_TON;

export function toFactorsDraft(factorSet: OrgFactorSet | undefined): FactorsDraft {
  const { fuels = '', flights = '', electricity, dollarsPerTon, customFactors: choices = {} } = factorSet?.choice ?? {};
  const entries = CUSTOMIZABLE_FACTORS.flatMap((name) => {
    const customFactor = choices[name];
    return customFactor ? [[name, { ...customFactor, year: String(customFactor.year) }] as const] : [];
  });
  return {
    fuels,
    flights,
    region: electricity?.region ?? '',
    dollarsPerTon: dollarsPerTon === undefined ? '' : String(dollarsPerTon),
    customFactors: Object.fromEntries(entries),
    reason: '',
  };
}

/** @returns undefined if a field is invalid or missing */
export function toFactorChoice(draft: FactorsDraft, thisYear: number): FactorChoice | undefined {
  const { fuels, flights, region, dollarsPerTon, customFactors } = draft;
  const names = CUSTOMIZABLE_FACTORS.filter((name) => customFactors[name]);
  const customProblems = names.flatMap((name) =>
    Object.keys(findCustomFactorProblems(name, customFactors[name] ?? EMPTY_CUSTOM_FACTOR, thisYear)),
  );
  if (findTonPriceProblem(dollarsPerTon) || customProblems.length > 0) return undefined;
  const [year] = ELECTRICITY_YEARS;
  const customEntries = names.map((name) => {
    const { value, publisher, year: sourceYear, address } = customFactors[name] ?? EMPTY_CUSTOM_FACTOR;
    const source = { publisher: publisher.trim(), year: Number(sourceYear), address: address.trim() };
    return [name, { value: value.trim(), ...source }];
  });
  const tonPrice = parseNumber(dollarsPerTon);
  return {
    ...(fuels ? { fuels } : {}),
    ...(flights ? { flights } : {}),
    ...(region ? { electricity: { region, year } } : {}),
    ...(typeof tonPrice === 'number' ? { dollarsPerTon: tonPrice } : {}),
    ...(names.length > 0 ? { customFactors: Object.fromEntries(customEntries) as FactorChoice['customFactors'] } : {}),
  };
}

/** Problem with the price of a ton; undefined if it is valid. */
export function findTonPriceProblem(text: string): string | undefined {
  const price = parseNumber(text);
  if (price === 'blank') return undefined;
  const isPrice = typeof price === 'number' && Number.isInteger(Math.round(price * 1e6) / 1e4);
  if (isPrice && price >= TON_PRICE.minimum && price <= TON_PRICE.maximum) return undefined;
  return `Enter $${TON_PRICE.minimum} to $${TON_PRICE.maximum.toLocaleString('en-US')}, with at most 2 decimals.`;
}

export type CustomFactorField = keyof CustomFactorDraft;

/** Problems with a value and its source, by field. A value requires a source. */
export function findCustomFactorProblems(
  name: CustomizableFactor,
  { value, publisher, year, address }: CustomFactorDraft,
  thisYear: number,
): Partial<Record<CustomFactorField, string>> {
  const publishedYear = Number(year);
  const isYear = /^\d{4}$/.test(year.trim()) && publishedYear >= OLDEST_SOURCE_YEAR && publishedYear <= thisYear;
  return problemsByField({
    value: findValueProblem(name, value),
    publisher: publisher.trim() === '' ? 'Who published it?' : undefined,
    year: isYear ? undefined : `Enter a year from ${OLDEST_SOURCE_YEAR} to ${thisYear}.`,
    address: isUrl(address.trim()) ? undefined : 'Enter the web address of the source, beginning with https://.',
  });
}

function findValueProblem(name: CustomizableFactor, value: string): string | undefined {
  if (!NUMBER_PATTERN.test(value.trim())) return 'Please enter a number, with a decimal point if needed.';
  if (!isPlausible(name, value)) return `More than ${MAX_RATIO} times above or below the default. Check the unit.`;
  return undefined;
}

function isUrl(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && /^https?:\/\/[^\s/]+\.[^\s]+$/.test(text) && URL.canParse(text);
}

/** Select options: electricity regions with their states and rates. */
export const REGION_OPTIONS = Object.entries(ELECTRICITY_REGIONS).map(([code, { name, states, ...rates }]) => ({
  value: code,
  label: `${states.split(' ').join(', ')}: ${name} (${code}), ${(Number(rates[ELECTRICITY_YEARS[0]]) / 1000).toFixed(4)} lb per kWh`,
}));
