import { AMOUNT_PARAMETER, formatQuickEstimate, parseQuickEstimate, parseSuggestedAmount } from '#contract/embed.ts';
import { offsetItem } from '#domain/cart.ts';
import {
  airCarbon,
  carCarbon,
  DEFAULT_MPG,
  DEFAULT_TRAVELERS,
  FUEL_FACTORS,
  homeCarbon,
  OFFSET_TYPES,
  offsetTitle,
  quickCarbon,
  SPECIFIED_FACTORS,
  type VersionedFactors,
} from '#domain/emissions.ts';
import { formatWhole } from '#domain/money.ts';
import { type InLanguage, m } from '#messages';

/** `quick` uses averages for a month, a quarter, or a year. */
export const EMBED_CALCULATORS = [...OFFSET_TYPES, 'quick'] as const;
export type EmbedCalculator = (typeof EMBED_CALCULATORS)[number];

/** The fields of each form with their initial values. */
export const EMBED_FIELDS = {
  car: { miles: '', mpg: String(DEFAULT_MPG) },
  air: { miles: '', travelers: String(DEFAULT_TRAVELERS) },
  home: Object.fromEntries(Object.keys(FUEL_FACTORS).map((fuel) => [fuel, ''])),
  quick: { type: 'car', time: 'year' },
} as const satisfies Readonly<Record<EmbedCalculator, Readonly<Record<string, string>>>>;

export const MAX_FIELD_VALUE = 10_000_000;

export type EmbedForm = {
  readonly calculator: EmbedCalculator;
  readonly fields: Readonly<Record<string, string>>;
  readonly roundtrip: boolean;
  readonly isSubmitted: boolean;
  /** Suggested donation in whole dollars. */
  readonly amount: string | undefined;
};

/** Parses the query of the page's address, which can contain anything. */
export function parseEmbedForm(query: Readonly<Record<string, unknown>>): EmbedForm {
  const calculator = EMBED_CALCULATORS.find((kind) => kind === query.what) ?? 'car';
  const names = Object.entries(EMBED_FIELDS[calculator]);
  const isSubmitted = names.some(([name]) => typeof query[name] === 'string');
  const fields = names.map(([name, initial]) => {
    const text = query[name];
    return [name, typeof text === 'string' && text.length <= 20 ? text.trim() : isSubmitted ? '' : initial] as const;
  });
  return {
    calculator,
    fields: Object.fromEntries(fields),
    roundtrip: !isSubmitted || query.roundtrip === 'on',
    isSubmitted,
    amount: parseSuggestedAmount(query[AMOUNT_PARAMETER]),
  };
}

export type EmbedEstimate = {
  /** Pounds. */
  readonly carbon: number;
  /** Dollars. */
  readonly cost: number;
  /** Encodes the same estimate for the group page (src/web/routes/home/group/group-estimate.ts). */
  readonly groupText: string;
};

/** @returns undefined for a value that isn't a choice of the form */
function computeQuickEstimate(
  { type, time }: EmbedForm['fields'],
  factorSet: VersionedFactors,
): EmbedEstimate | undefined {
  const quick = parseQuickEstimate(`quick-${type}-${time}`);
  if (!quick) return undefined;
  const carbon = quickCarbon(quick, factorSet.factors);
  return { carbon, cost: offsetItem(quick.type, carbon, factorSet).cost, groupText: formatQuickEstimate(quick) };
}

/**
 * Computes the estimate of a submitted form.
 * @param factorSet the organization's factors
 * @returns undefined if a value is missing, invalid, or too large, or the estimate is 0 pounds
 */
export function computeEstimate(
  { calculator, fields, roundtrip }: EmbedForm,
  options: InLanguage,
  factorSet = SPECIFIED_FACTORS,
): EmbedEstimate | undefined {
  if (calculator === 'quick') return computeQuickEstimate(fields, factorSet);
  const { factors } = factorSet;
  const numbers = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, text === '' ? undefined : Number(text)]),
  );
  if (Object.values(numbers).some((value) => value !== undefined && !(value >= 0 && value <= MAX_FIELD_VALUE)))
    return undefined;
  const { miles = 0, mpg, travelers = 0 } = numbers;
  if (calculator !== 'home' && miles === 0) return undefined;
  if (calculator === 'air' && (travelers === 0 || !Number.isInteger(travelers))) return undefined;
  if (mpg === 0) return undefined;
  const carbon = {
    car: () => carCarbon({ miles, mpg: mpg ?? DEFAULT_MPG, roundtrip }, factors),
    air: () => airCarbon({ miles, travelers, roundtrip }, factors),
    home: () => homeCarbon(numbers, factors),
  }[calculator]();
  if (carbon === 0) return undefined;
  const label = calculator === 'home' ? '' : `${formatWhole(miles)} ${m.unitMiles({}, options)}`;
  const count = calculator === 'air' ? fields.travelers : '1';
  const energy = Object.keys(FUEL_FACTORS).map((fuel) => fields[fuel] ?? '');
  const row = [
    calculator,
    roundtrip && calculator !== 'home' ? 1 : 0,
    label,
    count,
    fields.miles ?? '',
    fields.mpg ?? '',
    ...energy,
  ];
  const text = JSON.stringify([offsetTitle(calculator, options), row]);
  return {
    carbon,
    cost: offsetItem(calculator, carbon, factorSet).cost,
    groupText: Buffer.from(text).toString('base64url'),
  };
}
