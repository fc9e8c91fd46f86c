import { createHash } from 'node:crypto';
import { PAGES, type PageName, pageAt, RENDERED_PAGES } from '#contract/pages.ts';
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
  /** The bare document, which asks for everything itself: for pages that are each person's own. */
  | { readonly kind: 'shell'; readonly status: number; readonly text: string }
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly encoding: Encoding;
      readonly body: Buffer;
      readonly etag: string;
      readonly styleHash: string;
    };

export type SitePages = {
  /** @param onError told why a page could not be rendered, which the browser then tries by itself */
  answer(path: string, acceptedEncodings: string | undefined, onError: (error: unknown) => void): Promise<PageAnswer>;
  /** An organisation has changed; without an id any of them may have. */
  orgChanged(orgId: string | undefined): void;
};

/** Every page of the site as its document, the public ones rendered once and kept until their organisation changes. */
export function sitePages(
  deps: Pick<AppDeps, 'db' | 'defaultOrg' | 'publicUrl'>,
  client: BuiltClient,
  render: RenderPage | undefined,
  answerCall: AnswerCall,
): SitePages {
  const cache = pageCache();
  const make = async (path: string): Promise<ReadyPage> => {
    if (!render) throw new Error('There is no renderer.');
    const rendered = await render({ path, answerCall, publicUrl: deps.publicUrl() });
    const files = client.filesOf(rendered.page);
    if (!files) throw new Error('The build has no list of its files.');
    const { status, text, styleHash } = pageDocument(rendered, files);
    const etag = createHash('sha256').update(text).digest('base64url').slice(0, 27);
    return { status, bodies: await encode(text), etag, styleHash };
  };
  return {
    answer: async (asked, acceptedEncodings, onError) => {
      const { path, orgId } = placeOf(asked);
      const send = (page: ReadyPage) => asAnswer(page, encodingFor(acceptedEncodings));
      const ready = cache.peek(path);
      if (ready) return send(ready);
      const address = await addressOf(deps, asked);
      if (address.kind === 'redirect') return address;
      const status = address.kind === 'missing' ? 404 : 200;
      if (!render || !isRendered(address)) return { kind: 'shell', status, text: client.shell };
      try {
        // Every address that leads nowhere shows the same, and is not worth a place of its own.
        const key = address.kind === 'missing' ? `missing ${orgId ?? ''}` : path;
        return send(await cache.get(key, orgId, () => make(path)));
      } catch (error) {
        onError(error);
        return { kind: 'shell', status: 500, text: client.shell };
      }
    },
    orgChanged: (orgId) => (orgId === undefined ? cache.dropAll() : cache.dropOrg(orgId)),
  };
}

/** The canonical path of an address, so that it has one place in the cache, and the organisation that it shows. */
function placeOf(asked: string): { path: string; orgId: string | undefined } {
  const page = pageAt(asked);
  if (!page) return { path: asked, orgId: undefined };
  return { path: fillPath<string>(PAGES[page.name], page.params), orgId: page.params.orgid };
}

function isRendered(address: Address): boolean {
  return address.kind === 'missing' || (address.kind === 'page' && isPublic(address.name));
}

function isPublic(name: PageName): boolean {
  return RENDERED_PAGES.includes(name);
}

function asAnswer({ status, bodies, etag, styleHash }: ReadyPage, encoding: Encoding): PageAnswer {
  return { kind: 'page', status, encoding, body: bodies[encoding], etag: `"${etag}-${encoding}"`, styleHash };
}
