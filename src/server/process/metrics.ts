/** Labels of a sample, such as a route. Never contains a visitor's input. */
export type Labels = Readonly<Record<string, string>>;

/** A metric that is measured when the metrics are read. */
export type Gauge = {
  readonly name: string;
  readonly help: string;
  /** Defaults to a gauge. */
  readonly type?: 'counter';
  readonly values: readonly (readonly [labels: Labels, value: number])[];
};

const COUNTERS = {
  fund_http_requests_total: 'Requests that got a response.',
  fund_mails_total: 'Emails by outcome: sent, rejected permanently, or failed, which are retried.',
  fund_webhooks_total: "The payment provider's webhooks: accepted, or rejected because of the signature.",
  fund_database_outages_total: 'Database outages.',
  fund_policy_reports_total: 'Browser reports about blocked parts of pages.',
} as const;

const DURATION_METRICS = {
  fund_http_request_duration_seconds: {
    help: 'Duration of requests, excluding event streams.',
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  fund_database_query_duration_seconds: {
    help: 'Duration of database queries.',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 1, 5, 30],
  },
  fund_service_call_duration_seconds: {
    help: 'Duration of calls to the payment provider (stripe), the mail server (mail), and the picture storage (storage).',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
} as const;

const SERVICE_UP = {
  name: 'fund_service_up',
  help: '1 if the last call to an outside service got a response, else 0.',
};

/** Outside services whose calls are timed. */
export type ServiceName = 'stripe' | 'mail' | 'storage';
type DurationName = keyof typeof DURATION_METRICS;
export type CounterName = keyof typeof COUNTERS;

/** Counters and durations of this process since its start. */
export type Metrics = {
  count(name: CounterName, labels?: Labels): void;
  /** Counts a request. @param seconds omitted for requests that are not timed */
  request(labels: RequestLabels, seconds?: number): void;
  query(seconds: number): void;
  /** @param isUp false if the service didn't respond, or reported an internal error */
  serviceCall(service: ServiceName, seconds: number, isUp: boolean): void;
  /** Adds gauges that are read each time `text` is called. Gauges that can't be read are omitted. */
  addGauges(readGauges: () => readonly Gauge[] | Promise<readonly Gauge[]>): void;
  /** Returns all metrics in the Prometheus format. */
  text(): Promise<string>;
};

type RequestLabels = { readonly method: string; readonly route: string; readonly status: string };
type Counter = { value: number };
type Histogram = { readonly labels: Labels; readonly counts: number[]; sum: number; count: number };

/** Creates metrics in the Prometheus text format 0.0.4. The program uses too little of it to justify a library. */
export function createMetrics(): Metrics {
  const counters = new Map<CounterName, Map<string, Counter>>();
  const histograms = new Map<DurationName, Map<string, Histogram>>();
  const services = new Map<ServiceName, boolean>();
  const gaugeReaders: (() => readonly Gauge[] | Promise<readonly Gauge[]>)[] = [];
  const findOrAddCounter = (name: CounterName, labels: Labels): Counter => {
    const samples = counters.get(name) ?? new Map<string, Counter>();
    counters.set(name, samples);
    const key = formatLabels(labels);
    const counter = samples.get(key) ?? { value: 0 };
    samples.set(key, counter);
    return counter;
  };
  const observe = (name: DurationName, labels: Labels, seconds: number): void => {
    const samples = histograms.get(name) ?? new Map<string, Histogram>();
    histograms.set(name, samples);
    const key = formatLabels(labels);
    const { buckets } = DURATION_METRICS[name];
    const histogram = samples.get(key) ?? { labels, counts: buckets.map(() => 0), sum: 0, count: 0 };
    samples.set(key, histogram);
    addObservation(histogram, buckets, seconds);
  };
  const counterLines = Object.entries(COUNTERS) as readonly [CounterName, string][];
  return {
    count: (name, labels = {}) => {
      findOrAddCounter(name, labels).value += 1;
    },
    request: (labels, seconds) => {
      findOrAddCounter('fund_http_requests_total', labels).value += 1;
      const { method, route } = labels;
      if (seconds !== undefined) observe('fund_http_request_duration_seconds', { method, route }, seconds);
    },
    query: (seconds) => observe('fund_database_query_duration_seconds', {}, seconds),
    serviceCall: (service, seconds, isUp) => {
      services.set(service, isUp);
      observe('fund_service_call_duration_seconds', { service }, seconds);
    },
    addGauges: (readGauges) => void gaugeReaders.push(readGauges),
    text: async () => {
      const gauges = await Promise.all(
        gaugeReaders.map(async (readGauges) => readGauges()).map((reading) => reading.catch(() => [])),
      );
      return [
        ...counterLines.flatMap(([name, help]) => {
          const samples = [...(counters.get(name) ?? [])].map(([key, { value }]) => `${name}${key} ${value}`);
          return formatMetric(name, help, 'counter', samples);
        }),
        ...[...histograms].flatMap(([name, samples]) => {
          const lines = [...samples.values()].flatMap((histogram) => formatHistogram(name, histogram));
          return formatMetric(name, DURATION_METRICS[name].help, 'histogram', lines);
        }),
        ...[createServiceGauge(services), ...gauges.flat()].flatMap(({ name, help, type = 'gauge', values }) => {
          const samples = values.map(([labels, value]) => `${name}${formatLabels(labels)} ${value}`);
          return formatMetric(name, help, type, samples);
        }),
        '',
      ].join('\n');
    },
  };
}

function createServiceGauge(services: ReadonlyMap<ServiceName, boolean>): Gauge {
  return { ...SERVICE_UP, values: [...services].map(([service, isUp]) => [{ service }, isUp ? 1 : 0]) };
}

function addObservation(histogram: Histogram, buckets: readonly number[], seconds: number): void {
  const bucket = buckets.findIndex((limit) => seconds <= limit);
  if (bucket >= 0) histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
  histogram.sum += seconds;
  histogram.count += 1;
}

function formatMetric(name: string, help: string, type: string, samples: readonly string[]): string[] {
  return samples.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples];
}

function formatHistogram(name: DurationName, { labels, counts, sum, count }: Histogram): string[] {
  let cumulativeCount = 0;
  const lines = DURATION_METRICS[name].buckets.map((limit, index) => {
    cumulativeCount += counts[index] ?? 0;
    return `${name}_bucket${formatLabels({ ...labels, le: String(limit) })} ${cumulativeCount}`;
  });
  const key = formatLabels(labels);
  return [
    ...lines,
    `${name}_bucket${formatLabels({ ...labels, le: '+Inf' })} ${count}`,
    `${name}_sum${key} ${sum}`,
    `${name}_count${key} ${count}`,
  ];
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (character) => ESCAPES[character] ?? '')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
