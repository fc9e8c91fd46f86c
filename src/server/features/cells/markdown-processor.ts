import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';

/** As people and their telephones write them. */
const WEB = ['http', 'https', 'Http', 'Https', 'HTTP', 'HTTPS'];
const MAIL = ['mailto', 'Mailto', 'MAILTO'];

/** Only what a text needs: no raw HTML, no ids or classes of the writer's own, links to the web and to mail only. */
const SCHEMA: typeof defaultSchema = {
  ...defaultSchema,
  clobberPrefix: '',
  attributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    td: ['align'],
    th: ['align'],
    input: [['type', 'checkbox'], 'checked', ['disabled', true]],
  },
  protocols: { href: [...WEB, ...MAIL], src: WEB },
};

/** Reads markdown, turns it into HTML, and leaves only what a text needs. */
export const markdownProcessor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(withoutFootnotes)
  .use(remarkRehype)
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeStringify);

/**
 * Footnotes lead to ids, of which no writer has any, and several texts stand on one page: a mark of one stays as it is
 * written.
 */
function withoutFootnotes(this: Processor): void {
  const data = this.data();
  const names = ['gfmFootnoteCall', 'gfmPotentialFootnoteCall', 'gfmFootnoteDefinition'];
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: names } }];
}
