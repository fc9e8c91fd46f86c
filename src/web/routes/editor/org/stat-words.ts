import { countOf, decimal, toNumber } from '#domain/decimal.ts';
import { formatDollars, formatPounds, KEPT_DECIMALS } from '#domain/money.ts';
import { STAT_NAMES, type Stats } from '#domain/org.ts';
import { typedNumber } from '#web/ui/typed-number.ts';

export type StatName = keyof Stats;
/** What stands in the fields of the four stats. */
export type StatTexts = Readonly<Record<StatName, string>>;

/** What the stats are called; three of them as on the home page (§2). */
export const STAT_LABELS: Readonly<Record<StatName, string>> = {
  co2: 'Lbs CO₂ Offset',
  gas: 'Gallons of gas saved',
  funds: '$ in offsets raised',
  grants: 'Grants awarded',
};

const DECIMALS: Readonly<Record<StatName, number>> = { co2: KEPT_DECIMALS, gas: KEPT_DECIMALS, funds: 2, grants: 0 };

/** Above any fund's: the server takes no more. */
const MOST = 1_000_000_000;

/** The amount that a field means: what is blank or no number counts as 0 (§5). It has the decimals that are kept. */
export function amountOf(name: StatName, text: string): number {
  const typed = typedNumber(text);
  if (typeof typed !== 'number' || !Number.isFinite(typed) || Math.abs(typed) > MOST) return 0;
  const scale = DECIMALS[name];
  return toNumber({ units: BigInt(countOf(decimal(typed), scale)), scale });
}

/** What to say of a text that does not mean what it seems to; nothing where all is well. */
export function amountNote(text: string, least = -MOST): string | undefined {
  const typed = typedNumber(text);
  if (typed === 'blank') return undefined;
  if (typed === 'unclear') return 'This is not a number: it counts as 0.';
  if (typed < least) return least === 0 ? 'A stat cannot be below 0.' : 'This is too small a number: it counts as 0.';
  return typed > MOST ? 'This is too large a number: it counts as 0.' : undefined;
}

/** All four fields, as they stand in a form. */
export function textsOf(stats: Stats): StatTexts {
  return { co2: `${stats.co2}`, gas: `${stats.gas}`, funds: `${stats.funds}`, grants: `${stats.grants}` };
}

export function amountsOf(texts: StatTexts): Stats {
  const amount = (name: StatName) => amountOf(name, texts[name]);
  return { co2: amount('co2'), gas: amount('gas'), funds: amount('funds'), grants: amount('grants') };
}

/** An amount with all its decimals: "2,000.5", "$25.00", "4". */
export function statText(name: StatName, amount: number): string {
  if (name === 'funds') return formatDollars(amount);
  const exact = formatPounds(amount, DECIMALS[name]);
  return exact.includes('.') ? exact.replace(/\.?0+$/, '') : exact;
}

/** What an adjustment has changed: "+2,000 lbs CO₂, −$4.99 raised". */
export function changeText(change: Stats): string {
  const parts = STAT_NAMES.filter((name) => change[name] !== 0).map((name) => {
    const sign = change[name] < 0 ? '−' : '+';
    return `${sign}${statText(name, Math.abs(change[name]))} ${CHANGED[name][Math.abs(change[name]) === 1 ? 0 : 1]}`;
  });
  return parts.join(', ');
}

/** What was changed, of one and of several. */
const CHANGED: Readonly<Record<StatName, readonly [one: string, several: string]>> = {
  co2: ['lb CO₂', 'lbs CO₂'],
  gas: ['gallon of gas', 'gallons of gas'],
  funds: ['raised', 'raised'],
  grants: ['grant', 'grants'],
};
