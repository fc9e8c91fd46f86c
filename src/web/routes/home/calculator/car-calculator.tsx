import { drivingMiles } from '#domain/distance.ts';
import { NumberField } from '#web/ui/field.tsx';
import { carEstimate } from './trip-estimates.ts';
import { type TripCalculatorProps, TripForm, type TripFormFields } from './trip-form.tsx';

export type CarFields = TripFormFields & { readonly mpg: string };

/** A drive: miles / mpg × 39.28 lb (§2, §9). */
export function CarCalculator(props: TripCalculatorProps<CarFields>) {
  const { trip, mpg, roundtrip } = props.fields;
  const estimate = carEstimate({ miles: trip.miles, mpg, roundtrip });
  return (
    <TripForm {...props} estimate={estimate} milesProblem={estimate.problems.miles} measure={drivingMiles}>
      <NumberField
        label="Miles per gallon"
        value={mpg}
        onChange={({ currentTarget: { value } }) => props.onFields((before) => ({ ...before, mpg: value }))}
        error={estimate.problems.mpg}
      />
    </TripForm>
  );
}
