import { Fragment } from 'react';

/** A name or an email address. A narrow column breaks the address before its @. */
export function EmailText({ children }: { children: string }) {
  return children.split(/(?=@)/).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
