import { localizeAddress } from '#contract/languages.ts';
import { LANGUAGE, LANGUAGE_NAMES, LANGUAGES } from '#messages';
import { useAddress } from '#web/navigation/use-navigator.ts';

/** Links to the page in the other languages. Each language is a separate build, so these load a new document. */
export function LanguageLinks({ className }: { className: string | undefined }) {
  const address = useAddress();
  return LANGUAGES.filter((language) => language !== LANGUAGE).map((language) => (
    <a
      key={language}
      href={localizeAddress(address, language)}
      hrefLang={language}
      lang={language}
      className={className}
      aria-label={LANGUAGE_NAMES[language]}
    >
      {LANGUAGE_NAMES[language]}
    </a>
  ));
}
