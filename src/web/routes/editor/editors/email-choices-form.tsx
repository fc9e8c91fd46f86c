import { useQueryClient } from '@tanstack/react-query';
import type { Action } from '#domain/permissions.ts';
import { EMAIL_TOPICS, type EmailChoices, type EmailTopic, TOPIC_PERMISSIONS } from '#domain/team-emails.ts';
import { callQuery } from '#web/api/queries.ts';
import { FormCard } from '#web/forms/form-card.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { describeSaveStatus } from '../describe-save-status.ts';
import styles from './editors.module.css';

const TOPICS: readonly { readonly topic: EmailTopic; readonly label: string; readonly hint?: string }[] = [
  { topic: 'gifts', label: 'Gifts' },
  { topic: 'stories', label: 'Stories to review' },
  {
    topic: 'problems',
    label: 'Problems with money',
    hint: 'Disputes with their deadlines, recurring gifts that fail or end, receipts that bounce, and money that needs attention.',
  },
  { topic: 'statements', label: 'Monthly statement', hint: 'Sent when a treasurer closes the month.' },
];

const FREQUENCY_LABELS = { each: 'Right away', daily: 'Once a day', never: 'Never' } as const;

type EmailChoicesFormProps = {
  orgId: string;
  choices: EmailChoices;
  /** Returns whether the user's role allows an action. */
  can: (action: Action) => boolean;
};

/** The user's email preferences for an organization. Shows only topics that the user's role can see. */
export function EmailChoicesForm({ orgId, choices, can }: EmailChoicesFormProps) {
  const api = useApi();
  const client = useQueryClient();
  const toast = useToast();
  const form = useForm({ initial: choices, fields: [] });
  const topics = TOPICS.filter(({ topic }) => can(TOPIC_PERMISSIONS[topic]));
  if (topics.length === 0) return null;
  const isUnsaved = topics.some(({ topic }) => form.values[topic] !== choices[topic]);
  const save = async () => {
    const body = form.values;
    const params = { orgid: orgId };
    const isSaved = await form.submit(() => api.call('saveEmailChoices', { params, body }));
    if (!isSaved) return;
    client.setQueryData(callQuery(api, 'readEmailChoices', { params }).queryKey, body);
    toast('saved');
  };
  return (
    <FormCard
      title="Your emails"
      sending={form.busy}
      error={form.error}
      onSubmit={() => void save()}
      footer={
        <>
          <Button type="submit" kind="action" busy={form.busy} unavailable={!isUnsaved}>
            {form.busy ? 'Saving…' : 'Save'}
          </Button>
          <p className={styles.note}>{describeSaveStatus(isUnsaved)}</p>
        </>
      }
    >
      {topics.map(({ topic, label, hint }) => (
        <ChoiceGroup
          key={topic}
          layout="segment"
          className={styles.choice}
          legend={
            <>
              {label}
              {hint !== undefined && <small>{hint}</small>}
            </>
          }
          options={EMAIL_TOPICS[topic].map((value) => ({ value, label: FREQUENCY_LABELS[value] }))}
          value={form.values[topic]}
          onChange={(value) => form.change({ [topic]: value })}
        />
      ))}
    </FormCard>
  );
}
