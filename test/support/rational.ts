/** An exact fraction that doesn't use the program's decimals, so that tests can compare the two. */
export type Rational = { readonly top: bigint; readonly bottom: bigint };

/** A number with a few decimals, and its value as a fraction. */
export type Exact = { readonly number: number; readonly text: string; readonly rational: Rational };

/** `units` of 10^-scale: 12345 at 2 is 123.45. At most 15 digits, so that the number equals its text. */
export function toExact(units: number, scale: number): Exact {
  const digits = String(Math.abs(units)).padStart(scale + 1, '0');
  const integerPart = digits.slice(0, digits.length - scale);
  const text = `${units < 0 ? '-' : ''}${integerPart}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
  return { number: Number(text), text, rational: { top: BigInt(units), bottom: 10n ** BigInt(scale) } };
}

export function times(...factors: readonly Rational[]): Rational {
  return factors.reduce((a, b) => ({ top: a.top * b.top, bottom: a.bottom * b.bottom }));
}

export function dividedBy(a: Rational, b: Rational): Rational {
  return { top: a.top * b.bottom, bottom: a.bottom * b.top };
}

export function plus(...terms: readonly Rational[]): Rational {
  return terms.reduce((a, b) => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }));
}

/** The number of units of 10^-places, rounded half away from zero. */
export function roundToUnits({ top, bottom }: Rational, places: number): bigint {
  const sign = top < 0n === bottom < 0n ? 1n : -1n;
  const absolute = (value: bigint) => (value < 0n ? -value : value);
  const scaled = absolute(top) * 10n ** BigInt(places);
  const integerPart = scaled / absolute(bottom);
  const remainder = scaled - integerPart * absolute(bottom);
  return sign * (2n * remainder >= absolute(bottom) ? integerPart + 1n : integerPart);
}

/** Rounded half away from zero to `places` decimals. */
export function roundToNumber(value: Rational, places: number): number {
  const units = roundToUnits(value, places);
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  return Number(`${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`);
}
