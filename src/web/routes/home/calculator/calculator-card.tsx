import { type ReactNode, useState } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { DEFAULT_MPG, DEFAULT_TRAVELERS } from '#domain/emission-factors.ts';
import type { QuickEstimate } from '#domain/emissions.ts';
import { LatePart, late } from '#web/ui/lazy-part.tsx';
import { AirCalculator, type AirFields } from './air-calculator.tsx';
import styles from './calculator-card.module.css';
import type { CarFields } from './car-calculator.tsx';
import type { HomeForm } from './home-estimate.ts';
import { TabList } from './tab-list.tsx';
import type { TabState } from './tabs.ts';
import { NO_TRIP } from './trip.ts';
import type { CityPicking } from './trip-fields.tsx';

type CalculatorCardProps = {
  /** What an address ends in that leads to the card. */
  id: string;
  tabs: TabState;
  /** What the Cart tab shows, and how many items it holds. */
  cart: ReactNode;
  cartCount: number;
  cities: CityPicking;
  /** Takes what Calculate Offset came to. */
  onItem: (item: CartItem) => void;
  /** Somebody is about to leave the first tab: what the others need can be fetched. */
  onPrepare: () => void;
};

const AIR_START: AirFields = { trip: NO_TRIP, travelers: String(DEFAULT_TRAVELERS), roundtrip: false };
const CAR_START: CarFields = { trip: NO_TRIP, mpg: String(DEFAULT_MPG), roundtrip: false };
const HOME_START: HomeForm = { propane: '', electricity: '', gas: '', oil: '' };
const QUICK_START: QuickEstimate = { type: 'car', time: 'year' };

const laterCalculators = late(() => import('./later-calculators.ts'));

/** The calculators of §2 behind their tabs, and the cart. What was typed stays while other tabs are looked at. */
export function CalculatorCard({ id, tabs, cart, cartCount, cities, onItem, onPrepare }: CalculatorCardProps) {
  const [air, setAir] = useState(AIR_START);
  const [car, setCar] = useState(CAR_START);
  const [home, setHome] = useState(HOME_START);
  const [quick, setQuick] = useState(QUICK_START);
  const prepare = () => {
    laterCalculators.fetch();
    onPrepare();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- coming near it only fetches what its tabs need
    <section id={id} className={styles.card} aria-label="Carbon calculator" onFocus={prepare} onPointerEnter={prepare}>
      <TabList tabs={tabs} id={id} cartCount={cartCount} />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs.tab}`} className={styles.panel}>
        {tabs.tab === 'air' && <AirCalculator fields={air} onFields={setAir} cities={cities} onItem={onItem} />}
        {tabs.tab === 'cart' && cart}
        {tabs.tab !== 'air' && tabs.tab !== 'cart' && (
          <LatePart of={laterCalculators}>
            {({ CarCalculator, HomeCalculatorForm, QuickCalculator }) => (
              <>
                {tabs.tab === 'car' && <CarCalculator fields={car} onFields={setCar} cities={cities} onItem={onItem} />}
                {tabs.tab === 'home' && <HomeCalculatorForm form={home} onForm={setHome} onItem={onItem} />}
                {tabs.tab === 'quick' && <QuickCalculator choice={quick} onChoice={setQuick} onItem={onItem} />}
              </>
            )}
          </LatePart>
        )}
      </div>
    </section>
  );
}
