import { useMutation } from '@tanstack/react-query';
import type { OwnOffsetter } from '#contract/schemas/users.ts';
import { storyPreview } from '#domain/story-preview.ts';
import { m } from '#messages';
import { messageOf } from '#web/api/refusal.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Cluster, Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Rich } from '#web/ui/rich.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { hiddenWords } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

/** Stories that were sent with this person's address while logged out (decisions §4). */
export function StoryClaims({ claims }: { claims: readonly OwnOffsetter[] }) {
  if (claims.length === 0) return null;
  return (
    <Stack className={styles.claims}>
      {claims.map((story) => (
        <Claim key={story.id} story={story} />
      ))}
    </Stack>
  );
}

function Claim({ story: { id, orgid, orgName, name, story } }: { story: OwnOffsetter }) {
  const api = useApi();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (mine: boolean) => api.call('claimOffsetter', { params: { orgid, offsetterid: id }, body: { mine } }),
    onSuccess: (_result, mine) => toast(mine ? m.claimIsMine() : m.claimNotMine()),
  });
  return (
    <Card className={styles.claim}>
      <h3 className={styles.name}>{m.claimTitle()}</h3>
      <p>{name === '' ? m.claimText({ org: orgName }) : m.claimTextNamed({ org: orgName, name })}</p>
      <p className={styles.preview}>{storyPreview(story)}</p>
      <Cluster gap={4}>
        <Button kind="action" busy={isPending} onClick={() => mutate(true)}>
          <Rich text={m.claimYes({ org: orgName })} tags={{ hidden: hiddenWords }} />
        </Button>
        <Button kind="outline" busy={isPending} onClick={() => mutate(false)}>
          <Rich text={m.claimNo({ org: orgName })} tags={{ hidden: hiddenWords }} />
        </Button>
        <Problem inline>{messageOf(error)}</Problem>
      </Cluster>
    </Card>
  );
}
