import { useId, useMemo, useRef, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { CartItem } from '#domain/cart.ts';
import { OFFSET_TYPES, type OffsetType, offsetTitle } from '#domain/emissions.ts';
import { formatCents, formatWhole, toChargedCents } from '#domain/money.ts';
import { m } from '#messages';
import { CART_HASH, useCart } from '#web/cart/cart-store.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { NumberField, TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { NoScriptNotice } from '#web/ui/no-script.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { formatList } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import type { CalculatorOrg } from '../calculator/calculator-input.ts';
import { HOME_FIELDS } from '../calculator/lazy-estimates.ts';
import { ComputationDetails } from '../numbers/computation-details.tsx';
import styles from './group.module.css';
import {
  COUNT_LABELS,
  calculateGroupTotal,
  createRow,
  EXAMPLES,
  estimateRow,
  type GroupEstimate,
  type GroupInput,
  type GroupRow,
  type GroupTotal,
  isExample,
  isGroupInput,
  listMissingFields,
  MAX_LABEL_LENGTH,
  MAX_ROWS,
  NO_GROUP,
  type RowField,
  serializeGroup,
} from './group-estimate.ts';
import { useAddToCartLink, useGroup } from './use-group.ts';

/** An estimate with several rows, such as for a household, a wedding, or an office. It can be shared by link. */
export function GroupPage({ org }: OrgPageProps) {
  useAddToCartLink(org);
  const estimate = useGroup(org.id);
  const { group, change } = estimate;
  const { name, rows } = group;
  const [showsExampleNote, setShowsExampleNote] = useState(false);
  // The note stays while the numbers change, so that nothing moves under the pointer.
  if (!showsExampleNote && isExample(group)) setShowsExampleNote(true);
  const total = useMemo(() => calculateGroupTotal(rows, org.factors), [rows, org.factors]);
  const changeRow = (index: number, newFields: Partial<GroupRow>) =>
    change({ ...group, rows: rows.with(index, { ...(rows[index] ?? createRow('air')), ...newFields }) });
  const rowKeys = useRowKeys(rows.length);
  const addRow = (type: OffsetType) => {
    rowKeys.add();
    change({ ...group, rows: [...rows, createRow(type)] });
  };
  const removeRow = (index: number) => {
    rowKeys.remove(index);
    change({ ...group, rows: rows.toSpliced(index, 1) });
  };
  return (
    <Page>
      <DocumentTitle parts={[m.headGroup(), org.name]} />
      <PageTitle>{m.groupTitle()}</PageTitle>
      <p className={styles.lead}>{m.groupLead()}</p>
      <NoScriptNotice>
        <p>{m.groupNoScripts()}</p>
      </NoScriptNotice>
      {rows.length === 0 && <StartingPoints factors={org.factors} onStart={change} />}
      {rows.length > 0 && (
        <TextField
          label={m.groupName()}
          className={styles.name}
          value={name}
          maxLength={MAX_LABEL_LENGTH}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => change({ ...group, name: value })}
        />
      )}
      {rows.length > 0 && showsExampleNote && <p className={styles.example}>{m.groupExample()}</p>}
      <ol className={styles.rows}>
        {rows.map((row, index) => (
          <li key={`${rowKeys.keys[index]} ${row.type}`}>
            <RowCard
              org={org}
              row={row}
              position={index + 1}
              onChange={(newFields) => changeRow(index, newFields)}
              onRemove={() => removeRow(index)}
            />
          </li>
        ))}
      </ol>
      <Cluster className={styles.addButtons}>
        {OFFSET_TYPES.map((type) => (
          <Button key={type} kind="outline" disabled={rows.length >= MAX_ROWS} onClick={() => addRow(type)}>
            <Icon name={type} size={20} /> {ADD_LABELS[type]}
          </Button>
        ))}
      </Cluster>
      {rows.length > 0 && (
        <Total
          orgId={org.id}
          estimate={estimate}
          total={total}
          onClear={() => {
            setShowsExampleNote(false);
            change(NO_GROUP);
          }}
        />
      )}
    </Page>
  );
}

/** React keys of the rows, so that an open explanation stays with its row when another row is removed. */
function useRowKeys(rowCount: number) {
  const [lastKeys, setLastKeys] = useState<readonly number[]>([]);
  // The row count differs if another estimate was opened.
  const keys = lastKeys.length === rowCount ? lastKeys : Array.from({ length: rowCount }, (_, index) => index);
  return {
    keys,
    add: () => setLastKeys([...keys, Math.max(0, ...keys) + 1]),
    remove: (index: number) => setLastKeys(keys.toSpliced(index, 1)),
  };
}

const ADD_LABELS: Readonly<Record<OffsetType, string>> = {
  air: m.groupAddFlights(),
  car: m.groupAddDrives(),
  home: m.groupAddEnergy(),
};

type StartingPointsProps = Pick<CalculatorOrg, 'factors'> & { onStart: (example: GroupEstimate) => void };

/** Examples with their totals. */
function StartingPoints({ factors, onStart }: StartingPointsProps) {
  const examples = EXAMPLES.map((example) => ({ example, total: calculateGroupTotal(example.rows, factors) }));
  return (
    <section aria-labelledby="starts" className={styles.startingPoints}>
      <h2 id="starts">{m.groupStart()}</h2>
      <p>{m.groupStartExamples()}</p>
      <div className={styles.examples}>
        {examples.map(({ example, total: { carbon, charge } }) => (
          <Button key={example.name} kind="outline" className={styles.tile} onClick={() => onStart(example)}>
            {example.name}
            <small>{m.groupResult({ pounds: formatWhole(carbon), amount: formatCents(charge) })}</small>
          </Button>
        ))}
      </div>
      <p>{m.groupOwnRows()}</p>
    </section>
  );
}

type RowCardProps = {
  org: CalculatorOrg;
  row: GroupRow;
  /** 1-based. */
  position: number;
  onChange: (newFields: Partial<GroupRow>) => void;
  onRemove: () => void;
};

function RowCard({ org, row, position, onChange, onRemove }: RowCardProps) {
  const { type, label, roundtrip } = row;
  const { item, problems, problem } = estimateRow(row, org.factors);
  const fieldProps = (name: RowField) => ({
    value: row[name],
    error: problems[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => onChange({ [name]: value }),
  });
  const rowName = label.trim() || m.groupRow({ place: String(position) });
  return (
    <Card aria-label={label.trim() || m.groupRowTitle({ place: String(position) })}>
      <div className={styles.head}>
        <Icon name={type} />
        <TextField
          label={offsetTitle(type)}
          placeholder={PLACEHOLDERS[type]}
          value={label}
          maxLength={MAX_LABEL_LENGTH}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => onChange({ label: value })}
        />
        <Button
          kind="outline"
          className={styles.remove}
          aria-label={m.groupRemove({ row: rowName })}
          onClick={onRemove}
        >
          {m.remove()}
        </Button>
      </div>
      <div className={styles.fields}>
        <NumberField label={type === 'home' ? m.groupBills() : COUNT_LABELS[type]} {...fieldProps('count')} />
        {type === 'home' ? (
          HOME_FIELDS.map(({ name, label: fuel, unit }) => (
            <NumberField key={name} label={`${fuel} (${unit})`} {...fieldProps(name)} />
          ))
        ) : (
          <NumberField label={m.groupMiles()} {...fieldProps('miles')} />
        )}
        {type === 'car' && <NumberField label={m.milesPerGallon()} {...fieldProps('mpg')} />}
      </div>
      <div className={styles.foot}>
        {type !== 'home' && (
          <Checkbox checked={roundtrip} onChange={({ currentTarget: { checked } }) => onChange({ roundtrip: checked })}>
            {m.roundTrip()}
          </Checkbox>
        )}
        <p className={styles.result}>
          {item
            ? m.groupResult({ pounds: formatWhole(item.carbon), amount: formatCents(toChargedCents(item.cost)) })
            : (problem ?? m.groupNothing())}
        </p>
      </div>
      <ComputationDetails>{({ RowExplanation }) => <RowExplanation org={org} row={row} />}</ComputationDetails>
    </Card>
  );
}

const PLACEHOLDERS: Readonly<Record<OffsetType, string>> = {
  air: m.groupSuchAir(),
  car: m.groupSuchCar(),
  home: m.groupSuchHome(),
};

type TotalProps = {
  orgId: string;
  estimate: ReturnType<typeof useGroup>;
  total: GroupTotal;
  onClear: () => void;
};

/** Names the missing fields of the first incomplete row. */
function describeMissingFields(rows: readonly GroupRow[]): string {
  const index = rows.findIndex((row) => listMissingFields(row).length > 0);
  const row = rows[index];
  if (!row) return '';
  const rowName = row.label.trim() || m.groupRowTitle({ place: String(index + 1) });
  return m.groupNeeds({ row: rowName, fields: formatList(listMissingFields(row)) });
}

function Total({ orgId, estimate, total, onClear }: TotalProps) {
  const { group, textInCart, markInCart } = estimate;
  const cart = useCart(orgId);
  const toast = useToast();
  const text = serializeGroup(group);
  const lines = cart.lines.filter(({ input }) => isGroupInput(input) && input.text === textInCart);
  const isInCart = lines.length > 0 && textInCart === text;
  const focusesCartLink = useRef(false);
  const heading = useId();
  const save = () => {
    focusesCartLink.current = true;
    const findLine = (item: CartItem) => lines.find((line) => line.item.offsetType === item.offsetType);
    const newLines = total.items.map((item) => ({ item, id: findLine(item)?.id }));
    const removedIds = lines.map(({ id }) => id).filter((id) => !newLines.some((newLine) => newLine.id === id));
    for (const { item, id } of newLines) cart.put(item, { tab: 'group', text } satisfies GroupInput, id);
    if (removedIds.length > 0) cart.remove(...removedIds);
    markInCart();
  };
  /** Focuses the link that replaces the pressed button, but not when a later change shows the link again. */
  const focusCartLink = (link: HTMLElement | null) => {
    if (link && focusesCartLink.current) link.focus();
    focusesCartLink.current = false;
  };
  const copy = async () => {
    await navigator.clipboard.writeText(window.location.href).then(
      () => toast(m.groupCopied()),
      () => toast(m.groupCopyYourself()),
    );
  };
  return (
    <Card className={styles.total} aria-labelledby={heading}>
      <h2 id={heading}>{group.name.trim() || m.groupTotal()}</h2>
      <output className={styles.sums}>
        <strong>{formatCents(total.charge)}</strong>
        <span>{m.poundsOfCarbon({ pounds: formatWhole(total.carbon) })}</span>
      </output>
      <Cluster className={styles.actions}>
        {isInCart ? (
          <ButtonLink kind="action" ref={focusCartLink} to={`${pagePath('home-page', { orgid: orgId })}#${CART_HASH}`}>
            {m.groupToCart()}
          </ButtonLink>
        ) : (
          <Button kind="action" disabled={total.items.length === 0} onClick={save}>
            {lines.length > 0 ? m.groupChangeInCart() : m.addToCart()}
          </Button>
        )}
        <Button kind="outline" onClick={() => void copy()}>
          {m.groupCopy()}
        </Button>
        <Button kind="outline" onClick={() => window.print()}>
          {m.print()}
        </Button>
        <Button kind="outline" onClick={onClear}>
          {m.groupStartOver()}
        </Button>
      </Cluster>
      <output className={styles.missing}>{total.items.length === 0 && describeMissingFields(group.rows)}</output>
      <p className={styles.note}>
        {m.groupKept()} {total.items.length > 1 && m.groupLines()}
      </p>
      <VisuallyHidden>
        <output>{isInCart ? m.groupInCart() : ''}</output>
      </VisuallyHidden>
    </Card>
  );
}
