import { OFFSET_TYPES, QUICK_TIMES, type QuickEstimate } from '#domain/emissions.ts';
import type { Language } from '#messages';
import { DEFAULT_LANGUAGE, localizeAddress } from './languages.ts';
import { pagePath } from './pages.ts';

/** Files that other sites embed. */
export const EMBED_BASE = '/media/embed';
/** Adjusts the height of the calculator's frame to its content. */
export const EMBED_SCRIPT = `${EMBED_BASE}/embed.js`;

/** The calculator, the only page that other sites may frame. */
export function embedPath(orgid: string, language: Language): string {
  return localizeAddress(`${pagePath('home-page', { orgid })}/embed`, language);
}

/** The organization's totals as an image. */
export function badgePath(orgid: string, language: Language): string {
  const name = language === DEFAULT_LANGUAGE ? orgid : `${orgid}.${language}`;
  return `${EMBED_BASE}/${encodeURIComponent(name)}.svg`;
}

/** In pixels. */
export const BADGE_SIZE = { width: 320, height: 96 };

/** Suffix of a group estimate's URL that adds the estimate to the cart immediately. */
export const ADD_TO_CART_SUFFIX = '&cart';

/**
 * Formats a quick estimate for the group page's URL, so that the page renders that estimate instead of a group
 * estimate.
 */
export function formatQuickEstimate({ type, time }: QuickEstimate): string {
  return `quick-${type}-${time}`;
}

export function parseQuickEstimate(text: string): QuickEstimate | undefined {
  const estimates = OFFSET_TYPES.flatMap((type) => QUICK_TIMES.map((time) => ({ type, time })));
  return estimates.find((estimate) => formatQuickEstimate(estimate) === text);
}

/** Query parameter of the donate page: the donation in whole dollars. */
export const AMOUNT_PARAMETER = 'amount';
const AMOUNT_PATTERN = /^[1-9]\d{0,5}$/;

/** Parses the suggested donation in a link. @returns whole dollars as text; undefined for any other text */
export function parseSuggestedAmount(text: unknown): string | undefined {
  return typeof text === 'string' && AMOUNT_PATTERN.test(text) ? text : undefined;
}
