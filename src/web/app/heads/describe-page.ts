import type { PageName } from '#contract/pages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import type { ShareImageKind } from '#contract/share-images.ts';
import { truncateText } from '#domain/truncate-text.ts';
import { m } from '#messages';
import { getParagraphText } from '#web/ui/plain-text.ts';

/** Page data used by the document head. */
export type HeadData = {
  readonly profile?: Profile;
  readonly intro?: Cell;
  readonly cells?: Readonly<Record<string, Cell>>;
};

export type HeadContext = {
  readonly name: PageName;
  readonly org: Org;
  readonly site: Site | undefined;
  readonly data: HeadData;
  /** The site's public origin. */
  readonly publicUrl: string;
  /** The canonical address of the page, with the host. */
  readonly canonical: string;
};

/** The list that a story page belongs to. */
export const STORY_LISTS: Partial<Record<PageName, ShareImageKind>> = {
  'offsetter-page': 'offsetters',
  'awardee-page': 'awardees',
  'installer-page': 'installers',
};

export const SHORT_TITLES: Partial<Record<PageName, string>> = {
  'offsetters-page': m.navOffsetters(),
  'awardees-page': m.navAwardees(),
  'future-awardees-page': m.navFutureAwardees(),
  'installers-page': m.navInstallers(),
  'about-page': m.navAbout(),
  'privacy-page': m.navPrivacy(),
  'faqs-page': m.headFaqs(),
  'donate-page': m.navDonate(),
  'help-page': m.navHelp(),
  'group-page': m.headGroup(),
  'numbers-page': m.headNumbers(),
  'pounds-page': m.headPounds(),
  'qrcode-page': m.navQrCode(),
};

/** Search engines show about this many characters. */
export const DESCRIPTION_LENGTH = 155;

export const GENERAL_DESCRIPTION = m.headDescription();

/** Describes a page for search engines and link previews: its story, its introduction, or a fixed sentence. */
export function describePage({ name, org, data: { profile, intro, cells } }: HeadContext): string {
  const text = profile
    ? profile.story
    : (DESCRIPTIONS[name]?.(org) ?? getParagraphText((intro ?? cells?.intro)?.html ?? ''));
  return truncateText(text, DESCRIPTION_LENGTH) || GENERAL_DESCRIPTION;
}

const DESCRIPTIONS: Partial<Record<PageName, (org: Org) => string>> = {
  'about-page': ({ name }) => m.headAboutDescription({ name }),
  'privacy-page': ({ name }) => m.headPrivacyDescription({ name }),
  'faqs-page': ({ name }) => m.headFaqsDescription({ name }),
  'help-page': ({ name, takesApplications }) =>
    takesApplications ? m.headHelpDescription({ name }) : m.helpClosed({ org: name }),
  'group-page': () => m.headGroupDescription(),
  'numbers-page': ({ name }) => m.headNumbersDescription({ name }),
  'pounds-page': ({ name }) => m.headPoundsDescription({ name }),
  'qrcode-page': ({ name }) => m.headQrCodeDescription({ name }),
  'future-awardees-page': ({ name }) => m.headFutureAwardeesDescription({ name }),
};
