import { createStore } from '#web/browser/create-store.ts';

/** A modal dialog that is open. Everything outside the top dialog is inert. */
type StackedDialog = {
  /**
   * Called by the back button; undefined if the dialog has its own address, because going back then closes it anyway.
   */
  readonly close: (() => void) | undefined;
  /** Element of the dialog in which toasts are shown. */
  readonly toastRegion: HTMLElement | null;
};

const NO_DIALOGS: readonly StackedDialog[] = [];
const stack = createStore(NO_DIALOGS);

export const subscribeToDialogs = stack.subscribe;

/** The dialog that opened last; undefined if none is open. */
export function getTopDialog(): StackedDialog | undefined {
  return stack.get().at(-1);
}

/**
 * Adds a dialog that has just opened.
 * @returns a function that removes it
 */
export function addDialog(dialog: StackedDialog): () => void {
  stack.set([...stack.get(), dialog]);
  return () => stack.set(stack.get().filter((other) => other !== dialog));
}
