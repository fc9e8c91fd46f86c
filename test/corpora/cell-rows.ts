import { MAX_CELL_LENGTH } from '#domain/cells.ts';
import { call } from '#test/support/call.ts';
import { type HostileCase, ORG_PATH } from './hostile-row.ts';

/** Leaves room below the cell's length limit. */
const MAX_LENGTH = MAX_CELL_LENGTH - 5000;
const markerAt = (position: number) => `Hostile text ${position}.`;

export const CELL_ROWS: readonly HostileCase[] = [
  {
    call: 'saveCell',
    fields: ['markdown'],
    maxLength: MAX_LENGTH,
    separator: '\n\n',
    start: async (site) => {
      const params = { orgid: 'sample', page: 'faq', name: 'questions' };
      let basedOn = (await call(site.app, 'readCell', { params })).json<{ markdown: string }>().markdown;
      const send = async (text: string, position: number) => {
        const body = { markdown: `${markerAt(position)}\n\n${text}`, basedOn };
        const response = await call(site.app, 'saveCell', { params, as: await site.getEditor(), body });
        if (response.statusCode === 200) basedOn = response.json<{ markdown: string }>().markdown;
        return response.statusCode;
      };
      const expectedText = (_text: string, position: number) => markerAt(position);
      const page = { method: 'open', capacity: 1, showsOneText: true, expectedText } as const;
      return {
        send,
        pages: [
          { ...page, sourceAt: () => `${ORG_PATH}/faqs` },
          { ...page, sourceAt: () => `${ORG_PATH}/editor/pages` },
        ],
      };
    },
  },
  {
    call: 'previewCell',
    fields: ['markdown'],
    maxLength: MAX_LENGTH,
    separator: '',
    oneLinePerText: true,
    start: async (site) => {
      const params = { orgid: 'sample', page: 'offsetters', name: 'intro' };
      let previewHtml = '';
      const send = async (markdown: string) => {
        const response = await call(site.app, 'previewCell', {
          params,
          as: await site.getEditor(),
          body: { markdown },
        });
        if (response.statusCode === 200) previewHtml += response.json<{ html: string }>().html;
        return response.statusCode;
      };
      const takePreviewHtml = () => {
        const html = previewHtml;
        previewHtml = '';
        return html;
      };
      return { send, pages: [{ sourceAt: takePreviewHtml, method: 'markup', capacity: 200 }] };
    },
  },
];
