import { flushSync } from 'react-dom';

/** A click on a button, or a changed field with its value. */
type Input = { readonly target: EventTarget; readonly value?: string; readonly checked?: boolean };

/** Recorded by a script in the document until the program has loaded (src/server/pages/page-document.ts). */
export type EarlyInput = {
  /** In order; each field once. */
  readonly inputs: readonly Input[];
  readonly stop: () => void;
};

declare global {
  interface Window {
    earlyInput?: EarlyInput;
  }
}

/**
 * Replays clicks and typing from before the program loaded, one after another: a click on "Donate" must see the amount
 * chosen before it. To be called right after hydration, before any other event.
 */
export function catchUpWithInput(tab: Pick<Window, 'earlyInput'>): void {
  const { earlyInput } = tab;
  if (!earlyInput) return;
  earlyInput.stop();
  delete tab.earlyInput;
  for (const input of earlyInput.inputs) flushSync(() => repeat(input));
}

function repeat({ target, value = '', checked = false }: Input): void {
  if (target instanceof HTMLButtonElement) target.click();
  else if (target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio'))
    press(target, checked);
  else if (target instanceof HTMLSelectElement) choose(target, value);
  // The file is still chosen, and scripts can't choose one: only the event is repeated.
  else if (target instanceof HTMLInputElement && target.type === 'file') fireChange(target);
  else if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) type(target, value);
}

function choose(select: HTMLSelectElement, value: string): void {
  select.value = value;
  fireChange(select);
}

function fireChange(field: HTMLElement): void {
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** React ignores a change to the state it already knows, so the box is reset first. */
function press(box: HTMLInputElement, checked: boolean): void {
  if (box.type === 'radio' && !checked) return;
  box.checked = !checked;
  box.click();
}

/** The field's own setter is React's, which would hide the change; the prototype's is not. */
function type(field: HTMLInputElement | HTMLTextAreaElement, typed: string): void {
  const kind = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  field.value = '';
  Object.getOwnPropertyDescriptor(kind, 'value')?.set?.call(field, typed);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
