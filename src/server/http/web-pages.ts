import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { addressOf } from '#server/features/site/address-of.ts';
import { sendProblem } from './problems.ts';

/** Not one of the program's own files or calls: an address of a page. */
const NOT_A_PAGE = new RegExp(`^(?:${API_BASE}|/assets|/img|/media|/dev|/sandbox|/v1)(?:/|$)`);

/**
 * Serves the web client: its files, and its one document under every address of §2 with the status that the address
 * deserves. An unknown address is a not-found page with status 404 (decisions §7).
 */
export async function webPages(app: FastifyInstance, deps: AppDeps, webFolder: string | undefined): Promise<void> {
  const document = webFolder && (await documentIn(webFolder));
  if (webFolder && document) {
    await app.register(fastifyStatic, {
      root: path.resolve(webFolder),
      index: false,
      // Files only: everything else is an address of a page.
      wildcard: false,
      preCompressed: true,
      setHeaders: (reply, file) => {
        const hashed = file.includes(`${path.sep}assets${path.sep}`);
        void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const url = new URL(request.url, 'http://site');
    const isPage = document && ['GET', 'HEAD'].includes(request.method) && !NOT_A_PAGE.test(url.pathname);
    if (!isPage) return sendProblem(request, reply, new Failure('call-not-found'));
    return sendPage(request, reply, deps, url, document);
  });
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AppDeps,
  url: URL,
  document: string,
): Promise<FastifyReply> {
  const address = await addressOf(deps, url.pathname);
  if (address.kind === 'redirect') return reply.redirect(address.to + url.search, 302);
  if (address.kind === 'missing') request.log.debug({ path: url.pathname }, 'no such page');
  return reply
    .status(address.kind === 'missing' ? 404 : 200)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(document);
}

async function documentIn(webFolder: string): Promise<string | undefined> {
  const file = path.join(webFolder, 'index.html');
  return access(file).then(
    () => readFile(file, 'utf8'),
    () => undefined,
  );
}
