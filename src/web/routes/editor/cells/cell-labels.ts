import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import { CELL_TITLES, getLanguageName, PAGE_TITLES } from '#domain/cell-titles.ts';
import { CELL_PAGES, CELLS, type CellName, type CellPage } from '#domain/cells.ts';
import type { Language } from '#messages';

/** Places where visitors see each cell on its page. */
const CELL_LOCATIONS: { readonly [Page in CellPage]: Readonly<Record<CellName<Page>, string>> } = {
  home: {
    tag: 'The large text over the photo. One line of plain text.',
    intro: 'Below the calculator. Lists appear next to the text.',
    community: 'Above the stories of offsetters, installers, and awardees.',
    city: 'Next to the drawing of a house.',
  },
  offsetters: { intro: 'Above the stories of offsetters.' },
  awardees: { intro: 'Above the stories of awardees.' },
  installers: { intro: 'Above the stories of installers.' },
  faq: { questions: 'The FAQ page.' },
  donate: { intro: 'Above the amounts.', checks: 'Shown after a click on the Check button.' },
  about: {
    intro: 'The introduction, above the people and the details of who runs the fund.',
    people: 'A heading, a picture, and a few words for each person. Visitors see it once you save your own text.',
  },
  help: {
    pays: 'First on the page.',
    qualify: 'Second. State your income limits and the area you serve.',
    ready: 'Third. What a household should have ready.',
    apply: 'Fourth. The steps, from the first question to the finished work.',
    contact: 'In the box with the button “Email us”. Add a phone number if you have one.',
  },
  checkout: {
    ask: 'Above the form that asks donors for their story.',
    thanks: 'Shown after the form is submitted or expires.',
  },
};

/** Notes that are always shown, by page. */
const CELL_NOTES: Readonly<Partial<Record<CellPage, string>>> = {
  faq: 'Headings that start with ### go into the table of contents.',
};

export type CellEntry = {
  readonly page: CellPage;
  readonly name: CellName;
  readonly title: string;
  readonly location: string;
  readonly note: string | undefined;
};
export type CellPageEntry = { readonly page: CellPage; readonly title: string; readonly cells: readonly CellEntry[] };

/** All cells of §2, by page, in the order that visitors see them. */
export const CELL_PAGE_ENTRIES: readonly CellPageEntry[] = CELL_PAGES.map((page) => ({
  page,
  title: PAGE_TITLES[page],
  cells: CELLS[page].map((name: CellName) => {
    // TypeScript can't tell that the name belongs to this page.
    const titles: Readonly<Partial<Record<CellName, string>>> = CELL_TITLES[page];
    const locations: Readonly<Partial<Record<CellName, string>>> = CELL_LOCATIONS[page];
    return { page, name, title: titles[name] ?? name, location: locations[name] ?? '', note: CELL_NOTES[page] };
  }),
}));

export function describeMissingText(language: Language): string {
  return `No ${getLanguageName(language)} text yet: visitors see the ${getLanguageName(DEFAULT_LANGUAGE)} text.`;
}

export function describeStaleText(language: Language): string {
  const [original, translation] = [getLanguageName(DEFAULT_LANGUAGE), getLanguageName(language)];
  return `The ${original} text changed after the ${translation} one. Make sure the ${translation} text still matches.`;
}
