import { type SubmitEvent, useState } from 'react';
import type { User } from '#contract/schemas/users.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ListFoot } from '#web/ui/list-parts.tsx';
import { AdminDialog } from './admin-dialog.tsx';
import styles from './people.module.css';
import { PersonRow } from './person-row.tsx';
import { type PeoplePart, usePeople } from './use-people.ts';

type PeopleListProps = {
  first: PeoplePart;
  find: (query: string, cursorRef?: string) => Promise<PeoplePart>;
  /** @returns the person as they are then */
  setAdmin: (person: User, admin: boolean) => Promise<User>;
  /** The id of the admin who looks. */
  selfId: string;
};

/** The people who have an account: search, and who is an admin (decisions §4). */
export function PeopleList({ first, find, setAdmin, selfId }: PeopleListProps) {
  const { items, query, nextCursor, busy, problem, search, loadMore, put } = usePeople(first, find);
  const [typed, setTyped] = useState('');
  const [asking, setAsking] = useState<User>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void search(typed.trim());
  };
  return (
    <>
      <search>
        <form onSubmit={submit} className={styles.search}>
          <TextField
            label="Name or email"
            type="search"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" busy={busy}>
            <Icon name="search" /> Search
          </Button>
        </form>
      </search>
      <output className={styles.found}>{foundSentence(items.length, query, nextCursor !== undefined)}</output>
      {items.length > 0 && (
        <ul className={styles.people}>
          {items.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              isSelf={person.id === selfId}
              onChangeAdmin={() => setAsking(person)}
            />
          ))}
        </ul>
      )}
      <ListFoot
        hasMore={nextCursor !== undefined}
        busy={busy}
        problem={problem}
        what="people"
        onMore={() => void loadMore()}
      />
      {asking && (
        <AdminDialog
          person={asking}
          isSelf={asking.id === selfId}
          onChange={async (admin) => {
            put(await setAdmin(asking, admin));
            setAsking(undefined);
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

function foundSentence(count: number, query: string, hasMore: boolean): string {
  if (count === 0) return query === '' ? 'Nobody has an account yet.' : `Nobody is called “${query}”.`;
  const people = count === 1 ? '1 person' : `${count} people`;
  return `${hasMore ? 'The first ' : ''}${people}${query === '' ? '' : ` for “${query}”`}`;
}
