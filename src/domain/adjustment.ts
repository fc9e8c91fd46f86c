import { decimal, toNumber, toUnits } from './decimal.ts';
import { gasEquivalent } from './emissions.ts';
import {
  type Cents,
  STORED_DECIMALS,
  type TenThousandthsOfPound,
  toDollars,
  toPounds,
  toTenThousandths,
} from './money.ts';
import type { PartialStats, Stats } from './org.ts';

/** Amounts that an adjustment adds to the ledger; negative to subtract. */
export type Adjustment = {
  readonly amount: Cents;
  readonly carbon: TenThousandthsOfPound;
  /** Ten-thousandths of a gallon, in addition to the gallons derived from the carbon. */
  readonly gas: number;
  /** Grants in addition to the published awardees. */
  readonly grants: number;
};

/** Totals of an organization's ledger and its published awardees, or the paid grants of an organization that records its grants. */
export type LedgerSums = Adjustment & { readonly awardees: number };

/** An organization's stats without the editors' correction (decisions §2, §3). */
export function calculateStats({ amount, carbon, gas, grants, awardees }: LedgerSums): Stats {
  return {
    co2: toPounds(carbon),
    gas: toNumber({ units: BigInt(gasEquivalent(carbon) + gas), scale: STORED_DECIMALS }),
    funds: toDollars(amount),
    grants: awardees + grants,
  };
}

/**
 * The adjustment that sets these stats; undefined if there is no difference. Omitted stats don't change, except that
 * gallons of gasoline are derived from the carbon.
 * @param stats pounds and gallons with at most 4 decimals, dollars with at most 2, whole grants
 */
export function calculateAdjustment(sums: LedgerSums, stats: PartialStats): Adjustment | undefined {
  const { co2, gas, funds, grants } = stats;
  const carbon = co2 === undefined ? 0 : toTenThousandths(co2) - sums.carbon;
  const derivedGas = gasEquivalent(sums.carbon + carbon) + sums.gas;
  const adjustment = {
    amount: funds === undefined ? 0 : toUnits(decimal(funds), 2) - sums.amount,
    carbon,
    gas: gas === undefined ? 0 : toUnits(decimal(gas), STORED_DECIMALS) - derivedGas,
    grants: grants === undefined ? 0 : grants - sums.awardees - sums.grants,
  };
  return Object.values(adjustment).every((count) => count === 0) ? undefined : adjustment;
}
