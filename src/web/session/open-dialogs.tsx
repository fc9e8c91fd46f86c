import { Component, type ReactNode, useSyncExternalStore } from 'react';
import { createStore } from '#web/browser/create-store.ts';

type DialogEntry = { readonly id: number; readonly element: ReactNode; readonly fail: (error: unknown) => void };

const NO_DIALOGS: readonly DialogEntry[] = [];
const dialogs = createStore(NO_DIALOGS);
let latestId = 0;

/**
 * Shows a dialog on top of the current page and its dialogs, until `closeDialog` is called.
 * @throws the error if the dialog fails to render
 */
export function showDialog<Result>(render: (closeDialog: (result: Result) => void) => ReactNode): Promise<Result> {
  latestId += 1;
  const id = latestId;
  const remove = () => dialogs.set(dialogs.get().filter((dialog) => dialog.id !== id));
  return new Promise((resolve, reject) => {
    const closeDialog = (result: Result) => {
      remove();
      resolve(result);
    };
    const fail = (error: unknown) => {
      remove();
      reject(error);
    };
    dialogs.set([...dialogs.get(), { id, element: render(closeDialog), fail }]);
  });
}

/** The dialogs shown with `showDialog`. They are part of the app, so that the back button closes them. */
export function OpenDialogs() {
  const openDialogs = useSyncExternalStore(dialogs.subscribe, dialogs.get, () => NO_DIALOGS);
  return openDialogs.map(({ id, element, fail }) => (
    <DialogBoundary key={id} onError={fail}>
      {element}
    </DialogBoundary>
  ));
}

/** Closes a dialog that fails to render, so that the page keeps its unsaved input. */
class DialogBoundary extends Component<{ onError: (error: unknown) => void; children: ReactNode }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError(error);
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
