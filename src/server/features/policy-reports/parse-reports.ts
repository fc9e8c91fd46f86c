import { z } from 'zod';
import { splitLanguage } from '#contract/languages.ts';
import { findPage, PAGES } from '#contract/pages.ts';
import { parseInput } from '#server/http/input.ts';

/** The logged part of a report. Omits full addresses, which could contain a secret, and anything about the browser. */
export type PolicyViolation = {
  readonly directive: string;
  readonly blocked: string;
  readonly page: string;
  readonly source: string;
};

/** Browsers send several reports in one request. */
const MAX_REPORTS = 50;
const textSchema = z.string().catch('');

/** Body of a `report-uri` request. */
const singleReportSchema = z
  .object({
    'csp-report': z.object({
      'effective-directive': textSchema,
      'violated-directive': textSchema,
      'blocked-uri': textSchema,
      'document-uri': textSchema,
      'source-file': textSchema,
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
  .object({ effectiveDirective: textSchema, blockedURL: textSchema, documentURL: textSchema, sourceFile: textSchema })
  .catch({ effectiveDirective: '', blockedURL: '', documentURL: '', sourceFile: '' });

/**
 * Parses the body of a report request.
 * @param siteOrigin the site's own origin
 * @throws Failure invalid-input
 */
export function parseReports(body: unknown, siteOrigin: string): PolicyViolation[] {
  return parseInput(z.union([singleReportSchema, reportListSchema]), body)
    .map(({ directive, blocked, page, source }) => ({
      directive: directive.split(' ')[0] ?? '',
      blocked: sanitizeOrigin(blocked, siteOrigin),
      page: findPagePattern(page),
      source: findScriptPath(source, siteOrigin) ?? sanitizeOrigin(source, siteOrigin),
    }))
    .filter(({ directive, blocked }) => /^[a-z]+(-[a-z]+){1,3}$/.test(directive) && directive.length <= 40 && blocked);
}

const MAX_ORIGIN_LENGTH = 100;

/** Reduces an address to an origin, a scheme, or a keyword. Omits the path, which could contain anything. */
function sanitizeOrigin(text: string, siteOrigin: string): string {
  if (/^[a-z][a-z-]{1,30}$/.test(text)) return text;
  const url = URL.parse(text);
  if (!url) return '';
  if (url.origin === siteOrigin) return 'self';
  if (!/^(https?|wss?):$/.test(url.protocol)) return url.protocol.slice(0, -1).slice(0, MAX_ORIGIN_LENGTH);
  return `${url.protocol}//${url.host}`.slice(0, MAX_ORIGIN_LENGTH);
}

function findScriptPath(text: string, siteOrigin: string): string | undefined {
  const url = URL.parse(text);
  return url?.origin === siteOrigin && /^\/assets\/[\w.-]{1,80}$/.test(url.pathname) ? url.pathname : undefined;
}

/** Returns the route pattern of a page's address. The address itself could contain a secret. */
function findPagePattern(text: string): string {
  const page = findPage(splitLanguage(URL.parse(text)?.pathname ?? '').rest);
  return page ? PAGES[page.name] : 'other';
}
