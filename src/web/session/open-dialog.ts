import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/** Shows a dialog on top of the current page and its dialogs, until `closeDialog` is called. */
export function openDialog<Result>(render: (closeDialog: (result: Result) => void) => ReactNode): Promise<Result> {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  return new Promise((resolve) => {
    const end = (result: Result) => {
      root.unmount();
      container.remove();
      resolve(result);
    };
    root.render(render(end));
  });
}
