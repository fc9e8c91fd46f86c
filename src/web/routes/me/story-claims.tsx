import type { UserOffsetter } from '#contract/schemas/users.ts';
import { previewStory } from '#domain/story-preview.ts';
import { m } from '#messages';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Cluster, Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { renderVisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

/** Stories that someone submitted with this person's email while logged out (decisions §4). */
export function StoryClaims({ claims }: { claims: readonly UserOffsetter[] }) {
  if (claims.length === 0) return null;
  return (
    <Stack className={styles.claims}>
      {claims.map((story) => (
        <Claim key={story.id} story={story} />
      ))}
    </Stack>
  );
}

function Claim({ story: { id, orgid: orgId, orgName, name, story } }: { story: UserOffsetter }) {
  const api = useApi();
  const toast = useToast();
  const { run, busy, problem } = useAttempt();
  const claim = async (isMine: boolean) => {
    await api.call('claimOffsetter', { params: { orgid: orgId, offsetterid: id }, body: { mine: isMine } });
    toast(isMine ? m.claimIsMine() : m.claimNotMine());
  };
  return (
    <Card className={styles.claim}>
      <h3 className={styles.name}>{m.claimTitle()}</h3>
      <p>{name === '' ? m.claimText({ org: orgName }) : m.claimTextNamed({ org: orgName, name })}</p>
      <p className={styles.preview}>{previewStory(story)}</p>
      <Cluster gap={4}>
        <Button kind="action" busy={busy} onClick={() => void run(() => claim(true))}>
          <RichText text={m.claimYes({ org: orgName })} tags={{ hidden: renderVisuallyHidden }} />
        </Button>
        <Button kind="outline" busy={busy} onClick={() => void run(() => claim(false))}>
          <RichText text={m.claimNo({ org: orgName })} tags={{ hidden: renderVisuallyHidden }} />
        </Button>
        <Problem inline>{problem}</Problem>
      </Cluster>
    </Card>
  );
}
