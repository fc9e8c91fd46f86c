import { LineIcon } from './icon.tsx';

/** Icon for passkeys. */
export function KeyIcon() {
  return <LineIcon path="M13 12h8v3M17.5 12v2.5M13 12a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Z" />;
}
