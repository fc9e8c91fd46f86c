import { Fragment } from 'react';

/** A name or an email address. In a narrow column, the address wraps before the @. */
export function EmailText({ children }: { children: string }) {
  return children.split(/(?=@)/).map((part, index) => (
    <Fragment key={part}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
