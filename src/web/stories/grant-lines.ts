import type { Profile, PublishedGrant } from '#contract/schemas/stories.ts';
import { measureText } from '#domain/grant-texts.ts';
import { formatAmount, toChargedCents } from '#domain/money.ts';
import { formatList } from '#web/ui/text.ts';

/** "Attic insulation and heat pump" */
export function listMeasures(measures: NonNullable<PublishedGrant['measures']>): string {
  const [first = '', ...rest] = measures.map((measure) => measureText(measure));
  return formatList([first, ...rest.map(lowerFirst)]);
}

/** The published facts of an awardee's grants: "$1,840 · attic insulation and heat pump". */
export function describeGrants({ grants = [] }: Pick<Profile, 'grants'>): string {
  return grants.map(describeGrant).filter(Boolean).join('; ');
}

function describeGrant({ amount, measures = [] }: PublishedGrant): string {
  const work = listMeasures(measures);
  if (amount === undefined) return work;
  return [formatAmount(toChargedCents(amount)), lowerFirst(work)].filter(Boolean).join(' · ');
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
