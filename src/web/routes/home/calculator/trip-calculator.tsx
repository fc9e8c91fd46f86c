import { type ReactNode, useId, useRef } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { distanceMiles } from '#domain/distance.ts';
import type { VersionedFactors } from '#domain/emissions.ts';
import { m } from '#messages';
import type { City } from '#web/api/city.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import fieldStyles from '#web/ui/field.module.css';
import { NumberField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { retryableImport, useLazyModule } from '#web/ui/lazy-part.tsx';
import { CalculateForm } from './calculate-form.tsx';
import styles from './calculator.module.css';
import {
  type AirFields,
  EXAMPLE_FLIGHT,
  estimateAir,
  formatExamplePrice,
  isSamePlace,
  type MeasureMiles,
  stepTravelers,
  type Trip,
  type TripEnd,
  type TripEstimate,
  type TripFormFields,
  withCity,
} from './estimates.ts';

/** A flight: travelers × miles × 0.56 lb (§2, §9). */
export function AirCalculator(props: CalculatorProps<AirFields>) {
  const { trip, travelers, roundtrip } = props.fields;
  const estimate = estimateAir({ miles: trip.miles, travelers, roundtrip }, props.factors);
  const showExample = () => props.onFields(() => EXAMPLE_FLIGHT);
  const setTravelers = (text: string) => props.onFields((previous) => ({ ...previous, travelers: text }));
  return (
    <TripForm
      {...props}
      estimate={estimate}
      milesProblem={estimate.problems.miles}
      measure={distanceMiles}
      onExample={showExample}
    >
      <NumberField
        label={m.travelers()}
        value={travelers}
        onChange={({ currentTarget }) => setTravelers(currentTarget.value)}
        onStep={(step) => setTravelers(stepTravelers(travelers, step))}
        error={estimate.problems.travelers}
      />
    </TripForm>
  );
}

export type CalculatorProps<Fields> = {
  fields: Fields;
  /** The organization's factor set. */
  factors: VersionedFactors | undefined;
  /** Takes an update function, because other fields may change while a city is being picked. */
  onFields: (change: (fields: Fields) => Fields) => void;
  cityPicker: CityPickerControls;
  onItem: (item: CartItem) => void;
  /** Discards the changes to a cart item; set only while an item is being edited. */
  onCancel: (() => void) | undefined;
};

type TripFormProps<Fields extends TripFormFields> = CalculatorProps<Fields> & {
  estimate: Pick<TripEstimate<never>, 'item' | 'problem' | 'hint'>;
  milesProblem: string | undefined;
  measure: MeasureMiles;
  /** Fills in an example. */
  onExample?: () => void;
  /** The field next to the miles: travelers, or miles per gallon. */
  children: ReactNode;
};

/** The form of a flight or a drive. Picking two cities fills in the miles, which can still be edited (§2). */
export function TripForm<Fields extends TripFormFields>(props: TripFormProps<Fields>) {
  const { fields, onFields, cityPicker, onItem, onCancel, estimate, milesProblem, measure, onExample, children } =
    props;
  const { from, to, miles } = fields.trip;
  const hasSameCities = isSamePlace(fields.trip);
  const changeTrip = (change: (trip: Trip) => Trip) =>
    onFields((previous) => ({ ...previous, trip: change(previous.trip) }));
  const pickCity = (end: TripEnd) => () =>
    cityPicker.pick(end, (city) => changeTrip((previous) => withCity(previous, end, city, measure)));
  const fieldsElement = useRef<HTMLDivElement>(null);
  // The example's button disappears, so the focus moves to the first city.
  const fillExample = () => {
    onExample?.();
    fieldsElement.current?.querySelector('button')?.focus();
  };
  return (
    <CalculateForm
      estimate={estimate}
      hint={estimate.hint}
      onItem={onItem}
      onCancel={onCancel}
      aside={
        <Checkbox
          checked={fields.roundtrip}
          onChange={({ currentTarget: { checked } }) => onFields((previous) => ({ ...previous, roundtrip: checked }))}
        >
          {m.roundTrip()}
        </Checkbox>
      }
      below={
        !to &&
        onExample && (
          <p className={styles.example}>
            {m.homeExample({ price: formatExamplePrice(props.factors) })}{' '}
            <button type="button" onClick={fillExample}>
              {m.mapExample()}
            </button>
          </p>
        )
      }
    >
      <div ref={fieldsElement} className={styles.fields}>
        <CityButton label={m.tripFrom()} city={from} onPick={pickCity('from')} onPrefetch={cityPicker.prefetch} />
        <CityButton label={m.tripTo()} city={to} onPick={pickCity('to')} onPrefetch={cityPicker.prefetch} />
        <NumberField
          label={m.tripMiles()}
          value={miles}
          onChange={({ currentTarget: { value } }) => changeTrip((previous) => ({ ...previous, miles: value }))}
          error={hasSameCities && milesProblem ? m.tripSamePlace() : milesProblem}
        />
        {children}
      </div>
      {from && to && !hasSameCities && <TripMap from={from} to={to} />}
    </CalculateForm>
  );
}

/** Opens the page's city picker. */
export type CityPickerControls = {
  readonly pick: (end: TripEnd, choose: (city: City) => void) => void;
  /** Prefetches the picker. */
  readonly prefetch: () => void;
};

type CityButtonProps = { label: string; city: City | undefined; onPick: () => void; onPrefetch: () => void };

function CityButton({ label, city, onPick, onPrefetch }: CityButtonProps) {
  const id = useId();
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id} id={`${id}-label`} className={fieldStyles.label}>
        {label}
      </label>
      <button
        type="button"
        id={id}
        className={styles.cityButton}
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}-city`}
        onClick={onPick}
        onPointerEnter={onPrefetch}
        onFocus={onPrefetch}
      >
        <Icon name="pin" size={20} />
        <span id={`${id}-city`} className={city ? styles.cityName : styles.noCity}>
          {city?.name ?? m.chooseCity()}
        </span>
      </button>
    </div>
  );
}

const routeMap = retryableImport(() => import('#web/drawings/route-map.tsx'));

/** Reserves the space of the map while it loads. */
function TripMap({ from, to }: { from: City; to: City }) {
  const map = useLazyModule(routeMap);
  return map.kind === 'loaded' ? (
    <map.value.RouteMap from={from} to={to} className={styles.map} />
  ) : (
    <div className={styles.map} />
  );
}
