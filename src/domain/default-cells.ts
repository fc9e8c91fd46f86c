import { LANGUAGES, type Language, m } from '#messages';
import type { CellName, CellPage } from './cells.ts';
import { buildDefaultFaq, type OrgDetails } from './default-faq.ts';
import { Failure } from './failures.ts';

type TextFunction = (locale: Language, details: OrgDetails) => string;

const DEFAULT_TEXTS: { readonly [Page in CellPage]: Readonly<Record<CellName<Page>, TextFunction>> } = {
  home: {
    tag: (locale) => m.cellHomeTag({}, { locale }),
    intro: (locale) => m.cellHomeIntro({}, { locale }),
    community: (locale) => m.cellHomeCommunity({}, { locale }),
    city: (locale) => m.cellHomeCity({}, { locale }),
  },
  offsetters: { intro: (locale) => m.cellOffsettersIntro({}, { locale }) },
  awardees: { intro: (locale) => m.cellAwardeesIntro({}, { locale }) },
  installers: { intro: (locale) => m.cellInstallersIntro({}, { locale }) },
  faq: { questions: buildDefaultFaq },
  donate: {
    intro: (locale) => m.cellDonateIntro({}, { locale }),
    checks: (locale) => m.cellDonateChecks({}, { locale }),
  },
  about: {
    intro: (locale) => m.cellAboutIntro({}, { locale }),
    // A template for editors; visitors see only saved text.
    people: (locale) => m.cellAboutPeople({}, { locale }),
  },
  help: {
    pays: (locale) => m.cellHelpPays({}, { locale }),
    qualify: (locale) => m.cellHelpQualify({}, { locale }),
    ready: (locale) => m.cellHelpReady({}, { locale }),
    apply: (locale, { email }) => m.cellHelpApply({ email }, { locale }),
    contact: (locale, { email }) => m.cellHelpContact({ email }, { locale }),
  },
  checkout: {
    ask: (locale) => m.cellCheckoutAsk({}, { locale }),
    // Also shown after a checkout expired unpaid (§4: over), so it must not say that money was received.
    thanks: (locale, { email }) => m.cellCheckoutThanks({ email }, { locale }),
  },
};

/**
 * The default markdown of a cell; for home/tag, plain text.
 * @throws Failure no-cell if the page has no such cell
 */
export function defaultCell(
  page: CellPage,
  name: CellName,
  { locale = LANGUAGES[0], ...details }: OrgDetails & { readonly locale?: Language },
): string {
  const cells: Readonly<Partial<Record<CellName, TextFunction>>> = DEFAULT_TEXTS[page];
  const text = cells[name];
  if (text === undefined) throw new Failure('no-cell');
  return text(locale, details);
}
