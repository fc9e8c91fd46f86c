import { useCallback, useMemo, useRef, useState } from 'react';
import type { IconName } from '#web/ui/icon.tsx';

export type Tab = 'air' | 'car' | 'home' | 'quick' | 'cart';

/** The tabs in the order of §2. */
export const TABS: readonly { readonly tab: Tab; readonly label: string; readonly icon: IconName }[] = [
  { tab: 'air', label: 'Air', icon: 'plane' },
  { tab: 'car', label: 'Car', icon: 'car' },
  { tab: 'home', label: 'Home', icon: 'home' },
  { tab: 'quick', label: 'Quick', icon: 'bolt' },
  { tab: 'cart', label: 'Cart', icon: 'cart' },
];

export type TabState = {
  readonly tab: Tab;
  /** Shows a tab. */
  readonly show: (tab: Tab) => void;
  /** Shows a tab and takes the focus to it, so that whoever listens to the page hears where they are. */
  readonly go: (tab: Tab) => void;
  readonly keepButton: (tab: Tab, button: HTMLButtonElement | null) => void;
};

export function useTabs(): TabState {
  const [tab, show] = useState<Tab>('air');
  const buttons = useRef(new Map<Tab, HTMLButtonElement>());
  const keepButton = useCallback((of: Tab, button: HTMLButtonElement | null) => {
    if (button) buttons.current.set(of, button);
    else buttons.current.delete(of);
  }, []);
  const go = useCallback((to: Tab) => {
    show(to);
    buttons.current.get(to)?.focus();
  }, []);
  return useMemo(() => ({ tab, show, go, keepButton }), [tab, go, keepButton]);
}

/** The tab that a key leads to, if it leads to one: arrows go round, Home and End to the ends. */
export function tabByKey(tab: Tab, key: string): Tab | undefined {
  const at = TABS.findIndex((known) => known.tab === tab);
  const positions: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 };
  const position = positions[key];
  return position === undefined ? undefined : TABS.at(position % TABS.length)?.tab;
}
