// @spec decisions.3
import { afterEach, expect, test, vi } from 'vitest';
import { storedText } from '#web/browser/stored-text.ts';

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
  storedText('cart:ithaca').write('one');
  expect(storedText('cart:ithaca').read()).toBe('one');
  expect(storedText('cart:geneva').read()).toBeNull();
});

test('without browser storage, the cart lasts as long as the page', () => {
  stubWindow('turned off');
  expect(storedText('cart:ithaca').read()).toBeNull();
  storedText('cart:ithaca').write('one');
  expect(storedText('cart:ithaca').read()).toBe('one');
  storedText('cart:ithaca').write(null);
  expect(storedText('cart:ithaca').read()).toBeNull();
});

test('removed text isn’t stored', () => {
  const items = new Map<string, string>();
  stubWindow(items);
  const storage = storedText('cart:ithaca');
  storage.write('one');
  storage.write(null);
  expect([storage.read(), items.size]).toEqual([null, 0]);
});

test('a change in another tab notifies only the affected cart', () => {
  const page = stubWindow(new Map());
  let noticeCount = 0;
  const stop = storedText('cart:ithaca').subscribe(() => {
    noticeCount += 1;
  });
  page.dispatchEvent(storageEvent('cart:geneva'));
  expect(noticeCount).toBe(0);
  page.dispatchEvent(storageEvent('cart:ithaca'));
  page.dispatchEvent(storageEvent(null));
  page.dispatchEvent(new Event('pageshow'));
  expect(noticeCount).toBe(3);
  stop();
  page.dispatchEvent(storageEvent('cart:ithaca'));
  page.dispatchEvent(new Event('pageshow'));
  expect(noticeCount).toBe(3);
});
