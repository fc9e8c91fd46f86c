import type { OwnOffsetter } from '#contract/schemas/users.ts';
import { storyPreview } from '#domain/profile.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Cluster, Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

/** Stories that somebody sent with this person's address while logged out (decisions §4). */
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
  const navigator = useNavigator();
  const toast = useToast();
  const { busy, problem, run } = useAttempt();
  const answer = (mine: boolean) =>
    run(async () => {
      await api.call('claimOffsetter', { params: { orgid, offsetterid: id }, body: { mine } });
      toast(mine ? 'The story is yours now' : 'Your address is taken off the story');
      await navigator.refresh();
    });
  return (
    <Card className={styles.claim}>
      <h3 className={styles.name}>Is this your story?</h3>
      <p>
        Someone who was not logged in gave to {orgName} and sent this story with your email address
        {name !== '' && ` and the name ${name}`}.
      </p>
      <p className={styles.preview}>{storyPreview(story)}</p>
      <Cluster gap={4}>
        <Button kind="action" busy={busy} onClick={() => void answer(true)}>
          It’s mine<VisuallyHidden>: the story at {orgName}</VisuallyHidden>
        </Button>
        <Button kind="outline" busy={busy} onClick={() => void answer(false)}>
          Not me<VisuallyHidden>: the story at {orgName}</VisuallyHidden>
        </Button>
        <Problem inline>{problem}</Problem>
      </Cluster>
    </Card>
  );
}
