import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { addressOf } from '#server/features/site/address-of.ts';
import { splitAddress } from './address.ts';
import { sendProblem } from './problems.ts';

/** Not one of the program's own files or calls: an address of a page. */
const NOT_A_PAGE = new RegExp(`^(?:${API_BASE}|/assets|/img|/media|/dev|/sandbox|/v1)(?:[/?]|$)`);

/**
 * Serves the web client: its files, and its one document under every address of §2 with the status that the address
 * deserves. An unknown address is a not-found page with status 404 (decisions §7).
 */
export async function webPages(app: FastifyInstance, deps: AppDeps, webFolder: string | undefined): Promise<void> {
  const document = webFolder && (await documentIn(webFolder));
  if (webFolder && document) {
    const root = path.resolve(webFolder);
    await app.register(fastifyStatic, {
      root,
      index: false,
      // Files only: everything else is an address of a page.
      wildcard: false,
      preCompressed: true,
      // The document stands under the addresses of §2 alone; compressed files are sent in place of the plain ones.
      globIgnore: ['index.html', '**/*.br', '**/*.gz'],
      setHeaders: (reply, file) => {
        const hashed = path.relative(root, file).startsWith(`assets${path.sep}`);
        void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = document && ['GET', 'HEAD'].includes(request.method) && !NOT_A_PAGE.test(request.url);
    if (!isPage) return sendProblem(request, reply, new Failure('call-not-found'));
    return sendPage(request, reply, deps, document);
  });
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AppDeps,
  document: string,
): Promise<FastifyReply> {
  const { path: asked, search } = splitAddress(request.url);
  const address = await addressOf(deps, asked);
  if (address.kind === 'redirect') return reply.redirect(address.to + search, 302);
  if (address.kind === 'missing') request.log.debug({ path: asked }, 'no such page');
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
