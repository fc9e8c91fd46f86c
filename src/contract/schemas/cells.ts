import { z } from 'zod';
import { CELL_MAXIMUM } from '#domain/cells.ts';
import { LANGUAGES } from '#messages';
import { id, page, picture, time, typedText } from './shared.ts';

/** An editable text: its markdown, the sanitised HTML of it, and whether it is the default. */
export const cell = z.object({
  page: z.string(),
  name: z.string(),
  /** Of the text: the first one where there is none in the language that was asked for. */
  language: z.enum(LANGUAGES),
  markdown: z.string(),
  html: z.string(),
  isDefault: z.boolean(),
  createdTimestamp: time.nullable(),
});

export type Cell = z.infer<typeof cell>;

/** A text as a save or a reset left it, for the eyes of the organization's editors. */
export const cellVersion = z.object({
  id,
  markdown: z.string(),
  /** Whether it was the default: the text before all others, or a reset. */
  isDefault: z.boolean(),
  /** A name or email; null if unknown or deleted. */
  savedBy: z.string().nullable(),
  createdTimestamp: time,
});

export type CellVersion = z.infer<typeof cellVersion>;

const cellParams = z.strictObject({ orgid: id, page: z.string().max(40), name: z.string().max(40) });
/** Longer than may be saved, so that what is too long is refused in the words of its rule. */
const SENT_MAXIMUM = CELL_MAXIMUM * 5;
const text = typedText(SENT_MAXIMUM);

export const cellCalls = {
  readCells: {
    params: z.strictObject({ orgid: id }),
    query: z.strictObject({
      page: z.string().max(40).optional(),
      name: z.string().max(40).optional(),
      /** Of the page that shows them. */
      language: z.enum(LANGUAGES).optional(),
      max: z.coerce.number().int().min(1).max(50).default(20),
    }),
    answer: z.array(cell),
  },
  readCell: { params: cellParams, answer: cell },
  /** `basedOn` is the markdown that the edit began from: if it has changed since, nothing is saved. */
  saveCell: {
    params: cellParams,
    body: z.strictObject({ markdown: text, basedOn: z.string().max(SENT_MAXIMUM) }),
    answer: cell,
  },
  resetCell: { params: cellParams, answer: cell },
  readCellVersions: { params: cellParams, query: page, answer: z.array(cellVersion) },
  /** The HTML that saving this text would show. */
  previewCell: {
    params: cellParams,
    body: z.strictObject({ markdown: text }),
    answer: z.object({
      html: z.string(),
      /** Whether it shows a picture of another site, which no browser loads here. */
      hasForeignPictures: z.boolean(),
    }),
  },
  /** Keeps a picture for a text. `address` is what the text names it by: ![description](address). */
  addPicture: {
    params: z.strictObject({ orgid: id }),
    form: z.strictObject({}),
    file: 'required',
    answer: z.object({ address: z.string(), picture }),
  },
} as const;
