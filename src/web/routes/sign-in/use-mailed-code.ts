import { useEffect, useState } from 'react';
import { readAddress } from '#web/navigation/address.ts';
import { useAddress, useNavigate } from '#web/navigation/use-navigator.ts';

/**
 * The code of a mailed link. It is taken out of the address at once, so that nobody reads it there, nor in the
 * browser's history; the page keeps it for as long as it is shown.
 */
export function useMailedCode(given: string | undefined): string | undefined {
  const [code] = useState(given);
  const navigate = useNavigate();
  const address = useAddress();
  useEffect(() => {
    if (given !== undefined) void navigate(withoutCode(address), { replace: true, keepScroll: true });
  }, [given, navigate, address]);
  return code;
}

function withoutCode(address: string): string {
  const { path, search } = readAddress(address);
  const { code: _taken, ...rest } = search;
  const query = new URLSearchParams(rest).toString();
  return query === '' ? path : `${path}?${query}`;
}
