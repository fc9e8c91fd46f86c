import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { answersPerSecond } from './fifty-connections.ts';
import { storyReads } from './long-lists.ts';
import { median } from './median-difference.ts';
import { withScratchProduct } from './scratch-product.ts';
import { tableRow } from './table-row.ts';

// npm run bench -- pages
//
// How many times a second the home page's document, and its data, are answered at 50 connections: as a share of what
// node:http alone does that sends the very same bytes, in rounds by turns on the same machine. Then what a list costs
// that is long, on PostgreSQL. It ends with status 1 when the document comes at less than half the speed of node:http,
// or when a read of a long list costs more than one of a short one.

const LEAST_SHARE = 0.5;
const ROUNDS = 9;
const ANSWERS = 4000;
/** Every program is slow at first. */
const WARMING_UP = 2;

type Asked = { readonly name: string; readonly path: string; readonly headers: string; readonly least?: number };
const ASKED: readonly Asked[] = [
  { name: 'home, HTML', path: '/orgs/sample', headers: 'accept-encoding: br\r\n', least: LEAST_SHARE },
  { name: 'home, data', path: '/api/orgs/sample', headers: 'accept: application/json\r\n' },
];

/** @returns whether all of it is as fast as it should be */
export async function run(): Promise<boolean> {
  const fast = await comparedWithBareNode();
  return (await storyReads()) && fast;
}

async function comparedWithBareNode(): Promise<boolean> {
  return withScratchProduct({ withSample: true }, async ({ url }) => {
    console.log(row(['', 'bytes', 'answers/s', 'node:http', 'share', 'least']));
    let isFine = true;
    for (const asked of ASKED) isFine = (await compared(url, asked)) && isFine;
    return isFine;
  });
}

async function compared(url: string, { name, path: at, headers, least }: Asked): Promise<boolean> {
  const address = new URL(url + at);
  const answer = await read(address, headers);
  const bare = await startBare(answer);
  try {
    const product: number[] = [];
    const node: number[] = [];
    const shares: number[] = [];
    for (let round = 0; round < ROUNDS + WARMING_UP; round += 1) {
      const ours = await answersPerSecond(address, headers, ANSWERS);
      const theirs = await answersPerSecond(bare.url, headers, ANSWERS);
      if (round < WARMING_UP) continue;
      product.push(ours);
      node.push(theirs);
      shares.push(ours / theirs);
    }
    const share = median(shares);
    const numbers = [answer.body.length, median(product), median(node)].map((number) => number.toFixed(0));
    console.log(row([name, ...numbers, share.toFixed(2), least === undefined ? '' : String(least)]));
    return least === undefined || share >= least;
  } finally {
    await bare.stop();
  }
}

type Sent = { readonly headers: http.IncomingHttpHeaders; readonly body: Buffer };

/** The answer as it comes over the network, with all its headers. */
async function read(url: URL, headers: string): Promise<Sent> {
  const [name = '', value = ''] = headers.trim().split(': ');
  const [response] = (await once(http.get(url, { headers: { [name]: value } }), 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url.href} answered ${response.statusCode}`);
  return { headers: response.headers, body: await buffer(response) };
}

/** These are node:http's own, and it writes them itself. */
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
