import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { CartItem } from '#domain/cart.ts';
import { LANGUAGE, m } from '#messages';
import { type City, toCity } from '#web/api/city.ts';
import { CART_HASH, type Cart, formatItemCount, useCart } from '#web/cart/cart-store.ts';
import { getEntriesStorage } from '#web/cart/saved-entries-storage.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useHasLastCheckout } from '#web/payment/last-checkout.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { LazyPart, retryableImport, useLazyModule } from '#web/ui/lazy-part.tsx';
import { NoScriptNotice } from '#web/ui/no-script.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './calculator.module.css';
import type { LazyFields, TabInput } from './calculator-input.ts';
import { AIR_DEFAULTS, type AirFields, CAR_DEFAULTS, estimateAir, NO_TRIP, type TripEnd } from './estimates.ts';
import { type Tab, TabList, type TabState, useTabs } from './tabs.tsx';
import { AirCalculator, type CityPickerControls } from './trip-calculator.tsx';

const cartTabModule = retryableImport(() => import('./cart-tab.tsx'));
const restoredCartModule = retryableImport(() => import('./restored-cart.tsx'));
const loadLazyCalculators = () => import('./lazy-calculators.tsx');
const lazyModule = retryableImport(loadLazyCalculators);

type CalculatorProps = OrgPageProps & {
  /** The checkout that was canceled on the payment page, whose cart is restored. */
  canceledCheckoutId?: string | undefined;
};

/** Card on the home page with a tab for each calculator and the cart (§2, §4). Switching tabs keeps the fields. */
export function Calculator({ org, site, canceledCheckoutId }: CalculatorProps) {
  const tabs = useTabs();
  const cart = useCart(org.id);
  const { cityPicker, dialog } = useCityPicker(site.placesCredit);
  const [announcement, setAnnouncement] = useState('');
  const { air, setAir, lazyFields, setLazyFields } = useEntries(org);
  const [editedItem, setEditedItem] = useState<{ readonly tab: Tab; readonly id: number }>();
  const { tab } = tabs;
  useCartHash(tabs);
  // A later item may reuse the id of an item that was removed.
  if (editedItem && !cart.lines.some(({ id }) => id === editedItem.id)) setEditedItem(undefined);

  const returnToCart = () => {
    setEditedItem(undefined);
    tabs.showAndFocus('cart');
  };
  /** The id of the cart item that this tab edits. */
  const editedId = editedItem?.tab === tab ? editedItem.id : undefined;
  const onCancel = editedId === undefined ? undefined : returnToCart;
  const save = (item: CartItem, input: TabInput) => {
    cart.put(item, input, editedId);
    returnToCart();
    setAnnouncement(
      editedId === undefined
        ? m.cartAdded({ item: item.title, items: formatItemCount(cart.lines.length + 1) })
        : m.cartChanged({ item: item.title }),
    );
  };
  const edit = (id: number, input: TabInput) => {
    if (input.tab === 'air') setAir(() => input.fields);
    else setLazyFields((previous) => ({ ...previous, [input.tab]: input.fields }));
    setEditedItem({ id, tab: input.tab });
    // Screen readers announce text only if it changes, and the next save may produce the same text.
    setAnnouncement('');
    // The form focuses its first field.
    tabs.show(input.tab);
  };
  const handleCheckout = () => {
    tabs.showAndFocus('air');
    // The payment notice makes its own announcement.
    setAnnouncement('');
  };
  const prefetch = () => {
    lazyModule.load();
    cartTabModule.load();
  };
  return (
    <>
      <NoScriptNotice>
        <p>
          <RichText
            text={m.calculatorNoScripts()}
            tags={{
              check: (words) => (
                <a href={localizeAddress(pagePath('donate-page', { orgid: org.id }), LANGUAGE)}>{words}</a>
              ),
            }}
          />
        </p>
      </NoScriptNotice>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hover and focus only prefetch code */}
      <section
        id={CART_HASH}
        className={styles.card}
        aria-label={m.calculatorName()}
        onFocus={prefetch}
        onPointerEnter={prefetch}
      >
        <HomePayment orgId={org.id} />
        <TabList tabs={tabs} id={CART_HASH} cartCount={cart.lines.length} />
        <div role="tabpanel" id={`${CART_HASH}-panel`} aria-labelledby={`${CART_HASH}-${tab}`} className={styles.panel}>
          {tab === 'air' && (
            <>
              <AirCalculator
                fields={air}
                factors={org.factors}
                onFields={setAir}
                cityPicker={cityPicker}
                onItem={(item) => save(item, { tab, fields: air })}
                onCancel={onCancel}
              />
              {estimateAir({ ...air, miles: air.trip.miles }, org.factors).item && (
                <AirDetails org={org} input={{ tab, fields: air }} />
              )}
            </>
          )}
          {tab === 'cart' && (
            <LazyPart module={cartTabModule}>
              {({ CartTab }) => (
                <CartTab
                  org={org}
                  cart={cart}
                  onCheckedOut={handleCheckout}
                  onEdit={edit}
                  onShow={() => tabs.showAndFocus('cart')}
                  onAnnounce={setAnnouncement}
                />
              )}
            </LazyPart>
          )}
          {tab !== 'air' && tab !== 'cart' && (
            <LazyPart module={lazyModule}>
              {({ LazyCalculator }) => (
                <LazyCalculator
                  org={org}
                  name={tab}
                  fields={lazyFields}
                  onFields={setLazyFields}
                  cityPicker={cityPicker}
                  onItem={(item, fields) => save(item, { tab, fields } as TabInput)}
                  onCancel={onCancel}
                />
              )}
            </LazyPart>
          )}
        </div>
      </section>
      {dialog}
      {canceledCheckoutId !== undefined && (
        <CanceledCart checkoutId={canceledCheckoutId} orgId={org.id} cart={cart} onRestored={() => tabs.show('cart')} />
      )}
      <VisuallyHidden>
        <output>{announcement}</output>
      </VisuallyHidden>
    </>
  );
}

/** The calculators' fields. They survive a reload. By default, trips start in the organization's city. */
function useEntries({ id, homeCity }: OrgPageProps['org']) {
  const [{ air, lazyFields, isChanged }, setEntries] = useState(() => createInitialEntries(homeCity));
  useEffect(() => {
    const savedText = getEntriesStorage(id).read();
    if (savedText === null) return;
    // If the code can't be loaded, the fields stay unchanged.
    loadLazyCalculators().then(
      ({ parseEntries }) => {
        const restoredEntries = parseEntries(savedText);
        setEntries((current) =>
          // Keeps fields that the visitor has already changed.
          current.isChanged
            ? current
            : {
                ...current,
                air: restoredEntries.air ?? current.air,
                lazyFields: { ...current.lazyFields, ...restoredEntries.lazyFields },
              },
        );
      },
      () => undefined,
    );
  }, [id]);
  useEffect(() => {
    if (!isChanged) return;
    // If the code can't be loaded, the fields don't survive a reload.
    loadLazyCalculators().then(
      ({ serializeEntries }) => getEntriesStorage(id).write(serializeEntries({ air, lazyFields })),
      () => undefined,
    );
  }, [isChanged, id, air, lazyFields]);
  useEffect(() => {
    const { read, subscribe } = getEntriesStorage(id);
    // Starts over after a payment.
    return subscribe(() => {
      if (read() === null) setEntries(createInitialEntries(homeCity));
    });
  }, [id, homeCity]);
  return {
    air,
    lazyFields,
    setAir: (change: (fields: AirFields) => AirFields) =>
      setEntries((current) => ({ ...current, air: change(current.air), isChanged: true })),
    setLazyFields: (change: (fields: Partial<LazyFields>) => Partial<LazyFields>) =>
      setEntries((current) => ({ ...current, lazyFields: change(current.lazyFields), isChanged: true })),
  };
}

type CalculatorEntries = {
  readonly air: AirFields;
  readonly lazyFields: Partial<LazyFields>;
  readonly isChanged: boolean;
};

function createInitialEntries(homeCity: OrgPageProps['org']['homeCity']): CalculatorEntries {
  const trip = { ...NO_TRIP, from: homeCity ? toCity(homeCity) : undefined };
  return { air: { ...AIR_DEFAULTS, trip }, lazyFields: { car: { ...CAR_DEFAULTS, trip } }, isChanged: false };
}

/** Shows the cart when its URL opens, for example from the header's link, even if it is already the current URL. */
function useCartHash({ show, showAndFocus }: Pick<TabState, 'show' | 'showAndFocus'>): void {
  const { state, subscribe } = useNavigator();
  useEffect(() => {
    let lastEntry: object | undefined;
    const showCartForHash = () => {
      const { entry, navigationType, keepsScroll } = state();
      if (entry === lastEntry) return;
      lastEntry = entry;
      if (window.location.hash !== `#${CART_HASH}`) return;
      // A click on a link also moves the focus to the cart.
      if (navigationType === 'initial' || keepsScroll) show('cart');
      else showAndFocus('cart');
    };
    showCartForHash();
    return subscribe(showCartForHash);
  }, [state, subscribe, show, showAndFocus]);
}

/** Omitted until its code has loaded. */
function AirDetails(props: { org: OrgPageProps['org']; input: TabInput }) {
  const state = useLazyModule(lazyModule);
  return state.kind === 'loaded' && <state.value.EstimateDetails {...props} />;
}

/** The status of the last payment, shown above the card on every tab. */
function HomePayment({ orgId }: { orgId: string }) {
  const state = useLazyModule(cartTabModule, useHasLastCheckout(orgId));
  return state.kind === 'loaded' && <state.value.PaymentPanel orgId={orgId} className={styles.payment} />;
}

type CanceledCartProps = { checkoutId: string; orgId: string; cart: Cart; onRestored: () => void };

function CanceledCart({ checkoutId, ...rest }: CanceledCartProps) {
  const state = useLazyModule(restoredCartModule);
  return state.kind === 'loaded' && <state.value.RestoredCart canceledCheckoutId={checkoutId} {...rest} />;
}

/** Prefetched when a visitor hovers over or focuses a city button; on a phone, shortly after the page. */
const loadPicker = () => import('./city-picker.tsx');
/** Time until a phone has usually loaded the page. */
const PICKER_DELAY_MS = 1500;
type OpenPicker = Pick<typeof import('./city-picker.tsx'), 'CityPicker'> & {
  readonly end: TripEnd;
  readonly choose: (city: City) => void;
};

/** Lets the calculators pick a city. `dialog` is set while it is open. */
function useCityPicker(credit: Site['placesCredit']): { cityPicker: CityPickerControls; dialog: ReactNode } {
  const toast = useToast();
  const [openPicker, setOpenPicker] = useState<OpenPicker>();
  const cityPicker = useMemo<CityPickerControls>(
    () => ({
      prefetch: () => void loadPicker().catch(() => undefined),
      pick: (end, choose) =>
        void loadPicker().then(
          ({ CityPicker }) => setOpenPicker({ CityPicker, end, choose }),
          () => toast(m.citiesNotLoaded()),
        ),
    }),
    [toast],
  );
  const { prefetch } = cityPicker;
  useEffect(() => {
    // Fingers don't hover, so the picker would load only after the first tap.
    if (!window.matchMedia('(hover: none)').matches) return;
    const timer = setTimeout(prefetch, PICKER_DELAY_MS);
    return () => clearTimeout(timer);
  }, [prefetch]);
  const close = () => setOpenPicker(undefined);
  const choose = (city: City) => {
    openPicker?.choose(city);
    close();
  };
  const dialog = openPicker && (
    <openPicker.CityPicker end={openPicker.end} credit={credit} onChoose={choose} onClose={close} />
  );
  return { cityPicker, dialog };
}
