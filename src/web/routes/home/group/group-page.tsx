import { useEffect, useId, useMemo, useState } from 'react';
import { ADD_TO_CART_SUFFIX, quickOfText } from '#contract/embed.ts';
import { pagePath } from '#contract/pages.ts';
import type { CartItem } from '#domain/cart.ts';
import { OFFSET_TYPES, type OffsetType, offsetTitle } from '#domain/emissions.ts';
import { chargeOf, formatCents, formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import { browserText } from '#web/api/browser-text.ts';
import { CART_HASH, useCart } from '#web/cart/cart-store.ts';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/choice.tsx';
import { NumberField, TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { listed } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useKeptFocus } from '#web/ui/use-kept-focus.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { WithoutScripts } from '#web/ui/without-scripts.tsx';
import type { OfOrg } from '../calculator/entered.ts';
import { HOME_FIELDS, quickEstimate } from '../calculator/more-estimates.ts';
import { HowComputed } from '../numbers/how-computed.tsx';
import styles from './group.module.css';
import {
  COUNTED,
  GROUP_HASH,
  type GroupEntered,
  type GroupEstimate,
  type GroupRow,
  groupOfText,
  groupText,
  groupTotal,
  isExample,
  isGroupEntered,
  LABEL_MAXIMUM,
  MOST_ROWS,
  missingIn,
  NO_GROUP,
  newRow,
  type RowField,
  rowEstimate,
  STARTS,
} from './group-estimate.ts';

/** An estimate of several rows, for a household, a wedding or an office, that is shared by its link and paid as one. */
export function GroupPage({ org }: OrgFrame) {
  useIntoCart(org);
  const { group, change } = useGroup(org.id);
  const { name, rows } = group;
  useKeptFocus(rows.length);
  const [begun, setBegun] = useState(false);
  // It stays while the numbers change, so that nothing moves under the pointer.
  if (!begun && isExample(group)) setBegun(true);
  const total = useMemo(() => groupTotal(rows, org.factors), [rows, org.factors]);
  const changeRow = (at: number, changed: Partial<GroupRow>) =>
    change({ ...group, rows: rows.with(at, { ...(rows[at] ?? newRow('air')), ...changed }) });
  const addRow = (type: OffsetType) => change({ ...group, rows: [...rows, newRow(type)] });
  return (
    <Page>
      <DocumentTitle parts={[m.headGroup(), org.name]} />
      <PageTitle>{m.groupTitle()}</PageTitle>
      <p className={styles.lead}>{m.groupLead()}</p>
      <WithoutScripts>
        <p>{m.groupNoScripts()}</p>
      </WithoutScripts>
      {rows.length === 0 && <Starts onStart={change} />}
      {rows.length > 0 && (
        <TextField
          label={m.groupName()}
          className={styles.name}
          value={name}
          maxLength={LABEL_MAXIMUM}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => change({ ...group, name: value })}
        />
      )}
      {rows.length > 0 && begun && <p className={styles.example}>{m.groupExample()}</p>}
      <ol className={styles.rows}>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps nothing of its own
          <li key={`${at} ${row.type}`}>
            <RowCard
              org={org}
              row={row}
              place={at + 1}
              onChange={(changed) => changeRow(at, changed)}
              onRemove={() => change({ ...group, rows: rows.toSpliced(at, 1) })}
            />
          </li>
        ))}
      </ol>
      <Cluster className={styles.adding}>
        {OFFSET_TYPES.map((type) => (
          <Button key={type} kind="outline" disabled={rows.length >= MOST_ROWS} onClick={() => addRow(type)}>
            <Icon name={type} size={20} /> {ADD[type]}
          </Button>
        ))}
      </Cluster>
      {rows.length > 0 && (
        <Total
          orgId={org.id}
          group={group}
          total={total}
          onClear={() => {
            setBegun(false);
            change(NO_GROUP);
          }}
        />
      )}
    </Page>
  );
}

const ADD: Readonly<Record<OffsetType, string>> = {
  air: m.groupAddFlights(),
  car: m.groupAddDrives(),
  home: m.groupAddEnergy(),
};

/** Puts an estimate of another site, where the calculator is embedded, into the cart, and leads there. */
function useIntoCart({ id: orgId, factors }: OfOrg): void {
  const cart = useCart(orgId);
  const navigate = useNavigate();
  useEffect(() => {
    const { hash, pathname } = window.location;
    if (!hash.startsWith(GROUP_HASH) || !hash.endsWith(ADD_TO_CART_SUFFIX)) return;
    const text = hash.slice(GROUP_HASH.length, -ADD_TO_CART_SUFFIX.length);
    // Once, also where somebody comes back.
    window.history.replaceState(window.history.state, '', pathname);
    const quick = quickOfText(text);
    const average = quick && quickEstimate(quick, factors).item;
    const items = average ? [average] : groupTotal(groupOfText(text)?.rows ?? [], factors).items;
    const entered = quick ? { tab: 'quick' as const, fields: quick } : ({ tab: 'group', text } satisfies GroupEntered);
    for (const item of items) cart.put(item, entered);
    const to = `${pagePath('home-page', { orgid: orgId })}#${CART_HASH}`;
    if (items.length > 0) void navigate(to, { replace: true });
  }, [orgId, factors, cart, navigate]);
}

const lastEstimate = (orgId: string) => browserText(`group:${orgId}`);
/** As the cart has it, while it is changed on the page: so that a change made before a reload takes its place too. */
const estimateInCart = (orgId: string) => browserText(`group-in-cart:${orgId}`);

/** The estimate of the address, or the last one of this browser. Every change is in both. */
function useGroup(orgId: string) {
  const [group, setGroup] = useState(NO_GROUP);
  const stored = useMemo(() => lastEstimate(orgId), [orgId]);
  useEffect(() => {
    const read = () => {
      const { hash } = window.location;
      const shared = hash.startsWith(GROUP_HASH) ? groupOfText(hash.slice(GROUP_HASH.length)) : undefined;
      setGroup(shared ?? groupOfText(stored.read() ?? '') ?? NO_GROUP);
    };
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, [stored]);
  const change = (next: GroupEstimate) => {
    setGroup(next);
    const isEmpty = next.rows.length === 0;
    const text = groupText(next);
    stored.write(isEmpty ? null : text);
    if (isEmpty) estimateInCart(orgId).write(null);
    window.history.replaceState(window.history.state, '', isEmpty ? window.location.pathname : GROUP_HASH + text);
  };
  return { group, change };
}

function Starts({ onStart }: { onStart: (start: GroupEstimate) => void }) {
  return (
    <section aria-labelledby="starts" className={styles.starts}>
      <h2 id="starts">{m.groupStart()}</h2>
      <p>{m.groupStartExamples()}</p>
      <Cluster>
        {STARTS.map((start) => (
          <Button key={start.name} kind="dark" onClick={() => onStart(start)}>
            {start.name}
          </Button>
        ))}
      </Cluster>
      <p>{m.groupOwnRows()}</p>
    </section>
  );
}

type RowCardProps = {
  org: OfOrg;
  row: GroupRow;
  /** From 1. */
  place: number;
  onChange: (changed: Partial<GroupRow>) => void;
  onRemove: () => void;
};

function RowCard({ org, row, place, onChange, onRemove }: RowCardProps) {
  const { type, label, roundtrip } = row;
  const { item, problems, problem } = rowEstimate(row, org.factors);
  const field = (name: RowField) => ({
    value: row[name],
    error: problems[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => onChange({ [name]: value }),
  });
  const named = label.trim() || m.groupRow({ place: String(place) });
  return (
    <Card className={styles.row} aria-label={label.trim() || m.groupRowTitle({ place: String(place) })}>
      <div className={styles.head}>
        <Icon name={type} />
        <TextField
          label={offsetTitle(type)}
          placeholder={HINTS[type]}
          value={label}
          maxLength={LABEL_MAXIMUM}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => onChange({ label: value })}
        />
        <Button kind="outline" className={styles.remove} aria-label={m.groupRemove({ row: named })} onClick={onRemove}>
          {m.remove()}
        </Button>
      </div>
      <div className={styles.fields}>
        <NumberField label={type === 'home' ? m.groupBills() : COUNTED[type]} {...field('count')} />
        {type === 'home' ? (
          HOME_FIELDS.map(({ name, label: fuel, unit }) => (
            <NumberField key={name} label={`${fuel} (${unit})`} {...field(name)} />
          ))
        ) : (
          <NumberField label={m.groupMiles()} {...field('miles')} />
        )}
        {type === 'car' && <NumberField label={m.milesPerGallon()} {...field('mpg')} />}
      </div>
      <div className={styles.foot}>
        {type !== 'home' && (
          <Checkbox checked={roundtrip} onChange={({ currentTarget: { checked } }) => onChange({ roundtrip: checked })}>
            {m.roundTrip()}
          </Checkbox>
        )}
        <p className={styles.result}>
          {item
            ? m.groupResult({ pounds: formatWhole(item.carbon), amount: formatCents(chargeOf(item.cost)) })
            : (problem ?? m.groupNothing())}
        </p>
      </div>
      <HowComputed>{({ RowExplanation }) => <RowExplanation org={org} row={row} />}</HowComputed>
    </Card>
  );
}

const HINTS: Readonly<Record<OffsetType, string>> = {
  air: m.groupSuchAir(),
  car: m.groupSuchCar(),
  home: m.groupSuchHome(),
};

type TotalProps = {
  orgId: string;
  group: GroupEstimate;
  total: ReturnType<typeof groupTotal>;
  onClear: () => void;
};

/** What the first row with a gap lacks: without it, the cart gets nothing. */
function firstNeeds(rows: readonly GroupRow[]): string {
  const at = rows.findIndex((row) => missingIn(row).length > 0);
  const row = rows[at];
  if (!row) return '';
  const named = row.label.trim() || m.groupRowTitle({ place: String(at + 1) });
  return m.groupNeeds({ row: named, fields: listed(missingIn(row)) });
}

function focusOn(element: HTMLElement | null): void {
  element?.focus();
}

function Total({ orgId, group, total, onClear }: TotalProps) {
  const cart = useCart(orgId);
  const toast = useToast();
  const text = groupText(group);
  /** What this browser's cart has of this estimate, if it has any: what was opened or added here last. */
  const [kept, setKept] = useState(
    () => (lastEstimate(orgId).read() === text ? estimateInCart(orgId).read() : null) ?? text,
  );
  useEffect(() => estimateInCart(orgId).write(kept), [orgId, kept]);
  const lines = cart.lines.filter(({ entered }) => isGroupEntered(entered) && entered.text === kept);
  const isInCart = lines.length > 0 && kept === text;
  const [isSaved, setIsSaved] = useState(false);
  const heading = useId();
  const save = () => {
    const lineOf = (item: CartItem) => lines.find((line) => line.item.offsetType === item.offsetType);
    const saved = total.items.map((item) => ({ item, id: lineOf(item)?.id }));
    const gone = lines.map(({ id }) => id).filter((id) => !saved.some((each) => each.id === id));
    if (gone.length > 0) cart.remove(...gone);
    for (const { item, id } of saved) cart.put(item, { tab: 'group', text } satisfies GroupEntered, id);
    setKept(text);
    setIsSaved(true);
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
          <ButtonLink
            kind="action"
            // The button that was pressed is gone.
            ref={isSaved ? focusOn : undefined}
            to={`${pagePath('home-page', { orgid: orgId })}#${CART_HASH}`}
          >
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
      <output className={styles.needs}>{total.items.length === 0 && firstNeeds(group.rows)}</output>
      <p className={styles.note}>
        {m.groupKept()} {total.items.length > 1 && m.groupLines()}
      </p>
      <VisuallyHidden>
        <output>{isInCart ? m.groupInCart() : ''}</output>
      </VisuallyHidden>
    </Card>
  );
}
