import { z } from 'zod';

export const id = z.string().min(1).max(100);
export const time = z.iso.datetime();

/** How a list is read: `max` of them, from the one after `cursorRef` on (decisions §6). */
export const page = z.strictObject({
  max: z.coerce.number().int().min(1).max(50).default(10),
  cursorRef: id.optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
});

/** A picture in several widths, with the size of the widest. */
export const picture = z.object({
  url: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  sources: z.array(z.object({ url: z.string(), width: z.number().int() })),
});

export type Picture = z.infer<typeof picture>;
