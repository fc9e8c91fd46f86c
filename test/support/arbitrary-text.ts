import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST_CODE_POINT = 0x10ffff;

/** Any character except half surrogates. The built-in `binary` unit takes a second to create in each process. */
const anyCharacter = fc.nat({ max: LAST_CODE_POINT - SURROGATES }).map(
  (number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES),
  (character) => {
    // Lets strings contain the names that fast-check knows to be dangerous, such as `__proto__`.
    const codePoint = typeof character === 'string' ? (character.codePointAt(0) ?? 0) : 0;
    return codePoint < FIRST_SURROGATE ? codePoint : codePoint - SURROGATES;
  },
);

/** Text of any characters. */
export function arbitraryText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
