import type { PageName } from '#contract/pages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import type { CardKind } from '#contract/share-images.ts';

/** What pages load, as far as their heads tell of it. */
export type KnownData = {
  readonly profile?: Profile;
  readonly intro?: Cell;
  readonly cells?: Readonly<Record<string, Cell>>;
};

/** A page of an organisation, as its head tells of it. */
export type DescribedPage = {
  readonly name: PageName;
  readonly org: Org;
  readonly site: Site | undefined;
  readonly data: KnownData;
  /** The origin under which the public reaches the site. */
  readonly publicUrl: string;
  /** The one address of the page, with the host. */
  readonly canonical: string;
};

/** The list that a story's page belongs to. */
export const LISTS: Partial<Record<PageName, CardKind>> = {
  'offsetter-page': 'offsetters',
  'awardee-page': 'awardees',
  'installer-page': 'installers',
};

/** What pages are called in a trail that leads to them. */
export const SHORT_TITLES: Partial<Record<PageName, string>> = {
  'offsetters-page': 'Offsetters',
  'awardees-page': 'Awardees',
  'future-awardees-page': 'Future awardees',
  'installers-page': 'Installers',
  'about-page': 'About',
  'faqs-page': 'FAQs',
  'donate-page': 'Donate',
  'qrcode-page': 'QR code',
};
