import type { ComponentProps, MouseEvent } from 'react';
import { Link } from '#web/navigation/link.tsx';
import styles from './button.module.css';
import { classNames } from './class-names.ts';

/**
 * action: primary. dark: acts in place. outline: secondary. quiet: minor. remove: deletes, undoes, or stops something,
 * usually after a dialog asks. danger: confirms that in the dialog.
 */
type ButtonKind = 'action' | 'dark' | 'outline' | 'quiet' | 'remove' | 'danger';

type ButtonProps = ComponentProps<'button'> & {
  kind?: ButtonKind;
  /** True while its action runs: ignores clicks, but keeps focus, unlike a disabled button. */
  busy?: boolean;
  /** True if there is nothing to do, such as right after saving: ignores clicks, but keeps focus. */
  unavailable?: boolean;
  wide?: boolean;
};

export function Button({
  kind = 'dark',
  busy = false,
  unavailable = false,
  wide = false,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  const ignoresClicks = busy || unavailable;
  return (
    <button
      type="button"
      className={buttonClass(kind, wide, className)}
      aria-busy={busy || undefined}
      aria-disabled={ignoresClicks || undefined}
      onClick={ignoresClicks ? ignoreClick : onClick}
      {...rest}
    />
  );
}

/** Pressing Enter in a field clicks the submit button, so this also keeps the form from being sent twice. */
function ignoreClick(event: MouseEvent): void {
  event.preventDefault();
}

type LinkStyle = { kind?: ButtonKind; wide?: boolean };
type PageLinkProps = LinkStyle &
  Omit<ComponentProps<'a'>, 'href' | 'target'> & { /** A page of this site. */ to: string };
type AddressLinkProps = LinkStyle &
  ComponentProps<'a'> & { /** An address on another site, or on this page. */ href: string };

/** A link that looks like a button: `to` a page of this site, or `href` anywhere. */
export function ButtonLink(props: PageLinkProps | AddressLinkProps) {
  if ('to' in props) {
    const { kind = 'dark', wide = false, className, ...rest } = props;
    return <Link className={buttonClass(kind, wide, className)} {...rest} />;
  }
  const { kind = 'dark', wide = false, className, children, ...rest } = props;
  return (
    <a className={buttonClass(kind, wide, className)} {...rest}>
      {children}
    </a>
  );
}

function buttonClass(kind: ButtonKind, wide: boolean, className: string | undefined): string {
  return classNames(styles.button, styles[kind], wide && styles.wide, className);
}
