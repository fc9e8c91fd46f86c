import { type ReactNode, useState } from 'react';
import { sentenceOf } from '#domain/failures.ts';
import { formatWhole } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { ChartFigure, ColumnChart } from '#web/ui/column-chart.tsx';
import { ConfirmDialog, LeaveDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Card, Cluster, ItemList, ItemRow, Stack } from '#web/ui/layout.tsx';
import { LazyPart, lazyModule } from '#web/ui/lazy-part.tsx';
import { EmptyNote, Fact, Facts, ListFoot, StatusMark } from '#web/ui/list-parts.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { NumberTable } from '#web/ui/number-table.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Rich } from '#web/ui/rich.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { WithoutScripts } from '#web/ui/without-scripts.tsx';
import { Demo, DemoSection } from './demo.tsx';

const WAITING = lazyModule(() => new Promise<string>(() => {}));
const FAILED = lazyModule(() => Promise.reject(new Error('This demo always fails to load.')));
const HERE = lazyModule(async () => 'Loaded.');

const PARTS = [
  { key: 'pounds', label: 'There', value: 10 },
  { key: 'renewal', label: 'To come', value: 5 },
] as const;

const TEXT = `<h2 id="heading">A heading</h2><p>Text that is <strong>bold</strong>, <em>italic</em>, <code>code</code>
and <a href="#heading">a link</a>.</p><ul><li>One</li><li>Two</li></ul><ol><li>First</li><li>Second</li></ol>
<blockquote><p>A quotation.</p></blockquote>`;

export function PageDemos() {
  const part = (words: string) => <p>{words}</p>;
  return (
    <DemoSection title="Text, lists and loading">
      <Demo title="CellText">
        <CellText cell={{ html: TEXT, language: 'en' }} />
      </Demo>
      <Demo title="LazyPart: loading, failed, loaded">
        <LazyPart of={WAITING}>{part}</LazyPart>
        <LazyPart of={FAILED}>{part}</LazyPart>
        <LazyPart of={HERE}>{part}</LazyPart>
      </Demo>
      <Demo title="Card, Stack, Cluster, ItemList, ItemRow">
        <Stack>
          <Card>
            <Cluster>
              <StatusMark tone="done">One</StatusMark>
              <StatusMark tone="plain">Two</StatusMark>
            </Cluster>
          </Card>
          <ItemList>
            <ItemRow title="A row" facts="with facts" actions={<StatusMark tone="done">Done</StatusMark>} />
            <ItemRow title="Another row" facts="with facts" />
          </ItemList>
        </Stack>
      </Demo>
      <Demo title="StatusMark, SegmentLinks">
        <Cluster>
          <StatusMark tone="done">Done</StatusMark>
          <StatusMark tone="waiting">Waiting</StatusMark>
          <StatusMark tone="wrong">Wrong</StatusMark>
          <StatusMark tone="plain">Plain</StatusMark>
        </Cluster>
        <SegmentLinks
          label="Parts of a demo"
          segments={[
            { label: 'This part', to: '/test', isHere: true },
            { label: 'Another part', to: '/test?part=other', isHere: false },
          ]}
        />
      </Demo>
      <Demo title="Facts, Problem">
        <Facts>
          <Fact name="Name">Ada</Fact>
          <Fact name="Email">ada@example.org</Fact>
        </Facts>
        <Problem>An error message below its subject.</Problem>
        <p>
          A sentence <Problem inline>with an error message in it.</Problem>
        </p>
      </Demo>
      <Demo title="EmptyNote, ListFoot">
        <EmptyNote>Nothing here yet. Add the first one.</EmptyNote>
        <ListFoot hasMore busy={false} problem="We couldn’t load more." what="demos" onMore={() => undefined} />
      </Demo>
      <Demo title="ChartFigure, ColumnChart, NumberTable" wide>
        <ChartFigure title="Pounds" legend={PARTS}>
          <ColumnChart
            summary="Pounds, 2025 to 2026: 30 in all."
            label="Pounds, column by column"
            hint="Point at a column."
            columns={[2025, 2026].map((year) => ({
              ...{ name: String(year), shortName: String(year), values: `${year}: 10 and 5` },
              parts: PARTS.map(({ key, value }) => ({ key, value })),
            }))}
            format={formatWhole}
          />
        </ChartFigure>
        <NumberTable label="Pounds">
          <thead>
            <tr>
              <th scope="col">Year</th>
              <th scope="col">Pounds</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">2025</th>
              <td>15</td>
            </tr>
          </tbody>
        </NumberTable>
      </Demo>
      <Demo title="Rich">
        <p>
          <Rich
            text="A sentence with <stress>stress</stress> and <link>a link</link>."
            tags={{ stress: (words) => <em>{words}</em>, link: (words) => <a href="#main">{words}</a> }}
          />
        </p>
      </Demo>
      <Demo title="VisuallyHidden, WithoutScripts">
        <p>
          Only screen readers read the text between these brackets: [<VisuallyHidden>for screen readers</VisuallyHidden>
          ]
        </p>
        <p>Without scripts, a notice appears here:</p>
        <WithoutScripts>
          <p>This needs JavaScript.</p>
        </WithoutScripts>
      </Demo>
    </DemoSection>
  );
}

export function OverlayDemos() {
  const toast = useToast();
  return (
    <DemoSection title="Dialogs, drawer, toasts">
      <Demo title="Dialog, Drawer">
        <Cluster>
          <Opened called="A dialog">
            {(close) => (
              <Dialog title="A dialog" open onClose={close} footer={<Button onClick={close}>OK</Button>}>
                <p>It traps the focus, closes on Escape, and restores the focus.</p>
              </Dialog>
            )}
          </Opened>
          <Opened called="An alert">
            {(close) => (
              <Dialog title="Alert" alert open onClose={close} footer={<Button onClick={close}>OK</Button>}>
                <p>Screen readers announce this immediately.</p>
              </Dialog>
            )}
          </Opened>
          <Opened called="A drawer">
            {(close) => (
              <Drawer title="A drawer" open onClose={close}>
                <p>Its content</p>
              </Drawer>
            )}
          </Opened>
        </Cluster>
      </Demo>
      <Demo title="ConfirmDialog, LeaveDialog">
        <Cluster>
          <Opened called="A question">{(close) => <Question close={close} busy={false} problem={undefined} />}</Opened>
          <Opened called="A question, busy">{(close) => <Question close={close} busy problem={undefined} />}</Opened>
          <Opened called="A question, failed">
            {(close) => <Question close={close} busy={false} problem={sentenceOf('server-error')} />}
          </Opened>
          <Opened called="Leaving">{(close) => <LeaveDialog leave={close} stay={close} />}</Opened>
        </Cluster>
      </Demo>
      <Demo title="FormDialog">
        <Cluster>
          <Opened called="A form">{(close) => <SmallForm close={close} problem={undefined} />}</Opened>
          <Opened called="A form, failed">
            {(close) => <SmallForm close={close} problem={sentenceOf('server-error')} />}
          </Opened>
        </Cluster>
      </Demo>
      <Demo title="Toast">
        <Cluster>
          <Button kind="outline" onClick={() => toast('saved')}>
            A toast
          </Button>
          <Button kind="outline" onClick={() => toast(`A longer one. ${sentenceOf('invalid-email', { email: 'x' })}`)}>
            A longer toast
          </Button>
          <Button kind="outline" onClick={() => toast('Hidden', { label: 'Undo', run: () => toast('Shown again') })}>
            A toast with Undo
          </Button>
        </Cluster>
      </Demo>
    </DemoSection>
  );
}

function Opened({ called, children }: { called: string; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="outline" onClick={() => setOpen(true)}>
        {called}
      </Button>
      {open && children(() => setOpen(false))}
    </>
  );
}

type QuestionProps = { close: () => void; busy: boolean; problem: string | undefined };

function Question({ close, busy, problem }: QuestionProps) {
  return (
    <ConfirmDialog
      title="Delete it?"
      confirm="Delete"
      destructive
      busy={busy}
      problem={problem}
      onConfirm={close}
      // A busy dialog can't normally be closed.
      onClose={close}
    >
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
}

type SmallFormProps = { close: () => void; problem: string | undefined };

function SmallForm({ close, problem }: SmallFormProps) {
  return (
    <FormDialog title="A form" confirm="Send" busy={false} problem={problem} onSubmit={close} onClose={close}>
      <TextField label="Name" autoComplete="off" />
    </FormDialog>
  );
}
