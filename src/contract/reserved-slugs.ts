import { PAGES } from './pages.ts';

/** First path segments of the site's own URLs, which organizations can't use as slugs. */
export const RESERVED_SLUGS: readonly string[] = [
  ...new Set(Object.values(PAGES).flatMap((pattern) => /^\/([a-z][a-z-]*)/.exec(pattern)?.[1] ?? [])),
  'api',
  'assets',
  'dev',
  'fonts',
  'healthz',
  'help',
  'img',
  'media',
  'offline',
  'privacy',
  'readyz',
  'sandbox',
  'sitemaps',
];
