import { LANGUAGES, type Language } from '#messages';

/** Its pages stand at the addresses of the specification (§2). */
export const FIRST_LANGUAGE = LANGUAGES[0];

/**
 * A language by its name alone: what pages of ours send with their calls, and what is kept. Anything else is the first one,
 * so that programs, and what browsers send by themselves ("es-MX,es;q=0.9"), get what they got before.
 */
export function languageNamed(name: string | null | undefined): Language {
  return LANGUAGES.find((language) => language === name) ?? FIRST_LANGUAGE;
}

/** Of a person who opened an address that has no language: the first that the browser prefers, if it is one of ours. */
export function preferredLanguage(accepted: string | undefined): Language {
  return languageNamed(/^\s*([a-z]+)/i.exec(accepted ?? '')?.[1]?.toLowerCase());
}

/** As a language is kept: null for the first one. */
export function keptLanguage(language: Language): Language | null {
  return language === FIRST_LANGUAGE ? null : language;
}

/** The folder before the addresses of a language's pages, and of its files in the build: '' or 'es'. */
export function folderOf(language: Language): string {
  return language === FIRST_LANGUAGE ? '' : language;
}

/** An address of this site, from its root, as the pages in a language have it: '/es/orgs/x'. */
export function inLanguage(address: string, language: Language): string {
  const folder = folderOf(language);
  return folder === '' ? address : `/${folder}${address === '/' ? '' : address}`;
}

/** The language of an address, and the rest of it. */
export function splitLanguage(address: string): { readonly language: Language; readonly rest: string } {
  const folder = /^\/([a-z-]+)(?=[/?#]|$)/.exec(address)?.[1];
  const language = LANGUAGES.find((other) => other === folder && folderOf(other) !== '');
  if (!language) return { language: FIRST_LANGUAGE, rest: address };
  const rest = address.slice(language.length + 1);
  return { language, rest: rest.startsWith('/') ? rest : `/${rest}` };
}
