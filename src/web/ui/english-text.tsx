import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import { LANGUAGE, m } from '#messages';

/** Text that a fund's team or its operator wrote in English. Pages in another language mark it as English. */
export function EnglishText({ children }: { children: string }) {
  if (LANGUAGE === DEFAULT_LANGUAGE) return children;
  return (
    <>
      <span lang={DEFAULT_LANGUAGE}>{children}</span> {m.storyOtherLanguage()}
    </>
  );
}
