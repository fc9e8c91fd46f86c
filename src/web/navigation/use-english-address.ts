import { useEffect } from 'react';
import { FIRST_LANGUAGE, splitLanguage } from '#contract/languages.ts';
import { LANGUAGE } from '#messages';

/**
 * Pages of editors and admins are in English alone: under the address of another language they lead to their own, and
 * their footer does not name the others.
 */
export function useEnglishAddress(): void {
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    if (LANGUAGE !== FIRST_LANGUAGE) window.location.replace(splitLanguage(pathname).rest + search + hash);
    const { dataset } = document.documentElement;
    dataset.englishOnly = '';
    return () => {
      delete dataset.englishOnly;
    };
  }, []);
}
