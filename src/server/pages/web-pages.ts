import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { OFFLINE_DOCUMENT } from '#contract/offline.ts';
import { pageAt } from '#contract/pages.ts';
import type { RenderPage } from '#contract/rendering.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { splitAddress } from '#server/http/address.ts';
import type { KnownRoutes } from '#server/http/known-routes.ts';
import { sendProblem } from '#server/http/problems.ts';
import { readBuiltClient } from './built-client.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { sendPage } from './send-page.ts';
import { type SitePages, sitePages } from './site-pages.ts';

export type WebPagesOptions = {
  /** The folder of the built web client; without it no pages are served. */
  readonly webFolder: string | undefined;
  /** Renders the public pages; by default what the build left beside the web client. */
  readonly render: RenderPage | undefined;
  readonly routes: KnownRoutes;
  /** What answers kept pages before the router does. */
  readonly answers: KeptAnswers;
};

/** Not one of the program's own files or calls: an address of a page. */
const NOT_A_PAGE = new RegExp(`^(?:${API_BASE}|/assets|/img|/media|/dev|/sandbox|/sitemaps|/v1)(?:[/?]|$)`);
const PAGE_METHODS = ['GET', 'HEAD'];

/** What the build makes for the server beside the web client. */
const RENDERER = 'entry-server.js';

/**
 * Serves the web client: its files, and under every address of §2 the page's document with the status that the address
 * deserves. An unknown address is a not-found page with status 404 (decisions §7); a method that an address does not
 * take is refused with those that it takes.
 */
export async function webPages(app: FastifyInstance, deps: AppDeps, options: WebPagesOptions): Promise<void> {
  const pages = await pagesOf(app, deps, options);
  if (pages) options.answers.begin(app, (path) => pages.peek(path));
  app.setNotFoundHandler(async (request, reply) => {
    const { path: asked } = splitAddress(request.url);
    const isPage = pages !== undefined && !NOT_A_PAGE.test(request.url);
    if (isPage && PAGE_METHODS.includes(request.method)) return sendPage(request, reply, pages, options.answers);
    const taken = options.routes.methodsOf(asked);
    const allowed = taken.length === 0 && isPage && pageAt(asked) ? PAGE_METHODS : taken;
    if (allowed.length === 0) return sendProblem(request, reply, new Failure('call-not-found'));
    void reply.header('allow', allowed.join(', '));
    return sendProblem(request, reply, new Failure('method-not-allowed', { method: request.method }));
  });
}

async function pagesOf(
  app: FastifyInstance,
  deps: AppDeps,
  { webFolder, render }: WebPagesOptions,
): Promise<SitePages | undefined> {
  const client = webFolder === undefined ? undefined : await readBuiltClient(webFolder);
  if (webFolder === undefined || !client) return undefined;
  const root = path.resolve(webFolder);
  await serveFiles(app, root);
  // For the worker in the browser, which shows it where there is no network and the page was not seen before.
  app.get(OFFLINE_DOCUMENT, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('x-robots-tag', 'noindex').send(client.shell),
  );
  const pages = sitePages(deps, client, render ?? (await rendererBeside(root)), async ({ method, url, headers }) => {
    // Only reads are rendered; the type of the method is that of the few that Fastify can make up a request for.
    const answer = await app.inject({ method: method === 'GET' ? 'GET' : 'POST', url, headers });
    const next = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    return { status: answer.statusCode, headers: Object.fromEntries(next), body: answer.body };
  });
  const stop = await deps.db.listen('org_changed', (payload) => pages.orgChanged(payload?.split(' ')[0]));
  app.addHook('onClose', async () => stop());
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
