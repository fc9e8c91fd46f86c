import type { ComponentProps, MouseEvent } from 'react';
import { localizeAddress } from '#contract/languages.ts';
import { LANGUAGE } from '#messages';
import { isSamePath } from './address.ts';
import { useAddress, useNavigator } from './use-navigator.ts';

type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'target'> & {
  to: string;
  /** True if addresses below `to` also mark the link as current. */
  isSection?: boolean;
  /** True to keep the scroll position, for example for a dialog over the page. */
  keepScroll?: boolean;
};

/** A link within the site. Hovering over it or focusing it prefetches the page. */
export function Link({ to, isSection = false, keepScroll = false, onClick, children, ...rest }: LinkProps) {
  const navigator = useNavigator();
  const address = useAddress();
  const isInSection = isSection && address.startsWith(`${to}/`);
  const prefetch = () => navigator.prefetch(to);
  return (
    <a
      href={localizeAddress(to, LANGUAGE)}
      aria-current={isSamePath(to, address) ? 'page' : isInSection || undefined}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        void navigator.go(to, { keepScroll });
      }}
      {...rest}
    >
      {children}
    </a>
  );
}

/** Excludes clicks that open a new tab, a download, or a menu. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
