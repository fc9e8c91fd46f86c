import type { ReactNode } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { Checkbox } from '#web/ui/choice.tsx';
import { CalculateForm } from './calculate.tsx';
import type { MeasureMiles, Trip } from './trip.ts';
import type { TripEstimate } from './trip-estimates.ts';
import { type CityPicking, TripFields } from './trip-fields.tsx';

/** What is asked of a flight and of a drive alike. */
export type TripFormFields = { readonly trip: Trip; readonly roundtrip: boolean };

export type TripCalculatorProps<Fields extends TripFormFields> = {
  fields: Fields;
  onFields: (change: (fields: Fields) => Fields) => void;
  cities: CityPicking;
  onItem: (item: CartItem) => void;
};

type TripFormProps<Fields extends TripFormFields> = TripCalculatorProps<Fields> & {
  estimate: Pick<TripEstimate<never>, 'item' | 'problem' | 'hint'>;
  milesProblem: string | undefined;
  measure: MeasureMiles;
  /** The field beside the miles: travelers, or miles per gallon. */
  children: ReactNode;
};

/** The form of a trip: where it goes, how far, and whether it comes back (§2). */
export function TripForm<Fields extends TripFormFields>(props: TripFormProps<Fields>) {
  const { fields, onFields, cities, onItem, estimate, milesProblem, measure, children } = props;
  return (
    <CalculateForm
      estimate={estimate}
      hint={estimate.hint}
      onItem={onItem}
      aside={
        <Checkbox
          checked={fields.roundtrip}
          onChange={({ currentTarget: { checked } }) => onFields((before) => ({ ...before, roundtrip: checked }))}
        >
          Round trip
        </Checkbox>
      }
    >
      <TripFields
        trip={fields.trip}
        onTrip={(change) => onFields((before) => ({ ...before, trip: change(before.trip) }))}
        measure={measure}
        cities={cities}
        milesProblem={milesProblem}
      >
        {children}
      </TripFields>
    </CalculateForm>
  );
}
