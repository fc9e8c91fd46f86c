/**
 * Exact decimal arithmetic, used for all money and carbon (decisions §2).
 *
 * A JavaScript number is read as the shortest decimal that represents it: 0.0125 is exactly 125 ten-thousandths, not the
 * nearest binary fraction.
 */
export type Decimal = { readonly units: bigint; readonly scale: number };

/** @throws RangeError when the value is not a finite decimal number. */
export function decimal(value: number | string): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d{1,3}))?$/i.exec(String(value));
  if (!match) throw new RangeError(`Not a decimal number: ${value}`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(whole + fraction) * (sign ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export function multiply(...factors: readonly Decimal[]): Decimal {
  return factors.reduce((product, factor) => ({
    units: product.units * factor.units,
    scale: product.scale + factor.scale,
  }));
}

/**
 * Divides and rounds once, half away from zero, to `places` decimals.
 * @throws RangeError when the divisor is zero.
 */
export function divide(dividend: Decimal, divisor: Decimal, places: number): Decimal {
  const numerator = dividend.units * 10n ** BigInt(divisor.scale + places);
  const denominator = divisor.units * 10n ** BigInt(dividend.scale);
  return { units: divideHalfAwayFromZero(numerator, denominator), scale: places };
}

/** Rounds half away from zero to `places` decimals: 1.52125 → 1.5213, −1.52125 → −1.5213. */
export function round(value: Decimal, places: number): Decimal {
  if (value.scale <= places) return { units: unitsAt(value, places), scale: places };
  return { units: divideHalfAwayFromZero(value.units, 10n ** BigInt(value.scale - places)), scale: places };
}

/** Negative, zero, or positive if `a` is less than, equal to, or greater than `b`. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = unitsAt(a, scale) - unitsAt(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The value in units of 10^-places, rounded half away from zero: 1.5213 at 4 places → 15213. */
export function toUnits(value: Decimal, places: number): number {
  const units = Number(round(value, places).units);
  if (!Number.isSafeInteger(units)) throw new RangeError('The number is too large to be exact');
  return units;
}

export function toNumber(value: Decimal): number {
  return Number(toText(value));
}

/** The decimal with all its places: 25 at 2 places → "25.00". */
export function toText({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const wholePart = digits.slice(0, digits.length - scale);
  const sign = units < 0n ? '-' : '';
  return scale === 0 ? `${sign}${wholePart}` : `${sign}${wholePart}.${digits.slice(digits.length - scale)}`;
}

function unitsAt({ units, scale }: Decimal, places: number): bigint {
  return units * 10n ** BigInt(places - scale);
}

function divideHalfAwayFromZero(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n;
  const [n, d] = [numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator];
  const rounded = (2n * n + d) / (2n * d);
  return isNegative ? -rounded : rounded;
}
