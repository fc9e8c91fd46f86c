import { Component, type ReactNode } from 'react';
import { openDialogs } from './open-dialogs.tsx';

let latestId = 0;

/**
 * Shows a dialog on top of the current page and its dialogs, until `closeDialog` is called.
 * @throws the error if the dialog fails to render
 */
export function showDialog<Result>(render: (closeDialog: (result: Result) => void) => ReactNode): Promise<Result> {
  latestId += 1;
  const key = `dialog-${latestId}`;
  const remove = () => openDialogs.set(openDialogs.get().filter((dialog) => dialog.key !== key));
  return new Promise((resolve, reject) => {
    const closeDialog = (result: Result) => {
      remove();
      resolve(result);
    };
    const fail = (error: unknown) => {
      remove();
      reject(error);
    };
    const dialog = (
      <DialogBoundary key={key} onError={fail}>
        {render(closeDialog)}
      </DialogBoundary>
    );
    openDialogs.set([...openDialogs.get(), dialog]);
  });
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
