import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { measureResponsesPerSecond } from './fifty-connections.ts';
import { getMedian } from './median.ts';
import { formatTableRow } from './table-row.ts';
import { withTestServer } from './test-server.ts';

// npm run bench -- pages
//
// Requests per second of the home page, its data, and its script over 50 connections, and their ratio to plain node:http
// sending the same bytes. Rounds alternate between the two, so that other work on the machine slows down both. Exits with 1
// if a ratio is below the floor.

const ROUNDS = 7;
const REQUESTS = 4000;
const WARM_UP_ROUNDS = 3;
/** Well below current ratios, so a lower ratio means a defect. */
const MIN_RATIO = 0.2;

const HOME_PATH = '/orgs/sample';

type Target = { readonly name: string; readonly path: string; readonly headers: string };

/** @returns whether every ratio is at least the floor */
export async function run(): Promise<boolean> {
  return withTestServer({ withSample: true }, async ({ url }) => {
    const { body } = await fetchRaw(new URL(url + HOME_PATH), 'accept-encoding: identity\r\n');
    const [script = ''] = /\/assets\/[\w-]+\.js/.exec(body.toString()) ?? [];
    const targets: readonly Target[] = [
      { name: 'home, HTML', path: HOME_PATH, headers: 'accept-encoding: br\r\n' },
      { name: 'home, data', path: '/api/orgs/sample', headers: 'accept: application/json\r\n' },
      { name: 'script', path: script, headers: 'accept-encoding: br\r\n' },
    ];
    console.log(formatRow(['', 'bytes', 'requests/s', 'node:http', 'ratio']));
    const ratios: number[] = [];
    for (const target of targets) ratios.push(await compareWithBaseline(url, target));
    return Math.min(...ratios) >= MIN_RATIO;
  });
}

async function compareWithBaseline(url: string, { name, path, headers }: Target): Promise<number> {
  const address = new URL(url + path);
  const response = await fetchRaw(address, headers);
  const baseline = await startBaseline(response);
  try {
    const rounds: { server: number; node: number }[] = [];
    for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round += 1) {
      const server = await measureResponsesPerSecond(address, headers, REQUESTS);
      const node = await measureResponsesPerSecond(baseline.url, headers, REQUESTS);
      if (round >= WARM_UP_ROUNDS) rounds.push({ server, node });
    }
    const ratio = getMedian(rounds.map(({ server, node }) => server / node));
    const [server, node] = [
      getMedian(rounds.map((round) => round.server)),
      getMedian(rounds.map((round) => round.node)),
    ];
    const numbers = [response.body.length, server, node].map((number) => number.toFixed(0));
    console.log(formatRow([name, ...numbers, ratio.toFixed(2)]));
    return ratio;
  } finally {
    await baseline.stop();
  }
}

type RawResponse = { readonly headers: http.IncomingHttpHeaders; readonly body: Buffer };

/** The raw response with all its headers. */
async function fetchRaw(url: URL, headers: string): Promise<RawResponse> {
  const [name = '', value = ''] = headers.trim().split(': ');
  const [response] = (await once(http.get(url, { headers: { [name]: value } }), 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url.href} returned ${response.statusCode}`);
  return { headers: response.headers, body: await buffer(response) };
}

/** Headers that node:http adds. */
const GENERATED_HEADERS = ['connection', 'keep-alive', 'date', 'transfer-encoding'];

async function startBaseline({ headers, body }: RawResponse): Promise<{ url: URL; stop(): Promise<void> }> {
  const serverScript = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
  const child = spawn(process.execPath, [serverScript], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const sentHeaders = Object.entries(headers).filter(([name]) => !GENERATED_HEADERS.includes(name));
  child.stdin.end(Buffer.concat([Buffer.from(`${JSON.stringify(Object.fromEntries(sentHeaders))}\n`), body]));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: new URL(`http://127.0.0.1:${Number(port.toString())}/`),
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

const formatRow = (cells: readonly string[]) => formatTableRow(cells, [12, 10]);
