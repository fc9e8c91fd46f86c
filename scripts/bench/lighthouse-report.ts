import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

// Fetched by npx, because it depends on a moving tag that no lock file can pin.
const LIGHTHOUSE_COMMAND = ['-y', '-p', 'node@24', '-p', 'lighthouse@13.5.0', 'lighthouse'];

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof CATEGORIES)[number];

export const METRICS = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'] as const;
export type Metric = (typeof METRICS)[number];

export type LighthouseResult = {
  readonly scores: Record<Category, number>;
  readonly metrics: Record<Metric, number>;
  /** True if best practices fail only because the browser logs the document's own 404 status. */
  readonly hasOnlyStatusCodeFailure: boolean;
};

/** Runs Lighthouse on a URL with its default mobile settings. @param port the browser's debugging port */
export async function auditPage(port: number, url: string): Promise<LighthouseResult> {
  const options = [
    `--only-categories=${CATEGORIES.join()}`,
    ...['--output=json', '--quiet', `--port=${port}`],
    // Needed for the not-found page.
    '--ignore-status-code',
  ];
  const report = await runLighthouse([...LIGHTHOUSE_COMMAND, url, ...options]);
  const scores = CATEGORIES.map((name) => [name, Math.round(report.categories[name].score * 100)]);
  const metrics = METRICS.map((name) => [name, report.audits[name].numericValue]);
  return {
    scores: Object.fromEntries(scores),
    metrics: Object.fromEntries(metrics),
    hasOnlyStatusCodeFailure: hasOnlyStatusCodeFailure(report, url),
  };
}

/** Browsers log the 404 of a not-found page (decisions §7), which fails this audit. */
function hasOnlyStatusCodeFailure({ categories, audits }: Report, url: string): boolean {
  const failedAudits = categories['best-practices'].auditRefs.filter(
    ({ id, weight }) => weight > 0 && audits[id]?.score === 0,
  );
  const messages = audits[CONSOLE_AUDIT]?.details?.items ?? [];
  const isOnlyDocumentStatus =
    messages.length === 1 && messages[0]?.source === 'network' && messages[0].sourceLocation?.url === url;
  return isOnlyDocumentStatus && failedAudits.every(({ id }) => id === CONSOLE_AUDIT);
}

const CONSOLE_AUDIT = 'errors-in-console';

type Report = {
  readonly categories: Record<
    Category,
    { readonly score: number; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
  >;
  readonly audits: Record<Metric, { readonly numericValue: number }> & Record<string, Audit | undefined>;
};

type Audit = {
  readonly score: number | null;
  readonly details?: {
    readonly items?: readonly { readonly source?: string; readonly sourceLocation?: { readonly url: string } }[];
  };
};

/** Retries, because Lighthouse sometimes loses the start of the trace. */
async function runLighthouse(command: readonly string[], triesLeft = 3): Promise<Report> {
  try {
    const { stdout } = await promisify(execFile)('npx', command, { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    const messages = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    if (triesLeft > 1 && messages.includes('Please run Lighthouse again')) return runLighthouse(command, triesLeft - 1);
    throw new Error(`Lighthouse failed: ${messages}`);
  }
}
