/** What the script inside the document remembers until the program is there (src/server/pages/early-input.ts). */
export type EarlyInput = {
  /** Buttons that were pressed and fields that were changed, in their order; a field once. */
  readonly targets: readonly EventTarget[];
  readonly stop: () => void;
};

declare global {
  interface Window {
    earlyInput?: EarlyInput;
  }
}

/** Does what was pressed and typed before the program was there. To be called once it is, and no earlier. */
export function catchUpWithInput(tab: Pick<Window, 'earlyInput'>): void {
  const { earlyInput } = tab;
  if (!earlyInput) return;
  earlyInput.stop();
  delete tab.earlyInput;
  for (const target of earlyInput.targets) {
    if (target instanceof HTMLButtonElement) target.click();
    else if (target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio'))
      press(target);
    else if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) type(target);
  }
}

/** React takes the state that it finds for its own, so it is set back first: then the press is one that it hears. */
function press(box: HTMLInputElement): void {
  if (box.type === 'radio' && !box.checked) return;
  box.checked = !box.checked;
  box.click();
}

/** The same for what was typed: the setter of the field itself is React's, the one of its kind is not. */
function type(field: HTMLInputElement | HTMLTextAreaElement): void {
  const typed = field.value;
  const kind = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  field.value = '';
  Object.getOwnPropertyDescriptor(kind, 'value')?.set?.call(field, typed);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
