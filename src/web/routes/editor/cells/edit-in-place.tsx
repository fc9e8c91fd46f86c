import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { pagePath } from '#contract/pages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { languageTitle, textTitleIn } from '#domain/cell-titles.ts';
import { cellNameIn, isTag } from '#domain/cells.ts';
import { LANGUAGE, LANGUAGES, type Language } from '#messages';
import { failedSentence } from '#web/api/refusal.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { classNames } from '#web/ui/class-names.ts';
import { LeaveDialog, useLeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { HeaderPhotoFields, useHeaderChange } from '../org/header-photo.tsx';
import { OrgTimeZone } from '../use-dates.ts';
import { ConflictDialog, othersOf, ResetDialog, removedBy } from './cell-card.tsx';
import { CellEditor } from './cell-editor.tsx';
import { CELL_PAGE_ENTRIES, missingText } from './cell-labels.ts';
import cellStyles from './cells.module.css';
import styles from './edit-in-place.module.css';
import { useCellEdit } from './use-cell-edit.ts';

type EditInPlaceProps = { org: Org };

/** A pencil on everything of the page that the editor may change, beside the list of all texts. */
export function EditInPlace({ org }: EditInPlaceProps) {
  const may = useCan(org.id);
  const spots = useSpots();
  useReturnedFocus();
  const { refresh, forget } = useNavigator();
  const [texts, setTexts] = useState<Texts>();
  const [isPhotoOpen, setPhotoOpen] = useState(false);
  /** Unsaved texts of dialogs that were closed, until the editor leaves the page. */
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const changed = async () => {
    // Pages loaded earlier show what was there before.
    forget();
    await refresh();
  };
  const open = useOpening(org.id, setTexts);
  const pencilOf = ({ spot, isMissing }: Spot): ReactNode => {
    const [kind = '', id = ''] = spot.split('/');
    if (spot === 'photo') return may('org.change') && <Pencil what="the photo" onPress={() => setPhotoOpen(true)} />;
    const entry = entryOf(kind, id);
    if (entry) {
      const what = textTitleIn(`${entry.pageTitle}: ${entry.title}`, LANGUAGE);
      const missing = isMissing ? LANGUAGE : undefined;
      return may('cells.edit') && <Pencil what={what} missing={missing} onPress={() => void open(kind, id)} />;
    }
    return may('stories.edit') && <StoryPencil orgid={org.id} kind={kind} id={id} />;
  };
  const cell = texts?.find(({ language }) => language === LANGUAGE)?.cell;
  const key = cell && `${cell.page}/${cell.name}`;
  return (
    <OrgTimeZone value={org.timeZone}>
      {spots.map((place, index) => createPortal(pencilOf(place), place.container, `${place.spot} ${index}`))}
      {texts && cell && key !== undefined && (
        <CellDialog
          key={key}
          orgid={org.id}
          cell={cell}
          texts={texts}
          draft={drafts.get(key)}
          onChanged={(next) => {
            setTexts((before) => before?.map((text) => (text.language === LANGUAGE ? { ...text, cell: next } : text)));
            void changed();
          }}
          onClose={(draft) => {
            setDrafts((before) => new Map([...before, [key, draft]]));
            setTexts(undefined);
          }}
        />
      )}
      {isPhotoOpen && <PhotoDialog org={org} onChanged={changed} onClose={() => setPhotoOpen(false)} />}
    </OrgTimeZone>
  );
}

function entryOf(page: string, name: string) {
  const entries = CELL_PAGE_ENTRIES.find((entry) => entry.page === page);
  const entry = entries?.cells.find((each) => each.name === name);
  return entries && entry && { title: entry.title, place: entry.place, pageTitle: entries.title };
}

/** A cell as visitors see it, for each language. */
type Texts = readonly { readonly language: Language; readonly cell: Cell }[];

/** Reads a cell as it is now, and opens it. */
function useOpening(orgid: string, onRead: (texts: Texts) => void) {
  const api = useApi();
  const toast = useToast();
  return async (page: string, name: string) => {
    try {
      const readIn = async (language: Language) => ({
        language,
        cell: await api.call('readCell', { params: { orgid, page, name: cellNameIn(name, language) } }),
      });
      onRead(await Promise.all(LANGUAGES.map(readIn)));
    } catch (error) {
      toast(failedSentence(error));
    }
  };
}

/** @param missing the language that has no such text, which is marked */
function Pencil({ what, missing, onPress }: { what: string; missing?: Language | undefined; onPress: () => void }) {
  return (
    <button
      type="button"
      className={classNames(styles.pencil, missing && styles.noted)}
      title={missing && missingText(missing)}
      onClick={onPress}
    >
      <Icon name="pencil" />
      <VisuallyHidden>Edit {what}</VisuallyHidden>
      {missing && <span className={styles.note}>No {languageTitle(missing)} text</span>}
    </button>
  );
}

/** Name, story, photo and consent are edited together, on their own page. */
function StoryPencil({ orgid, kind, id }: { orgid: string; kind: string; id: string }) {
  const to =
    kind === 'awardees'
      ? pagePath('edit-awardee-page', { orgid, awardeeid: id })
      : pagePath('edit-installer-page', { orgid, installerid: id });
  return (
    <Link to={to} className={styles.pencil}>
      <Icon name="pencil" />
      <VisuallyHidden>Edit this story</VisuallyHidden>
    </Link>
  );
}

type CellDialogProps = {
  orgid: string;
  cell: Cell;
  texts: Texts;
  /** What was typed before it was closed. */
  draft: string | undefined;
  onChanged: (cell: Cell) => void;
  /** @param draft what was not saved */
  onClose: (draft: string | undefined) => void;
};

const ROWS = 12;
/** One line, which a phone wraps. */
const TAG_ROWS = 2;

function CellDialog({ orgid, cell, texts, draft: kept, onChanged, onClose }: CellDialogProps) {
  const toast = useToast();
  const params = { orgid, page: cell.page, name: cellNameIn(cell.name, LANGUAGE) };
  const edit = useCellEdit(params, cell, onChanged);
  const [resetting, setResetting] = useState(false);
  const { draft, newer, isUnsaved, setAside } = edit;
  const leaving = useLeaveGuard(isUnsaved);
  const begin = useEffectEvent(() => edit.edit(isTag(cell) ? TAG_ROWS : ROWS, kept));
  useEffect(() => begin(), []);
  const finish = useEffectEvent(() => onClose(setAside));
  const hasBegun = useRef(false);
  const isOpen = draft !== undefined;
  useEffect(() => {
    if (!isOpen && hasBegun.current) finish();
    hasBegun.current = isOpen;
  }, [isOpen]);
  const close = () => {
    if (edit.busy) return;
    if (isUnsaved) toast('Your draft is saved here until you leave this page.');
    edit.cancel();
  };
  const entry = entryOf(cell.page, cell.name);
  const title = textTitleIn(`${entry?.pageTitle}: ${entry?.title}`, LANGUAGE);
  return (
    <>
      <Dialog title={title} open wide onClose={close}>
        <Stack>
          {entry && <p className={cellStyles.place}>{entry.place}</p>}
          {draft && (
            <CellEditor
              {...{ params, cell, edit, draft, title }}
              others={othersOf(texts, LANGUAGE)}
              onReset={() => setResetting(true)}
            />
          )}
        </Stack>
      </Dialog>
      {draft && newer && <ConflictDialog edit={edit} newer={newer} mine={draft.text} />}
      {resetting && (
        <ResetDialog edit={edit} removed={removedBy(texts, LANGUAGE)} onClose={() => setResetting(false)} />
      )}
      <LeaveDialog leave={leaving.leave} stay={leaving.stay} />
    </>
  );
}

type PhotoDialogProps = { org: Org; onChanged: () => Promise<void>; onClose: () => void };

function PhotoDialog({ org, onChanged, onClose }: PhotoDialogProps) {
  const { header, upload, remove } = useHeaderChange({ api: useApi(), orgid: org.id, photo: org.photo, onChanged });
  const then = async (done: Promise<boolean>) => {
    if (await done) onClose();
  };
  return (
    <Dialog title="Header photo" open onClose={onClose}>
      <HeaderPhotoFields
        photo={org.photo}
        header={header}
        onUpload={() => void then(upload())}
        onRemove={() => then(remove())}
      />
    </Dialog>
  );
}

/** A place for a pencil, in or on what it edits: "home/intro", "awardees/{id}" or "photo". */
type Spot = {
  readonly spot: string;
  readonly container: HTMLElement;
  /** Whether a text in another language stands in for one in that of the page. */
  readonly isMissing: boolean;
};

/** The places that the page names, as they come and go. React draws the page, so each place is put back if it is lost. */
function useSpots(): readonly Spot[] {
  const [spots, setSpots] = useState<readonly Spot[]>([]);
  useEffect(() => {
    const containers = new Map<HTMLElement, Spot>();
    const look = () => {
      const elements = [...document.querySelectorAll<HTMLElement>('main [data-edit], dialog [data-edit]')];
      const before = [...containers.values()];
      for (const [element, { container }] of containers) {
        if (elements.includes(element)) continue;
        container.remove();
        containers.delete(element);
      }
      for (const element of elements) place(containers, element);
      const now = [...containers.values()];
      if (now.length !== before.length || now.some((each) => !before.includes(each))) setSpots(now);
    };
    look();
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      for (const { container } of containers.values()) container.remove();
    };
  }, []);
  return spots;
}

function place(containers: Map<HTMLElement, Spot>, element: HTMLElement): void {
  const spot = element.dataset.edit ?? '';
  const known = containers.get(element);
  const isMissing = element.lang !== '' && element.lang !== LANGUAGE;
  const container = known?.spot === spot ? known.container : newContainer(spot);
  if (container !== known?.container || isMissing !== known.isMissing) {
    if (container !== known?.container) known?.container.remove();
    containers.set(element, { spot, container, isMissing });
  }
  if (container.parentElement === element) return;
  if (getComputedStyle(element).position === 'static') element.style.position = 'relative';
  element.append(container);
}

function newContainer(spot: string): HTMLElement {
  const container = document.createElement('div');
  // Not in the language of what it edits.
  container.lang = 'en';
  container.className = [styles.spot, spot === 'photo' ? styles.onPhoto : ''].join(' ');
  return container;
}
