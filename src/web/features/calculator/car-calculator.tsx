import type { CartItem } from '#domain/cart.ts';
import { drivingMiles } from '#domain/distance.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { NumberField } from '../../ui/field.tsx';
import { CalculateForm } from './calculate.tsx';
import type { Trip } from './trip.ts';
import { carEstimate } from './trip-estimates.ts';
import { type CityPicking, TripFields } from './trip-fields.tsx';

export type CarFields = { readonly trip: Trip; readonly mpg: string; readonly roundtrip: boolean };

type CarCalculatorProps = {
  fields: CarFields;
  onFields: (change: (fields: CarFields) => CarFields) => void;
  cities: CityPicking;
  onItem: (item: CartItem) => void;
};

/** A drive: miles / mpg × 39.28 lb (§2, §9). */
export function CarCalculator({ fields, onFields, cities, onItem }: CarCalculatorProps) {
  const { trip, mpg, roundtrip } = fields;
  const estimate = carEstimate({ miles: trip.miles, mpg, roundtrip });
  return (
    <CalculateForm
      estimate={estimate}
      hint="Choose two cities, or enter the miles."
      onItem={onItem}
      aside={
        <Checkbox
          checked={roundtrip}
          onChange={({ currentTarget: { checked } }) => onFields((before) => ({ ...before, roundtrip: checked }))}
        >
          Round trip
        </Checkbox>
      }
    >
      <TripFields
        trip={trip}
        onTrip={(change) => onFields((before) => ({ ...before, trip: change(before.trip) }))}
        measure={drivingMiles}
        cities={cities}
        milesProblem={estimate.problems.miles}
      >
        <NumberField
          label="Miles per gallon"
          value={mpg}
          onChange={({ currentTarget: { value } }) => onFields((before) => ({ ...before, mpg: value }))}
          error={estimate.problems.mpg}
        />
      </TripFields>
    </CalculateForm>
  );
}
