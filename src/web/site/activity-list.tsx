import type { ReactNode } from 'react';
import type { Activity } from '#contract/schemas/activity.ts';
import { type ActivityChange, activitySentence } from '#domain/activity.ts';
import { previewStory } from '#domain/story-preview.ts';
import { m } from '#messages';
import type { ListQuery } from '#web/api/queries.ts';
import { useList } from '#web/api/use-list.ts';
import { List } from '#web/ui/list-page.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './activity-list.module.css';

type ActivityRowsProps = {
  entries: readonly Activity[];
  formatTime: (time: string) => string;
  /** Renders an entry's organization, on pages that cover several organizations. */
  renderOrg?: ((entry: Activity) => ReactNode) | undefined;
};

type ActivityListProps = Omit<ActivityRowsProps, 'entries'> & {
  query: ListQuery<Activity>;
  /** Groups the entries by day. If omitted, `formatTime` includes the day. */
  formatDay?: (time: string) => string;
  /** Shown instead of the entries if there are none. */
  empty?: string | undefined;
};

/** Audit trail entries, newest first. */
export function ActivityList({ query, formatDay, empty = m.activityNone(), ...rows }: ActivityListProps) {
  return (
    <List {...useList(query)} itemNoun={m.activityWhat()} empty={empty}>
      {(entries) =>
        formatDay ? (
          [...Map.groupBy(entries, ({ timestamp }) => formatDay(timestamp))].map(([day, dayEntries]) => (
            <section key={day} className={styles.day}>
              <h2>{day}</h2>
              <ActivityRows entries={dayEntries} {...rows} />
            </section>
          ))
        ) : (
          <ActivityRows entries={entries} {...rows} />
        )
      }
    </List>
  );
}

export function ActivityRows({ entries, formatTime, renderOrg }: ActivityRowsProps) {
  return (
    <ol className={styles.list}>
      {entries.map((activity) => (
        <li key={activity.id} className={styles.row}>
          <ActivityEntry activity={activity} formatTime={formatTime} renderOrg={renderOrg} />
        </li>
      ))}
    </ol>
  );
}

/** An activity and its author. The changed values are collapsed. */
function ActivityEntry({
  activity,
  formatTime,
  renderOrg,
}: Omit<ActivityRowsProps, 'entries'> & { activity: Activity }) {
  const { name, timestamp, affectedPerson, objectName, ipAddress, changes } = activity;
  const org = renderOrg?.(activity);
  const byline = (
    <p className={styles.author}>
      {formatActor(activity)} · <time dateTime={timestamp}>{formatTime(timestamp)}</time>
      {org && <> · {org}</>}
      {ipAddress !== null && ` · ${m.activityFrom({ client: ipAddress })}`}
    </p>
  );
  const sentence = (
    <span className={styles.sentence}>
      {activitySentence(name, affectedPerson === null ? objectName : null)}
      {affectedPerson !== null && (
        <span className={styles.subject}>
          : {objectName === null ? affectedPerson : `${affectedPerson}, ${objectName}`}
        </span>
      )}
    </span>
  );
  if (changes.length === 0) {
    return (
      <>
        {sentence}
        {byline}
      </>
    );
  }
  return (
    <>
      <details className={styles.entry}>
        <summary>{sentence}</summary>
        <dl className={styles.changes}>
          {changes.map((change) => (
            <Change key={change.label} change={change} />
          ))}
        </dl>
      </details>
      {byline}
    </>
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

/** Collapses a long text, such as a story, so that the list stays short. */
function Value({ text }: { text: string }) {
  const beginning = previewStory(text);
  if (beginning === text) return text;
  return (
    <details>
      <summary>{beginning}</summary>
      {text}
    </details>
  );
}

const ACTORS: Readonly<Record<Activity['actorKind'], string>> = {
  you: m.activityYou(),
  person: m.activityPerson(),
  visitor: m.activityVisitor(),
  former: m.activityFormer(),
  program: m.activityProgram(),
};

function formatActor({ actorKind, actorName }: Activity): string {
  return actorName !== null && actorKind === 'person' ? actorName : ACTORS[actorKind];
}
