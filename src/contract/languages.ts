import { LANGUAGES, type Language } from '#messages';

/** Language of the pages at the specification's addresses (§2). */
export const DEFAULT_LANGUAGE = LANGUAGES[0];

/**
 * Finds a language by its exact name, as our pages send it and the database stores it. Any other text returns the default
 * language, including a browser's own header ("es-MX,es;q=0.9").
 */
export function parseLanguage(name: string | null | undefined): Language {
  return LANGUAGES.find((language) => language === name) ?? DEFAULT_LANGUAGE;
}

/** The browser's first language if the site supports it; used when a visitor's URL contains no language. */
export function detectPreferredLanguage(acceptLanguage: string | undefined): Language {
  return parseLanguage(/^\s*([a-z]+)/i.exec(acceptLanguage ?? '')?.[1]?.toLowerCase());
}

/** A language in its stored form: null for the default language. */
export function toStoredLanguage(language: Language): Language | null {
  return language === DEFAULT_LANGUAGE ? null : language;
}

/** Folder of a language's pages in URLs, and of its files in the build: '' or 'es'. */
export function folderForLanguage(language: Language): string {
  return language === DEFAULT_LANGUAGE ? '' : language;
}

/** Adds a language to a path of this site: '/es/orgs/x'. */
export function localizeAddress(address: string, language: Language): string {
  const folder = folderForLanguage(language);
  return folder === '' ? address : `/${folder}${address === '/' ? '' : address}`;
}

/** Splits a path into its language and the rest. */
export function splitLanguage(address: string): { readonly language: Language; readonly rest: string } {
  const folder = /^\/([a-z-]+)(?=[/?#]|$)/.exec(address)?.[1];
  const language = LANGUAGES.find((candidate) => candidate === folder && folderForLanguage(candidate) !== '');
  if (!language) return { language: DEFAULT_LANGUAGE, rest: address };
  const rest = address.slice(language.length + 1);
  return { language, rest: rest.startsWith('/') ? rest : `/${rest}` };
}
