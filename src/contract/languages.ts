import { LANGUAGES, type Language } from '#messages';

/** Language of the pages at the specification's addresses (§2). */
export const DEFAULT_LANGUAGE = LANGUAGES[0];

/**
 * A language by its exact name, as our pages send it with calls and the database stores it. Anything else is the default
 * language, so that programs and browsers' own headers ("es-MX,es;q=0.9") get the default.
 */
export function languageNamed(name: string | null | undefined): Language {
  return LANGUAGES.find((language) => language === name) ?? DEFAULT_LANGUAGE;
}

/** The browser's most preferred language among ours, for a visitor whose address contains no language. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  return languageNamed(/^\s*([a-z]+)/i.exec(acceptLanguage ?? '')?.[1]?.toLowerCase());
}

/** A language in its stored form: null for the default one. */
export function storedLanguage(language: Language): Language | null {
  return language === DEFAULT_LANGUAGE ? null : language;
}

/** Folder of a language's pages in addresses, and of its files in the build: '' or 'es'. */
export function folderForLanguage(language: Language): string {
  return language === DEFAULT_LANGUAGE ? '' : language;
}

/** An address of this site, from its root, in the pages of a language: '/es/orgs/x'. */
export function localizeAddress(address: string, language: Language): string {
  const folder = folderForLanguage(language);
  return folder === '' ? address : `/${folder}${address === '/' ? '' : address}`;
}

/** The language of an address, and the rest of it. */
export function splitLanguage(address: string): { readonly language: Language; readonly rest: string } {
  const folder = /^\/([a-z-]+)(?=[/?#]|$)/.exec(address)?.[1];
  const language = LANGUAGES.find((other) => other === folder && folderForLanguage(other) !== '');
  if (!language) return { language: DEFAULT_LANGUAGE, rest: address };
  const rest = address.slice(language.length + 1);
  return { language, rest: rest.startsWith('/') ? rest : `/${rest}` };
}
