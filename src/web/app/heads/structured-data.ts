import { PAGES, pagePath } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { HeadImage } from '#contract/rendering.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { type DescribedPage, LISTS, SHORT_TITLES } from './described-page.ts';
import { faqAnswers } from './faq-answers.ts';

const CONTEXT = 'https://schema.org';

type Described = { readonly description: string; readonly image: HeadImage };

/** What a page tells machines of itself in the words of schema.org: nothing that it does not show to people. */
export function structuredData(page: DescribedPage, described: Described): object[] {
  const { name, data } = page;
  return [
    ...(name === 'home-page' || name === 'about-page' ? [organization(page, described)] : []),
    ...(data.profile ? [article(page, data.profile, described)] : []),
    ...(name === 'faqs-page' ? faqPage(page) : []),
    ...breadcrumbs(page),
  ];
}

const homeOf = ({ org, publicUrl }: DescribedPage) => publicUrl + pagePath('home-page', { orgid: org.id });

function organization(page: DescribedPage, { image }: Described): object {
  const { org, site, publicUrl } = page;
  return {
    '@context': CONTEXT,
    '@type': 'Organization',
    '@id': `${homeOf(page)}#organization`,
    name: org.name,
    slogan: org.tag,
    url: homeOf(page),
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

function article(page: DescribedPage, { name, photo, createdTimestamp }: Profile, described: Described): object {
  const { org, publicUrl, canonical } = page;
  return {
    '@context': CONTEXT,
    '@type': 'Article',
    headline: storyTitle(name),
    description: described.description,
    author: { '@type': 'Person', name, url: canonical },
    datePublished: createdTimestamp,
    image: [...(photo ? [publicUrl + photo.url] : []), described.image.url],
    mainEntityOfPage: canonical,
    publisher: { '@type': 'Organization', '@id': `${homeOf(page)}#organization`, name: org.name, url: homeOf(page) },
  };
}

export function storyTitle(name: string): string {
  return `The story of ${name}`;
}

function faqPage({ data: { cells } }: DescribedPage): object[] {
  const answers = cells?.questions ? faqAnswers(cells.questions) : [];
  if (answers.length === 0) return [];
  const mainEntity = answers.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  }));
  return [{ '@context': CONTEXT, '@type': 'FAQPage', mainEntity }];
}

/** The way from the home of the organisation to a page; home itself has none. */
function breadcrumbs(page: DescribedPage): object[] {
  const { name, org, data, publicUrl, canonical } = page;
  const list = LISTS[name];
  const own = data.profile?.name ?? SHORT_TITLES[name];
  if (own === undefined) return [];
  const steps = [
    { name: org.name, item: homeOf(page) },
    ...(list
      ? [
          {
            name: SHORT_TITLES[`${list}-page`] ?? list,
            item: publicUrl + fillPath<string>(PAGES[`${list}-page`], { orgid: org.id }),
          },
        ]
      : []),
    { name: own, item: canonical },
  ];
  const itemListElement = steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step }));
  return [{ '@context': CONTEXT, '@type': 'BreadcrumbList', itemListElement }];
}
