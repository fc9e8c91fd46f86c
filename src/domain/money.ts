import { type Decimal, decimal, round, toNumber, toText, toUnits } from './decimal.ts';

declare const unit: unique symbol;

/** A number with a unit. Units can't be mixed up, but a plain number is accepted, so literals and sums don't need a cast. */
type InUnit<Unit extends string> = number & { readonly [unit]?: Unit };

/** The only currency of payments and books. */
export const CURRENCY = 'usd';

/** Whole US cents. */
export type Cents = InUnit<'cents'>;

/** US dollars with at most 4 decimals. */
export type Dollars = InUnit<'dollars'>;

/** Pounds of carbon dioxide with at most 4 decimals. */
export type Pounds = InUnit<'pounds'>;

/** Ten-thousandths of a pound of carbon dioxide. */
export type TenThousandthsOfPound = InUnit<'ten-thousandths of a pound'>;

/** Decimals of a stored cost or carbon amount (§9). */
export const STORED_DECIMALS = 4;

/** The charge for a cost in dollars: rounded to whole cents, at least one (decisions §2). */
export function toChargedCents(cost: Dollars): Cents {
  return Math.max(1, toUnits(decimal(cost), 2));
}

/** Converts pounds with up to 4 decimal places to ten-thousandths. */
export function toTenThousandths(carbon: Pounds): TenThousandthsOfPound {
  return toUnits(decimal(carbon), STORED_DECIMALS);
}

export function toDollars(cents: Cents): Dollars {
  return toNumber({ units: BigInt(cents), scale: 2 });
}

export function toPounds(carbon: TenThousandthsOfPound): Pounds {
  return toNumber({ units: BigInt(carbon), scale: STORED_DECIMALS });
}

/** "$1,234.50" for 123450 cents. */
export function formatCents(cents: Cents): string {
  const sign = cents < 0 ? '-' : '';
  return `${sign}$${addThousandsSeparators(toText({ units: BigInt(Math.abs(cents)), scale: 2 }))}`;
}

/** "$100" for 10000 cents and "$103.30" for 10330, in sentences. */
export function formatAmount(cents: Cents): string {
  return formatCents(cents).replace(/\.00$/, '');
}

/** "1234.50" for 123450 cents, for spreadsheets. */
export function formatCentsForFile(cents: Cents): string {
  return toText({ units: BigInt(cents), scale: 2 });
}

/** "$12.50" for 12.5 dollars, "$1.5213" for 1.5213: 2 decimals, or 4 if needed. */
export function formatDollars(dollars: Dollars): string {
  const value = decimal(Math.abs(dollars));
  return `${dollars < 0 ? '-' : ''}$${addThousandsSeparators(toText(round(value, decimalPlaces(value) <= 2 ? 2 : STORED_DECIMALS)))}`;
}

/** "$18,234" for 18234.4 dollars: home stats are whole numbers (§9). */
export function formatWholeDollars(dollars: Dollars): string {
  const wholeDollars = formatWhole(dollars);
  return wholeDollars.startsWith('-') ? `-$${wholeDollars.slice(1)}` : `$${wholeDollars}`;
}

/** "3,864.00" for pounds, with exactly `places` decimals. */
export function formatPounds(carbon: Pounds, places = 2): string {
  return addThousandsSeparators(toText(round(decimal(carbon), places)));
}

/** "1,234" for a count: home stats are whole numbers (§9). */
export function formatWhole(value: number): string {
  return addThousandsSeparators(toText(round(decimal(value), 0)));
}

/** "1,234.5": all of the number's decimals. */
export function formatNumber(value: number): string {
  return addThousandsSeparators(toText(decimal(value)));
}

/** @returns whether a number has at most the 4 stored decimals */
export function fitsStoredDecimals(value: number): boolean {
  return Number.isFinite(value) && decimalPlaces(decimal(value)) <= STORED_DECIMALS;
}

function decimalPlaces(value: Decimal): number {
  const fraction = toText(value).split('.')[1] ?? '';
  return fraction.replace(/0+$/, '').length;
}

function addThousandsSeparators(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
