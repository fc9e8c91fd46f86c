import { m } from '#messages';
import { Failure, type LocalizedText } from './failures.ts';

/** "the name", in messages about a name that a user entered. */
export const nameLabel: LocalizedText = (options) => m.theName({}, options);

/** Control and private characters, line separators, and stacked marks on a letter. */
const UNPRINTABLE = /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\p{M}{5}/u;
/** Bidi controls and invisible characters, except for the joiners of emoji and of Persian and Indian scripts. */
const INVISIBLE = /[^\P{Cf}\u200C\u200D]|[\u115F\u1160\u2800\u3164\uFFA0]/u;

/** @param label names the text in the failure's message @returns Failure text-unprintable */
export function unprintableFailure(text: string, label: LocalizedText): Failure | undefined {
  return UNPRINTABLE.test(text) || INVISIBLE.test(text) ? new Failure('text-unprintable', { label }) : undefined;
}

/**
 * Checks a one-line name for display and email. It must not contain or resemble an address.
 * @param label names the text in the failure's message
 * @returns Failure text-unprintable, text-with-address, text-like-address
 */
export function textFailure(text: string, label: LocalizedText = nameLabel): Failure | undefined {
  const unprintable = unprintableFailure(text, label);
  if (unprintable) return unprintable;
  const address = findAddress(text);
  if (address !== undefined) return new Failure('text-with-address', { label, address: address.slice(0, 40) });
  const similarText = findMatch(toPlainLetters(text), ADDRESS_LIKE);
  return similarText === undefined
    ? undefined
    : new Failure('text-like-address', { label, address: similarText.slice(0, 40) });
}

/** Puts text on one line and removes unprintable characters ({@link textFailure}). */
export function makePrintable(text: string): string {
  return text
    .normalize()
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(new RegExp(`[\\p{Co}\\p{Cs}]|${INVISIBLE.source}`, 'gu'), '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim();
}

/** A dot followed directly by letters, as in example.org and Dr.Smith, which many mail programs turn into links. */
const ADDRESS_LIKE = /[\p{L}\p{N}\p{M}_-]\.\p{L}[\p{L}\p{N}\p{M}-]/iu;

/** Common top-level domains. */
export const DOMAIN_ENDINGS = 'com|org|net|info|io|co|biz|app|dev|ru|xyz|site|online|top|shop|link|me|us|uk';

const ADDRESS_PATTERNS: readonly RegExp[] = [
  /\/\/|\\\\|\b(?:https?|ftp|mailto|tel|sms|javascript):\s?\S/iu,
  /\bwww\d?\s?\.|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/iu,
  // "example dot com", "example (.) com", "example . com", "example .com".
  new RegExp(String.raw`[a-z0-9]\s?(?:[([{<]\s?(?:dot|\.)\s?[)\]}>]|\s(?:dot\s|\.))\s?(?:${DOMAIN_ENDINGS})\b`, 'iu'),
  /\S@\S|\S\s?[([{]\s?at\s?[)\]}]/iu,
  // Phone numbers.
  /\+\s?\d[\d\s().-]{7}|(?<![\d.])0\d(?:[\s()-]{0,2}\d){7}|(?<![\d/])\(?\d{3}\)?[\s.-]{0,2}\d{3}[\s.-]?\d{4}(?!\d)/u,
];

function findAddress(text: string): string | undefined {
  const plain = toPlainLetters(text);
  return ADDRESS_PATTERNS.map((pattern) => findMatch(plain, pattern)).find((match) => match !== undefined);
}

/** Replaces letters and dots that look like ASCII. */
function toPlainLetters(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(/[\u200C\u200D]/gu, '')
      // Browsers treat these as dots.
      .replace(/(?<=\p{ASCII})[。｡․](?=[a-z])/giu, '.')
  );
}

function findMatch(plain: string, pattern: RegExp): string | undefined {
  const match = pattern.exec(plain);
  return match ? takeWholeWords(plain, match.index, match.index + match[0].length) : undefined;
}

/** The whole words around a range of characters. */
function takeWholeWords(text: string, start: number, end: number): string {
  const wordEnd = text.indexOf(' ', end);
  return text.slice(text.lastIndexOf(' ', start) + 1, wordEnd < 0 ? undefined : wordEnd).trim();
}
