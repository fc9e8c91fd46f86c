import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#domain/failures.ts';
import { sendProblem } from '#server/http/problems.ts';
import type { CachedAnswers } from './cached-answers.ts';
import { type Encoding, encodingFor } from './encodings.ts';
import { entityTag, hashOf, pageCache, type Ready } from './page-cache.ts';

const PREFIX = '/assets/';

/** All kinds that the build makes. What it compressed is sent in place of what it did not, and never by its own name. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** Longer ones no disk has. */
const NAME = /^[\w.-]{1,200}$/;

/** More than the files of a build and of the one before. */
const MOST_BYTES = 32 * 1024 * 1024;

type Asset = Ready & { readonly offered: readonly Encoding[] };
type OfFile = FastifyRequest<{ Params: { '*': string } }>;

/**
 * The scripts, styles and fonts of the build, which have the hash of their content in their names. A first visit needs a
 * dozen of them, so each is read once, and then answered as documents are.
 */
export function serveAssets(app: FastifyInstance, folder: string, answers: CachedAnswers): void {
  const cache = pageCache<Asset>(MOST_BYTES);
  answers.add((url) => (url.startsWith(PREFIX) ? cache.peek(url.slice(PREFIX.length)) : undefined));
  app.get(`${PREFIX}*`, async (request: OfFile, reply) => {
    const name = request.params['*'];
    const type = NAME.test(name) ? TYPES[path.extname(name)] : undefined;
    const asset = type && (await cache.get(name, undefined, () => readAsset(path.join(folder, name))).catch(ifMissing));
    if (!type || !asset) return sendProblem(request, reply, new Failure('call-not-found'));
    const encoding = encodingFor(request.headers['accept-encoding'], asset.offered);
    const etag = entityTag(asset, encoding);
    const headers = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };
    void reply.type(type).headers(headers);
    const kept = request.method === 'GET' && request.raw.url === PREFIX + name ? asset : undefined;
    return answers.send(request, reply, { kept, etag, encoding, body: asset.bodies[encoding] });
  });
}

/** @throws Error if the file does not exist */
async function readAsset(file: string): Promise<Asset> {
  const [identity, br, gzip] = await Promise.all([
    readFile(file),
    ...['br', 'gz'].map((end) => readFile(`${file}.${end}`).catch(ifMissing)),
  ]);
  const isCompressed = br !== undefined && gzip !== undefined;
  return {
    bodies: { identity, br: br ?? identity, gzip: gzip ?? identity },
    etag: hashOf(identity),
    offered: isCompressed ? ['br', 'gzip', 'identity'] : ['identity'],
  };
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
