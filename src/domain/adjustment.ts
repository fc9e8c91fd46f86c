import { countOf, decimal, toNumber } from './decimal.ts';
import { gasEquivalent } from './emissions.ts';
import {
  type Cents,
  dollarsOf,
  KEPT_DECIMALS,
  poundsOf,
  type TenThousandthsOfPound,
  tenThousandthsOf,
} from './money.ts';
import type { SomeStats, Stats } from './org.ts';

/** What an adjustment adds to the ledger; negative to take away. */
export type Adjustment = {
  readonly amount: Cents;
  readonly carbon: TenThousandthsOfPound;
  /** Ten-thousandths of a gallon, on top of what follows from the carbon. */
  readonly gas: number;
  /** On top of the published awardees. */
  readonly grants: number;
};

/** The totals of an organization's ledger, and its published awardees; its paid grants, where it keeps grants here. */
export type LedgerSums = Adjustment & { readonly awardees: number };

/** An organization's stats without the editors' correction (decisions §2, §3). */
export function statsOf({ amount, carbon, gas, grants, awardees }: LedgerSums): Stats {
  return {
    co2: poundsOf(carbon),
    gas: toNumber({ units: BigInt(gasEquivalent(carbon) + gas), scale: KEPT_DECIMALS }),
    funds: dollarsOf(amount),
    grants: awardees + grants,
  };
}

/**
 * The adjustment that sets these stats; undefined if there is no difference. Stats left out stay the same, except that
 * gallons of gasoline follow the carbon.
 * @param stats pounds and gallons with at most 4 decimals, dollars with at most 2, whole grants
 */
export function adjustmentTo(sums: LedgerSums, stats: SomeStats): Adjustment | undefined {
  const { co2, gas, funds, grants } = stats;
  const carbon = co2 === undefined ? 0 : tenThousandthsOf(co2) - sums.carbon;
  const followingGas = gasEquivalent(sums.carbon + carbon) + sums.gas;
  const adjustment = {
    amount: funds === undefined ? 0 : countOf(decimal(funds), 2) - sums.amount,
    carbon,
    gas: gas === undefined ? 0 : countOf(decimal(gas), KEPT_DECIMALS) - followingGas,
    grants: grants === undefined ? 0 : grants - sums.awardees - sums.grants,
  };
  return Object.values(adjustment).every((count) => count === 0) ? undefined : adjustment;
}
