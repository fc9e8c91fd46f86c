import { z } from 'zod';
import { ELECTRICITY_REGIONS, ELECTRICITY_YEARS, type ElectricityRegion } from '#domain/electricity-regions.ts';
import { FACTOR_NAMES } from '#domain/emissions.ts';
import {
  CUSTOMIZABLE_FACTORS,
  isPlausible,
  MAX_ADDRESS_LENGTH,
  MAX_FACTOR_REASON_LENGTH,
  MAX_PUBLISHER_LENGTH,
  NUMBER_PATTERN,
  OLDEST_SOURCE_YEAR,
  PUBLISHED_FLIGHTS,
  PUBLISHED_FUELS,
  TON_PRICE,
} from '#domain/factor-sets.ts';
import { orgId, printableText, time } from './shared.ts';

function getKeys<Key extends string>(table: Readonly<Record<Key, unknown>>) {
  return Object.keys(table) as Key[];
}

/** A custom number requires a source. */
const customNumber = z.strictObject({
  value: z.string().regex(NUMBER_PATTERN),
  publisher: printableText(MAX_PUBLISHER_LENGTH).trim().min(1),
  year: z.number().int().min(OLDEST_SOURCE_YEAR).max(2100),
  address: z.url({ protocol: /^https?$/ }).max(MAX_ADDRESS_LENGTH),
});

const electricity = z.strictObject({
  region: z.enum(getKeys<ElectricityRegion>(ELECTRICITY_REGIONS)),
  year: z.literal(ELECTRICITY_YEARS),
});

export const factorChoice = z
  .strictObject({
    fuels: z.enum(getKeys(PUBLISHED_FUELS)).optional(),
    flights: z.enum(getKeys(PUBLISHED_FLIGHTS)).optional(),
    electricity: electricity.optional(),
    dollarsPerTon: z
      .number()
      .min(TON_PRICE.minimum)
      .max(TON_PRICE.maximum)
      .multipleOf(0.01, 'Dollars may have at most 2 decimals.')
      .optional(),
    customFactors: z
      .strictObject(
        Object.fromEntries(
          CUSTOMIZABLE_FACTORS.map((name) => [
            name,
            customNumber
              .refine(({ value }) => isPlausible(name, value), {
                path: ['value'],
                message: 'is more than 20 times above or below the default, so its unit may be wrong',
              })
              .optional(),
          ]),
        ) as Record<(typeof CUSTOMIZABLE_FACTORS)[number], z.ZodOptional<typeof customNumber>>,
      )
      .optional(),
  })
  .meta({ id: 'FactorChoice' });

const factorValue = z.object({
  value: z.string(),
  shortFlights: z
    .array(z.object({ maxMilesExclusive: z.number(), value: z.string() }))
    .optional()
    .describe(
      'For flights: values for shorter flights, shortest first. Each applies below `maxMilesExclusive` one-way miles.',
    ),
});

export const orgFactorSet = z
  .object({
    version: z.string().describe('Version that cart items store.'),
    choice: factorChoice,
    factors: z.object(
      Object.fromEntries(FACTOR_NAMES.map((name) => [name, factorValue])) as Record<
        (typeof FACTOR_NAMES)[number],
        typeof factorValue
      >,
    ),
  })
  .meta({
    id: 'OrgFactorSet',
    description: "An organization's factors, kept short because each of its pages contains them.",
  });

export const datedFactorSet = orgFactorSet
  .extend({ effectiveDate: time, reason: z.string() })
  .meta({ id: 'DatedFactorSet', description: "A set with its start date and the organization's own reason." });

const orgParams = z.strictObject({ orgid: orgId });

export const factorCalls = {
  readFactors: {
    summary: 'List the emission factors that an organization has used',
    description: "All of the organization's sets, newest first; empty if it uses the default.",
    params: orgParams,
    response: z.array(datedFactorSet),
  },
  chooseFactors: {
    summary: "Choose an organization's emission factors",
    params: orgParams,
    body: z.strictObject({
      choice: factorChoice,
      reason: printableText(MAX_FACTOR_REASON_LENGTH).trim().min(1),
      baseVersion: z
        .string()
        .max(40)
        .describe('The version that the new one was compared with. If the current one is different, nothing is saved.'),
    }),
    response: datedFactorSet,
  },
} as const;
