import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import '#web/payment/tribute-fields.tsx';
import { useTribute } from '#web/payment/tribute-option.tsx';
import { NO_TRIBUTE, tributeStorage } from '#web/payment/tribute-storage.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

test('a saved tribute doesn’t stop the checkout while its fields load', () => {
  tributeStorage('valley').save({ ...NO_TRIBUTE, kind: 'honor', name: 'Ada' });
  const failedCheckout = { problem: undefined, problemField: undefined, clearProblem: () => {} };
  const { result } = renderHook(() => useTribute('valley', failedCheckout));
  expect(result.current.validate()).toBe(true);
});
