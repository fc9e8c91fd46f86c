/** A picture with its size in pixels and what it shows. Its address is whole, with the host. */
export type HeadImage = {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
};

/** What the head of a page's document says to whoever finds or shares it. */
export type PageHead = {
  readonly title: string;
  readonly description: string;
  /** Whose site it is. */
  readonly siteName: string;
  /** The one address of the page; absent where nobody should keep it. */
  readonly canonical: string | undefined;
  /** The picture of the share card. */
  readonly image: HeadImage | undefined;
  /** Of a story: whose it is, and since when it is told (ISO 8601). */
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
  /** What stands in the document's root. */
  readonly html: string;
  readonly head: PageHead;
  /** What the page was made of, for the browser to go on with; ready for JSON. */
  readonly data: unknown;
};

/** A call of the page that is rendered, answered by the program itself without a way over the network. */
export type AnswerCall = (call: {
  readonly method: string;
  /** From the root of the site, with the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<{ readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }>;

export type RenderInput = {
  readonly path: string;
  readonly answerCall: AnswerCall;
  /** The origin under which the public reaches the site. */
  readonly publicUrl: string;
};

/** Renders a public page on the server. It throws where a call failed that should not. */
export type RenderPage = (input: RenderInput) => Promise<RenderedPage>;
