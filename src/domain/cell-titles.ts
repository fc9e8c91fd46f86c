import { LANGUAGES, type Language } from '#messages';
import { type CellName, type CellPage, type CellRef, isCellPage, splitCellName } from './cells.ts';

/** Display names of cells and their pages, in English like all editors' pages. */
export const PAGE_TITLES: Readonly<Record<CellPage, string>> = {
  home: 'Home page',
  offsetters: 'Offsetters',
  awardees: 'Awardees',
  installers: 'Installers',
  faq: 'FAQ',
  donate: 'Donate',
  about: 'About',
  help: 'Get help with your home',
  checkout: 'After a payment',
};

export const CELL_TITLES: { readonly [Page in CellPage]: Readonly<Record<CellName<Page>, string>> } = {
  home: { tag: 'Tag (tagline)', intro: 'Introduction', community: 'Community', city: 'City' },
  offsetters: { intro: 'Introduction' },
  awardees: { intro: 'Introduction' },
  installers: { intro: 'Introduction' },
  faq: { questions: 'Questions and answers' },
  donate: { intro: 'Introduction', checks: 'How to send a check' },
  about: { intro: 'Introduction', people: 'People' },
  help: {
    pays: 'What grants pay for',
    qualify: 'Who qualifies',
    ready: 'What to have ready',
    apply: 'How to apply',
    contact: 'Who to contact',
  },
  checkout: { ask: 'Asking for a story', thanks: 'Thank you' },
};

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** "Spanish" */
export function getLanguageName(language: Language): string {
  return LANGUAGE_NAMES.of(language) ?? language;
}

/** Adds the language to a title, unless it is the default language. */
export function addLanguageToTitle(title: string, language: Language): string {
  return language === LANGUAGES[0] ? title : `${title} in ${getLanguageName(language)}`;
}

/** "Offsetters: Introduction in Spanish"; the raw names if this version doesn't have the cell. */
export function textHeading({ page, name }: CellRef): string {
  const { name: cell, language } = splitCellName(name);
  const titles: Readonly<Partial<Record<string, string>>> = isCellPage(page) ? CELL_TITLES[page] : {};
  const title = titles[cell];
  return isCellPage(page) && title !== undefined
    ? addLanguageToTitle(`${PAGE_TITLES[page]}: ${title}`, language)
    : `${page}/${name}`;
}

/** "Introduction of Offsetters in Spanish"; the raw names if this version doesn't have the cell. */
export function textTitle({ page, name }: CellRef): string {
  const { name: cell, language } = splitCellName(name);
  const titles: Readonly<Partial<Record<string, string>>> = isCellPage(page) ? CELL_TITLES[page] : {};
  const title = titles[cell];
  return isCellPage(page) && title !== undefined
    ? addLanguageToTitle(`${title} of ${PAGE_TITLES[page]}`, language)
    : `${page}/${name}`;
}
