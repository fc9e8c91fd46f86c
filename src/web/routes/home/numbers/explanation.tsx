import { pagePath } from '#contract/pages.ts';
import type { CartItem } from '#domain/cart.ts';
import { FACTOR_NAMES } from '#domain/emissions.ts';
import { completeSet, extremeFactors, type FactorSet } from '#domain/factor-sets.ts';
import { type Calculation, calculateCarbon, findUsedFactors, formatFormula } from '#domain/formula.ts';
import { formatCents, formatPounds, formatWhole, toChargedCents } from '#domain/money.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { toCalculation, toRowCalculation } from '../calculator/calculations.ts';
import { type CalculatorOrg, estimateTab, type TabInput } from '../calculator/calculator-input.ts';
import { estimateRow, type GroupRow } from '../group/group-estimate.ts';
import styles from './factor-facts.module.css';
import { FactorFacts } from './factor-facts.tsx';

type OrgProps = { org: CalculatorOrg };

/** Explains how a calculator's estimate is computed. */
export function TabExplanation({ org, input }: OrgProps & { input: TabInput }) {
  const { item } = estimateTab(input, org.factors);
  return <Explanation org={org} item={item} calculations={[toCalculation(input, org.factors)]} />;
}

/** Explains how a row of a group estimate is computed. */
export function RowExplanation({ org, row }: OrgProps & { row: GroupRow }) {
  const { item } = estimateRow(row, org.factors);
  return <Explanation org={org} item={item} calculations={[toRowCalculation(row, org.factors)]} />;
}

type ExplanationProps = OrgProps & {
  item: CartItem | undefined;
  /** Undefined for incomplete input. */
  calculations: readonly (Calculation | undefined)[];
};

function Explanation({ org, item, calculations }: ExplanationProps) {
  return (
    <div className={styles.explanation}>
      {item ? (
        <Computation factorSet={completeSet(org.factors)} item={item} calculations={calculations} />
      ) : (
        <p>{m.howNothingYet()}</p>
      )}
      <p>
        <Link to={pagePath('numbers-page', { orgid: org.id })} className={styles.all}>
          {m.howAllNumbers()}
        </Link>
      </p>
    </div>
  );
}

type ComputationProps = Omit<ExplanationProps, 'org' | 'item'> & { factorSet: FactorSet; item: CartItem };

function Computation({ factorSet, item, calculations }: ComputationProps) {
  const completeCalculations = calculations.filter((calculation) => calculation !== undefined);
  const factorNames = completeCalculations.flatMap(findUsedFactors);
  const flightMiles = completeCalculations.flatMap((calculation) =>
    calculation.kind === 'air' ? [calculation.miles] : [],
  );
  return (
    <>
      {completeCalculations.map((calculation, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: formulas have no id and no state
        <p key={index}>
          <strong>{formatFormula(calculation, factorSet.factors)}</strong>
        </p>
      ))}
      <p>
        {m.howPrice({
          pounds: formatPounds(item.carbon),
          price: factorSet.factors.carbonPrice.value,
          amount: formatCents(toChargedCents(item.cost)),
        })}
      </p>
      {completeCalculations.length > 0 && <ResultRange factorSet={factorSet} calculations={completeCalculations} />}
      <p>{m.howGuide()}</p>
      {[...FACTOR_NAMES.filter((name) => factorNames.includes(name)), 'carbonPrice' as const].map((name) => (
        <FactorFacts
          key={name}
          factorSet={factorSet}
          name={name}
          heading="p"
          miles={name === 'air' && flightMiles.length === 1 ? flightMiles[0] : undefined}
        />
      ))}
    </>
  );
}

/** The range of results with other publishers' values. Renders nothing if all results are the same. */
function ResultRange({ factorSet, calculations }: { factorSet: FactorSet; calculations: readonly Calculation[] }) {
  const sumCarbon = (extreme: 'lowest' | 'highest') =>
    calculations
      .map((calculation) => {
        const miles = calculation.kind === 'air' ? calculation.miles : undefined;
        return calculateCarbon(calculation, extremeFactors(factorSet, extreme, miles));
      })
      .reduce((total, carbon) => total + carbon, 0);
  const [lowest, highest] = [sumCarbon('lowest'), sumCarbon('highest')].map(formatWhole) as [string, string];
  return lowest === highest ? null : <p>{m.howRange({ min: lowest, max: highest })}</p>;
}
