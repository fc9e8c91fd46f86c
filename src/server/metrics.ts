/** Labels of a sample, such as a route. Never a value that a visitor chose. */
export type Labels = Readonly<Record<string, string>>;

/** A metric that is measured on request. */
export type Gauge = {
  readonly name: string;
  readonly help: string;
  readonly values: readonly (readonly [labels: Labels, value: number])[];
};

const COUNTERS = {
  fund_http_requests_total: 'Requests that were answered.',
  fund_mails_total: 'Mails, by what became of them: sent, refused for good, or failed, which are tried again.',
  fund_webhooks_total: 'Reports of the payment provider: accepted, or refused for their signature.',
  fund_database_outages_total: 'Times that the database went out of reach.',
  fund_policy_reports_total: 'Reports of browsers about blocked parts of pages.',
  fund_slow_queries_total: 'Queries of the database that took longer than SLOW_QUERY_MS.',
} as const;

const DURATION = {
  name: 'fund_http_request_duration_seconds',
  help: 'How long requests took to answer, without event streams.',
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
} as const;

export type CounterName = keyof typeof COUNTERS;

/** Counters of this process since its start. */
export type Metrics = {
  count(name: CounterName, labels?: Labels): void;
  /** Counts an answered request. @param seconds undefined for one that is not timed */
  request(labels: RequestLabels, seconds?: number): void;
  /** Adds what is measured whenever the text is asked for. What cannot be read then is left out. */
  measure(read: () => readonly Gauge[] | Promise<readonly Gauge[]>): void;
  /** All of it, as Prometheus reads it. */
  text(): Promise<string>;
};

type RequestLabels = { readonly method: string; readonly route: string; readonly status: string };
type Tally = { value: number };
type Timed = { readonly labels: Labels; readonly counts: number[]; sum: number; count: number };

/** Counters and durations in the text format of Prometheus 0.0.4, of which this program needs too little for a library. */
export function openMetrics(): Metrics {
  const counts = new Map<CounterName, Map<string, Tally>>();
  const timed = new Map<string, Timed>();
  const measured: (() => readonly Gauge[] | Promise<readonly Gauge[]>)[] = [];
  const tallyOf = (name: CounterName, labels: Labels): Tally => {
    const samples = counts.get(name) ?? new Map<string, Tally>();
    counts.set(name, samples);
    const key = labelsText(labels);
    const known = samples.get(key) ?? { value: 0 };
    samples.set(key, known);
    return known;
  };
  const timedOf = (labels: Labels): Timed => {
    const key = labelsText(labels);
    const known = timed.get(key) ?? { labels, counts: DURATION.buckets.map(() => 0), sum: 0, count: 0 };
    timed.set(key, known);
    return known;
  };
  const counterLines = Object.entries(COUNTERS) as readonly [CounterName, string][];
  return {
    count: (name, labels = {}) => {
      tallyOf(name, labels).value += 1;
    },
    request: (labels, seconds) => {
      tallyOf('fund_http_requests_total', labels).value += 1;
      if (seconds !== undefined) addTime(timedOf({ method: labels.method, route: labels.route }), seconds);
    },
    measure: (read) => void measured.push(read),
    text: async () => {
      const gauges = await Promise.all(measured.map(async (read) => read()).map((reading) => reading.catch(() => [])));
      return [
        ...counterLines.flatMap(([name, help]) => {
          const samples = [...(counts.get(name) ?? [])].map(([key, { value }]) => `${name}${key} ${value}`);
          return family(name, help, 'counter', samples);
        }),
        ...family(DURATION.name, DURATION.help, 'histogram', [...timed.values()].flatMap(bucketLines)),
        ...gauges.flat().flatMap(({ name, help, values }) => {
          const samples = values.map(([labels, value]) => `${name}${labelsText(labels)} ${value}`);
          return family(name, help, 'gauge', samples);
        }),
        '',
      ].join('\n');
    },
  };
}

function addTime(times: Timed, seconds: number): void {
  const bucket = DURATION.buckets.findIndex((most) => seconds <= most);
  if (bucket >= 0) times.counts[bucket] = (times.counts[bucket] ?? 0) + 1;
  times.sum += seconds;
  times.count += 1;
}

function family(name: string, help: string, type: string, samples: readonly string[]): string[] {
  return samples.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
}

function bucketLines({ labels, counts, sum, count }: Timed): string[] {
  const { name, buckets } = DURATION;
  let soFar = 0;
  const upTo = buckets.map((most, at) => {
    soFar += counts[at] ?? 0;
    return `${name}_bucket${labelsText({ ...labels, le: String(most) })} ${soFar}`;
  });
  const key = labelsText(labels);
  return [
    ...upTo,
    `${name}_bucket${labelsText({ ...labels, le: '+Inf' })} ${count}`,
    `${name}_sum${key} ${sum}`,
    `${name}_count${key} ${count}`,
  ];
}

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (mark) => ESCAPED[mark] ?? '')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
