/** Paths on a 24 × 24 grid, drawn with a 1.75 stroke. Every page loads them, so add only icons for public pages. */
export const ICONS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  air: 'M21 4.5c-1-1-2.6-.8-3.6.2L14.5 7.6 5.6 5.4 4 7l7.2 3.9-3.3 3.5-2.7-.5L4 15.1l3.2 1.7L8.9 20l1.2-1.2-.5-2.7 3.5-3.3L17 20l1.6-1.6-2.2-8.9 2.9-2.9c1-1 1.7-1.6 1.7-2.1Z',
  car: 'M5 17H3.5v-4.5L5.6 8.6A2 2 0 0 1 7.4 7.5h6.7a2 2 0 0 1 1.5.7l3 3.6 1.5.5a1.5 1.5 0 0 1 1 1.4V17H19M9 17h6M5.6 12h12M11 7.5V12M9 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM19 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  home: 'M4 11l8-7 8 7v9H4ZM10 20v-6h4v6',
  bolt: 'M13 3 5 14h6l-1 7 8-11h-6Z',
  cart: 'M3 4h2.2l2.3 11h10.3l2-8H6M10 19.5a1.3 1.3 0 1 1-2.6 0 1.3 1.3 0 0 1 2.6 0ZM18 19.5a1.3 1.3 0 1 1-2.6 0 1.3 1.3 0 0 1 2.6 0Z',
  pin: 'M12 21s7-6.3 7-11.5a7 7 0 0 0-14 0C5 14.7 12 21 12 21ZM14.5 9.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z',
  search: 'M16 16l4.5 4.5M18 10.5a7.5 7.5 0 1 1-15 0 7.5 7.5 0 0 1 15 0Z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 13h9.4l.8-13M10 11v5.5M14 11v5.5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  previous: 'M14.5 5.5 8 12l6.5 6.5',
  next: 'M9.5 5.5 16 12l-6.5 6.5',
  external: 'M13 5h6v6M19 5l-8.5 8.5M10 6H5v13h13v-5',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4ZM15.5 13.3a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z',
  info: 'M12 11v6M12 7.5v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  gift: 'M4 11h16v9H4ZM3 7.5h18V11H3ZM12 7.5V20M12 7.5C9 7.5 7 6.5 7 5s2-2.2 3.3-1S12 7.5 12 7.5ZM12 7.5c3 0 5-1 5-2.5s-2-2.2-3.3-1S12 7.5 12 7.5Z',
  pencil: 'M4.5 19.5l.9-4L16 4.9a1.7 1.7 0 0 1 2.4 0l.7.7a1.7 1.7 0 0 1 0 2.4L8.5 18.6ZM14 7l3 3',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.7-3.6 3.7-5.5 7.5-5.5s6.8 1.9 7.5 5.5',
  login: 'M13 4h6v16h-6M4 12h10M10 8l4 4-4 4',
  chart: 'M4 20h16M6.5 16.5v-5M12 16.5v-10M17.5 16.5v-7',
} as const;

export type IconName = keyof typeof ICONS;

type LineIconProps = { size?: number; className?: string | undefined };

/** Decorative. A control without text needs a label. */
export function Icon({ name, ...rest }: LineIconProps & { name: IconName }) {
  return <LineIcon path={ICONS[name]} {...rest} />;
}

/** Draws an icon that isn't in `ICONS`. */
export function LineIcon({ path, size = 20, className }: LineIconProps & { path: string }) {
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
