import { z } from 'zod';
import { isDay } from '#domain/days.ts';

/** An id of ours: what a random id is made of, so that no other text reaches a look-up. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{1,100}$/;
export const id = z.string().regex(ID_PATTERN);

/** Control characters other than those of a text of several lines. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]/u;

/** What a person typed, without the characters that no person types and no database keeps. */
export const typedText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !UNPRINTABLE.test(text), "has characters that can't be printed");
export const time = z.iso.datetime();

/** A day of the calendar, in the organization's time zone. */
export const day = z.string().refine(isDay, 'is not a date in the calendar');

/** The last id of the page before. Null or empty means the first page (decisions §6). */
export const cursorRef = z
  .string()
  .regex(/^[A-Za-z0-9_-]{0,100}$/)
  .nullish()
  .transform((last) => last || undefined);

/** How a list is read: `max` of them, starting after the one with id `cursorRef`, or at it (§7). */
export const page = z.strictObject({
  max: z.coerce.number().int().min(1).max(50).default(10),
  cursorRef,
  startAt: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
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
