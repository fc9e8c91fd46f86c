import { z } from 'zod';
import { PAGES, pageAt } from '#contract/pages.ts';
import { read } from '#server/http/input.ts';

/** The logged part of a report. It has no full address, which may be a secret, and nothing about the browser. */
export type Blocked = {
  readonly directive: string;
  readonly blocked: string;
  readonly page: string;
  readonly source: string;
};

/** Browsers send what they have gathered together. */
const MOST_AT_ONCE = 50;
const text = z.string().catch('');

/** As `report-uri` sends it. */
const one = z
  .object({
    'csp-report': z.object({
      'effective-directive': text,
      'violated-directive': text,
      'blocked-uri': text,
      'document-uri': text,
      'source-file': text,
    }),
  })
  .transform(({ 'csp-report': report }) => [
    {
      directive: report['effective-directive'] || report['violated-directive'],
      blocked: report['blocked-uri'],
      page: report['document-uri'],
      source: report['source-file'],
    },
  ]);

/** As `report-to` sends them. */
const several = z
  .array(z.object({ type: z.string(), body: z.unknown() }))
  .max(MOST_AT_ONCE)
  .transform((all) =>
    all
      .filter(({ type }) => type === 'csp-violation')
      .map(({ body }) => violation.parse(typeof body === 'object' ? body : {}))
      .map(({ effectiveDirective: directive, blockedURL: blocked, documentURL: page, sourceFile: source }) => {
        return { directive, blocked, page, source };
      }),
  );
const violation = z
  .object({ effectiveDirective: text, blockedURL: text, documentURL: text, sourceFile: text })
  .catch({ effectiveDirective: '', blockedURL: '', documentURL: '', sourceFile: '' });

/**
 * @param site the origin of the pages
 * @throws Failure invalid-input
 */
export function sentReports(sent: unknown, site: string): Blocked[] {
  return read(z.union([one, several]), sent)
    .map(({ directive, blocked, page, source }) => ({
      directive: directive.split(' ')[0] ?? '',
      blocked: placeOf(blocked, site),
      page: pageOf(page),
      source: scriptOf(source, site) ?? placeOf(source, site),
    }))
    .filter(({ directive, blocked }) => /^[a-z]+(-[a-z]+){1,3}$/.test(directive) && directive.length <= 40 && blocked);
}

const LONGEST_ORIGIN = 100;

/** The origin, scheme or keyword: an address's path could be anything. */
function placeOf(text: string, site: string): string {
  if (/^[a-z][a-z-]{1,30}$/.test(text)) return text;
  const url = URL.parse(text);
  if (!url) return '';
  if (url.origin === site) return 'self';
  if (!/^(https?|wss?):$/.test(url.protocol)) return url.protocol.slice(0, -1).slice(0, LONGEST_ORIGIN);
  return `${url.protocol}//${url.host}`.slice(0, LONGEST_ORIGIN);
}

function scriptOf(text: string, site: string): string | undefined {
  const url = URL.parse(text);
  return url?.origin === site && /^\/assets\/[\w.-]{1,80}$/.test(url.pathname) ? url.pathname : undefined;
}

/** The pattern of a page's address, as the address itself may be a person's secret. */
function pageOf(text: string): string {
  const page = pageAt(URL.parse(text)?.pathname ?? '');
  return page ? PAGES[page.name] : 'other';
}
