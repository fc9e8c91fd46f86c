import { AMOUNT_PARAMETER, presetAmount, quickOfText, quickText } from '#contract/embed.ts';
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
  SPECIFIED,
  type UsedFactors,
} from '#domain/emissions.ts';
import { formatWhole } from '#domain/money.ts';
import { type InLanguage, m } from '#messages';

/** Quick is an average of a month, a quarter or a year. */
export const EMBED_KINDS = [...OFFSET_TYPES, 'quick'] as const;
export type EmbedKind = (typeof EMBED_KINDS)[number];

/** What the form of one kind asks for, with what is filled in at first. */
export const EMBED_FIELDS = {
  car: { miles: '', mpg: String(DEFAULT_MPG) },
  air: { miles: '', travelers: String(DEFAULT_TRAVELERS) },
  home: Object.fromEntries(Object.keys(FUEL_FACTORS).map((fuel) => [fuel, ''])),
  quick: { type: 'car', time: 'year' },
} as const satisfies Readonly<Record<EmbedKind, Readonly<Record<string, string>>>>;

export const MOST = 10_000_000;

export type EmbedForm = {
  readonly what: EmbedKind;
  readonly fields: Readonly<Record<string, string>>;
  readonly roundtrip: boolean;
  /** Whether it was filled in and sent. */
  readonly isSent: boolean;
  /** Of the donation that is suggested, in whole dollars. */
  readonly amount: string | undefined;
};

/** @param sent the query of the page's address, which anyone can make up */
export function formOf(sent: Readonly<Record<string, unknown>>): EmbedForm {
  const what = EMBED_KINDS.find((kind) => kind === sent.what) ?? 'car';
  const names = Object.entries(EMBED_FIELDS[what]);
  const isSent = names.some(([name]) => typeof sent[name] === 'string');
  const fields = names.map(([name, first]) => {
    const text = sent[name];
    return [name, typeof text === 'string' && text.length <= 20 ? text.trim() : isSent ? '' : first] as const;
  });
  const roundtrip = !isSent || sent.roundtrip === 'on';
  return { what, fields: Object.fromEntries(fields), roundtrip, isSent, amount: presetAmount(sent[AMOUNT_PARAMETER]) };
}

export type EmbedEstimate = {
  /** Pounds. */
  readonly carbon: number;
  /** Dollars. */
  readonly cost: number;
  /** By which the group page has the same estimate (src/web/routes/home/group/group-estimate.ts). */
  readonly groupText: string;
};

/** @returns undefined for what is no choice of the form */
function quickEstimate({ type, time }: EmbedForm['fields'], used: UsedFactors): EmbedEstimate | undefined {
  const quick = quickOfText(`quick-${type}-${time}`);
  if (!quick) return undefined;
  const carbon = quickCarbon(quick, used.factors);
  return { carbon, cost: offsetItem(quick.type, carbon, used).cost, groupText: quickText(quick) };
}

/**
 * @param used what the organization computes with
 * @returns undefined where an amount is missing, too large or none, or all of it comes to nothing
 */
export function estimateOf(
  { what, fields, roundtrip }: EmbedForm,
  options: InLanguage,
  used = SPECIFIED,
): EmbedEstimate | undefined {
  if (what === 'quick') return quickEstimate(fields, used);
  const numbers = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, text === '' ? undefined : Number(text)]),
  );
  if (Object.values(numbers).some((value) => value !== undefined && !(value >= 0 && value <= MOST))) return undefined;
  const { miles = 0, mpg, travelers = 0 } = numbers;
  if (what !== 'home' && miles === 0) return undefined;
  if (what === 'air' && (travelers === 0 || !Number.isInteger(travelers))) return undefined;
  if (mpg === 0) return undefined;
  const carbon = {
    car: () => carCarbon({ miles, mpg: mpg ?? DEFAULT_MPG, roundtrip }, used.factors),
    air: () => airCarbon({ miles, travelers, roundtrip }, used.factors),
    home: () => homeCarbon(numbers, used.factors),
  }[what]();
  if (carbon === 0) return undefined;
  const label = what === 'home' ? '' : `${formatWhole(miles)} ${m.unitMiles({}, options)}`;
  const count = what === 'air' ? fields.travelers : '1';
  const energy = Object.keys(FUEL_FACTORS).map((fuel) => fields[fuel] ?? '');
  const row = [
    what,
    roundtrip && what !== 'home' ? 1 : 0,
    label,
    count,
    fields.miles ?? '',
    fields.mpg ?? '',
    ...energy,
  ];
  const text = JSON.stringify([offsetTitle(what, options), row]);
  return {
    carbon,
    cost: offsetItem(what, carbon, used).cost,
    groupText: Buffer.from(text).toString('base64url'),
  };
}
