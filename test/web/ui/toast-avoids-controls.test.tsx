import { afterEach, expect, test, vi } from 'vitest';
import { avoidControls } from '#web/ui/toast-position.ts';

afterEach(() => {
  document.body.replaceChildren();
});

/** Adds an element at a vertical position. */
function addBox<Name extends 'button' | 'input' | 'p'>(parent: Element, name: Name, top: number, height: number) {
  const element = document.createElement(name);
  element.getBoundingClientRect = () => new DOMRect(100, top, 300, height);
  return parent.appendChild(element);
}

test('a toast that appears under the mouse in a dialog full of fields moves off its buttons', () => {
  const dialog = document.body.appendChild(document.createElement('dialog'));
  for (let top = 90; top < 700; top += 60) addBox(dialog, 'input', top, 40);
  addBox(dialog, 'button', 740, 40);
  const toast = addBox(dialog, 'p', 726, 50);
  vi.spyOn(toast, 'matches').mockReturnValue(true);
  avoidControls(toast);
  expect(toast.style.translate).toBe('0 -702px');
});

test('a toast keeps its place on a page without room', () => {
  for (let top = 0; top < 800; top += 60) addBox(document.body, 'button', top, 40);
  const toast = addBox(document.body, 'p', 726, 50);
  avoidControls(toast);
  expect(toast.style.translate).toBe('0 0px');
});
