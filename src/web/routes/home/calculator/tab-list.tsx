import type { KeyboardEvent } from 'react';
import { Icon } from '#web/ui/icon.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './tab-list.module.css';
import { TABS, type TabState, tabByKey } from './tabs.ts';

type TabListProps = {
  tabs: TabState;
  /** What the ids of the tabs start with; the panel is named after its tab. */
  id: string;
  cartCount: number;
};

/** The calculator's tabs. Only the shown one is reached by Tab; the arrow keys go from one to the next. */
export function TabList({ tabs, id, cartCount }: TabListProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabByKey(tabs.tab, event.key);
    if (!next) return;
    event.preventDefault();
    tabs.go(next);
  };
  return (
    <div role="tablist" aria-label="What to offset" className={styles.tabs}>
      {TABS.map(({ tab, label, icon }) => (
        <button
          key={tab}
          ref={(button) => tabs.keepButton(tab, button)}
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
          {tab === 'cart' && cartCount > 0 && (
            <VisuallyHidden>{cartCount === 1 ? '(1 item)' : `(${cartCount} items)`}</VisuallyHidden>
          )}
        </button>
      ))}
    </div>
  );
}
