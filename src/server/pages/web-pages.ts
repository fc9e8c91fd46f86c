import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { DEFAULT_LANGUAGE, folderForLanguage, localizeAddress, splitLanguage } from '#contract/languages.ts';
import { OFFLINE_DOCUMENT } from '#contract/offline.ts';
import { findPage } from '#contract/pages.ts';
import type { HandleCall, RenderPage } from '#contract/rendering.ts';
import { Failure } from '#domain/failures.ts';
import { LANGUAGES, type Language } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { splitUrl } from '#server/http/address.ts';
import { sendProblem } from '#server/http/problems.ts';
import type { RouteTable } from '#server/http/route-table.ts';
import { readBuiltClient } from './built-client.ts';
import { openPageCache, sendEncoded, sendWithEntityTag } from './page-cache.ts';
import { combineLanguages, createSitePages, type PageResponse, type SitePages } from './site-pages.ts';

export type WebPagesOptions = {
  /** If omitted, no pages are served. */
  readonly webFolder: string | undefined;
  /** Defaults to the renderer from the build. */
  readonly render: RenderPage | undefined;
  readonly routes: RouteTable;
};

/** Path prefixes of files and calls, which are never pages. */
const NON_PAGE_PATH = new RegExp(`^(?:${API_BASE}|/assets|/img|/media|/dev|/sandbox|/sitemaps|/v1)(?:[/?]|$)`);
const PAGE_METHODS = ['GET', 'HEAD'];

const RENDERER = 'entry-server.js';

const PERSONAL_BYTES = 8 * 1024 * 1024;

/**
 * Serves the web client's files and, for every route of §2, the page's document. An unknown path gets a not-found page with
 * status 404 (decisions §7). A wrong method is rejected with a list of the allowed methods.
 * @returns whether pages are built
 */
export async function registerWebPages(
  app: FastifyInstance,
  deps: AppDeps,
  options: WebPagesOptions,
): Promise<boolean> {
  const pages = await createPages(app, deps, options);
  app.setNotFoundHandler(async (request, reply) => {
    const { path: requestedPath } = splitUrl(request.url);
    const isPage = pages !== undefined && !NON_PAGE_PATH.test(request.url);
    if (isPage && PAGE_METHODS.includes(request.method)) return sendPage(request, reply, pages);
    const knownMethods = options.routes.findMethods(requestedPath);
    const allowedMethods =
      knownMethods.length === 0 && isPage && findPage(splitLanguage(requestedPath).rest) ? PAGE_METHODS : knownMethods;
    // If the method is allowed, the file is missing.
    if (allowedMethods.length === 0 || allowedMethods.includes(request.method))
      return sendProblem(request, reply, new Failure('call-not-found'));
    void reply.header('allow', allowedMethods.join(', '));
    return sendProblem(request, reply, new Failure('method-not-allowed', { method: request.method }));
  });
  return pages !== undefined;
}

async function createPages(
  app: FastifyInstance,
  deps: AppDeps,
  { webFolder, render }: WebPagesOptions,
): Promise<SitePages | undefined> {
  if (webFolder === undefined) return undefined;
  const root = path.resolve(webFolder);
  const handleCall: HandleCall = async ({ method, url, headers }) => {
    // Pages send only GET and POST requests, and `inject` requires a literal method.
    const response = await app.inject({ method: method === 'GET' ? 'GET' : 'POST', url, headers });
    const responseHeaders = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return { status: response.statusCode, headers: Object.fromEntries(responseHeaders), body: response.body };
  };
  const pagesByLanguage = new Map<Language, SitePages>();
  for (const language of LANGUAGES) {
    const client = await readBuiltClient(webFolder, language);
    if (!client) continue;
    // The shell that the service worker shows offline for unvisited pages.
    app.get(localizeAddress(OFFLINE_DOCUMENT, language), (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('x-robots-tag', 'noindex').send(client.shell),
    );
    const renderer = render ?? (await loadRenderer(root, language));
    const cache = await openPageCache(app, deps);
    const personalCache = await openPageCache(app, deps, PERSONAL_BYTES);
    const options = { client, language, render: renderer, handleCall, cache, personalCache };
    pagesByLanguage.set(language, createSitePages(deps, options));
  }
  const defaultLanguagePages = pagesByLanguage.get(DEFAULT_LANGUAGE);
  if (!defaultLanguagePages) return undefined;
  await serveFiles(app, root);
  return combineLanguages(pagesByLanguage, defaultLanguagePages);
}

/** Serves the build's files, including those kept from the previous build. */
async function serveFiles(app: FastifyInstance, root: string): Promise<void> {
  const options = {
    index: false,
    preCompressed: true,
    decorateReply: false,
    // Compressed files are sent only in place of uncompressed ones.
    allowedPath: (file: string) => !/\.(?:br|gz)$/.test(file),
  } as const;
  await app.register(fastifyStatic, {
    ...options,
    root: path.join(root, 'assets'),
    prefix: '/assets/',
    // Asset names contain a hash of their content.
    setHeaders: (reply, file) => setFileHeaders(reply, file, 'max-age=31536000, immutable'),
  });
  await app.register(fastifyStatic, {
    ...options,
    root,
    // Each file is a route, because any other path may be a page. The HTML document is sent only for the routes of §2.
    wildcard: false,
    globIgnore: ['index.html', 'assets/**', '**/*.br', '**/*.gz'],
    setHeaders: (reply, file) => setFileHeaders(reply, file, 'max-age=3600'),
  });
}

function setFileHeaders(reply: FastifyReply, file: string, age: string): void {
  void reply.header('cache-control', `public, ${age}`);
  // SVG is the only text type served without a text/* MIME type, so add its charset.
  if (file.endsWith('.svg')) void reply.type('image/svg+xml; charset=utf-8');
}

/** Returns undefined if there is no renderer; then the browser renders every page. */
async function loadRenderer(webFolder: string, language: Language): Promise<RenderPage | undefined> {
  const file = path.join(path.dirname(webFolder), 'renderer', folderForLanguage(language), RENDERER);
  try {
    const module: { renderPage?: RenderPage } = await import(pathToFileURL(file).href);
    return module.renderPage;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

const RETRY_AFTER_SECONDS = 30;

/** Responds to a request for a page with a redirect, the document, or 304. */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, pages: SitePages): Promise<FastifyReply> {
  const address = splitUrl(request.url);
  const response = await pages.respond(address, request.log);
  if (response.kind === 'redirect') return reply.redirect(response.to + address.search, 302);
  const status = response.kind === 'page' ? response.page.status : response.status;
  void reply
    .status(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding');
  // Set this header, too, for crawlers that don't read the document.
  if (response.kind === 'shell' || status !== 200) void reply.header('x-robots-tag', 'noindex');
  return response.kind === 'shell' ? sendShell(reply, response) : sendRendered(request, reply, response);
}

/** Anyone who knows a checkout's URL or an emailed link can use it, so don't leak it to other sites. */
const PRIVATE_HEADERS = { 'referrer-policy': 'no-referrer' };

type Shell = Extract<PageResponse, { kind: 'shell' }>;
type PageContent = Extract<PageResponse, { kind: 'page' }>;

function sendShell(reply: FastifyReply, { status, text, isPersonal }: Shell): FastifyReply {
  if (status === 503) void reply.header('retry-after', String(RETRY_AFTER_SECONDS));
  if (isPersonal) void reply.headers(PRIVATE_HEADERS);
  return reply.send(text);
}

function sendRendered(request: FastifyRequest, reply: FastifyReply, { page, isPersonal }: PageContent): FastifyReply {
  allowInlineStyle(reply, page.styleHash);
  if (isPersonal) {
    void reply.headers({ ...PRIVATE_HEADERS, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    return sendEncoded(request, reply, page.bodies);
  }
  // Only a 200 can match If-None-Match (RFC 9110, 13.2.1).
  return page.status === 200 ? sendWithEntityTag(request, reply, page) : sendEncoded(request, reply, page.bodies);
}

/** Allows the inline style by its hash. */
function allowInlineStyle(reply: FastifyReply, styleHash: string): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '');
  void reply.header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' ${styleHash}`));
}
