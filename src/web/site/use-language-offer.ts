import { useEffect, useState } from 'react';
import { LANGUAGE } from '#messages';

type OfferModule = typeof import('./language-offer.tsx');

/**
 * Offers another language on English pages if the browser prefers it. Loads after the page, so that the HTML is the same
 * for every visitor.
 */
export function useLanguageOffer(): OfferModule | undefined {
  const [offerModule, setOfferModule] = useState<OfferModule>();
  useEffect(() => {
    // Compares with a literal so that the Spanish build drops this code.
    if (LANGUAGE !== 'en' || navigator.language.startsWith(LANGUAGE)) return;
    void import('./language-offer.tsx').then(setOfferModule, () => {});
  }, []);
  return offerModule;
}
