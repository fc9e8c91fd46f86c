import { z } from 'zod';
import { id, time } from './shared.ts';

/** An editable text: its markdown, the sanitised HTML of it, and whether it is the default. */
export const cell = z.object({
  page: z.string(),
  name: z.string(),
  markdown: z.string(),
  html: z.string(),
  isDefault: z.boolean(),
  createdTimestamp: time.nullable(),
});

export type Cell = z.infer<typeof cell>;

export const cellCalls = {
  readCells: {
    params: z.strictObject({ orgid: id }),
    query: z.strictObject({ page: z.string().max(40).optional(), name: z.string().max(40).optional() }),
    answer: z.array(cell),
  },
  readCell: {
    params: z.strictObject({ orgid: id, page: z.string().max(40), name: z.string().max(40) }),
    answer: cell,
  },
};
