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

/** What an adjustment adds to a ledger, or with a minus takes from it. */
export type Adjustment = {
  readonly amount: Cents;
  readonly carbon: TenThousandthsOfPound;
  /** Ten-thousandths of a gallon, beside those that follow from the carbon. */
  readonly gas: number;
  /** Beside the awardees that are counted. */
  readonly grants: number;
};

/** Where an organisation stands: the sums of its ledger, and the awardees that it shows. */
export type Standing = Adjustment & { readonly awardees: number };

/** The stats of an organisation, without the editors' correction (decisions §2, §3). */
export function statsOf({ amount, carbon, gas, grants, awardees }: Standing): Stats {
  return {
    co2: poundsOf(carbon),
    gas: toNumber({ units: BigInt(gasEquivalent(carbon) + gas), scale: KEPT_DECIMALS }),
    funds: dollarsOf(amount),
    grants: awardees + grants,
  };
}

/**
 * What has to be added so that the stats are as wanted; nothing where they are. What is not wanted otherwise stays, save
 * that gallons of gasoline follow the pounds of carbon.
 * @param wanted pounds and gallons of at most 4 decimals, dollars of at most 2, whole grants
 */
export function adjustmentTo(standing: Standing, wanted: SomeStats): Adjustment | undefined {
  const { co2, gas, funds, grants } = wanted;
  const carbon = co2 === undefined ? 0 : tenThousandthsOf(co2) - standing.carbon;
  const followingGas = gasEquivalent(standing.carbon + carbon) + standing.gas;
  const adjustment = {
    amount: funds === undefined ? 0 : countOf(decimal(funds), 2) - standing.amount,
    carbon,
    gas: gas === undefined ? 0 : countOf(decimal(gas), KEPT_DECIMALS) - followingGas,
    grants: grants === undefined ? 0 : grants - standing.awardees - standing.grants,
  };
  return Object.values(adjustment).every((count) => count === 0) ? undefined : adjustment;
}
