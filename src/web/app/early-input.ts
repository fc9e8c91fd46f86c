import { flushSync } from 'react-dom';

/** A press of a button, or a field that was changed, with what then stood in it. */
type Input = { readonly target: EventTarget; readonly value?: string; readonly checked?: boolean };

/** What the script inside the document remembers until the program is there (src/server/pages/document-script.ts). */
export type EarlyInput = {
  /** In their order; a field once. */
  readonly inputs: readonly Input[];
  readonly stop: () => void;
};

declare global {
  interface Window {
    earlyInput?: EarlyInput;
  }
}

/**
 * Does what was pressed and typed before the program was there, each when what came before it is done: a press of
 * "Donate" must know of the amount that was chosen first. To be called once the program is there, when React has nothing
 * more to do and nothing else had its turn: until then the fields show what they held before anybody chose.
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
  // The file stays chosen, and nobody but a person may choose one: that it was is told again.
  else if (target instanceof HTMLInputElement && target.type === 'file') tellChange(target);
  else if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) type(target, value);
}

/** React takes no state of a select for its own: it hears of every change. */
function choose(select: HTMLSelectElement, value: string): void {
  select.value = value;
  tellChange(select);
}

function tellChange(field: HTMLElement): void {
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** React takes the state that it finds for its own, so it is set back first: then the press is one that it hears. */
function press(box: HTMLInputElement, checked: boolean): void {
  if (box.type === 'radio' && !checked) return;
  box.checked = !checked;
  box.click();
}

/** The same for what was typed: the setter of the field itself is React's, the one of its kind is not. */
function type(field: HTMLInputElement | HTMLTextAreaElement, typed: string): void {
  const kind = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  field.value = '';
  Object.getOwnPropertyDescriptor(kind, 'value')?.set?.call(field, typed);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
