import { useEffect } from 'react';
import { DEFAULT_LANGUAGE, splitLanguage } from '#contract/languages.ts';
import { LANGUAGE } from '#messages';

/**
 * Pages for editors and admins are only in English: an address in another language redirects to the English one, and the
 * footer has no language links.
 */
export function useEnglishOnly(): void {
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    if (LANGUAGE !== DEFAULT_LANGUAGE) window.location.replace(splitLanguage(pathname).rest + search + hash);
    const { dataset } = document.documentElement;
    dataset.englishOnly = '';
    return () => {
      delete dataset.englishOnly;
    };
  }, []);
}
