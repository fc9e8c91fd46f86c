import { Link } from '#web/navigation/link.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';

/** Something that an editor can see to, and where. */
export type Task = {
  readonly words: string;
  readonly detail: string;
  readonly to: string;
  readonly icon: IconName;
};

export function TaskList({ tasks }: { tasks: readonly Task[] }) {
  return (
    <ul>
      {tasks.map(({ words, detail, to, icon }) => (
        <li key={to}>
          <Link to={to}>
            <Icon name={icon} />
            <span>
              {words}
              <small>{detail}</small>
            </span>
            <Icon name="next" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
