import { type ReactNode, useState } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { DEFAULT_MPG, DEFAULT_TRAVELERS } from '#domain/emission-factors.ts';
import { AirCalculator, type AirFields } from './air-calculator.tsx';
import styles from './calculator-card.module.css';
import { CarCalculator, type CarFields } from './car-calculator.tsx';
import { HomeCalculatorForm } from './home-calculator-form.tsx';
import { type HomeForm, NO_HOME_ENERGY } from './home-estimate.ts';
import { QuickCalculator } from './quick-calculator.tsx';
import { QUICK_START } from './quick-estimate.ts';
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
};

const AIR_START: AirFields = { trip: NO_TRIP, travelers: String(DEFAULT_TRAVELERS), roundtrip: false };
const CAR_START: CarFields = { trip: NO_TRIP, mpg: String(DEFAULT_MPG), roundtrip: false };

/** The calculators of §2 behind their tabs, and the cart. What was typed stays while other tabs are looked at. */
export function CalculatorCard({ id, tabs, cart, cartCount, cities, onItem }: CalculatorCardProps) {
  const [air, setAir] = useState(AIR_START);
  const [car, setCar] = useState(CAR_START);
  const [home, setHome] = useState<HomeForm>(NO_HOME_ENERGY);
  const [quick, setQuick] = useState(QUICK_START);
  const panels = {
    air: () => <AirCalculator fields={air} onFields={setAir} cities={cities} onItem={onItem} />,
    car: () => <CarCalculator fields={car} onFields={setCar} cities={cities} onItem={onItem} />,
    home: () => <HomeCalculatorForm form={home} onForm={setHome} onItem={onItem} />,
    quick: () => <QuickCalculator choice={quick} onChoice={setQuick} onItem={onItem} />,
    cart: () => cart,
  };
  return (
    <section id={id} className={styles.card} aria-label="Carbon calculator">
      <TabList tabs={tabs} id={id} cartCount={cartCount} />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs.tab}`} className={styles.panel}>
        {panels[tabs.tab]()}
      </div>
    </section>
  );
}
