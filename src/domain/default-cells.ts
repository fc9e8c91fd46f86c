import { LANGUAGES, type Language, m } from '#messages';
import type { CellName, CellPage } from './cells.ts';
import { defaultFaq } from './default-faq.ts';
import { Failure } from './failures.ts';

/** Returns the text in a language. */
type Text = (locale: Language) => string;

const defaults: { readonly [Page in CellPage]: Readonly<Record<CellName<Page>, Text>> } = {
  home: {
    tag: (locale) => m.cellHomeTag({}, { locale }),
    intro: (locale) => m.cellHomeIntro({}, { locale }),
    community: (locale) => m.cellHomeCommunity({}, { locale }),
    city: (locale) => m.cellHomeCity({}, { locale }),
  },
  offsetters: { intro: (locale) => m.cellOffsettersIntro({}, { locale }) },
  awardees: { intro: (locale) => m.cellAwardeesIntro({}, { locale }) },
  installers: { intro: (locale) => m.cellInstallersIntro({}, { locale }) },
  faq: { questions: defaultFaq },
  donate: {
    intro: (locale) => m.cellDonateIntro({}, { locale }),
    checks: (locale) => m.cellDonateChecks({}, { locale }),
  },
  about: { intro: (locale) => m.cellAboutIntro({}, { locale }) },
  checkout: {
    ask: (locale) => m.cellCheckoutAsk({}, { locale }),
    // Also shown after a checkout expired unpaid (§4: over), so it must not say that money was received.
    thanks: (locale) => m.cellCheckoutThanks({}, { locale }),
  },
};

/**
 * The default markdown of a cell of §2; for home/tag, plain text.
 * @throws Failure no-cell if the page has no such cell
 */
export function defaultCell(page: CellPage, name: CellName, locale: Language = LANGUAGES[0]): string {
  const cells: Readonly<Partial<Record<CellName, Text>>> = defaults[page];
  const text = cells[name];
  if (text === undefined) throw new Failure('no-cell');
  return text(locale);
}
