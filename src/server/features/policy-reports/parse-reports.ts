import { z } from 'zod';
import { splitLanguage } from '#contract/languages.ts';
import { PAGES, pageAt } from '#contract/pages.ts';
import { parseInput } from '#server/http/input.ts';

/** The logged part of a report. It has no full address, which could contain a secret, and nothing about the browser. */
export type PolicyViolation = {
  readonly directive: string;
  readonly blocked: string;
  readonly page: string;
  readonly source: string;
};

/** Browsers send several reports in one request. */
const MAX_REPORTS = 50;
const text = z.string().catch('');

/** Body of a `report-uri` request. */
const singleReportSchema = z
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

/** Body of a `report-to` request. */
const reportListSchema = z
  .array(z.object({ type: z.string(), body: z.unknown() }))
  .max(MAX_REPORTS)
  .transform((reports) =>
    reports
      .filter(({ type }) => type === 'csp-violation')
      .map(({ body }) => violationSchema.parse(typeof body === 'object' ? body : {}))
      .map(({ effectiveDirective: directive, blockedURL: blocked, documentURL: page, sourceFile: source }) => {
        return { directive, blocked, page, source };
      }),
  );
const violationSchema = z
  .object({ effectiveDirective: text, blockedURL: text, documentURL: text, sourceFile: text })
  .catch({ effectiveDirective: '', blockedURL: '', documentURL: '', sourceFile: '' });

/**
 * Parses the body of a report request.
 * @param site the origin of the pages
 * @throws Failure invalid-input
 */
export function parseReports(body: unknown, site: string): PolicyViolation[] {
  return parseInput(z.union([singleReportSchema, reportListSchema]), body)
    .map(({ directive, blocked, page, source }) => ({
      directive: directive.split(' ')[0] ?? '',
      blocked: sanitizeOrigin(blocked, site),
      page: pagePattern(page),
      source: scriptPath(source, site) ?? sanitizeOrigin(source, site),
    }))
    .filter(({ directive, blocked }) => /^[a-z]+(-[a-z]+){1,3}$/.test(directive) && directive.length <= 40 && blocked);
}

const MAX_ORIGIN_LENGTH = 100;

/** Reduces an address to an origin, a scheme, or a keyword. Omits the path, which could contain anything. */
function sanitizeOrigin(text: string, site: string): string {
  if (/^[a-z][a-z-]{1,30}$/.test(text)) return text;
  const url = URL.parse(text);
  if (!url) return '';
  if (url.origin === site) return 'self';
  if (!/^(https?|wss?):$/.test(url.protocol)) return url.protocol.slice(0, -1).slice(0, MAX_ORIGIN_LENGTH);
  return `${url.protocol}//${url.host}`.slice(0, MAX_ORIGIN_LENGTH);
}

function scriptPath(text: string, site: string): string | undefined {
  const url = URL.parse(text);
  return url?.origin === site && /^\/assets\/[\w.-]{1,80}$/.test(url.pathname) ? url.pathname : undefined;
}

/** Returns the route pattern of a page's address. The address itself could contain a secret. */
function pagePattern(text: string): string {
  const page = pageAt(splitLanguage(URL.parse(text)?.pathname ?? '').rest);
  return page ? PAGES[page.name] : 'other';
}
