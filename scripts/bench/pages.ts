import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { answersPerSecond } from './fifty-connections.ts';
import { median } from './median.ts';
import { withScratchProduct } from './scratch-product.ts';
import { tableRow } from './table-row.ts';

// npm run bench -- pages
//
// Requests per second of the home page, its data, and its script over 50 connections, and their ratio to plain node:http
// sending the same bytes. Rounds alternate between the two, so that other work on the machine slows down both. Exits with 1
// if a ratio is below the floor.

const ROUNDS = 7;
const REQUESTS = 4000;
const WARM_UP = 3;
/** Far below today's ratios: something is wrong rather than slow. */
const FLOOR = 0.2;

const HOME = '/orgs/sample';

type Target = { readonly name: string; readonly path: string; readonly headers: string };

/** @returns whether every ratio is at least the floor */
export async function run(): Promise<boolean> {
  return withScratchProduct({ withSample: true }, async ({ url }) => {
    const { body } = await read(new URL(url + HOME), 'accept-encoding: identity\r\n');
    const [script = ''] = /\/assets\/[\w-]+\.js/.exec(body.toString()) ?? [];
    const targets: readonly Target[] = [
      { name: 'home, HTML', path: HOME, headers: 'accept-encoding: br\r\n' },
      { name: 'home, data', path: '/api/orgs/sample', headers: 'accept: application/json\r\n' },
      { name: 'script', path: script, headers: 'accept-encoding: br\r\n' },
    ];
    console.log(row(['', 'bytes', 'requests/s', 'node:http', 'ratio']));
    const ratios: number[] = [];
    for (const target of targets) ratios.push(await compare(url, target));
    return Math.min(...ratios) >= FLOOR;
  });
}

async function compare(url: string, { name, path: at, headers }: Target): Promise<number> {
  const address = new URL(url + at);
  const response = await read(address, headers);
  const bare = await startBare(response);
  try {
    const rounds: { product: number; node: number }[] = [];
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      const product = await answersPerSecond(address, headers, REQUESTS);
      const node = await answersPerSecond(bare.url, headers, REQUESTS);
      if (round >= WARM_UP) rounds.push({ product, node });
    }
    const ratio = median(rounds.map(({ product, node }) => product / node));
    const [product, node] = [median(rounds.map((round) => round.product)), median(rounds.map((round) => round.node))];
    const numbers = [response.body.length, product, node].map((number) => number.toFixed(0));
    console.log(row([name, ...numbers, ratio.toFixed(2)]));
    return ratio;
  } finally {
    await bare.stop();
  }
}

type Sent = { readonly headers: http.IncomingHttpHeaders; readonly body: Buffer };

/** The raw response with all its headers. */
async function read(url: URL, headers: string): Promise<Sent> {
  const [name = '', value = ''] = headers.trim().split(': ');
  const [response] = (await once(http.get(url, { headers: { [name]: value } }), 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url.href} answered ${response.statusCode}`);
  return { headers: response.headers, body: await buffer(response) };
}

/** node:http writes these itself. */
const OWN_HEADERS = ['connection', 'keep-alive', 'date', 'transfer-encoding'];

async function startBare({ headers, body }: Sent): Promise<{ url: URL; stop(): Promise<void> }> {
  const program = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const sent = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name));
  child.stdin.end(Buffer.concat([Buffer.from(`${JSON.stringify(Object.fromEntries(sent))}\n`), body]));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: new URL(`http://127.0.0.1:${Number(port.toString())}/`),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const row = (cells: readonly string[]) => tableRow(cells, [12, 10]);
