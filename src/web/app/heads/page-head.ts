import { PAGES, type PageName, RENDERED_ANEW } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { HeadImage, PageHead } from '#contract/rendering.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { CARD_SIZE, orgCardPath, storyCardPath } from '#contract/share-images.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { Screen } from '../screens.ts';
import { type DescribedPage, type KnownData, LISTS } from './described-page.ts';
import { descriptionOf, GENERAL } from './description.ts';
import { storyTitle, structuredData } from './structured-data.ts';

type HeadInput = { readonly title: string; readonly publicUrl: string };

/** What the head of a screen's document says: its own title, description, address, share card and structured data. */
export function headOf({ org, site, name, content }: Screen, { title, publicUrl }: HeadInput): PageHead {
  if (content.kind !== 'page' || !org || !name || RENDERED_ANEW.includes(name)) return unlistedHead(title);
  const data: KnownData = content.data;
  const canonical = publicUrl + canonicalPath(name, org, data);
  const page: DescribedPage = { name, org, site, data, publicUrl, canonical };
  const description = descriptionOf(page);
  const image = cardOf(page);
  const { profile } = data;
  return {
    title,
    description,
    siteName: org.name,
    canonical,
    image,
    article: profile && { author: profile.name, published: profile.createdTimestamp },
    indexed: true,
    structured: structuredData(page, { description, image }),
  };
}

/** Of an address that leads nowhere, or to a page that is each person's own. */
function unlistedHead(title: string): PageHead {
  return {
    title,
    description: GENERAL,
    siteName: PROGRAM_NAME,
    canonical: undefined,
    image: undefined,
    article: undefined,
    indexed: false,
    structured: [],
  };
}

function canonicalPath(name: PageName, { id: orgid }: Org, { profile }: KnownData): string {
  return profile?.profileURL ?? fillPath<string>(PAGES[name], { orgid });
}

/** The picture that goes along where the page is shared: the story's own, or the organisation's. */
function cardOf({ name, org, data: { profile }, publicUrl }: DescribedPage): HeadImage {
  const kind = LISTS[name];
  if (profile && kind) {
    return { ...CARD_SIZE, url: publicUrl + storyCardPath(org.id, kind, profile.id), alt: storyTitle(profile.name) };
  }
  return { ...CARD_SIZE, url: publicUrl + orgCardPath(org.id), alt: `${org.name}: ${org.tag}` };
}
