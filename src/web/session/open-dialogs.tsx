import { type ReactElement, useSyncExternalStore } from 'react';
import { createStore } from '#web/browser/create-store.ts';

const NO_DIALOGS: readonly ReactElement[] = [];

/** The dialogs shown with `showDialog`, each with a key. */
export const openDialogs = createStore(NO_DIALOGS);

/** The dialogs shown with `showDialog`. They are part of the app, so that the back button closes them. */
export function OpenDialogs() {
  return useSyncExternalStore(openDialogs.subscribe, openDialogs.get, () => NO_DIALOGS);
}
