import type { CartItem } from '#domain/cart.ts';
import { distanceMiles } from '#domain/distance.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { NumberField } from '../../ui/field.tsx';
import { CalculateForm } from './calculate.tsx';
import type { Trip } from './trip.ts';
import { airEstimate, stepTravelers } from './trip-estimates.ts';
import { type CityPicking, TripFields } from './trip-fields.tsx';

export type AirFields = { readonly trip: Trip; readonly travelers: string; readonly roundtrip: boolean };

type AirCalculatorProps = {
  fields: AirFields;
  onFields: (change: (fields: AirFields) => AirFields) => void;
  cities: CityPicking;
  onItem: (item: CartItem) => void;
};

/** A flight: travelers × miles × 0.56 lb (§2, §9). */
export function AirCalculator({ fields, onFields, cities, onItem }: AirCalculatorProps) {
  const { trip, travelers, roundtrip } = fields;
  const estimate = airEstimate({ miles: trip.miles, travelers, roundtrip });
  const setTravelers = (text: string) => onFields((before) => ({ ...before, travelers: text }));
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
        measure={distanceMiles}
        cities={cities}
        milesProblem={estimate.problems.miles}
      >
        <NumberField
          label="Travelers"
          value={travelers}
          onChange={({ currentTarget }) => setTravelers(currentTarget.value)}
          onStep={(by) => setTravelers(stepTravelers(travelers, by))}
          error={estimate.problems.travelers}
        />
      </TripFields>
    </CalculateForm>
  );
}
