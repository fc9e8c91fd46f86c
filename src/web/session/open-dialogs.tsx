import { Fragment, type ReactNode, useSyncExternalStore } from 'react';
import { createStore } from '#web/browser/create-store.ts';

type OpenDialog = { readonly id: number; readonly element: ReactNode };

const NO_DIALOGS: readonly OpenDialog[] = [];
const dialogs = createStore(NO_DIALOGS);
let latestId = 0;

/** Shows a dialog on top of the current page and its dialogs, until `closeDialog` is called. */
export function openDialog<Result>(render: (closeDialog: (result: Result) => void) => ReactNode): Promise<Result> {
  latestId += 1;
  const id = latestId;
  return new Promise((resolve) => {
    const closeDialog = (result: Result) => {
      dialogs.set(dialogs.get().filter((dialog) => dialog.id !== id));
      resolve(result);
    };
    dialogs.set([...dialogs.get(), { id, element: render(closeDialog) }]);
  });
}

/** The dialogs opened with `openDialog`. They are part of the app, so that the back button closes them. */
export function OpenDialogs() {
  const openDialogs = useSyncExternalStore(dialogs.subscribe, dialogs.get, () => NO_DIALOGS);
  return openDialogs.map(({ id, element }) => <Fragment key={id}>{element}</Fragment>);
}
