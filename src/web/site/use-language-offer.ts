import { useEffect, useState } from 'react';
import { LANGUAGE } from '#messages';

const loadOffer = () => import('./language-offer.tsx');
type OfferModule = Awaited<ReturnType<typeof loadOffer>>;

/**
 * Offers another language on English pages if the browser prefers it. Loads after the page, so that the HTML is the same
 * for every visitor.
 */
export function useLanguageOffer(): OfferModule | undefined {
  const [offerModule, setOfferModule] = useState<OfferModule>();
  useEffect(() => {
    // Compares with a literal so that the Spanish build drops this code.
    if (LANGUAGE !== 'en' || navigator.language.startsWith(LANGUAGE)) return;
    void loadOffer().then(setOfferModule, () => {});
  }, []);
  return offerModule;
}
