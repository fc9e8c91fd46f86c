import { localizeAddress } from '#contract/languages.ts';
import { PAGES, type PageName, VISITOR_RENDERED_PAGES } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { HeadImage, PageHead } from '#contract/rendering.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { orgShareImagePath, SHARE_IMAGE_SIZE, storyShareImagePath } from '#contract/share-images.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { LANGUAGE, LANGUAGES, type Language } from '#messages';
import type { Screen } from '../screens.ts';
import { describePage, GENERAL_DESCRIPTION, type HeadContext, type HeadData, STORY_LISTS } from './describe-page.ts';
import { buildStructuredData, storyTitle } from './structured-data.ts';

type HeadInput = { readonly title: string; readonly publicUrl: string };

/** Builds a screen's document head: title, description, canonical URL, share image, and structured data. */
export function buildPageHead({ org, site, name, content }: Screen, { title, publicUrl }: HeadInput): PageHead {
  if (content.kind !== 'page' || !org || !name || VISITOR_RENDERED_PAGES.includes(name))
    return buildUnlistedHead(title);
  const data: HeadData = content.data;
  const path = canonicalPath(name, org, data);
  const localizedUrl = (language: Language) => publicUrl + localizeAddress(path, language);
  const canonical = localizedUrl(LANGUAGE);
  const page: HeadContext = { name, org, site, data, publicUrl, canonical };
  const description = describePage(page);
  const image = getShareImage(page);
  const { profile } = data;
  return {
    title,
    description,
    siteName: org.name,
    canonical,
    alternates: LANGUAGES.map((language) => ({ language, url: localizedUrl(language) })),
    image,
    article: profile && { author: profile.name, published: profile.createdTimestamp },
    isIndexed: true,
    structuredData: buildStructuredData(page, { description, image }),
  };
}

/** The head of a missing or personal page. */
function buildUnlistedHead(title: string): PageHead {
  return {
    title,
    description: GENERAL_DESCRIPTION,
    siteName: SITE_NAME,
    canonical: undefined,
    alternates: [],
    image: undefined,
    article: undefined,
    isIndexed: false,
    structuredData: [],
  };
}

function canonicalPath(name: PageName, { id: orgId }: Org, { profile }: HeadData): string {
  return profile?.profileURL ?? fillPath<string>(PAGES[name], { orgid: orgId });
}

/** The image of shared links to the page: the story's, or the organization's. */
function getShareImage({ name, org, data: { profile, cells }, publicUrl }: HeadContext): HeadImage {
  const kind = STORY_LISTS[name];
  if (profile && kind) {
    return {
      ...SHARE_IMAGE_SIZE,
      url: publicUrl + storyShareImagePath(org.id, kind, profile.id),
      alt: storyTitle(profile.name),
    };
  }
  return {
    ...SHARE_IMAGE_SIZE,
    url: publicUrl + orgShareImagePath(org.id),
    alt: `${org.name}: ${cells?.tag?.markdown ?? org.tag}`,
  };
}
