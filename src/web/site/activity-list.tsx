import type { Activity } from '#contract/schemas/activity.ts';
import { type ActivityChange, activitySentence } from '#domain/activity.ts';
import { storyPreview } from '#domain/story-preview.ts';
import { m } from '#messages';
import type { ListQuery } from '#web/api/queries.ts';
import { useList } from '#web/api/use-list.ts';
import { List } from '#web/ui/list-page.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './activity-list.module.css';

type ActivityListProps = {
  query: ListQuery<Activity>;
  momentText: (time: string) => string;
};

/** Audit trail entries, newest first. */
export function ActivityList({ query, momentText }: ActivityListProps) {
  return (
    <List {...useList(query)} what={m.activityWhat()} empty={m.activityNone()}>
      {(entries) => <ActivityRows entries={entries} momentText={momentText} />}
    </List>
  );
}

type ActivityRowsProps = { entries: readonly Activity[] } & Pick<ActivityListProps, 'momentText'>;

export function ActivityRows({ entries, momentText }: ActivityRowsProps) {
  return (
    <ol className={styles.list}>
      {entries.map((activity) => (
        <ActivityRow key={activity.id} activity={activity} momentText={momentText} />
      ))}
    </ol>
  );
}

type ActivityRowProps = { activity: Activity } & Pick<ActivityListProps, 'momentText'>;

function ActivityRow({ activity, momentText }: ActivityRowProps) {
  const { name, timestamp, about, client, changes } = activity;
  return (
    <li className={styles.row}>
      <p className={styles.sentence}>
        {activitySentence(name)}
        {about !== null && <span className={styles.subject}>: {about}</span>}
      </p>
      <p className={styles.author}>
        {actorName(activity)} · <time dateTime={timestamp}>{momentText(timestamp)}</time>
        {client !== null && ` · ${m.activityFrom({ client })}`}
      </p>
      {changes.length > 0 && (
        <dl className={styles.changes}>
          {changes.map((change) => (
            <Change key={change.label} change={change} />
          ))}
        </dl>
      )}
    </li>
  );
}

function Change({ change: { label, before, after } }: { change: ActivityChange }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {before !== '' && (
          <>
            <VisuallyHidden>{m.activityBefore()} </VisuallyHidden>
            <del>
              <Value text={before} />
            </del>
          </>
        )}
        {before !== '' && after !== '' && <span aria-hidden="true"> → </span>}
        {after !== '' && (
          <>
            <VisuallyHidden>{before === '' ? '' : ` ${m.activityAfter()} `}</VisuallyHidden>
            <ins>
              <Value text={after} />
            </ins>
          </>
        )}
      </dd>
    </div>
  );
}

/** Folds a long text, such as a story, so that the list stays short. */
function Value({ text }: { text: string }) {
  const beginning = storyPreview(text);
  if (beginning === text) return text;
  return (
    <details>
      <summary>{beginning}</summary>
      {text}
    </details>
  );
}

const ACTORS: Readonly<Record<Activity['by'], string>> = {
  you: m.activityYou(),
  person: m.activityPerson(),
  visitor: m.activityVisitor(),
  former: m.activityFormer(),
  program: m.activityProgram(),
};

function actorName({ by, byName }: Activity): string {
  return byName !== null && by === 'person' ? byName : ACTORS[by];
}
