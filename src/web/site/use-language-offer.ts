import { useEffect, useState } from 'react';
import { LANGUAGE } from '#messages';

const loadOffer = () => import('./language-offer.tsx');
type OfferModule = Awaited<ReturnType<typeof loadOffer>>;

/**
 * The offer of another language on English pages, for a browser that prefers it. Loaded after the page, so that documents
 * are the same for every visitor.
 */
export function useLanguageOffer(): OfferModule | undefined {
  const [offerModule, setOfferModule] = useState<OfferModule>();
  useEffect(() => {
    // A literal, so that the Spanish build leaves the rest out.
    if (LANGUAGE !== 'en' || navigator.language.startsWith(LANGUAGE)) return;
    void loadOffer().then(setOfferModule, () => {});
  }, []);
  return offerModule;
}
