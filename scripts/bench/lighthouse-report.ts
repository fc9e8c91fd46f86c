import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

// It is fetched by npx: it depends on a tag that moves, which no lock file holds.
const LIGHTHOUSE = ['-y', '-p', 'node@24', '-p', 'lighthouse@13.5.0', 'lighthouse'];

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof CATEGORIES)[number];

export const METRICS = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'] as const;
export type Metric = (typeof METRICS)[number];

export type Measured = {
  readonly scores: Record<Category, number>;
  readonly metrics: Record<Metric, number>;
  /** Whether all that best practices miss is that the browser says itself which status the document has. */
  readonly hasOwnStatusAlone: boolean;
};

/** Runs Lighthouse on an address, as on a middling telephone. @param port of the browser's own debugging */
export async function lighthouse(port: number, url: string): Promise<Measured> {
  const options = [
    `--only-categories=${CATEGORIES.join()}`,
    ...['--output=json', '--quiet', `--port=${port}`],
    // The not-found page is a page too.
    '--ignore-status-code',
  ];
  const report = await reported([...LIGHTHOUSE, url, ...options]);
  const scores = CATEGORIES.map((name) => [name, Math.round(report.categories[name].score * 100)]);
  const metrics = METRICS.map((name) => [name, report.audits[name].numericValue]);
  return {
    scores: Object.fromEntries(scores),
    metrics: Object.fromEntries(metrics),
    hasOwnStatusAlone: hasOwnStatusAlone(report, url),
  };
}

/** A not-found page has status 404 (decisions §7), and every browser writes that into its console. */
function hasOwnStatusAlone({ categories, audits }: Report, url: string): boolean {
  const missed = categories['best-practices'].auditRefs.filter(
    ({ id, weight }) => weight > 0 && audits[id]?.score === 0,
  );
  const said = audits[CONSOLE]?.details?.items ?? [];
  const isOwn = said.length === 1 && said[0]?.source === 'network' && said[0].sourceLocation?.url === url;
  return isOwn && missed.every(({ id }) => id === CONSOLE);
}

const CONSOLE = 'errors-in-console';

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

/** Lighthouse sometimes loses the beginning of what the browser recorded, and asks itself to be run again. */
async function reported(command: readonly string[], triesLeft = 3): Promise<Report> {
  try {
    const { stdout } = await promisify(execFile)('npx', command, { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    if (triesLeft > 1 && said.includes('Please run Lighthouse again')) return reported(command, triesLeft - 1);
    throw new Error(`Lighthouse did not run: ${said}`);
  }
}
