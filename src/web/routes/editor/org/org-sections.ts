import { pagePath } from '#contract/pages.ts';

/** Settings by topic. The first section contains the settings from §2. */
const SECTIONS = {
  basics: 'Basics',
  place: 'Location and time zone',
  grants: 'Grants and stories',
  calculator: 'Calculator',
  security: 'Security',
} as const;

export type OrgSection = keyof typeof SECTIONS;
const ORG_SECTIONS = Object.keys(SECTIONS) as readonly OrgSection[];

/** @returns the basics section if the name is unknown */
export function findSection(name: string): OrgSection {
  return ORG_SECTIONS.find((section) => section === name) ?? 'basics';
}

/** @param field id of the field to scroll to */
export function sectionUrl(orgId: string, section: OrgSection, field?: string): string {
  const path =
    section === 'basics'
      ? pagePath('org-page', { orgid: orgId })
      : pagePath('org-section-page', { orgid: orgId, section });
  return field === undefined ? path : `${path}#${field}`;
}

export function getSectionLinks(orgId: string, current: OrgSection) {
  return ORG_SECTIONS.map((section) => ({
    label: SECTIONS[section],
    to: sectionUrl(orgId, section),
    isCurrent: section === current,
  }));
}
