import type { Language } from '#messages';

/** Size in pixels. The address includes the host. */
export type HeadImage = {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
};

/** What search engines and shared links read. */
export type PageHead = {
  readonly title: string;
  readonly description: string;
  readonly siteName: string;
  /** The canonical address; absent if the page must not be indexed. */
  readonly canonical: string | undefined;
  /** The same page in every language, by its address; empty if the page must not be indexed. */
  readonly alternates: readonly { readonly language: Language; readonly url: string }[];
  /** The share image. */
  readonly image: HeadImage | undefined;
  /** A story's author and publication time (ISO 8601). */
  readonly article: { readonly author: string; readonly published: string } | undefined;
  readonly indexed: boolean;
  /** Structured data (schema.org), ready for JSON. */
  readonly structured: readonly object[];
};

/** A page as the server sends it. */
export type RenderedPage = {
  /** The file of the page's code, by its name without `.tsx`; undefined if the browser needs none yet. */
  readonly module: string | undefined;
  readonly status: 200 | 404;
  /** The content of the document's root. */
  readonly html: string;
  readonly head: PageHead;
  /** The data that the page was rendered from, for hydration; ready for JSON. */
  readonly data: unknown;
};

/** Answers the page's calls within the process. */
export type AnswerCall = (call: {
  readonly method: string;
  /** From the root of the site, with the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<{ readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }>;

export type RenderInput = {
  readonly path: string;
  readonly answerCall: AnswerCall;
  /** The site's public origin. */
  readonly publicUrl: string;
};

/** Renders a public page on the server. @throws if a call fails */
export type RenderPage = (input: RenderInput) => Promise<RenderedPage>;
