import { type ComponentType, useEffect, useState } from 'react';
import { FIRST_LANGUAGE } from '#contract/languages.ts';
import { LANGUAGE } from '#messages';

/**
 * The offer of another language on English pages, for a browser that prefers it. Loaded after the page, so that documents
 * are the same for every visitor.
 */
export function useLanguageOffer(): ComponentType | undefined {
  const [offer, setOffer] = useState<{ readonly Offer: ComponentType }>();
  useEffect(() => {
    if (LANGUAGE !== FIRST_LANGUAGE || navigator.language.startsWith(LANGUAGE)) return;
    void import('./language-offer.tsx').then(
      ({ LanguageOffer }) => setOffer({ Offer: LanguageOffer }),
      () => {},
    );
  }, []);
  return offer?.Offer;
}
