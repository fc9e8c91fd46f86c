import { LANGUAGES, type Language } from '#messages';

/** Frequent words of each language that don't occur in the other one. */
const FREQUENT_WORDS: Readonly<Record<Language, string>> = {
  en: 'and are at for from had has have i in is it my not of on our that the they this to was we were what which with you',
  es: 'al con cuando de del el en es esta este la las lo los mi más muy nos nuestra nuestro para pero por que se sin su un una y',
};

/** Minimum number of frequent words. Fewer could be a name or a quotation. */
const MIN_WORDS = 3;

/**
 * Detects the language of a story, so that no form has to ask for it: the language whose frequent words appear at least
 * twice as often as those of any other.
 * @returns undefined if the language is unclear, as in a short or mixed text
 */
export function detectStoryLanguage(story: string): Language | undefined {
  const words = story.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = LANGUAGES.map((language) => {
    const frequentWords = new Set(FREQUENT_WORDS[language].split(' '));
    return { language, count: words.filter((word) => frequentWords.has(word)).length };
  });
  const [best, runnerUp] = counts.toSorted((a, b) => b.count - a.count);
  const isClear = best && best.count >= MIN_WORDS && best.count >= 2 * (runnerUp?.count ?? 0);
  return isClear ? best.language : undefined;
}
