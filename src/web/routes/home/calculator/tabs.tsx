import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { m } from '#messages';
import { formatItemCount } from '#web/cart/cart-store.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './calculator.module.css';

/** The tabs in the order of §2. */
export const TABS = [
  { tab: 'air', label: m.tabAir(), icon: 'air' },
  { tab: 'car', label: m.tabCar(), icon: 'car' },
  { tab: 'home', label: m.tabHome(), icon: 'home' },
  { tab: 'quick', label: m.tabQuick(), icon: 'bolt' },
  { tab: 'cart', label: m.tabCart(), icon: 'cart' },
] as const satisfies readonly { readonly tab: string; readonly label: string; readonly icon: IconName }[];

export type Tab = (typeof TABS)[number]['tab'];

export type TabState = {
  readonly tab: Tab;
  /** Shows a tab. */
  readonly show: (tab: Tab) => void;
  /** Shows a tab and focuses it, so that screen readers announce it. */
  readonly showAndFocus: (tab: Tab) => void;
  readonly registerButton: (tab: Tab, button: HTMLButtonElement | null) => void;
};

export function useTabs(): TabState {
  const [tab, setTab] = useState<Tab>('air');
  const buttons = useRef(new Map<Tab, HTMLButtonElement>());
  const registerButton = useCallback((buttonTab: Tab, button: HTMLButtonElement | null) => {
    if (button) buttons.current.set(buttonTab, button);
    else buttons.current.delete(buttonTab);
  }, []);
  const showAndFocus = useCallback((target: Tab) => {
    setTab(target);
    buttons.current.get(target)?.focus();
  }, []);
  return useMemo(() => ({ tab, show: setTab, showAndFocus, registerButton }), [tab, showAndFocus, registerButton]);
}

/** The tab that a key moves to: arrows wrap around, Home and End go to the ends. */
export function getNextTab(tab: Tab, key: string): Tab | undefined {
  const index = TABS.findIndex((candidate) => candidate.tab === tab);
  const positions: Record<string, number> = {
    ArrowRight: index + 1,
    ArrowLeft: index - 1,
    Home: 0,
    End: TABS.length - 1,
  };
  const position = positions[key];
  return position === undefined ? undefined : TABS.at(position % TABS.length)?.tab;
}

type TabListProps = {
  tabs: TabState;
  /** The prefix of the ids of the tabs and the panel. */
  id: string;
  cartCount: number;
};

/** The Tab key reaches only the selected tab; the arrow keys move between tabs. */
export function TabList({ tabs, id, cartCount }: TabListProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const next = getNextTab(tabs.tab, event.key);
    if (!next) return;
    event.preventDefault();
    tabs.showAndFocus(next);
  };
  return (
    <div role="tablist" aria-label={m.tabsName()} className={styles.tabs}>
      {TABS.map(({ tab, label, icon }) => (
        <button
          key={tab}
          ref={(button) => tabs.registerButton(tab, button)}
          type="button"
          role="tab"
          id={`${id}-${tab}`}
          aria-selected={tab === tabs.tab}
          aria-controls={tab === tabs.tab ? `${id}-panel` : undefined}
          tabIndex={tab === tabs.tab ? 0 : -1}
          className={styles.tab}
          onClick={() => tabs.show(tab)}
          onKeyDown={onKeyDown}
        >
          <span className={styles.icon}>
            <Icon name={icon} size={22} />
            {tab === 'cart' && cartCount > 0 && (
              <span className={styles.count} aria-hidden="true">
                {cartCount}
              </span>
            )}
          </span>
          {label}
          {tab === 'cart' && cartCount > 0 && <VisuallyHidden>({formatItemCount(cartCount)})</VisuallyHidden>}
        </button>
      ))}
    </div>
  );
}
