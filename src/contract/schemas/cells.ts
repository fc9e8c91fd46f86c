import { z } from 'zod';
import { MAX_CELL_LENGTH } from '#domain/cells.ts';
import { LANGUAGES } from '#messages';
import { id, orgId, page, picture, printableText, time } from './shared.ts';

export const cell = z
  .object({
    page: z.string(),
    name: z.string(),
    language: z
      .enum(LANGUAGES)
      .describe("Language of the text: the default language if it doesn't exist in the requested one."),
    markdown: z.string(),
    html: z.string(),
    isDefault: z.boolean(),
    createdTimestamp: time.nullable(),
  })
  .meta({
    id: 'Cell',
    description: 'An editable text: its markdown, its sanitized HTML, and whether it is the default.',
  });

export type Cell = z.infer<typeof cell>;

export const cellVersion = z
  .object({
    id,
    markdown: z.string(),
    isDefault: z.boolean().describe('True for the original text and after a reset.'),
    savedBy: z.string().nullable().describe('A name or email; null if unknown or deleted.'),
    createdTimestamp: time,
  })
  .meta({ id: 'CellVersion', description: "A cell's text after a save or reset, for the organization's editors." });

export type CellVersion = z.infer<typeof cellVersion>;

const cellParams = z.strictObject({ orgid: orgId, page: z.string().max(40), name: z.string().max(40) });
/** Longer than a cell's limit, so that the cell's own rule rejects text that is too long. */
const MAX_REQUEST_LENGTH = MAX_CELL_LENGTH * 5;
const text = printableText(MAX_REQUEST_LENGTH);

export const cellCalls = {
  readCells: {
    summary: 'Read the cells of a page',
    params: z.strictObject({ orgid: orgId }),
    query: z.strictObject({
      page: z.string().max(40).optional(),
      name: z.string().max(40).optional(),
      language: z.enum(LANGUAGES).optional().describe('Language of the page that shows them.'),
      max: z.coerce.number().int().min(1).max(50).default(20),
    }),
    response: z.array(cell),
  },
  readCell: { summary: 'Read a cell with its Markdown source', params: cellParams, response: cell },
  saveCell: {
    summary: 'Save a cell',
    description:
      '`basedOn` is the Markdown at the start of the edit. If the text has changed since then, nothing is saved.',
    params: cellParams,
    body: z.strictObject({ markdown: text, basedOn: z.string().max(MAX_REQUEST_LENGTH) }),
    response: cell,
  },
  resetCell: { summary: 'Reset a cell to its default text', params: cellParams, response: cell },
  readCellVersions: {
    summary: 'List the saved versions of a cell',
    params: cellParams,
    query: page,
    response: z.array(cellVersion),
  },
  previewCell: {
    summary: 'Render Markdown without saving it',
    description: 'HTML of the unsaved text.',
    params: cellParams,
    body: z.strictObject({ markdown: text }),
    response: z.object({
      html: z.string(),
      hasExternalPictures: z
        .boolean()
        .describe('True if it contains pictures from other sites, which browsers don’t load here.'),
    }),
  },
  addPicture: {
    summary: 'Upload a picture for use in a cell',
    description: 'Stores a picture for a cell, whose Markdown refers to it by `address`: ![description](address).',
    params: z.strictObject({ orgid: orgId }),
    form: z.strictObject({}),
    file: 'required',
    response: z.object({ address: z.string(), picture }),
  },
} as const;
