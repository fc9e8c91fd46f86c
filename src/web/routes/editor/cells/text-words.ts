import { CELL_PAGES, CELLS, type CellName, type CellPage } from '#domain/cells.ts';

/** The pages as people call them, and their texts. */
const PAGE_TITLES: Readonly<Record<CellPage, string>> = {
  home: 'Home page',
  offsetters: 'Offsetters',
  awardees: 'Awardees',
  installers: 'Installers',
  faq: 'FAQ',
  donate: 'Donate',
  checkout: 'After a payment',
};

const TEXT_TITLES: { readonly [Page in CellPage]: Readonly<Record<CellName<Page>, string>> } = {
  home: { tag: 'Tag', intro: 'Introduction', community: 'Community', city: 'City' },
  offsetters: { intro: 'Introduction' },
  awardees: { intro: 'Introduction' },
  installers: { intro: 'Introduction' },
  faq: { questions: 'Questions and answers' },
  donate: { intro: 'Introduction', checks: 'How to send a check' },
  checkout: { ask: 'Asking for a story', thanks: 'Thanks' },
};

/** Where visitors meet a text. */
const TEXT_PLACES: { readonly [Page in CellPage]: Readonly<Record<CellName<Page>, string>> } = {
  home: {
    tag: 'The large words over the picture. Plain words, one line.',
    intro: 'Below the calculator. A list in it stands beside the words.',
    community: 'Above the stories of offsetters, installers and awardees.',
    city: 'Beside the drawing of a house.',
  },
  offsetters: { intro: 'Above the stories of offsetters.' },
  awardees: { intro: 'Above the stories of awardees.' },
  installers: { intro: 'Above the stories of installers.' },
  faq: { questions: 'The FAQ page. Headings that start with ### go into the table of contents.' },
  donate: { intro: 'Above the amounts.', checks: 'What Check opens on the donate page.' },
  checkout: {
    ask: 'Above the form that asks a giver for a story.',
    thanks: 'When the form is sent, or its time is over.',
  },
};

export type TextEntry = {
  readonly page: CellPage;
  readonly name: CellName;
  readonly title: string;
  readonly place: string;
};
export type PageEntry = { readonly page: CellPage; readonly title: string; readonly texts: readonly TextEntry[] };

/** Every text of §2, page by page, in the order in which a visitor comes by them. */
export const TEXT_PAGES: readonly PageEntry[] = CELL_PAGES.map((page) => ({
  page,
  title: PAGE_TITLES[page],
  texts: CELLS[page].map((name: CellName) => {
    // The name is one of the page's own: it was listed there.
    const titles: Readonly<Partial<Record<CellName, string>>> = TEXT_TITLES[page];
    const places: Readonly<Partial<Record<CellName, string>>> = TEXT_PLACES[page];
    return { page, name, title: titles[name] ?? name, place: places[name] ?? '' };
  }),
}));

/** "Nov 21, 2026, 2:04 PM", by the reader's own clock. */
export function momentText(time: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));
}

/** Who saved a version, as the list of versions says it. */
export function writerText(savedBy: string | null): string {
  return savedBy ?? 'Nobody known';
}
