import { Card, Cluster, ItemList, ItemRow, Stack } from '#web/ui/layout.tsx';
import { LazyPart, lazyModule } from '#web/ui/lazy-part.tsx';
import { EmptyNote, Fact, Facts, ListFoot, StatusMark } from '#web/ui/list-parts.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { WithoutScripts } from '#web/ui/without-scripts.tsx';
import styles from './demo.module.css';
import { Demo, DemoSection } from './demo.tsx';

const WAITING = lazyModule(() => new Promise<string>(() => {}));
const FAILED = lazyModule(() => Promise.reject(new Error('A demo of what does not come.')));
const HERE = lazyModule(async () => 'It is here.');

const TEXT = `<h2 id="heading">A heading</h2><p>Words with <strong>weight</strong>, <em>stress</em>, <code>code</code>
and <a href="#heading">a link</a>.</p><ul><li>One</li><li>Two</li></ul><ol><li>First</li><li>Second</li></ol>
<blockquote><p>Somebody else’s words.</p></blockquote>`;

/** What pages are made of, and how they wait and fail. */
export function PageDemos() {
  const part = (words: string) => <p>{words}</p>;
  return (
    <DemoSection title="Texts, and what is still to come">
      <Demo title="CellText">
        <CellText html={TEXT} />
      </Demo>
      <Demo title="LazyPart: waiting, failed, here">
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
            <ItemRow title="A row" facts="and its facts" actions={<StatusMark tone="done">Done</StatusMark>} />
            <ItemRow title="Another row" facts="and its facts" />
          </ItemList>
        </Stack>
      </Demo>
      <Demo title="StatusMark, SegmentLinks">
        <p className={styles.row}>
          <StatusMark tone="done">Done</StatusMark>
          <StatusMark tone="waiting">Waiting</StatusMark>
          <StatusMark tone="wrong">Wrong</StatusMark>
          <StatusMark tone="plain">Plain</StatusMark>
        </p>
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
        <Problem>What went wrong, below what it is about.</Problem>
        <p>
          A sentence, <Problem inline>and what went wrong in it.</Problem>
        </p>
      </Demo>
      <Demo title="EmptyNote, ListFoot">
        <EmptyNote>There is nothing here yet. Add the first one.</EmptyNote>
        <ListFoot hasMore busy={false} problem="The next part did not come." what="demos" onMore={() => undefined} />
      </Demo>
      <Demo title="VisuallyHidden, WithoutScripts">
        <p>
          Between these brackets stands what is read out alone: [<VisuallyHidden>read out alone</VisuallyHidden>]
        </p>
        <p>Without scripts a notice stands here:</p>
        <WithoutScripts>
          <p>This needs JavaScript.</p>
        </WithoutScripts>
      </Demo>
    </DemoSection>
  );
}
