import type { ReactNode } from 'react';
import { inLanguage } from '#contract/languages.ts';
import { LANGUAGE, LANGUAGE_NAMES, LANGUAGES, type Language } from '#messages';
import { useAddress } from '#web/navigation/use-navigator.ts';

type LanguageLinksProps = {
  className: string | undefined;
  /** The link's content; the language's name by default. */
  children?: (language: Language) => ReactNode;
};

/** Links to the page in the other languages. Each language is a separate build, so these load a new document. */
export function LanguageLinks({ className, children = (language) => LANGUAGE_NAMES[language] }: LanguageLinksProps) {
  const address = useAddress();
  return LANGUAGES.filter((language) => language !== LANGUAGE).map((language) => (
    <a
      key={language}
      href={inLanguage(address, language)}
      hrefLang={language}
      lang={language}
      className={className}
      aria-label={LANGUAGE_NAMES[language]}
    >
      {children(language)}
    </a>
  ));
}
