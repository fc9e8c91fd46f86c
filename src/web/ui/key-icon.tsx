import { LineIcon } from './icon.tsx';

/** For passkeys. */
export function KeyIcon() {
  return <LineIcon path="M13 12h8v3M17.500 12v2.500M13 12a4.500 4.500 0 1 1-9 0 4.500 4.500 0 0 1 9 0Z" />;
}
