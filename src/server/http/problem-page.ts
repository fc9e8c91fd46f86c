import { localizeAddress } from '#contract/languages.ts';
import type { Problem } from '#contract/problem.ts';
import type { FailureCode } from '#domain/failures.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { type Language, m } from '#messages';
import { createStylePolicy, Html, html } from '#server/http/html.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #0e2930; --muted: #466066; --paper: #fff; --link: #17585b }
@media (prefers-color-scheme: dark) { :root { --ink: #f4faf8; --muted: #b9d2cf; --paper: #0b2b33; --link: #cfe6e2 } }
body { margin: 0 auto; max-width: 40rem; padding: 3rem 1rem; font: 1.0625rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
h1 { font-size: 1.75rem; line-height: 1.2 } a { color: var(--link) } small { color: var(--muted) }
`;

export const PROBLEM_PAGE_POLICY = createStylePolicy(STYLE);

const BROKEN_LINK_CODES: ReadonlySet<FailureCode> = new Set<FailureCode>(['receipt-not-found', 'invalid-input']);
const NO_PAGE_CODES: ReadonlySet<FailureCode> = new Set<FailureCode>(['call-not-found', 'page-not-found']);

/** Error page for a user who opens a call's URL in the browser, such as an emailed link to a receipt. */
export function renderProblemPage(problem: Problem, call: string | undefined, language: Language): string {
  const { status, requestId } = problem;
  const options = { locale: language };
  const [heading, hint] = getHeadingAndHint(problem, call, language);
  const reference = status < 500 ? [] : html`<p><small>${m.errorReference({ id: requestId }, options)}</small></p>`;
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${heading} – ${SITE_NAME}</title><style>${new Html(STYLE)}</style><link rel="icon" href="data:,"></head>
<body><main><h1>${heading}</h1><p>${hint}</p>${reference}<p><a href="${localizeAddress('/', language)}">${m.goHome({}, options)}</a></p></main></body>
</html>
`.text;
}

/** Returns a heading and advice. */
function getHeadingAndHint(problem: Problem, call: string | undefined, locale: Language): readonly [string, string] {
  const { code, detail } = problem;
  const options = { locale };
  if (call === 'openReceipt' && BROKEN_LINK_CODES.has(code))
    return [m.receiptLinkWrong({}, options), m.receiptLinkWrongText({}, options)];
  if (NO_PAGE_CODES.has(code)) return [m.notFoundTitle({}, options), m.notFoundText({}, options)];
  return [m.errorTitle({}, options), detail];
}
