import { type ReactNode, useEffect, useId } from 'react';
import type { City } from '#web/api/city.ts';
import { NumberField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { late, useLate } from '#web/ui/lazy-part.tsx';
import { type MeasureMiles, staysInPlace, type Trip, type TripEnd, withCity } from './trip.ts';
import styles from './trip-fields.module.css';

/** How a calculator has a city chosen. The picker belongs to the page. */
export type CityPicking = {
  readonly pick: (choose: (city: City) => void) => void;
  /** Somebody is about to pick: what that needs can be fetched. */
  readonly prepare: () => void;
};

type TripFieldsProps = {
  trip: Trip;
  /** Given how to change the trip, and not a changed one: while a city is chosen, another field may change too. */
  onTrip: (change: (trip: Trip) => Trip) => void;
  measure: MeasureMiles;
  cities: CityPicking;
  milesProblem: string | undefined;
  /** The field beside the miles. */
  children: ReactNode;
};

const SAME_PLACE = 'Both ends are the same city. Choose another, or write the miles yourself.';

/** Where a trip goes and how far: two cities fill the miles in, which can then be corrected (§2). */
export function TripFields({ trip, onTrip, measure, cities, milesProblem, children }: TripFieldsProps) {
  const { from, to, miles } = trip;
  const choose = (end: TripEnd) => () =>
    cities.pick((city) => onTrip((before) => withCity(before, end, city, measure)));
  const stays = staysInPlace(trip);
  return (
    <>
      <div className={styles.fields}>
        <CityButton label="From" city={from} onPick={choose('from')} onPrepare={cities.prepare} />
        <CityButton label="To" city={to} onPick={choose('to')} onPrepare={cities.prepare} />
        <NumberField
          label="Trip mileage"
          value={miles}
          onChange={({ currentTarget: { value } }) => onTrip((before) => ({ ...before, miles: value }))}
          error={stays && milesProblem ? SAME_PLACE : milesProblem}
        />
        {children}
      </div>
      {from && to && !stays ? <Route from={from} to={to} /> : <EmptyMap />}
    </>
  );
}

type CityButtonProps = { label: string; city: City | undefined; onPick: () => void; onPrepare: () => void };

function CityButton({ label, city, onPick, onPrepare }: CityButtonProps) {
  const id = useId();
  return (
    <div className={styles.city}>
      <label htmlFor={id} id={`${id}-label`} className={styles.label}>
        {label}
      </label>
      <button
        type="button"
        id={id}
        className={styles.button}
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}-city`}
        onClick={onPick}
        onPointerEnter={onPrepare}
        onFocus={onPrepare}
      >
        <Icon name="pin" size={20} />
        <span id={`${id}-city`} className={city ? styles.name : styles.none}>
          {city?.name ?? 'Choose a city'}
        </span>
      </button>
    </div>
  );
}

const routeMap = late(() => import('#web/drawings/route-map.tsx'));

/** Where the map cannot be fetched, its place stays empty: nothing depends on it. */
function Route({ from, to }: { from: City; to: City }) {
  const map = useLate(routeMap);
  useEffect(() => routeMap.fetch(), []);
  return map.kind === 'here' ? <map.part.RouteMap from={from} to={to} className={styles.map} /> : <EmptyMap />;
}

/** Holds the map's place, so that the card does not grow under the hand that has just chosen a city. */
function EmptyMap() {
  return (
    <div className={styles.map}>
      <svg viewBox="0 0 520 170" aria-hidden="true">
        <path
          d="M70 118Q260 10 450 118"
          fill="none"
          stroke="#2b7277"
          strokeWidth={2.5}
          strokeDasharray="2 9"
          strokeLinecap="round"
        />
        <circle cx={70} cy={118} r={5} fill="#2b7277" />
        <circle cx={450} cy={118} r={5} fill="#2b7277" />
      </svg>
      <p className={styles.mapHint}>Choose two cities to draw your route</p>
    </div>
  );
}
