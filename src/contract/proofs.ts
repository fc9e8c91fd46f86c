import type { Language } from '#messages';
import { inLanguage } from './languages.ts';
import { pagePath } from './pages.ts';

/** The document of a gift's proof, which checks itself. Like the receipt, it opens by the receipt's key. */
export function proofPath(orgid: string, language: Language): string {
  return inLanguage(`${pagePath('home-page', { orgid })}/proof`, language);
}
