import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { answersPerSecond } from './fifty-connections.ts';
import { storyReads } from './long-lists.ts';
import { median } from './median.ts';
import { withScratchProduct } from './scratch-product.ts';
import { tableRow } from './table-row.ts';

// npm run bench -- pages
//
// Answers per second of the home page, its data and its program over 50 connections, as a share of plain node:http sending
// the same bytes, in alternating rounds. Then reads of long lists on PostgreSQL. Exits with 1 when a share misses its aim, or
// when a read of a long list costs more than one of a short list.

const ROUNDS = 9;
const ANSWERS = 8000;
const WARM_UP = 8;

const HOME = '/orgs/sample';

type Target = { readonly name: string; readonly path: string; readonly headers: string; readonly aim: number };
const TARGETS: readonly Target[] = [
  { name: 'home, HTML', path: HOME, headers: 'accept-encoding: br\r\n', aim: 0.9 },
  { name: 'home, data', path: '/api/orgs/sample', headers: 'accept: application/json\r\n', aim: 0.5 },
];

/** @returns whether everything is fast enough */
export async function run(): Promise<boolean> {
  const fast = await compareWithBareNode();
  return (await storyReads()) && fast;
}

async function compareWithBareNode(): Promise<boolean> {
  return withScratchProduct({ withSample: true }, async ({ url }) => {
    console.log(row(['', 'bytes', 'answers/s', 'node:http', 'share', 'aim']));
    let isFine = true;
    const { body } = await read(new URL(url + HOME), 'accept-encoding: identity\r\n');
    const [program = ''] = /\/assets\/[\w-]+\.js/.exec(body.toString()) ?? [];
    const targets = [...TARGETS, { name: 'its program', path: program, headers: 'accept-encoding: br\r\n', aim: 0.5 }];
    for (const target of targets) isFine = (await compared(url, target)) && isFine;
    return isFine;
  });
}

async function compared(url: string, { name, path: at, headers, aim }: Target): Promise<boolean> {
  const address = new URL(url + at);
  const answer = await read(address, headers);
  const bare = await startBare(answer);
  try {
    const product: number[] = [];
    const node: number[] = [];
    const shares: number[] = [];
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      const ours = await answersPerSecond(address, headers, ANSWERS);
      const theirs = await answersPerSecond(bare.url, headers, ANSWERS);
      if (round < WARM_UP) continue;
      product.push(ours);
      node.push(theirs);
      shares.push(ours / theirs);
    }
    const share = median(shares);
    const numbers = [answer.body.length, median(product), median(node)].map((number) => number.toFixed(0));
    console.log(row([name, ...numbers, share.toFixed(2), String(aim)]));
    return share >= aim;
  } finally {
    await bare.stop();
  }
}

type Sent = { readonly headers: http.IncomingHttpHeaders; readonly body: Buffer };

/** The raw answer with all its headers. */
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
