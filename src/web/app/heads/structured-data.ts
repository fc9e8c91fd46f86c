import { localizeAddress } from '#contract/languages.ts';
import { PAGES, pagePath } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { HeadImage } from '#contract/rendering.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { LANGUAGE, m } from '#messages';
import { parseFaqHeadings } from '#web/ui/faq-headings.ts';
import { toPlainText } from '#web/ui/plain-text.ts';
import { type HeadContext, SHORT_TITLES, STORY_LISTS } from './describe-page.ts';

const CONTEXT = 'https://schema.org';

type HeadSummary = { readonly description: string; readonly image: HeadImage };

/** The structured data of a page (schema.org). Contains nothing that isn't on the page. */
export function buildStructuredData(page: HeadContext, summary: HeadSummary): object[] {
  const { name, data } = page;
  return [
    ...(name === 'home-page' || name === 'about-page' ? [buildOrganization(page, summary)] : []),
    ...(data.profile ? [buildArticle(page, data.profile, summary)] : []),
    ...(name === 'faqs-page' ? buildFaqPage(page) : []),
    ...buildBreadcrumbs(page),
  ];
}

const getHomeUrl = ({ org, publicUrl }: HeadContext) =>
  publicUrl + localizeAddress(pagePath('home-page', { orgid: org.id }), LANGUAGE);

function buildOrganization(page: HeadContext, { image }: HeadSummary): object {
  const { org, site, publicUrl } = page;
  return {
    '@context': CONTEXT,
    '@type': 'Organization',
    '@id': `${getHomeUrl(page)}#organization`,
    name: org.name,
    slogan: page.data.cells?.tag?.markdown ?? org.tag,
    url: getHomeUrl(page),
    logo: `${publicUrl}/img/icon-512.png`,
    image: image.url,
    ...(site
      ? {
          parentOrganization: {
            '@type': 'Organization',
            name: site.parentName,
            taxID: site.parentEin,
            address: site.parentAddress,
            email: site.contactEmail,
          },
        }
      : {}),
  };
}

function buildArticle(page: HeadContext, { name, photo, createdTimestamp }: Profile, summary: HeadSummary): object {
  const { org, publicUrl, canonical } = page;
  return {
    '@context': CONTEXT,
    '@type': 'Article',
    headline: storyTitle(name),
    description: summary.description,
    author: { '@type': 'Person', name, url: canonical },
    datePublished: createdTimestamp,
    image: [...(photo ? [publicUrl + photo.url] : []), summary.image.url],
    mainEntityOfPage: canonical,
    publisher: {
      '@type': 'Organization',
      '@id': `${getHomeUrl(page)}#organization`,
      name: org.name,
      url: getHomeUrl(page),
    },
  };
}

export function storyTitle(name: string): string {
  return m.headStoryTitle({ name });
}

function buildFaqPage({ data: { cells } }: HeadContext): object[] {
  const answers = cells?.questions ? parseFaqAnswers(cells.questions) : [];
  if (answers.length === 0) return [];
  const mainEntity = answers.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  }));
  return [{ '@context': CONTEXT, '@type': 'FAQPage', mainEntity }];
}

export type FaqAnswer = { readonly question: string; readonly answer: string };

/** The questions in the FAQ's table of contents (§2), each with the text below its heading. */
export function parseFaqAnswers({ html }: Pick<Cell, 'html'>): FaqAnswer[] {
  // Every part but the first starts with a heading.
  return html.split(/(?=<h[1-3][ >])/).flatMap((part) => {
    const [question] = parseFaqHeadings(part);
    const answer = toPlainText(part.slice(part.indexOf('</h3>')));
    return question && answer ? [{ question: question.text, answer }] : [];
  });
}

/** The path from the home page to this page. The home page has no breadcrumbs. */
function buildBreadcrumbs(page: HeadContext): object[] {
  const { name, org, data, publicUrl, canonical } = page;
  const list = STORY_LISTS[name];
  const title = data.profile?.name ?? SHORT_TITLES[name];
  if (title === undefined) return [];
  const crumbs = [
    { name: org.name, item: getHomeUrl(page) },
    ...(list
      ? [
          {
            name: SHORT_TITLES[`${list}-page`] ?? list,
            item: publicUrl + localizeAddress(fillPath<string>(PAGES[`${list}-page`], { orgid: org.id }), LANGUAGE),
          },
        ]
      : []),
    { name: title, item: canonical },
  ];
  const itemListElement = crumbs.map((crumb, index) => ({ '@type': 'ListItem', position: index + 1, ...crumb }));
  return [{ '@context': CONTEXT, '@type': 'BreadcrumbList', itemListElement }];
}
