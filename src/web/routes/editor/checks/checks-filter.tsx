import { PLEDGE_STATUSES, type PledgeStatus } from '#domain/check.ts';
import { Select } from '#web/ui/choice.tsx';
import styles from '../treasury.module.css';
import { checkStatusOf } from '../treasury-words.ts';

type ChecksFilterProps = {
  /** Nothing: all of them. */
  status: PledgeStatus | undefined;
  onChoose: (status: PledgeStatus | 'all') => void;
};

/** Which checks are listed. */
export function ChecksFilter({ status, onChoose }: ChecksFilterProps) {
  const options = PLEDGE_STATUSES.map((each) => ({ value: each, label: checkStatusOf(each).word }));
  return (
    <div className={styles.filter}>
      <span aria-hidden="true">Checks</span>
      <Select
        label="Checks"
        value={status ?? 'all'}
        options={[...options, { value: 'all', label: 'All' }]}
        onChange={({ currentTarget }) =>
          onChoose(PLEDGE_STATUSES.find((each) => each === currentTarget.value) ?? 'all')
        }
      />
    </div>
  );
}
