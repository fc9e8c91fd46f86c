import { decimal, divide, multiply, toNumber } from '#domain/decimal.ts';
import { DEFAULT_MPG, type FactorName, GALLONS_OF_GAS_PER_TON, POUNDS_PER_TON } from '#domain/emissions.ts';
import { type FactorSet, SPECIFIED_SET } from '#domain/factor-sets.ts';
import { formatWhole } from '#domain/money.ts';

/** Pounds of CO₂ from burning a gallon of gasoline, according to EIA. */
const POUNDS_PER_BURNED_GALLON = '19.64';

/** Lists where the factors contradict each other or the FAQ, so that an editor can choose other factors. */
export function FactorConflicts({ set }: { set: FactorSet }) {
  return (
    <details>
      <summary>Where these factors disagree</summary>
      <ul>
        {findConflicts(set).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}

export function findConflicts(set: FactorSet): readonly string[] {
  const { carFuel, quickCar, naturalGas } = set.factors;
  const fuel = carFuel.value;
  const gallonsPerTon = formatRatio(POUNDS_PER_TON, fuel);
  const formatQuickMiles = (poundsPerGallon: string) =>
    formatWhole(toNumber(divide(multiply(decimal(quickCar.value), decimal(DEFAULT_MPG)), decimal(poundsPerGallon), 0)));
  const hasDefault = (name: FactorName) => isDefault(set, name);
  return [
    isFarFrom(GALLONS_OF_GAS_PER_TON, POUNDS_PER_TON / Number(fuel))
      ? `The FAQ says that ${GALLONS_OF_GAS_PER_TON} gallons of gas make a ton. That is right for burning alone (${POUNDS_PER_BURNED_GALLON} lb per gallon). At ${fuel} lb per gallon, ${gallonsPerTon} gallons make a ton.`
      : `The FAQ says that ${GALLONS_OF_GAS_PER_TON} gallons of gas make a ton. At ${fuel} lb per gallon it takes ${gallonsPerTon}, so these agree.`,
    ...(hasDefault('carFuel')
      ? [
          `${fuel} lb per gallon is exactly twice ${POUNDS_PER_BURNED_GALLON}. If the doubling was meant to cover the trip back, a driver who also checks “Round trip” pays for it twice.`,
        ]
      : []),
    ...(hasDefault('carFuel') && hasDefault('quickCar')
      ? [
          `The quick estimate for a car, ${quickCar.value} lb a month, equals ${formatQuickMiles(POUNDS_PER_BURNED_GALLON)} miles at ${POUNDS_PER_BURNED_GALLON} lb per gallon but only ${formatQuickMiles(fuel)} miles at ${fuel} lb per gallon.`,
        ]
      : []),
    ...(hasDefault('naturalGas')
      ? [
          `The natural gas factor, ${naturalGas.value} lb per therm, seems to include methane that leaks before it is burned. No other factor includes emissions from before burning.`,
        ]
      : []),
    'The FAQ puts the social cost of a ton at $125 or more. New York State’s 2020 figure of $125 was for a metric ton, which is $113 for 2,000 pounds. EPA’s 2023 estimate is higher: about $172 for 2,000 pounds emitted in 2020.',
    '15 trees per ton is true only for seedlings that each grow for ten years.',
  ];
}

function formatRatio(numerator: number, denominator: string): string {
  return formatWhole(toNumber(divide(decimal(numerator), decimal(denominator), 0)));
}

function isDefault(set: FactorSet, name: FactorName): boolean {
  const { value, shortFlights } = set.factors[name];
  return value === SPECIFIED_SET.factors[name].value && !shortFlights;
}

/** @returns whether the values differ by more than 5% */
function isFarFrom(stated: number, computed: number): boolean {
  return Math.abs(computed / stated - 1) > 0.05;
}
