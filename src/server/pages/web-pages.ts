import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { OFFLINE_DOCUMENT } from '#contract/offline.ts';
import type { RenderPage } from '#contract/rendering.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { splitAddress } from '#server/http/address.ts';
import { sendProblem } from '#server/http/problems.ts';
import { type BuiltClient, readBuiltClient } from './built-client.ts';
import { type SitePages, sitePages } from './site-pages.ts';

/** Not one of the program's own files or calls: an address of a page. */
const NOT_A_PAGE = new RegExp(`^(?:${API_BASE}|/assets|/img|/media|/dev|/sandbox|/v1)(?:[/?]|$)`);

/** What the build makes for the server beside the web client. */
const RENDERER = 'entry-server.js';

/**
 * Serves the web client: its files, and under every address of §2 the page's document with the status that the address
 * deserves. An unknown address is a not-found page with status 404 (decisions §7).
 */
export async function webPages(app: FastifyInstance, deps: AppDeps, webFolder: string | undefined): Promise<void> {
  const client = webFolder === undefined ? undefined : await readBuiltClient(webFolder);
  const pages = webFolder && client ? await pagesOf(app, deps, webFolder, client) : undefined;
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = pages && ['GET', 'HEAD'].includes(request.method) && !NOT_A_PAGE.test(request.url);
    return isPage ? sendPage(request, reply, pages) : sendProblem(request, reply, new Failure('call-not-found'));
  });
}

async function pagesOf(app: FastifyInstance, deps: AppDeps, webFolder: string, client: BuiltClient) {
  const root = path.resolve(webFolder);
  await serveFiles(app, root);
  app.get(OFFLINE_DOCUMENT, (_request, reply) => reply.type('text/html; charset=utf-8').send(client.shell));
  const render = await rendererBeside(root);
  const pages = sitePages(deps, client, render, async ({ method, url, headers }) => {
    // Only reads are rendered; the type of the method is that of the few that Fastify can make up a request for.
    const answer = await app.inject({ method: method === 'GET' ? 'GET' : 'POST', url, headers });
    const next = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    return { status: answer.statusCode, headers: Object.fromEntries(next), body: answer.body };
  });
  await deps.db.listen('org_changed', (payload) => pages.orgChanged(payload?.split(' ')[0]));
  return pages;
}

async function serveFiles(app: FastifyInstance, root: string): Promise<void> {
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

/** The renderer that was built beside the web client; without it every page is the bare document. */
async function rendererBeside(webFolder: string): Promise<RenderPage | undefined> {
  const file = path.join(path.dirname(webFolder), 'renderer', RENDERER);
  try {
    const module: { renderPage?: RenderPage } = await import(pathToFileURL(file).href);
    return module.renderPage;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, pages: SitePages): Promise<FastifyReply> {
  const { path: asked, search } = splitAddress(request.url);
  const answer = await pages.answer(asked, request.headers['accept-encoding'], (err) =>
    request.log.error({ err }, 'a page could not be rendered'),
  );
  if (answer.kind === 'redirect') return reply.redirect(answer.to + search, 302);
  void reply
    .status(answer.status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding');
  if (answer.kind === 'shell') return reply.send(answer.text);
  allowStyle(reply, answer.styleHash);
  void reply.header('etag', answer.etag);
  if (request.headers['if-none-match']?.includes(answer.etag)) return reply.status(304).send();
  if (answer.encoding !== 'identity') void reply.header('content-encoding', answer.encoding);
  return reply.send(answer.body);
}

/** The style inside the document is allowed by its hash, and no other one. */
function allowStyle(reply: FastifyReply, hash: string): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '');
  void reply.header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' ${hash}`));
}
