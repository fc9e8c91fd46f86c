import { onOneLine } from '#domain/cut-text.ts';

/**
 * A text as a typeface can set it, on one line. Signs that it does not have are left out, an emoji for one; where a
 * letter or a digit is among them nothing is left, since half a name is worse than none.
 * @param letters every character that the typeface has
 */
export function settable(text: string, letters: ReadonlySet<string>): string {
  const characters = Array.from(onOneLine(text.normalize('NFC')));
  const strange = characters.filter((character) => !letters.has(character));
  if (strange.some((character) => /[\p{L}\p{N}\p{M}]/u.test(character))) return '';
  return onOneLine(characters.filter((character) => letters.has(character)).join(''));
}
