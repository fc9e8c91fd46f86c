import { z } from 'zod';
import { isDay } from '#domain/days.ts';
import type { CheckoutId, OrgId, UserId } from '#domain/ids.ts';
import type { Cents, Dollars, Pounds } from '#domain/money.ts';

/** The site's own ids. The pattern keeps all other text out of lookups. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{1,100}$/;
const createIdSchema = () => z.string().regex(ID_PATTERN);
export const id = createIdSchema();
export const orgId: z.ZodType<OrgId, string> = createIdSchema();
export const userId: z.ZodType<UserId, string> = createIdSchema();
export const checkoutId: z.ZodType<CheckoutId, string> = createIdSchema();

export const cents: z.ZodType<Cents, number> = z.number().int();
export const dollars: z.ZodType<Dollars, number> = z.number();
export const pounds: z.ZodType<Pounds, number> = z.number();

/** Control characters other than tabs and line breaks. */
const UNPRINTABLE = /[^\P{Cc}\t\n\r]/u;

/** Text without control characters. */
export const printableText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !UNPRINTABLE.test(text), "has characters that can't be printed");
export const time = z.iso.datetime();

/** A calendar day, in the organization's time zone. */
export const day = z.string().refine(isDay, 'is not a valid date');

/** The last id of the previous page. Null or empty means the first page (decisions §6). */
export const cursorRef = z
  .string()
  .regex(/^[A-Za-z0-9_-]{0,100}$/)
  .nullish()
  .transform((cursor) => cursor || undefined);

/** A page of a list: `max` items, starting after the item with id `cursorRef`, or at it if `startAt` is set (§7). */
export const page = z.strictObject({
  max: z.coerce.number().int().min(1).max(50).default(10),
  cursorRef,
  startAt: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  order: z.enum(['asc', 'desc']).default('desc'),
});

export const picture = z
  .object({
    url: z.string(),
    width: z.number().int(),
    height: z.number().int(),
    sources: z.array(z.object({ url: z.string(), width: z.number().int() })),
  })
  .meta({ id: 'Picture', description: 'A picture in several widths, with the size of the widest.' });

export type Picture = z.infer<typeof picture>;
