import { invalidRequest } from './api-error.ts';

/**
 * Refuses a parameter that Stripe takes but the sandbox would overlook, so that nothing seems to work here alone.
 * @param within the name of the parameter that holds them, such as `line_items[0]`
 */
export function refuseUnsupported(given: object | undefined, supported: readonly string[], within?: string): void {
  const other = Object.keys(given ?? {}).find((name) => !supported.includes(name));
  if (other === undefined) return;
  const param = within === undefined ? other : `${within}[${other}]`;
  throw invalidRequest(`The sandbox does not support \`${param}\`; Stripe may.`, param);
}
