import { PAGES, type PageName, pagePath } from '#contract/pages.ts';
import type { PageHead } from '#contract/rendering.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { storyPreview } from '#domain/profile.ts';
import { plainText } from './plain-text.ts';
import type { Screen } from './screens.ts';

type HeadInput = { readonly title: string; readonly publicUrl: string };

/** What the head of a screen's document says: its own title, description, address and share card. */
export function headOf(screen: Screen, { title, publicUrl }: HeadInput): PageHead {
  const { org, name, content } = screen;
  if (content.kind !== 'page' || !org || !name) {
    return {
      title,
      description: GENERAL,
      canonical: undefined,
      image: undefined,
      kind: 'website',
      indexed: false,
      structured: [],
    };
  }
  const data: KnownData = content.data;
  const canonical = publicUrl + canonicalPath(name, org, data);
  return {
    title,
    description: descriptionOf(name, org, data),
    canonical,
    image: undefined,
    kind: data.profile ? 'article' : 'website',
    indexed: true,
    structured: [],
  };
}

const GENERAL = 'Estimate the carbon of a trip or a home, offset it, and help a neighbor keep warm.';

/** What pages load, as far as their heads tell of it. */
type KnownData = { readonly profile?: Profile; readonly intro?: Cell; readonly cells?: Readonly<Record<string, Cell>> };

function canonicalPath(name: PageName, { id: orgid }: Org, { profile }: KnownData): string {
  if (profile) return profile.profileURL;
  const pattern = PAGES[name];
  return pattern === PAGES['home-page'] ? pagePath('home-page', { orgid }) : pattern.replace(':orgid', orgid);
}

function descriptionOf(name: PageName, org: Org, { profile, intro, cells }: KnownData): string {
  if (profile) return storyPreview(profile.story);
  const text = plainText((intro ?? cells?.intro ?? cells?.questions)?.html ?? '');
  if (text) return storyPreview(text);
  return DESCRIPTIONS[name]?.(org) ?? GENERAL;
}

const DESCRIPTIONS: Partial<Record<PageName, (org: Org) => string>> = {
  'about-page': (org) => `What ${org.name} is, whose program it is, and where the money goes.`,
  'qrcode-page': (org) => `A code to scan, print or share that leads to ${org.name}.`,
  'future-awardees-page': (org) => `How the grants of ${org.name} will make homes efficient, and how to apply.`,
};
