import type { ReactNode, SubmitEvent } from 'react';

type SearchFormProps = {
  className?: string | undefined;
  onSearch: (form: Element) => void;
  children: ReactNode;
  /** Announcement of the results. */
  status?: ReactNode;
};

export function SearchForm({ className, onSearch, children, status }: SearchFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSearch(event.currentTarget);
  };
  return (
    <search>
      <form onSubmit={submit} className={className}>
        {children}
      </form>
      {status}
    </search>
  );
}
