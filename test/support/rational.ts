/** An exact fraction that doesn't use the program's decimals, so that tests can compare the two. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint };

/** A number with a few decimals, and its value as a fraction. */
export type ExactNumber = { readonly number: number; readonly text: string; readonly rational: Rational };

/** `units` of 10^-scale: 12345 at 2 is 123.45. At most 15 digits, so that the number equals its text. */
export function toExact(units: number, scale: number): ExactNumber {
  const digits = String(Math.abs(units)).padStart(scale + 1, '0');
  const integerPart = digits.slice(0, digits.length - scale);
  const text = `${units < 0 ? '-' : ''}${integerPart}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
  return { number: Number(text), text, rational: { numerator: BigInt(units), denominator: 10n ** BigInt(scale) } };
}

export function times(...factors: readonly Rational[]): Rational {
  return factors.reduce((a, b) => ({
    numerator: a.numerator * b.numerator,
    denominator: a.denominator * b.denominator,
  }));
}

export function dividedBy(a: Rational, b: Rational): Rational {
  return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator };
}

export function plus(...terms: readonly Rational[]): Rational {
  return terms.reduce((a, b) => ({
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }));
}

/** Rounds half away from zero to whole units of 10^-places. */
export function roundToUnits({ numerator, denominator }: Rational, places: number): bigint {
  const sign = numerator < 0n === denominator < 0n ? 1n : -1n;
  const absolute = (value: bigint) => (value < 0n ? -value : value);
  const scaled = absolute(numerator) * 10n ** BigInt(places);
  const integerPart = scaled / absolute(denominator);
  const remainder = scaled - integerPart * absolute(denominator);
  return sign * (2n * remainder >= absolute(denominator) ? integerPart + 1n : integerPart);
}

/** Rounds half away from zero to `places` decimal places. */
export function roundToNumber(value: Rational, places: number): number {
  const units = roundToUnits(value, places);
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  return Number(`${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`);
}
