import { flushSync } from 'react-dom';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

type EarlyChange = { readonly field: Field; readonly value: string; readonly checked: boolean };

/**
 * Finds the form fields that a visitor changed before hydration. React keeps their values in the document but calls no
 * `onChange` for them.
 *
 * @returns a function that replays the changes, one after another; call it right after hydration
 */
export function collectEarlyChanges(root: ParentNode): () => void {
  const changes: readonly EarlyChange[] = [...root.querySelectorAll<Field>('input, select, textarea')]
    .filter(isChanged)
    .map((field) => ({ field, value: field.value, checked: field instanceof HTMLInputElement && field.checked }));
  return () => {
    for (const change of changes) flushSync(() => replay(change));
  };
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const initial = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0];
    return field.value !== initial?.value;
  }
  if (field instanceof HTMLInputElement && isCheckable(field)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

function isCheckable({ type }: HTMLInputElement): boolean {
  return type === 'checkbox' || type === 'radio';
}

function replay({ field, value, checked }: EarlyChange): void {
  if (field instanceof HTMLInputElement && isCheckable(field)) clickBox(field, checked);
  // Scripts can't choose a file, but the visitor's file is still selected, so the event is enough.
  else if (field instanceof HTMLInputElement && field.type === 'file') fireChange(field);
  else if (field instanceof HTMLSelectElement) {
    field.value = value;
    fireChange(field);
  } else typeText(field, value);
}

function fireChange(field: Field): void {
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Resets the box first, because React ignores a change to the current state. */
function clickBox(box: HTMLInputElement, checked: boolean): void {
  if (box.type === 'radio' && !checked) return;
  box.checked = !checked;
  box.click();
}

/** Uses the prototype's setter, because React overrides the field's own setter and would ignore the change. */
function typeText(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  field.value = '';
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
