import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import { visibleLength } from './profile.ts';

/** Sort orders of the donor list: latest gift first, largest total first, or alphabetical. */
export const DONOR_SORTS = ['last-gift', 'lifetime', 'name'] as const;
export type DonorSort = (typeof DONOR_SORTS)[number];

/** Rows are counted up to this number; longer lists show "more than 10,000". */
export const MAX_COUNTED_ROWS = 10_000;

export const MAX_POSTAL_ADDRESS_LENGTH = 300;

/** @returns Failure postal-address-too-long */
export function postalAddressFailure(address: string): Failure | undefined {
  return visibleLength(address) > MAX_POSTAL_ADDRESS_LENGTH
    ? formFailure('postal-address-too-long', { max: MAX_POSTAL_ADDRESS_LENGTH })
    : undefined;
}
