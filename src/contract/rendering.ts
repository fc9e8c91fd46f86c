import type { Language } from '#messages';

/** Size in pixels. The URL includes the host. */
export type HeadImage = {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
};

/** Data for search engines and link previews. */
export type PageHead = {
  readonly title: string;
  readonly description: string;
  readonly siteName: string;
  /** The canonical URL; undefined if the page must not be indexed. */
  readonly canonical: string | undefined;
  /** The same page in every language; empty if the page must not be indexed. */
  readonly alternates: readonly { readonly language: Language; readonly url: string }[];
  /** The share image. */
  readonly image: HeadImage | undefined;
  /** A story's author and publication time (ISO 8601). */
  readonly article: { readonly author: string; readonly published: string } | undefined;
  readonly isIndexed: boolean;
  /** Structured data (schema.org), ready for JSON. */
  readonly structuredData: readonly object[];
};

/** A page in the server's response. */
export type RenderedPage = {
  /** The page's source file, without `.tsx`; undefined if the browser doesn't need its code yet. */
  readonly module: string | undefined;
  readonly status: 200 | 404;
  /** The content of the document's root element. */
  readonly html: string;
  readonly head: PageHead;
  /** Data that the page was rendered from, for hydration; serializable as JSON. */
  readonly data: unknown;
};

/** Handles the page's API calls within the server process. */
export type HandleCall = (call: {
  readonly method: string;
  /** Path from the site's root, with the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<{ readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }>;

export type RenderInput = {
  readonly path: string;
  readonly handleCall: HandleCall;
  /** The site's public origin. */
  readonly publicUrl: string;
};

/** Renders a public page on the server. @throws if a call fails */
export type RenderPage = (input: RenderInput) => Promise<RenderedPage>;
