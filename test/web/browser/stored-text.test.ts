// @spec decisions.3
import { afterEach, expect, test, vi } from 'vitest';
import { getStoredText } from '#web/browser/stored-text.ts';

afterEach(() => vi.unstubAllGlobals());

/** Stubs a window whose storage is a map or is disabled. */
function stubWindow(items: Map<string, string> | 'turned off'): EventTarget {
  const fail = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  const localStorage =
    items === 'turned off'
      ? { getItem: fail, setItem: fail, removeItem: fail }
      : {
          getItem: (key: string) => items.get(key) ?? null,
          setItem: (key: string, text: string) => void items.set(key, text),
          removeItem: (key: string) => void items.delete(key),
        };
  const page = Object.assign(new EventTarget(), { localStorage });
  vi.stubGlobal('window', page);
  return page;
}

function storageEvent(key: string | null): Event {
  return Object.assign(new Event('storage'), { key });
}

test('each organization has a separate cart', () => {
  stubWindow(new Map());
  getStoredText('cart:ithaca').write('one');
  expect(getStoredText('cart:ithaca').read()).toBe('one');
  expect(getStoredText('cart:geneva').read()).toBeNull();
});

test('without browser storage, the cart lasts as long as the page', () => {
  stubWindow('turned off');
  expect(getStoredText('cart:ithaca').read()).toBeNull();
  getStoredText('cart:ithaca').write('one');
  expect(getStoredText('cart:ithaca').read()).toBe('one');
  getStoredText('cart:ithaca').write(null);
  expect(getStoredText('cart:ithaca').read()).toBeNull();
});

test('removed text isn’t stored', () => {
  const items = new Map<string, string>();
  stubWindow(items);
  const storage = getStoredText('cart:ithaca');
  storage.write('one');
  storage.write(null);
  expect([storage.read(), items.size]).toEqual([null, 0]);
});

test('a change in another tab notifies only the affected cart', () => {
  const page = stubWindow(new Map());
  let notificationCount = 0;
  const stop = getStoredText('cart:ithaca').subscribe(() => {
    notificationCount += 1;
  });
  page.dispatchEvent(storageEvent('cart:geneva'));
  expect(notificationCount).toBe(0);
  page.dispatchEvent(storageEvent('cart:ithaca'));
  page.dispatchEvent(storageEvent(null));
  page.dispatchEvent(new Event('pageshow'));
  expect(notificationCount).toBe(3);
  stop();
  page.dispatchEvent(storageEvent('cart:ithaca'));
  page.dispatchEvent(new Event('pageshow'));
  expect(notificationCount).toBe(3);
});
