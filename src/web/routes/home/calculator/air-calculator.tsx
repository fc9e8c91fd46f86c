import { distanceMiles } from '#domain/distance.ts';
import { NumberField } from '#web/ui/field.tsx';
import { airEstimate, stepTravelers } from './trip-estimates.ts';
import { type TripCalculatorProps, TripForm, type TripFormFields } from './trip-form.tsx';

export type AirFields = TripFormFields & { readonly travelers: string };

/** A flight: travelers × miles × 0.56 lb (§2, §9). */
export function AirCalculator(props: TripCalculatorProps<AirFields>) {
  const { trip, travelers, roundtrip } = props.fields;
  const estimate = airEstimate({ miles: trip.miles, travelers, roundtrip });
  const setTravelers = (text: string) => props.onFields((before) => ({ ...before, travelers: text }));
  return (
    <TripForm {...props} estimate={estimate} milesProblem={estimate.problems.miles} measure={distanceMiles}>
      <NumberField
        label="Travelers"
        value={travelers}
        onChange={({ currentTarget }) => setTravelers(currentTarget.value)}
        onStep={(by) => setTravelers(stepTravelers(travelers, by))}
        error={estimate.problems.travelers}
      />
    </TripForm>
  );
}
