import { type Language, m } from '#messages';

/** Constants that Vite inserts into the empty document (src/web/index.html) in one language. */
export function getDocumentConstants(language: Language): Record<string, string> {
  const constants = {
    LANGUAGE: language,
    DESCRIPTION: m.headDescription({}, { locale: language }),
    NEEDS_SCRIPTS: m.needsScriptsAll({}, { locale: language }),
  };
  return Object.fromEntries(
    Object.entries(constants).map(([name, text]) => [`import.meta.env.${name}`, JSON.stringify(text)]),
  );
}
