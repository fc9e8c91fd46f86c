import { z } from 'zod';
import { CELL_MAXIMUM } from '#domain/cells.ts';
import { LANGUAGES } from '#messages';
import { id, orgId, page, picture, time, typedText } from './shared.ts';

/** An editable text: its markdown, its sanitized HTML, and whether it is the default. */
export const cell = z.object({
  page: z.string(),
  name: z.string(),
  /** Language of the text: the default one if it doesn't exist in the requested language. */
  language: z.enum(LANGUAGES),
  markdown: z.string(),
  html: z.string(),
  isDefault: z.boolean(),
  createdTimestamp: time.nullable(),
});

export type Cell = z.infer<typeof cell>;

/** A text after a save or reset, for the organization's editors. */
export const cellVersion = z.object({
  id,
  markdown: z.string(),
  /** True for the text before all others, and after a reset. */
  isDefault: z.boolean(),
  /** A name or email; null if unknown or deleted. */
  savedBy: z.string().nullable(),
  createdTimestamp: time,
});

export type CellVersion = z.infer<typeof cellVersion>;

const cellParams = z.strictObject({ orgid: orgId, page: z.string().max(40), name: z.string().max(40) });
/** Longer than a saved text may be, so that the response to a long text comes from its rule. */
const SENT_MAXIMUM = CELL_MAXIMUM * 5;
const text = typedText(SENT_MAXIMUM);

export const cellCalls = {
  readCells: {
    params: z.strictObject({ orgid: orgId }),
    query: z.strictObject({
      page: z.string().max(40).optional(),
      name: z.string().max(40).optional(),
      /** Language of the page that shows them. */
      language: z.enum(LANGUAGES).optional(),
      max: z.coerce.number().int().min(1).max(50).default(20),
    }),
    answer: z.array(cell),
  },
  readCell: { params: cellParams, answer: cell },
  /** `basedOn` is the markdown at the start of the edit. If it has changed since, nothing is saved. */
  saveCell: {
    params: cellParams,
    body: z.strictObject({ markdown: text, basedOn: z.string().max(SENT_MAXIMUM) }),
    answer: cell,
  },
  resetCell: { params: cellParams, answer: cell },
  readCellVersions: { params: cellParams, query: page, answer: z.array(cellVersion) },
  /** HTML of an unsaved text. */
  previewCell: {
    params: cellParams,
    body: z.strictObject({ markdown: text }),
    answer: z.object({
      html: z.string(),
      /** True if it contains pictures of other sites, which no browser loads here. */
      hasForeignPictures: z.boolean(),
    }),
  },
  /** Stores a picture for a text. The text refers to it by `address`: ![description](address). */
  addPicture: {
    params: z.strictObject({ orgid: orgId }),
    form: z.strictObject({}),
    file: 'required',
    answer: z.object({ address: z.string(), picture }),
  },
} as const;
