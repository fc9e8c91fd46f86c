import styles from './drawings.module.css';

/**
 * A house at night with a dark window, for pages with nothing to show. Decorative.
 * @param isLoading makes the light in the window pulse
 */
export function NightHouse({ isLoading = false }: { isLoading?: boolean }) {
  return (
    <svg width={176} height={120} viewBox="0 0 176 120" aria-hidden="true">
      <rect width={176} height={120} rx={20} fill="#07202a" />
      <path d="M26 30h2v2h-2zM54 18h2v2h-2zM118 22h2v2h-2zM150 38h2v2h-2zM136 12h2v2h-2z" fill="#b9d2cf" />
      <path d="M0 94q44-16 88-6t88-6v18a20 20 0 0 1-20 20H20a20 20 0 0 1-20-20z" fill="#103f45" />
      <path d="M108 34h10v18h-10z" fill="#2b7277" />
      <path d="M58 104V60l30-24 30 24v44z" fill="#17585b" />
      <path d="M50 64l38-30 38 30" fill="none" stroke="#2b7277" strokeWidth={7} />
      <path d="M76 66h24v26H76z" fill="#07202a" className={isLoading ? styles.lamp : undefined} />
      <path d="M88 66v26M76 77h24" stroke="#17585b" strokeWidth={2} />
    </svg>
  );
}
