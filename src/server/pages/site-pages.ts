import { createHash } from 'node:crypto';
import { isRenderedPage, PAGES, pageAt, pagePath } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { AnswerCall, RenderPage } from '#contract/rendering.ts';
import type { AppDeps } from '#server/deps.ts';
import { type Address, addressOf } from '#server/features/site/address-of.ts';
import type { BuiltClient } from './built-client.ts';
import { type Encoding, encode, encodingFor } from './encodings.ts';
import { pageCache, type ReadyPage } from './page-cache.ts';
import { pageDocument } from './page-document.ts';

export type PageAnswer =
  | { readonly kind: 'redirect'; readonly to: string }
  | {
      /** The bare document, which asks for everything itself. */
      readonly kind: 'shell';
      readonly status: number;
      readonly text: string;
      /** For a page that is each person's own, whose very address may be a secret. */
      readonly isPersonal: boolean;
    }
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly encoding: Encoding;
      readonly body: Buffer;
      readonly etag: string;
      readonly styleHash: string;
      /** As it is kept, and the one path under which it is; nothing where a page is each person's own. */
      readonly kept: { readonly path: string; readonly page: ReadyPage } | undefined;
    };

export type SitePages = {
  /**
   * @param asked the path, and after it the query
   * @param onError told why a page could not be rendered, which the browser then tries by itself
   */
  answer(
    asked: { readonly path: string; readonly search: string },
    acceptedEncodings: string | undefined,
    onError: (error: unknown) => void,
  ): Promise<PageAnswer>;
  /** The page that is kept under a path. */
  peek(path: string): ReadyPage | undefined;
  /** An organization has changed; without an id any of them may have. */
  orgChanged(orgId: string | undefined): void;
};

/** Every page of the site as its document, the public ones rendered once and kept until their organization changes. */
export function sitePages(
  deps: Pick<AppDeps, 'db' | 'defaultOrg' | 'publicUrl'>,
  client: BuiltClient,
  render: RenderPage | undefined,
  answerCall: AnswerCall,
): SitePages {
  const cache = pageCache();
  const shell = (status: number, isPersonal = false): PageAnswer => ({
    kind: 'shell',
    status,
    text: client.shell,
    isPersonal,
  });
  const make = async (path: string): Promise<ReadyPage> => {
    if (!render) throw new Error('There is no renderer.');
    const calls = watchForFailures(answerCall);
    try {
      return await readyPage(await render({ path, answerCall: calls.answer, publicUrl: deps.publicUrl() }), client);
    } catch (cause) {
      throw calls.hasFailed() ? new FailedCall('A call of the page failed.', { cause }) : cause;
    }
  };
  return {
    answer: async ({ path: asked, search }, acceptedEncodings, onError) => {
      const path = canonicalPath(asked);
      const send = (page: ReadyPage) => asAnswer(page, path, encodingFor(acceptedEncodings));
      const ready = cache.peek(path);
      if (ready) return send(ready);
      const address = await addressOf(deps, asked).catch((error: unknown) => {
        onError(error);
      });
      if (!address) return shell(503);
      if (address.kind === 'redirect') return address;
      const isOwn = address.kind === 'page' && !isRenderedPage(address.name);
      if (!render) return shell(address.kind === 'missing' ? 404 : 200, isOwn);
      if (isOwn) {
        // What cannot be rendered, the browser asks for by itself.
        const page = await make(path + search).catch(onError);
        return page ? asAnswer(page, undefined, encodingFor(acceptedEncodings)) : shell(200, true);
      }
      const place = placeOf(address, path);
      try {
        return send(await cache.get(place.key, place.orgId, () => make(place.path)));
      } catch (error) {
        if (!(error instanceof FailedCall)) onError(error);
        return shell(500);
      }
    },
    peek: (path) => cache.peek(path),
    orgChanged: (orgId) => (orgId === undefined ? cache.dropAll() : cache.dropOrg(orgId)),
  };
}

/** What is rendered, where it is kept, and whose change makes it old. */
type Place = { readonly path: string; readonly key: string; readonly orgId: string | undefined };

/**
 * Every address of an organization that leads nowhere shows the same, and so does every one outside of them: they are
 * not worth a place each, or whoever makes addresses up could fill the memory.
 */
function placeOf(address: Address, path: string): Place {
  if (address.kind !== 'missing') return { path, key: path, orgId: pageAt(path)?.params.orgid };
  const { orgId } = address;
  const start = orgId === undefined ? '' : pagePath('home-page', { orgid: orgId });
  const nowhere = `${start}/not/found`;
  return { path: nowhere, key: nowhere, orgId };
}

/** The one way of writing an address of a page, so that it has one place. */
function canonicalPath(asked: string): string {
  const page = pageAt(asked);
  return page ? fillPath<string>(PAGES[page.name], page.params) : asked;
}

/** A page that came to nothing because a call of it failed, which is in the log already by the call's own hand. */
class FailedCall extends Error {}

/** Remembers whether a call failed on our side. */
function watchForFailures(answerCall: AnswerCall): { answer: AnswerCall; hasFailed(): boolean } {
  let failed = false;
  const answer: AnswerCall = async (call) => {
    const answered = await answerCall(call);
    failed ||= answered.status >= 500;
    return answered;
  };
  return { answer, hasFailed: () => failed };
}

async function readyPage(rendered: Awaited<ReturnType<RenderPage>>, client: BuiltClient): Promise<ReadyPage> {
  const files = client.filesOf(rendered.module);
  if (!files) throw new Error('The build has no list of its files.');
  const { status, text, styleHash } = pageDocument(rendered, files);
  const etag = createHash('sha256').update(text).digest('base64url').slice(0, 27);
  return { status, bodies: await encode(text), etag, styleHash };
}

function asAnswer(page: ReadyPage, path: string | undefined, encoding: Encoding): PageAnswer {
  const { status, bodies, etag, styleHash } = page;
  return {
    kind: 'page',
    status,
    encoding,
    body: bodies[encoding],
    etag: `"${etag}-${encoding}"`,
    styleHash,
    kept: path === undefined ? undefined : { path, page },
  };
}
