import { ICONS, LineIcon } from './icon.tsx';

/** All icons. Only the menu and signed-in pages import them. */
const ALL_ICONS = {
  ...ICONS,
  people:
    'M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c.6-3 3.2-4.7 6.5-4.7s5.9 1.7 6.5 4.7M15.5 5.3a3.4 3.4 0 0 1 0 6.4M18 15.2c2 .7 3.2 2.2 3.5 4.3',
  tools:
    'M14.5 6.5a4 4 0 0 1 5-2.2l-2.7 2.7.4 2 2 .4 2.7-2.7a4 4 0 0 1-5.3 5L9 19.3a2.4 2.4 0 0 1-3.4-3.4l7.6-7.6a4 4 0 0 1 1.3-1.8Z',
  question: 'M9 9.5a3 3 0 1 1 4.6 2.5c-1 .7-1.6 1.2-1.6 2.3M12 17.3v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  qr: 'M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h2.5v2.5M20 14v2.5M14 20v-1M17.5 20H20v-1.5',
  medal: 'M12 14.5a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM9 13.8 7.5 21l4.5-2.5 4.5 2.5-1.5-7.2',
  heart: 'M12 20s-7.5-4.6-7.5-10A4.2 4.2 0 0 1 12 7.3 4.2 4.2 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10Z',
  logout: 'M11 4H5v16h6M10 12h10M16 8l4 4-4 4',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.9 7.6 7 9 4.1-1.4 7-4.7 7-9V6Z',
  history: 'M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M12 7.5V12l3 2',
  list: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5v.1M4.5 12v.1M4.5 17.5v.1',
  mail: 'M3.5 6h17v12.5h-17ZM4 6.5l8 6.5 8-6.5',
  repeat: 'M5 11V9a3 3 0 0 1 3-3h10M15 3l3 3-3 3M19 13v2a3 3 0 0 1-3 3H6M9 21l-3-3 3-3',
} as const;

export type ExtendedIconName = keyof typeof ALL_ICONS;

/** Decorative. A control without text needs a label. */
export function ExtendedIcon({ name }: { name: ExtendedIconName }) {
  return <LineIcon path={ALL_ICONS[name]} />;
}
