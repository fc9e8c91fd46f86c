import { useEffect } from 'react';
import { FIRST_LANGUAGE, splitLanguage } from '#contract/languages.ts';
import { LANGUAGE } from '#messages';

/** Pages of editors and admins are in English alone: under the address of another language they lead to their own. */
export function useEnglishAddress(): void {
  useEffect(() => {
    if (LANGUAGE === FIRST_LANGUAGE) return;
    const { pathname, search, hash } = window.location;
    window.location.replace(splitLanguage(pathname).rest + search + hash);
  }, []);
}
