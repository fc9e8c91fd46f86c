import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { RenderPage } from '#contract/rendering.ts';
import { buildApp } from '#server/app.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { AppDeps } from '#server/deps.ts';
import { renderPage } from '#web/entry-server.tsx';
import { createTestDeps, type DepsOverrides } from './build-app.ts';
import { deferCleanup } from './defer-cleanup.ts';
import { createWebFolder, MANIFEST } from './web-folder.ts';

export const PUBLIC_URL = 'https://fund.example';

// Loads these modules in advance, which takes seconds, because the server pauses after rendering a personal page in
// proportion to the rendering time.
await Promise.all([import('#web/app/signed-in-routes.ts'), import('#web/routes/checkout/checkout-page.tsx')]);

/** The app with the real renderer, which records the pages it renders. */
export type RenderedSite = {
  readonly app: FastifyInstance;
  readonly deps: AppDeps;
  /** The rendered paths, in order. */
  readonly renderedPaths: readonly string[];
  /** Logged errors. A test that expects errors must remove them. */
  readonly errors: string[];
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** The document at a path, which must exist. */
  readDocument(url: string): Promise<string>;
  /** Runs a change and waits until the site has been notified. */
  changeAndWait(work: () => Promise<unknown>): Promise<void>;
};

export async function startRenderedSite(
  db: Database,
  overrides: DepsOverrides = {},
  render: RenderPage = renderPage,
): Promise<RenderedSite> {
  const deps = await createTestDeps(db, { publicUrl: () => PUBLIC_URL, ...overrides });
  const renderedPaths: string[] = [];
  const errors: string[] = [];
  const recordingRender: RenderPage = (input) => {
    renderedPaths.push(input.path);
    return render(input);
  };
  const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
  const app = await buildApp(deps, { logger, webFolder: await createWebFolder(MANIFEST), render: recordingRender });
  deferCleanup(async () => {
    await app.close();
    expect(errors).toEqual([]);
  });
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
  return {
    app,
    deps,
    renderedPaths,
    errors,
    get,
    readDocument: async (url) => {
      const response = await get(url);
      expect([response.statusCode, response.headers['content-type']], url).toEqual([200, 'text/html; charset=utf-8']);
      return response.body;
    },
    changeAndWait: async (work) => {
      // Notifications of earlier changes may be late, so a marker follows them all.
      const markerId = newId();
      const marker = Promise.withResolvers<void>();
      const changeNotified = Promise.withResolvers<void>();
      let isWorking = false;
      // The site subscribed earlier, so it's notified first.
      const stop = await db.listen('org_changed', (payload) => {
        if (payload === markerId) marker.resolve();
        else if (isWorking) changeNotified.resolve();
      });
      await db.pool.query("select pg_notify('org_changed', $1)", [markerId]);
      await marker.promise;
      isWorking = true;
      await work();
      await changeNotified.promise;
      stop();
    },
  };
}

/** The decompressed document of a response. */
export function decompressDocument({ headers, rawPayload }: LightMyRequestResponse): string {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(rawPayload).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload).toString();
}
